"""From a model's reply to the reading of a turn: items by number, words by span, intents and the rest at one."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.actions import Situation, select_action
from dialogue.domain import bundled_domain
from dialogue.engines.llm_reading import grounded, items_of, understanding_of
from dialogue.engines.llm_replies import UnderstandReply
from dialogue.intents import believable
from dialogue.models import (
    Action,
    ConstraintValue,
    DialogueState,
    EditKind,
    Intent,
    ItemRef,
    Mention,
    StateEdit,
    StatePart,
    Understanding,
)
from dialogue.ports import Utterance
from dialogue.state import apply_edits, difference
from pdgf.errors import ReplyUnusable
from tests.dialogue.town import REFS

I = Intent  # noqa: E741 - the tables below are read by its first letters
EAT = bundled_domain("restaurants")
HELD = DialogueState(
    soft_constraints={
        "atmosphere": (ConstraintValue(text="quiet rooms", span=(1, 0, 11)),),
        "others": (ConstraintValue(text="parking", span=(1, 12, 19)), ConstraintValue(text="dogs", span=(1, 20, 24))),
    }
)


def said(
    text: str, *, shown: int = 3, earlier: int = 0, focus: tuple[int, ...] = (), state: DialogueState | None = None
) -> Utterance:
    known = (state or DialogueState()).model_copy(update={"recommended_items": REFS[: shown + earlier]})
    return Utterance(
        text=text,
        turn=4,
        state=known,
        shown=REFS[earlier : earlier + shown],
        domain=EAT,
        focus=tuple(REFS[earlier + place - 1] for place in focus),
    )


def read(utterance: Utterance, **reply: Any) -> Understanding:
    whole = UnderstandReply.model_validate({"intents": [], "wishes": [], **reply})
    return understanding_of(whole, utterance, items_of(utterance))


def wish(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "key": "others", **more}


def spans(reading: Understanding) -> list[tuple[int, int]]:
    return [edit.span[1:] for edit in reading.edits if edit.kind is EditKind.ADD]


def added(reading: Understanding) -> list[str]:
    return [edit.text for edit in reading.edits if edit.kind is EditKind.ADD]


def dropped(reading: Understanding) -> list[tuple[str, str]]:
    return [(edit.key, edit.text) for edit in reading.edits if edit.kind is EditKind.DROP]


def test_numbers_count_the_last_list_and_then_earlier_items_newest_first() -> None:
    utterance = said("the first, the fourth and the fifth", shown=3, earlier=2)
    reading = read(utterance, intents=["reject"], rejected=[1, 4, 5, 1])
    assert reading.rejected == (REFS[2], REFS[1], REFS[0])
    assert believable(reading, utterance).rejected == reading.rejected


@pytest.mark.parametrize("number", [0, -1, 4, 99])
def test_a_number_that_no_item_has_points_at_nothing_and_is_asked_about(number: int) -> None:
    reading = read(said("not that one"), intents=["reject"], rejected=[number])
    assert reading.rejected == ()
    assert reading.unresolved == (str(number),)


def test_before_the_first_list_numbers_mean_nothing() -> None:
    reading = read(said("the second", shown=0), intents=["accept", "reject", "continue"], accepted=[2])
    assert (reading.intents, reading.accepted, reading.unresolved) == ((), (), ())


def test_only_words_of_the_utterance_can_be_unresolved() -> None:
    reading = read(said("take The Fifth"), unresolved=["the fifth", "the sixth"])
    assert reading.unresolved == ("the fifth",)


def test_wishes_keep_the_words_of_the_user_at_the_place_where_they_stand() -> None:
    text = "No GORE, please;  something   under two hours."
    reading = read(said(text), wishes=[wish("no gore", avoid=True, hard=True), wish("under two hours", hard=True)])
    assert added(reading) == ["No GORE", "under two hours"]
    assert [text[slice(*span)] for span in spans(reading)] == added(reading)
    assert {edit.span[0] for edit in reading.edits} == {4}
    assert believable(reading, said(text)).edits == reading.edits


@pytest.mark.parametrize(
    ("text", "wishes", "places"),
    [
        ("quiet, and again quiet", ["quiet", "quiet"], [(0, 5), (17, 22)]),
        ("a warm film about war", ["war"], [(18, 21)]),
        ("not horror, well, horror comedy", ["not horror", "horror comedy"], [(0, 10), (18, 31)]),
        ("not a comedy; make it a comedy", ["not a comedy", "comedy"], [(0, 12), (24, 30)]),
        ("quiet, not too quiet", ["not too quiet", "quiet"], [(7, 20), (0, 5)]),
        ("要安静，要很安静", ["安静", "安静"], [(1, 3), (6, 8)]),
    ],
)
def test_words_that_occur_twice_are_found_where_no_other_wish_stands(
    text: str, wishes: list[str], places: list[tuple[int, int]]
) -> None:
    assert spans(read(said(text), wishes=[wish(words) for words in wishes])) == places


def test_one_stretch_of_words_is_one_wish_and_words_of_nobody_are_none() -> None:
    reading = read(said("quiet please"), wishes=[wish("quiet"), wish("quiet", key="atmosphere"), wish("calm")])
    assert [(edit.key, edit.text) for edit in reading.edits] == [("others", "quiet")]


@pytest.mark.parametrize(
    ("key", "taken"),
    [("atmosphere", "atmosphere"), ("Dish Type", "dish_type"), ("price-range", "price_range"), ("mood", "others")],
)
def test_a_key_that_the_domain_lacks_is_others(key: str, taken: str) -> None:
    assert [edit.key for edit in read(said("calm"), wishes=[wish("calm", key=key)]).edits] == [taken]


@pytest.mark.parametrize(
    ("text", "words", "kept"),
    [
        ("I can't stand musicals", "musicals", "can't stand musicals"),
        ("anything but horror", "horror", "anything but horror"),
        ("no gore please", "gore", "no gore"),
        ("without any romance", "romance", "without any romance"),
        ("不要恐怖片", "恐怖片", "不要恐怖片"),
        ("not too loud", "not too loud", "not too loud"),
        ("I liked Alien less", "Alien", "Alien"),
    ],
)
def test_what_is_unwanted_keeps_the_words_that_say_so(text: str, words: str, kept: str) -> None:
    reading = read(said(text), wishes=[wish(words, avoid=True)])
    assert added(reading) == [kept]
    assert reading.edits[0].avoid


def test_a_denial_that_belongs_to_another_wish_is_left_to_it() -> None:
    reading = read(said("no parking, gore"), wishes=[wish("no parking", avoid=True), wish("gore", avoid=True)])
    assert added(reading) == ["no parking", "gore"]


def test_a_condition_is_a_wish_that_is_stated_and_an_objection_is_to_something_unwanted() -> None:
    rows = [wish("parking", hard=True, mention="asked"), wish("too loud", hard=True, mention="objected")]
    asked, objected = read(said("parking? too loud"), wishes=rows).edits
    assert (asked.hard, objected.hard, objected.avoid) == (False, False, True)


@pytest.mark.parametrize(
    ("key", "text", "drops"),
    [
        ("others", "parking", [("others", "parking")]),
        ("others", " PARKING ", [("others", "parking")]),
        ("atmosphere", "parking", [("others", "parking")]),
        ("atmosphere", "quiet", [("atmosphere", "quiet rooms")]),
        ("atmosphere", "the quiet rooms", [("atmosphere", "quiet rooms")]),
        ("others", "quiet", []),
        ("others", "cats", []),
        ("others", "", []),
    ],
)
def test_only_a_wish_that_stands_can_be_taken_back(key: str, text: str, drops: list[tuple[str, str]]) -> None:
    utterance = said("forget that", state=HELD)
    reading = read(utterance, taken_back=[{"key": key, "text": text}])
    assert dropped(reading) == drops
    changed = difference(utterance.state, apply_edits(utterance.state, reading.edits, EAT))
    assert [change.old for change in changed.removed] == [text for _, text in drops]
    assert (I.PROVIDE_PREFERENCE in reading.intents) is bool(drops)


def test_a_known_item_is_found_by_its_title_in_the_lists_and_otherwise_by_title_alone() -> None:
    named = [{"title": "the lantern room"}, {"title": "Lantern Room"}, {"title": " Old  Loft ", "year": 1999}]
    reading = read(said("seen them"), seen=[*named, {"title": ""}])
    assert reading.seen == (REFS[0], ItemRef(id="", title="Old Loft", year=1999))


@pytest.mark.parametrize(
    ("reply", "intents"),
    [
        ({"wishes": [wish("quiet")]}, {I.PROVIDE_PREFERENCE}),
        ({"wishes": [wish("calm")]}, set()),  # nobody said so
        ({"taken_back": [{"key": "others", "text": "dogs"}]}, {I.PROVIDE_PREFERENCE}),
        ({"rejected": [1]}, {I.REJECT}),
        ({"accepted": [1]}, {I.ACCEPT}),
        ({"questions": ["Is it quiet?"]}, {I.INQUIRE}),
        ({"wishes": [wish("too quiet", mention="objected")]}, {I.REJECT, I.PROVIDE_PREFERENCE}),
        ({"intents": ["continue", "reject"]}, {I.REJECT}),
        ({"intents": ["provide_preference"]}, {I.PROVIDE_PREFERENCE}),
        # what is asked
        ({"wishes": [wish("quiet", mention="asked")], "questions": ["Quiet?"]}, {I.INQUIRE, I.PROVIDE_PREFERENCE}),
        ({"about": [1], "questions": ["Quiet?"], "wishes": [wish("quiet")]}, {I.INQUIRE, I.PROVIDE_PREFERENCE}),
        ({"intents": ["inquire"]}, {I.INQUIRE}),
        ({"intents": ["inquire"], "wishes": [wish("quiet")]}, {I.PROVIDE_PREFERENCE}),  # "can you find a quiet one?"
        ({"questions": ["A quiet one?"], "wishes": [wish("quiet")]}, {I.PROVIDE_PREFERENCE}),
        ({"intents": ["inquire"], "about_system": True}, set()),
        ({"intents": ["inquire"], "about_accepted": True}, set()),
        ({"intents": ["inquire"], "about_system": True, "questions": ["Is it quiet?"]}, {I.INQUIRE}),
    ],
)
def test_intents_and_the_rest_of_a_reply_are_brought_together(reply: dict[str, Any], intents: set[Intent]) -> None:
    assert set(read(said("not too quiet", state=HELD), **reply).intents) == intents


def test_a_fresh_start_takes_its_wishes_along_and_nothing_else() -> None:
    reading = read(
        said("forget all that, I want pizza", state=HELD),
        intents=["start_over", "reject", "continue", "inquire"],
        wishes=[wish("pizza", key="dish_type")],
        taken_back=[{"key": "others", "text": "dogs"}],
        rejected=[1, 2, 3],
        accepted=[1],
        about=[1],
        questions=["Why?"],
    )
    assert set(reading.intents) == {I.START_OVER, I.PROVIDE_PREFERENCE}
    assert added(reading) == ["pizza"]
    assert dropped(reading) == []
    assert {reading.rejected, reading.accepted, reading.about, reading.questions} == {()}


@pytest.mark.parametrize(
    ("focus", "reply", "rejected"),
    [
        ((), {"intents": ["reject"]}, REFS[:3]),
        ((2,), {"intents": ["reject"]}, REFS[1:2]),
        ((2,), {"intents": ["reject"], "rejected": [1]}, REFS[:1]),
        ((), {"wishes": [wish("too loud", mention="objected")]}, REFS[:3]),
        ((), {"intents": ["reject"], "wishes": [wish("musicals", avoid=True)]}, ()),  # a kind, not these
        ((), {"intents": ["reject"], "unresolved": ["the ninth"]}, ()),
        ((), {"intents": ["reject"], "rejected": [9]}, ()),
    ],
)
def test_a_rejection_that_points_at_nothing_is_of_what_is_in_focus_or_of_the_list(
    focus: tuple[int, ...], reply: dict[str, Any], rejected: tuple[ItemRef, ...]
) -> None:
    assert read(said("no musicals, too loud, the ninth", focus=focus), **reply).rejected == rejected


@pytest.mark.parametrize(
    ("shown", "focus", "reply", "accepted"),
    [
        (3, (), {"intents": ["accept"]}, ()),
        (3, (2,), {"intents": ["accept"]}, REFS[1:2]),
        (1, (), {"intents": ["accept"]}, REFS[:1]),
        (1, (), {"intents": ["accept"], "unresolved": ["the ninth"]}, ()),
        (1, (), {}, ()),
    ],
)
def test_an_acceptance_that_points_at_nothing_is_of_the_only_item_that_can_be_meant(
    shown: int, focus: tuple[int, ...], reply: dict[str, Any], accepted: tuple[ItemRef, ...]
) -> None:
    assert read(said("yes, the ninth", shown=shown, focus=focus), **reply).accepted == accepted


def test_courtesy_is_nothing_but_courtesy() -> None:
    assert read(said("hello"), hello=True).greeting
    assert read(said("thanks"), greeting=True).greeting
    assert not read(said("hello, quiet please"), greeting=True, hello=True, wishes=[wish("quiet")]).greeting
    assert not read(said("hello, what are you?"), hello=True, about_system=True).greeting


def test_blank_and_repeated_questions_are_asked_once() -> None:
    reading = read(said("?"), intents=["inquire"], questions=["Is it quiet?", " ", "is it  quiet?", "Why?"])
    assert reading.questions == ("Is it quiet?", "Why?")


def test_a_reply_with_wishes_of_which_none_was_said_is_refused() -> None:
    reply = UnderstandReply.model_validate({"intents": [], "wishes": [wish("calm"), wish("cheap")]})
    with pytest.raises(ReplyUnusable, match="copied"):
        grounded(reply, "quiet please")
    assert grounded(reply, "cheap please") is reply


ROWS = st.fixed_dictionaries(
    {
        "text": st.sampled_from(["quiet", "not quiet", "parking", "ramen", "calm", "quiet ramen"]),
        "key": st.sampled_from(["atmosphere", "others", "dish_type", "nonsense"]),
        "hard": st.booleans(),
        "avoid": st.booleans(),
        "mention": st.sampled_from([mention.value for mention in Mention]),
    }
)
NUMBERS = st.lists(st.integers(-1, 7), max_size=3)
REPLIES = st.fixed_dictionaries(
    {
        "intents": st.lists(st.sampled_from([intent.value for intent in Intent]), max_size=3),
        "wishes": st.lists(ROWS, max_size=4),
        "taken_back": st.lists(
            st.fixed_dictionaries({"key": st.just("others"), "text": st.sampled_from(["dogs", "cats", "parking"])}),
            max_size=2,
        ),
        "about": NUMBERS,
        "accepted": NUMBERS,
        "rejected": NUMBERS,
        "questions": st.lists(st.sampled_from(["Is it quiet?", ""]), max_size=2),
        "unresolved": st.lists(st.sampled_from(["the ninth", "ramen"]), max_size=1),
        "greeting": st.booleans(),
        "about_system": st.booleans(),
    }
)


@given(REPLIES, st.integers(0, 3), st.sampled_from(["quiet ramen, not quiet, parking", "hm"]))
def test_whatever_a_reply_says_its_reading_is_believed_as_it_is_and_has_an_action(
    reply: dict[str, Any], shown: int, text: str
) -> None:
    utterance = said(text, shown=shown, state=HELD)
    reading = read(utterance, **reply)
    believed = believable(reading, utterance)
    assert believed.edits == reading.edits
    assert believed.about == reading.about
    assert believed.accepted == reading.accepted
    assert set(believed.rejected) == set(reading.rejected) - set(reading.accepted)
    assert len({edit.span for edit in reading.edits if edit.kind is EditKind.ADD}) == len(added(reading))
    after = apply_edits(utterance.state, reading.edits, EAT)
    changed = not difference(utterance.state, after).empty
    assert I.PROVIDE_PREFERENCE in reading.intents or not changed
    situation = Situation(reading=believed, changed=changed, recommended=shown > 0, ranked=shown > 0)
    action = select_action(situation)
    assert action is not Action.RESPOND_TO_REJECTION or shown
    assert action is not Action.RESPOND_TO_ACCEPTANCE or shown
    assert isinstance(reading.edits, tuple)
    assert all(isinstance(edit, StateEdit) for edit in reading.edits)


def test_praise_takes_nothing_and_is_an_acceptance_by_its_intent() -> None:
    reading = read(said("the second sounds good"), interest=[2])
    assert (reading.intents, reading.accepted, reading.interest) == ((I.ACCEPT,), (), (REFS[1],))
    assert read(said("sounds good", focus=(2,)), intents=["accept"]).accepted == (REFS[1],)


def test_a_liked_item_is_never_rejected_and_a_disliked_one_may_be() -> None:
    reading = read(
        said("I loved Lantern Room and hated Twilight"),
        intents=["reject"],
        rejected=[1, 2],
        liked=[{"title": "Lantern Room"}],
        disliked=[{"title": "Twilight", "year": 2008}],
    )
    assert (reading.liked, reading.rejected) == ((REFS[0],), (REFS[1],))
    assert reading.disliked == (ItemRef(id="", title="Twilight", year=2008),)


def test_an_open_verdict_stands_in_no_questions_way_and_its_candidates_are_named() -> None:
    reading = read(
        said("both look good, which is cheaper?"),
        intents=["accept", "inquire"],
        questions=["which is cheaper?"],
        unresolved=["both"],
        candidates=[1, 3, 9],
    )
    assert (reading.unclear, reading.unresolved, reading.candidates) == (("both",), (), (REFS[0], REFS[2]))
    assert read(said("both"), unresolved=["both"]).unresolved == ("both",)


@pytest.mark.parametrize(
    ("given", "read_as"), [("books", "books"), (" Books ", "books"), ("gardens", None), ("", None)]
)
def test_another_domain_is_one_of_those_there_are(given: str, read_as: str | None) -> None:
    utterance = replace(said("now a book"), domains=(bundled_domain("books"),))
    assert read(utterance, domain=given).domain == read_as


def test_a_question_about_what_was_noted_is_none_about_items() -> None:
    reading = read(said("what did I turn down?"), intents=["inquire"], about_state=["rejected"])
    assert (reading.intents, reading.about_state) == ((), (StatePart.REJECTED,))


def test_only_a_fresh_start_can_be_a_new_topic() -> None:
    assert read(said("something else"), new_topic=True).new_topic is False
    assert read(said("new topic"), intents=["start_over"], new_topic=True).new_topic is True

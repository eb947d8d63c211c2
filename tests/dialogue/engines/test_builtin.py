"""The DialogueAgent without an LLM: what it understands of whole utterances, how it explains and answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.models import ConstraintValue, DialogueState, EditKind, Intent, Mention, Understanding
from dialogue.ports import Question, Utterance
from pdgf.models import Candidate, PreferenceGraph, RankedItem
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.dialogue.town import PLACES, REFS, WORDS
from tests.fakes import VocabularyAgent

I = Intent  # noqa: E741 - the table below is read by its first letters
EAT, FILMS = bundled_domain("restaurants"), bundled_domain("movies")
FILM_WORDS = {"horror": "genre", "comedy": "genre", "funny": "tone", "romance": "genre", "violent": "content"}


def agent(words: dict[str, str] | None = None) -> BuiltinDialogueAgent:
    return BuiltinDialogueAgent(preferences=VocabularyAgent(words or WORDS), config=MethodConfig())


async def read(
    text: str,
    *,
    shown: int = 3,
    asked: tuple[str, ...] = (),
    focus: tuple[int, ...] = (),
    state: DialogueState | None = None,
    films: bool = False,
) -> Understanding:
    utterance = Utterance(
        text=text,
        turn=5,
        state=state or DialogueState(recommended_items=REFS[:shown]),
        shown=REFS[:shown],
        domain=FILMS if films else EAT,
        asked=asked,
        focus=tuple(REFS[place] for place in focus),
        metadata={item.id: item.metadata for item, _ in PLACES[:shown]},
        current_year=2026,
    )
    return await agent(FILM_WORDS if films else None).understand(utterance, Budget())


def said(reading: Understanding) -> list[tuple[str, str]]:
    return [(edit.key, edit.text) for edit in reading.edits if edit.kind is EditKind.ADD]


def dropped(reading: Understanding) -> list[str]:
    return [edit.text for edit in reading.edits if edit.kind is EditKind.DROP]


@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("quiet ramen please", (I.PROVIDE_PREFERENCE,)),
        ("Too loud, something quieter", (I.PROVIDE_PREFERENCE, I.REJECT)),
        ("does the second have parking?", (I.PROVIDE_PREFERENCE, I.INQUIRE)),
        ("how much is the second?", (I.INQUIRE,)),
        ("nah", (I.REJECT,)),
        ("👎", (I.REJECT,)),
        ("👍", (I.ACCEPT,)),
        ("I'll take the first", (I.ACCEPT,)),
        ("sounds great, thanks", (I.ACCEPT,)),
        ("probably too expensive, what else?", (I.PROVIDE_PREFERENCE, I.REJECT)),
        ("ok, adding it to my list", (I.ACCEPT,)),
        ("show me more", (I.CONTINUE,)),
        ("That looks lovely. Could you suggest another one?", (I.ACCEPT, I.CONTINUE)),
        ("start over", (I.START_OVER,)),
        ("start over, I want ramen", (I.PROVIDE_PREFERENCE, I.START_OVER)),
        ("I've seen that", ()),
        ("thanks", ()),
        ("hmm", ()),
    ],
)
async def test_any_number_of_intents_and_none_is_forced(text: str, intents: tuple[Intent, ...]) -> None:
    assert set((await read(text)).intents) == set(intents)


async def test_feedback_needs_something_to_be_about() -> None:
    assert (await read("nah", shown=0)).intents == ()
    assert (await read("sounds great", shown=0)).intents == ()
    assert (await read("show me more", shown=0)).intents == ()


async def test_an_objection_becomes_an_unwanted_soft_wish_and_a_lack_a_wanted_one() -> None:
    [loud, quieter] = (await read("Too loud, something quieter")).edits
    assert (loud.key, loud.text, loud.avoid, loud.hard, loud.mention) == (
        "atmosphere",
        "Too loud",
        True,
        False,
        Mention.OBJECTED,
    )
    assert (quieter.text, quieter.avoid, quieter.mention) == ("quieter", False, Mention.STATED)
    [quiet] = (await read("not quiet enough")).edits
    assert (quiet.key, quiet.text, quiet.avoid, quiet.mention) == ("atmosphere", "quiet", False, Mention.ASKED)


async def test_what_a_question_asks_for_is_a_soft_wish_under_its_facts_key() -> None:
    [parking] = (await read("does the second have parking?")).edits
    assert (parking.key, parking.text, parking.hard, parking.mention) == ("others", "parking", False, Mention.ASKED)
    [waiters] = (await read("do they have friendly waiters?")).edits
    assert (waiters.key, waiters.text) == ("others", "friendly waiters")
    assert (await read("is it expensive?")).edits == ()
    assert (await read("does it have parking?", shown=0)).edits == ()


async def test_a_change_of_mind_drops_and_adds() -> None:
    horror = DialogueState(soft_constraints={"genre": (ConstraintValue(text="horror", span=(1, 0, 6)),)})
    found = await read("actually not horror", films=True, state=horror)
    assert dropped(found) == ["horror"]
    assert said(found) == [("genre", "not horror")]
    assert dropped(await read("forget the horror", films=True, state=horror)) == ["horror"]
    assert dropped(await read("start over, not horror", films=True, state=horror)) == []


async def test_a_year_is_a_hard_wish_where_the_domain_has_eras() -> None:
    [funny, era] = (await read("something funny from the 90s", films=True)).edits
    assert (funny.key, era.key, era.hard) == ("tone", "era_year", True)
    assert "90s" in era.text
    assert (await read("we come in the 90s", shown=0)).edits == ()


async def test_an_open_answer_is_known_without_being_a_wish() -> None:
    [anywhere] = (await read("anywhere", shown=0, asked=("location",))).edits
    assert (anywhere.key, anywhere.text, anywhere.mention) == ("location", "anywhere", Mention.INDIFFERENT)
    [open_food] = (await read("I don't mind", shown=0, asked=("cuisine_type", "dish_type"))).edits
    assert (open_food.key, open_food.text) == ("cuisine_type", "I don't mind")
    found = await read("ramen anywhere in town", shown=0)
    assert said(found) == [("dish_type", "ramen"), ("location", "anywhere in town")]


async def test_an_answer_that_nobody_can_read_is_taken_as_it_stands() -> None:
    [edit] = (await read("near the old mill.", shown=0, asked=("location",))).edits
    assert (edit.key, edit.text, edit.hard) == ("location", "near the old mill", True)
    assert (await read("near the old mill.", shown=0)).edits == ()
    assert (await read("what do you have?", shown=0, asked=("location",))).edits == ()
    assert (await read("blah", shown=0, asked=tuple("abcdef"))).edits == ()


async def test_items_are_bound_to_what_was_shown() -> None:
    assert (await read("I'll take the first")).accepted == REFS[:1]
    assert (await read("nah")).rejected == REFS[:3]
    assert (await read("does it have wifi?", focus=(1,))).about == REFS[1:2]
    found = await read("not the fifth")
    assert (found.rejected, found.unresolved) == ((), ("the fifth",))


async def test_every_value_stands_in_the_utterance_at_its_span() -> None:
    for text in (
        "quiet ramen in Old Harbour, no parking needed",
        "Too loud, something quieter",
        "does it have parking?",
    ):
        for edit in (await read(text)).edits:
            turn, start, end = edit.span
            assert turn == 5
            assert edit.kind is EditKind.DROP or text[start:end] == edit.text


async def test_a_plain_answer_needs_no_reading_of_wishes() -> None:
    vocabulary = VocabularyAgent(WORDS)
    plain = BuiltinDialogueAgent(preferences=vocabulary, config=MethodConfig())
    for text in ("nah", "more", "👍", "I'll take the second", "thanks", "start over", "none of these"):
        await plain.understand(
            Utterance(text=text, turn=2, state=DialogueState(), shown=REFS[:3], domain=EAT), Budget()
        )
    assert vocabulary.calls["extract_nodes"] == 0


async def test_greeting_is_courtesy_and_nothing_else() -> None:
    assert (await read("Hello there!")).greeting
    assert not (await read("Hello, quiet ramen please")).greeting


async def test_it_explains_nothing_that_the_labels_do_not_show() -> None:
    item = RankedItem(candidate=Candidate(id="i", title="I"), score=0.0)
    assert [piece async for piece in agent().explain(item, PreferenceGraph(narrative=""), Budget())] == []


async def test_without_a_passage_it_says_nothing() -> None:
    question = Question(text="?", item=REFS[0], metadata={}, hits=())
    assert [piece async for piece in agent().answer(question, Budget())] == []


@given(st.text(max_size=120), st.sampled_from([(), ("location",), ("cuisine_type", "dish_type")]))
async def test_no_text_breaks_it_and_every_added_value_is_the_users_own_words(
    text: str, asked: tuple[str, ...]
) -> None:
    found = await read(text, asked=asked, focus=(1,))
    for edit in found.edits:
        assert edit.kind is EditKind.DROP or text[edit.span[1] : edit.span[2]] == edit.text
    assert set(found.accepted) | set(found.rejected) | set(found.about) <= set(REFS[:3])


CUES = (
    "I'll take",
    "the first",
    "not",
    "the fifth",
    "too loud",
    "quiet ramen",
    "?",
    ",",
    ".",
    "but",
    "forget the",
    "no",
)
WISHES = ("parking", "seen", "Old Harbour", "does it have", "instead", "anywhere", "more", "start over", "👎", "...")


@given(st.lists(st.sampled_from((*CUES, *WISHES)), max_size=12))
async def test_any_mixture_of_its_own_cues_is_read(phrases: list[str]) -> None:
    text = " ".join(phrases)
    found = await read(text)
    assert len(found.intents) == len(set(found.intents))
    assert all(edit.kind is EditKind.DROP or edit.text in text for edit in found.edits)

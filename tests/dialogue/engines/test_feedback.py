"""Taken, turned down, known already, asked about: bound to items."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.cues import parts_of
from dialogue.engines.feedback import Feedback, pointing_spans, read_feedback
from dialogue.engines.references import Shown
from dialogue.models import ItemRef
from dialogue.spans import Span

A, B, C = (
    ItemRef(id=name, title=title) for name, title in (("a", "Lantern Room"), ("b", "Salt Ladder"), ("c", "Gallo"))
)


def table(items: tuple[ItemRef, ...] = (A, B, C), focus: tuple[ItemRef, ...] = ()) -> Shown:
    return Shown(items=items, focus=focus, metadata={}, domain=bundled_domain("restaurants"))


def read(text: str, shown: Shown | None = None, wished: tuple[Span, ...] = ()) -> Feedback:
    return read_feedback(text, parts_of(text, shown=True, asked=False), shown or table(), wished=wished)


def test_an_item_is_taken_by_name_place_or_pronoun() -> None:
    assert read("I'll take the first").accepted == [A]
    assert read("sounds good", table(focus=(C,))).accepted == [C]
    assert read("ok, adding it to my list", table(items=(B,))).accepted == [B]
    assert read("I'll take both", table(items=(A, B))).accepted == [A, B]


def test_praise_of_several_takes_none() -> None:
    assert read("sounds great").accepted == []
    assert read("they all look good").accepted == []
    assert read("any of them works for us").accepted == []


def test_naming_an_item_and_nothing_else_takes_it() -> None:
    assert read("the second one please").accepted == [B]
    assert read("the second has").accepted == []


def test_all_that_was_shown_is_turned_down_without_a_name_and_only_the_named_with_one() -> None:
    assert read("nah").rejected == [A, B, C]
    assert read("too loud").rejected == [A, B, C]
    assert read("too loud", table(focus=(B,))).rejected == [B]
    assert read("not the third").rejected == [C]


def test_turning_down_a_kind_turns_down_no_item() -> None:
    text = "I don't like seafood"
    assert read(text, wished=((0, len(text)),)).rejected == []


def test_turning_down_what_is_not_there_turns_down_nothing() -> None:
    found = read("not the fifth")
    assert (found.rejected, found.unresolved) == ([], ["the fifth"])


def test_the_first_is_not_mistaken_for_nothing() -> None:
    assert read("I don't like the first one").rejected == [A]
    assert read("does the first have wifi?").about == [A]


def test_known_items_are_named_pointed_at_or_titled() -> None:
    assert read("I've been to the second already").seen == [B]
    assert read("I've seen it", table(focus=(C,))).seen == [C]
    assert [item.title for item in read("I've already seen Heat and The Third Man").seen] == ["Heat and The Third Man"]
    found = read("I've seen that")
    assert (found.seen, found.unresolved) == ([], ["that"])


def test_questions_are_split_and_bound() -> None:
    found = read("does the second have parking and how much is it?")
    assert found.questions == ["does the second have parking", "how much is it?"]
    assert found.about == [B]


def test_an_item_named_before_is_what_it_means_after() -> None:
    found = read("Not the first. The last one looks nice, does it have wifi?")
    assert (found.rejected, found.accepted, found.interest, found.about) == ([A], [], [C], [C])


def test_the_words_that_point_are_known_by_their_places() -> None:
    text = "Hello. Does the second have parking?"
    spans = pointing_spans(text, parts_of(text, shown=True, asked=False), table())
    assert [text[a:b] for a, b in spans] == ["the second"]


@pytest.mark.parametrize("text", ["Not for me: {title}", "Not for me - {title}.", "I'll take it: {title}"])
def test_a_verdict_is_about_the_item_that_follows_it_by_itself(text: str) -> None:
    found = read(text.format(title=B.title))
    verdicts = {"Not": found.rejected, "I'l": found.accepted}
    assert verdicts.pop(text[:3]) == [B]
    assert list(verdicts.values()) == [[]]

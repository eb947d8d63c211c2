"""Which items words point at."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.references import Shown, resolve
from dialogue.models import ItemRef

ROOM, LADDER, GALLO = (
    ItemRef(id=name, title=title)
    for name, title in (("a", "Lantern Room"), ("b", "The Salt Ladder"), ("c", "Forno Gallo"))
)
EARLIER = ItemRef(id="z", title="Copper Kettle")
METADATA = {
    "a": {"noise_level": "quiet", "average_spend": 34},
    "b": {"noise_level": "lively", "average_spend": 46},
    "c": {"noise_level": "loud", "average_spend": 22},
}


def shown(items: tuple[ItemRef, ...] = (ROOM, LADDER, GALLO), focus: tuple[ItemRef, ...] = ()) -> Shown:
    return Shown(items=items, earlier=(EARLIER,), focus=focus, metadata=METADATA, domain=bundled_domain("restaurants"))


def titles(text: str, **more: tuple[ItemRef, ...]) -> str:
    return "".join(item.id for item in resolve(text, shown(**more)).items)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("the first", "a"),
        ("I'll take the second", "b"),
        ("does the third have parking?", "c"),
        ("the last one", "c"),
        ("first", "a"),
        ("number two", "b"),
        ("what is the second about?", "b"),
        ("#3", "c"),
        ("the 2nd one", "b"),
        ("the first two", "ab"),
        ("the last two look good", "bc"),
        ("the first and the third", "ac"),
        ("option one please", "a"),
    ],
)
def test_ordinals_and_numbers(text: str, items: str) -> None:
    assert titles(text) == items


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Lantern Room", "a"),
        ("the salt ladder sounds nice", "b"),
        ("is the Ladder open?", "b"),
        ("Forno Galo", "c"),
        ("Lantrn Room please", "a"),
        ("Gallo or Lantern", "ca"),
        ("what about Copper Kettle?", "z"),
    ],
)
def test_names_whole_partial_misspelt_and_of_an_earlier_list(text: str, items: str) -> None:
    assert titles(text) == items


@pytest.mark.parametrize(
    ("text", "items"),
    [("the cheaper one", "c"), ("I take the quietest", "a"), ("the most expensive", "b"), ("the loudest one", "c")],
)
def test_comparisons_by_metadata(text: str, items: str) -> None:
    assert titles(text) == items


def test_a_comparison_that_metadata_do_not_decide_stays_unresolved() -> None:
    silent = Shown(items=(ROOM, LADDER), focus=(), metadata={}, domain=bundled_domain("restaurants"))
    assert resolve("the cheaper one", silent).unresolved == ("the cheaper one",)


def test_which_is_the_quietest_compares_and_points_at_none() -> None:
    assert resolve("which is the quietest?", shown()).items == ()


@pytest.mark.parametrize("text", ["the fifth", "not the ninth one", "number 7", "the 4th"])
def test_a_place_that_is_not_there_stays_unresolved(text: str) -> None:
    found = resolve(text, shown())
    assert found.items == ()
    assert len(found.unresolved) == 1


@pytest.mark.parametrize(
    "text", ["the first half hour was dull", "I want to eat there first thing", "my second home", "a one-off"]
)
def test_ordinals_of_something_else_point_at_nothing(text: str) -> None:
    assert resolve(text, shown()).items == ()
    assert resolve(text, shown()).unresolved == ()


@pytest.mark.parametrize("text", ["none of these", "all of them", "do they have wifi?", "either", "these look fine"])
def test_groups_are_all_that_was_shown(text: str) -> None:
    assert titles(text) == "abc"


def test_both_are_two_or_unresolved() -> None:
    assert titles("both", items=(ROOM, LADDER)) == "ab"
    assert titles("both", focus=(LADDER, GALLO)) == "bc"
    assert resolve("both", shown()).unresolved == ("both",)


def test_a_pronoun_is_the_item_spoken_of_or_the_only_one_and_else_stays_vague() -> None:
    assert titles("is it open?", focus=(LADDER,)) == "b"
    assert titles("that one", items=(GALLO,)) == "c"
    found = resolve("is it open?", shown())
    assert (found.items, found.vague) == ((), True)


def test_the_other_one_is_the_one_not_spoken_of() -> None:
    assert titles("the other one", items=(ROOM, LADDER), focus=(ROOM,)) == "b"
    assert resolve("the other one", shown(focus=(ROOM,))).unresolved == ("the other one",)


def test_spans_are_where_the_words_stand() -> None:
    text = "well, the second and Lantern Room"
    assert [text[a:b] for a, b in resolve(text, shown()).spans] == ["the second", "Lantern Room"]


def test_nothing_is_found_in_an_empty_list() -> None:
    assert resolve("it", shown(items=())).items == ()
    assert resolve("the first", shown(items=())).unresolved == ("the first",)
    assert resolve("", shown()) == resolve("hello", shown())

"""Changes of the wishes against what they should be."""

from typing import Any

import pytest

from dialogue.evaluation.updates import (
    Held,
    UpdateRow,
    changed,
    domain_of_keys,
    judge_updates,
    keys_named,
    matched,
    same_value,
    unmatched,
)
from dialogue.models import EditKind, Mention, StateEdit, Understanding
from pdgf.usage import Budget
from tests.dialogue.evaluation.hearing import always, hearing


def added(key: str, text: str, start: int, *, hard: bool = False) -> StateEdit:
    return StateEdit(kind=EditKind.ADD, key=key, text=text, hard=hard, span=(2, start, start + len(text)))


async def judged(rows: list[UpdateRow], *edits: StateEdit) -> dict[str, Any]:
    ports = always(hearing(*(Understanding(edits=(edit,)) for edit in edits)))
    return await judge_updates(rows, ports=ports, new_budget=Budget, say=lambda _: None)


async def test_only_the_change_counts_and_not_what_stood_before() -> None:
    row = UpdateRow(
        utterance="ramen, please",
        old_hard={"location": ("Old Harbour",)},
        new_hard={"location": ("Old Harbour",), "dish type": ("ramen",)},
    )
    made = await judged([row], added("dish_type", "ramen", 0, hard=True))
    assert (made["f1"], made["accuracy"], made["strength_right"]) == (1.0, 1.0, 1.0)
    assert made["changes"]["right"] == 1


async def test_a_value_under_another_key_is_wrong_and_counted_apart() -> None:
    row = UpdateRow(utterance="ramen, please", new_soft={"dish type": ("ramen",)})
    made = await judged([row], added("others", "ramen", 0))
    assert (made["f1"], made["accuracy"]) == (0.0, 0.0)
    assert made["values_under_any_key"]["f1"] == 1.0
    assert (made["keys"]["dish_type"]["missed"], made["keys"]["others"]["wrong"]) == (1, 1)


async def test_a_value_that_should_have_gone_is_missed() -> None:
    row = UpdateRow(
        utterance="pizza instead of ramen",
        old_soft={"dish type": ("ramen",)},
        new_soft={"dish type": ("pizza",)},
    )
    made = await judged([row], added("dish_type", "pizza", 0))
    assert made["changes"]["right"] == 1
    assert made["changes"]["missed"] == 1
    assert made["accuracy"] == 0.0


async def test_a_domain_that_is_not_ours_has_the_keys_of_its_rows() -> None:
    row = UpdateRow(utterance="a silent kettle", domain="kitchen", new_soft={"noise level": ("silent",)})
    made = await judged([row], added("noise_level", "silent", 2))
    assert made["domains"]["kitchen"]["f1"] == 1.0
    assert [key.key for key in domain_of_keys("kitchen", ["noise_level"]).constraint_keys] == ["noise_level", "others"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("not spicy", "spicy", False),
        ("no spicy food", "not spicy", True),
        ("sunset views", "a sunset' view", True),
        ("Leeds", "in Leeds", True),
        ("T-Shirts", "t-shirt", True),
        ("quiet", "loud", False),
        ("the", "the", False),
        ("Kent Road, Leeds", "Leeds", True),
    ],
)
def test_values_are_the_same_when_the_words_of_one_are_among_the_others(one: str, other: str, same: bool) -> None:
    assert same_value(one, other) is same_value(other, one) is same


def test_each_value_is_matched_once() -> None:
    true = [Held("k", "red wine", False), Held("k", "wine", False)]
    given = [Held("k", "wine", True)]
    assert len(matched(true, given)) == 1
    assert unmatched(true, given) == [Held("k", "wine", False)]
    assert changed([Held("k", "ale", False)], given) == (given, [Held("k", "ale", False)])


def test_a_question_of_the_system_names_the_keys_it_asks_for() -> None:
    domain = domain_of_keys("kitchen", ["noise_level", "brand"])
    assert keys_named("Do you mind the noise level?", domain) == ("noise_level",)
    assert set(keys_named("Any brand or noise level?", domain)) == {"noise_level", "brand"}
    assert keys_named("This is a good brand.", domain) == ()
    assert keys_named(None, domain) == ()


async def test_words_that_leave_a_key_open_are_no_value() -> None:
    row = UpdateRow(
        utterance="no", context=("Do you have a brand in mind?",), domain="kitchen", new_soft={"brand": None}
    )
    edit = added("brand", "no", 0).model_copy(update={"mention": Mention.INDIFFERENT})
    made = await judged([row], edit)
    assert (made["accuracy"], made["changes"]["wrong"]) == (1.0, 0)

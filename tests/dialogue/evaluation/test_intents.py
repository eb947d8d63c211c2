"""Intents of messages against their labels."""

from typing import Any

import pytest
from pydantic import ValidationError

from dialogue.evaluation.intents import IntentRow, judge_intents, shown_before
from dialogue.evaluation.turns import UNNAMED
from dialogue.models import Intent, Understanding
from pdgf.usage import Budget
from tests.dialogue.evaluation.hearing import always, hearing


def heard(*intents: Intent) -> Understanding:
    return Understanding(intents=intents)


async def judged(rows: list[IntentRow], *readings: Understanding) -> dict[str, Any]:
    return await judge_intents(rows, ports=always(hearing(*readings)), new_budget=Budget, say=lambda _: None)


async def test_each_label_is_counted_over_the_messages() -> None:
    rows = [
        IntentRow(text="something quiet", labels=("preference",), source="a"),
        IntentRow(text="is it loud?", labels=("inquire", "preference"), source="a"),
        IntentRow(text="no, thanks", labels=("reject",), source="b"),
    ]
    made = await judged(
        rows, heard(Intent.PROVIDE_PREFERENCE), heard(Intent.INQUIRE), heard(Intent.REJECT, Intent.ACCEPT)
    )
    assert made["classes"]["preference"]["f1"] == pytest.approx(2 * 1 / (2 * 1 + 1))
    assert made["classes"]["accept"]["wrong"] == 1
    assert made["accuracy"] == 1 / 3
    assert made["macro_f1"] == pytest.approx((2 / 3 + 1 + 0 + 1) / 4)
    assert made["sources"]["b"]["reject"]["right"] == 1


async def test_a_label_that_its_source_does_not_annotate_does_not_count() -> None:
    row = IntentRow(text="is it loud?", labels=("inquire",), labelled=("inquire", "accept", "reject"))
    made = await judged([row], heard(Intent.INQUIRE, Intent.PROVIDE_PREFERENCE))
    assert made["accuracy"] == 1.0
    assert made["classes"]["preference"]["wrong"] == 0
    assert made["macro_f1"] == pytest.approx((1 + 0 + 0) / 3)


def test_what_was_shown_is_what_the_system_said_before() -> None:
    def before(prev: str | None) -> list[str]:
        return [item.title for item in shown_before(IntentRow(text="x", labels=(), prev=prev))]

    assert before("How about Paper Lanterns (1987)?") == ["Paper Lanterns"]
    assert before("Do you like old films?") == [UNNAMED.title]
    assert before("") == []
    assert before(None) == [UNNAMED.title]


def test_an_unknown_label_makes_no_row() -> None:
    with pytest.raises(ValidationError):
        IntentRow(text="x", labels=("greeting",))  # type: ignore[arg-type]

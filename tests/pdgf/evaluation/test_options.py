"""One right option of several, by an agent that knows a few words."""

import pytest
from pydantic import ValidationError

from pdgf.evaluation.options import OptionsRow, judge_options
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import VocabularyAgent

WORDS = {"soup": "dish", "leek": "ingredient", "meat": "ingredient"}
OPTIONS = {"a": "leek soup", "b": "soup with meat", "c": "meat with leek"}


def row(query: str, answer: str, **kinds: bool) -> OptionsRow:
    return OptionsRow(query=query, options=OPTIONS, answer=answer, query_type=kinds)


async def judged(*rows: OptionsRow) -> dict[str, object]:
    return await judge_options(
        rows, agent=VocabularyAgent(WORDS), config=MethodConfig(), new_budget=Budget, say=lambda _: None
    )


async def test_the_option_that_meets_all_wishes_is_the_first() -> None:
    made = await judged(row("leek soup", "a", Specific=True), row("soup, no meat", "a", Negated=True))
    assert made["accuracy"] == 1.0
    assert made["query_types"] == {
        "Negated": {"accuracy": 1.0, "rows": 1},
        "Specific": {"accuracy": 1.0, "rows": 1},
    }


async def test_a_shared_first_place_counts_as_the_chance_of_naming_the_right_one() -> None:
    made = await judged(row("any soup", "b"), row("any soup", "c"))
    assert made["accuracy"] == (1 / 2 + 0) / 2
    assert made["ties"] == 2
    assert made["query_types"] == {"Other": {"accuracy": 1 / 4, "rows": 2}}


async def test_a_request_that_cannot_be_read_is_a_guess_among_all() -> None:
    made = await judged(row("whatever", "a"))
    assert (made["accuracy"], made["unread"]) == (pytest.approx(1 / 3), 1)
    assert made["chance"] == pytest.approx(1 / 3)


def test_an_answer_that_is_no_option_makes_no_row() -> None:
    with pytest.raises(ValidationError, match="none of the options"):
        row("soup", "d")

"""Texts compared with wishes, by an agent that knows a few words."""

import pytest

from pdgf.evaluation.relations import RelationRow, judge_relations, verdict
from pdgf.models import Label
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import VocabularyAgent

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS
ROWS = [
    RelationRow(evidence="It is quiet here.", preference="I want it quiet.", label="supports", aspect="noise"),
    RelationRow(evidence="Not quiet at all.", preference="I want it quiet.", label="contradicts", aspect="noise"),
    RelationRow(evidence="The fire is low.", preference="I want it quiet.", label="neutral_absent", aspect="noise"),
    RelationRow(evidence="No garden.", preference="Must have a garden.", label="supports", aspect="place"),
    RelationRow(evidence="A hat.", preference="Anything.", label="neutral", aspect="place"),
]


async def judged(**options: object) -> dict[str, object]:
    agent = VocabularyAgent({"quiet": "noise", "garden": "setting", "anything": "x"})
    return await judge_relations(
        ROWS,
        agent=agent,
        config=MethodConfig(),
        new_budget=Budget,
        say=lambda _: None,
        **options,  # type: ignore[arg-type]
    )


async def test_rows_are_judged_by_the_wishes_of_their_preference() -> None:
    made = await judged()
    assert made["accuracy"] == 4 / 5
    assert made["rows"] == 5
    assert made["neutral"] == {
        "neutral": {"supports": 0, "contradicts": 0, "neutral": 1},
        "neutral_absent": {"supports": 0, "contradicts": 0, "neutral": 1},
    }
    assert made["features"]["I want it quiet."] == ["quiet"]  # type: ignore[index]


async def test_held_out_aspects_are_reported_alone_with_the_rest_below() -> None:
    made = await judged(held_out=("place",))
    assert (made["rows"], made["accuracy"]) == (2, 1 / 2)
    assert made["rest"]["rows"] == 3  # type: ignore[index]
    assert made["rest"]["accuracy"] == 1.0  # type: ignore[index]


async def test_a_preference_without_a_readable_wish_is_one_itself() -> None:
    agent = VocabularyAgent({"lake": "setting"})
    made = await judge_relations(ROWS[:1], agent=agent, config=MethodConfig(), new_budget=Budget, say=lambda _: None)
    assert made["features"] == {"I want it quiet.": ["I want it quiet."]}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([S], "supports"),
        ([P, N], "supports"),
        ([X, N], "contradicts"),
        ([S, X], "neutral"),
        ([S, X, X], "contradicts"),
        ([N, N], "neutral"),
        ([], "neutral"),
    ],
)
def test_the_wishes_of_a_preference_have_one_verdict(labels: list[Label], expected: str) -> None:
    assert verdict(labels) == expected

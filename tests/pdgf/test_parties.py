"""How many a party is that is told by its parts, for the columns of a person's own catalogue."""

import pytest

from pdgf.constraints import Verdict, check, constraints_of, schema_of
from pdgf.constraints.columns import Dimension, asks_in
from pdgf.models import Candidate, Node, Polarity


def people(text: str) -> list[float]:
    return [ask.number for ask in asks_in(text) if ask.dimension is Dimension.PEOPLE]


def ages(text: str) -> list[float]:
    return [ask.number for ask in asks_in(text) if ask.dimension is Dimension.AGE]


@pytest.mark.parametrize(
    ("text", "number", "years"),
    [
        ("a game for two adults and a child of seven, with beautiful pieces", 3, [7]),
        ("two adults and a child", 3, []),
        ("2 adults, 2 kids", 4, []),
        ("two adults with three small children", 5, []),
        ("a child of seven and two adults", 3, [7]),
        ("two adults and a six-year-old", 3, [6]),
        ("me and three friends", 4, []),
        ("three friends and me", 4, []),
        ("three friends and I", 4, []),
        ("we're two adults, one teenager and a baby", 4, []),
        ("the two of us", 2, []),
        ("just the two of us", 2, []),
        ("the two of us and a child", 3, []),
        ("for my wife and me", 2, []),
        ("for my wife, our son and me", 3, []),
        ("for me and my two kids", 3, []),
        ("a couple and two children", 4, []),
        ("two adults", 2, []),
        ("两个大人和一个七岁的孩子", 3, [7]),
        ("两大一小", 3, []),
        ("我和三个朋友一起玩", 4, []),
        ("我们俩带一个孩子", 3, []),
        ("夫妻俩和两个小孩", 4, []),
    ],
)
def test_a_party_is_the_sum_of_its_parts(text: str, number: float, years: list[float]) -> None:
    assert people(text) == [number]
    assert ages(text) == years


@pytest.mark.parametrize(
    "text",
    [
        "my brother and I grew up with it",
        "a mother and a daughter who fight",
        "me and my big ideas",
        "I like maps",
        "我和朋友",
    ],
)
def test_persons_of_whom_no_number_is_told_seat_nobody(text: str) -> None:
    assert people(text) == []


def test_a_number_of_something_else_beside_persons_is_not_added() -> None:
    assert people("two adults and 3 hours") == [2]
    assert people("3-5 players and a good map") == [3, 5]


@pytest.mark.parametrize("text", ["two adults and a child of seven", "me, my wife and one child"])
def test_a_party_is_asked_of_the_column_as_a_whole(text: str) -> None:
    rows = [{"players": "2"}, {"players": "2-4"}, {"players": "3-6"}]
    schema = schema_of([Candidate(id=str(n), title=str(n), metadata=dict(row)) for n, row in enumerate(rows)])
    node = Node(id="v", atom="a", perspective="", instantiation=text, polarity=Polarity.WANT)
    [constraint] = constraints_of(node, schema)
    assert [check(constraint, row) for row in rows] == [Verdict.VIOLATED, Verdict.SATISFIED, Verdict.SATISFIED]

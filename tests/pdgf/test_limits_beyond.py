"""What "shorter", "cheaper" or "newer" than an item amounts to."""

import pytest

from pdgf.constraints import check, constraints_of, schema_of
from pdgf.constraints.beyond import limit_beyond
from pdgf.constraints.checks import Verdict
from pdgf.models import Candidate, Node
from pdgf.temporal import violates, year_constraint

FILMS = [
    Candidate(id=str(n), title=f"Film {n}", year=1980 + n, metadata={"length_minutes": 80 + 7 * n}) for n in range(9)
]
PLACES = [Candidate(id=str(n), title=f"Place {n}", metadata={"average_spend": 10 + 4 * n}) for n in range(9)]
GAMES = [
    Candidate(
        id=str(n),
        title=f"Game {n}",
        metadata={"Playing time (min)": 20.0 + 10 * n, "Price (EUR)": 9.99 + 5 * n, "Published": 2000.0 + n},
    )
    for n in range(9)
]


@pytest.mark.parametrize(
    ("items", "comparison", "expected"),
    [
        (FILMS, "Much shorter", "shorter than 115 minutes"),
        (FILMS, "something shorter", "shorter than 115 minutes"),
        (FILMS, "短一点", "shorter than 115 minutes"),
        (FILMS, "longer", "longer than 115 minutes"),
        (FILMS, "a bit longer", "longer than 115 minutes"),
        (FILMS, "newer", "after 1985"),
        (FILMS, "older", "before 1985"),
        (FILMS, "更新", "1986年以后"),
        (PLACES, "less expensive", "under $30"),
        (PLACES, "便宜一点", "under $30"),
        (GAMES, "cheaper", "under €34.99"),
        (GAMES, "quicker", "shorter than 70 minutes"),
        (GAMES, "newer", "published after 2005"),
    ],
)
def test_a_comparison_with_an_item_is_a_limit_that_the_item_just_fails(
    items: list[Candidate], comparison: str, expected: str
) -> None:
    assert limit_beyond(comparison, items[5], schema_of(items)) == expected


@pytest.mark.parametrize(
    ("items", "comparison", "keeps"), [(FILMS, "shorter", 5), (GAMES, "longer", 3), (PLACES, "cheaper", 5)]
)
def test_such_a_limit_is_read_back_and_keeps_only_what_is_better(
    items: list[Candidate], comparison: str, keeps: int
) -> None:
    schema = schema_of(items)
    words = limit_beyond(comparison, items[5], schema)
    assert words is not None
    wish = Node(id="w", atom="a", perspective="length", instantiation=words)
    (constraint,) = constraints_of(wish, schema)
    kept = [item for item in items if check(constraint, item.metadata) is Verdict.SATISFIED]
    assert len(kept) == keeps
    assert items[5] not in kept


@pytest.mark.parametrize(("comparison", "keeps"), [("newer", 3), ("更新", 3), ("older", 5), ("更老", 5)])
def test_a_limit_in_years_is_read_by_the_year_rule_and_leaves_the_item_itself_out(comparison: str, keeps: int) -> None:
    words = limit_beyond(comparison, FILMS[5], schema_of(FILMS))
    assert words is not None
    rule = year_constraint(words, mode="explicit", current_year=2026)
    assert rule is not None
    kept = [film for film in FILMS if not violates(rule, film.year)]
    assert len(kept) == keeps
    assert FILMS[5] not in kept


@pytest.mark.parametrize("comparison", ["shorter", "less expensive", "sillier", "long", "cheap", "old", "not for me"])
def test_what_no_number_of_the_item_tells_makes_no_limit(comparison: str) -> None:
    item = Candidate(id="x", title="X", metadata={"genres": ["drama"]})
    assert limit_beyond(comparison, item, schema_of([*FILMS[:0], item])) is None
    if comparison not in ("shorter", "less expensive", "sillier"):
        assert limit_beyond(comparison, FILMS[5], schema_of(FILMS)) is None

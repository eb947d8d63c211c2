"""What a reference to an item of the catalogue stands for: the values that it shares with others."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.models import Candidate
from pdgf.traits import Traits, shared_values

ITEMS = (
    Candidate(
        id="a",
        title="Lantern Hill",
        year=1984,
        metadata={"genres": ["drama", "Mystery"], "themes": ["memory", "lighthouse"], "country": ["Iceland"]},
    ),
    Candidate(id="b", title="Salt", year=1990, metadata={"genres": ["Drama"], "themes": ["memory"], "length": 90}),
    Candidate(id="c", title="Salt", year=2001, metadata={"genres": ["mystery"], "country": ["Iceland"]}),
    Candidate(id="d", title="Fog", year=None, metadata={"other_titles": ["Tåke"], "genres": ["comedy"]}),
)


def test_traits_are_listed_values_that_another_item_has_too_but_no_country() -> None:
    assert shared_values(ITEMS) == [("drama", "Mystery", "memory"), ("Drama", "memory"), ("mystery",), ()]


def test_items_are_alike_by_the_traits_they_share_each_by_its_rarity() -> None:
    once = math.log(4 / 2)
    assert Traits.of(ITEMS).alike(0).tolist() == pytest.approx([3 * once, 2 * once, once, 0.0])


@pytest.mark.parametrize(
    ("title", "year", "place"),
    [
        ("Lantern Hill", None, 0),
        ("the lantern hill", 1984, 0),
        ("Lantern Hill", 1985, None),
        ("Salt", None, None),
        ("Salt", 2001, 2),
        ("Tåke", None, 3),
        ("Fog", 1999, 3),
        ("Nothing", None, None),
    ],
)
def test_an_item_is_found_by_its_names_and_year_if_only_one_fits(
    title: str, year: int | None, place: int | None
) -> None:
    assert Traits.of(ITEMS).find(title, year) == place


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=4), min_size=1, max_size=8))
def test_likeness_is_mutual(values: list[list[str]]) -> None:
    items = [
        Candidate(id=str(i), title=str(i), year=None, metadata={"themes": found}) for i, found in enumerate(values)
    ]
    traits = Traits.of(items)
    table = [traits.alike(place).tolist() for place in range(len(items))]
    assert all(table[i][j] == pytest.approx(table[j][i]) for i in range(len(items)) for j in range(len(items)))

"""Who is the same item, and who is excluded (METHOD 6.3, 6.4; known faults C22 to C26)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.identity import Exclusion, dated_years, exclusion_of, exclusions_of, group_identities, is_excluded, name_key

SAME = [
    ("The Matrix", "Matrix, The"),
    ("Fast & Furious", "Fast and Furious"),
    ("Dune (1984)", "DUNE"),
    ("Dune (2021 film)", "Dune"),
    ("Spider-Man", "Spiderman"),
    ("WALL·E", "Wall-E"),
    ("Ocean’s Eleven", "Ocean's Eleven"),
    ("《让子弹飞》", "让子弹飞"),
    ("ＡＫＩＲＡ", "Akira"),
    ("SPY×FAMILY", "Spy x Family"),
    ("Straße der Wölfe", "Strasse der Wolfe"),
    ("  Paris,   Texas ", "Paris Texas"),
    # C24
    ("Amélie", "Amelie"),
    ("Doğu", "Dogu"),
    ("Kırmızı", "Kirmizi"),
    ("İstanbul", "istanbul"),
    ("Se\u0301ance", "Séance"),
    ("Łódź Story", "Lodz Story"),
    ("Гуляй, Вася", "гуляй вася"),
    # C25
    ("Superman II", "Superman 2"),
    ("Part Two", "Part 2"),
    ("Dune: Part Two", "Dune Part II"),
    ("Rocky IV", "Rocky 4"),
    ("Alien³", "Alien 3"),
    ("Final Fantasy Ⅶ", "Final Fantasy 7"),
    ("الفيل الأزرق ٢", "الفيل الأزرق 2"),
    ("धूम ३", "धूम 3"),
    # C22
    ("8½", "8 1/2"),
    ("Blade Runner 2049 (2017)", "Blade Runner 2049"),
    ("2012 (2009)", "2012"),
    ("1984 (1984)", "1984"),
]
DIFFERENT = [
    ("Гуляй, Вася", "Гуляи, Вася"),
    ("Їжак Сонік", "Іжак Сонік"),
    ("が", "か"),
    ("हिंदी", "हद"),
    ("Kill Bill: Vol. 1", "Kill Bill: Vol. 2"),
    ("Rocky II", "Rocky III"),
    ("Alien", "Aliens"),
    ("Blade Runner", "Blade Runner 2049"),
    ("8½", "812"),
    ("1917", "1971"),
    ("Die Hard", "Hard"),  # only English articles are dropped
    ("A.I.", "I"),
    ("Nine", "9"),  # two films of 2009
    ("X", "10"),
    ("$", "€"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_title_share_their_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_titles_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("title", ["Blade Runner 2049", "2012", "1984", "2001: A Space Odyssey", "300", "1917"])
def test_a_number_stays_in_the_title(title: str) -> None:
    """C22."""
    digits = "".join(character for character in title if character.isdigit())
    assert digits in name_key(title)


@given(st.text(max_size=40))
def test_every_title_that_shows_something_has_a_key_and_case_never_matters(title: str) -> None:
    assert bool(name_key(title)) == bool(title.split()) or not any(c.isalnum() for c in title)
    assert name_key(title) == name_key(title.casefold()) == name_key(f"  {title}\n")


def test_same_name_and_year_is_one_item_and_another_year_another() -> None:
    """C23."""
    records = [("Parasite", 1982), ("Parasite", 2019), ("The Thing", 1951), ("Thing", 1982), ("The Thing", 2011)]
    assert group_identities(records) == [0, 1, 2, 3, 4]
    assert group_identities([("Rocky IV", 1985), ("Rocky 4", 1985), ("Rocky 4", 1986)]) == [0, 0, 1]


def test_an_undated_record_joins_the_only_dated_item_and_stays_alone_beside_several() -> None:
    """C26: Suspiria without a year, of 1977 and of 2018."""
    assert group_identities([("Suspiria", None), ("Suspiria", 1977)]) == [0, 0]
    assert group_identities([("Suspiria", None), ("Suspiria", 1977), ("Suspiria", 2018), ("SUSPIRIA", None)]) == [
        0, 1, 2, 0,
    ]  # fmt: skip
    assert group_identities([("Suspiria", None), ("Suspiria", None)]) == [0, 0]
    assert group_identities([]) == []


@given(
    st.lists(st.tuples(st.sampled_from(["Dune", "dune", "Alien", "Alien 3"]), st.sampled_from([None, 1984, 2021]))),
    st.randoms(use_true_random=False),
)
def test_who_is_the_same_item_does_not_depend_on_the_order_of_records(
    records: list[tuple[str, int | None]], rng: random.Random
) -> None:
    def partition(found: list[tuple[str, int | None]]) -> set[frozenset[tuple[str, int | None]]]:
        items = group_identities(found)
        return {frozenset(r for r, i in zip(found, items, strict=True) if i == item) for item in items}

    assert partition(records) == partition(rng.sample(records, len(records)))


def test_a_reference_with_a_year_excludes_that_year_and_the_undated_item() -> None:
    """T20: of Dune 2021, Dune 1984 and an undated Dune beside two dated ones, only the remake stays."""
    reference = [Exclusion(title="Dune (1984)", year=1984, why="reference")]
    pool = [("Dune", 2021), ("Dune", 1984), ("Dune", None)]
    years = dated_years(pool)["dune"]
    assert years == {1984, 2021}
    assert [is_excluded(*record, reference, dated_years_of_key=years) for record in pool] == [False, True, True]
    assert [found is not None for found in exclusions_of(pool, reference)] == [False, True, True]


def test_an_undated_item_is_the_only_dated_one_of_its_name() -> None:
    reference = [Exclusion(title="Dune", year=1984, why="reference")]
    assert not is_excluded("Dune", None, reference, dated_years_of_key={2021})
    assert is_excluded("Dune", None, reference, dated_years_of_key={1984})
    assert is_excluded("Dune", None, reference)
    assert exclusions_of([("Dune", None), ("Dune", 2021)], reference) == [None, None]


def test_an_exclusion_without_a_year_takes_every_year_and_other_names_stay() -> None:
    seen = [Exclusion(title="Rocky 4", why="seen")]
    assert is_excluded("Rocky IV", 1985, seen)
    assert not is_excluded("Rocky V", 1990, seen)
    assert not is_excluded("", None, [Exclusion(title=" ", why="seen")])


def test_the_first_matching_exclusion_gives_the_reason() -> None:
    exclusions = [
        Exclusion(title="Alien", why="seen"),
        Exclusion(title="Dune", year=2021, why="rejected"),
        Exclusion(title="Dune", why="shown"),
    ]
    pool: list[tuple[str, int | None]] = [("Dune", 2021), ("Dune", 1984), ("Up", 2009)]
    assert [found and found.why for found in exclusions_of(pool, exclusions)] == ["rejected", "shown", None]
    found = exclusion_of("Dune", 2021, exclusions)
    assert found is not None
    assert found.why == "rejected"

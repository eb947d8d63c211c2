"""The columns of a person's own catalogue: what values amount to, what wishes in numbers ask, and how they meet."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.constraints import MetadataSchema, Requirement, Verdict, check, constraints_of, schema_of
from pdgf.constraints.column_wishes import of_column
from pdgf.constraints.columns import Bound, Dimension, Side, asks_in, column_of, heading_of, quantity_of
from pdgf.constraints.metadata import KeyKind, names_of_truth
from pdgf.models import Candidate, Metadata, MetadataValue, Node, Polarity
from tests.catalogues import bundled_items

INF = math.inf


def amount(header: str, value: MetadataValue) -> tuple[str, float, float, str] | None:
    found = quantity_of(value, heading_of(header))
    return (found.dimension.value, found.low, found.high, found.unit) if found else None


@pytest.mark.parametrize(
    ("header", "value", "expected"),
    [
        ("Players", "2-4", ("people", 2, 4, "")),
        ("Players", "2–4", ("people", 2, 4, "")),
        ("Players", "1 to 5", ("people", 1, 5, "")),
        ("Players", 3, ("people", 3, 3, "")),
        ("Players", "2+ players", ("people", 2, INF, "")),
        ("人数", "2至5人", ("people", 2, 5, "")),
        ("Sleeps", 4, ("people", 1, 4, "")),
        ("Max players", 6, ("people", -INF, 6, "")),
        ("Min. players", 2, ("people", 2, INF, "")),
        ("Playing time", "45 min", ("time", 45, 45, "")),
        ("Playing time", "1 h 30", ("time", 90, 90, "")),
        ("Playing time", "1h30", ("time", 90, 90, "")),
        ("Duration", "1 hour and 15 minutes", ("time", 75, 75, "")),
        ("Playing time (min)", 45, ("time", 45, 45, "")),
        ("时长", "一个半小时", ("time", 90, 90, "")),
        ("时长", "1小时30分钟", ("time", 90, 90, "")),
        ("Duration", "6 weeks", ("calendar", 42, 42, "")),
        ("Age", "ages 10 and up", ("age", 10, INF, "")),
        ("Age", "8+", ("age", 8, INF, "")),
        ("Age", "8-12", ("age", 8, 12, "")),
        ("年龄", "8岁以上", ("age", 8, INF, "")),
        ("Price", "€12.50", ("money", 12.5, 12.5, "EUR")),
        ("Price", "12,50 €", ("money", 12.5, 12.5, "EUR")),
        ("Price", "1,299 USD", ("money", 1299, 1299, "USD")),
        ("Price", "$120 per night", ("money", 120, 120, "USD")),
        ("Price", "$20-40", ("money", 20, 40, "USD")),
        ("Price", "free", ("money", 0, 0, "")),
        ("价格", "199元", ("money", 199, 199, "CNY")),
        ("Distance", "12 km", ("distance", 12_000, 12_000, "")),
        ("Distance", "5 miles", ("distance", 5 * 1609.344, 5 * 1609.344, "")),
        ("ABV", "13.5%", ("percent", 13.5, 13.5, "")),
        ("Rating", "4.5/5", ("rating", 4.5, 4.5, "/5")),
        ("Stars", "★★★★", ("rating", 4, 4, "star")),
        ("Lessons", "12 lessons", ("count", 12, 12, "lesson")),
    ],
)
def test_a_value_is_read_by_its_units_or_else_by_those_of_its_header(
    header: str, value: MetadataValue, expected: tuple[str, float, float, str]
) -> None:
    assert amount(header, value) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Theme", "trains"),
        ("Opening hours", "12:00-22:00"),
        ("Date", "2019-05-01"),
        ("Year", "2019年"),
        ("Players", "many"),
        ("Players", True),
    ],
)
def test_what_is_no_quantity_is_read_as_none(header: str, value: MetadataValue) -> None:
    assert amount(header, value) is None


def test_a_number_without_a_unit_is_compared_with_nothing_where_units_differ() -> None:
    column = column_of("Playing time", [45, 60, 90])
    assert column is not None
    assert not column.comparable
    assert constraints_of(wish("under an hour"), schema({"playing time": 45}, {"playing time": 90})) == ()


@given(st.integers(1, 600), st.integers(0, 600))
def test_a_range_is_read_as_its_two_ends_whatever_dash_stands_between(low: int, further: int) -> None:
    for dash in "-–—~":
        assert amount("Duration", f"{low}{dash}{low + further} min") == ("time", low, low + further, "")


@given(st.integers(0, 20), st.integers(1, 59))
def test_hours_and_minutes_are_their_sum_in_minutes(hours: int, minutes: int) -> None:
    assert amount("Duration", f"{hours} h {minutes:02d}") == ("time", 60 * hours + minutes, 60 * hours + minutes, "")


def test_a_header_names_unit_side_and_part() -> None:
    assert heading_of("Price (EUR)").unit == "eur"
    assert heading_of("Max players").side is Side.HIGH
    assert heading_of("Prep time").part
    assert heading_of("价格（元）").dimension is Dimension.MONEY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("under an hour", [("time", "less", 60, "")]),
        ("for two", [("people", "covers", 2, "")]),
        ("for two hours", []),
        ("3-5 players", [("people", "covers", 3, ""), ("people", "covers", 5, "")]),
        ("up to 6 people", [("people", "covers", 6, "")]),
        ("at most 12 students", [("people", "at_most", 12, "")]),
        ("solo", [("people", "covers", 1, "")]),
        ("between €20 and €40", [("money", "at_least", 20, "EUR"), ("money", "at_most", 40, "EUR")]),
        ("not longer than 90 minutes", [("time", "at_most", 90, "")]),
        ("for my six-year-old", [("age", "covers", 6, "")]),
        ("less than 6 weeks", [("calendar", "less", 42, "")]),
        ("shorter than 10 km", [("distance", "less", 10_000, "")]),
        ("at least 4 stars", [("rating", "at_least", 4, "star")]),
        ("under 13% alcohol", [("percent", "less", 13, "")]),
        ("a 90-minute game", []),
        ("一小时以内", [("time", "at_most", 60, "")]),
        ("不超过200元", [("money", "at_most", 200, "CNY")]),
        ("适合三个人", [("people", "covers", 3, "")]),
        ("2-4人", [("people", "covers", 2, ""), ("people", "covers", 4, "")]),
        ("六岁的孩子", [("age", "covers", 6, "")]),
        ("免费的课", [("money", "at_most", 0, "")]),
    ],
)
def test_the_numbers_of_a_wish_are_read_with_their_comparison(
    text: str, expected: list[tuple[str, str, float, str]]
) -> None:
    found = [(ask.dimension and ask.dimension.value, ask.bound.value, ask.number, ask.unit) for ask in asks_in(text)]
    assert found == expected


def test_a_number_that_only_a_header_explains_keeps_the_words_beside_it() -> None:
    [ask] = asks_in("weight under 2.5")
    assert (ask.dimension, ask.bound, ask.number, ask.hint[0]) == (None, Bound.LESS, 2.5, "weight")
    assert "weight under 2.5"[slice(*ask.span)] == "weight under 2.5"


def schema(*rows: Metadata) -> MetadataSchema:
    return schema_of([Candidate(id=str(n), title=str(n), metadata=dict(row)) for n, row in enumerate(rows)])


def wish(text: str, *, avoid: bool = False) -> Node:
    polarity = Polarity.AVOID if avoid else Polarity.WANT
    return Node(id="v", atom="a", perspective="", instantiation=text, polarity=polarity)


GAMES: tuple[Metadata, ...] = (  # invented
    {"players": "2-4", "playing time": "45 min", "theme": "trains", "mechanism": ["deck building"], "weight": 2.3},
    {"players": "3-5", "playing time": "90 min", "theme": "pirates", "mechanism": ["auction"], "weight": 1.4},
    {"players": "1+", "playing time": "30-90 min", "theme": "space", "mechanism": ["auction"], "weight": 3.1},
)


def verdicts(text: str, rows: tuple[Metadata, ...] = GAMES, *, avoid: bool = False) -> list[list[Verdict]]:
    constraints = constraints_of(wish(text, avoid=avoid), schema(*rows))
    return [[check(constraint, row) for constraint in constraints] for row in rows]


YES, NO, PARTLY, OPEN = Verdict.SATISFIED, Verdict.VIOLATED, Verdict.PARTLY, Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for two", [YES, NO, YES]),
        ("under an hour", [YES, NO, PARTLY]),
        ("at least 40 minutes", [YES, YES, PARTLY]),
        ("weight under 2.5", [YES, YES, NO]),
        ("deck building", [YES, OPEN, OPEN]),
    ],
)
def test_a_wish_is_checked_against_the_column_that_can_decide_it(text: str, expected: list[Verdict]) -> None:
    assert verdicts(text) == [[verdict] for verdict in expected]


def test_who_states_nothing_is_not_known_to_fail() -> None:
    [constraint] = constraints_of(wish("for two"), schema(*GAMES))
    assert check(constraint, {"theme": "trains"}) is OPEN
    assert check(constraint, {"players": "ask us"}) is OPEN


def test_other_currencies_are_never_compared_and_an_unnamed_one_is_the_columns_own() -> None:
    rows = ({"price": "€12"}, {"price": "€30"})
    assert verdicts("under €20", rows) == [[YES], [NO]]
    assert verdicts("under $20", rows) == [[OPEN], [OPEN]]
    assert verdicts("under 20", rows) == [[YES], [NO]]


def test_of_two_columns_of_one_kind_the_one_is_meant_whose_name_or_size_is_said() -> None:
    rows = ({"distance": "8 km", "ascent": "900 m"}, {"distance": "12 km", "ascent": "300 m"})
    assert verdicts("less than 400 m of ascent", rows) == [[NO], [YES]]
    assert verdicts("under 10 km", rows) == [[YES], [NO]]
    apart = ({"outward": "2 h", "return": "3 h"}, {"outward": "1 h", "return": "1 h"})
    assert verdicts("under two hours", apart) == [[], []]


def test_a_lowest_and_a_highest_number_are_the_ends_of_one_range() -> None:
    rows = ({"min players": 2, "max players": 4}, {"min players": 3, "max players": 6})
    assert verdicts("for two", rows) == [[YES, YES], [NO, YES]]
    assert verdicts("for five people", rows) == [[YES, NO], [YES, YES]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("easy", [YES, NO, NO]),
        ("moderate", [NO, YES, NO]),
        ("challenging", [NO, NO, YES]),
        ("简单", [YES, NO, NO]),
    ],
)
def test_levels_are_met_by_their_own_and_other_words(text: str, expected: list[Verdict]) -> None:
    rows = ({"difficulty": "easy"}, {"difficulty": "moderate"}, {"difficulty": "hard"})
    assert verdicts(text, rows) == [[verdict] for verdict in expected]


def test_not_too_hard_leaves_out_the_hardest_alone() -> None:
    rows = ({"难度": "简单"}, {"难度": "中等"}, {"难度": "困难"})
    node = Node(id="v", atom="a", perspective="", instantiation="hard", polarity=Polarity.AVOID, strength="not too")
    [constraint] = constraints_of(node, schema(*rows))
    assert [check(constraint, row) for row in rows] == [YES, YES, NO]


def test_a_yes_in_any_writing_is_a_yes() -> None:
    rows = ({"pool": "yes", "提供证书": "是"}, {"pool": "n", "提供证书": "否"})
    assert {key.key: key.kind for key in schema(*rows).keys} == {"pool": KeyKind.BOOLEAN, "提供证书": KeyKind.BOOLEAN}
    assert verdicts("pool", rows) == [[YES], [NO]]
    assert verdicts("提供证书", rows) == [[YES], [NO]]


def test_what_is_said_of_the_story_asks_nothing_of_a_column() -> None:
    assert verdicts("a story that takes place in under an hour") == [[], [], []]


def test_a_bound_of_a_wish_to_avoid_is_turned_round() -> None:
    [constraint] = constraints_of(wish("over an hour", avoid=True), schema(*GAMES))
    assert (constraint.requirement, constraint.number) == (Requirement.AT_MOST, 60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 to 10 km", [("at_least", 5_000), ("at_most", 10_000)]),
        ("I only have two hours", [("at_most", 120)]),
        ("sleeps 4", [("covers", 4)]),
        ("a family of five", [("covers", 5)]),
        ("free", [("at_most", 0)]),
        ("1 h 30 or less", [("at_most", 90)]),
        ("四星酒店", [("covers", 4)]),
        ("600以内", [("at_most", 600)]),
    ],
)
def test_what_bounds_a_wish_without_saying_under_or_at_most_is_read_too(
    text: str, expected: list[tuple[str, float]]
) -> None:
    assert [(ask.bound.value, ask.number) for ask in asks_in(text)] == expected


def test_the_word_that_tells_two_columns_apart_belongs_to_the_wish() -> None:
    text = "a walk with more than 1000 metres of ascent"
    [ask] = asks_in(text)
    assert text[slice(*ask.span)] == "more than 1000 metres of ascent"


def test_stars_are_no_rating_out_of_ten() -> None:
    rows: tuple[Metadata, ...] = (
        {"stars": 3, "guest rating": "9.1/10"},
        {"stars": 5, "guest rating": "6.5/10"},
    )
    assert verdicts("five-star", rows) == [[NO], [YES]]
    assert verdicts("guest rating above 9", rows) == [[YES], [NO]]


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("has pool", ("pool",)),
        ("dogs allowed", ("dogs allowed", "dogs", "dog")),
        ("breakfast included", ("breakfast included", "breakfast")),
        ("提供证书", ("提供证书", "证书")),
    ],
)
def test_a_yes_or_no_column_is_asked_for_by_what_it_is_about(key: str, names: tuple[str, ...]) -> None:
    assert names_of_truth(key) == names


@pytest.mark.parametrize("name", ["movies", "books", "anime", "restaurants"])
def test_the_bundled_catalogues_have_no_column_that_is_read_by_its_header(name: str) -> None:
    items = bundled_items(name)
    found = schema(*(item.metadata for item in items))
    assert [key.key for key in found.keys if of_column(key) is not None] == []
    assert [key.key for key in found.keys if key.kind is KeyKind.MEASURE] == []


def test_a_number_that_stands_for_a_level_of_prices_is_no_amount_of_money() -> None:
    rows: tuple[Metadata, ...] = ({"price range": 1}, {"price range": 3})
    assert verdicts("under $20", rows) == [[], []]
    assert verdicts("cheap", rows) == [[YES], [NO]]


def test_an_hour_of_the_day_and_a_flag_are_no_numbers_to_compare() -> None:
    rows: tuple[Metadata, ...] = ({"is open": 1, "reviews": 40}, {"is open": 0, "reviews": 7})
    assert verdicts("open from 8 on Monday", rows) == [[], []]
    assert verdicts("open at least 8", rows) == [[], []]
    assert verdicts("at least 20 reviews", rows) == [[YES], [NO]]

"""Limits in words."""

import pytest

from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import amounts, prices


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("under two hours", [("less", 2 * 60, "minute")]),
        ("less than 120 minutes", [("less", 120, "minute")]),
        ("under 2h", [("less", 120, "minute")]),
        ("under 2.5 hours", [("less", 2.5 * 60, "minute")]),
        ("two and a half hours or less", [("at_most", 2.5 * 60, "minute")]),
        ("no longer than an hour and a half", [("at_most", 1.5 * 60, "minute")]),
        ("1 hour 30 minutes or less", [("at_most", 60 + 30, "minute")]),
        ("less than half an hour", [("less", 30, "minute")]),
        ("nothing over three hours", [("at_most", 3 * 60, "minute")]),
        ("twenty-five minutes max", [("at_most", 25, "minute")]),
        ("over 3 hours", [("more", 180, "minute")]),
        ("under $20", [("less", 20, "dollar")]),
        ("$20 max", [("at_most", 20, "dollar")]),
        ("20 bucks tops", [("at_most", 20, "dollar")]),
        ("under 15 a head", [("less", 15, "dollar")]),
        ("under £20", [("less", 20, "money")]),
        ("between 20 and 30 dollars", [("at_least", 20, "dollar"), ("at_most", 30, "dollar")]),
        ("$20-$30", [("at_least", 20, "dollar"), ("at_most", 30, "dollar")]),
        ("from one to two hours", [("at_least", 60, "minute"), ("at_most", 120, "minute")]),
        ("1,000-2,000 pages", []),
        ("at most 12 episodes", [("at_most", 12, "episode")]),
        ("less than 1,000 pages", [("less", 1000, "page")]),
        ("at least 4 players", [("at_least", 4, "player")]),
        ("around two hours", [("at_least", 120 * 0.8, "minute"), ("at_most", 120 * 1.2, "minute")]),
        ("about 100 pages", [("at_least", 80, "page"), ("at_most", 120, "page")]),
        ("roughly $50", [("at_least", 40, "dollar"), ("at_most", 60, "dollar")]),
        ("about two friends", []),
        ("around midnight", []),
        ("12 episodes or fewer", [("at_most", 12, "episode")]),
        ("no more than 2 seasons", [("at_most", 2, "season")]),
        ("a 90-minute film", []),
        ("hates anything under 90 minutes", [("at_least", 90, "minute")]),
        ("he falls asleep in anything over two hours", [("at_most", 120, "minute")]),
        ("I won't sit through 3 hours", [("less", 180, "minute")]),
        ("we can't sit through a 3 hour film", [("less", 180, "minute")]),
        ("I don't want to watch another twelve episodes", [("less", 12, "episode")]),
        ("I can't watch two people fight", []),
        ("we can't sit through films that are longer than 3 hours", [("at_most", 180, "minute")]),
        ("I loved films under 90 minutes", [("less", 90, "minute")]),
        ("shorter than 100 minutes, but longer than 90", [("less", 100, "minute"), ("more", 90, "minute")]),
        ("under two hours and over 1", [("less", 120, "minute"), ("more", 60, "minute")]),
        ("under two hours and over 40 friends", [("less", 120, "minute"), ("more", 40, "friend")]),
        ("two hours", []),
        ("at most ten minutes of fighting", []),  # of the item, and not how long it is
        ("under 90 minutes of pure fun", [("less", 90, "minute")]),
        ("at most 25 minutes of screen time", [("at_most", 25, "minute")]),
        ("before 1990", []),
        ("", []),
    ],
)
def test_a_comparison_with_a_number_and_a_unit_is_a_limit(text: str, limits: list[tuple[str, float, str]]) -> None:
    assert [(a.comparison.value, a.number, a.unit) for a in amounts(text)] == limits


def test_a_limit_knows_its_characters() -> None:
    text = "something warm, under two hours, please"
    [amount] = amounts(text)
    assert text[slice(*amount.span)] == "under two hours"


@pytest.mark.parametrize(
    ("text", "ages"),
    [
        ("for my six-year-old", [6]),
        ("for a ten year old and a 7 year old", [10, 7]),
        ("kids aged 5", [5]),
        ("rated 12 or below", [12]),
        ("rated PG-13", [13]),
        ("a certificate 15 or lower", [15]),
        ("suitable for a ten-year-old", [10]),
        ("my daughter, who is seven", [7]),
        ("our son (9)", [9]),
        ("a film for my son, he's 12", [12]),
        ("for my daughter. She is 7.", [7]),
        ("for our twins, and they’re nine now, so nothing scary", [9]),
        ("something for the kids – they are 6 and 9", [6]),
        ("he's 12", [12]),
        ("we watch with our little girl, she's 4", [4]),
        ("a film about a wizard, he is 12", []),
        ("a film about the boy, he is 12", []),
        ("a mother and her son, he is 12", []),
        ("for my son: the hero is alone, he is 50", []),
        ("for my daughter, they are nine strangers on a train", []),
        ("for my son, he is 2 metres tall", []),
        ("a girl is 90 minutes late", []),
        ("rated 18 or below", []),
        ("rated five stars by critics", [5]),
        ("a 100-year-old house", []),
        ("an old year", []),
    ],
)
def test_the_ages_of_children_are_read(text: str, ages: list[int]) -> None:
    assert [age for age, _ in child_ages(text)] == ages


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("under 30", [("less", 30, "dollar")]),
        ("between 30 and 60", [("at_least", 30, "dollar"), ("at_most", 60, "dollar")]),
        ("30-60", [("at_least", 30, "dollar"), ("at_most", 60, "dollar")]),
        ("no more than 25, please", [("at_most", 25, "dollar")]),
        ("under $20", [("less", 20, "dollar")]),
        ("under 20 each", [("less", 20, "dollar")]),
        ("I don't want to spend more than 40", [("at_most", 40, "dollar")]),
        ("it should not cost over 25", [("at_most", 25, "dollar")]),
        ("under two hours", [("less", 120, "minute")]),
        ("kids under 12", []),
        ("a party of up to 8", []),
        ("between 1990 and 2000", []),
        ("under 30 minutes", [("less", 30, "minute")]),
    ],
)
def test_where_prices_are_talked_of_a_bare_limit_is_one(text: str, limits: list[tuple[str, float, str]]) -> None:
    assert [(a.comparison, a.number, a.unit) for a in prices(text)] == limits


@pytest.mark.parametrize("text", ["dry wine, under 30", "between 30 and 60 or so", "25-40 a head", "30 or less"])
def test_the_characters_of_a_bare_price_are_those_of_the_text(text: str) -> None:
    for amount in prices(text):
        said = text[slice(*amount.span)]
        assert said == said.strip()
        assert f"{amount.number:g}" in said


@pytest.mark.parametrize("text", ["under 30", "between 30 and 60"])
def test_a_number_without_a_unit_is_no_limit_elsewhere(text: str) -> None:
    assert amounts(text) == ()

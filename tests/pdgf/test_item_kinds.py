"""Forms, makers and nationalities against metadata, and the ages of children (METHOD 4.2, 7.5)."""

import pytest

from pdgf.constraints import Verdict, check, constraints_of, schema_of
from pdgf.constraints.ages import child_ages
from pdgf.constraints.formats import form_of, has_form, says_form
from pdgf.constraints.makers import named, parts_of
from pdgf.constraints.nations import COUNTRIES, countries_of, said_of
from pdgf.models import Candidate, Metadata, Node, Polarity, node_id

FACTS: tuple[Metadata, ...] = (
    {"format": "film", "studio": "Studio Brook", "director": "Ada B. North", "country": ["United Kingdom"]},
    {"format": "TV series", "studio": "Hill", "director": "Bo Lindqvist", "cast": ["Ada B. North"]},
    {"format": "stop-motion animation", "director": "Cy Del Mar", "country": ["Japan"], "language": ["French"]},
)
POOL = [Candidate(id=str(i), title=f"Item {i}", metadata=facts) for i, facts in enumerate(FACTS)]
SCHEMA = schema_of(POOL)


def verdicts(words: str, perspective: str, *, avoid: bool = False) -> list[Verdict]:
    polarity = Polarity.AVOID if avoid else Polarity.WANT
    wish = Node(
        id=node_id(words, perspective, words, polarity),
        atom="a1",
        perspective=perspective,
        instantiation=words,
        polarity=polarity,
        hard=True,
    )
    tests = constraints_of(wish, SCHEMA)
    assert tests, words
    worst = []
    for item in POOL:
        found = {check(test, item.metadata) for test in tests}
        worst.append(next(v for v in (Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.SATISFIED) if v in found))
    return worst


YES, NO, OPEN = Verdict.SATISFIED, Verdict.VIOLATED, Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("words", "avoid", "expected"),
    [
        ("film", False, [YES, NO, NO]),
        ("movies", False, [YES, NO, NO]),
        ("series", False, [NO, YES, NO]),
        ("TV show", False, [NO, YES, NO]),
        ("series", True, [YES, NO, YES]),
        ("animated film", False, [NO, NO, YES]),
        ("animation", True, [YES, YES, NO]),
        ("film or series", False, [YES, YES, NO]),
    ],
)
def test_a_form_is_met_by_the_values_that_it_heads(words: str, avoid: bool, expected: list[Verdict]) -> None:
    assert verdicts(words, "format", avoid=avoid) == expected


def test_a_novella_is_a_novel_and_a_graphic_novel_is_one_but_short_stories_are_none() -> None:
    held = [value for value in ("novel", "novella", "graphic novel", "short stories") if has_form("novel", value)]
    assert held == ["novel", "novella", "graphic novel"]


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("a documentary", "documentary"),
        ("documentaries", "documentary"),
        ("an animated film", "animation"),
        ("short stories", "short stories"),
        ("nonfiction", "non fiction"),
        ("non-fiction book", "non fiction"),
        ("live action", "live action"),
        ("graphic novels", "graphic novel"),
    ],
)
def test_the_form_is_read_from_the_words_for_it(words: str, form: str) -> None:
    assert form_of(words) == form


def test_words_that_name_no_form_say_nothing_of_one() -> None:
    assert says_form("sad", "film") is None
    assert says_form("film", "TV series") is False


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("an animated film", {"film": True, "TV series": False, "OVA": False, "animation": True, "live action": False}),
        ("animation", {"film": None, "TV series": None, "animation": True, "stop-motion animation": True}),
    ],
)
def test_an_animated_film_is_a_film_where_everything_is_animated(words: str, said: dict[str, bool | None]) -> None:
    assert {value: says_form(words, value) for value in said} == said


@pytest.mark.parametrize(
    ("words", "avoid", "expected"),
    [
        ("Brook", False, [YES, NO, OPEN]),
        ("Brook", True, [NO, YES, OPEN]),
        ("Lindqvist", False, [NO, YES, NO]),
        ("Lindqvist", True, [YES, NO, YES]),
        ("Del Mar", True, [YES, YES, NO]),
        ("North", True, [NO, NO, OPEN]),  # under whatever key she is named
        ("Lindqvist or Del Mar", False, [NO, YES, YES]),
    ],
)
def test_a_maker_is_known_by_any_part_of_the_name(words: str, avoid: bool, expected: list[Verdict]) -> None:
    assert verdicts(words, "creator", avoid=avoid) == expected


def test_a_part_stands_in_a_name_by_whole_words_and_not_by_what_many_names_share() -> None:
    assert named(("lee",), "Ang Lee")
    assert not named(("lee",), "Christopher Leeson")
    assert not named(("studio",), "Studio Brook")


def test_people_are_called_by_the_ends_of_their_names_and_firms_by_any_word_of_their_own() -> None:
    assert set(parts_of("Ursula K. Le Guin")) == {("k", "le", "guin"), ("le", "guin"), ("guin",)}
    assert set(parts_of("Studio Brook")) == {("brook",)}


@pytest.mark.parametrize(
    ("words", "expected"),
    [("British", [YES, OPEN, NO]), ("Japan or British", [YES, OPEN, YES]), ("UK", [YES, OPEN, NO])],
)
def test_a_nationality_is_checked_as_its_country(words: str, expected: list[Verdict]) -> None:
    assert verdicts(words, "country") == expected


def test_a_nationality_of_a_language_is_the_language_where_that_is_meant() -> None:
    assert verdicts("French", "language") == [OPEN, OPEN, YES]


def test_every_country_is_said_by_the_words_that_stand_for_it() -> None:
    for nationality, countries in COUNTRIES.items():
        assert countries_of(nationality.title()) == countries
        assert all(nationality in said_of(country) for country in countries)


@pytest.mark.parametrize(
    ("text", "youngest", "words"),
    [
        ("for my nine-year-old niece", 9, "nine-year-old"),
        ("My daughter is ten", 10, "daughter is ten"),
        ("It's for my kids, the youngest is six", 6, "the youngest is six"),
        ("my kids are 9 and 6", 6, "kids are 9 and 6"),
        ("for my boys (8 and 11)", 8, "boys (8 and 11)"),
        ("my six and nine year olds", 6, "six and nine year olds"),
        ("my son has just turned five", 5, "son has just turned five"),
        ("The youngest of them is three years old", 3, "The youngest of them is three years old"),
        ("a child of seven", 7, "child of seven"),
        ("my 7yo", 7, "7yo"),
    ],
)
def test_the_age_of_the_youngest_child_counts(text: str, youngest: int, words: str) -> None:
    [(age, span)] = child_ages(text)
    assert (age, text[slice(*span)]) == (youngest, words)


@pytest.mark.parametrize(
    "text",
    [
        "my kids are great",
        "her oldest is a teacher",
        "children are a must",
        "the youngest is 40",
        "a girl who is not 7",
    ],
)
def test_what_is_no_age_of_a_child_is_none(text: str) -> None:
    assert child_ages(text) == ()


@pytest.mark.parametrize(("words", "avoid"), [("stairs", True), ("steps", True), ("step-free", False)])
def test_no_stairs_asks_for_access_by_wheelchair(words: str, avoid: bool) -> None:
    items = [Candidate(id=str(i), title=str(i), metadata={"wheelchair_access": i == 1}) for i in range(2)]
    polarity = Polarity.AVOID if avoid else Polarity.WANT
    wish = Node(
        id=node_id(words, "content", words, polarity),
        atom="a1",
        perspective="content",
        instantiation=words,
        polarity=polarity,
        hard=True,
    )
    [test] = constraints_of(wish, schema_of(items))
    assert [check(test, item.metadata) for item in items] == [NO, YES]
    assert check(test, {}) is OPEN

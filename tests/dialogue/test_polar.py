"""Yes, no, or how far: decided by the metadata of the bundled catalogues, for the whole kind in all domains."""

from functools import cache

import pytest

from dialogue import polar, questions
from dialogue.domain import bundled_domain
from pdgf.constraints import MetadataSchema, schema_of
from pdgf.models import Candidate, Metadata
from tests.catalogues import bundled_items


@cache
def schema(domain: str) -> MetadataSchema:
    items = bundled_items(domain)
    return schema_of(Candidate(id=i.id, title=i.title, year=i.year, metadata=dict(i.metadata)) for i in items)


def decide(domain: str, question: str, known: Metadata) -> tuple[str, tuple[str, ...]] | None:
    asked = questions.polar(question)
    assert asked is not None
    found = polar.decided(asked, known, bundled_domain(domain), schema(domain), 2026)
    return (found.said.value, found.keys) if found else None


LEVELS = {"none": "no", "mild": "little", "moderate": "moderately", "strong": "yes"}
TURNED = {"none": "yes", "mild": "not_entirely", "moderate": "no", "strong": "no"}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("domain", "key", "question"),
    [
        ("movies", "violence", "is it violent?"),
        ("movies", "violence", "isn't it violent?"),
        ("movies", "gore", "is there any gore in it?"),
        ("movies", "frightening", "is it scary?"),
        ("books", "sexual_content", "does it have sex?"),
        ("anime", "sexual_content", "is there fan service?"),
    ],
)
def test_a_level_is_told_as_it_is(domain: str, key: str, question: str, level: str) -> None:
    assert decide(domain, question, {key: level}) == (LEVELS[level], (key,))


@pytest.mark.parametrize("level", TURNED)
@pytest.mark.parametrize(
    "question", ["is it free of gore?", "is it gore-free?", "is it without gore?", "does it have no gore?"]
)
def test_a_denial_turns_the_answer(question: str, level: str) -> None:
    assert decide("movies", question, {"gore": level}) == (TURNED[level], ("gore",))


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("is it loud?", {"quiet": "no", "moderate": "little", "lively": "moderately", "loud": "yes"}),
        ("is it quiet?", {"quiet": "yes", "moderate": "not_entirely", "lively": "no", "loud": "no"}),
    ],
)
def test_a_scale_is_read_from_the_end_that_the_words_name(question: str, values: dict[str, str]) -> None:
    for value, said in values.items():
        assert decide("restaurants", question, {"noise_level": value}) == (said, ("noise_level",))


@pytest.mark.parametrize(
    ("domain", "question", "known", "answer"),
    [
        ("movies", "Is it under two hours?", {"length_minutes": 148}, ("no", ("length_minutes",))),
        ("movies", "Is it under two hours?", {"length_minutes": 119}, ("yes", ("length_minutes",))),
        ("movies", "is it longer than 90 minutes?", {"length_minutes": 91}, ("yes", ("length_minutes",))),
        ("anime", "has it more than 50 episodes?", {"episodes": 26}, ("no", ("episodes",))),
        ("restaurants", "is it under $30 a person?", {"average_spend": 34}, ("no", ("average_spend",))),
        ("movies", "was it made before 1990?", {"year": "1989"}, ("yes", ("year",))),
        ("movies", "was it made before 1990?", {"year": "1990"}, ("no", ("year",))),
        ("books", "is it from the 90s?", {"year": "1987"}, ("no", ("year",))),
        ("movies", "Is it under two hours?", {"year": "1990"}, None),
    ],
)
def test_limits_are_compared(domain: str, question: str, known: Metadata, answer: object) -> None:
    assert decide(domain, question, known) == answer


@pytest.mark.parametrize(
    ("question", "age", "said"),
    [
        ("is it too scary for a six-year-old?", 7, "yes"),
        ("is it too scary for a seven-year-old?", 7, "no"),
        ("is it suitable for a six-year-old?", 7, "no"),
        ("is it good for my ten-year-old?", 10, "yes"),
        ("is it unsuitable for a nine-year-old?", 10, "yes"),
        ("is it bad for children?", 7, "no"),
        ("is it bad for children?", 18, "yes"),
        ("is it good for teenagers?", 18, "no"),
    ],
)
def test_an_age_is_compared_with_the_age_from_which_an_item_suits(question: str, age: int, said: str) -> None:
    known: Metadata = {"suitable_from_age": age, "frightening": "strong"}
    assert decide("movies", question, known) == (said, ("suitable_from_age",))


def test_too_much_is_decided_by_an_age_alone() -> None:
    assert decide("movies", "is it too long?", {"length_minutes": 200}) is None
    assert decide("movies", "is it not too long?", {"length_minutes": 200}) is None


@pytest.mark.parametrize(
    ("domain", "question", "known", "answer"),
    [
        ("restaurants", "is it Italian?", {"cuisine": ["French"]}, ("no", ("cuisine",))),
        ("restaurants", "is it Italian?", {"cuisine": ["French", "Italian"]}, ("yes", ("cuisine",))),
        ("restaurants", "is it Italian?", {"parking": "own car park"}, None),
        ("restaurants", "do they have vegan options?", {"diets": ["vegetarian"]}, ("no", ("diets",))),
        ("restaurants", "do they have vegan options?", {}, None),
        ("restaurants", "do they serve breakfast?", {"meals": ["lunch", "dinner"]}, ("no", ("meals",))),
        ("restaurants", "do they serve ramen?", {"dishes": ["beef pho"]}, None),
        ("movies", "is it a comedy?", {"genres": ["drama"]}, ("no", ("genres",))),
        ("movies", "is there romance in it?", {"genres": ["drama"]}, None),
        ("movies", "is it in English?", {"language": ["Russian"]}, ("no", ("language",))),
        ("movies", "is it animated?", {"format": "live action"}, ("no", ("format",))),
        ("movies", "is it British?", {"country": ["United Kingdom", "France"]}, ("yes", ("country",))),
        ("books", "is it told in the first person?", {"narration": "first person"}, ("yes", ("narration",))),
        ("books", "is it a novel?", {"form": "novella"}, ("no", ("form",))),
        ("books", "are they all novels?", {"form": "novel"}, ("yes", ("form",))),
        ("anime", "is it a film?", {"format": "TV series"}, ("no", ("format",))),
        ("anime", "is it a series?", {"format": "film"}, ("no", ("format",))),
        ("anime", "is it by Studio Ghibli?", {"studio": ["Madhouse"]}, ("no", ("studio",))),
        ("anime", "is it based on a manga?", {"based_on": "light novels by A. B."}, ("no", ("based_on",))),
        ("anime", "is it based on a manga?", {"based_on": "manga by A. B."}, ("yes", ("based_on",))),
    ],
)
def test_what_a_whole_list_lacks_is_a_no_and_what_the_item_lacks_is_not_known(
    domain: str, question: str, known: Metadata, answer: object
) -> None:
    assert decide(domain, question, known) == answer


@pytest.mark.parametrize(
    ("question", "known", "answer"),
    [
        ("does it have parking?", {"parking": "own free car park"}, ("yes", ("parking",))),
        ("does it lack parking?", {"parking": "own free car park"}, ("no", ("parking",))),
        ("does it have parking?", {"parking": "no parking nearby"}, ("no", ("parking",))),
        ("is there free parking?", {"parking": "own free car park"}, ("yes", ("parking",))),
        ("is there fast wifi?", {"wifi": False}, ("no", ("wifi",))),
        ("is there fast wifi?", {"wifi": True}, None),
        ("is it bad for children?", {"good_for_children": False}, ("yes", ("good_for_children",))),
        ("is it open on Monday?", {"opening_hours": "Tue-Sun 12:00-22:00; closed Mon"}, ("no", ("opening_hours",))),
        ("is it open on Sunday?", {"opening_hours": "daily 12:00-22:00"}, ("yes", ("opening_hours",))),
        ("is it open at 23:00 on Sunday?", {"opening_hours": "daily 12:00-22:00"}, None),
        ("is it about a family?", {"good_for_children": True}, None),
        ("is it near the park?", {"parking": "own free car park"}, None),
        ("is there an open fire?", {"opening_hours": "daily 12:00-22:00"}, None),
    ],
)
def test_what_is_there_and_what_is_not(question: str, known: Metadata, answer: object) -> None:
    assert decide("restaurants", question, known) == answer


@pytest.mark.parametrize(
    "question", ["does it have French subtitles?", "does it have Chinese subtitles?", "is it dubbed into French?"]
)
def test_a_country_of_origin_says_nothing_of_subtitles(question: str) -> None:
    assert decide("movies", question, {"country": ["United States"], "language": "English"}) is None
    assert decide("movies", "is it an American film?", {"country": ["United States"]}) == ("yes", ("country",))

"""Reading requests for places: alternatives, hours, facts by their words, and scenes that ask for nothing."""

from collections.abc import Callable

import pytest

from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.scenes import scene_of
from pdgf.engines.builtin.vocabulary import Vocabulary, vocabulary_of
from pdgf.models import Candidate, Metadata, Node, Polarity

Read = Callable[[str], Analysis]
PLACE: Metadata = {"wifi": "free", "take out": True, "has tv": False, "dogs allowed": True, "ambience": ["casual"]}


@pytest.fixture(scope="module")
def in_town(parser: EnglishParser) -> Read:
    known: Vocabulary = vocabulary_of([Candidate(id="i1", title="The Copper Kettle", metadata=PLACE)])
    return lambda text: analyse(parser.parse_now(text), text, known, None)


def wishes(analysis: Analysis) -> list[str]:
    return [("no " if node.polarity is Polarity.AVOID else "") + node.instantiation for node in analysis.nodes]


def node_named(analysis: Analysis, words: str) -> Node:
    return next(node for node in analysis.nodes if node.instantiation == words)


def test_either_or_is_one_wish_of_alternatives(in_town: Read) -> None:
    read = in_town("Either a library, somewhere with a trendy feel, or a casual place.")
    assert [(n.perspective, n.instantiation) for n in read.nodes] == [("alternatives", "library or trendy or casual")]


def test_two_pairs_of_alternatives_are_two_wishes(in_town: Read) -> None:
    read = in_town("I want a place that's either divey or trendy, and either dog-friendly or a drive-thru.")
    assert wishes(read) == ["divey or trendy", "dog-friendly or drive-thru"]


def test_an_alternative_keeps_what_it_refuses(in_town: Read) -> None:
    assert wishes(in_town("Either classy or with a patio but without wifi.")) == ["classy or patio but without wifi"]


def test_opening_hours_are_a_wish(in_town: Read) -> None:
    read = in_town("It must be open on Thursday from 6 PM to 11 PM.")
    assert [(n.perspective, n.hard) for n in read.nodes] == [("hours", True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I need a dog-friendly cafe.", ["dog-friendly"]),
        ("I want somewhere that is not dog-friendly.", ["no dog-friendly"]),
        ("I want somewhere indoor-only.", ["indoor-only"]),
        ("I need BYOB, dogs allowed, and a coat check.", ["BYOB", "dogs allowed", "coat check"]),
        ("I want somewhere where I can leave my coat.", ["leave my coat"]),
    ],
)
def test_facts_about_places_are_read_by_their_words(in_town: Read, text: str, expected: list[str]) -> None:
    assert wishes(in_town(text)) == expected


def test_what_is_needed_is_hard_and_what_would_be_nice_is_not(in_town: Read) -> None:
    assert node_named(in_town("I need a dog-friendly place."), "dog-friendly").hard
    assert not node_named(in_town("A dog-friendly place would be nice."), "dog-friendly").hard


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Caught in a storm after the museum. I need somewhere quiet.", ["quiet"]),
        ("Bookworm looking for a quiet place.", ["quiet"]),
        ("I need somewhere quiet because the thesis is due.", ["quiet"]),
        ("I want a quiet place where even stern reviewers are pleased.", ["quiet"]),
    ],
)
def test_the_scene_asks_for_nothing(in_town: Read, text: str, expected: list[str]) -> None:
    assert wishes(in_town(text)) == expected


def test_what_is_named_before_the_first_need_is_a_wish_where_no_outing_is_told(in_town: Read) -> None:
    assert wishes(in_town("Pizza with good crust. We need parking."))[0] == "Pizza"


def test_labels_before_a_colon_open_no_scene() -> None:
    assert scene_of("I am here. cuisine: Thai. I want wifi.") == ((0, 9),)


def test_a_request_for_films_has_no_scene(parser: EnglishParser, vocabulary: Vocabulary) -> None:
    text = "A lonely lighthouse keeper. I want a slow film."
    read = analyse(parser.parse_now(text), text, vocabulary, None)
    assert any("lighthouse" in node.instantiation for node in read.nodes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It must not be closed on Sunday.", "open on sunday"),
        ("Closed on Mondays is no good.", "open on mondays"),
        ("Somewhere open on a Monday evening.", "open on a Monday evening"),
        ("Dinner on Monday.", "open on monday"),
        ("Something for this Saturday night.", "open on saturday night"),
    ],
)
def test_a_day_on_which_people_go_is_one_on_which_it_is_open(in_town: Read, text: str, expected: str) -> None:
    assert [n.instantiation for n in in_town(text).nodes if n.perspective == "hours"] == [expected]


@pytest.mark.parametrize("text", ["A good Sunday roast.", "On Friday we went for sushi.", "We were there on Monday."])
def test_a_day_that_is_past_or_part_of_a_name_asks_for_no_hours(in_town: Read, text: str) -> None:
    assert not [n for n in in_town(text).nodes if n.perspective == "hours"]

"""What people ask of places: keys however spelled, values, opening hours, and the lines a record must hold."""

import pytest

from pdgf.constraints import keys_asked, schema_of
from pdgf.constraints.opening import opening_asked
from pdgf.constraints.places import Held, place_facts, place_mentions, squeezed, states_places
from pdgf.models import Candidate, Metadata, Node, Polarity, node_id


def asked(words: str) -> list[tuple[str, bool, bool]]:
    return [(found.fact.name, found.wanted, found.implied) for found in place_mentions(words)]


def node_of(words: str, perspective: str = "amenity") -> Node:
    return Node(
        id=node_id(words, perspective, words, Polarity.WANT), atom="a1", perspective=perspective, instantiation=words
    )


def read(name: str, value: str) -> Held | None:
    return next(fact for fact in place_facts() if fact.name == name).read(value)


@pytest.mark.parametrize(
    "key", ["GoodForKids", "good_for_kids", "good for kids", "attributes_GoodForKids", "Attributes > GoodForKids"]
)
def test_a_key_is_the_same_however_it_is_spelt(key: str) -> None:
    assert squeezed(key) == "goodforkids"


def test_a_price_range_with_a_number_behind_it_is_a_price_range() -> None:
    assert squeezed("RestaurantsPriceRange2") == "pricerange"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("dog-friendly", [("dogs", True, False)]),
        ("free wi-fi", [("free_wifi", True, False)]),
        ("no outdoor seating", [("outdoor_seating", False, False)]),
        ("indoor-only", [("outdoor_seating", False, False)]),
        ("not good for breakfast", [("breakfast", False, False)]),
        ("somewhere for my toddler", [("children", True, True)]),
        ("upscale or divey", [("upscale", True, False), ("divey", True, False)]),
        ("a table by the river", []),
    ],
)
def test_wishes_are_found_with_what_they_refuse_and_what_they_merely_imply(
    words: str, expected: list[tuple[str, bool, bool]]
) -> None:
    assert asked(words) == expected


def test_what_is_not_needed_may_be_there() -> None:
    assert [found.needless for found in place_mentions("no parking lot needed")] == [True]
    assert [found.needless for found in place_mentions("no parking lot")] == [False]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("wifi", "free", Held.YES),
        ("wifi", "no", Held.NO),
        ("free_wifi", "paid", Held.NO),
        ("full_bar", "full_bar", Held.YES),
        ("full_bar", "beer and wine", Held.NO),
        ("quiet", "average", Held.SOME),
        ("romantic", "casual, romantic", Held.YES),
        ("romantic", "casual", None),
        ("dogs", "unknown", None),
    ],
)
def test_values_say_yes_no_a_little_or_nothing(name: str, value: str, expected: Held | None) -> None:
    assert read(name, value) == expected


def test_the_keys_of_the_list_are_written_as_keys_are_compared() -> None:
    for fact in place_facts():
        assert {squeezed(key) for key in fact.keys} == fact.keys, fact.name


def test_a_catalogue_of_films_states_no_places() -> None:
    assert not states_places(["genres", "director", "music", "length minutes"])
    assert states_places(["wifi", "take out", "has tv"])


OPEN = [
    ("open on Monday from 6:30 AM to 9:15 AM", "hours monday", "6:30-15:00", True),
    ("open on Monday from 6:30 AM to 9:15 AM", "hours monday", "7:30-15:00", False),
    ("open on Monday from 6:30 AM to 9:15 AM", "hours tuesday", "7:00-15:00", None),
    ("open on Saturday from 10 PM to 1 AM", "hours saturday", "18:00-2:00", True),
    ("open on Saturday from 10 PM to 1 AM", "hours saturday", "18:00-0:00", False),
    ("open Sundays", "hours sunday", "9:00-14:00", True),
    ("open Sundays", "hours sunday", "closed", False),
    ("open Sundays", "hours sunday", "0:00-0:00", None),
    ("open until midnight", "hours friday", "11:00-0:00", True),
    ("open late", "hours friday", "11:00-21:00", False),
    ("open early", "hours friday", "6:30-15:00", True),
]


@pytest.mark.parametrize(("words", "key", "value", "expected"), OPEN)
def test_the_hours_of_a_day_cover_what_is_asked_or_do_not(
    words: str, key: str, value: str, expected: bool | None
) -> None:
    wanted = opening_asked(words)
    assert wanted is not None
    assert wanted.met_by(key, value) is expected


@pytest.mark.parametrize("words", ["an open kitchen", "open-minded people", "open to anything", "early bird"])
def test_an_open_kitchen_asks_for_no_hours(words: str) -> None:
    assert opening_asked(words) is None


PLACE: Metadata = {
    "city": "Marrowick",
    "take_out": True,
    "DogsAllowed": True,
    "has tv": False,
    "categories": "Diners, Thai",
    "hours monday": "8:00-15:00",
    "hours sunday": "9:00-12:00",
}


@pytest.mark.parametrize(
    ("words", "perspective", "expected"),
    [
        ("takeaway", "amenity", ("take_out",)),
        ("dog walk", "theme", ("DogsAllowed",)),
        ("Marrowick", "location", ("city",)),
        ("open on Monday", "hours", ("hours monday",)),
        ("Thai", "theme", ("categories",)),
        ("a good mood", "theme", ()),
    ],
)
def test_a_record_holds_the_lines_that_answer_the_wish(words: str, perspective: str, expected: tuple[str, ...]) -> None:
    schema = schema_of([Candidate(id="i1", title="The Copper Kettle", metadata=PLACE)])
    assert keys_asked(node_of(words, perspective), schema) == expected


def test_no_line_is_asked_for_where_the_catalogue_holds_no_places() -> None:
    schema = schema_of([Candidate(id="f1", title="Low Tide", metadata={"music": "live", "country": "France"})])
    assert keys_asked(node_of("live music"), schema) == ()

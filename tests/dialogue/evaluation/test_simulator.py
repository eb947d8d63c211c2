"""Played people with hidden needs."""

from pathlib import Path
from random import Random

import pytest

from dialogue.evaluation.needs import Kind, Need, kinds_of, needs_of
from dialogue.evaluation.simulator import MOST_TURNS, Person, played, simulate
from pdgf.catalogues.bundled import BUNDLED
from pdgf.models import Candidate, Metadata
from tests.catalogues import bundled_items
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent


def need(key: str, test: str, value: str) -> Need:
    kind = Kind.model_validate({"key": key, "is": test, "says": f"{key} {{value}}", "objects": f"wrong {key}"})
    return Need(kind=kind, value=value)


QUIET, HARBOUR, CHEAP = (
    need("noise_level", "one_of", "quiet"),
    need("location", "one_of", "Old Harbour"),
    need("average_spend", "at_most", "20"),
)
FITTING: Metadata = {"noise_level": "quiet", "location": "Old Harbour", "average_spend": 20}
LOUD: Metadata = {"noise_level": "loud", "location": "Old Harbour", "average_spend": 10}


def person() -> Person:
    return Person(target="t", needs=(HARBOUR, CHEAP, QUIET), items_word="places")


def test_the_first_words_tell_two_needs_and_hide_the_third() -> None:
    assert person().opening() == "I am looking for places: location Old Harbour, average_spend 20."


def test_an_item_that_breaks_a_hidden_need_is_turned_down_with_that_reason() -> None:
    someone = person()
    someone.opening()
    assert someone.answer([("x", "Drum House", LOUD)]) == "Not Drum House, wrong noise_level."
    assert someone.told == [HARBOUR, CHEAP, QUIET]
    assert someone.answer([("x", "Drum House", LOUD)]) == "No, noise_level quiet."
    assert someone.chosen is None


def test_any_item_that_keeps_all_needs_is_taken_and_so_is_the_hidden_one() -> None:
    for item, metadata in (("x", FITTING), ("t", {})):
        someone = person()
        someone.opening()
        assert (
            someone.answer([("y", "Drum House", LOUD), (item, "Lantern Room", metadata)]) == "I will take Lantern Room."
        )
        assert someone.chosen == item


def test_what_is_asked_for_is_told_until_nothing_is_left() -> None:
    someone = person()
    someone.opening()
    assert someone.answer([]) == "Noise_level quiet."
    assert someone.answer([]) == "I do not mind, show me something."


@pytest.mark.parametrize(
    ("wish", "metadata", "kept"),
    [
        (need("violence", "level", "mild"), {"violence": "none"}, True),
        (need("violence", "level", "mild"), {"violence": "strong"}, False),
        (need("length", "at_most", "100"), {"length": 99}, True),
        (need("length", "at_most", "100"), {"length": True}, False),
        (need("genres", "one_of", "Horror"), {"genres": ["horror", "comedy"]}, True),
        (need("wifi", "yes", "yes"), {"wifi": False}, False),
        (need("wifi", "yes", "yes"), {}, False),
    ],
)
def test_an_item_keeps_a_need_only_when_its_metadata_say_so(wish: Need, metadata: Metadata, kept: bool) -> None:
    assert wish.kept_by(metadata) is kept


@pytest.mark.parametrize("domain", BUNDLED)
def test_every_item_keeps_the_needs_drawn_from_it_and_no_need_names_it(domain: str) -> None:
    drawn = 0
    for item in bundled_items(domain):
        needs = needs_of(item.metadata, domain, Random(1), 4)
        drawn += len(needs)
        assert all(each.kept_by(item.metadata) for each in needs)
        assert len({each.kind.key for each in needs}) == len(needs)
        assert not any(item.title.casefold() in each.said.casefold() for each in needs if len(item.title) > 4)
    assert drawn > 100


def test_the_same_seed_plays_the_same_person() -> None:
    items = [
        Candidate(id=str(n), title=str(n), metadata={"location": f"l{n}", "cuisine": ["x"], "wifi": True})
        for n in range(9)
    ]
    one, same, other = (played("restaurants", items, "places", Random(seed)) for seed in (5, 5, 6))
    assert (one.target, one.needs) == (same.target, same.needs) != (other.target, other.needs)
    with pytest.raises(ValueError, match="no item"):
        played("restaurants", [Candidate(id="a", title="a")], "places", Random(0))


def test_kinds_are_told_for_the_bundled_domains_alone() -> None:
    assert all(len(kinds_of(domain)) > 3 for domain in BUNDLED)
    with pytest.raises(KeyError):
        kinds_of("gardens")


async def test_conversations_end_with_a_choice_or_after_the_last_turn(tmp_path: Path) -> None:
    places = [
        (
            item.model_copy(update={"metadata": {**item.metadata, "cuisine": ["Japanese"], "wifi": True}}),
            (*texts, "Japanese food and wifi."),
        )
        for item, texts in PLACES
    ]
    ports = always(town_ports(VocabularyAgent({**WORDS, "japanese": "cuisine", "wifi": "amenity"}), Shelf(places)))
    made = await simulate(ports, tmp_path, conversations=3, seed=1, say=lambda _: None, domains=("restaurants",))
    assert made["conversations"] == made["domains"]["restaurants"]["conversations"] == 3
    assert 0.0 < made["success"] <= 1.0
    assert 1 <= made["mean_turns"] <= MOST_TURNS
    again = await simulate(
        ports, tmp_path / "again", conversations=3, seed=1, say=lambda _: None, domains=("restaurants",)
    )
    assert again == made

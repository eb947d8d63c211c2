"""The bundled domains: keys, mandatory groups, words, questions."""

import re
from pathlib import Path

import pytest

from dialogue.domain import Domain, bundled_domain, domain_from_file
from pdgf.catalogues.bundled import BUNDLED
from pdgf.errors import UnknownDomain
from tests.catalogues import bundled_items

FILM_KEYS = (
    "domain",
    "genre",
    "theme",
    "tone",
    "characters_relationships",
    "setting",
    "era_year",
    "creators",
    "language_country",
    "length_format",
    "content_limits",
    "others",
)
EAT_KEYS = (
    "location",
    "cuisine_type",
    "dish_type",
    "price_range",
    "atmosphere",
    "dietary_restrictions",
    "wait_times",
    "type_of_meal",
    "others",
)
DISTRICTS = ("Old Harbour", "Mill Quarter", "Station Hill", "University", "Riverside", "Market Square")
PERSPECTIVES = frozenset(
    re.findall(
        r"\w+",
        "genre theme tone pace setting character relationship era year format length creator audience content"
        " prominence manner language country title location cuisine dish price atmosphere noise diet wait meal"
        " parking service amenity quality other",
    )
)


def keys(domain: Domain) -> tuple[str, ...]:
    return tuple(row.key for row in domain.constraint_keys)


@pytest.mark.parametrize("name", ["movies", "books", "anime"])
def test_the_keys_of_stories_are_those_of_the_method(name: str) -> None:
    domain = bundled_domain(name)
    assert keys(domain) == FILM_KEYS
    assert {row.key for row in domain.constraint_keys if not row.cumulative} == {"domain", "era_year", "length_format"}
    [group] = domain.mandatory
    assert set(group.keys) == set(FILM_KEYS) - {"domain"}


def test_the_keys_of_places_to_eat_are_those_of_the_paper() -> None:
    domain = bundled_domain("restaurants")
    assert keys(domain) == EAT_KEYS
    assert {row.key for row in domain.constraint_keys if not row.cumulative} == {
        "location",
        "cuisine_type",
        "atmosphere",
    }
    assert [row.key for row in domain.constraint_keys if not row.in_explanation] == ["location"]
    assert [group.keys for group in domain.mandatory] == [("location",), ("cuisine_type", "dish_type")]
    assert all(district in domain.mandatory[0].question for district in DISTRICTS)


def test_missing_groups_come_in_the_order_to_ask_for_them() -> None:
    domain = bundled_domain("restaurants")
    location, food = domain.mandatory
    assert domain.missing(()) == (location, food)
    assert domain.missing({"dish_type"}) == (location,)
    assert domain.missing({"location", "cuisine_type"}) == ()
    assert bundled_domain("movies").missing({"others"}) == ()


@pytest.mark.parametrize("name", BUNDLED)
def test_every_perspective_has_one_key_at_most_and_falls_to_others_without_one(name: str) -> None:
    domain = bundled_domain(name)
    claimed = [perspective for row in domain.constraint_keys for perspective in row.perspectives]
    assert len(claimed) == len(set(claimed))
    assert set(claimed) <= PERSPECTIVES
    assert {domain.key_of(perspective) for perspective in PERSPECTIVES} <= set(keys(domain))
    assert domain.key_of("unheard of") == "others"


@pytest.mark.parametrize("name", BUNDLED)
def test_metadata_keys_named_in_a_domain_are_those_of_its_catalogue(name: str) -> None:
    domain = bundled_domain(name)
    known = {key for item in bundled_items(name) for key in item.metadata} | {"year"}
    named = {key for row in domain.constraint_keys for key in row.metadata}
    named |= {*domain.facts, *domain.fact_words, *(scale.metadata for scale in domain.scales)}
    assert named - known == set()


@pytest.mark.parametrize("name", BUNDLED)
def test_the_order_of_a_scale_covers_the_values_of_the_catalogue(name: str) -> None:
    items = bundled_items(name)
    for scale in (scale for scale in bundled_domain(name).scales if scale.order):
        assert {str(item.metadata[scale.metadata]) for item in items if scale.metadata in item.metadata} <= set(
            scale.order
        )


@pytest.mark.parametrize("name", BUNDLED)
def test_every_domain_greets_and_gives_four_examples(name: str) -> None:
    domain = bundled_domain(name)
    assert domain.greeting
    assert len(set(domain.examples)) == 4
    assert domain.shown == 3


def test_words_of_a_fact_name_the_key_they_belong_under() -> None:
    domain = bundled_domain("restaurants")
    assert domain.key_of_words("vegan") == "dietary_restrictions"
    assert domain.key_of_words("Brunch") == "type_of_meal"
    assert domain.key_of_words("vegan ramen") is None


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_domain_is_read_once(name: str) -> None:
    assert bundled_domain(name) is bundled_domain(name)
    assert bundled_domain(name).name == name


def test_an_unknown_domain_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownDomain) as caught:
        bundled_domain("cars")
    assert caught.value.known == BUNDLED


def test_a_domain_survives_a_file(tmp_path: Path) -> None:
    domain = bundled_domain("books")
    path = tmp_path / "domain.json"
    path.write_text(domain.model_dump_json(), encoding="utf-8")
    assert domain_from_file(path) == domain

"""What the READMEs say of the bundled catalogues is what the catalogues hold."""

import re
from pathlib import Path

import pytest

from pdgf.catalogues.bundled import BUNDLED
from pdgf.catalogues.checking import NEEDED
from pdgf.catalogues.reading import CatalogueItem
from tests.catalogues import bundled_items

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ABOUT = (ROOT / "pdgf" / "catalogues" / "README.md").read_text(encoding="utf-8")
NAMES = {"movies": "films", "books": "books", "anime": "anime", "restaurants": "places to eat"}
ITEMS = {domain: bundled_items(domain) for domain in BUNDLED}


def cells(first: str) -> list[str]:
    """The cells of the table row that begins with a word."""
    row = next(line for line in ABOUT.splitlines() if line.startswith(f"| {first}"))
    return [cell.strip() for cell in row.strip("|").split("|")]


@pytest.mark.parametrize("domain", BUNDLED)
def test_both_readmes_give_the_number_of_items(domain: str) -> None:
    assert re.search(rf"\b{len(ITEMS[domain])} {NAMES[domain]}", " ".join(README.split()))
    _, _, items, notes = cells(f"`{domain}.jsonl`")
    assert int(items) == len(ITEMS[domain])
    assert int(notes.replace(",", "")) == sum(len(item.reviews) for item in ITEMS[domain])


@pytest.mark.parametrize("domain", ["movies", "books", "anime"])
def test_the_years_and_the_countries_are_those_of_the_works(domain: str) -> None:
    said = cells(f"`{domain}.jsonl`")[1]
    years = [item.year for item in ITEMS[domain] if item.year]
    assert re.search(rf"from (?:the year )?{min(years)} to {max(years)}", said)
    countries = {country for item in ITEMS[domain] for country in _listed(item, "country")}
    if len(countries) > 1:
        assert f"from {len(countries)} countries" in said


@pytest.mark.parametrize("domain", BUNDLED)
def test_the_keys_that_the_table_calls_certain_are_there_always_and_the_others_sometimes(domain: str) -> None:
    _, always, sometimes = cells(NAMES[domain].removesuffix(" to eat").replace("places", "restaurants"))
    certain, known = (set(re.findall(r"`(\w+)`", cell)) for cell in (always, sometimes))
    held = [set(item.metadata) for item in ITEMS[domain]]
    assert set.intersection(*held) == certain
    assert set.union(*held) == certain | known
    assert set(NEEDED[domain]) <= certain


def _listed(item: CatalogueItem, key: str) -> list[str]:
    value = item.metadata.get(key, [])
    return [str(entry) for entry in value] if isinstance(value, tuple | list) else [str(value)]

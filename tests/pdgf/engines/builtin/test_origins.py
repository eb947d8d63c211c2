"""Where an item is from is tested on the country on record, by countries and by the regions that they lie in."""

import pytest

from pdgf.constraints import Requirement, constraints_of
from pdgf.constraints.closed import tells_all
from pdgf.constraints.metadata import schema_of
from pdgf.constraints.nations import REGIONS, countries_of, country_named, origin_asked, regions_of
from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.chinese.judging import label_in_both
from pdgf.engines.builtin.chinese.wording import english_feature
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.metadata_lines import fact_finding
from pdgf.models import Candidate, Label, Node, Polarity
from pdgf.ports import RelationRequest
from tests.local_models import minilm, use

COUNTRIES = ("United States", "United Kingdom", "Japan", "Sweden", "France")
SCHEMA = schema_of([Candidate(id=c, title=c, metadata={"country": [c], "genres": ["drama"]}) for c in COUNTRIES])


@pytest.fixture(scope="module")
def encoders() -> tuple[CachedEmbedder, CachedEmbedder]:
    return CachedEmbedder(minilm()), CachedEmbedder(use())


def test_who_lies_in_scandinavia_lies_in_europe() -> None:
    assert set(REGIONS["scandinavia"]) < set(REGIONS["europe"])
    assert regions_of("Sweden") == ("europe", "scandinavia")
    assert regions_of("United States") == ()


@pytest.mark.parametrize(
    ("feature", "inside", "outside"),
    [
        ("European (country).", ["United Kingdom", "France"], ["United States", "Japan"]),
        ("from Europe.", ["United Kingdom", "Sweden"], ["Japan"]),
        ("Asian (country).", ["Japan"], ["France"]),
        ("Scandinavian.", ["Sweden"], ["France", "Japan"]),
        ("either Scandinavian or Scottish (country).", ["Sweden", "United Kingdom"], ["United States"]),
        ("no American (country).", ["United Kingdom"], ["United States"]),
        ("not European.", ["Japan"], ["France"]),
        (english_feature("不要美国片。"), ["United Kingdom"], ["United States"]),
        (english_feature("不要美国片（国家）。"), ["United Kingdom"], ["United States"]),
        (english_feature("欧洲片（国家）。"), ["France"], ["Japan"]),
        (english_feature("亚洲电影（国家）。"), ["Japan"], ["France"]),
    ],
)
def test_the_country_on_record_speaks_for_a_wish_or_against_it(
    feature: str, inside: list[str], outside: list[str]
) -> None:
    reading = read_feature(feature)
    assert {fact_finding(reading, "country", value) for value in inside} == {Finding.FOR}
    assert {fact_finding(reading, "country", value) for value in outside} == {Finding.AGAINST}


@pytest.mark.parametrize(
    ("words", "polarity", "requirement", "values"),
    [
        ("European", Polarity.WANT, Requirement.ONE_OF, {"united kingdom", "sweden", "france"}),
        ("Europe", Polarity.WANT, Requirement.ONE_OF, {"united kingdom", "sweden", "france"}),
        ("Scandinavian", Polarity.AVOID, Requirement.NONE_OF, {"sweden"}),
        ("Scandinavian or British", Polarity.WANT, Requirement.ONE_OF, {"sweden", "united kingdom"}),
        ("美国片", Polarity.AVOID, Requirement.NONE_OF, {"united states"}),
        ("亚洲片", Polarity.WANT, Requirement.ONE_OF, {"japan"}),
    ],
)
def test_a_wish_for_a_region_asks_for_each_of_its_countries(
    words: str, polarity: Polarity, requirement: Requirement, values: set[str]
) -> None:
    node = Node(id="c1", atom="a1", perspective="country", instantiation=words, polarity=polarity)
    [asked] = constraints_of(node, SCHEMA)
    assert (asked.key, asked.requirement, set(asked.values)) == ("country", requirement, values)


def test_a_bare_name_may_be_where_a_story_is_set() -> None:
    assert origin_asked("Europe") == ()
    assert origin_asked("European") == origin_asked("from Europe") == countries_of("Europe") == REGIONS["europe"]
    assert country_named("set in Europe") == REGIONS["europe"]
    assert fact_finding(read_feature("Europe (setting)."), "country", "France") is Finding.PARTLY
    assert fact_finding(read_feature("Europe (setting)."), "country", "United States") is None


@pytest.mark.parametrize("feature", ["no American (country).", "不要美国片（国家）。"])
async def test_what_a_note_says_in_passing_does_not_change_where_an_item_is_from(
    encoders: tuple[CachedEmbedder, CachedEmbedder], feature: str
) -> None:
    text = "Country: Japan\nSlower than the American remake.\n比美国电影安静。"
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    assert (found.label, found.quotes) == (Label.SUPPORT, ("Country: Japan",))


@pytest.mark.parametrize("polarity", list(Polarity))
def test_the_country_of_every_item_decides_either_way(polarity: Polarity) -> None:
    node = Node(id="c1", atom="a1", perspective="country", instantiation="American", polarity=polarity)
    [asked] = constraints_of(node, SCHEMA)
    assert tells_all(asked, SCHEMA)

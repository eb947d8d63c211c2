"""What there is where every wish is left open: items that differ as much as they can."""

from hypothesis import given
from hypothesis import strategies as st

from dialogue import first_look
from dialogue.domain import bundled_domain
from pdgf.identity import Exclusion
from pdgf.models import Candidate

DOMAIN = bundled_domain("restaurants")
HOMES = st.tuples(st.sampled_from(["Old Harbour", "Riverside"]), st.sampled_from(["cheap", "expensive"]))


def places(homes: list[tuple[str, str]]) -> list[Candidate]:
    return [
        Candidate(id=f"p{at}", title=f"Place {at}", metadata={"location": where, "price_range": price})
        for at, (where, price) in enumerate(homes)
    ]


@given(st.lists(HOMES, min_size=1, max_size=9), st.integers(min_value=1, max_value=12))
def test_each_item_stands_once_and_no_more_than_are_asked_for(homes: list[tuple[str, str]], k: int) -> None:
    found = first_look.ranked(places(homes), DOMAIN, (), k)
    ids = [item.candidate.id for item in found.items]
    assert len(ids) == len(set(ids)) == min(k, len(homes))
    assert found.graph.nodes == ()


def test_the_second_item_shares_nothing_with_the_first_where_any_does_not() -> None:
    alike, other = ("Old Harbour", "cheap"), ("Riverside", "expensive")
    first, second, *_ = first_look.ranked(places([alike, alike, alike, other]), DOMAIN, (), 4).items
    assert {first.candidate.id, second.candidate.id} == {"p0", "p3"}


def test_what_is_known_already_is_not_shown() -> None:
    known = [Exclusion(title="Place 0", year=None, why="seen")]
    found = first_look.ranked(places([("Old Harbour", "cheap"), ("Riverside", "cheap")]), DOMAIN, known, 3)
    assert [item.candidate.id for item in found.items] == ["p1"]


def test_an_item_is_described_by_its_facts_and_their_sources() -> None:
    [item] = first_look.ranked(places([("Old Harbour", "cheap")]), DOMAIN, (), 1).items
    told = first_look.described(item, DOMAIN)
    assert told.text == "Location: Old Harbour; Price range: cheap."
    assert [source.source for source in told.sources] == ["p0#location", "p0#price_range"]

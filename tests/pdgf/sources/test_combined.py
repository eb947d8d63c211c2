"""A catalogue and the web in one pool."""

from pdgf.models import Candidate, Evidence, Passage, Source
from pdgf.ports import Acquired
from pdgf.sources.combined import joined


def candidate(id: str, title: str, year: int | None = None) -> Candidate:
    return Candidate(id=id, title=title, year=year)


def evidence(item: str, *texts: str, node: str = "v") -> Evidence:
    return Evidence(
        candidate=item, node=node, passages=tuple(Passage(text=text, source=Source(id=text)) for text in texts)
    )


SHELF = [candidate("m1", "Dune", 1984), candidate("m2", "Dune", 2021), candidate("m3", "Salt House", 1999)]


def test_a_page_about_an_item_of_the_catalogue_adds_to_what_is_known_of_it() -> None:
    near = Acquired(candidates=(SHELF[2],), evidence=(evidence("m3", "from the catalogue"),))
    far = Acquired(
        candidates=(candidate("w1", "The Salt House"), candidate("w2", "Elsewhere", 2001)),
        evidence=(evidence("w1", "from the web"), evidence("w1", "other", node="u"), evidence("w2", "new")),
    )
    pool = joined(near, far, SHELF)
    assert [c.id for c in pool.candidates] == ["m3", "w2"]
    texts = {(e.candidate, e.node): [p.text for p in e.passages] for e in pool.evidence}
    assert texts == {
        ("m3", "v"): ["from the catalogue", "from the web"],
        ("m3", "u"): ["other"],
        ("w2", "v"): ["new"],
    }


def test_a_remake_joins_only_the_item_of_its_own_year_and_an_undated_one_neither() -> None:
    far = Acquired(
        candidates=(candidate("w1", "Dune", 2021), candidate("w2", "Dune", 2000), candidate("w3", "Dune")),
        evidence=(evidence("w1", "a"), evidence("w2", "b"), evidence("w3", "c")),
    )
    pool = joined(Acquired(candidates=(), evidence=()), far, SHELF)
    assert [c.id for c in pool.candidates] == ["m2", "w2", "w3"]


def test_an_item_that_only_the_web_recalled_keeps_its_id_and_metadata() -> None:
    shelf = [Candidate(id="m9", title="Quiet Tide", metadata={"language": "French"})]
    far = Acquired(candidates=(candidate("w1", "Quiet Tide", 1990),), evidence=(evidence("w1", "a"),))
    pool = joined(Acquired(candidates=(), evidence=()), far, shelf)
    assert pool.candidates == (shelf[0],)

"""A catalogue whose passages stay in the database recommends as one that is held in memory."""

from pathlib import Path

import pytest

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.embedding import CachedEmbedder
from pdgf.graph import assemble
from pdgf.models import Node, PreferenceGraph, SearchQuery
from pdgf.settings import MethodConfig
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.index import open_index
from pdgf.sources.pgvector import catalogue as catalogue_module
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.pgvector.catalogue import StoredCatalogue
from pdgf.sources.pgvector.reviews import PgvectorReviews
from tests.bench.machine import ample
from tests.fakes import HashingEmbedder
from tests.pdgf.sources.pgvector.made_up import shop
from tests.vector_database import write_items

WISHES = ("quiet harbour", "brass band", "parking kitchen")


def asked() -> tuple[PreferenceGraph, list[SearchQuery]]:
    nodes = [
        Node(id=f"n{n}", atom="a", perspective="theme", instantiation=wish, feature=wish, order=n)
        for n, wish in enumerate(WISHES)
    ]
    graph = assemble(narrative="", language="en", atoms=(), nodes=nodes, initial_edges=(), cycle_edges=())
    return graph, [
        SearchQuery(base=None, node=node.id, text=node.instantiation, words=node.instantiation) for node in nodes
    ]


async def stored(url: str, path: Path, embedder: CachedEmbedder) -> StoredCatalogue:
    await index_file(url, path, owner="ann", name="shop", embedder=HashingEmbedder(), graph_from=1)
    return await StoredCatalogue.open(PgvectorReviews(url, embedder, owner="ann", name="shop"), embedder)


async def test_where_all_items_are_recalled_the_evidence_is_that_of_the_catalogue_in_memory(
    database_url: str, tmp_path: Path
) -> None:
    items, embedder = shop(60, seed=2), CachedEmbedder(HashingEmbedder())
    catalogue = await stored(database_url, write_items(tmp_path / "a.jsonl", items), embedder)
    index = await open_index(items, embedder=HashingEmbedder(), folder=tmp_path / "index")
    (graph, queries), config = asked(), MethodConfig()
    expected = await CatalogueSource(index, HashingEmbedder()).acquire(graph, queries, config, ample())
    found = await catalogue.acquire(graph, queries, config, ample())
    assert found.evidence == expected.evidence
    assert found.candidates == expected.candidates
    assert found.known_metadata == expected.known_metadata
    assert tuple(catalogue.items()) == tuple(index.candidates)
    assert catalogue.metadata_of("i7") == items[7].metadata
    await catalogue.close()


async def test_a_turn_encodes_nothing_of_the_catalogue_itself(database_url: str, tmp_path: Path) -> None:
    bare = HashingEmbedder()
    embedder = CachedEmbedder(bare)
    catalogue = await stored(database_url, write_items(tmp_path / "a.jsonl", shop(60, seed=2)), embedder)
    graph, queries = asked()
    acquired = await catalogue.acquire(graph, queries, MethodConfig(), ample())
    texts = [passage.text for evidence in acquired.evidence for passage in evidence.passages]
    assert texts
    await embedder.encode(texts)
    assert {text for call in bare.calls for text in call} == set(WISHES)
    await catalogue.close()


async def test_of_an_item_with_very_many_passages_those_that_speak_of_the_wishes_are_read(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue_module, "LONG", 10)
    monkeypatch.setattr(catalogue_module, "NEAREST_OF_LONG", 2)
    said = [*(f"Wool number {n}." for n in range(40)), "A quiet harbour.", "Its brass band.", "Parking and kitchen."]
    items = [
        CatalogueItem(id="long", title="L", metadata={"colour": "red"}, reviews=tuple(Review(text=t) for t in said)),
        CatalogueItem(id="short", title="S", reviews=(Review(text="A harbour."), Review(text="A quiet band."))),
    ]
    embedder = CachedEmbedder(HashingEmbedder())
    catalogue = await stored(database_url, write_items(tmp_path / "a.jsonl", items), embedder)
    graph, queries = asked()
    acquired = await catalogue.acquire(graph, queries, MethodConfig(), ample())
    quoted = {p.text for e in acquired.evidence if e.candidate == "long" for p in e.passages}
    assert set(said[-3:]) <= quoted
    assert len(quoted) <= 2 * len(WISHES) + 1
    await catalogue.close()


async def test_an_item_that_only_its_words_lead_to_is_recalled(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue_module, "POOL", 3)
    items = [*shop(40, seed=4), CatalogueItem(id="rare", title="R", reviews=(Review(text="The zyx " + "wool " * 60),))]
    embedder = CachedEmbedder(HashingEmbedder())
    catalogue = await stored(database_url, write_items(tmp_path / "a.jsonl", items), embedder)
    node = Node(id="n", atom="a", perspective="theme", instantiation="zyx", feature="zyx", order=0)
    graph = assemble(narrative="", language="en", atoms=(), nodes=[node], initial_edges=(), cycle_edges=())
    acquired = await catalogue.acquire(
        graph, [SearchQuery(base=None, node="n", text="zyx", words="zyx")], MethodConfig(), ample()
    )
    assert "rare" in {candidate.id for candidate in acquired.candidates}
    await catalogue.close()


async def test_a_turn_after_a_file_was_indexed_anew_knows_its_new_items(database_url: str, tmp_path: Path) -> None:
    embedder = CachedEmbedder(HashingEmbedder())
    catalogue = await stored(database_url, write_items(tmp_path / "a.jsonl", shop(5)), embedder)
    new = CatalogueItem(id="new", title="New", reviews=(Review(text="A quiet harbour."),))
    path = write_items(tmp_path / "b.jsonl", [*shop(5), new])
    await index_file(database_url, path, owner="ann", name="shop", embedder=HashingEmbedder())
    graph, queries = asked()
    acquired = await catalogue.acquire(graph, queries, MethodConfig(), ample())
    assert "new" in {candidate.id for candidate in acquired.candidates}
    assert catalogue.items()[-1].id == "new"
    await catalogue.close()

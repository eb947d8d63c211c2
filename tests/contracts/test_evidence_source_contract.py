"""What evidence from a catalogue promises of wishes that no words meet, asked of the index in memory and of a real
PostgreSQL with pgvector."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.embedding import CachedEmbedder
from pdgf.models import Node
from pdgf.ports import Acquired, EvidenceSource
from pdgf.settings import MethodConfig
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.index import open_index
from pdgf.sources.pgvector import catalogue as catalogue_module
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.pgvector.catalogue import StoredCatalogue
from pdgf.sources.pgvector.reviews import PgvectorReviews
from pdgf.usage import Budget
from tests.fakes import HashingEmbedder
from tests.pdgf.sources.test_catalogue import BlindEmbedder, graph_of, node
from tests.vector_database import database_url, write_items

__all__ = ["database_url"]

Opened = Callable[..., Awaitable[EvidenceSource]]


@pytest.fixture(params=["memory", "pgvector"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    """Opens the evidence of some items."""
    stored: list[StoredCatalogue] = []

    async def source_of(items: Sequence[CatalogueItem], embedder: HashingEmbedder) -> EvidenceSource:
        if request.param == "memory":
            return CatalogueSource(await open_index(items, embedder=embedder, folder=tmp_path / "index"), embedder)
        url, path = request.getfixturevalue("database_url"), write_items(tmp_path / "items.jsonl", items)
        await index_file(url, path, owner="ann", name="films", embedder=embedder)
        cached = CachedEmbedder(embedder)
        reviews = PgvectorReviews(url, cached, owner="ann", name="films")
        stored.append(await StoredCatalogue.open(reviews, cached))
        return stored[-1]

    yield source_of
    for catalogue in stored:
        await catalogue.close()


def films(*rows: tuple[str, int]) -> list[CatalogueItem]:
    return [
        CatalogueItem(id=str(n), title=f"Film {n}", metadata={"length_minutes": length}, reviews=(Review(text=text),))
        for n, (text, length) in enumerate(rows)
    ]


async def acquired(source: EvidenceSource, *wishes: Node, recall: int) -> Acquired:
    graph, queries = graph_of(*wishes)
    return await source.acquire(graph, queries, MethodConfig(catalogue_recall=recall), Budget())


def told(found: Acquired, at: str) -> dict[str, list[str]]:
    """What is told of each item at a wish."""
    return {row.candidate: [each.text for each in row.passages] for row in found.evidence if row.node == at}


async def test_what_a_number_asks_is_told_of_every_item_that_any_wish_has_found(opened: Opened) -> None:
    items = films(("A pirate comes home.", 140), ("The band plays.", 95), ("A long night.", 100))
    source = await opened(items, HashingEmbedder())
    wishes = node("v", "pirate"), node("w", "band"), node("n", "under two hours")
    found = await acquired(source, *wishes, recall=1)
    assert set(told(found, "v")) | set(told(found, "w")) == {"0", "1"}
    assert {"0", "1"} <= set(told(found, "n"))
    assert "Length: 140 minutes" in told(found, "n")["0"]


async def test_what_meets_a_number_is_found_although_no_words_lead_to_it(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue_module, "POOL", 6)
    items = [
        CatalogueItem(id=str(n), title=str(n), metadata={"duration": length}, reviews=(Review(text=text),))
        for n, (text, length) in enumerate([*(("A part of a series.", "3 h") for _ in range(30)), ("Else.", "40 min")])
    ]
    source = await opened(items, HashingEmbedder())
    found = await acquired(source, node("v", "a series"), node("n", "under an hour"), recall=3)
    assert any("40 min" in text for text in told(found, "n")["30"])


async def test_a_word_for_little_or_much_is_measured_on_the_whole_file(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the few that words find all are long; beside each other some of them would be short."""
    monkeypatch.setattr(catalogue_module, "POOL", 12)
    items = films(
        *((f"A pirate story, part {n}.", 200 + n) for n in range(9)),
        *((f"Something of a garden, part {n}.", 60 + n) for n in range(30)),
    )
    source = await opened(items, BlindEmbedder())
    found = await acquired(source, node("v", "pirate"), node("n", "short"), recall=9)
    assert set(told(found, "v")) == {str(n) for n in range(9)}
    met = [row for row in told(found, "n") if int(row) >= 9]
    assert met

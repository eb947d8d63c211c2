"""What every ReviewIndex promises, asked of the fake, of the catalogue, and of a real PostgreSQL with pgvector."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.models import Passage, Source
from pdgf.ports import ReviewIndex
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.index import open_index
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.pgvector.reviews import PgvectorReviews
from tests.fakes import HashingEmbedder, ListedReviews
from tests.vector_database import database_url, write_items

__all__ = ["database_url"]

TEXTS: Mapping[str, tuple[str, ...]] = {
    "ladle": ("Quiet room with curtains.", "Pumpkin ravioli with sage.", "Parking behind the kitchen."),
    "drum": ("A brass band plays nightly.", "No parking anywhere near."),
    "silent": (),
}


@pytest.fixture(params=["fake", "catalogue", "pgvector"])
async def reviews(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ReviewIndex]:
    if request.param == "fake":
        yield ListedReviews(
            {
                item: [Passage(text=text, source=Source(id=f"{item}#r{n}")) for n, text in enumerate(texts, start=1)]
                for item, texts in TEXTS.items()
            }
        )
        return
    items = [
        CatalogueItem(id=item, title=item, reviews=tuple(Review(text=text) for text in texts))
        for item, texts in TEXTS.items()
    ]
    embedder = HashingEmbedder()
    if request.param == "catalogue":
        yield CatalogueSource(await open_index(items, embedder=embedder, folder=tmp_path / "index"), embedder)
        return
    url, path = request.getfixturevalue("database_url"), write_items(tmp_path / "items.jsonl", items)
    await index_file(url, path, owner="somebody", name="places", embedder=embedder)
    stored = PgvectorReviews(url, embedder, owner="somebody", name="places")
    yield stored
    await stored.close()


async def test_the_best_passage_of_an_item_comes_first(reviews: ReviewIndex) -> None:
    hits = await reviews.nearest("parking behind", ["ladle"], 3)
    assert hits[0].passage.text == "Parking behind the kitchen."
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_items_come_in_the_order_given_with_at_most_k_hits_each(reviews: ReviewIndex) -> None:
    hits = await reviews.nearest("parking", ["drum", "ladle"], 1)
    assert [hit.item for hit in hits] == ["drum", "ladle"]
    assert [len(await reviews.nearest("parking", ["ladle"], k)) for k in (0, 1, 2, 3, 9)] == [0, 1, 2, 3, 3]


async def test_unknown_items_and_items_without_passages_are_skipped(reviews: ReviewIndex) -> None:
    hits = await reviews.nearest("parking", ["nowhere", "silent", "drum"], 1)
    assert [hit.item for hit in hits] == ["drum"]
    assert await reviews.nearest("parking", [], 3) == []
    assert await reviews.nearest("parking", ["nowhere"], 3) == []


async def test_a_passage_that_is_said_twice_of_an_item_is_one_hit(reviews: ReviewIndex) -> None:
    texts = [hit.passage.text for hit in await reviews.nearest("parking", ["ladle", "ladle", "drum"], 9)]
    assert sorted(texts) == sorted((*TEXTS["ladle"], *TEXTS["drum"]))


async def test_every_hit_is_a_passage_of_its_item_with_its_source(reviews: ReviewIndex) -> None:
    for hit in await reviews.nearest("quiet parking with a band", list(TEXTS), 5):
        assert hit.passage.text in TEXTS[hit.item]
        assert hit.passage.source.id.startswith(f"{hit.item}#")


async def test_a_question_without_words_is_answered_like_any_other(reviews: ReviewIndex) -> None:
    assert len(await reviews.nearest("", ["ladle"], 2)) == 2

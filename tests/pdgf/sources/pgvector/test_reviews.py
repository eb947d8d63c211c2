"""What the index in the database finds: the exact answer, filtered or not, and never what belongs to somebody else."""

import random
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import psycopg
import pytest
from psycopg import sql

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.errors import CatalogueGone
from pdgf.late_fusion import best_items, late_fusion
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.index import CatalogueIndex, open_index
from pdgf.sources.pgvector import reviews as reviews_module
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.pgvector.connection import literal
from pdgf.sources.pgvector.reviews import NEAR, ItemFilter, PgvectorReviews
from pdgf.sources.pgvector.schema import table
from tests.fakes import HashingEmbedder
from tests.pdgf.sources.pgvector.made_up import WORDS, shop
from tests.variants import every
from tests.vector_database import write_items

QUESTIONS = ("a quiet harbour", "parking and a brass band", "wool", "pumpkin sage river oak")
ITEMS = shop(400, seed=3, reviews=9)


@pytest.fixture
async def served(database_url: str, tmp_path: Path) -> AsyncIterator[PgvectorReviews]:
    path = write_items(tmp_path / "shop.jsonl", ITEMS)
    await index_file(database_url, path, owner="ann", name="shop", embedder=HashingEmbedder(), graph_from=1)
    reviews = PgvectorReviews(database_url, HashingEmbedder(), owner="ann", name="shop")
    yield reviews
    await reviews.close()


@pytest.fixture
async def in_memory(tmp_path: Path) -> CatalogueIndex:
    return await open_index(ITEMS, embedder=HashingEmbedder(), folder=tmp_path / "index")


async def fused(
    index: CatalogueIndex, question: str, k: int, allowed: np.ndarray | None = None
) -> list[tuple[str, float]]:
    """Late fusion worked out over all passages by numpy."""
    [vector] = await HashingEmbedder().encode([question])
    scores = late_fusion(index.vectors @ vector, index.item_of_passage, len(index.candidates), k)
    if allowed is not None:
        scores[~allowed] = -np.inf
    return [(index.candidates[item].id, float(scores[item])) for item in best_items(scores, 10)]


async def test_the_nearest_passages_are_those_of_the_index_in_memory(
    served: PgvectorReviews, in_memory: CatalogueIndex
) -> None:
    other = CatalogueSource(in_memory, HashingEmbedder())
    ids = [item.id for item in ITEMS[::7]]
    for question in QUESTIONS:
        expected, found = await other.nearest(question, ids, 4), await served.nearest(question, ids, 4)
        assert [hit.item for hit in found] == [hit.item for hit in expected]
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-6)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("k", every(2, [3, 1]))
async def test_the_best_items_have_the_scores_of_late_fusion_over_all_passages(
    served: PgvectorReviews, in_memory: CatalogueIndex, monkeypatch: pytest.MonkeyPatch, k: int, exact: bool
) -> None:
    monkeypatch.setattr(reviews_module, "FEW", 1)  # so that the graph is searched although there are few passages
    searched: list[int] = []
    near = served._near
    monkeypatch.setattr(served, "_near", lambda *args: searched.append(args[-1]) or near(*args))
    for question in QUESTIONS:
        expected = await fused(in_memory, question, k)
        found = await served.best_items(question, n=10, k=k, exact=exact)
        assert [item.score for item in found] == pytest.approx([score for _, score in expected], abs=1e-6)
    assert bool(searched) is not exact


async def test_a_filter_is_met_by_every_item_found_and_leaves_out_no_better_one(
    served: PgvectorReviews, in_memory: CatalogueIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews_module, "FEW", 1)
    some = tuple(item.id for item in ITEMS[::3])
    cases = [
        (ItemFilter(since=1995, until=2004), [i.year is not None and 1995 <= i.year <= 2004 for i in ITEMS]),
        (ItemFilter(metadata={"colour": "red"}), [i.metadata["colour"] == "red" for i in ITEMS]),
        (ItemFilter(metadata={"kinds": ["drum"]}), ["drum" in i.metadata["kinds"] for i in ITEMS]),  # type: ignore[operator]
        (
            ItemFilter(items=some, metadata={"colour": "blue"}),
            [i.id in some and i.metadata["colour"] == "blue" for i in ITEMS],
        ),
        (ItemFilter(metadata={"no such": "thing"}), [False for _ in ITEMS]),
    ]
    for where, allowed in cases:
        for exact in (True, False):
            expected = await fused(in_memory, QUESTIONS[0], 3, np.array(allowed))
            found = await served.best_items(QUESTIONS[0], n=10, where=where, exact=exact)
            assert [item.score for item in found] == pytest.approx([score for _, score in expected], abs=1e-6)
            assert {item.item for item in found} <= {i.id for i, fits in zip(ITEMS, allowed, strict=True) if fits}


async def test_the_approximate_search_reads_the_graph(served: PgvectorReviews, database_url: str) -> None:
    [vector] = await HashingEmbedder().encode([QUESTIONS[0]])
    assert await served.best_items(vector, n=1)
    names = {"passages": table("passages", 1), "dimension": sql.Literal(64), "where": sql.SQL("")}
    query = sql.SQL("explain ") + sql.SQL(NEAR).format(**names)
    with psycopg.connect(database_url, autocommit=True) as connection:
        plan = connection.execute(query, {"query": literal(vector), "sought": 10}).fetchall()
    assert any("Index Scan using passages_1_vector" in line for (line,) in plan), plan


async def test_a_question_is_never_answered_with_what_belongs_to_another_owner(
    database_url: str, tmp_path: Path
) -> None:
    chance, embedder = random.Random(1), HashingEmbedder()
    owners = {}
    for owner in ("ann", "bob"):
        items = [
            CatalogueItem(id=f"i{n}", title=f"T{n}", reviews=(Review(text=f"{owner} {chance.choice(WORDS)} {n}."),))
            for n in range(40)
        ]
        path = write_items(tmp_path / f"{owner}.jsonl", items)
        await index_file(database_url, path, owner=owner, name="shop", embedder=embedder, graph_from=1)
        owners[owner] = PgvectorReviews(database_url, embedder, owner=owner, name="shop")
    for _ in range(150):
        owner = chance.choice(list(owners))
        question = " ".join(["ann", "bob", *chance.choices(WORDS, k=2)])
        hits = await owners[owner].nearest(question, chance.choices([f"i{n}" for n in range(45)], k=5), 3)
        assert hits
        assert all(hit.passage.text.startswith(owner) for hit in hits)
    for reviews in owners.values():
        await reviews.close()


async def test_what_nobody_has_indexed_is_told_in_words(database_url: str) -> None:
    reviews = PgvectorReviews(database_url, HashingEmbedder(), owner="ann", name="shop")
    with pytest.raises(CatalogueGone, match="shop"):
        await reviews.nearest("a drum", ["i1"], 1)
    await reviews.close()


async def test_a_query_that_is_no_number_finds_nothing_and_k_below_one_is_refused(served: PgvectorReviews) -> None:
    assert await served.best_items(np.full(64, np.nan, np.float32), n=3) == ()
    with pytest.raises(ValueError, match="k >= 1"):
        await served.best_items("a drum", n=3, k=0)


async def test_words_that_are_code_elsewhere_are_words_here(served: PgvectorReviews) -> None:
    evil = "'; drop schema pdgf_index cascade; --"
    assert await served.nearest(evil, [evil, "i1' or true --"], 2) == []
    assert await served.best_items(evil, n=3, where=ItemFilter(items=(evil,), metadata={evil: evil})) == ()
    assert await served.best_items("a drum", n=1)

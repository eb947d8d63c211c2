"""Reviewed-item retrieval: the words of a wish, items ranked by late fusion, through any encoder."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pdgf.catalogues.reading import read_items
from pdgf.errors import IndexUnavailable
from pdgf.ports import Vectors
from pdgf.reviewed_items import ReviewedItems, retrieve_reviewed_items
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.index import open_index
from pdgf.sources.passage_index import reviewed_items
from tests.fakes import HashingEmbedder

REVIEWS = {
    "quiet": ["a quiet garden", "quiet tables, friendly staff", "loud music upstairs"],
    "loud": ["loud music", "a loud bar"],
    "one": ["quiet"],
    "none": [],
}
VALLEY = Path(__file__).parent / "catalogue_files" / "valley.jsonl"


class SignedEmbedder:
    """Vectors of two dimensions that are not normalised and may point away from each other."""

    id = "signed-2"
    dimension = 2
    normalised = False

    async def encode(self, texts: Sequence[str]) -> Vectors:
        return np.array([[3.0 * ("quiet" in t) - 2.0 * ("loud" in t), 0.0] for t in texts], np.float32)


async def reviewed(embedder: HashingEmbedder | SignedEmbedder) -> ReviewedItems:
    texts = [(position, text) for position, item in enumerate(REVIEWS) for text in REVIEWS[item]]
    vectors = await embedder.encode([text for _, text in texts])
    return reviewed_items(list(REVIEWS), vectors, np.array([position for position, _ in texts]), embedder.id)


@pytest.mark.parametrize("approximate", [False, True])
async def test_items_are_ranked_by_the_mean_of_their_best_texts(approximate: bool) -> None:
    embedder = SignedEmbedder()
    index = await reviewed(embedder)
    found = await retrieve_reviewed_items("quiet", index, embedder=embedder, n=10, k=2, approximate=approximate)
    assert [(item.item, item.score) for item in found] == [("quiet", 9.0), ("one", 9.0), ("loud", -6.0)]
    found = await retrieve_reviewed_items("quiet", index, embedder=embedder, n=10, approximate=approximate)
    assert [(item.item, item.score) for item in found] == [("one", 9.0), ("quiet", (9 + 9 - 6) / 3), ("loud", -6.0)]


@pytest.mark.parametrize("approximate", [False, True])
async def test_only_the_items_that_filters_leave_are_ranked_however_low_they_score(approximate: bool) -> None:
    embedder = SignedEmbedder()
    index = await reviewed(embedder)
    for among, expected in (({"loud", "none", "unknown"}, ["loud"]), (["one", "loud"], ["one", "loud"]), ((), [])):
        found = await retrieve_reviewed_items(
            "quiet", index, embedder=embedder, n=10, among=among, approximate=approximate
        )
        assert [item.item for item in found] == expected


async def test_the_query_alone_is_encoded_and_words_decide_with_the_hashing_encoder() -> None:
    embedder = HashingEmbedder()
    index = await reviewed(embedder)
    embedder.calls.clear()
    [best] = await retrieve_reviewed_items("loud music", index, embedder=embedder, n=1, k=1)
    assert (best.item, best.score) == ("loud", pytest.approx(1.0))
    assert embedder.calls == [["loud music"]]


async def test_scores_of_two_encoders_never_mix() -> None:
    index = await reviewed(HashingEmbedder())
    with pytest.raises(IndexUnavailable, match=r"hashing-64.*signed-2"):
        await retrieve_reviewed_items("quiet", index, embedder=SignedEmbedder(), n=3)


async def test_the_items_of_a_catalogue_are_retrieved_by_all_their_passages(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    items = read_items(VALLEY).items
    index = await open_index(items, embedder=embedder, folder=tmp_path / "index")
    source = CatalogueSource(index, embedder)
    query = "Pumpkin ravioli with sage"
    found = await retrieve_reviewed_items(query, source.reviewed_items, embedder=embedder, n=len(items), k=3)
    [vector] = await embedder.encode([query])
    expected = []
    for position, candidate in enumerate(index.candidates):
        own = [float(v @ vector) for v, row in zip(index.vectors, index.rows, strict=True) if row.item == position]
        if own:
            expected.append((candidate.id, sum(sorted(own)[-3:]) / min(3, len(own))))
    expected.sort(key=lambda pair: -pair[1])
    assert found[0].item == "eat-copper-ladle"
    assert [item.score for item in found] == pytest.approx([score for _, score in expected], abs=1e-6)

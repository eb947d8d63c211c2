"""What every Embedder promises, asked of the fake and of the adapters."""

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest

from pdgf.embedding import CachedEmbedder, MiniLMEmbedder, UseEmbedder
from pdgf.llm.embeddings import EmbeddingSettings, OpenAIEmbedder
from pdgf.ports import Embedder
from tests.fakes import HashingEmbedder
from tests.openai_server import FakeOpenAI

MAKERS = {
    "fake": HashingEmbedder,
    "minilm": MiniLMEmbedder,
    "multilingual": UseEmbedder,
    "cached": lambda: CachedEmbedder(MiniLMEmbedder()),
}
TEXTS = ["A quiet room.", "Banter between two keepers.", "A quiet room.", "浪漫", "x" * 3_000, ""]


@pytest.fixture(scope="module", params=[*sorted(MAKERS), "openai"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param != "openai":
        made: Embedder = MAKERS[request.param]()
        yield made
        return
    with FakeOpenAI(lambda _: "") as server:
        yield OpenAIEmbedder(EmbeddingSettings(base_url=server.base_url, model="embed"))


async def test_empty_in_empty_out(embedder: Embedder) -> None:
    assert (await embedder.encode([])).shape == (0, embedder.dimension)


async def test_one_float32_row_a_text_in_order(embedder: Embedder) -> None:
    vectors = await embedder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    for position in (0, 1):
        assert vectors[position] == pytest.approx((await embedder.encode([TEXTS[position]]))[0], abs=1e-5)


async def test_equal_texts_have_equal_vectors_and_rows_have_length_one(embedder: Embedder) -> None:
    vectors = await embedder.encode(TEXTS)
    assert vectors[0] == pytest.approx(vectors[2], abs=1e-5)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)


async def test_what_is_returned_belongs_to_the_caller(embedder: Embedder) -> None:
    first = await embedder.encode(TEXTS[:2])
    before = first.copy()
    first[:] = 0.0
    assert await embedder.encode(TEXTS[:2]) == pytest.approx(before, abs=1e-5)


async def test_calls_at_once_do_not_mix(embedder: Embedder) -> None:
    apart = [await embedder.encode([text]) for text in TEXTS[:4]]
    at_once = await asyncio.gather(*(embedder.encode([text]) for text in TEXTS[:4]))
    for alone, together in zip(apart, at_once, strict=True):
        assert together == pytest.approx(alone, abs=1e-5)


def test_an_id_names_the_model_and_stays(embedder: Embedder) -> None:
    assert embedder.id
    assert embedder.id == embedder.id.strip()
    assert embedder.dimension > 0

"""OpenAIEmbedder over HTTP: batches, shapes, failures in words. What every embedder promises is in the contract."""

import math

import numpy as np
import pytest

from pdgf.embedding import CachedEmbedder
from pdgf.errors import EmbedderUnavailable
from pdgf.llm.embeddings import EmbeddingSettings, OpenAIEmbedder
from tests.openai_server import FakeOpenAI, Fault
from tests.openai_server.wire_format import DIMENSIONS
from tests.pdgf.llm.asking import KEY, by_prompt


def embedder_of(server: FakeOpenAI, **more: object) -> OpenAIEmbedder:
    chosen = {"base_url": server.base_url, "api_key": KEY, "model": "embed", "first_wait": 0.01, **more}
    return OpenAIEmbedder(EmbeddingSettings.model_validate(chosen))


async def test_texts_go_out_in_batches_of_at_most_64_and_come_back_in_order() -> None:
    texts = [f"word{number}" for number in range(150)]
    async with FakeOpenAI(by_prompt) as server:
        embedder = embedder_of(server)
        vectors = await embedder.encode(texts)
        alone = await embedder.encode([texts[149]])
        await embedder.aclose()
    sizes = sorted(len(record.body["input"]) for record in server.all_records)
    assert sizes == sorted([64, 64, 150 - 128, 1])
    assert vectors.shape == (150, DIMENSIONS)
    assert vectors[149] == pytest.approx(alone[0])
    assert all(isinstance(text, str) for record in server.all_records for text in record.body["input"])


async def test_how_many_dimensions_there_are_is_known_after_the_first_call() -> None:
    async with FakeOpenAI(by_prompt) as server:
        embedder = embedder_of(server)
        with pytest.raises(EmbedderUnavailable):
            _ = embedder.dimension
        assert (await embedder.encode([])).shape == (0, DIMENSIONS)
        assert embedder.dimension == DIMENSIONS
        assert (await embedder.encode([])).shape == (0, DIMENSIONS)
        await embedder.aclose()
    assert len(server.all_records) == 1


async def test_dimensions_may_be_asked_for() -> None:
    async with FakeOpenAI(by_prompt) as server:
        embedder = embedder_of(server, dimensions=8)
        assert embedder.dimension == 8
        assert (await embedder.encode(["a", "b"])).shape == (2, 8)
        await embedder.aclose()
    assert server.all_records[0].body["dimensions"] == 8
    assert embedder.id.endswith("/v1|embed|8")


async def test_a_text_that_no_server_takes_is_sent_as_one_that_it_takes() -> None:
    async with FakeOpenAI(by_prompt) as server:
        embedder = embedder_of(server)
        vectors = await embedder.encode(["", " \n", "half \ud83d", "x" * 20_000])
        await embedder.aclose()
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4))
    assert server.all_records[0].body["input"] == [" ", " ", "half \ufffd", "x" * 8_000]


async def test_texts_with_words_in_common_are_near_one_another_after_the_cache_too() -> None:
    async with FakeOpenAI(by_prompt) as server:
        inner = embedder_of(server)
        embedder = CachedEmbedder(inner)
        vectors = await embedder.encode(["a quiet room", "a quiet house", "loud"])
        await embedder.encode(["a quiet room"])
        await inner.aclose()
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    assert len(server.all_records) == 1


@pytest.mark.parametrize(
    ("fault", "words", "requests"),
    [
        (Fault.UNAUTHORIZED, "key", 1),
        (Fault.NO_CREDIT, "credit", 1),
        (Fault.UNKNOWN_MODEL, "model", 1),
        (Fault.WRONG_PATH, "no_api", 1),
        (Fault.CONTEXT_LENGTH, "context length", 1),
        (Fault.SERVER_ERROR, "unreachable", 3),
        (Fault.RATE_LIMITED_LONG, "busy", 1),
        (Fault.HTML, "no_api", 3),
        (Fault.HANG, "timeout", 3),
    ],
)
async def test_each_failure_is_told_in_words_without_the_key(fault: Fault, words: str, requests: int) -> None:
    async with FakeOpenAI(by_prompt, faults=fault) as server:
        embedder = embedder_of(server, timeout=0.1 if fault is Fault.HANG else 20.0)
        with pytest.raises(EmbedderUnavailable, match=words) as raised:
            await embedder.encode(["a"] * 64)
        await embedder.aclose()
    sent = len(server.all_records)
    assert sent == requests or (fault is Fault.HANG and sent < requests)  # given up before the server saw it
    assert KEY not in str(raised.value) + repr(embedder)
    assert "127.0.0.1" in str(raised.value)


async def test_the_first_failing_batch_ends_the_whole() -> None:
    async with FakeOpenAI(by_prompt, faults=Fault.UNAUTHORIZED) as server:
        embedder = embedder_of(server)
        with pytest.raises(EmbedderUnavailable):
            await embedder.encode(["a"] * 1_000)
        await embedder.aclose()
    assert len(server.all_records) < math.ceil(1_000 / 64)


async def test_a_server_that_is_down_is_said_to_be() -> None:
    async with FakeOpenAI(by_prompt) as server:
        server.down()
        embedder = embedder_of(server)
        with pytest.raises(EmbedderUnavailable, match="unreachable"):
            await embedder.encode(["a"])
        server.up()
        assert (await embedder.encode(["a"])).shape == (1, DIMENSIONS)
        await embedder.aclose()

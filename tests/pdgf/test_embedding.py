"""The sentence encoder and its cache."""

import asyncio
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pdgf import embedding
from pdgf.embedding import CachedEmbedder, MiniLMEmbedder
from pdgf.errors import EmbedderUnavailable, IndexUnavailable
from pdgf.ports import Vectors
from pdgf.reviewed_items import retrieve_reviewed_items
from pdgf.sources.passage_index import reviewed_items
from tests.fakes import HashingEmbedder


def model_folder(tmp_path: Path, *, pooling: str, normalise: bool, similarity: str | None = None) -> Path:
    """The settings of a sentence-transformers model, with weights of four bytes."""
    modules = [("Transformer", ""), ("Pooling", "1_Pooling")] + ([("Normalize", "2_Normalize")] if normalise else [])
    files = {
        "modules.json": [{"type": f"sentence_transformers.models.{kind}", "path": path} for kind, path in modules],
        "config.json": {"hidden_size": 768},
        "1_Pooling/config.json": {
            "word_embedding_dimension": 768,
            "pooling_mode_cls_token": pooling == "cls",
            "pooling_mode_mean_tokens": pooling == "mean",
        },
        "config_sentence_transformers.json": {"similarity_fn_name": similarity},
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    (tmp_path / "model.safetensors").write_bytes(b"\0\1\2\3")
    return tmp_path


@pytest.fixture(scope="module")
def minilm() -> MiniLMEmbedder:
    return MiniLMEmbedder()


async def test_the_packaged_model_tells_related_from_unrelated_without_a_network(
    minilm: MiniLMEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    texts = ["The dining room is quiet.", "A quiet restaurant for a long talk.", "Axes and a great deal of blood."]
    vectors = await minilm.encode(texts)
    cosines = vectors @ vectors.T
    assert cosines[0, 1] > 0.5 > 0.2 > cosines[0, 2]
    assert minilm.dimension == vectors.shape[1] == 384


async def test_a_text_has_the_same_vector_in_any_company(minilm: MiniLMEmbedder) -> None:
    alone = await minilm.encode(["Short."])
    together = await minilm.encode(
        ["A rather longer sentence about a lighthouse and its keepers.", "Short.", "Mid one."]
    )
    assert together[1] == pytest.approx(alone[0], abs=1e-5)


async def test_half_a_surrogate_pair_and_a_very_long_text_are_encoded(minilm: MiniLMEmbedder) -> None:
    vectors = await minilm.encode(["\ud83d", "word " * 20_000, ""])
    assert np.isfinite(vectors).all()
    assert vectors.shape == (3, 384)


def test_cls_pooling_for_inner_products_is_not_normalised(tmp_path: Path) -> None:
    """TAS-B (METHOD 13.2) against models made for cosines."""
    cases = [("cls", False, None, False), ("cls", False, "dot", False), ("cls", True, "cosine", True)]
    cases += [("mean", False, "cosine", True), ("mean", True, None, True), ("cls", False, "cosine", True)]
    for number, (pooling, normalise, similarity, expected) in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        embedder = MiniLMEmbedder(model_folder(folder, pooling=pooling, normalise=normalise, similarity=similarity))
        assert (embedder.normalised, embedder.dimension) == (expected, 768)


def test_two_models_never_share_an_id(tmp_path: Path, minilm: MiniLMEmbedder) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        model_folder(tmp_path / name, pooling="mean", normalise=True)
    (tmp_path / "b" / "model.safetensors").write_bytes(b"\0\1\2\4")
    ids = {MiniLMEmbedder(tmp_path / name).id.removeprefix(name) for name in ("a", "b")}
    assert len(ids | {minilm.id}) == 3
    assert MiniLMEmbedder().id == minilm.id


def test_a_tas_b_that_was_saved_again_names_a_cosine_and_is_not_normalised(tmp_path: Path) -> None:
    folder = model_folder(tmp_path, pooling="cls", normalise=False, similarity="cosine")
    (folder / "config.json").write_text(json.dumps({"model_type": "distilbert", "dim": 768}), encoding="utf-8")
    (folder / "1_Pooling/config.json").write_text(json.dumps({"embedding_dimension": 768, "pooling_mode": "cls"}))
    embedder = MiniLMEmbedder(folder)
    assert (embedder.normalised, embedder.dimension) == (False, 768)


@pytest.mark.parametrize("damage", ["nothing there", "no weights", "no json", "wrong json", "no dimension"])
def test_a_folder_without_a_model_is_a_named_error_with_its_cause(tmp_path: Path, damage: str) -> None:
    folder = model_folder(tmp_path, pooling="mean", normalise=True)
    if damage == "nothing there":
        shutil.rmtree(folder)
    elif damage == "no weights":
        (folder / "model.safetensors").unlink()
    elif damage == "no json":
        (folder / "modules.json").write_text("{")
    elif damage == "wrong json":
        (folder / "modules.json").write_text("[1]")
    else:
        (folder / "1_Pooling" / "config.json").write_text("{}")
    with pytest.raises(EmbedderUnavailable) as raised:
        MiniLMEmbedder(folder)
    assert raised.value.__cause__ is not None


async def test_weights_that_are_none_are_a_named_error_with_its_cause(tmp_path: Path) -> None:
    embedder = MiniLMEmbedder(model_folder(tmp_path, pooling="mean", normalise=True))
    with pytest.raises(EmbedderUnavailable) as raised:
        await embedder.encode(["x"])
    assert raised.value.__cause__ is not None


async def test_only_unknown_distinct_texts_reach_the_encoder() -> None:
    inner = HashingEmbedder()
    cached = CachedEmbedder(inner)
    first = await cached.encode(["red boat", "blue boat", "red boat"])
    second = await cached.encode(["blue boat", "green boat"])
    assert inner.calls == [["red boat", "blue boat"], ["green boat"]]
    assert (first[0] == first[2]).all()
    assert (second[0] == first[1]).all()


async def test_preloaded_texts_are_never_encoded() -> None:
    inner = HashingEmbedder()
    cached = CachedEmbedder(inner)
    vectors = np.eye(2, 64, dtype=np.float32)
    cached.preload(["a", "b"], vectors)
    assert ((await cached.encode(["b", "a"])) == vectors[::-1]).all()
    assert inner.calls == []
    with pytest.raises(ValueError, match="64 dimensions"):
        cached.preload(["a"], vectors)


async def test_texts_of_the_oldest_index_go_when_later_ones_need_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "PRELOADED_TEXTS", 3)
    inner = HashingEmbedder()
    cached = CachedEmbedder(inner)
    for texts in (["a", "b"], ["c"], ["d", "e"], ["f", "g", "h", "i"]):
        cached.preload(texts, np.eye(len(texts), 64, dtype=np.float32))
    await cached.encode(["f", "i"])
    assert inner.calls == []  # the newest stays, however large it is
    await cached.encode(["a", "c", "d"])
    assert inner.calls == [["a", "c", "d"]]


async def test_the_least_recently_used_texts_go_first() -> None:
    inner = HashingEmbedder()
    cached = CachedEmbedder(inner, capacity=2)
    for text in ("one", "two", "one", "three", "one", "two"):
        await cached.encode([text])
    assert inner.calls == [["one"], ["two"], ["three"], ["two"]]


async def test_more_texts_than_fit_still_come_back_right() -> None:
    cached = CachedEmbedder(HashingEmbedder(), capacity=1)
    texts = ["one", "two", "three"]
    assert ((await cached.encode(texts)) == (await HashingEmbedder().encode(texts))).all()


class SlowEmbedder(HashingEmbedder):
    """Waits until it is let go; fails if told so."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.fail = False

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        await self.go.wait()
        if self.fail:
            raise EmbedderUnavailable("told so")
        return await HashingEmbedder().encode(texts)


async def test_a_text_in_flight_is_waited_for_and_not_encoded_twice() -> None:
    inner = SlowEmbedder()
    cached = CachedEmbedder(inner)
    first = asyncio.create_task(cached.encode(["one", "two"]))
    second = asyncio.create_task(cached.encode(["two", "three"]))
    await asyncio.sleep(0)
    inner.go.set()
    found, other = await asyncio.gather(first, second)
    assert inner.calls == [["one", "two"], ["three"]]
    assert (found[1] == other[0]).all()


async def test_a_cancelled_caller_leaves_the_others_their_vectors() -> None:
    inner = SlowEmbedder()
    cached = CachedEmbedder(inner)
    first = asyncio.create_task(cached.encode(["one"]))
    second = asyncio.create_task(cached.encode(["one"]))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    inner.go.set()
    assert (await second).shape == (1, 64)
    await cached.encode(["one"])
    assert inner.calls == [["one"]]


async def test_a_failed_encode_reaches_all_who_wait_and_is_tried_again() -> None:
    inner = SlowEmbedder()
    inner.fail = True
    inner.go.set()
    cached = CachedEmbedder(inner)
    results = await asyncio.gather(cached.encode(["one"]), cached.encode(["one"]), return_exceptions=True)
    assert [type(result) for result in results] == [EmbedderUnavailable, EmbedderUnavailable]
    inner.fail = False
    assert (await cached.encode(["one"])).shape == (1, 64)


WORDS = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    *["the", "room", "is", "quiet", "and", "tables", "stand", "far", "apart", "a", "loud", "bar"],
)
TEXTS = ["the room is quiet", "a", "the tables stand far apart and the bar is loud", "quiet"]


def tas_b_folder(folder: Path) -> Path:
    """A model of TAS-B's shape: DistilBERT of two layers with random weights, CLS pooling, no module after it."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import BertTokenizerFast, DistilBertConfig, DistilBertModel

    torch.manual_seed(13)
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    config = DistilBertConfig(
        vocab_size=len(WORDS), dim=24, hidden_dim=48, n_layers=2, n_heads=2, max_position_embeddings=32
    )
    DistilBertModel(config).save_pretrained(folder / "plain")
    BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=32).save_pretrained(folder / "plain")
    transformer = Transformer(str(folder / "plain"), max_seq_length=32)
    SentenceTransformer(modules=[transformer, Pooling(24, pooling_mode="cls")], device="cpu").save(
        str(folder / "model")
    )
    return folder / "model"


@pytest.fixture(scope="module")
def tas_b(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tas_b_folder(tmp_path_factory.mktemp("encoders") / "tas-b")


def first_hidden_states(folder: Path, texts: Sequence[str]) -> np.ndarray:
    """The last hidden state of [CLS], by transformers alone: each text by itself, so that nothing is padded."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        return np.stack(
            [model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0, 0].numpy() for text in texts]
        )


async def test_a_tas_b_folder_gives_cls_vectors_of_their_own_length(tas_b: Path) -> None:
    embedder = MiniLMEmbedder(tas_b)
    vectors = await embedder.encode(TEXTS)
    assert (embedder.normalised, embedder.dimension, vectors.dtype) == (False, 24, np.float32)
    assert vectors == pytest.approx(first_hidden_states(tas_b, TEXTS), abs=1e-5)
    assert (np.abs(np.linalg.norm(vectors, axis=1) - 1.0) > 0.5).all()


async def test_company_and_padding_do_not_change_a_tas_b_vector(tas_b: Path) -> None:
    embedder = MiniLMEmbedder(tas_b)
    together = await embedder.encode(TEXTS * 20)
    for position, text in enumerate(TEXTS):
        [alone] = await embedder.encode([text])
        for again in range(position, len(together), len(TEXTS)):
            assert together[again] == pytest.approx(alone, abs=1e-5)


async def test_items_are_scored_by_inner_product_with_a_tas_b_encoder_and_never_by_another(tas_b: Path) -> None:
    embedder = MiniLMEmbedder(tas_b)
    own = first_hidden_states(tas_b, TEXTS)
    index = reviewed_items(["a", "b"], await embedder.encode(TEXTS), np.array([0, 1, 1, 0]), embedder.id)
    found = await retrieve_reviewed_items("a loud bar", index, embedder=embedder, n=2, k=1)
    products = own @ first_hidden_states(tas_b, ["a loud bar"])[0]
    expected = sorted([("a", max(products[[0, 3]])), ("b", max(products[[1, 2]]))], key=lambda pair: -pair[1])
    assert [item.item for item in found] == [item for item, _ in expected]
    assert [item.score for item in found] == pytest.approx([score for _, score in expected], abs=1e-4)
    with pytest.raises(IndexUnavailable, match="would be by hashing-64"):
        await retrieve_reviewed_items("a loud bar", index, embedder=HashingEmbedder(), n=2)

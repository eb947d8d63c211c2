"""Vectors that come with a catalogue: found by their texts, near enough to the true ones, never in the way."""

import logging
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pdgf.catalogues.bundled import BUNDLED, shipped_place
from pdgf.catalogues.reading import read_items
from pdgf.embedding import MiniLMEmbedder, UseEmbedder
from pdgf.ports import Embedder
from pdgf.sources.chinese_index import chinese_rows, chinese_texts
from pdgf.sources.index import laid_out, open_index
from pdgf.sources.shipped_vectors import ShippedVectors, ship, shipped
from tests.catalogues import bundled_items
from tests.fakes import HashingEmbedder

VALLEY = Path(__file__).parents[1] / "catalogue_files" / "valley.jsonl"
ITEMS = read_items(VALLEY).items
WORDS = ["a ladle", "a lantern", "a kettle", "", "一盏灯", "half a pair \ud83d"]


async def shipped_with_the_valley(place: Path) -> Embedder:
    """Vectors of every text of the valley beside `place`, of an encoder that is returned."""
    embedder = HashingEmbedder()
    _, _, texts = laid_out(ITEMS)
    ship(place, embedder, ShippedVectors.of(texts, await embedder.encode(texts)))
    return HashingEmbedder()


@given(arrays(np.float32, (len(WORDS), 16), elements=st.floats(-1, 1, width=32)))
def test_a_vector_comes_back_in_its_length_and_nearly_its_direction(vectors: np.ndarray) -> None:
    known, found = ShippedVectors.of(WORDS, vectors).find(WORDS)
    assert known.all()
    lengths = np.linalg.norm(vectors, axis=1)
    usable = lengths > 1e-6
    assert np.linalg.norm(found, axis=1)[usable] == pytest.approx(lengths[usable], rel=1e-4)
    # A step is the 127th part of the largest entry; half a step a dimension is lost at most
    lost = np.abs(found - vectors).max(axis=1, initial=0.0)[usable]
    assert (lost <= np.abs(vectors).max(axis=1, initial=0.0)[usable] * (0.5 / 127 + 0.03)).all()


def test_only_texts_that_are_known_word_for_word_are_found_and_in_the_order_asked_for() -> None:
    vectors = np.eye(6, dtype=np.float32)
    known, found = ShippedVectors.of(WORDS, vectors).find(["a kettle", "A kettle", "a lantern", "a kettle "])
    assert known.tolist() == [True, False, True, False]
    assert found == pytest.approx(vectors[[2, 1]])


def test_what_is_shipped_again_stays_the_same_to_the_bit(tmp_path: Path) -> None:
    vectors = np.random.default_rng(5).normal(size=(len(WORDS), 64)).astype(np.float32)
    once = ShippedVectors.of(WORDS, vectors)
    again = ShippedVectors.of(WORDS, once.find(WORDS)[1])
    assert (once.codes == again.codes).all()
    files = [tmp_path / name / "x" for name in ("one", "other")]
    for place in files:
        ship(place, HashingEmbedder(), once)
    one, other = (place.with_name("x-hashing-64.npz").read_bytes() for place in files)
    assert one == other


def test_without_any_vectors_nothing_is_found() -> None:
    known, found = ShippedVectors.none(4).find(["a ladle"])
    assert (known.tolist(), found.shape) == ([False], (0, 4))


async def test_a_catalogue_whose_vectors_came_with_it_is_indexed_without_the_encoder(tmp_path: Path) -> None:
    embedder = await shipped_with_the_valley(tmp_path / "valley")
    index = await open_index(ITEMS, embedder=embedder, folder=tmp_path / "index", known=tmp_path / "valley")
    assert embedder.calls == []
    true = await HashingEmbedder().encode(index.texts)
    assert (index.text_vectors * true).sum(axis=1).min() > 0.999


async def test_a_text_that_has_changed_is_encoded_and_it_alone(tmp_path: Path) -> None:
    embedder = await shipped_with_the_valley(tmp_path / "valley")
    review = ITEMS[0].reviews[0].model_copy(update={"text": "Nothing of this was ever said before."})
    items = (ITEMS[0].model_copy(update={"reviews": (review, *ITEMS[0].reviews[1:])}), *ITEMS[1:])
    await open_index(items, embedder=embedder, folder=tmp_path / "index", known=tmp_path / "valley")
    assert [text for call in embedder.calls for text in call] == ["Nothing of this was ever said before."]


async def test_vectors_of_another_encoder_are_not_taken(tmp_path: Path) -> None:
    await shipped_with_the_valley(tmp_path / "valley")

    class Other(HashingEmbedder):
        id = "vendor/other-model"

    index = await open_index(ITEMS, embedder=(other := Other()), folder=tmp_path / "i", known=tmp_path / "valley")
    assert {text for call in other.calls for text in call} == set(index.texts)


@pytest.mark.parametrize("damage", ["empty", "half", "flipped", "a pickle", "other shape"])
async def test_a_damaged_file_costs_time_and_nothing_else(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = await shipped_with_the_valley(tmp_path / "valley")
    file = tmp_path / f"valley-{embedder.id}.npz"
    data = bytearray(file.read_bytes())
    if damage == "flipped":
        data[len(data) // 2] ^= 1
    broken = {"empty": b"", "half": bytes(data[: len(data) // 2]), "a pickle": b"cos\nsystem\n(S'true'\ntR."}
    file.write_bytes(broken.get(damage, bytes(data)))
    if damage == "other shape":
        ship(tmp_path / "valley", embedder, ShippedVectors.none(3))
    with caplog.at_level(logging.WARNING):
        index = await open_index(ITEMS, embedder=embedder, folder=tmp_path / "index", known=tmp_path / "valley")
    assert "cannot be used" in caplog.text
    assert (index.text_vectors == await HashingEmbedder().encode(index.texts)).all()


@pytest.mark.parametrize("domain", BUNDLED)
def test_the_package_brings_a_vector_for_every_text_of_its_catalogues(domain: str) -> None:
    """When this fails after a change to a catalogue: make vectors."""
    _, rows, texts = laid_out(bundled_items(domain))
    assert shipped(shipped_place(domain), MiniLMEmbedder()).find(texts)[0].all()
    chinese = chinese_rows([(row.passage.text, row.key) for row in rows])
    spoken = chinese_texts([rows[row].passage.text for row in chinese])
    assert shipped(shipped_place(domain), UseEmbedder()).find(spoken)[0].all()


@pytest.mark.parametrize(
    ("domain", "embedder"),
    [
        ("anime", UseEmbedder),
        *(pytest.param(name, MiniLMEmbedder, marks=pytest.mark.long if name != "anime" else ()) for name in BUNDLED),
    ],
)
async def test_what_the_package_brings_is_what_its_encoder_says(
    domain: str, embedder: type[MiniLMEmbedder | UseEmbedder]
) -> None:
    _, rows, texts = laid_out(bundled_items(domain))
    if embedder is UseEmbedder:
        chinese = chinese_rows([(row.passage.text, row.key) for row in rows])
        texts = chinese_texts([rows[row].passage.text for row in chinese])
    sample = texts[:: len(texts) // 12]
    known, brought = shipped(shipped_place(domain), encoder := embedder()).find(sample)
    true = (await encoder.encode(sample))[known]
    assert (brought * true).sum(axis=1).min() > 0.9998

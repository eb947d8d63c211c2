"""Vectors on disk."""

from pathlib import Path

import numpy as np

from pdgf.evaluation.kept_vectors import KeptVectors
from tests.fakes import HashingEmbedder


async def test_a_text_is_encoded_once_also_over_two_runs(tmp_path: Path) -> None:
    first, texts = HashingEmbedder(), ["one lake", "two lakes", "one lake"]
    kept = KeptVectors(first, tmp_path)
    made = await kept.encode(texts)
    await kept.close()
    second = HashingEmbedder()
    again = KeptVectors(second, tmp_path)
    found = await again.encode([*texts, "a new one"])
    await again.close()
    assert first.calls == [["one lake", "two lakes"]]
    assert second.calls == [["a new one"]]
    assert np.array_equal(found[:3], made)
    assert np.array_equal(made, await HashingEmbedder().encode(texts))


async def test_another_encoder_does_not_get_the_vectors_of_the_first(tmp_path: Path) -> None:
    kept = KeptVectors(HashingEmbedder(), tmp_path)
    await kept.encode(["one lake"])
    await kept.close()
    other = HashingEmbedder()
    other.id = "another"
    again = KeptVectors(other, tmp_path)
    await again.encode(["one lake"])
    await again.close()
    assert other.calls == [["one lake"]]


async def test_a_damaged_file_costs_the_vectors_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "vectors.sqlite3").write_bytes(b"no database at all" * 100)
    kept = KeptVectors(HashingEmbedder(), tmp_path)
    assert (await kept.encode(["a lake"])).shape == (1, 64)
    assert (await kept.encode([])).shape == (0, 64)
    await kept.close()


async def test_many_texts_at_once_come_back_in_their_order(tmp_path: Path) -> None:
    texts = [f"text number{n} of lake{n % 7}" for n in range(1_300)]
    kept = KeptVectors(HashingEmbedder(), tmp_path)
    await kept.encode(texts[::2])
    found = await kept.encode(texts)
    await kept.close()
    assert np.array_equal(found, await HashingEmbedder().encode(texts))

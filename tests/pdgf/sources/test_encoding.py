"""Encoding the texts of an index in pieces: what is done is never done twice, and never taken for other texts."""

import os
from pathlib import Path

import numpy as np
import pytest

from pdgf.errors import EmbedderUnavailable
from pdgf.ports import Vectors
from pdgf.sources.encoding import CHUNK, MANY, NOTED_AFTER, SUFFIX, encoded, forget
from tests.fakes import HashingEmbedder

TEXTS = [f"{'word ' * (number % 7)}{number}" for number in range(MANY + 5 * CHUNK)]


class Stopped(HashingEmbedder):
    """An encoder that is stopped after so many calls."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self._left = calls

    async def encode(self, texts):  # type: ignore[no-untyped-def]
        if not self._left:
            raise EmbedderUnavailable("stopped")
        self._left -= 1
        return await super().encode(texts)


async def all_of(texts: list[str], embedder: HashingEmbedder, folder: Path) -> Vectors:
    return await encoded(texts, embedder=embedder, folder=folder, progress=None, known=None)


async def test_a_stopped_run_goes_on_where_it_was_and_gives_the_same_vectors(tmp_path: Path) -> None:
    stopped_after = 2 * NOTED_AFTER + 3
    with pytest.raises(EmbedderUnavailable):
        await all_of(TEXTS, Stopped(stopped_after), tmp_path / "v")
    second = HashingEmbedder()
    found = await all_of(TEXTS, second, tmp_path / "v")
    assert sum(map(len, second.calls)) == len(TEXTS) - 2 * NOTED_AFTER * CHUNK
    assert (found == await HashingEmbedder().encode(TEXTS)).all()


async def test_progress_of_a_second_run_begins_where_the_first_one_ended(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable):
        await all_of(TEXTS, Stopped(NOTED_AFTER), tmp_path / "v")
    seen: list[tuple[int, int]] = []
    await encoded(
        TEXTS,
        embedder=HashingEmbedder(),
        folder=tmp_path / "v",
        progress=lambda done, of: seen.append((done, of)),
        known=None,
    )
    assert seen[0] == ((NOTED_AFTER + 1) * CHUNK, len(TEXTS))
    assert seen[-1] == (len(TEXTS), len(TEXTS))


@pytest.mark.parametrize("damage", ["other texts", "short file", "no numbers", "beyond the end", "a changed byte"])
async def test_what_is_left_of_other_work_or_damaged_is_not_taken_over(tmp_path: Path, damage: str) -> None:
    with pytest.raises(EmbedderUnavailable):
        await all_of(TEXTS, Stopped(NOTED_AFTER), tmp_path / "v")
    left, texts = tmp_path / f"v{SUFFIX}", list(TEXTS)
    if damage == "other texts":
        texts[0] = "another one"
    elif damage == "short file":
        with (left / "vectors.f32").open("r+b") as file:
            file.truncate(100)
    elif damage == "a changed byte":
        vectors = bytearray((left / "vectors.f32").read_bytes())
        vectors[next(place for place, byte in enumerate(vectors) if byte)] ^= 1
        (left / "vectors.f32").write_bytes(vectors)
    else:
        said = (left / "progress.json").read_text(encoding="utf-8")
        of = f'"done": {NOTED_AFTER * CHUNK}'
        assert of in said
        (left / "progress.json").write_text(
            "[" if damage == "no numbers" else said.replace(of, f'"done": {len(TEXTS) * CHUNK}'), encoding="utf-8"
        )
    second = HashingEmbedder()
    found = await all_of(texts, second, tmp_path / "v")
    assert sum(map(len, second.calls)) == len(texts)
    assert (found == await HashingEmbedder().encode(texts)).all()


async def test_few_texts_leave_nothing_on_the_disk_and_what_is_left_is_forgotten_when_told(tmp_path: Path) -> None:
    await all_of(TEXTS[:50], HashingEmbedder(), tmp_path / "few")
    assert os.listdir(tmp_path) == []
    await all_of(TEXTS, HashingEmbedder(), tmp_path / "many")
    assert os.listdir(tmp_path) == [f"many{SUFFIX}"]
    forget(tmp_path / "many")
    assert os.listdir(tmp_path) == []


async def test_a_place_that_cannot_be_written_costs_only_the_resuming(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "blocked").write_text("a file where a folder should be", encoding="utf-8")
    found = await all_of(TEXTS, HashingEmbedder(), tmp_path / "blocked" / "v")
    assert np.array_equal(found, await HashingEmbedder().encode(TEXTS))
    assert "will begin anew" in caplog.text

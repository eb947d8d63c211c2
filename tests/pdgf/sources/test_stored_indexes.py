"""Indexes that nothing can use any more go, and none that is or may be used."""

import logging
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.sources.index import catalogue_digest, index_folder, open_index
from pdgf.sources.index_store import MANIFEST
from pdgf.sources.stored_indexes import KEPT_SECONDS, delete, prune, stored_of, used
from tests.fakes import HashingEmbedder


def later() -> float:
    """A time at which what is used now has not been used for a week."""
    return time.time() + KEPT_SECONDS + 60.0


class OtherEmbedder(HashingEmbedder):
    """Another encoder."""

    id = "another"


def items(*texts: str) -> list[CatalogueItem]:
    return [CatalogueItem(id=f"i{n}", title=f"T{n}", reviews=(Review(text=text),)) for n, text in enumerate(texts)]


async def indexed(
    data_dir: Path, name: str, held: Sequence[CatalogueItem], embedder: HashingEmbedder | None = None
) -> Path:
    embedder = embedder or HashingEmbedder()
    folder = index_folder(data_dir, name, held, embedder)
    await open_index(held, embedder=embedder, folder=folder, chinese=HashingEmbedder())
    return folder


async def test_an_index_is_described_by_what_it_was_made_from(tmp_path: Path) -> None:
    held = items("A quiet harbour.", "安静的港口。")
    folder = await indexed(tmp_path, "films", held)
    await indexed(tmp_path, "films-too", items("Another."))
    [row] = stored_of(tmp_path, "films")
    assert row.folders == (folder, folder.with_name(f"{folder.name}-zh"))
    assert (row.catalogue, row.encoder) == (catalogue_digest(held), HashingEmbedder().id)
    assert row.size == sum(file.stat().st_size for place in row.folders for file in place.iterdir())
    assert stored_of(tmp_path / "nowhere", "films") == []


async def test_an_index_of_items_that_are_no_more_goes_a_week_after_its_last_use(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    old = await indexed(tmp_path, "films", items("A quiet harbour.", "安静的港口。"))
    new = await indexed(tmp_path, "films", items("A loud harbour."))
    other = await indexed(tmp_path, "films-too", items("A quiet harbour."))
    assert prune(tmp_path, new) == []  # whoever goes back to the release before finds it
    used(old)
    assert prune(tmp_path, new, now=later()) == [old.name]
    assert f"the index {old.name}, which nothing used any more, was deleted" in caplog.text
    assert sorted(path.name for path in (tmp_path / "index").iterdir()) == sorted([new.name, other.name])


async def test_the_same_items_by_another_encoder_are_kept(tmp_path: Path) -> None:
    held = items("A quiet harbour.")
    other = await indexed(tmp_path, "films", held, OtherEmbedder())
    new = await indexed(tmp_path, "films", held)
    assert prune(tmp_path, new, now=later()) == []
    assert other.is_dir()


async def test_where_the_index_in_use_is_not_stored_none_goes(tmp_path: Path) -> None:
    old = await indexed(tmp_path, "films", items("A quiet harbour."))
    assert prune(tmp_path, index_folder(tmp_path, "films", items("Not stored."), HashingEmbedder()), now=later()) == []
    new = await indexed(tmp_path, "films", items("A loud harbour."))
    (new / MANIFEST).write_text("no manifest")
    assert prune(tmp_path, new, now=later()) == []
    assert old.is_dir()


async def test_what_was_never_finished_or_has_another_form_goes_too(tmp_path: Path) -> None:
    new = await indexed(tmp_path, "films", items("A quiet harbour."))
    begun, damaged = new.with_name("films-0123456789abcdef.encoding"), new.with_name("films-fedcba9876543210")
    for folder in (begun, damaged):
        folder.mkdir()
        (folder / "vectors.f32").write_bytes(b"1234")
    assert sorted(prune(tmp_path, new, now=later())) == sorted([begun.name, damaged.name])
    assert new.is_dir()


async def test_an_index_that_is_opened_again_counts_as_used(tmp_path: Path) -> None:
    folder = await indexed(tmp_path, "films", items("A quiet harbour."))
    for file in folder.iterdir():
        os.utime(file, (1_000.0, 1_000.0))
    used(folder)
    assert stored_of(tmp_path, "films")[0].used > 1_000.0


async def test_a_deleted_index_is_gone_with_what_stands_beside_it(tmp_path: Path) -> None:
    await indexed(tmp_path, "films", items("A quiet harbour.", "安静的港口。"))
    delete(stored_of(tmp_path, "films")[0])
    assert list((tmp_path / "index").iterdir()) == []

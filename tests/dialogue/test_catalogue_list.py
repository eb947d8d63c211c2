"""What is indexed is listed, in the data folder and in a real PostgreSQL; how it goes is in test_removal.py."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dialogue import catalogue_list, removal
from dialogue.catalogue_list import DATABASE, FOLDER, listed
from dialogue.cli import app
from dialogue.composition import Composition
from pdgf.catalogues.bundled import BUNDLED
from pdgf.settings import Settings
from pdgf.sources.index import laid_out
from tests.dialogue.test_indexing import ITEMS, cheap_encoder, composed, index
from tests.fakes import HashingEmbedder
from tests.vector_database import database_url, write_items

__all__ = ["cheap_encoder", "database_url"]


def in_files(folder: Path, bundled: Sequence[str] = ()) -> Settings:
    return Settings(data_dir=folder, engine="builtin", bundled=tuple(bundled))


async def indexed_in_files(settings: Settings, path: Path, name: str) -> None:
    composition = composed(settings)
    await composition.index(path, name=name)
    await composition.close()


async def gone(settings: Settings, name: str) -> dict[str, Any]:
    composition = composed(settings)
    printed = await removal.removed(await removal.going(name, composition), composition)
    await composition.close()
    return printed


async def own_rows(settings: Settings) -> list[Mapping[str, Any]]:
    composition = composed(settings)
    rows = [row.model_dump() for row in await listed(composition) if not row.bundled]
    await composition.close()
    return rows


async def test_an_empty_data_folder_lists_what_comes_with_the_program_as_not_indexed_yet(tmp_path: Path) -> None:
    composition = composed(in_files(tmp_path, BUNDLED))
    rows = await listed(composition)
    assert [(row.name, row.bundled, row.encoder) for row in rows] == [(name, True, "") for name in BUNDLED]
    assert all(row.items > 0 and row.passages > row.items and "not indexed" in row.state for row in rows)
    await composition.close()


async def test_a_catalogue_of_the_data_folder_is_listed_and_removed_with_its_index_alone(tmp_path: Path) -> None:
    settings, path = in_files(tmp_path / "data"), write_items(tmp_path / "a.jsonl", ITEMS)
    for name in ("shop", "shop-two"):
        await indexed_in_files(settings, path, name)
    [row, other] = await own_rows(settings)
    assert (row["name"], row["place"], row["items"]) == ("shop", FOLDER, 12)
    assert (row["passages"], row["encoder"], row["state"]) == (len(laid_out(ITEMS)[1]), HashingEmbedder().id, "in use")
    assert row["indexed"].startswith("20")
    assert (await gone(settings, "shop"))["from"] == [FOLDER]
    assert await own_rows(settings) == [other]
    assert [place.name.rpartition("-")[0] for place in (tmp_path / "data" / "index").iterdir()] == ["shop-two"]
    assert path.is_file()


async def test_what_an_earlier_file_of_the_same_name_has_left_is_told_apart(tmp_path: Path) -> None:
    settings = in_files(tmp_path / "data")
    await indexed_in_files(settings, write_items(tmp_path / "a.jsonl", ITEMS), "shop")
    await indexed_in_files(settings, write_items(tmp_path / "b.jsonl", ITEMS[:5]), "shop")
    rows = sorted(await own_rows(settings), key=lambda row: -row["items"])
    assert [(row["items"], row["state"][:6]) for row in rows] == [(5, "in use"), (0, "of an ")]


async def test_a_catalogue_of_the_database_is_listed_and_removed(database_url: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", database_url=database_url, engine="builtin", bundled=())
    await index(settings, write_items(tmp_path / "a.jsonl", ITEMS), [])
    [row] = await own_rows(settings)
    assert (row["name"], row["place"], row["items"], row["state"]) == ("shop", DATABASE, 12, "in use")
    assert row["passages"] == len(laid_out(ITEMS)[1])
    assert row["size"] > 0
    composition = composed(settings)
    assert "shop" in [domain.name for domain in composition.domains()]
    assert (await removal.removed(await removal.going("shop", composition), composition))["from"] == [DATABASE]
    assert "shop" not in [domain.name for domain in composition.domains()]
    await composition.close()
    assert await own_rows(settings) == []


async def test_a_damaged_catalogue_is_listed_as_such_and_can_be_removed(tmp_path: Path) -> None:
    settings = in_files(tmp_path / "data")
    await indexed_in_files(settings, write_items(tmp_path / "a.jsonl", ITEMS), "shop")
    (tmp_path / "data" / "domains" / "shop" / "domain.json").write_text("{")
    assert [row["state"][:7] for row in await own_rows(settings)] == ["damaged"]
    await gone(settings, "shop")
    assert await own_rows(settings) == []


async def test_an_index_that_nothing_can_use_any_more_goes_when_its_catalogue_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = in_files(tmp_path / "data")
    await indexed_in_files(settings, write_items(tmp_path / "a.jsonl", ITEMS), "shop")
    await indexed_in_files(settings, write_items(tmp_path / "b.jsonl", ITEMS[:5]), "shop")
    assert len(await own_rows(settings)) == 2
    monkeypatch.setattr("pdgf.sources.stored_indexes.KEPT_SECONDS", -60.0)
    composition = composed(settings)
    await composition.ports("shop")
    await composition.close()
    assert [row["items"] for row in await own_rows(settings)] == [5]


def test_the_commands_print_lines_for_people_and_json_for_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = catalogue_list.CatalogueRow(
        name="shop", place=DATABASE, bundled=False, items=1_200, passages=34_000, indexed="2026-11-30 10:00 UTC",
        encoder="mini", size=12_345_678, state="in use",
    )  # fmt: skip

    async def one(_: Composition) -> list[catalogue_list.CatalogueRow]:
        return [row]

    monkeypatch.setattr(catalogue_list, "listed", one)
    shown = CliRunner().invoke(app, ["catalogues"])
    assert shown.stdout == (
        "shop (database): 1,200 items, 34,000 passages, mini, 2026-11-30 10:00 UTC, 12.3 MB, in use\n"
    )
    assert json.loads(CliRunner().invoke(app, ["catalogues", "--json"]).stdout) == {"catalogues": [row.model_dump()]}
    monkeypatch.setenv("PDGF_DATA_DIR", str(tmp_path))
    refused = CliRunner().invoke(app, ["remove", "nothing"])
    assert refused.exit_code == 2
    assert "nothing" in refused.stderr

"""What is in the database is listed and can be removed; of a file that cannot be used nothing stays."""

import time
from pathlib import Path

import psycopg
import pytest

from pdgf.errors import CatalogueInvalid, IndexUnavailable
from pdgf.sources.pgvector.building import index_file
from pdgf.sources.pgvector.upkeep import listed, remove
from tests.fakes import HashingEmbedder
from tests.pdgf.sources.pgvector.made_up import EncoderGone, Failing, rows_of, shop, tables
from tests.pdgf.sources.pgvector.test_building import indexed
from tests.vector_database import write_items

BARE = {"migrations", "catalogues", "versions", "refused"}


def rows_left(url: str) -> list[tuple[int, int, int]]:
    with psycopg.connect(url, autocommit=True) as connection:
        counts = "(select count(*) from pdgf_index.{0})"
        named = ", ".join(counts.format(each) for each in ("catalogues", "versions", "refused"))
        return connection.execute(f"select {named}".encode()).fetchall()


async def test_nothing_is_left_of_what_an_index_was_made_from(database_url: str, tmp_path: Path) -> None:
    await indexed(database_url, write_items(tmp_path / "a.jsonl", shop(5)))
    await indexed(database_url, write_items(tmp_path / "b.jsonl", shop(6)))
    assert tables(database_url) == {"migrations", "catalogues", "versions", "refused", "items", "passages", "texts"}
    await remove(database_url, owner="ann", name="shop")
    assert tables(database_url) == {"migrations", "catalogues", "versions", "refused"}
    assert rows_left(database_url) == [(0, 0, 0)]


@pytest.mark.parametrize("text", ["", "\n\n", '{"name": ""}\n[1]\n', "no catalogue at all"])
async def test_a_file_that_is_refused_leaves_nothing_behind(database_url: str, tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(CatalogueInvalid):
        await indexed(database_url, path)
    assert (tables(database_url), rows_left(database_url)) == (BARE, [(0, 0, 0)])
    assert listed(database_url, "ann") == ()


async def test_a_refused_file_leaves_what_is_served_as_it_was(database_url: str, tmp_path: Path) -> None:
    await indexed(database_url, write_items(tmp_path / "a.jsonl", shop(5)))
    before, kinds = rows_of(database_url, "ann", "shop"), tables(database_url)
    (tmp_path / "bad.jsonl").write_text("[1]\n")
    with pytest.raises(CatalogueInvalid):
        await indexed(database_url, tmp_path / "bad.jsonl")
    assert rows_of(database_url, "ann", "shop") == before
    assert (tables(database_url), rows_left(database_url)) == (kinds, [(1, 1, 0)])


async def test_a_refused_file_costs_no_vector_that_an_interrupted_run_has_paid_for(
    database_url: str, tmp_path: Path
) -> None:
    good = write_items(tmp_path / "a.jsonl", shop(200))
    with pytest.raises(EncoderGone):
        await indexed(database_url, good, Failing(400))
    (tmp_path / "bad.jsonl").write_text("[1]\n")
    with pytest.raises(CatalogueInvalid):
        await indexed(database_url, tmp_path / "bad.jsonl")
    embedder = HashingEmbedder()
    published = await indexed(database_url, good, embedder)
    whole = await index_file(database_url, good, owner="bob", name="shop", embedder=HashingEmbedder())
    assert 0 < published.encoded < whole.encoded


async def test_a_file_without_a_usable_row_is_told_with_the_first_reasons(database_url: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"name": ""}\n[1]\n')
    with pytest.raises(CatalogueInvalid, match=r"no usable row \(line 1: no title; line 2: not an object"):
        await indexed(database_url, path)


async def test_what_is_indexed_is_listed_with_its_figures_and_only_for_its_owner(
    database_url: str, tmp_path: Path
) -> None:
    assert listed(database_url, "ann") == ()
    begun = time.time()
    published = await indexed(database_url, write_items(tmp_path / "a.jsonl", shop(5)))
    await index_file(database_url, tmp_path / "a.jsonl", owner="bob", name="other", embedder=HashingEmbedder())
    [row] = listed(database_url, "ann")
    assert (row.name, row.items, row.passages, row.encoder, row.served) == (
        "shop", 5, published.passages, HashingEmbedder().id, True
    )  # fmt: skip
    assert begun - 5.0 < row.at < time.time() + 5.0
    with psycopg.connect(database_url, autocommit=True) as connection:
        sizes = connection.execute(
            "select sum(pg_total_relation_size(('pdgf_index.' || tablename)::regclass)) from pg_tables "
            "where schemaname = 'pdgf_index' and tablename ~ %s",
            (f"_{published.version}$",),
        ).fetchone()
    assert sizes is not None
    assert row.size == int(sizes[0])


async def test_an_index_that_was_stopped_is_listed_by_the_time_when_it_was_finished(
    database_url: str, tmp_path: Path
) -> None:
    path = write_items(tmp_path / "a.jsonl", shop(200))
    with pytest.raises(EncoderGone):
        await indexed(database_url, path, Failing(400))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("update pdgf_index.versions set begun = '2020-01-01 00:00Z'")
    [stopped] = listed(database_url, "ann")
    assert stopped.at == 1_577_836_800  # 2020-01-01 in UTC
    begun = time.time()
    await indexed(database_url, path)
    [whole] = listed(database_url, "ann")
    assert begun - 5.0 < whole.at < time.time() + 5.0


async def test_what_an_older_release_has_indexed_is_listed_as_it_is_and_indexed_anew_by_this_one(
    database_url: str, tmp_path: Path
) -> None:
    await indexed(database_url, write_items(tmp_path / "a.jsonl", shop(5)))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("alter table pdgf_index.versions drop column finished")
        connection.execute("delete from pdgf_index.migrations where number > 1")
        connection.execute("update pdgf_index.versions set begun = '2020-01-01 00:00Z'")
    [old] = listed(database_url, "ann")
    assert (old.at, old.served) == (1_577_836_800, True)
    begun = time.time()
    await indexed(database_url, write_items(tmp_path / "b.jsonl", shop(6)))
    [new] = listed(database_url, "ann")
    assert begun - 5.0 < new.at < time.time() + 5.0


async def test_what_was_stopped_is_listed_as_not_served_and_can_be_removed(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(EncoderGone):
        await indexed(database_url, write_items(tmp_path / "a.jsonl", shop(200)), Failing(400))
    [row] = listed(database_url, "ann")
    assert (row.name, row.served) == ("shop", False)
    assert row.size > 0
    assert await remove(database_url, owner="ann", name="shop")
    assert (tables(database_url), rows_left(database_url)) == (BARE, [(0, 0, 0)])


async def test_only_what_is_there_is_removed_and_nothing_of_others(database_url: str, tmp_path: Path) -> None:
    assert not await remove(database_url, owner="ann", name="shop")
    await indexed(database_url, write_items(tmp_path / "a.jsonl", shop(5)))
    assert not await remove(database_url, owner="bob", name="shop")
    assert not await remove(database_url, owner="ann", name="shops")
    assert [row.name for row in listed(database_url, "ann")] == ["shop"]


async def test_a_database_that_is_not_there_is_told_in_words() -> None:
    with pytest.raises(IndexUnavailable, match="cannot be reached"):
        listed("host=127.0.0.1 port=9", "ann")

# ruff: noqa: S608  the statements are made of words that stand here
"""Files that were damaged are noticed (F5, F6, C49); `python -m tests.stress damaged_stores` tries all of it."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from dialogue import wording
from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.kept_catalogues import KeptCatalogues
from dialogue.own_columns import own_domain
from dialogue.store import CHATS, FOLDER, SCHEMA_VERSION, TURNS, ConversationStore
from pdgf.catalogues.bundled import BUNDLED
from pdgf.constraints import MetadataSchema
from pdgf.errors import CatalogueInvalid, StoreDamaged, StoreFileDamaged, StoreTooNew
from pdgf.settings import Settings
from tests.reliability import damaged_caches, damaged_indexes, damaged_stores, damaging
from tests.reliability.crafted import VALUES
from tests.reliability.damaged_indexes import Indexes
from tests.reliability.damaged_stores import Truth
from tests.reliability.sampling import one_of_each

T = TypeVar("T")


def every(step: int, rows: Iterator[T]) -> list[T]:
    """Every so-manieth of the rows."""
    return list(rows)[::step]


def kind_of(name: str) -> str:
    """What is damaged and how, without the seed or the value that is put there."""
    return re.sub(r" \d+$| = .*$|: .*$", "", name)


@pytest.fixture(scope="module")
async def truth(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return await damaged_stores.built(tmp_path_factory.mktemp("truth"))


@pytest.mark.long
async def test_a_damaged_store_is_refused_or_read_as_it_was_never_otherwise(truth: Truth, tmp_path: Path) -> None:
    canary, seen = tmp_path / "canary", 0
    for name, do in one_of_each(damaged_stores.damages(truth, canary, seeds=2), lambda row: kind_of(row[0])):
        verdict = await damaged_stores.tried(truth, tmp_path / "copy", name, do, canary)
        assert not verdict.fault, f"{name}: {verdict.fault}"
        seen += 1
    assert seen > 50


async def test_an_entry_that_is_in_nobodys_list_any_more_is_told_when_the_store_is_opened(
    truth: Truth, tmp_path: Path
) -> None:
    crafted_rows = dict(damaged_stores.damages(truth, tmp_path / "canary", seeds=0))
    for value in VALUES:
        name = f"conversations.owner = {value!r}"
        verdict = await damaged_stores.tried(truth, tmp_path / "copy", name, crafted_rows[name], tmp_path / "canary")
        assert not verdict.fault, f"{name}: {verdict.fault}"
        assert set(verdict.opened) >= set(damaged_stores.THREADS) - {damaged_stores.TARGET}


async def test_a_row_that_names_code_runs_none_and_leaves_the_other_conversations_open(
    truth: Truth, tmp_path: Path
) -> None:
    canary = tmp_path / "canary"
    rows = [row for row in damaged_stores.damages(truth, canary, seeds=0) if row[0].startswith("code in checkpoints")]
    assert len(rows) > 40
    for name, do in rows[::11]:
        verdict = await damaged_stores.tried(truth, tmp_path / "copy", name, do, canary)
        assert not verdict.fault, f"{name}: {verdict.fault}"
        assert len(verdict.opened) >= len(damaged_stores.THREADS) - 1


@pytest.mark.parametrize("name", [CHATS, TURNS])
async def test_the_file_of_another_program_is_refused_by_name_and_left_as_it_is(tmp_path: Path, name: str) -> None:
    async with ConversationStore(tmp_path):
        pass
    path = tmp_path / FOLDER / name
    damaging.foreign(path, None)  # type: ignore[arg-type]
    before = path.read_bytes()
    with pytest.raises(StoreFileDamaged) as raised:
        async with ConversationStore(tmp_path):
            pass
    assert path.read_bytes() == before
    told = wording.sentence_for(raised.value)
    assert str(path) in told
    assert "changed nothing" in told


async def test_a_list_without_its_conversations_or_the_other_way_round_is_refused(tmp_path: Path) -> None:
    truth = await damaged_stores.built(tmp_path)
    for name in (CHATS, TURNS):
        path = truth.folder / FOLDER / name
        kept = path.read_bytes()
        path.write_bytes(b"")
        with pytest.raises(StoreFileDamaged):
            async with ConversationStore(tmp_path):
                pass
        assert path.read_bytes() == b""
        path.write_bytes(kept)


async def test_a_conversation_whose_newest_turn_is_missing_is_not_shown_as_it_was_before(tmp_path: Path) -> None:
    truth = await damaged_stores.built(tmp_path)
    with closing(sqlite3.connect(tmp_path / FOLDER / TURNS)) as turns:
        newest = "SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = 'two'"
        turns.execute(f"DELETE FROM checkpoints WHERE checkpoint_id = ({newest})")
        turns.commit()
    async with damaged_stores._conversations(tmp_path) as talk:
        with pytest.raises(StoreDamaged):
            await talk.history("two")
        assert [view.model_dump_json() for view in await talk.history("three")] == truth.views["three"]


async def test_a_store_of_the_first_release_is_brought_up_to_date_with_its_conversations(tmp_path: Path) -> None:
    truth = await damaged_stores.built(tmp_path)
    _as_the_first_release_wrote_it(tmp_path)
    for _ in range(2):
        async with damaged_stores._conversations(tmp_path) as talk:
            for owner, titles in truth.titles.items():
                assert {row.thread: row.title for row in await talk.list(owner)} == titles
            for thread, views in truth.views.items():
                found = await talk.history(thread, unfinished=True)
                assert [view.model_dump_json() for view in found] == views
    async with damaged_stores._conversations(tmp_path) as talk:
        async for _ in talk.turn("one", "hello"):
            pass
        assert len(await talk.history("one")) == 2


def _as_the_first_release_wrote_it(folder: Path) -> None:
    """The layout of the first release: rows and checkpoints without checksums, records of version 1."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    from dialogue.seals import SealedSerializer

    sealed, plain = SealedSerializer(), JsonPlusSerializer(allowed_msgpack_modules=None)
    with closing(sqlite3.connect(folder / FOLDER / TURNS)) as turns:
        for table, column in (("checkpoints", "checkpoint"), ("writes", "value")):
            rows = turns.execute(f"SELECT rowid, type, {column} FROM {table}").fetchall()
            for rowid, kind, packed in rows:
                value = sealed.loads_typed((kind, packed))
                if table == "checkpoints":
                    value["channel_values"]["schema_version"] = 1
                turns.execute(
                    f"UPDATE {table} SET (type, {column}) = (?, ?) WHERE rowid = ?", (*plain.dumps_typed(value), rowid)
                )
        turns.commit()
    with closing(sqlite3.connect(folder / FOLDER / CHATS)) as chats:
        chats.executescript(
            """CREATE TABLE first (thread TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL,
                   domain TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL) WITHOUT ROWID;
               INSERT INTO first SELECT thread, owner, title, domain, created, updated FROM conversations;
               DROP TABLE conversations;
               ALTER TABLE first RENAME TO conversations;
               CREATE INDEX conversations_of_owner ON conversations (owner, updated);
               DROP TABLE seen;
               PRAGMA user_version = 1;"""
        )


async def test_a_store_of_a_future_release_is_named_and_stays_byte_for_byte(tmp_path: Path) -> None:
    await damaged_stores.built(tmp_path)
    with closing(sqlite3.connect(tmp_path / FOLDER / CHATS)) as chats:
        chats.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = damaged_stores._bytes(tmp_path)
    with pytest.raises(StoreTooNew) as raised:
        async with Conversations(tmp_path, None):  # type: ignore[arg-type]
            pass
    assert damaged_stores._bytes(tmp_path) == before
    assert "newer release" in wording.sentence_for(raised.value)


async def test_a_damaged_index_is_built_again_or_named(tmp_path: Path) -> None:
    indexes, seen = await Indexes.built(tmp_path / "sound"), 0
    for name, do in every(17, indexes.damages(seeds=2)):
        assert not await indexes.tried(tmp_path / "copy", do), name
        seen += 1
    assert seen > 15


async def test_damaged_vectors_beside_a_catalogue_are_not_used(tmp_path: Path) -> None:
    (tmp_path / "sound").mkdir()
    texts = await damaged_indexes.shipped_built(tmp_path / "sound")
    for name, do in damaged_indexes.shipped_damages(seeds=15):
        assert not await damaged_indexes.shipped_tried(tmp_path / "sound", tmp_path / "copy", do, texts), name


async def test_damaged_caches_give_what_was_put_there_or_nothing(tmp_path: Path) -> None:
    await damaged_caches.built(tmp_path / "sound")
    for name, do in every(4, damaged_caches.damages(seeds=2)):
        assert not await damaged_caches.tried(tmp_path / "sound", tmp_path / "copy", do), name


@pytest.mark.parametrize("left", [b"", b"[", b"[]", b"5", b"\xff\xfe\x00", b'{"name": 5}'])
def test_a_damaged_catalogue_of_ones_own_is_left_out_and_told_and_keeps_no_other_from_opening(
    tmp_path: Path, left: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    composition = Composition(settings=Settings(data_dir=tmp_path))
    for name in ("whole", "damaged"):
        KeptCatalogues(tmp_path).keep(own_domain(name, MetadataSchema(), {}), damaged_indexes.catalogue(2))
    (tmp_path / "domains" / "damaged" / "domain.json").write_bytes(left)
    assert [domain.name for domain in composition.domains() if domain.name not in BUNDLED] == ["whole"]
    assert "what is kept of damaged is damaged" in caplog.text
    with pytest.raises(CatalogueInvalid):
        composition.domain("damaged")

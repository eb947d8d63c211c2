"""The store: private files, plain errors, nothing left behind, nothing of a newer release touched."""

import random
import sqlite3
import stat
from pathlib import Path

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from dialogue.store import FOLDER, SCHEMA_VERSION, ConversationStore, UnknownConversation
from pdgf.errors import StoreUnavailable


async def test_files_and_folder_belong_to_their_owner_alone(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        await store.add(thread="t", owner="o", domain="d")
        folder = tmp_path / FOLDER
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        names = {path.name for path in folder.iterdir()}
        assert {"chats.sqlite3", "turns.sqlite3", "chats.sqlite3-wal"} <= names
        assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


async def test_both_files_write_ahead_and_sync_fully(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        for connection in (store._chats, store.checkpoints.conn):
            for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("secure_delete", 1)):
                async with connection.execute(f"PRAGMA {pragma}") as cursor:
                    assert (await cursor.fetchone())[0] == value


async def test_rows_come_back_as_they_were_added(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        await store.add(thread="t", owner="o", domain="d")
        await store.touch("t", "first words")
        await store.touch("t", "later words")
        row = await store.find("t")
        assert (row.owner, row.title, row.domain) == ("o", "first words", "d")
        assert row.updated > row.created
        assert await store.has("t")
        assert not await store.has("u")
        with pytest.raises(UnknownConversation):
            await store.find("u")
        assert await store.of_owner("o' OR '1'='1") == []


async def test_content_of_one_thread_is_not_seen_from_another(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        digest = await store.content("a").put("text")
        with pytest.raises(KeyError):
            await store.content("b").get(digest)
        await store.content("b").put("text")
        await store.delete("a")
        assert await store.content("b").get(digest) == "text"


async def test_damaged_content_is_noticed(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        digest = await store.content("a").put("text")
        for damage in (b"not zlib", b"x\x9c+I\xad(\x01\x00\x04]\x01\xc1", b""):
            await store._chats.execute("UPDATE content SET text = ?", (damage,))
            with pytest.raises(StoreUnavailable):
                await store.content("a").get(digest)


async def test_old_checkpoints_are_forgotten_and_the_kept_ones_stay(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        saved = []
        for thread in ("t", "t", "t", "u"):
            config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
            checkpoint = empty_checkpoint()
            saved.append(checkpoint["id"])
            await store.checkpoints.aput(config, checkpoint, {}, {})
        await store.forget_checkpoints("t", keep=[saved[2]])
        left = [c.checkpoint["id"] async for c in store.checkpoints.alist(None)]
        assert set(left) == {saved[2], saved[3]}


async def test_a_store_of_a_newer_release_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path):
        pass
    path = tmp_path / FOLDER / "chats.sqlite3"
    with sqlite3.connect(path) as chats:
        chats.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="newer release"):
        async with ConversationStore(tmp_path):
            pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["chats.sqlite3", "turns.sqlite3"])
async def test_a_file_that_is_no_database_is_an_unavailable_store(tmp_path: Path, name: str) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    (folder / name).write_bytes(b"this is not a database, but it is long enough to look like one" * 40)
    with pytest.raises(StoreUnavailable):
        async with ConversationStore(tmp_path):
            pass


async def test_a_folder_that_cannot_be_made_is_an_unavailable_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable):
        async with ConversationStore(tmp_path / "file"):
            pass


async def test_a_full_disk_is_an_unavailable_store_and_works_again_with_space(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        await store.content("a").put("before")
        await store._chats.execute("PRAGMA max_page_count = 1")
        async with store._chats.execute("PRAGMA page_count") as cursor:
            pages = (await cursor.fetchone())[0]
        await store._chats.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreUnavailable):
            await store.content("a").put(random.Random(1).randbytes(100_000).hex())
        await store._chats.execute("PRAGMA max_page_count = 100000")
        digest = await store.content("a").put("after")
        assert await store.content("a").get(digest) == "after"
        async with store._chats.execute("PRAGMA integrity_check") as cursor:
            assert (await cursor.fetchone())[0] == "ok"


async def test_a_checkpoint_cannot_name_code_to_run(tmp_path: Path) -> None:
    """A row that asks for os.system comes back as plain data."""
    import ormsgpack

    async with ConversationStore(tmp_path) as store:
        crafted = ormsgpack.packb(ormsgpack.Ext(0, ormsgpack.packb(("os", "getcwd", ()))))
        found = store.checkpoints.serde.loads_typed(("msgpack", crafted))
        assert found != str(Path.cwd())

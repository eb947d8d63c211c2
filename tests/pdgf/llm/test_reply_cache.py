"""Replies on disk: what is kept, what is forgotten, what cannot fail, and equal calls that become one."""

import asyncio
import logging
import os
import random
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pdgf.errors import ModelUnreachable, StoreUnavailable
from pdgf.llm.calls import Ask, Role
from pdgf.llm.reply_cache import FILE, ReplyCache, reply_key
from tests.pdgf.llm.scripted_model import rendered

SCOPES = ("conversation-1", "conversation-2", "conversation-3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "replies"


@pytest.fixture
async def cache(folder: Path) -> AsyncIterator[ReplyCache]:
    cache = ReplyCache(folder)
    yield cache
    await cache.close()


class Calls:
    """A call that can be held back, counted, failed and cancelled."""

    def __init__(self, reply: str = "made", error: Exception | None = None, *, held: bool = False) -> None:
        self.gate = asyncio.Event()
        if not held:
            self.gate.set()
        self.first_begun = asyncio.Event()
        self.reply = reply
        self.error = error
        self.begun = 0
        self.cancelled = 0

    async def __call__(self) -> str:
        self.begun += 1
        self.first_begun.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error is not None:
            raise self.error
        return self.reply


def files_with(folder: Path, word: str) -> list[str]:
    return [path.name for path in sorted(folder.rglob("*")) if path.is_file() and word.encode() in path.read_bytes()]


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}


async def test_a_reply_is_found_under_its_scope_and_key_only(cache: ReplyCache) -> None:
    await cache.put("one", "k", "a reply")
    assert await cache.get("one", "k") == "a reply"
    assert await cache.get("two", "k") is None
    assert await cache.get("one", "l") is None
    await cache.put("one", "k", "a better reply")
    assert await cache.get("one", "k") == "a better reply"


@pytest.mark.parametrize("text", ["", "安静 😀", "half \ud83d a pair", "NUL \x00 inside"])
async def test_c05_any_text_comes_back_as_it_was(cache: ReplyCache, text: str) -> None:
    await cache.put("one", "k", text)
    assert await cache.get("one", "k") == text


async def test_replies_outlive_the_process(folder: Path) -> None:
    for cache in (ReplyCache(folder), ReplyCache(folder)):
        await cache.put("one", str(id(cache)), "kept")
        await cache.close()
    again = ReplyCache(folder)
    assert await again.get("one", str(id(cache))) == "kept"
    await again.close()
    assert await again.get("one", str(id(cache))) == "kept"
    await again.close()


async def test_two_caches_on_one_file_see_each_other(cache: ReplyCache, folder: Path) -> None:
    other = ReplyCache(folder)
    await asyncio.gather(*(each.put("one", f"{n}", "x") for n in range(40) for each in (cache, other)))
    await other.put("one", "late", "theirs")
    assert await cache.get("one", "late") == "theirs"
    await other.close()


async def test_without_a_conversation_nothing_is_kept(cache: ReplyCache, folder: Path) -> None:
    calls = Calls("canary")
    assert await cache.shared("", "k", calls) == "canary"
    assert await cache.shared("", "k", calls) == "canary"
    await cache.put("", "k", "canary")
    assert await cache.get("", "k") is None
    assert calls.begun == 2
    assert files_with(folder, "canary") == []


async def test_only_the_owner_can_read_the_folder_and_its_files(cache: ReplyCache, folder: Path) -> None:
    os.mkdir(folder, mode=0o755)
    await cache.put("one", "k", "a reply")
    assert modes(folder) == {"replies": 0o700, FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600}


async def test_the_oldest_replies_go_when_there_are_too_many(folder: Path) -> None:
    cache = ReplyCache(folder, max_rows=5)
    for number in range(8):
        await cache.put(SCOPES[number % 3], f"k{number}", f"{number}")
    kept = [await cache.get(SCOPES[number % 3], f"k{number}") for number in range(8)]
    assert kept == [None, None, None, "3", "4", "5", "6", "7"]
    await cache.close()


async def test_a_very_long_reply_is_not_kept(folder: Path) -> None:
    cache = ReplyCache(folder, max_chars=10)
    await cache.put("one", "k", "x" * 11)
    assert await cache.get("one", "k") is None
    await cache.put("one", "k", "x" * 10)
    assert await cache.get("one", "k") == "x" * 10
    await cache.close()


@pytest.mark.parametrize("seed", [0, 7, 9])
async def test_no_byte_of_a_forgotten_conversation_stays_in_the_folder(
    cache: ReplyCache, folder: Path, seed: int
) -> None:
    # Replies of many sizes written, replaced and deleted move between pages and leave copies behind.
    draw = random.Random(seed)
    for _ in range(900):
        scope = draw.choice(SCOPES)
        words = draw.choice((1, 3, 20, 200, 3_000))
        await cache.put(scope, f"k{draw.randrange(200)}", f"canary of {scope}. " * words)
    await cache.put(SCOPES[2], "last", "kept")
    for position, scope in enumerate(SCOPES[:2]):
        assert files_with(folder, f"canary of {scope}.")
        await cache.forget(scope)
        assert files_with(folder, f"canary of {scope}.") == []
        assert files_with(folder, scope) == []
        assert files_with(folder, f"canary of {SCOPES[position + 1]}.")
    assert await cache.get(SCOPES[2], "last") == "kept"


async def test_forgetting_what_was_never_kept_makes_no_file(cache: ReplyCache, folder: Path) -> None:
    await cache.forget("one")
    assert files_with(folder.parent, "") == []


async def test_a_call_in_flight_is_not_kept_once_its_conversation_is_forgotten(cache: ReplyCache, folder: Path) -> None:
    calls = Calls("canary", held=True)
    asking = asyncio.create_task(cache.shared("one", "k", calls))
    await calls.first_begun.wait()
    await cache.forget("one")
    calls.gate.set()
    assert await asking == "canary"
    assert await cache.get("one", "k") is None
    assert files_with(folder, "canary") == []


async def test_forgetting_deletes_the_whole_cache_when_rows_cannot_be_deleted(folder: Path) -> None:
    cache = ReplyCache(folder, busy_seconds=0.05)
    await cache.put("one", "k", "canary")
    other = sqlite3.connect(folder / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await cache.forget("one")
    assert files_with(folder, "canary") == []
    other.close()
    await cache.put("one", "k", "anew")
    assert await cache.get("one", "k") == "anew"
    await cache.close()


async def test_forgetting_that_fails_is_an_error(
    cache: ReplyCache, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cache.put("one", "k", "canary")
    other = sqlite3.connect(folder / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    def refused(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "not yours")

    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(StoreUnavailable, match="could not be deleted: PermissionError"):
        await cache.forget("one")
    other.close()


def garbage(path: Path) -> None:
    path.write_bytes(b"canary " * 2_000)


def cut_in_the_middle(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5_000])


def good_head_and_garbage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:4_096] + b"canary " * 3_000)


def tables_of_somebody_else(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE replies (canary TEXT)")
    db.close()


def later_release(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("UPDATE replies SET text = 'canary'")
    db.close()


@pytest.mark.parametrize(
    "damage", [garbage, cut_in_the_middle, good_head_and_garbage, tables_of_somebody_else, later_release]
)
async def test_a_damaged_file_is_moved_aside_and_begun_anew_and_goes_with_the_next_deletion(
    folder: Path, damage: Any
) -> None:
    first = ReplyCache(folder)
    for number in range(20):
        await first.put("one", f"k{number}", "canary " * 100)
    await first.close()
    damage(folder / FILE)

    cache = ReplyCache(folder)
    assert await cache.get("one", "k1") is None
    await cache.put("two", "k", "anew")
    assert await cache.get("two", "k") == "anew"
    assert files_with(folder, "canary") == [f"{FILE}.damaged"]
    await cache.forget("one")
    assert files_with(folder, "canary") == []
    assert await cache.get("two", "k") == "anew"
    await cache.close()


async def test_damage_found_while_forgetting_leaves_nothing_either(folder: Path) -> None:
    first = ReplyCache(folder)
    await first.put("one", "k", "canary " * 100)
    await first.close()
    garbage(folder / FILE)
    cache = ReplyCache(folder)
    await cache.forget("one")
    assert files_with(folder, "canary") == []
    await cache.close()


def put_elsewhere(folder: Path) -> None:
    for path in list(folder.iterdir()):
        path.rename(folder / f"elsewhere-{path.name}")


async def test_a_file_that_another_process_began_anew_is_not_moved_aside(cache: ReplyCache, folder: Path) -> None:
    await cache.put("one", "k", "old")
    breaking = sqlite3.connect(folder / FILE)
    breaking.execute("SELECT * FROM replies").fetchall()
    put_elsewhere(folder)
    other = ReplyCache(folder)
    await other.put("one", "k", "theirs")
    breaking.execute("DROP TABLE replies")
    breaking.close()

    await cache.put("one", "l", "ours")
    assert (await cache.get("one", "k"), await other.get("one", "l")) == ("theirs", "ours")
    assert f"{FILE}.damaged" not in modes(folder)
    await other.close()


async def test_a_reply_whose_bytes_changed_is_a_miss(cache: ReplyCache, folder: Path) -> None:
    await cache.put("one", "k", '{"label": "SUPPORT"}')
    with sqlite3.connect(folder / FILE) as db:
        db.execute("UPDATE replies SET text = ?", (b'{"label": "PARTIAL"}',))
    db.close()
    assert await cache.get("one", "k") is None


async def test_a_folder_that_cannot_be_written_means_no_keeping_and_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = ReplyCache(tmp_path / "file" / "replies")
    calls = Calls("private words")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert await cache.shared("one", "k", calls) == "private words"
        await cache.put("one", "k", "private words")
        assert await cache.get("one", "k") is None
        await cache.forget("one")
    assert calls.begun == 3
    assert len(caplog.records) == 1
    assert "private" not in caplog.text
    await cache.close()


async def test_a_folder_in_the_place_of_the_file_means_no_keeping(cache: ReplyCache, folder: Path) -> None:
    (folder / FILE).mkdir(parents=True)
    await cache.put("one", "k", "x")
    assert await cache.get("one", "k") is None


async def test_a_full_disk_means_no_keeping_until_there_is_space_again(
    cache: ReplyCache, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    open_file = sqlite3.connect
    opened: list[sqlite3.Connection] = []

    def small(*places: Any, **options: Any) -> sqlite3.Connection:
        connection = open_file(*places, **{**options, "check_same_thread": False})
        connection.execute("PRAGMA max_page_count = 6")
        opened.append(connection)
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    with caplog.at_level(logging.WARNING):
        await cache.put("one", "small", "x")
        await cache.put("one", "large", "x" * 50_000)
        await cache.put("one", "larger", "x" * 60_000)
    assert await cache.get("one", "small") == "x"
    assert await cache.get("one", "large") is None
    assert len(caplog.records) == 1
    opened[0].execute("PRAGMA max_page_count = 1000")
    await cache.put("one", "large", "x" * 50_000)
    assert await cache.get("one", "large") == "x" * 50_000


async def test_a_file_that_another_process_holds_means_no_keeping_this_time(folder: Path) -> None:
    cache = ReplyCache(folder, busy_seconds=0.05)
    await cache.put("one", "k", "before")
    other = sqlite3.connect(folder / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await cache.put("one", "l", "meanwhile")
    assert await cache.get("one", "k") == "before"
    other.execute("ROLLBACK")
    other.close()
    assert await cache.get("one", "l") is None
    await cache.put("one", "l", "after")
    assert await cache.get("one", "l") == "after"
    await cache.close()


async def test_equal_calls_at_the_same_time_are_one(cache: ReplyCache) -> None:
    calls = Calls(held=True)
    asking = [asyncio.create_task(cache.shared("one", "k", calls)) for _ in range(5)]
    await calls.first_begun.wait()
    calls.gate.set()
    assert await asyncio.gather(*asking) == ["made"] * 5
    assert calls.begun == 1


async def test_a_later_equal_call_is_answered_from_disk(cache: ReplyCache, folder: Path) -> None:
    calls = Calls()
    await cache.shared("one", "k", calls)
    other = ReplyCache(folder)
    assert await other.shared("one", "k", calls) == "made"
    assert calls.begun == 1
    await other.close()


async def test_calls_of_other_keys_and_conversations_are_not_joined(cache: ReplyCache) -> None:
    calls = Calls()
    await asyncio.gather(*(cache.shared(scope, key, calls) for scope in ("one", "two") for key in ("k", "l")))
    assert calls.begun == 4


async def test_a_kept_reply_that_is_not_usable_is_made_anew_and_replaced(cache: ReplyCache) -> None:
    await cache.put("one", "k", "stale")
    assert await cache.shared("one", "k", Calls("fresh"), usable=lambda text: text != "stale") == "fresh"
    assert await cache.get("one", "k") == "fresh"


async def test_a_cancelled_caller_does_not_cancel_the_call_of_the_others(cache: ReplyCache) -> None:
    calls = Calls(held=True)
    first, second, third = (asyncio.create_task(cache.shared("one", "k", calls)) for _ in range(3))
    await calls.first_begun.wait()
    first.cancel()
    third.cancel()
    await asyncio.wait([first, third])
    assert first.cancelled()
    assert third.cancelled()
    calls.gate.set()
    assert await second == "made"
    assert (calls.begun, calls.cancelled) == (1, 0)
    assert await cache.get("one", "k") == "made"


async def test_the_call_is_cancelled_when_every_caller_is_gone_and_the_next_one_begins_anew(
    cache: ReplyCache,
) -> None:
    calls = Calls(held=True)
    asking = [asyncio.create_task(cache.shared("one", "k", calls)) for _ in range(3)]
    await calls.first_begun.wait()
    for task in asking:
        task.cancel()
    await asyncio.wait(asking)
    assert (calls.begun, calls.cancelled) == (1, 1)
    assert await cache.get("one", "k") is None
    assert await cache.shared("one", "k", Calls("again")) == "again"


async def test_a_failed_call_reaches_everyone_who_waits_and_is_not_kept(cache: ReplyCache) -> None:
    calls = Calls(error=ModelUnreachable("busy"), held=True)
    asking = [asyncio.create_task(cache.shared("one", "k", calls)) for _ in range(4)]
    await calls.first_begun.wait()
    calls.gate.set()
    outcomes = await asyncio.gather(*asking, return_exceptions=True)
    assert outcomes == [calls.error] * 4
    assert calls.begun == 1
    assert await cache.shared("one", "k", Calls("again")) == "again"


async def test_no_task_and_no_thread_is_left_when_all_is_done(folder: Path) -> None:
    threads = threading.enumerate()
    cache = ReplyCache(folder)
    asking = [asyncio.create_task(cache.shared("one", f"k{n % 3}", Calls())) for n in range(9)]
    asking[0].cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    await cache.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert threading.enumerate() == threads


ASK = Ask(rendered=rendered(q="安静", n=[1, 2]), role=Role.FAST, reply_schema={"type": "object"})


def changed(**fields: Any) -> Ask:
    return ASK.model_copy(update={"rendered": ASK.rendered.model_copy(update=fields)})


@pytest.mark.parametrize(
    ("model", "ask"),
    [
        ("another", ASK),
        ("model", ASK.model_copy(update={"role": Role.MAIN})),
        ("model", ASK.model_copy(update={"reply_schema": {"type": "array"}})),
        ("model", changed(name="describe")),
        ("model", changed(digest="d2")),
        ("model", changed(inputs={"q": "安静", "n": [2, 1]})),
    ],
)
def test_the_key_changes_with_everything_a_reply_depends_on(model: str, ask: Ask) -> None:
    assert reply_key(model, ask) != reply_key("model", ASK)


@pytest.mark.parametrize(
    "ask",
    [
        ASK.model_copy(update={"max_tokens": 9}),
        ASK.model_copy(update={"repair": ("bad", "reason")}),
        changed(inputs={"n": (1, 2), "q": "安静"}),
    ],
)
def test_the_key_does_not_change_with_anything_else(ask: Ask) -> None:
    assert reply_key("model", ask) == reply_key("model", ASK)


def test_a_key_can_be_made_of_values_and_of_half_a_surrogate_pair() -> None:
    assert len(reply_key("model", changed(inputs={"node": ASK.rendered, "text": "\ud83d"}))) == 64

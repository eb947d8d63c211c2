"""The store and what is around it: a full disk, a folder that can only be read or is gone, another process (F4, F8,
C43, C46, C49)."""

import asyncio
import errno
import io
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from langgraph.checkpoint.base import id as ids

import app
from dialogue import command_line, serving
from dialogue.commands import failed_turn
from dialogue.store import CHATS, FOLDER
from dialogue.thread_locks import ThreadLocks
from pdgf.errors import ConversationBusy
from tests.dialogue.town import open_town
from tests.reliability import damaging, full_disk
from tests.reliability.sharing import side_by_side

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def conversation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    asyncio.run(full_disk.built(folder))
    return folder


def test_a_disk_that_is_full_ends_turns_in_words_and_everything_works_again_with_space(
    conversation: Path, tmp_path: Path
) -> None:
    for size in full_disk.sizes(conversation)[2::8]:
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        shutil.copytree(conversation, tmp_path / "copy")
        assert not full_disk.when_full(tmp_path / "copy", size), size


def test_what_was_said_can_be_read_where_a_disk_is_full_already_at_the_start(
    conversation: Path, tmp_path: Path
) -> None:
    shutil.copytree(conversation, tmp_path / "copy")
    assert not full_disk.when_full(tmp_path / "copy", 0, from_the_start=True)


def test_what_was_said_can_be_read_where_nothing_can_be_written(conversation: Path, tmp_path: Path) -> None:
    shutil.copytree(conversation, tmp_path / "copy")
    assert not full_disk.when_read_only(tmp_path / "copy")


def test_no_turn_is_taken_when_the_folder_has_been_taken_away(conversation: Path, tmp_path: Path) -> None:
    shutil.copytree(conversation, tmp_path / "copy")
    assert not full_disk.when_gone(tmp_path / "copy")


def test_two_processes_lose_no_turn_of_a_conversation_that_both_talk_in(tmp_path: Path) -> None:
    assert side_by_side(tmp_path, 8) == ([], 0)


async def test_a_clock_that_is_set_back_between_two_starts_hides_no_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_town(tmp_path) as town:
        await town.say("ramen in Old Harbour")
    now = time.time_ns() - 3_600_000_000_000
    monkeypatch.setattr(ids, "_last_v6_timestamp", None)
    monkeypatch.setattr(ids.time, "time_ns", lambda: now)
    async with open_town(tmp_path) as again:
        async for _ in again.conversations.turn(town.thread, "something quieter"):
            pass
        history = await again.conversations.history(town.thread)
        assert [view.utterance for view in history] == ["ramen in Old Harbour", "something quieter"]
        await again.conversations.undo(town.thread)
        assert await again.conversations.history(town.thread) == history[:1]


@pytest.mark.parametrize("damage", [damaging.a_text, damaging.foreign, damaging.of_the_future])
def test_a_store_that_cannot_be_used_is_told_in_a_sentence_before_anything_is_served(
    conversation: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: damaging.Damage
) -> None:
    shutil.copytree(conversation, tmp_path / "copy")
    damage(tmp_path / "copy" / FOLDER / CHATS, random.Random(1))
    monkeypatch.setenv("PDGF_DATA_DIR", str(tmp_path / "copy"))
    monkeypatch.setattr(serving, "address", lambda: ("127.0.0.1", 1))
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert "I have changed nothing in it." in str(ended.value)
    assert CHATS in str(ended.value)


def test_a_data_folder_that_is_none_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PDGF_DATA_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(serving, "address", lambda: ("127.0.0.1", 1))
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert str(ended.value).endswith(".")
    assert "Error" not in str(ended.value)


async def test_a_turn_that_could_not_even_be_stored_is_printed_with_its_own_words(conversation: Path) -> None:
    async with full_disk.open_reading(conversation) as conversations:
        view = await failed_turn(conversations, full_disk.THREAD, "and now?", "The disk is full.")
        assert (view.utterance, view.reply, view.finished) == ("and now?", "The disk is full.", False)
        unknown = await failed_turn(conversations, await conversations.start("movies", "o"), "hello", "No.")
        assert (unknown.utterance, unknown.reply) == ("hello", "No.")


async def test_whoever_waits_too_long_for_another_process_is_told(tmp_path: Path) -> None:
    holding = f"""
import asyncio
from pathlib import Path
from dialogue.thread_locks import ThreadLocks
async def hold():
    async with ThreadLocks(Path({str(tmp_path)!r})).held("t", patience=1):
        print("held", flush=True)
        await asyncio.sleep(60)
asyncio.run(hold())
"""
    with subprocess.Popen([sys.executable, "-c", holding], cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:  # noqa: ASYNC220
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        locks = ThreadLocks(tmp_path)
        try:
            with pytest.raises(ConversationBusy):
                async with locks.held("t", patience=0.1):
                    pass
            async with locks.held("another", patience=0.1):
                pass
            other.kill()  # a lock ends with its process
            other.wait()
            async with locks.held("t", patience=1.0):
                pass
        finally:
            locks.close()


WATCH = """
import importlib.abc, os, sys
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "false"
class Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "langgraph":
            print(os.environ["LANGGRAPH_STRICT_MSGPACK"], flush=True)
            os._exit(0)
sys.meta_path.insert(0, Watch())
import {module}
"""


@pytest.mark.parametrize("module", ["app", "dialogue.cli", "dialogue.store", "dialogue.loop", "dialogue.seals"])
def test_checkpoints_are_read_strictly_wherever_one_enters_and_whatever_the_machine_says(module: str) -> None:
    """What LangGraph finds when it is first imported, which is when it looks."""
    run = [sys.executable, "-c", WATCH.replace("{module}", module)]
    assert subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True).stdout == "true\n"


class Full(io.StringIO):
    """An output that takes nothing any more."""

    def write(self, words: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_words_beside_the_output_end_nothing_where_they_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Full())
    with pytest.raises(OSError, match="No space left"):
        print("words", file=sys.stderr)
    command_line.aside("words")

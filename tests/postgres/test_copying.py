"""Conversations of a data folder go on in a database, and stay in their files."""

import asyncio
import json
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dialogue.beginning import UNDO_DEPTH
from dialogue.cli import app
from dialogue.conversation import Conversations
from dialogue.postgres import copying
from dialogue.postgres.copying import KEY_FILES, copied
from dialogue.postgres.database import Database
from dialogue.postgres.keys import shared_keys
from dialogue.seen_lists import SeenTitle
from dialogue.store import ConversationStore
from dialogue.storing import Store
from dialogue.ui.server import BROWSER_KEY, SERVER_KEY
from pdgf.errors import BadInput, StoreUnavailable
from tests.contracts.stores import shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.postgres.serving import fresh_url

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
SAID = ("ramen in Old Harbour", "quiet please", "vegan please")


@asynccontextmanager
async def talking(store: Store) -> AsyncIterator[Conversations]:
    async with Conversations(store, always(town_ports(VocabularyAgent(WORDS), Shelf(PLACES)))) as talks:
        yield talks


async def say(talks: Conversations, thread: str, *utterances: str) -> None:
    for utterance in utterances:
        async for _ in talks.turn(thread, utterance):
            pass


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A data folder with two conversations, one of them broken off, a third without a turn, and known titles."""
    async with talking(ConversationStore(tmp_path)) as talks:
        for thread, owner in (("one", "ann"), ("two", "bob"), ("empty", "ann")):
            await talks.start("restaurants", owner, thread)
        await say(talks, "one", *SAID)
        await say(talks, "two", SAID[0])
        stopped = talks.turn("two", SAID[1])
        await anext(stopped)
        await stopped.aclose()  # type: ignore[attr-defined]
        await talks.add_seen("ann", [SeenTitle(title="Heat", year=1995), SeenTitle(title="Alien", year=None)])
    for name in KEY_FILES:
        (tmp_path / name).write_text(f"secret of {name}\n")
    return tmp_path


async def test_all_of_them_are_there_as_they_were_and_go_on(folder: Path) -> None:
    url = fresh_url()
    database = Database(url)
    found = await copied(folder, database)
    assert (found.copied, found.there, found.damaged, found.seen, found.found_by_browsers) == (3, 0, 0, 2, True)
    assert shared_keys(url, KEY_FILES) == {name: f"secret of {name}" for name in KEY_FILES}
    await database.close()
    async with talking(ConversationStore(folder)) as before, shared(url) as store, talking(store) as after:
        for owner in ("ann", "bob"):
            assert await after.list(owner) == await before.list(owner)
            assert await after.seen_of(owner) == await before.seen_of(owner)
        for thread in ("one", "two", "empty"):
            assert await after.history(thread, unfinished=True) == await before.history(thread, unfinished=True)
        assert len(await after.history("one")) == 3
        assert await after.recommendation("one") == await before.recommendation("one")
        await after.undo("one")  # the way back came along
        await say(after, "one", "cheap please")
        assert [view.utterance for view in await after.history("one")] == [*SAID[:2], "cheap please"]
        assert len(await before.history("one")) == 3


async def test_a_second_copy_changes_nothing_that_went_on_meanwhile(folder: Path) -> None:
    url = fresh_url()
    database = Database(url)
    await copied(folder, database)
    async with shared(url) as store, talking(store) as talks:
        await say(talks, "one", "cheap please")
        found = await copied(folder, database)
        assert (found.copied, found.there, found.found_by_browsers) == (1, 2, True)  # the one without a turn anew
        assert len(await talks.history("one")) == 4
    await database.close()


async def test_what_was_said_in_the_files_after_a_copy_comes_along_with_the_next_one(folder: Path) -> None:
    url = fresh_url()
    database = Database(url)
    await copied(folder, database)
    async with talking(ConversationStore(folder)) as talks:
        await say(talks, "one", "cheap please", "loud please")
        await talks.start("restaurants", "ann", "three")
        await say(talks, "three", SAID[0])
        stopped = talks.turn("two", SAID[2])  # words without an answer
        await anext(stopped)
        await stopped.aclose()  # type: ignore[attr-defined]
    found = await copied(folder, database)
    assert (found.copied, found.renewed, found.there, found.apart) == (2, 2, 0, 0)  # the one without a turn anew
    again = await copied(folder, database)
    assert (again.copied, again.renewed, again.there, again.apart) == (1, 0, 3, 0)
    await database.close()
    async with talking(ConversationStore(folder)) as before, shared(url) as store, talking(store) as after:
        for thread in ("one", "two", "three"):
            assert await after.history(thread, unfinished=True) == await before.history(thread, unfinished=True)
        assert len(await after.history("one")) == 5
        await after.undo("one")
        await say(after, "one", "quiet please")
        assert [view.utterance for view in await after.history("one")] == [*SAID, "cheap please", "quiet please"]


async def test_after_more_turns_than_can_be_taken_back_the_new_ones_come_along_too(folder: Path) -> None:
    url = fresh_url()
    database = Database(url)
    await copied(folder, database)
    async with talking(ConversationStore(folder)) as talks:
        await say(talks, "one", *[f"{word} please" for word in ("quiet", "cheap") * (UNDO_DEPTH // 2 + 1)])
    assert (await copied(folder, database)).renewed == 1
    await database.close()
    async with shared(url) as store, talking(store) as after:
        assert len(await after.history("one")) == len(SAID) + UNDO_DEPTH + 2


@pytest.mark.parametrize("unanswered", [False, True])
async def test_what_went_on_in_both_places_stays_in_each_and_is_told(folder: Path, unanswered: bool) -> None:
    url = fresh_url()
    database = Database(url)
    await copied(folder, database)
    async with talking(ConversationStore(folder)) as files, shared(url) as store, talking(store) as talks:
        if unanswered:
            stopped = talks.turn("one", "loud please")
            await anext(stopped)
            await stopped.aclose()  # type: ignore[attr-defined]
        else:
            await say(talks, "one", "loud please")
        await say(files, "one", *[f"{word} please" for word in ("quiet", "cheap") * (UNDO_DEPTH // 2 + 1)])
        told = await talks.history("one", unfinished=True)
        found = await copied(folder, database)
        assert (found.renewed, found.there, found.apart) == (0, 1, 1)
        assert await talks.history("one", unfinished=True) == told
        assert len(await files.history("one")) == len(SAID) + UNDO_DEPTH + 2
    await database.close()


async def test_new_turns_that_are_damaged_take_nothing_from_what_was_copied_before(folder: Path) -> None:
    url = fresh_url()
    database = Database(url)
    await copied(folder, database)
    async with talking(ConversationStore(folder)) as talks:
        await say(talks, "one", "cheap please")
    with sqlite3.connect(folder / "conversations" / "turns.sqlite3") as connection:
        [first] = connection.execute("SELECT min(rowid) FROM checkpoints WHERE thread_id = 'one'").fetchone()
        connection.execute("UPDATE checkpoints SET checkpoint = x'00' WHERE rowid = ?", (first,))
    assert (await copied(folder, database)).damaged == 1
    await database.close()
    async with shared(url) as store, talking(store) as after:
        assert [view.utterance for view in await after.history("one")] == list(SAID)


async def test_nothing_is_copied_while_another_process_uses_the_folder_and_none_may_use_it_meanwhile(
    folder: Path,
) -> None:
    database = Database(fresh_url())
    other = await opened_elsewhere(folder)
    assert (await other.stdout.readline()).strip() == b"open"  # type: ignore[union-attr]
    with pytest.raises(BadInput, match="is in use"):
        await copied(folder, database)
    other.kill()
    await other.wait()
    assert (await copied(folder, database)).copied == 3
    await database.close()
    async with ConversationStore(folder) as store:
        assert store.use_alone()
        refused = await opened_elsewhere(folder)
        _, said = await refused.communicate()
        assert b"StoreBeingCopied" in said
    once_more = await opened_elsewhere(folder)
    assert (await once_more.stdout.readline()).strip() == b"open"  # type: ignore[union-attr]
    once_more.kill()
    await once_more.wait()


async def opened_elsewhere(folder: Path) -> asyncio.subprocess.Process:
    """Another process that opens the conversations of a folder, says so, and keeps them open."""
    code = (
        "import asyncio, sys; from pathlib import Path; from dialogue.store import ConversationStore\n"
        "async def main():\n"
        "    async with ConversationStore(Path(sys.argv[1])):\n"
        "        print('open', flush=True)\n"
        "        await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    return await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(folder), cwd=ROOT, **pipes)


async def test_a_copy_that_was_stopped_goes_on_where_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = fresh_url()
    database = Database(url)
    steps, calls = copying._steps, []

    async def failing(thread: str, source: ConversationStore, target: object) -> None:
        calls.append(thread)
        await steps(thread, source, target)  # type: ignore[arg-type]
        if len(calls) == 2:
            raise StoreUnavailable("the plug was pulled")

    monkeypatch.setattr(copying, "_steps", failing)
    with pytest.raises(StoreUnavailable):
        await copied(folder, database)
    found = await copied(folder, database)
    assert (found.copied + found.there, found.damaged, found.found_by_browsers) == (3, 0, True)
    await database.close()
    async with talking(ConversationStore(folder)) as before, shared(url) as store, talking(store) as after:
        for thread in ("one", "two"):
            assert await after.history(thread, unfinished=True) == await before.history(thread, unfinished=True)


async def test_a_database_that_was_in_use_keeps_its_own_and_it_is_said_what_browsers_will_not_find(
    folder: Path,
) -> None:
    url = fresh_url()
    database = Database(url)
    async with shared(url) as store, talking(store) as talks:
        await talks.start("restaurants", "cleo", "one")
        await say(talks, "one", "cheap please")
        shared_keys(url, KEY_FILES)
        found = await copied(folder, database)
        assert (found.copied, found.apart, found.found_by_browsers) == (2, 1, False)
        assert [view.utterance for view in await talks.history("one")] == ["cheap please"]
        assert (await talks.find("one")).owner == "cleo"
    await database.close()


async def test_a_damaged_conversation_stays_and_the_others_come_along(folder: Path) -> None:
    with sqlite3.connect(folder / "conversations" / "turns.sqlite3") as connection:
        connection.execute("UPDATE checkpoints SET checkpoint = x'00' WHERE thread_id = 'one'")
    database = Database(fresh_url())
    found = await copied(folder, database)
    assert (found.copied, found.damaged) == (2, 1)
    assert await database.rows("SELECT thread FROM conversations ORDER BY thread") == [("empty",), ("two",)]
    await database.close()


def test_the_files_of_secrets_are_those_of_the_page() -> None:
    assert set(KEY_FILES) == {BROWSER_KEY, SERVER_KEY}


def test_the_command_says_what_came_along_and_needs_a_database_and_the_right_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PDGF_DATA_DIR", str(folder / "nowhere"))
    refused = CliRunner().invoke(app, ["copy-conversations"])
    assert (refused.exit_code, "PDGF_DATABASE_URL" in refused.stderr) == (2, True)
    monkeypatch.setenv("PDGF_DATABASE_URL", fresh_url())
    wrong = CliRunner().invoke(app, ["copy-conversations"])
    assert (wrong.exit_code, "holds no conversations" in wrong.stderr) == (2, True)
    monkeypatch.setenv("PDGF_DATA_DIR", str(folder))
    shown = CliRunner().invoke(app, ["copy-conversations"])
    assert "2 known titles" in shown.stdout
    printed = json.loads(CliRunner().invoke(app, ["copy-conversations", "--json"]).stdout)
    assert printed["there"] == 2

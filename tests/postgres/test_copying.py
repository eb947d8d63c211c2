"""Conversations of a data folder go on in a database, and stay in their files."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

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
from pdgf.errors import StoreUnavailable
from tests.contracts.stores import shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.postgres.serving import fresh_url

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
        assert (found.copied, found.there, found.found_by_browsers) == (2, 1, False)
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

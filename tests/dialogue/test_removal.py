"""A catalogue is removed once that was agreed to, from the place that was meant, and pages no longer offer it."""

import asyncio
import json
import re
import shlex
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dialogue import cli, command_line, removal, wording
from dialogue.catalogue_list import DATABASE, FOLDER, listed
from dialogue.cli import app
from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.removal import Going, Place, going, removed
from dialogue.ui.desk import Desk, Screen, recall, remembered
from dialogue.ui.runs import Runs
from dialogue.ui.texts import page_texts
from dialogue.ui.visits import open_page, open_thread, say, turn_to
from pdgf.catalogues.bundled import BUNDLED
from pdgf.errors import BadInput, CatalogueGone, ConfigInvalid, IndexUnavailable, UnknownDomain
from pdgf.settings import Settings
from tests.dialogue.test_catalogue_list import in_files, indexed_in_files
from tests.dialogue.test_indexing import ITEMS, cheap_encoder, composed, index
from tests.variants import every
from tests.vector_database import database_url, write_items

__all__ = ["cheap_encoder", "database_url"]

BEGIN = "A quiet fantasy film."
GONE = {language: page_texts(language)["status"]["gone_box"] for language in ("en", "zh")}


@pytest.fixture
async def both(database_url: str, tmp_path: Path) -> Settings:
    """One name in the data folder and in the database, of five items here and of twelve there."""
    settings = Settings(data_dir=tmp_path / "data", database_url=database_url, engine="builtin", bundled=())
    await indexed_in_files(in_files(tmp_path / "data"), write_items(tmp_path / "few.jsonl", ITEMS[:5]), "shop")
    await index(settings, write_items(tmp_path / "all.jsonl", ITEMS), [])
    return settings


async def places_of(settings: Settings) -> list[tuple[str, int]]:
    composition = composed(settings)
    rows = [(row.place, row.items) for row in await listed(composition) if row.name == "shop"]
    await composition.close()
    return rows


def typed(monkeypatch: pytest.MonkeyPatch, settings: Settings, *arguments: str, answer: str | None = None) -> Result:
    """The command with these settings; on a terminal where there is an answer."""
    monkeypatch.setattr(cli, "_composition", lambda *_: composed(settings))
    monkeypatch.setattr(command_line, "on_terminal", lambda: answer is not None)
    return CliRunner().invoke(app, ["remove", *arguments], input=answer or "")


@pytest.mark.parametrize("name", ["shop", "", "../domains", "own-0123456789abcdef-0123456789abcdef"])
async def test_what_is_not_there_is_not_removed(tmp_path: Path, name: str) -> None:
    composition = composed(in_files(tmp_path))
    with pytest.raises(UnknownDomain):
        await going(name, composition)
    with pytest.raises(BadInput, match="not in the data folder"):
        await going(name, composition, Place.FOLDER)
    await composition.close()


async def test_what_comes_with_the_program_is_not_removed_and_no_database_is_no_place(tmp_path: Path) -> None:
    composition = composed(in_files(tmp_path))
    with pytest.raises(ConfigInvalid, match="comes with the program"):
        await going("movies", composition)
    with pytest.raises(ConfigInvalid, match="PDGF_DATABASE_URL"):
        await going("shop", composition, Place.DATABASE)
    await composition.close()


async def test_a_name_in_both_places_goes_from_the_one_that_is_named_and_from_neither_without_it(
    both: Settings,
) -> None:
    composition = composed(both)
    with pytest.raises(BadInput) as refused:
        await going("shop", composition)
    for said in (DATABASE, "12 items", FOLDER, "5 items", "--place database", "--place folder"):
        assert said in str(refused.value)
    assert await places_of(both) == [(FOLDER, 5), (DATABASE, 12)]
    old = await going("shop", composition, Place.FOLDER)
    assert (old.place, old.items, old.passages > 5, old.size > 0) == (Place.FOLDER, 5, True, True)
    assert (await removed(old, composition))["from"] == [FOLDER]
    assert await places_of(both) == [(DATABASE, 12)]
    rest = await going("shop", composition)
    assert (rest.place, rest.items) == (Place.DATABASE, 12)
    await removed(rest, composition)
    assert await places_of(both) == []
    with pytest.raises(UnknownDomain):  # it has gone since it was told
        await removed(rest, composition)
    await composition.close()


async def test_the_folder_is_cleared_away_without_a_database_that_answers(both: Settings) -> None:
    down = both.model_copy(update={"database_url": Settings(database_url="host=127.0.0.1 port=9").database_url})
    composition = composed(down)
    with pytest.raises(IndexUnavailable):
        await going("shop", composition)
    assert (await going("shop", composition, Place.FOLDER)).items == 5
    await composition.close()


def test_without_a_terminal_it_is_refused_with_the_command_that_asks_nothing(
    both: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = typed(monkeypatch, both, "shop", "--place", "folder", "--json")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "5 items" in refused.stderr
    command = re.search(r"pdgf (remove .*--yes)", refused.stderr)
    assert command is not None
    gone = typed(monkeypatch, both, *shlex.split(command[1])[1:], "--json")
    assert gone.exit_code == 0
    printed = json.loads(gone.stdout)
    assert (printed["removed"], printed["from"], printed["items"]) == ("shop", [FOLDER], 5)


@pytest.mark.parametrize(("answer", "goes"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_on_a_terminal_it_goes_when_that_is_agreed_to_and_not_otherwise(
    both: Settings, monkeypatch: pytest.MonkeyPatch, answer: str, goes: bool
) -> None:
    typed(monkeypatch, both, "shop", "--place", "folder", "--yes")
    asked = typed(monkeypatch, both, "shop", answer=answer)
    assert asked.exit_code == 0
    for said in ("12 items", "passages", "MB", DATABASE, "Remove it?"):
        assert said in asked.stderr
    assert asked.stdout.endswith("\nshop is gone from the database.\n" if goes else "\nNothing was removed.\n")
    again = typed(monkeypatch, both, "shop", "--yes")
    assert (again.exit_code, "is gone" in again.stdout) == ((2, False) if goes else (0, True))


def test_a_question_that_is_left_unanswered_removes_nothing(both: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert typed(monkeypatch, both, "shop", "--place", "database", answer="").exit_code != 0
    assert typed(monkeypatch, both, "shop", "--place", "database", "--yes").exit_code == 0


def test_bytes_that_are_not_known_are_not_said() -> None:
    row = Going(name="shop", place=Place.FOLDER, items=3, passages=4, size=0)
    assert "3 items, 4 passages." in removal.going_text(row)


def visiting(composition: Composition, conversations: Conversations, language: str = "en") -> Desk:
    runs = Runs(conversations, at_once=8)
    texts = page_texts(language)
    return Desk(conversations=conversations, runs=runs, domains=composition.offered, texts=texts)


def talking(composition: Composition, folder: Path) -> Conversations:
    return Conversations(folder, composition.ports, domains=composition.offered.values())


async def last(screens: AsyncIterator[Screen]) -> Screen:
    return [screen async for screen in screens][-1]


async def served(settings: Settings, *, as_stored: bool, tmp_path: Path) -> Settings:
    """The settings of a page that offers a catalogue of this name from one of the two places."""
    path = write_items(tmp_path / "all.jsonl", ITEMS)
    if as_stored:
        await index(settings, path, [])
        return settings
    files = in_files(tmp_path / "data", BUNDLED)
    await indexed_in_files(files, path, "shop")
    return files


async def no_longer_there(settings: Settings) -> None:
    """It is removed by another process."""
    other = composed(settings)
    await removed(await going("shop", other), other)
    await other.close()


@pytest.mark.parametrize("as_stored", [True, False])
@pytest.mark.parametrize("language", every(2, ["en", "zh"]))
async def test_a_page_no_longer_offers_what_another_process_has_removed_and_says_so_to_who_is_in_it(
    database_url: str, tmp_path: Path, as_stored: bool, language: str
) -> None:
    settings = Settings(data_dir=tmp_path / "data", database_url=database_url, engine="builtin")
    settings = await served(settings, as_stored=as_stored, tmp_path=tmp_path)
    composition = composed(settings)
    async with talking(composition, tmp_path / "talks") as conversations:
        desk = visiting(composition, conversations, language)
        turned = await last(turn_to(desk, None, "shop", "tab"))
        screen = await last(say(desk, remembered(turned.memory), BEGIN, "tab"))  # type: ignore[arg-type]
        assert screen.running is False
        [row] = await conversations.list(turned.memory.owner)  # type: ignore[union-attr]
        stored = remembered(turned.memory.with_thread(row.thread))  # type: ignore[union-attr]
        assert (row.domain, len(await conversations.history(row.thread))) == ("shop", 1)

        await no_longer_there(settings)
        assert "shop" in await composition.offered.look()
        assert list(desk.domains) == list(BUNDLED)
        refused = await last(say(desk, stored, "something loud", "tab"))
        assert (refused.status, refused.box, refused.running) == (GONE[language], "something loud", False)
        assert refused.memory is not None
        assert refused.memory.domain == BUNDLED[0]
        assert recall(desk, remembered(refused.memory)).thread is None
        assert len(await conversations.list(row.owner)) == 1  # nothing was begun elsewhere with these words
        for screens in (
            open_page(desk, stored, "tab"),
            turn_to(desk, remembered(refused.memory), "shop", "tab"),
            open_thread(desk, remembered(refused.memory), row.thread, "tab"),
        ):
            assert page_texts(language)["status"]["gone"][:9] in str((await last(screens)).status)
    await composition.close()


@pytest.mark.parametrize("as_stored", [True, False])
async def test_a_turn_over_a_removed_catalogue_ends_in_words_for_the_visitor_before_and_after_it_was_noticed(
    database_url: str, tmp_path: Path, as_stored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path / "data", database_url=database_url, engine="builtin")
    settings = await served(settings, as_stored=as_stored, tmp_path=tmp_path)
    composition = composed(settings)
    async with talking(composition, tmp_path / "talks") as conversations:
        thread = await conversations.start("shop", "ann")
        await turn(conversations, thread, BEGIN)
        await no_longer_there(settings)
        if as_stored:  # one of the data folder is held in memory until it is noticed
            wished = await turn(conversations, thread, "a loud drama")
            assert wished.view.reply == wording.sentence_for(CatalogueGone("shop"))
            with pytest.raises(CatalogueGone):
                await turn(conversations, thread, "is the first one loud?")
        before = [view.utterance for view in await conversations.history(thread)]
        monkeypatch.setattr("dialogue.composition.LOOK_SECONDS", 0.0)
        await until_noticed(composition)
        with pytest.raises(CatalogueGone):
            await turn(conversations, thread, "a loud drama")
        with pytest.raises(CatalogueGone):
            await conversations.recommendation(thread)
        assert [view.utterance for view in await conversations.history(thread)] == before
    await composition.close()


async def test_of_a_name_in_both_places_the_other_one_is_served_once_the_first_is_removed(
    both: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    composition = composed(both)
    assert len((await composition.ports("shop")).catalogue.items()) == 12
    other = composed(both)
    await removed(await going("shop", other, Place.DATABASE), other)
    await other.close()
    monkeypatch.setattr("dialogue.composition.LOOK_SECONDS", 0.0)
    await until_noticed(composition)
    assert "shop" in composition.offered
    assert len((await composition.ports("shop")).catalogue.items()) == 5
    await composition.close()


async def test_a_catalogue_that_comes_into_the_database_is_offered_and_one_that_cannot_be_seen_stays(
    database_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(data_dir=tmp_path / "data", database_url=database_url, engine="builtin")
    composition = composed(settings)
    assert list(composition.offered) == list(BUNDLED)
    await index(settings, write_items(tmp_path / "all.jsonl", ITEMS), [])
    await composition.offered.look()
    assert list(composition.offered) == [*BUNDLED, "shop"]
    assert composition.catalogues.stored is not None
    composition.catalogues.stored.url = "host=127.0.0.1 port=9"
    for _ in range(3):
        assert await composition.offered.look() == frozenset()
    assert list(composition.offered) == [*BUNDLED, "shop"]
    assert len([row for row in caplog.records if "cannot be seen now" in row.message]) == 1
    await composition.close()


async def turn(conversations: Conversations, thread: str, utterance: str) -> Any:
    async for event in conversations.turn(thread, utterance):
        last_one = event
    return last_one


async def until_noticed(composition: Composition) -> None:
    """Until a process that runs has let go of what it had open under the name."""
    following = asyncio.create_task(composition.keep_up())
    for _ in range(1_000):
        if "shop" not in composition._ready:
            break
        await asyncio.sleep(0.01)
    following.cancel()
    assert "shop" not in composition._ready

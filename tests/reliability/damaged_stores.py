"""Stores that were damaged after they were closed, and what a reader of them is told (RELIABILITY F5)."""

import contextlib
import logging
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dialogue import wording
from dialogue.conversation import Conversations
from dialogue.seen_lists import SeenTitle
from dialogue.store import CHATS, FOLDER, TURNS
from pdgf.errors import PdgfError
from tests.dialogue.town import PLACES, WORDS, always, open_town, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.reliability import crafted, damaging
from tests.reliability.damaging import Do, at

THREADS = ("one", "two", "three", "four", "five", "six")
TARGET = "three"
OWNERS = ("somebody", "another")
UTTERANCES = ("ramen in Old Harbour", "something quieter", "more")


@dataclass
class Verdict:
    """What came of a damaged store. `fault` is empty where it was told, or did no harm."""

    fault: str = ""
    refused: bool = False
    opened: list[str] = field(default_factory=list)


@dataclass
class Truth:
    """A store, and what is in it."""

    folder: Path
    views: dict[str, list[str]] = field(default_factory=dict)
    titles: dict[str, dict[str, str]] = field(default_factory=dict)


async def built(folder: Path) -> Truth:
    """Six conversations of two owners, the last one with a turn that was not finished."""
    truth = Truth(folder)
    async with open_town(folder) as town:
        talk = town.conversations
        await talk.add_seen(OWNERS[0], [SeenTitle(title=f"Title {number}") for number in range(30)])
        for number, thread in enumerate(THREADS):
            await talk.start("restaurants", OWNERS[number % 2], thread)
            for utterance in UTTERANCES[: 1 + number % 3]:
                async for _ in talk.turn(thread, utterance):
                    pass
        town.agent.failing = PdgfError("stop")
        with contextlib.suppress(PdgfError):
            async for _ in talk.turn(THREADS[-1], "with a terrace"):
                pass
        for thread in THREADS:
            truth.views[thread] = await _said(talk, thread)
        for owner in OWNERS:
            truth.titles[owner] = {row.thread: row.title for row in await talk.list(owner)}
    return truth


def damages(truth: Truth, canary: Path, *, seeds: int) -> Iterator[tuple[str, Do]]:
    """Every kind of damage, those that hit a random place with so many seeds each."""
    files = [truth.folder / FOLDER / name for name in (CHATS, TURNS)]
    for kind in (*damaging.RANDOM, damaging.shuffled):
        for file in files:
            for seed in range(seeds):
                yield f"{file.name} {kind.__name__} {seed}", at(kind, f"{FOLDER}/{file.name}", seed)
    for kind in (*damaging.WHOLE, damaging.foreign, damaging.foreign_of_the_same_names):
        for file in files:
            yield f"{file.name} {kind.__name__}", at(kind, f"{FOLDER}/{file.name}", 0)
    yield "of the future", at(damaging.of_the_future, f"{FOLDER}/{CHATS}", 1)
    yield "chats and turns swapped", lambda folder: damaging.swapped(*(folder / FOLDER / n for n in (CHATS, TURNS)))
    yield "chats are gone", lambda folder: (folder / FOLDER / CHATS).unlink()
    yield "turns are gone", lambda folder: (folder / FOLDER / TURNS).unlink()
    yield from crafted.of_another_type(truth.folder, TARGET)
    yield from crafted.of_another_shape(truth.folder, TARGET)
    yield from crafted.that_name_code(canary, TARGET)


def aimed(name: str) -> bool:
    """Whether a damage touches one conversation alone."""
    return "= " in name or name.startswith(("a checkpoint", "code in"))


async def tried(truth: Truth, place: Path, name: str, do: Do, canary: Path) -> Verdict:
    """Damage a copy, open it, read everything, go on with everything."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(truth.folder, place)
    do(place)
    before = _bytes(place)
    verdict = Verdict()
    with _warnings() as warned:
        try:
            await _read(truth, place, verdict, warned)
        except PdgfError as error:
            verdict.refused = True
            verdict.fault = _not_plain(error)
            if not verdict.fault and _bytes(place) != before:
                verdict.fault = "a file that was refused has been changed"
        except Exception as error:  # noqa: BLE001  whatever it is, it is a fault
            verdict.fault = f"{type(error).__name__}: {error}"
    if canary.exists():  # noqa: ASYNC240
        canary.unlink()  # noqa: ASYNC240
        verdict.fault = "code was run"
    others = {thread for thread in THREADS if thread != TARGET}
    if aimed(name) and not verdict.refused and not others <= set(verdict.opened) and not verdict.fault:
        verdict.fault = f"undamaged conversations do not open: {sorted(others - set(verdict.opened))}"
    return verdict


async def _read(truth: Truth, place: Path, verdict: Verdict, warned: list[str]) -> None:
    async with _conversations(place) as talk:
        for owner in OWNERS:
            try:
                found = {row.thread: row.title for row in await talk.list(owner)}
            except PdgfError as error:
                verdict.fault = verdict.fault or _not_plain(error)
                continue
            if found != truth.titles[owner] and not warned:
                verdict.fault = f"the list of {owner} is silently {found}"
            if not found.items() <= truth.titles[owner].items():
                verdict.fault = f"the list of {owner} is wrong: {found}"
        for thread in THREADS:
            try:
                said = await _said(talk, thread)
                if said != truth.views[thread]:
                    verdict.fault = f"{thread} silently reads otherwise"
                async for _ in talk.turn(thread, "hello"):
                    pass
                verdict.opened.append(thread)
            except PdgfError as error:
                verdict.fault = verdict.fault or _not_plain(error)


async def _said(talk: Conversations, thread: str) -> list[str]:
    return [view.model_dump_json() for view in await talk.history(thread, unfinished=True)]


@contextlib.asynccontextmanager
async def _conversations(folder: Path) -> AsyncIterator[Conversations]:
    async with Conversations(folder, always(town_ports(VocabularyAgent(WORDS), Shelf(PLACES)))) as conversations:
        yield conversations


def _bytes(place: Path) -> dict[str, bytes]:
    files = (file for file in (place / FOLDER).glob("*.sqlite3") if file.is_file())
    return {file.name: file.read_bytes() for file in files}


def _not_plain(error: PdgfError) -> str:
    """What is wrong with what a user reads of an error; empty where that is a plain sentence."""
    told = wording.sentence_for(error)
    jargon = [word for word in ("Error", "Traceback", "sqlite3.", "None", "{") if word in told.replace(".sqlite3", "")]
    return f"{told!r} is not plain" if jargon or not told.endswith(".") else ""


@contextlib.contextmanager
def _warnings() -> Iterator[list[str]]:
    """The warnings that are logged inside."""
    told: list[str] = []
    handler: Any = logging.Handler(logging.WARNING)
    handler.emit = lambda record: told.append(record.getMessage())
    log = logging.getLogger("dialogue.store")
    log.addHandler(handler)
    try:
        yield told
    finally:
        log.removeHandler(handler)

"""Conversations on a disk that is full, or that can only be read (RELIABILITY F4).

A full disk is a limit on the size of files, which a process can set for itself; a disk that can only be read is made
by permissions, which root is made to obey.
"""

import ctypes
import os
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from dialogue import wording
from dialogue.conversation import Conversations
from dialogue.store import CHATS, FOLDER, TURNS
from pdgf.errors import PdgfError
from tests.dialogue.town import open_town
from tests.reliability.forked import Tell, fork

THREAD, OWNER = "the-conversation", "someone"
BEFORE = ("ramen in Old Harbour", "something quieter")
SIZES = 20
_CAP_VERSION = 0x20080522
_OVERRIDE, _READ_SEARCH, _FOWNER = 1, 2, 3


async def built(folder: Path) -> None:
    """A conversation of two turns."""
    async with open_town(folder) as town:
        await town.conversations.start("restaurants", OWNER, THREAD)
        for utterance in BEFORE:
            async for _ in town.conversations.turn(THREAD, utterance):
                pass


def sizes(folder: Path, count: int = SIZES) -> list[int]:
    """Sizes of files between nothing and rather more than the largest has."""
    largest = max(path.stat().st_size for path in (folder / FOLDER).iterdir())
    return [int(1.5 * largest * number / (count - 1)) for number in range(count)]


def when_full(folder: Path, size: int, *, from_the_start: bool = False) -> str:
    """What is wrong with how a conversation goes while no file may grow beyond a size, and after that."""

    async def talk(tell: Tell) -> None:
        if from_the_start:
            with _no_larger_than(size):
                tell(await _opened(folder))
            return
        async with open_town(folder) as town:
            with _no_larger_than(size):
                failed = ""
                for number in range(6):
                    failed = await _said(town.conversations, f"hello {number}") or failed
                tell(_not_plain(failed) or await _read(town.conversations))
            failed = await _said(town.conversations, "ramen in Mill Quarter")
            tell(failed and f"does not work again: {failed}")
            tell(await _read(town.conversations))

    told = "; ".join(line for line in fork(talk).lines() if line)
    return told or _whole(folder)


def when_read_only(folder: Path) -> str:
    """What is wrong with how a conversation goes where nothing can be written."""

    async def talk(tell: Tell) -> None:
        obey_permissions()
        tell(await _opened(folder))

    paths = [folder, folder / FOLDER, *(folder / FOLDER).iterdir()]
    modes = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        return "; ".join(line for line in fork(talk).lines() if line)
    finally:
        for path in paths:
            path.chmod(modes[path])


def when_gone(folder: Path) -> str:
    """What is wrong with how a conversation goes when its folder is taken away, and when it is started anew."""

    async def talk(tell: Tell) -> None:
        async with open_town(folder) as town:
            (folder / FOLDER).rename(folder / "elsewhere")
            failed = await _said(town.conversations, "hello")
            tell(_not_plain(failed) if failed else "a turn was taken that nobody will find again")
        (folder / "elsewhere").rename(folder / FOLDER)
        async with open_town(folder) as town:
            tell(await _said(town.conversations, "hello"))
            tell(await _read(town.conversations))

    return "; ".join(line for line in fork(talk).lines() if line)


def obey_permissions() -> None:
    """Let this process, if it is root's, be refused what permissions refuse to others."""
    if os.name != "posix" or os.getuid():
        return

    class Header(ctypes.Structure):
        _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))

    class Data(ctypes.Structure):
        _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))

    system, header, data = ctypes.CDLL(None, use_errno=True), Header(_CAP_VERSION, 0), (Data * 2)()
    assert system.capget(ctypes.byref(header), data) == 0
    for kept in ("effective", "permitted"):
        setattr(data[0], kept, getattr(data[0], kept) & ~(1 << _OVERRIDE | 1 << _READ_SEARCH | 1 << _FOWNER))
    assert system.capset(ctypes.byref(header), data) == 0


async def _opened(folder: Path) -> str:
    """What is wrong with what can be read of a store that cannot be written, and with what is said of a new turn."""
    async with open_reading(folder) as conversations:
        wrong = await _read(conversations)
        failed = await _said(conversations, "hello")
        return wrong or (_not_plain(failed) if failed else "")


def open_reading(folder: Path) -> Conversations:
    """Conversations as a page opens them, no new one among them."""
    from tests.dialogue.town import PLACES, WORDS, always, town_ports
    from tests.fakes import Shelf, VocabularyAgent

    return Conversations(folder, always(town_ports(VocabularyAgent(WORDS), Shelf(PLACES))))


async def _said(conversations: Conversations, utterance: str) -> str:
    """What a user is told where a turn fails; empty where it does not."""
    try:
        async for _ in conversations.turn(THREAD, utterance):
            pass
    except PdgfError as error:
        return wording.sentence_for(error)
    return ""


async def _read(conversations: Conversations) -> str:
    said = [view.utterance for view in await conversations.history(THREAD, unfinished=True)]
    listed = [row.thread for row in await conversations.list(OWNER)]
    right = tuple(said[: len(BEFORE)]) == BEFORE and THREAD in listed
    return "" if right else f"what was there cannot be read: {said}, {listed}"


def _not_plain(told: str) -> str:
    plain = not told or (told.endswith(".") and "Error" not in told and "sqlite" not in told)
    return "" if plain else f"not plain: {told}"


@contextmanager
def _no_larger_than(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _whole(folder: Path) -> str:
    for name in (CHATS, TURNS):
        with closing(sqlite3.connect(folder / FOLDER / name)) as connection, suppress(IndexError):
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                return f"{name}: {found}"
    return ""

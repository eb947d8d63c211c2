"""Visitors with words of their own over one served page, one store and one recording model: whose words turn up where.

Nothing is faked but the model and the catalogue: the visitors speak to a real server.
"""

import asyncio
import logging
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from dialogue.domain import bundled_domain
from dialogue.store import CHATS, FOLDER, TURNS
from dialogue.ui.server import create_app
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import Town
from tests.openai_server import FakeOpenAI
from tests.openai_server.town_model import town_reply
from tests.reliability.crowd import CANARY, canary, in_town, visitor_in
from tests.reliability.serving import serving
from tests.reliability.visiting import Page, Visitor

DOMAIN = "restaurants"
PACKED = b"x\x9c"  # how compressed bytes begin
LONGEST, STRIDE = 2_000_000, 64  # bytes of one that are looked at, and at a time


class Listening(logging.Handler):
    """Keeps everything that is logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@dataclass
class House:
    """A served page with all that stands behind it."""

    page: Page
    town: Town
    model: FakeOpenAI
    folder: Path
    log: Listening = field(default_factory=Listening)

    def visitor(self) -> Visitor:
        """Somebody new."""
        return visitor_in(self.page, DOMAIN)


@asynccontextmanager
async def open_house(folder: Path, *, latency: float = 0.0) -> AsyncIterator[House]:
    """Open everything over a folder."""
    ample = {"budget_seconds": 120.0, "llm_timeout": 60.0, "llm_concurrency": 32, "llm_requests_per_minute": 0}
    with FakeOpenAI(town_reply, latency=latency) as model:
        async with open_llm_town(folder, model.base_url, **ample) as town:
            app = create_app(town.conversations, domains=[bundled_domain(DOMAIN)], data_dir=folder)
            async with serving(app) as served:
                house = House(Page(served.client, served.config), town, model, folder)
                logger = logging.getLogger()
                logger.addHandler(house.log)
                try:
                    yield house
                finally:
                    logger.removeHandler(house.log)


def line(number: int, turn: int) -> str:
    """What a visitor says in a turn; the word of theirs is in every one."""
    more = (in_town(number), f"and a terrace for {canary(number)}", f"more please, says {canary(number)}")
    return more[min(turn, 2)] if turn % 3 or not turn else f"something quieter than {canary(number)} and {turn}"


async def talk(house: House, visitors: int, turns: int) -> list[str]:
    """Everybody talks at once; where a word of one visitor came before another one, or before the model with another's,
    or into the log, and who was not answered."""
    everybody = [house.visitor() for _ in range(visitors)]
    shown = await asyncio.gather(*(_whole(each, number, turns) for number, each in enumerate(everybody)))
    found = [fault for faults in shown for fault in faults]
    found += [f"a prompt holds {words}" for row in house.model.records if len(words := _words(row.text)) > 1]
    owners = {each.memory["threads"][DOMAIN]: canary(number) for number, each in enumerate(everybody)}
    for thread, words in stored_words(house.folder).items():
        foreign = words - {owners.get(thread, "")}
        found += [f"stored with {thread}: {foreign}"] if foreign else []
    missing = [thread for thread, word in owners.items() if word not in stored_words(house.folder)[thread]]
    found += [f"nothing was stored of {thread}" for thread in missing]  # else the scan above could not find anything
    return found + [f"logged: {row}" for row in house.log.lines if CANARY.search(row)]


async def _whole(visitor: Visitor, number: int, turns: int) -> list[str]:
    found = []
    for turn in range(turns):
        shown = await visitor.say(line(number, turn))
        foreign = _words(shown.told + repr(visitor.values)) - {canary(number)}
        found += [f"{canary(number)} was shown {foreign}"] if foreign else []
        if shown.error or canary(number) not in repr(shown.parts.get("chat")):
            found.append(f"{canary(number)} was not answered: {shown.error or shown.live[-1:]}")
    return found


def stored_words(folder: Path) -> dict[str, set[str]]:
    """The words of visitors that are stored with each conversation, in whichever table."""
    found: dict[str, set[str]] = defaultdict(set)
    for file, tables in ((CHATS, ("conversations", "content")), (TURNS, ("checkpoints", "writes"))):
        with closing(sqlite3.connect(folder / FOLDER / file)) as known:
            for table in tables:
                for thread, *values in known.execute(f"SELECT * FROM {table}"):  # noqa: S608  our own words
                    for value in values:
                        found[thread] |= _words(readable(value))
    return found


def readable(value: object) -> str:
    """A stored value as text, what is compressed in it too."""
    if not isinstance(value, bytes):
        return str(value)
    return "\n".join(part.decode("utf-8", "replace") for part in (value, *unpacked(value)))


def unpacked(data: bytes) -> Iterator[bytes]:
    """Whatever in these bytes is compressed, even the beginning of it."""
    at = data.find(PACKED)
    while at >= 0:
        reading, whole = zlib.decompressobj(), bytearray()
        with suppress(zlib.error):  # a file may hold a long value in pieces
            for piece in range(at, min(at + LONGEST, len(data)), STRIDE):
                whole += reading.decompress(data[piece : piece + STRIDE])
                if reading.eof:
                    break
        yield bytes(whole)
        at = data.find(PACKED, at + 1)


def left_in(folder: Path, word: str) -> list[str]:
    """The files under a folder with this word in any byte of theirs, compressed or not."""
    wanted = word.encode()
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [
        path.name
        for path in files
        if wanted in (data := path.read_bytes()) or any(wanted in part for part in unpacked(data))
    ]


async def intrusions(house: House, requests: int) -> list[str]:
    """What somebody gets who names the conversation of another, in every way there is; empty where nothing at all."""
    victim = house.visitor()
    await victim.say(line(0, 0))
    thread = victim.memory["threads"][DOMAIN]
    before = await house.town.conversations.history(thread)
    ways = [
        ("open_page", None, {}),
        ("say", None, {"message": "more please"}),
        ("stop", None, {}),
        ("again", {"index": 0, "value": line(0, 0)}, {}),
        ("take_back", {"index": 0, "value": line(0, 0)}, {}),
        *(("act", {"say": f"{verb} {thread}", "text": "mine"}, {}) for verb in ("open", "delete", "name", "json")),
    ]
    found: list[str] = []
    for at in range(requests):
        name, sent, values = ways[at % len(ways)]
        stranger = house.visitor()
        stranger.values["browserstate"]["threads"] = {DOMAIN: thread}
        shown = await stranger.do(name, sent, **values)
        if CANARY.search(shown.told + repr(shown.parts)):
            found.append(f"{name} showed another's words")
        if at % 50 == 49 or at == requests - 1:
            kept = await house.town.conversations.history(thread)
            found += [f"changed, after {name}"] if kept != before else []
    return found


def _words(text: str) -> set[str]:
    return set(CANARY.findall(text))

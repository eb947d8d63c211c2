"""One conversation with a language model that fails somewhere, as the tests of faults run it (RELIABILITY 4.2).

A conversation of three turns and one good turn more. The good run is kept turn by turn, so that a cell whose fault
belongs to the third turn goes on from a copy of what the first two have left on disk.
"""

import asyncio
import logging
import re
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dialogue.events import Event, Finished
from dialogue.models import DialogueState, TurnView
from tests.dialogue.llm_town import open_llm_town
from tests.dialogue.town import WORDS, Town
from tests.openai_server import ChatRequest, FakeOpenAI, Fault, Record, Reply
from tests.openai_server.town_model import blocks, rows, town_reply

REQUEST = "quiet ramen in Old Harbour with parking"
QUESTION = "is there a room for a party at the first?"  # no metadata answer it, so that the model is asked
OBJECTION = "too loud, something quieter"
CONVERSATION = (REQUEST, QUESTION, OBJECTION)
MORE = "more please"
# The prompts of this conversation; a prompt for what a later turn alone needs comes last.
STEPS = ("understand", "read_graph", "describe", "rewrite_queries", "label_relations", "explain", "answer")
CANARY = "sk-canary-7f3a91c6d2b8"  # the key; nothing that anyone may read holds it

RETRIES = 1
PATIENT: Mapping[str, float] = {"llm_timeout": 30.0, "budget_seconds": 60.0}
HASTY: Mapping[str, float] = {"llm_timeout": 0.3, "budget_seconds": 5.0}
CALM: Mapping[str, float] = {"llm_timeout": 6.0, "budget_seconds": 60.0}  # where other calls must not look slow
LATE = 15.0  # seconds, of what comes too late for either
# What takes long by itself is met with little patience; elsewhere a busy machine must not look like a slow model.
SLOW = frozenset([Fault.HANG, Fault.LATE, Fault.STALL])
BEYOND_DEADLINE = 2.0  # seconds that a turn may last beyond its budget (RELIABILITY F9)
AT_ONCE = 6  # conversations

_DENIED = re.compile(r"(?:must have )?(?:no|not)\b", re.IGNORECASE)
_WORD = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in WORDS), re.IGNORECASE)


class StubbornOpenAI(FakeOpenAI):
    """A server that fails whenever it is asked again what it has failed at, however that is put: by a retry, a re-ask
    that shows the bad reply, or in another format."""

    def __init__(self, faults: Mapping[int, Fault]) -> None:
        super().__init__(plain_model, faults=faults, key=CANARY, late=LATE)
        self._places = faults
        self._failed: dict[tuple[str, str], Fault] = {}

    def _fault_of(self, request: ChatRequest) -> Fault | None:
        asked = (request.prompt, request.user)
        fault = self._places.get(request.index) or self._failed.get(asked)
        if fault is not None:
            self._failed[asked] = fault
        return fault


class FailsOnce(FakeOpenAI):
    """A server that fails at one request."""

    def __init__(self, fault: Fault, place: int) -> None:
        super().__init__(plain_model, faults={place: fault}, key=CANARY, late=LATE)


class FailsAt(FakeOpenAI):
    """A server that fails at one prompt, whoever asks it; at none as long as `prompt` is empty."""

    def __init__(self, fault: Fault, prompt: str = "") -> None:
        super().__init__(plain_model, key=CANARY)
        self.prompt = prompt
        self._fault = fault

    def _fault_of(self, request: ChatRequest) -> Fault | None:
        return self._fault if request.prompt == self.prompt else None


def plain_model(request: ChatRequest) -> Reply:
    """The town's model, which words wishes as the town's reserve does and reads them in any wording: so either of the
    two can judge what the other has described."""
    given = blocks(request.user)
    if request.prompt == "describe":
        told = [("not " * (row["polarity"] == "avoid"), row) for row in rows(given["preferences"])]
        return {"descriptions": [{"number": row["number"], "text": lead + row["instantiation"]} for lead, row in told]}
    if request.prompt == "label_relations":
        return {"labels": list(_labels(given))}
    return town_reply(request)


def _labels(given: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for name, text in given.items():
        for feature in rows(given[f"preferences{name.removeprefix('text')}"]) if name.startswith("text") else ():
            yield {"number": feature["number"], **_label(text, feature["text"])}


def _label(text: str, feature: str) -> dict[str, Any]:
    word = _WORD.search(feature)
    for line in text.splitlines() if word else ():
        if re.search(rf"\b{re.escape(word[0])}\b", line, re.IGNORECASE):
            denied = bool(re.search(rf"\b(?:not|no) {re.escape(word[0])}", line, re.IGNORECASE))
            return {"quotes": [line], "label": "CONTRADICTS" if bool(_DENIED.match(feature)) != denied else "SUPPORT"}
    return {"quotes": [], "label": "NOT_ADDRESSED"}


@dataclass
class Turn:
    """One turn as a user meets it, and the requests that it made. `before` is the state that it started from."""

    utterance: str
    before: DialogueState
    events: list[Event] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    @property
    def view(self) -> TurnView:
        assert isinstance(self.events[-1], Finished)
        return self.events[-1].view

    @property
    def met(self) -> bool:
        """Whether a fault was met in it."""
        return any(record.fault for record in self.records)


@dataclass
class Run:
    """The turns of a conversation from the first that was run, and everything that it left on disk."""

    turns: list[Turn] = field(default_factory=list)
    kept: list[TurnView] = field(default_factory=list)
    stored: bytes = b""


@dataclass
class Beginning:
    """What the first `done` turns of the good run have left on disk, and the good run from there on."""

    folder: Path
    thread: str
    done: int
    good: Run = field(default_factory=Run)

    @property
    def calls(self) -> int:
        """How many requests the first turn that is run makes when all goes well."""
        return len(self.good.turns[0].records)


Cell = tuple[Beginning, int]  # and the place of the failing call among those of the first turn that is run


class _Heard(logging.Handler):
    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.levelname}: {self.format(record)}")


@contextmanager
def listening(level: int = logging.INFO) -> Iterator[list[str]]:
    """Everything that any part of the process logs meanwhile, traces included."""
    heard, root = _Heard(level), logging.getLogger()
    before = root.level
    root.addHandler(heard)
    root.setLevel(level)
    try:
        yield heard.lines
    finally:
        root.removeHandler(heard)
        root.setLevel(before)


async def beginnings(folder: Path) -> tuple[Beginning, ...]:
    """The good run, begun after none, one and two of its turns."""
    start = folder / "start0"
    start.mkdir(parents=True)
    made = [Beginning(start, "", 0)]
    for done, utterance in enumerate(CONVERSATION):
        beginning = made[-1]
        with FakeOpenAI(plain_model) as server:
            beginning.good = await run(folder / f"good{done}", server, beginning)
        following = folder / f"start{done + 1}"
        shutil.copytree(beginning.folder, following)
        with FakeOpenAI(plain_model) as server:
            async with open_llm_town(following, server.base_url, **PATIENT) as town:
                town.thread = beginning.thread or town.thread
                await take(town, server, utterance)
                made.append(Beginning(following, town.thread, done + 1))
    return tuple(made[: len(CONVERSATION)])


async def swept(
    folder: Path, cells: Sequence[Cell], fault: Fault, *, lasting: bool
) -> dict[tuple[int, int], Run | BaseException]:
    """The conversation once for each cell, from its beginning on, by turn and place of the call that the fault meets.
    What leaves a turn stands in place of its run."""
    slots = asyncio.Semaphore(AT_ONCE)
    hasty = HASTY if lasting else CALM
    patience = hasty if fault in SLOW else PATIENT

    async def ran(beginning: Beginning, place: int) -> Run:
        async with slots:
            with StubbornOpenAI({place: fault}) if lasting else FailsOnce(fault, place) as server:
                own = folder / f"{beginning.done}-{place}"
                return await run(own, server, beginning, patience)

    found = await asyncio.gather(*(ran(*cell) for cell in cells), return_exceptions=True)
    return {(beginning.done, place): run for (beginning, place), run in zip(cells, found, strict=True)}


async def run(folder: Path, server: FakeOpenAI, beginning: Beginning, patience: Mapping[str, float] = PATIENT) -> Run:
    """The conversation from its beginning on and one turn more, over a copy of what the turns before have left."""
    shutil.copytree(beginning.folder, folder)
    ran = Run()
    async with town_of(folder, server, **patience) as town:
        town.thread = beginning.thread or town.thread
        for utterance in (*CONVERSATION[beginning.done :], MORE):
            up_again(server, utterance)
            ran.turns.append(await take(town, server, utterance, patience))
        ran.kept = (await town.conversations.history(town.thread))[beginning.done :]
    ran.stored = stored_in(folder)
    shutil.rmtree(folder)
    return ran


@asynccontextmanager
async def town_of(folder: Path, server: FakeOpenAI, **settings: Any) -> AsyncIterator[Town]:
    """A fresh conversation with the model of a server."""
    chosen = {**PATIENT, "llm_retries": RETRIES, "openai_api_key": CANARY, **settings}
    async with open_llm_town(folder, server.base_url, **chosen) as town:
        yield town


def stored_in(folder: Path) -> bytes:
    """Every byte of the files under a folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def up_again(server: FakeOpenAI, utterance: str) -> None:
    """A server that went down is there again for the last turn."""
    if utterance == MORE and any(record.fault == Fault.SERVER_DOWN.name for record in server.records):
        server.up()


async def take(town: Town, server: FakeOpenAI, utterance: str, patience: Mapping[str, float] = PATIENT) -> Turn:
    """One turn. Raises what leaves it, and TimeoutError when it goes on beyond its deadline."""
    history = await town.conversations.history(town.thread)
    turn = Turn(utterance, history[-1].state if history else DialogueState())
    first = len(server.records)
    async with asyncio.timeout(patience["budget_seconds"] + BEYOND_DEADLINE):
        async for event in town.conversations.turn(town.thread, utterance):
            turn.events.append(event)
    turn.records = server.records[first:]
    return turn

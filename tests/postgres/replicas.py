"""Several processes over one database, a small proxy before them, and visitors who talk through it while processes are
killed."""

import asyncio
import json
import os
import socket
import ssl
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from dialogue.conversation import Conversations
from dialogue.models import TurnView
from tests.contracts.stores import shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent

LOOPBACK = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # nothing is asked by TLS; a context of httpx takes its time
ROOT = Path(__file__).parent.parent.parent
PATIENCE = 240.0  # seconds until a process answers: several that begin at once on a busy computer take long
TRIES = 20  # of one utterance


@dataclass
class Replica:
    """One process: where it listens, and what it runs with."""

    settings: dict[str, str]
    folder: Path
    port: int = 0
    process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Begin, at the same address as before where it was there already, and wait until it can take turns."""
        if not self.port:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PDGF_", "OPENAI_"))}
        own = {"PDGF_DATA_DIR": str(self.folder), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        with (self.folder / "log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.postgres.replica", str(self.port),
                env={**kept, **own, **self.settings}, stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip
        async with asyncio.timeout(PATIENCE):
            while not await self.ready():
                if self.process.returncode is not None:
                    raise RuntimeError((self.folder / "log").read_text(errors="replace")[-2_000:])
                await asyncio.sleep(0.1)

    async def ready(self) -> bool:
        """Whether it says that it can take turns."""
        with suppress(httpx.HTTPError):
            async with httpx.AsyncClient(trust_env=False, verify=LOOPBACK) as client:
                return (await client.get(f"http://127.0.0.1:{self.port}/ready")).status_code == 200
        return False

    async def metrics(self) -> str:
        """Its numbers."""
        async with httpx.AsyncClient(trust_env=False, verify=LOOPBACK) as client:
            return (await client.get(f"http://127.0.0.1:{self.port}/metrics")).text

    async def kill(self) -> None:
        """End it as a power cut would."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


@dataclass
class Proxy:
    """Leads each connection to one of the processes that take it, in turn; it stays there until one side ends it."""

    replicas: Sequence[Replica]
    port: int = 0
    _next: int = 0
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    async def lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in self.replicas:
            self._next += 1
            replica = self.replicas[self._next % len(self.replicas)]
            with suppress(OSError):
                there, thither = await asyncio.open_connection("127.0.0.1", replica.port)
                ways = [asyncio.create_task(_pumped(*way)) for way in ((reader, thither), (there, writer))]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for end in (thither, writer):
                    end.close()
                await asyncio.wait(ways)
                return
        writer.close()


async def _pumped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def running(url: str, folder: Path, count: int) -> AsyncIterator[tuple[list[Replica], Proxy]]:
    """So many processes over a database, and the proxy before them."""
    settings = {"PDGF_DATABASE_URL": url, "PDGF_DATABASE_CONNECTIONS": "6", "PDGF_LOG_FORMAT": "json"}
    replicas = []
    for number in range(count):
        own = folder / str(number)
        own.mkdir()
        replicas.append(Replica(settings, own))
    proxy = Proxy(replicas)
    async with AsyncExitStack() as stack:
        for replica in replicas:
            stack.push_async_callback(replica.kill)
        await asyncio.gather(*(replica.start() for replica in replicas))
        server = await asyncio.start_server(proxy.lead, "127.0.0.1", 0)
        stack.callback(server.close)
        proxy.port = server.sockets[0].getsockname()[1]
        yield replicas, proxy


@dataclass
class Visitor:
    """Somebody who says one thing after the other, and says again what was lost with a process; as on the page, they
    look first whether it has been answered."""

    owner: str
    proxy: Proxy
    stored: Conversations  # what a page would show of the conversation
    thread: str = ""
    answered: list[str] = field(default_factory=list)
    broken: int = 0

    async def say(self, utterance: str) -> None:
        """One turn, until it is answered. Raises AssertionError where that takes too many tries."""
        before = len(await self.history())
        for _ in range(TRIES):
            with suppress(httpx.HTTPError, Broken):
                self.thread = await self._ask(utterance)
                self.answered.append(utterance)
                return
            self.broken += 1
            await asyncio.sleep(0.1)
            if len(await self.history()) > before:
                self.answered.append(utterance)
                return
        raise AssertionError(f"{self.owner} got no answer to {utterance!r}")

    async def history(self) -> list[TurnView]:
        """The finished turns."""
        if not self.thread:
            self.thread = next((row.thread for row in await self.stored.list(self.owner)), "")
        return await self.stored.history(self.thread) if self.thread else []

    async def _ask(self, utterance: str) -> str:
        one = httpx.Limits(max_connections=1)
        url = f"http://127.0.0.1:{self.proxy.port}"
        async with httpx.AsyncClient(
            base_url=url, timeout=60.0, limits=one, trust_env=False, verify=LOOPBACK
        ) as client:
            said = {"data": [utterance, self.thread, "restaurants", self.owner]}
            joined = await client.post("/gradio_api/call/chat", json=said)
            if joined.status_code != 200:
                raise Broken(joined.text)
            told = (await client.get(f"/gradio_api/call/chat/{joined.json()['event_id']}")).text
        event, _, data = told.partition("\n")
        if event != "event: complete":
            raise Broken(told)
        return str(json.loads(data.removeprefix("data: "))[0]["thread"])


class Broken(Exception):
    """A process has not answered."""


@dataclass(frozen=True, kw_only=True)
class Talked:
    """What became of many chats while processes were killed."""

    finished: list[list[str]]  # utterances of the finished turns of each chat, as they are stored
    answered: list[list[str]]  # those that its visitor holds for answered
    broken: int  # turns that a kill has broken
    served: list[int]  # turns that each process says it has finished since it began
    searches: float  # of all, by the common ledger
    seconds: float


async def talked(
    url: str, folder: Path, *, chats: int, utterances: Sequence[str], kills: int, at_once: int, processes: int = 3
) -> Talked:
    """So many chats through the proxy to so many processes, `at_once` side by side, each with the same utterances. In
    the middle of each of the first `kills` utterances one process, always the same, is killed and begun again."""
    ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    async with (
        running(url, folder, processes) as (replicas, proxy),
        shared(url) as store,
        Conversations(store, always(ports)) as stored,
    ):
        visitors = [Visitor(f"visitor-{number}", proxy, stored) for number in range(chats)]
        places, begun = asyncio.Semaphore(at_once), time.monotonic()

        async def turn(visitor: Visitor, utterance: str) -> None:
            async with places:
                await visitor.say(utterance)

        async def kill_in_the_middle(place: int) -> None:
            while sum(len(visitor.answered) > place for visitor in visitors) < chats // 4:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            await replicas[0].kill()
            await replicas[0].start()

        for place, utterance in enumerate(utterances):
            async with asyncio.TaskGroup() as both:
                if place < kills:
                    both.create_task(kill_in_the_middle(place))
                for visitor in visitors:
                    both.create_task(turn(visitor, utterance))
        [[searches]] = await store._database.rows("SELECT sum(amount) FROM spent WHERE whose = 'day'")
        return Talked(
            finished=[[view.utterance for view in await visitor.history()] for visitor in visitors],
            answered=[visitor.answered for visitor in visitors],
            broken=sum(visitor.broken for visitor in visitors),
            served=[finished_turns(await replica.metrics()) for replica in replicas],
            searches=float(searches),
            seconds=time.monotonic() - begun,
        )


def finished_turns(metrics: str) -> int:
    """How many turns a process says that it has finished since it began."""
    families = text_string_to_metric_families(metrics)
    found = [row for each in families for row in each.samples if row.name == "pdgf_turns_total"]
    return sum(int(row.value) for row in found if row.labels == {"ending": "finished"})

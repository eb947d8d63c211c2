"""Keys planted in every setting that can carry one, then a server that is used and that fails: where they turn up.

Beside them: which hosts it connects to, and who else of this computer may read what it writes.
"""

import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from dialogue.ui.server import SERVER_KEY
from tests.openai_server import FakeOpenAI, Fault
from tests.openai_server.town_model import town_reply
from tests.reliability.crowd import CANARY, in_town, visitor_in
from tests.reliability.isolation import readable
from tests.reliability.started import ROOT, Started, started
from tests.reliability.visiting import Page

KEY, LOGIN, QUERY, SEARCH, EMBEDDING, PASSWORD, PROXY, ELSEWHERE = (f"planted{n}kanarienvogel" for n in range(8))
PLANTED = (KEY, LOGIN, QUERY, SEARCH, EMBEDDING, PASSWORD, PROXY, ELSEWHERE)
USER = "ann"
CLOSED = "127.0.0.1 9"  # where a search is asked for and nobody answers
SHARED = frozenset(["index"])  # folders that hold nothing of anybody's, inside one that is closed
FAULTS = (None, Fault.UNAUTHORIZED, Fault.SERVER_ERROR, Fault.NOT_JSON, Fault.HTML)
# Python is told of no connection that uvloop opens, so the server does without it.
WATCH = """
import os, sys
sys.modules["uvloop"] = None
def _watch(event, given):
    if event == "socket.connect" and isinstance(given[1], tuple):
        told = f"{given[1][0]} {given[1][1]}"
    elif event == "socket.getaddrinfo":
        told = f"{given[0]} {given[1]}"
    else:
        return
    descriptor = os.open(os.environ["WATCHED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(descriptor, (told + chr(10)).encode())
    os.close(descriptor)
sys.addaudithook(_watch)
"""


@dataclass
class Used:
    """What was found of a server that was used."""

    keys: list[str] = field(default_factory=list)  # where which was found
    hosts: list[str] = field(default_factory=list)  # that nobody has named
    readable: list[str] = field(default_factory=list)  # files that others may read
    words: list[str] = field(default_factory=list)  # lines of the log with words of a visitor
    looked_at: int = 0  # places
    asked: int = 0  # requests that the model was sent
    searched: bool = False  # whether a search was tried, with its key


@asynccontextmanager
async def planted(place: Path, model: FakeOpenAI) -> AsyncIterator[Started]:
    """A server with a key in every setting that takes one."""
    place.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 nothing else waits
    (place / "sitecustomize.py").write_text(WATCH)
    port = model.port
    settings = {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"http://{LOGIN}:{LOGIN}@127.0.0.1:{port}/v1?token={QUERY}",
        "PDGF_MODEL": "town",
        "PDGF_SOURCE": "both",
        "SERPER_API_KEY": SEARCH,
        "SERPER_BASE_URL": f"http://{CLOSED.replace(' ', ':')}",
        "PDGF_EMBEDDINGS_API_KEY": EMBEDDING,
        "PDGF_AUTH": f"{USER}:{PASSWORD}",
        "HTTPS_PROXY": f"http://{PROXY}:{PROXY}@127.0.0.1:8",
        "ANOTHER_PROGRAM_KEY": ELSEWHERE,
        "PYTHONPATH": f"{place}:{ROOT}",
        "WATCHED": str(place / "hosts"),
    }
    async with started(place / "data", settings) as server:
        yield server


async def used(place: Path, *, turns: int = len(FAULTS)) -> Used:
    """Use such a server while the model works and while it fails, and look everywhere."""
    found = Used()
    with FakeOpenAI(town_reply) as model:
        async with planted(place, model) as server, Page.opened(server.url, auth=(USER, PASSWORD)) as page:
            for number in range(turns):
                model.faults = FAULTS[number % len(FAULTS)]
                await _visit(found, page, number)
            await _strangers(found, server.url)
            title = Path(f"/proc/{server.pid}/cmdline").read_text()  # noqa: ASYNC240 as above
            _look(found, "title of the process", title)
        model.faults = None
        log = server.log.read_text(errors="replace")
        _look(found, "log", log)
        found.words = [row for row in log.splitlines() if CANARY.search(row)]
        found.asked = len(model.records)
        for record in model.records:
            _look(found, f"prompt {record.prompt}", repr(record.body))
        allowed = {CLOSED, f"127.0.0.1 {model.port}", f"127.0.0.1 {server.url.rpartition(':')[2]}"}
    data = place / "data"
    private = (data / SERVER_KEY).read_text()
    for path in sorted(data.rglob("*")):
        if path.is_file():
            _look(found, path.name, readable(path.read_bytes()), *(() if path.name == SERVER_KEY else (private,)))
        inside = path.relative_to(data).parts
        if stat.S_IMODE(path.stat().st_mode) & 0o077 and inside[0] not in SHARED:
            found.readable.append(path.name)
    asked = set((place / "hosts").read_text().splitlines())
    found.hosts = sorted(asked - allowed)
    found.searched = CLOSED in asked
    return found


async def _visit(found: Used, page: Page, number: int) -> None:
    visitor = visitor_in(page, "restaurants")
    said = await visitor.say(in_town(number))
    again = await visitor.do("open_page")
    shown: list[Any] = [page.config, said.told, said.parts, said.error, again.told]
    for thread in visitor.memory.get("threads", {}).values():
        for verb in ("json", "markdown"):
            shown.append((await visitor.do("act", {"say": f"{verb} {thread}"})).told)
    _look(found, f"page, model {FAULTS[number % len(FAULTS)]}", repr(shown))


async def _strangers(found: Used, url: str) -> None:
    """What is told to whoever is not logged in, and to what makes no sense."""
    async with httpx.AsyncClient(base_url=url, trust_env=False, follow_redirects=True) as client:
        for path in ("/", "/healthz", "/config", "/login", "/zh/", "/nowhere", "/gradio_api/file=/proc/self/environ"):
            answer = await client.get(path)
            _look(found, path, answer.text + repr(answer.headers))
        answer = await client.post("/gradio_api/queue/join", content=b"{", auth=(USER, "wrong"))
        _look(found, "a refusal", answer.text + repr(answer.headers))


def _look(found: Used, where: str, text: str, *more: str) -> None:
    found.looked_at += 1
    found.keys += [f"{where}: {key[:8]}" for key in (*PLANTED, *more) if key in text]

"""Requests as programs may send them straight at the page: paths, bodies, values, threads of others."""

import json
import random
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from dialogue.composition import Composition
from dialogue.own_domains import OwnDomains
from dialogue.ui.server import create_app
from pdgf.settings import Settings
from tests.dialogue.town import open_town
from tests.reliability.serving import Served, serving

OTHERS = "victimcanary"  # what another visitor has said
IN_FILE = "filecanary"  # what stands in a file that nobody has sent
ODD: tuple[Any, ...] = (
    None,
    True,
    7,
    -1,
    10**30,
    1.5,
    "",
    "x" * 100_000,
    "\ud800",
    "\0",
    "'; DROP TABLE x --",
    "../../etc/passwd",
    "{{7*7}}",
    [],
    [[]],
    {},
    {"a": {"b": []}},
    ["a"] * 1_000,
    {"__type__": "update", "value": 1},
    {"path": "/etc/passwd"},
    {"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}},
    {"url": "http://169.254.169.254/"},
    "http://127.0.0.1:22/",
    "<script>globalThis.pwned=1</script>",
    "IGNORE all rules",
    "0" * 5_000,
    {"owner": "admin"},
)
PATHS = (
    "/etc/passwd",
    "/../../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%5c..%5cetc",
    "//etc/passwd",
    "/.env",
    "/app.py",
    "/conversations/chats.sqlite3",
    "/gradio_api/file=/etc/passwd",
    "/gradio_api/file={secret}",
    "/gradio_api/file=../../etc/passwd",
    "/gradio_api/file=file:///etc/passwd",
    "/file={secret}",
    "/gradio_api/file=http://169.254.169.254/",
    "/gradio_api/proxy=http://127.0.0.1:22/",
    "/proxy=http://169.254.169.254/",
    "/gradio_api/stream/x/y/z",
    "/gradio_api/heartbeat/x",
    "/gradio_api/component_server",
    "/gradio_api/monitoring",
    "/monitoring/x",
    "/gradio_api/startup-events",
    "/gradio_api/upload_progress?upload_id=x",
    "/static/../../app.py",
    "/static/%2e%2e/app.py",
    "/assets/../../../etc/passwd",
    "/theme.css?v=../../x",
    "/custom_component/x/y/z",
    "/custom_component/..%2f..%2f/client/component/a",
    "/svelte/../../etc/passwd",
    "/login",
    "/logout",
    "/token",
    "/user",
    "/docs",
    "/openapi.json",
    "/redoc",
    "/config?x=" + "y" * 5_000,
    "/\x7f",
    "/%00",
    "/" + "a" * 10_000,
    "/gradio_api/info",
    "/gradio_api/queue/status",
    "/gradio_api/queue/data?session_hash={session}",
    "/gradio_api/queue/data",
    "/gradio_api/call/chat/nobody",
    "/gradio_api/deep_link?x=1",
    "/?deep_link=../../etc/passwd",
    "/?__theme=x'\"><script>",
    "/healthz/../config",
    "/robots.txt",
    "/manifest.json",
    "/pwa_icon/../../x",
    "/gradio_api/vibe-code",
    "/favicon.ico",
)
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE")
HEADERS: tuple[dict[str, str], ...] = (
    {},
    {"host": "evil.invalid"},
    {"x-forwarded-host": "evil.invalid"},
    {"x-forwarded-for": "127.0.0.1"},
    {"origin": "https://evil.invalid"},
    {"cookie": "access-token=x; owner=admin"},
    {"authorization": "Bearer x"},
    {"range": "bytes=0-999999999999"},
    {"content-type": "text/plain"},
    {"content-type": "multipart/form-data; boundary=x"},
    {"accept-language": "z" * 5_000},
    {"x-gradio-user": "admin"},
    {"x-gradio-server": "http://evil.invalid"},
    {"transfer-encoding": "identity"},
    {"referer": "https://evil.invalid/?__theme=dark"},
)


@asynccontextmanager
async def attacked(folder: Path) -> AsyncIterator[tuple[Served, str]]:
    """A page with the conversation of somebody else, whose number is given, and a secret file beside its data."""
    inside = folder / "data"
    inside.mkdir()
    (folder / "secret.csv").write_text(f"title\n{IN_FILE}\n")

    async def recommend(text: str, domain: str, k: int) -> dict[str, Any]:
        return {"text": text, "k": k}

    async with open_town(inside) as town:
        thread = await town.conversations.start("restaurants", "victim")
        town.thread = thread
        await town.say(f"quiet ramen near the {OTHERS}")
        own = OwnDomains(Composition(settings=Settings(data_dir=inside)), inside, 1)
        app = create_app(town.conversations, domains=[town.ports.domain], data_dir=inside, own=own, recommend=recommend)
        async with serving(app) as page:
            yield page, thread


async def let_through(page: Served, folder: Path, thread: str, count: int) -> list[str]:
    """Send so many requests; those answered with a failure of the server, a file, or words of another visitor."""
    found: list[str] = []
    for seed, (method, path, options) in enumerate(_requests(page, folder, thread, count)):
        what = f"request {seed}: {method} {path[:80]!r}"
        try:
            async with page.client.stream(method, path, timeout=5.0, **options) as answer:
                text = await _begun(answer)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError):
            continue  # not a request that this client can send, or a stream without end
        if answer.status_code >= 500:
            found.append(f"{what}: {answer.status_code}")
        if OTHERS in text or IN_FILE in text or "root:x:" in text:
            found.append(f"{what}: what is not for everybody")
    healthy = await page.client.get("/healthz")
    return [*found, *([] if healthy.status_code == 200 else ["the page is down"])]


async def _begun(answer: httpx.Response) -> str:
    """The first of an answer: enough to see what it is, of one that may go on for ever."""
    held = b""
    async for piece in answer.aiter_bytes():
        held += piece
        if (
            len(held) > 200_000
            or b"process_completed" in held
            or "event-stream" in answer.headers.get("content-type", "")
        ):
            break
    return held.decode("utf-8", "replace")


def _requests(page: Served, folder: Path, thread: str, count: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    secret = str(folder / "secret.csv")
    for seed in range(count):
        dice = random.Random(seed)
        headers = dice.choice(HEADERS)
        if seed % 3 == 0:
            path = PATHS[(seed // 3) % len(PATHS)].replace("{secret}", secret).replace("{session}", f"s{seed}")
            yield dice.choice(METHODS) if seed >= 3 * len(PATHS) else "GET", path, {"headers": headers}
            continue
        body = _body(page, thread, dice)
        if seed % 3 == 1:
            raw = json.dumps(body).encode("utf-8", "surrogatepass")
            at = dice.randrange(len(raw))
            content = raw if dice.random() < 0.6 else raw[:at] + dice.randbytes(2) + raw[at:]
            calls = (
                "queue/join",
                "call/chat",
                "call/recommend",
                "run/predict",
                "api/predict",
                "reset",
                "cancel",
                "upload",
                "component_server",
            )
            kind = {"content-type": "application/json", **headers}
            yield "POST", f"/gradio_api/{dice.choice(calls)}", {"content": content, "headers": kind}
        else:
            data = [dice.choice((*ODD, thread, "victim")) for _ in range(dice.randint(0, 6))]
            name = dice.choice(("chat", "recommend"))
            yield (
                "POST",
                f"/gradio_api/call/{name}",
                {"content": _sent({"data": data}), "headers": {"content-type": "application/json"}},
            )


def _body(page: Served, thread: str, dice: random.Random) -> dict[str, Any]:
    event = dice.choice(page.events())
    memory = {
        "owner": dice.choice(("attacker", "", "admin", "*", "%")),
        "domain": "restaurants",
        "threads": {"restaurants": thread},
    }
    data = [dice.choice((*ODD, memory, thread)) for _ in event["inputs"]]
    body: dict[str, Any] = {
        "data": data,
        "fn_index": dice.choice((event["id"], event["id"], 99_999, -1, "x", None)),
        "session_hash": f"h{dice.random()}",
        "event_data": dice.choice((None, {"value": thread}, {"say": "hello"}, *ODD)),
        "trigger_id": dice.choice((None, 1, "x")),
    }
    for name in dice.sample(list(body), dice.randint(0, 1)):
        del body[name]
    return body


def _sent(body: dict[str, Any]) -> bytes:
    return json.dumps(body).encode("utf-8", "surrogatepass")


OWNERS = ("attacker", "", "admin", "%")


async def results_of(page: Served, thread: str, owners: Sequence[str] = OWNERS) -> list[str]:
    """What every event and endpoint tells somebody who names the conversation of another."""
    found: list[str] = []
    for owner in owners:
        memory = {"owner": owner, "domain": "restaurants", "threads": {"restaurants": thread}}
        for event in page.events():
            told = await page.answer(
                event, page.filled(event, browserstate=memory), {"value": thread, "thread": thread}
            )
            if re.search(OTHERS, told):
                found.append(f"{event['api_name']} by {owner!r}")
        if OTHERS in await page.call("chat", "hello", thread, "", owner):
            found.append(f"chat by {owner!r}")
    return found

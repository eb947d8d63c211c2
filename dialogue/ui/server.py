"""The page as a web application: what every answer of it tells the browser to allow, and how it is mounted.

The composition root calls `create_app` and gives the result to uvicorn.
"""

import functools
import json
import os
import secrets
import stat
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import gradio as gr
from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dialogue.domain import Domain
from dialogue.ui.api import Recommend
from dialogue.ui.desk import Desk, Server
from dialogue.ui.languages import LANGUAGES, Language, LanguagePages, login_from
from dialogue.ui.login import USER, Login, owner_of
from dialogue.ui.page import build_page
from dialogue.ui.request_guard import Posted, RequestGuard
from dialogue.ui.runs import Runs
from dialogue.ui.sessions import share_descriptions
from dialogue.ui.templates import static
from dialogue.ui.texts import Texts, page_texts
from dialogue.ui.theme import style_sheet, theme
from dialogue.ui.tools import PATHS, tools_over
from dialogue.ui.wrong_passwords import CommonTries

if TYPE_CHECKING:
    from dialogue.conversation import Conversations
    from dialogue.own_domains import OwnDomains

# Gradio compiles its pages in the browser, hence the two 'unsafe' sources; everything else stays with this origin.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
        "base-uri 'self'",
        "object-src 'none'",
    )
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
SHUT: dict[str, Any] = {"docs_url": None, "redoc_url": None, "openapi_url": None}
TURNS_AT_ONCE = 256  # turns that are worked at or wait in line; a further one is refused in words
BEGINNING = ("say",)  # the events that begin a turn
BROWSER_KEY = "browser.key"  # seals what browsers remember; every visitor is told it
SERVER_KEY = "server.key"  # signs logins and makes owners' keys; never leaves this computer
SENT = "sent"  # the folder of what visitors have sent and what nothing was made of yet
SCRIPTS = ("login.js", "words.js", "keys.js", "box.js", "reading.js", "tables.js", "jump.js", "draft.js", "motion.js")
UPLOADS = "1mb"  # where the page takes no files; Gradio's upload address stays open, so it is kept small


def create_app(
    conversations: "Conversations",
    *,
    domains: Sequence[Domain] | Mapping[str, Domain],
    data_dir: Path,
    server: Server | None = None,
    own: "OwnDomains | None" = None,
    recommend: Recommend | None = None,
    users: Mapping[str, str] | None = None,
    lifespan: Callable[[FastAPI], Any] | None = None,
    tools: bool = False,
    keys: Mapping[str, str] = MappingProxyType({}),
    routes: Sequence[BaseRoute] = (),
    tries: CommonTries | None = None,
) -> FastAPI:
    """The whole application over these conversations, to be run in one process and one event loop: a page in each
    language, the endpoints for programs at the first one.

    `domains` are offered in this order, the first one chosen at first; a mapping may change meanwhile. With `own`,
    visitors can bring catalogues and lists of what they know already; with `users` (names and passwords) they have to
    log in. `lifespan` is FastAPI's: what must be opened in the running loop. With `tools` programs find the endpoints
    as MCP tools too. `keys` are secrets that several processes share, in place of those of the data folder, `tries`
    what they have counted of wrong passwords; `routes` are addresses of whoever runs this. Raises OSError when the
    data folder cannot be written, ConfigInvalid for tools without the package that they need.
    """
    secret, private = (keys.get(name) or kept_secret(data_dir, name) for name in (BROWSER_KEY, SERVER_KEY))
    offered = domains if isinstance(domains, Mapping) else {row.name: row for row in domains}
    runs = Runs(conversations, at_once=TURNS_AT_ONCE)
    key = functools.partial(owner_of, secret=private) if users else None
    app = FastAPI(**SHUT, lifespan=lifespan)

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    app.router.routes += routes
    # Gradio asks matplotlib, where it is installed, for its backend at every event: unnamed, that loads all of it.
    os.environ.setdefault("MPLBACKEND", "agg")
    posted: dict[str, Posted] = {}
    _keep_uploads_in(data_dir / SENT)
    for language in reversed(LANGUAGES):  # what is mounted at "/" takes all that comes after it
        desk = Desk(
            conversations=conversations,
            runs=runs,
            domains=offered,
            texts=page_texts(language.code),
            own=own,
            server=server or Server(),
            owner_of=key,
        )
        page = build_page(desk, secret=secret, recommend=recommend, exposed=language.path == "/")
        if tools and language.path == "/":
            _add_tools(app, desk, recommend)
        _mount(app, page, language, uploads=f"{own.max_upload_mb}mb" if own else UPLOADS, closed=bool(users))
        turns = frozenset(number for number, event in page.fns.items() if event.api_name in BEGINNING)
        crowded = desk.texts["status"]["crowded"]
        posted[language.path.rstrip("/") or "/"] = Posted(frozenset(page.fns), turns, crowded)
    app.add_middleware(LanguagePages)
    app.add_middleware(RequestGuard, pages=posted, door=runs.door)
    if users:
        app.add_middleware(Login, users=users, secret=private, everywhere=tries)
    app.add_middleware(SecurityHeaders)
    return app


def _add_tools(app: FastAPI, desk: Desk, recommend: Recommend | None) -> None:
    """Serve the tools, before the page is mounted that takes all that comes after it."""
    made, around = tools_over(desk, recommend), app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        async with around(app) as state, made.running():
            yield state

    app.router.lifespan_context = lifespan
    app.router.routes += [Route(path, made.app) for path in PATHS]


def _mount(app: FastAPI, page: gr.Blocks, language: Language, *, uploads: str, closed: bool) -> None:
    """Put a page where its language belongs, with the settings this product needs."""
    texts = page_texts(language.code)
    gr.mount_gradio_app(
        app,
        page,
        path=language.path.rstrip("/") or "/",
        app_kwargs=dict(SHUT),
        theme=theme(),
        # given as `css`, Gradio rewrites selectors, wrongly inside @media
        head=f"<style>{style_sheet()}</style><script>{_scripts(texts)}</script>",
        i18n=gr.I18n(**{language.tag: texts["gradio"]["keys"]}),
        footer_links=[],
        run_history=False,
        mcp_server=False,  # ours is in tools.py; Gradio's asks the address that a visitor's Host header names
        ssr_mode=False,
        show_error=False,
        enable_monitoring=False,
        max_file_size=uploads,
        auth_dependency=(lambda request: request.scope.get(USER)) if closed else None,
    )
    share_descriptions(page)
    page.has_launched = True  # a mounted page is none for Gradio, which then takes any path of this computer for a file


def _scripts(texts: Texts) -> str:
    """What runs in the page, each script by itself, with the words of its language for what Gradio says in English."""
    words = {name: texts["gradio"][name] for name in ("texts", "leads")}
    login = {"needed": texts["login"]["needed"], "enter": texts["login"]["enter"], "way": login_from(texts)}
    spoken = json.dumps({**words, "login": login, "differs": texts["page"]["differs"]}).replace("<", "\\u003c")
    return f"{{const SPOKEN = {spoken};{''.join(f'{{{static(name)}}}' for name in SCRIPTS)}}}"


def _keep_uploads_in(folder: Path) -> None:
    """Let Gradio keep what visitors send in a folder of ours, which other programs of this computer do not share."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    os.environ["GRADIO_TEMP_DIR"] = str(folder.resolve())


class SecurityHeaders:
    """ASGI middleware: the security headers on every answer, streamed ones included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)


def kept_secret(data_dir: Path, name: str) -> str:
    """The secret of that file, made once and readable by its owner only.

    Raises OSError when the folder cannot be written.
    """
    path = data_dir / name
    data_dir.mkdir(parents=True, exist_ok=True)
    known = path.read_bytes().strip() if path.exists() else b""
    if known and known.isascii():
        if stat.S_IMODE(path.stat().st_mode) != 0o600:
            path.chmod(0o600)
        return known.decode()
    secret = secrets.token_urlsafe(32)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secret)
    return secret

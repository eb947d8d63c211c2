"""The languages of the page: where each one is mounted, which one a browser gets, and what its HTML says of it.

A visitor who has chosen a language gets it from then on (a cookie keeps the choice); one who has not and whose browser
asks for Chinese first is sent from "/" to "/zh/". What stands before the pages (the login) speaks the language of the
page that one came from, and leads back to it.
"""

import json
from http.cookies import CookieError, SimpleCookie
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dialogue.ui.templates import static
from dialogue.ui.texts import Texts, page_texts


class Language(NamedTuple):
    """A language of the page: its code, where it is mounted, and how HTML names it."""

    code: str
    path: str
    tag: str

    @property
    def name(self) -> str:
        """What its speakers call it."""
        return str(page_texts(self.code)["page"]["name"])


LANGUAGES: Final = (Language("en", "/", "en"), Language("zh", "/zh/", "zh-CN"))
COOKIE = "pdgf-language"
QUERY = "lang"  # what a link to a language sets, so that it is kept as chosen
PAGE = "page"  # what a link from a page to what stands before it sets: the language of that page
KEPT_SECONDS = 31_536_000


def preferred(accepted: str) -> str:
    """The code of the language that an Accept-Language header asks for first; English where it names none of ours."""
    weighted = []
    for place, entry in enumerate(accepted.split(",")):
        tag, _, weight = entry.strip().partition(";q=")
        weighted.append((-_weight(weight), place, tag.strip().lower()))
    first = min(weighted)[2].split("-")[0]
    return first if first in {language.code for language in LANGUAGES} else LANGUAGES[0].code


def _weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0


def link(here: str, there: Language) -> str:
    """The address of a page in another language, from the page of a language; it is kept as the visitor's choice."""
    up = "./" if here == LANGUAGES[0].code else "../"
    return f"{up}{there.path.lstrip('/')}?{QUERY}={there.code}"


def login_from(texts: Texts) -> str:
    """The address of the login, from the page with these texts; it leads back to that page."""
    code = texts["page"]["language"]
    return f"{'./' if code == LANGUAGES[0].code else '../'}login?{urlencode({PAGE: code})}"


def language_of(scope: Scope) -> Language:
    """The language that a request is to be answered in: the one chosen, that of the page one came from, or else the one
    its browser asks for."""
    return _wanted(scope, _named(scope, QUERY) or _named(scope, PAGE))


def carried(scope: Scope) -> str:
    """The query that lets what stands before a page speak its language and lead back to it; empty where the request
    tells it by itself."""
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    page = next((row.code for row in LANGUAGES[1:] if f"{path.rstrip('/')}/".startswith(row.path)), None)
    known = {QUERY: _named(scope, QUERY), PAGE: _named(scope, PAGE) or page}
    query = urlencode(next(([row] for row in known.items() if row[1]), []))
    return f"?{query}" if query else ""


def way_back(scope: Scope) -> str:
    """Where the page that one came from is mounted, seen from what stands before it; a language chosen goes along."""
    chosen = _named(scope, QUERY)
    code = chosen or _named(scope, PAGE)
    path = next((row.path.lstrip("/") for row in LANGUAGES if row.code == code), "")
    return f"./{path}?{QUERY}={chosen}" if chosen else f"./{path}"


class LanguagePages:
    """ASGI middleware around the mounted pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asks = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        path = scope["path"].removeprefix(scope.get("root_path", "")) if asks else None
        page = next((language for language in LANGUAGES if path in (language.path, language.path.rstrip("/"))), None)
        if path is None or page is None:
            await self._app(scope, receive, send)
            return
        chosen = _named(scope, QUERY)
        wanted = _wanted(scope, chosen) if page.path == "/" else page
        if wanted.path != path and not (wanted.path == "/" and not path):
            query = scope["query_string"].decode("latin-1")
            # "./zh/" and "zh/" stay below whatever a proxy puts before the page.
            place = f"./{wanted.path.strip('/')}/" if page.path == "/" else f"./{path.rsplit('/', 1)[-1]}/"
            there = RedirectResponse(f"{place}?{query}" if query else place, 307, {"vary": "accept-language, cookie"})
            await there(scope, receive, send)
            return
        await self._app(_plain(scope), receive, _Page(send, page, chosen))


def _named(scope: Scope, key: str) -> str | None:
    """The language that the query of the address names under a key."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    code = query.get(key, [""])[-1]
    return code if any(language.code == code for language in LANGUAGES) else None


def _wanted(scope: Scope, chosen: str | None) -> Language:
    headers = Headers(scope=scope)
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("cookie", ""))
    except CookieError:
        cookies.clear()
    kept = cookies[COOKIE].value if COOKIE in cookies else None
    code = chosen or kept or preferred(headers.get("accept-language", ""))
    return next((language for language in LANGUAGES if language.code == code), LANGUAGES[0])


def _plain(scope: Scope) -> Scope:
    """The request without the browser's offer to take a compressed page, which could not be completed below."""
    return {**scope, "headers": [row for row in scope["headers"] if row[0] != b"accept-encoding"]}


class _Page:
    """Sends a page with its language in it, and the cookie of a choice."""

    def __init__(self, send: Send, language: Language, chosen: str | None) -> None:
        self._send = send
        self._language = language
        self._chosen = chosen
        self._start: Message = {}
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        if message["type"] != "http.response.body":
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        headers = MutableHeaders(raw=list(self._start["headers"]))
        headers["vary"] = "accept-language, cookie"
        if self._chosen:
            kept = f"{COOKIE}={self._chosen}; Path=/; Max-Age={KEPT_SECONDS}; SameSite=Lax"
            headers.append("set-cookie", kept)
        if headers.get("content-type", "").startswith("text/html"):
            self._body = _said(self._body.decode("utf-8"), self._language).encode("utf-8")
        if "content-length" in headers and self._body:
            headers["content-length"] = str(len(self._body))
        await self._send({**self._start, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": self._body})


def _said(page: str, language: Language) -> str:
    """The HTML of a page that names its language and runs what must run first."""
    scripts = f"{{{static('first.js')}}}{{{static('stream.js')}}}"
    first = f"<script data-language={json.dumps(language.tag)}>{scripts}</script>"
    return page.replace('lang="en"', f'lang="{language.tag}"', 1).replace("<head>", f"<head>{first}", 1)

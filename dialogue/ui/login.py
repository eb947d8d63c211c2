"""Who may use the page, where PDGF_AUTH names users: a form at /login, a signed cookie, HTTP Basic for programs.

Without it everybody who reaches the address may. /health and /ready stay open. A cookie holds for thirty days, survives
a restart and ends when the password changes. What a user has said is found again on every device: the key that it is
kept under is derived from the name and a secret of the server's. Wrong passwords cost a pause. After some of them for a
name nothing more is taken for it from their address for a while, and after many for any names nothing more at all, by
whichever way they come and at whichever process.
"""

import asyncio
import base64
import hashlib
import hmac
import math
import time
from binascii import Error as NotBase64
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dialogue.ui.languages import LANGUAGES, QUERY, carried, language_of, way_back
from dialogue.ui.templates import render
from dialogue.ui.texts import page_texts
from dialogue.ui.theme import plain_style
from dialogue.ui.wrong_passwords import CommonTries, WrongPasswords, counted_for
from pdgf.errors import ConfigInvalid

COOKIE = "pdgf-session"
USER = "pdgf.user"  # where a request says who is logged in
OPEN: Final = ("/healthz", "/health", "/ready")
HELD_SECONDS = 30 * 24 * 3600
LONGEST_FORM = 4096  # bytes
PAUSE = 0.5  # seconds after a wrong password, for all who try together


def users_of(setting: str) -> Mapping[str, str]:
    """Names and passwords of "name:password[,name:password]". Raises ConfigInvalid, naming no password."""
    users: dict[str, str] = {}
    for entry in filter(None, (part.strip() for part in setting.split(","))):
        name, colon, password = entry.partition(":")
        if not (name.strip() and colon and password) or name.strip() in users:
            raise ConfigInvalid("PDGF_AUTH must hold name:password pairs with commas between, each name once")
        users[name.strip()] = password
    if not users:
        raise ConfigInvalid("PDGF_AUTH names nobody; leave it empty to let everybody in")
    return users


@dataclass(frozen=True)
class TooMany:
    """No password is looked at from there for so many seconds."""

    seconds: float

    @property
    def headers(self) -> dict[str, str]:
        """What programs are told."""
        return {"retry-after": str(math.ceil(self.seconds))}

    @property
    def minutes(self) -> int:
        """The same as people say it, at least one."""
        return max(1, math.ceil(self.seconds / 60))


class Login:
    """ASGI middleware: lets in whom it knows, and tells what lies behind it who that is."""

    def __init__(
        self,
        app: ASGIApp,
        users: Mapping[str, str],
        secret: str,
        wrong: WrongPasswords | None = None,
        everywhere: CommonTries | None = None,
    ) -> None:
        self._app = app
        self._users = users
        self._secret = secret.encode()
        self._pausing = asyncio.Lock()
        self._wrong = WrongPasswords() if wrong is None else wrong
        self._everywhere = everywhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        if scope["type"] not in ("http", "websocket") or path in OPEN:
            await self._app(scope, receive, send)
        elif path.rstrip("/") == "/login":
            await (await self._form(Request(scope, receive)))(scope, receive, send)
        elif path.rstrip("/") == "/logout":
            await self._left(scope)(scope, receive, send)
        elif isinstance(user := await self._known(scope), str):
            await self._app({**scope, USER: user}, receive, send)
        elif scope["type"] == "http":
            await self._refused(scope, path, user)(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _form(self, request: Request) -> Response:
        if request.method != "POST":
            return self._page(request)
        sent = await _read(request)
        if sent is None:
            return JSONResponse({"error": "too long"}, 413)
        name, password = (sent.get(key, [""])[-1] for key in ("username", "password"))
        reads = "text/html" in request.headers.get("accept", "")
        user = await self._entered(request.scope, name, password)
        if not isinstance(user, str):
            return self._page(request, wrong=True, too_many=user) if reads else _not_let_in(user)
        answer: Response = RedirectResponse(way_back(request.scope), 303) if reads else JSONResponse({"success": True})
        secure = request.url.scheme == "https"
        answer.set_cookie(
            COOKIE, self._signed(name), max_age=HELD_SECONDS, httponly=True, samesite="lax", secure=secure
        )
        return answer

    def _page(self, request: Request, *, wrong: bool = False, too_many: TooMany | None = None) -> Response:
        language = language_of(request.scope)
        texts = page_texts(language.code)
        words = texts["login"]
        told = words["too_many"].format(minutes=too_many.minutes) if too_many else words["wrong"] if wrong else ""
        others = [(row.tag, row.name, f"login?{QUERY}={row.code}") for row in LANGUAGES if row != language]
        values = {"told": told, "tag": language.tag, "style": plain_style(), "languages": others}
        page = render("login.html", texts, **values, carried=carried(request.scope))
        if too_many:
            return HTMLResponse(page, 429, too_many.headers)
        return HTMLResponse(page, 401 if wrong else 200)

    def _left(self, scope: Scope) -> Response:
        """Out again; the browser forgets its conversations' key too."""
        language = language_of(scope)
        texts, back = page_texts(language.code), carried(scope)
        page = render("logout.html", texts, tag=language.tag, style=plain_style(), carried=back)
        answer = HTMLResponse(page)
        answer.delete_cookie(COOKIE)
        return answer

    def _refused(self, scope: Scope, path: str, too_many: TooMany | None) -> Response:
        if too_many:
            return _not_let_in(too_many)
        if "text/html" in Headers(scope=scope).get("accept", ""):
            return RedirectResponse(f"{'../' * path.count('/', 1)}login{carried(scope)}", 303)
        # A browser that is told "Basic" opens a window of its own over the page, which has words for it itself.
        browser = Headers(scope=scope).get("user-agent", "").startswith("Mozilla/")
        return JSONResponse({"detail": "Not authenticated"}, 401, {"www-authenticate": "Form" if browser else "Basic"})

    async def _entered(self, scope: Scope, name: str, password: str) -> str | TooMany | None:
        """Who has given a name and a password; a wrong one is counted at once, then waited for."""
        counted = counted_for(name, (scope.get("client") or ("", 0))[0])
        seconds = self._wrong.wait(counted)
        if not seconds and self._everywhere is not None:
            # Guesses sent together are counted here while the database is asked, so this is looked at once more.
            seconds = await self._everywhere.wait(counted) or self._wrong.wait(counted)
        if seconds:
            return TooMany(seconds)
        if self._right(name, password):
            return name
        self._wrong.add(counted)
        if self._everywhere is not None:
            await self._everywhere.add(counted)
        async with self._pausing:
            await paused(PAUSE)
        return None

    async def _known(self, scope: Scope) -> str | TooMany | None:
        """Who sends a request, by cookie or by name and password."""
        headers = Headers(scope=scope)
        kind, _, sent = headers.get("authorization", "").partition(" ")
        if kind.lower() == "basic":
            try:
                name, _, password = base64.b64decode(sent, validate=True).decode().partition(":")
            except (NotBase64, UnicodeDecodeError):
                return None
            return await self._entered(scope, name, password)
        cookies: SimpleCookie = SimpleCookie()
        try:
            cookies.load(headers.get("cookie", ""))
        except CookieError:
            return None
        return self._checked(cookies[COOKIE].value) if COOKIE in cookies else None

    def _right(self, name: str, password: str) -> bool:
        """Whether a password is that of a name; takes as long for a name that is unknown."""
        right = False
        for known, kept in self._users.items():
            same = hmac.compare_digest(known.encode(), name.encode("utf-8", "replace"))
            fits = hmac.compare_digest(_digest(kept), _digest(password))
            right = right or (same and fits)
        return right

    def _signed(self, name: str, until: int | None = None) -> str:
        until = int(time.time()) + HELD_SECONDS if until is None else until
        who = base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")
        proof = _proof(self._secret, "session", name, str(until), self._users[name])
        return f"{who}.{until}.{proof}"

    def _checked(self, cookie: str) -> str | None:
        who, _, rest = cookie.partition(".")
        until = rest.partition(".")[0]
        try:
            name = base64.urlsafe_b64decode(who + "=" * (-len(who) % 4)).decode()
            if name not in self._users or int(until) < time.time():
                return None
        except (NotBase64, UnicodeDecodeError, ValueError):
            return None
        right = hmac.compare_digest(self._signed(name, int(until)).encode(), cookie.encode("utf-8", "replace"))
        return name if right else None


def _not_let_in(too_many: TooMany | None) -> Response:
    """What a program is told whose password was not taken."""
    if too_many is None:
        return JSONResponse({"error": "wrong name or password"}, 401)
    return JSONResponse({"error": "too many wrong passwords; try again later"}, 429, too_many.headers)


async def paused(seconds: float) -> None:
    """What a wrong password costs."""
    await asyncio.sleep(seconds)


def owner_of(user: str, secret: str) -> str:
    """The key that a user's conversations are kept under; it cannot be guessed from the name."""
    return _proof(secret.encode(), "owner", user)


def _proof(secret: bytes, *parts: str) -> str:
    message = "\0".join(parts).encode()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()


def _digest(password: str) -> bytes:
    return hashlib.sha256(password.encode("utf-8", "replace")).digest()


async def _read(request: Request) -> dict[str, list[str]] | None:
    """The fields of a form; None for one that is too long to be ours."""
    body = b""
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > LONGEST_FORM:
                return None
    except ClientDisconnect:
        return None
    return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)

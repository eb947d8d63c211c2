"""The two endpoints for programs as tools of the Model Context Protocol, at /gradio_api/mcp/.

Off by default; PDGF_MCP=1 and the extra `mcp` switch it on. Who calls is known as everywhere else: by the login where
there is one, by the owner that the caller names otherwise.
"""

import asyncio
import inspect
import logging
import re
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dialogue.ui.api import AT_ONCE, Recommend, Refused, answer, rank
from dialogue.ui.desk import Desk
from dialogue.ui.login import USER
from dialogue.ui.texts import trouble
from pdgf.errors import ConfigInvalid, PdgfError

PATHS = ("/gradio_api/mcp", "/gradio_api/mcp/")
MISSING = "PDGF_MCP=1 needs a package that is not installed: pip install -e '.[mcp]', or leave PDGF_MCP empty"

_HELP = re.compile(r"^    (\w+): (.+(?:\n        .+)*)", re.MULTILINE)  # an argument and what is said of it
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Tools:
    """The tools as an ASGI application; `running` is to be entered for as long as it serves."""

    app: ASGIApp
    running: Callable[[], AbstractAsyncContextManager[None]]


def tools_over(desk: Desk, recommend: Recommend | None) -> Tools:
    """The tools over the conversations of a desk; without `recommend` there is only `chat`. Raises ConfigInvalid where
    the package that speaks the protocol is not installed."""
    try:
        from mcp.server.fastmcp import FastMCP
        from mcp.server.fastmcp.exceptions import ToolError
        from mcp.server.fastmcp.tools import Tool
        from mcp.server.transport_security import TransportSecuritySettings
    except ImportError as error:
        raise ConfigInvalid(MISSING) from error
    room = asyncio.Semaphore(AT_ONCE)

    async def told(asked: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
        """What was asked for, or why not in a sentence: of what nobody foresaw, nothing else gets out."""
        running = asyncio.ensure_future(asked)
        try:
            await asyncio.wait({running})
        finally:
            running.cancel()
        error = running.exception()
        if error is None:
            return running.result()
        if isinstance(error, Refused):
            raise ToolError(str(error))
        known = error if isinstance(error, PdgfError) else None
        if known is None:
            _log.error("a tool failed", exc_info=error)
        raise ToolError(trouble(known, desk.texts))

    async def chat(context: Any, message: str, thread: str = "", domain: str = "", owner: str = "") -> dict[str, Any]:
        request = context.request_context.request
        return await told(answer(desk, request.scope.get(USER), message, thread, domain, owner))

    def tool(name: str, run: Callable[..., Any], documented: Callable[..., Any], **more: Any) -> Tool:
        what, _, arguments = (inspect.getdoc(documented) or "").partition("\n\nArgs:\n")
        made = Tool.from_function(run, name=name, description=" ".join(what.split()), **more)
        for argument, said in _HELP.findall(arguments):
            made.parameters["properties"][argument]["description"] = " ".join(said.split())
        return made

    offered = [tool("chat", chat, answer, context_kwarg="context")]
    if recommend is not None:

        async def recommended(text: str, domain: str = "", k: int = 10) -> dict[str, Any]:
            async with room:
                return await told(rank(desk, recommend, text, domain, k))

        offered.append(tool("recommend", recommended, rank))
    # Which names lead here, a proxy decides; pages of other origins are refused below.
    anywhere = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    name = str(desk.texts["page"]["title"])
    server = FastMCP(name, tools=offered, stateless_http=True, transport_security=anywhere)
    server.streamable_http_app()  # makes what serves the sessions
    return Tools(app=_Served(server.session_manager.handle_request), running=server.session_manager.run)


class _Served:
    """What speaks the protocol, closed to pages of other origins: a browser names the page that asks."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin and urlsplit(origin).netloc != headers.get("host"):
            await JSONResponse({"detail": "Another origin"}, 403)(scope, receive, send)
            return
        await self._app(scope, receive, send)

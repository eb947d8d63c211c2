"""The endpoints for programs as MCP tools over loopback, asked by a client of the protocol; and without the package."""

import base64
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx2
import pytest

from dialogue.ui import login
from dialogue.ui.server import create_app
from dialogue.ui.tools import MISSING
from pdgf.errors import ConfigInvalid, EmptyNarrative
from tests.browser.fake_conversations import DOMAINS, STORY, FakeConversations

installed = find_spec("mcp") is not None
pytestmark = [pytest.mark.asyncio(loop_scope="session")]
with_package = pytest.mark.skipif(not installed, reason="needs the extra mcp")


async def ranking(text: str, domain: str, k: int) -> dict[str, Any]:
    if not text:
        raise EmptyNarrative(text)
    if text == "breakdown":
        raise OSError("/a/path/of/this/machine")
    return {"items": [{"title": f"{domain} {number}"} for number in range(k)]}


@pytest.fixture(scope="module")
def options() -> dict[str, Any]:
    return {"tools": installed, "recommend": ranking, "users": {"ann": "secret", "bob": "other"}}


def known_as(user: str, password: str) -> dict[str, str]:
    return {"authorization": f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"}


ANN, BOB = known_as("ann", "secret"), known_as("bob", "other")


@asynccontextmanager
async def session(url: str, headers: dict[str, str]) -> AsyncIterator[Any]:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with (
        streamablehttp_client(f"{url}gradio_api/mcp/", headers=headers) as (read, write, _),
        ClientSession(read, write) as opened,
    ):
        await opened.initialize()
        yield opened


async def asked(url: str, tool: str, headers: dict[str, str] = ANN, **arguments: Any) -> dict[str, Any]:
    async with session(url, headers) as opened:
        answer = await opened.call_tool(tool, arguments)
    assert not answer.isError, answer.content[0].text
    return dict(json.loads(answer.content[0].text))


async def refusal(url: str, tool: str, headers: dict[str, str] = ANN, **arguments: Any) -> str:
    async with session(url, headers) as opened:
        answer = await opened.call_tool(tool, arguments)
    assert answer.isError
    return str(answer.content[0].text)


@with_package
async def test_two_tools_are_offered_and_each_argument_is_explained(served_page: str) -> None:
    async with session(served_page, ANN) as opened:
        offered = {tool.name: tool for tool in (await opened.list_tools()).tools}
    assert set(offered) == {"chat", "recommend"}
    assert offered["chat"].description.startswith("Say something in a conversation")
    arguments = {name: tool.inputSchema["properties"] for name, tool in offered.items()}
    assert set(arguments["chat"]) == {"message", "thread", "domain", "owner"}
    assert set(arguments["recommend"]) == {"text", "domain", "k"}
    assert all(row["description"].endswith(".") for rows in arguments.values() for row in rows.values())
    assert offered["chat"].inputSchema["required"] == ["message"]


@with_package
async def test_a_talk_goes_on_for_whoever_began_it_and_for_nobody_else(served_page: str) -> None:
    turn = await asked(served_page, "chat", message=STORY)
    assert turn["items"][0]["title"] == "The Lantern Road"
    again = await asked(served_page, "chat", message="more", thread=turn["thread"])
    assert again["thread"] == turn["thread"]
    for owner in ("", turn["owner"]):  # the login decides, not what a caller names
        said = await refusal(served_page, "chat", BOB, message="more", thread=turn["thread"], owner=owner)
        assert "I do not know this conversation" in said


@with_package
@pytest.mark.long
async def test_a_recommendation_holds_as_many_items_as_asked_for_up_to_the_most(served_page: str) -> None:
    assert len((await asked(served_page, "recommend", text="a quiet dinner", k=5))["items"]) == 5
    assert len((await asked(served_page, "recommend", text="a quiet dinner", k=5000))["items"]) == 100
    assert (await asked(served_page, "recommend", text="dinner", domain="books"))["items"][0]["title"] == "books 0"


@with_package
async def test_what_cannot_be_done_is_a_sentence_and_tells_nothing_of_the_machine(served_page: str) -> None:
    assert "I know no domain called operas" in await refusal(served_page, "chat", message="hello", domain="operas")
    assert "I know no domain called operas" in await refusal(served_page, "recommend", text="a", domain="operas")
    assert "The index of the catalogue cannot be read" in await refusal(served_page, "chat", message="breakdown")
    said = await refusal(served_page, "recommend", text="breakdown")
    assert "Something went wrong on my side" in said
    assert "machine" not in said


@with_package
async def test_nobody_gets_in_without_the_login_or_from_a_page_of_another_origin(
    served_page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "PAUSE", 0.0)
    hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"accept": "application/json, text/event-stream"}
    async with httpx2.AsyncClient(base_url=served_page) as client:
        for path in ("gradio_api/mcp", "gradio_api/mcp/"):
            codes = {}
            for name, more in {
                "nobody": {},
                "wrong": known_as("ann", "guess"),
                "elsewhere": {**ANN, "origin": "http://elsewhere.test"},
                "here": {**ANN, "origin": served_page.rstrip("/")},
            }.items():
                codes[name] = (await client.post(path, json=hello, headers={**accept, **more})).status_code
            assert codes == {"nobody": 401, "wrong": 401, "elsewhere": 403, "here": 200}


async def test_they_are_off_unless_switched_on(tmp_path: Path) -> None:
    app = create_app(FakeConversations(), domains=DOMAINS, data_dir=tmp_path)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://page.test") as client:
        answer = await client.post("/gradio_api/mcp/", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code in (404, 405)


async def test_without_the_package_the_switch_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if installed:  # then as if it were not
        for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(ConfigInvalid, match=re.escape("pip install -e '.[mcp]'")) as refused:
        create_app(FakeConversations(), domains=DOMAINS, data_dir=tmp_path, tools=True)
    assert str(refused.value) == MISSING

"""The endpoints for programs over loopback: the example of the README against the real product, owners, errors."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from gradio_client import Client
from gradio_client.exceptions import AppError

from tests.browser.fake_conversations import STORY
from tests.browser.test_story import ROOT, Served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TURN_KEYS = {"utterance", "intents", "action", "state", "reply", "items", "sources", "graph", "usage"}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def program(data_dir: Path) -> AsyncIterator[Served]:
    served = Served(data_dir, "movies,restaurants")
    await served.start()
    yield served
    await served.kill()


@pytest.mark.long
async def test_the_example_of_the_readme_works_as_it_stands(program: Served) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    got: dict[str, Any] = {}
    code = example.replace("http://127.0.0.1:7860", program.url)
    assert code != example
    await asyncio.to_thread(exec, code, got)
    assert set(got["turn"]) > TURN_KEYS
    assert got["turn"]["items"]
    shown = {item["id"] for item in got["turn"]["items"]}
    assert got["more"]["thread"] == got["turn"]["thread"]
    assert shown.isdisjoint(item["id"] for item in got["more"]["items"])
    assert len(got["best"]["items"]) == 5
    assert {"graph", "items", "pool", "dropped", "usage", "config"} <= set(got["best"])


async def test_a_conversation_goes_on_for_its_owner_alone(served_page: str) -> None:
    def talk() -> None:
        client = Client(served_page, verbose=False)
        turn = client.predict(STORY, owner="an unguessable word", api_name="/chat")
        assert turn["owner"] == "an unguessable word"
        assert turn["items"][0]["title"] == "The Lantern Road"
        again = client.predict("more", thread=turn["thread"], owner=turn["owner"], api_name="/chat")
        assert again["thread"] == turn["thread"]
        for wrong in ({"owner": "another"}, {"owner": ""}, {"owner": "x" * 500}):
            with pytest.raises(AppError, match="I do not know this conversation"):
                client.predict("more", thread=turn["thread"], **wrong, api_name="/chat")

    await asyncio.to_thread(talk)


async def test_what_cannot_be_done_is_said_in_a_sentence(served_page: str) -> None:
    def talk() -> None:
        client = Client(served_page, verbose=False)
        with pytest.raises(AppError, match="I know no domain called operas"):
            client.predict("hello", domain="operas", api_name="/chat")
        with pytest.raises(AppError, match="The index of the catalogue cannot be read"):
            client.predict("breakdown", api_name="/chat")

    await asyncio.to_thread(talk)

"""What the tests of the endpoint ask, and how they connect."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from pdgf.llm.calls import Ask, Rendered
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from tests.openai_server import ChatRequest, FakeOpenAI

KEY = "canary-0123456789abcdef"
LABEL = {"label": "PARTIAL"}
LABEL_TEXT = json.dumps(LABEL)
LABEL_SCHEMA = {
    "type": "object",
    "properties": {"label": {"type": "string"}},
    "required": ["label"],
    "additionalProperties": False,
}
STORY = "Once upon a time there was a lighthouse."


def ask_for_label(**more: Any) -> Ask:
    return Ask(rendered=rendered("label_relations"), reply_schema=LABEL_SCHEMA, **more)


def ask_for_story(**more: Any) -> Ask:
    return Ask(rendered=rendered("explain"), **more)


def rendered(name: str, user: str = "Which label?") -> Rendered:
    return Rendered(name=name, digest="d", inputs={}, system=f"# {name}\n\nReply in JSON.", user=user)


def by_prompt(request: ChatRequest) -> dict[str, str] | str:
    """The script of most tests: a label where one is asked for, else a story."""
    return LABEL if request.prompt == "label_relations" else STORY


def settings_for(server: FakeOpenAI, **more: Any) -> EndpointSettings:
    """Impatient settings, so that tests are quick. No limit on the rate unless asked for."""
    chosen = {"model": "any", "api_key": KEY, "first_wait": 0.01, "requests_per_minute": 0, **more}
    return EndpointSettings(base_url=server.base_url, **chosen)


@asynccontextmanager
async def connected(server: FakeOpenAI, **more: Any) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel(settings_for(server, **more))
    try:
        yield model
    finally:
        await model.aclose()

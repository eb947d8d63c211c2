"""The product with its LLM engine at the server: composition, conversations, and a note of every call of the model."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.language_model import endpoint_of
from dialogue.models import DialogueState, TurnView
from pdgf.errors import PdgfError
from pdgf.llm.calls import Ask, Completion
from pdgf.llm.endpoint import OpenAIModel
from pdgf.settings import Settings
from pdgf.usage import Budget
from tests.llm.llama_server import AT_ONCE, LlamaServer

BUDGET_SECONDS = 30.0  # one turn
LLM_SECONDS = 27.0  # one request: a prompt of 3,800 tokens that the server has not met takes 12 on two idle cores
# Few wishes, items and words: a judgement costs this model a quarter of a second.
SMALL: dict[str, Any] = {"max_nodes": 3, "catalogue_recall": 3, "ranked_ahead": 6, "max_evidence_chars": 300}


@dataclass(frozen=True)
class Call:
    """One call of the model: its prompt and how it ended, with the server's finish mark or the name of an error."""

    prompt: str
    ended: str
    said: str = ""


@dataclass
class NotedModel:
    """A ChatModel that passes every call on and notes how it ended."""

    model: OpenAIModel
    calls: list[Call] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.model.id

    async def complete(self, ask: Ask, budget: Budget) -> Completion:
        prompt = ask.rendered.name
        try:
            reply = await self.model.complete(ask, budget)
        except PdgfError as error:
            self.calls.append(Call(prompt, type(error).__name__))
            raise
        self.calls.append(Call(prompt, str(reply.finish), reply.text))
        return reply

    async def stream(self, ask: Ask, budget: Budget) -> AsyncIterator[str]:
        prompt, said = ask.rendered.name, ""
        try:
            async for piece in self.model.stream(ask, budget):
                said += piece
                yield piece
        except PdgfError as error:
            self.calls.append(Call(prompt, type(error).__name__, said))
            raise
        self.calls.append(Call(prompt, "stop", said))


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn, what it took in seconds, and what the model did in it."""

    view: TurnView
    seconds: float
    deadline: float
    calls: tuple[Call, ...]
    before: DialogueState


@dataclass
class Product:
    """Everything that a conversation or a recommendation needs. `limits` may be changed between turns."""

    composition: Composition
    conversations: Conversations
    model: NotedModel

    def limits(self, *, llm_timeout: float = LLM_SECONDS, budget_seconds: float = BUDGET_SECONDS) -> None:
        """How long one request and one turn may take from now on."""
        settings = self.composition.settings.model_copy(
            update={"llm_timeout": llm_timeout, "budget_seconds": budget_seconds}
        )
        self.composition.settings = settings
        self.model.model = OpenAIModel(endpoint_of(settings))

    async def begin(self, domain: str) -> str:
        return await self.conversations.start(domain, "somebody")

    async def say(self, thread: str, utterance: str) -> Turn:
        """One turn to its end."""
        await self.composition.ports((await self.conversations.find(thread)).domain)  # opened outside the turn's time
        history = await self.conversations.history(thread)
        begun, called = time.monotonic(), len(self.model.calls)
        events = [event async for event in self.conversations.turn(thread, utterance)]
        seconds = time.monotonic() - begun
        assert isinstance(events[-1], Finished)
        return Turn(
            view=events[-1].view,
            seconds=seconds,
            deadline=self.composition.settings.budget_seconds,
            calls=tuple(self.model.calls[called:]),
            before=history[-1].state if history else DialogueState(),
        )


@asynccontextmanager
async def open_product(llama: LlamaServer, folder: Path) -> AsyncIterator[Product]:
    settings = Settings.model_validate(
        {
            "data_dir": folder,
            "engine": "llm",
            "openai_base_url": llama.base_url,
            "openai_api_key": llama.key,
            "model": "SmolLM2-135M-Instruct",
            "llm_retries": 0,
            "llm_concurrency": AT_ONCE,
        }
    )
    model = NotedModel(OpenAIModel(endpoint_of(settings)))
    composition = Composition(settings=settings, model=model)
    composition.config = composition.config.model_copy(update=SMALL)
    try:
        async with Conversations(folder, composition.ports, composition.forget) as conversations:
            product = Product(composition, conversations, model)
            product.limits()
            yield product
    finally:
        await composition.close()

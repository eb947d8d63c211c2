"""A ChatModel over any OpenAI-compatible server: OpenAI and gateways, vLLM, Ollama, LM Studio, llama.cpp, others.

address       where the server answers; secrets kept apart
dialect       what a model of a server takes; what is refused is left out next time
wire          langchain-openai; connections imports it when first needed
raw_replies   what the server sent -> text, finish, tokens
faults        a failure -> a typed error, and whether to try again
retrying      trying again within the deadline
limits        requests at once and a minute, for everything in one event loop
streams       a reply as it arrives
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import Field

from pdgf.errors import ModelRefused, ModelUnreachable, ReplyCutOff, ReplyUnusable
from pdgf.llm.address import Address
from pdgf.llm.calls import Ask, Completion, Rendered, Role
from pdgf.llm.connections import Connections
from pdgf.llm.dialect import Dialect, Mode, body_of, messages_of
from pdgf.llm.faults import CallFault, Kind, judged
from pdgf.llm.limits import CommonPace, Gate, gate_of
from pdgf.llm.raw_replies import REPLY_CHARS, Answer, estimated_tokens, read_answer
from pdgf.llm.retrying import retried
from pdgf.llm.streams import OpenStream
from pdgf.llm.thinking import thinks_unopened
from pdgf.usage import Budget

_PROBE = Rendered(name="probe", digest="", inputs={}, system="# probe\n\nReply in JSON.", user='Say {"ok": true}.')
_PROBE_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """What is sent, and how the model is spoken to."""

    model: str
    messages: list[dict[str, str]]
    body: dict[str, Any]
    dialect: Dialect
    wants_json: bool

    @property
    def mode(self) -> Mode | None:
        """How JSON is asked for; None when prose is."""
        return self.dialect.mode if self.wants_json else None


class EndpointSettings(Address):
    """Which models answer at an address and how they are asked. Times are in seconds.

    `fast_model` is for many small judgements, None for the same model. `json_mode` says where the ladder of formats
    begins; what the server refuses is still stepped down from. `requests_per_minute` 0 means no limit. `prices` are
    US dollars for a million tokens, in and out, by model; they go before the known ones.
    """

    model: str = Field(min_length=1)
    fast_model: str | None = None
    timeout: float = Field(default=60.0, gt=0.0)
    connect_timeout: float = Field(default=10.0, gt=0.0)
    chunk_timeout: float = Field(default=30.0, gt=0.0)
    retries: int = Field(default=2, ge=0, le=10)
    first_wait: float = Field(default=0.5, gt=0.0)
    requests_per_minute: int = Field(default=300, ge=0)
    max_concurrency: int = Field(default=8, ge=1)
    json_mode: Literal["auto", "json_schema", "json_object", "tools", "prompt"] = "auto"
    disable_thinking: bool = False
    prices: Mapping[str, tuple[float, float]] = {}


class OpenAIModel:
    """The models of one server. May be used from any event loop, and by many conversations at once.

    Nothing is sent before the first call. What a model refuses is remembered for the life of this object. With a
    `common` pace the limit of requests a minute holds for all processes together.
    """

    def __init__(self, settings: EndpointSettings, *, common: CommonPace | None = None) -> None:
        self._settings = settings
        self._common = common
        start = Mode.JSON_SCHEMA if settings.json_mode == "auto" else Mode(settings.json_mode)
        self._start = Dialect(mode=start)
        self._dialects: dict[str, Dialect] = {}
        self._connections = Connections(settings, timeout=settings.timeout, connect_timeout=settings.connect_timeout)

    def __repr__(self) -> str:
        return f"OpenAIModel({self.id!r})"

    @property
    def id(self) -> str:
        """Host and path of the server and both models, never a secret."""
        return f"{self._settings.place}|{self._settings.model}|{self._name(Role.FAST)}"

    async def complete(self, ask: Ask, budget: Budget) -> Completion:
        """One reply, whole; prose without thinking, JSON as it came. See ChatModel for what is raised.

        `finish` must be looked at: "length" marks a reply that was cut off.
        """
        model = self._name(ask.role)
        _check_allowance(budget)
        with budget.agent_call():
            answer = await _before_deadline(budget, self._retried(ask, budget, self._completed))
        self._learn(model, Dialect(thinks_unopened=thinks_unopened(answer.said)))
        tokens_in = _asked_tokens(ask) if answer.tokens_in is None else answer.tokens_in
        tokens_out = estimated_tokens(answer.said or answer.text) if answer.tokens_out is None else answer.tokens_out
        self._spend(budget, model, tokens_in, tokens_out)
        _check_usable(answer, prose=ask.reply_schema is None)
        return Completion(
            text=answer.text,
            finish=answer.finish,
            model=model,
            tokens_in=answer.tokens_in,
            tokens_out=answer.tokens_out,
        )

    async def stream(self, ask: Ask, budget: Budget) -> AsyncGenerator[str, None]:
        """Pieces of prose without thinking, as they come. Failures before the first piece are tried again; what goes
        wrong after it is ReplyCutOff. Close the generator to hang up early."""
        model = self._name(ask.role)
        _check_allowance(budget)
        with budget.agent_call():
            opened = await _before_deadline(budget, self._retried(ask, budget, self._opened, stream=True))
            opened.patience = budget.model_seconds
            async with aclosing(opened):
                try:
                    text: str | None = opened.first
                    while text is not None:
                        yield text
                        text = await self._next(opened)
                finally:
                    self._learn(model, Dialect(thinks_unopened=opened.thinks_unopened))
                    tokens_in = _asked_tokens(ask) if opened.tokens_in is None else opened.tokens_in
                    self._spend(budget, model, tokens_in, opened.counted_tokens_out())

    async def probe(self) -> str:
        """Ask each model for one tiny reply and say in words how that went. Raises as `complete` does."""
        found = []
        for role in (Role.MAIN,) if self._name(Role.FAST) == self._name(Role.MAIN) else Role:
            model = self._name(role)
            ask = Ask(rendered=_PROBE, role=role, reply_schema=_PROBE_SCHEMA, max_tokens=1_000)
            reply = await self.complete(ask, Budget(seconds=self._settings.timeout))
            kept = "answers in the format" if '"ok"' in reply.text else "takes, but does not keep to, the format"
            found.append(f"{model} {kept} {self._dialect(model).mode}")
        return f"{self._settings.place}: {'; '.join(found)}"

    async def aclose(self) -> None:
        """Close the connections of the running event loop. The model can still be used; it opens new ones."""
        await self._connections.aclose()

    def _name(self, role: Role) -> str:
        fast = self._settings.fast_model or self._settings.model
        return fast if role is Role.FAST else self._settings.model

    def _dialect(self, model: str) -> Dialect:
        return self._dialects.get(model, self._start)

    def _learn(self, model: str, dialect: Dialect) -> None:
        self._dialects[model] = self._dialect(model).joined(dialect)

    def _gate(self) -> Gate:
        settings = self._settings
        limits = {"at_once": settings.max_concurrency, "per_minute": settings.requests_per_minute}
        return gate_of(settings.base_url, **limits, common=self._common)

    async def _retried(
        self, ask: Ask, budget: Budget, attempt: Callable[[Request, Budget], Awaitable[T]], *, stream: bool = False
    ) -> T:
        """What an attempt gives, tried again and put otherwise where that helps."""
        model = self._name(ask.role)
        dialect = self._dialect(model)

        def request() -> Request:
            body = body_of(ask, dialect, stream=stream, think=not self._settings.disable_thinking)
            return Request(model, messages_of(ask), body, dialect, wants_json=ask.reply_schema is not None)

        async def once() -> T:
            budget.check_deadline()
            return await attempt(request(), budget)

        def put_otherwise(fault: CallFault) -> bool:
            nonlocal dialect
            other = dialect.with_less(fault, request().body)
            dialect = other or dialect
            return other is not None

        outcome = await retried(
            once,
            retries=self._settings.retries,
            first_wait=self._settings.first_wait,
            patience=budget.model_seconds,
            secrets=self._settings.secrets,
            put_otherwise=put_otherwise,
        )
        self._learn(model, dialect)
        return outcome

    async def _completed(self, request: Request, budget: Budget) -> Answer:
        """One attempt at a whole reply. Raises CallFault."""
        async with self._gate().passed(budget.model_seconds):
            try:
                chat = (await self._connections.here()).chat(request.model)
                async with asyncio.timeout(self._settings.timeout):
                    raw = await chat.completed(request.messages, request.body)
            except TimeoutError:
                raw = None
        if raw is None:
            raise CallFault(Kind.TIMEOUT)
        return read_answer(raw, mode=request.mode)

    async def _opened(self, request: Request, budget: Budget) -> OpenStream:
        """One attempt at a stream, up to its first piece of text. Raises CallFault."""
        async with AsyncExitStack() as held:
            await held.enter_async_context(self._gate().passed(budget.model_seconds))
            chat = (await self._connections.here()).chat(request.model)
            opened = OpenStream(
                chat.streamed(request.messages, request.body),
                thinks_unopened=request.dialect.thinks_unopened,
                first_timeout=self._settings.timeout,
                chunk_timeout=self._settings.chunk_timeout,
            )
            held.push_async_callback(opened.hang_up)
            await opened.begin()
            opened.held = held.pop_all()
        return opened

    async def _next(self, opened: OpenStream) -> str | None:
        """The next text of a stream, None after its last. Raises ReplyCutOff."""
        try:
            return await opened.next_text()
        except CallFault as caught:
            fault = caught
        raise ReplyCutOff(str(judged(fault, self._settings.secrets).error))

    def _spend(self, budget: Budget, model: str, tokens_in: int, tokens_out: int) -> None:
        from pdgf.llm.prices import cost_of

        settings = self._settings
        cost = cost_of(model, tokens_in, tokens_out, endpoint=settings.base_url, table=settings.prices)
        budget.spend_tokens(tokens_in, tokens_out, cost)


def _check_allowance(budget: Budget) -> None:
    """Raises ModelRefused when a conversation, a visitor or a day has asked for as much as it may."""
    if limit := budget.overdrawn():
        raise ModelRefused(f"allowance_{limit}")


async def _before_deadline(budget: Budget, work: Coroutine[Any, Any, T]) -> T:
    """What the work gives. Raises ModelUnreachable("timeout") when the turn's time for the model is used up: what is
    left is for doing without it."""
    try:
        async with asyncio.timeout(budget.model_seconds()):
            return await work
    except TimeoutError:
        pass
    raise ModelUnreachable("timeout", "the time for this turn is used up")


def _check_usable(answer: Answer, *, prose: bool) -> None:
    """Raise ReplyUnusable for a reply that is none. In place of JSON an empty or withheld one is handed on: there
    the caller looks at it and may ask again."""
    if prose and answer.finish == "content_filter":
        raise ReplyUnusable("withheld by the provider's content filter")
    if max(len(answer.said), len(answer.text)) > REPLY_CHARS:
        raise ReplyUnusable("the reply is far longer than asked for")
    if not answer.text.strip() and (prose or answer.refusal):
        raise ReplyUnusable("the model refused" if answer.refusal else "the reply is empty")


def _asked_tokens(ask: Ask) -> int:
    """About how many tokens a request has."""
    return sum(estimated_tokens(message["content"]) for message in messages_of(ask))

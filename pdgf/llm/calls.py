"""What goes to a language model and what comes back."""

from collections.abc import AsyncIterator, Mapping
from enum import StrEnum
from typing import Any, Protocol

from pdgf.models import Value
from pdgf.usage import Budget


class Role(StrEnum):
    """Which of the two models of the settings answers: the better one, or the cheap one for many small judgements."""

    MAIN = "main"
    FAST = "fast"


class Rendered(Value):
    """A prompt with its inputs filled in.

    `system` is the same for every call of a prompt, so that providers can cache it. `digest` stands for the prompt
    file's text, `inputs` for what was filled in: together with the model they are what a reply depends on.
    """

    name: str
    digest: str
    inputs: Mapping[str, Any]
    system: str
    user: str


class Ask(Value):
    """One call: the messages, the JSON schema of the reply (None for prose), and the most tokens it may have.

    `repair` is what a second try adds: the reply that could not be used and what was wrong with it.
    """

    rendered: Rendered
    role: Role = Role.MAIN
    reply_schema: Mapping[str, Any] | None = None
    max_tokens: int = 2_000
    repair: tuple[str, str] | None = None


class Completion(Value):
    """A reply as it came. `finish` is the server's own word for why it ended, None when it gave none.

    Token counts are None when the server did not say. `model` is the name that was asked.
    """

    text: str
    finish: str | None = None
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


class Prose(Protocol):
    """What streams prose, piece by piece."""

    def stream(self, ask: Ask, budget: Budget) -> AsyncIterator[str]:
        """Pieces of prose. Raises ReplyCutOff when the stream ends without its finish mark."""
        ...


class ChatModel(Prose, Protocol):
    """A language model behind some endpoint. Counts its calls, waves, tokens and cost on the budget.

    Both methods raise ModelUnreachable when the model cannot be reached in time, ModelRefused when it will not serve
    us (key, credit, unknown model), PromptTooLong when the request does not fit, ReplyUnusable when what came back is
    no completion, BudgetSpent at a cap of the turn.
    """

    @property
    def id(self) -> str:
        """Names endpoint and models: part of every cache key."""
        ...

    async def complete(self, ask: Ask, budget: Budget) -> Completion: ...

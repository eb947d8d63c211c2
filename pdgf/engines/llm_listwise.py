"""The ListwiseAgent on a language model: the baselines of the evaluation that know no graph (METHOD 13.3, 14.5)."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, Field

from pdgf.engines.llm_replies import Reply, Text
from pdgf.errors import ModelFailed, StepFailed
from pdgf.llm.calls import Rendered, Role
from pdgf.llm.prompt_files import load
from pdgf.llm.structured import StructuredModel
from pdgf.usage import Budget

R = TypeVar("R", bound=BaseModel)


class OrderReply(Reply):
    """The numbers of a window, best first."""

    order: tuple[int, ...] = Field(description="every number once, the best item's first")


class AttributeRow(Reply):
    """One attribute of the wanted item."""

    name: Text = Field(description="what the attribute is about")
    value: Text = Field(description="what it should be")
    required: bool = Field(description="whether the request demands it")


class AttributesReply(Reply):
    """A request as flat attributes."""

    attributes: tuple[AttributeRow, ...] = Field(description="in the order of the request")


class LLMListwise:
    """A ListwiseAgent by two prompts. An unusable reply leaves the order, or the request, as it was."""

    def __init__(self, model: StructuredModel) -> None:
        self._model = model

    async def order(self, request: str, passages: Sequence[str], budget: Budget) -> list[int]:
        """The positions of the passages from 1, as the reply names them; their own order without a usable reply."""
        numbered = [{"number": number, "text": text} for number, text in enumerate(passages, start=1)]
        rendered = load("pdgf/order_passages", OrderReply).render(request=request, passages=numbered)
        reply = await self._asked(rendered, OrderReply, 60 + 8 * len(passages), "order_passages", budget)
        return list(reply.order) if reply is not None else list(range(1, len(passages) + 1))

    async def attributes(self, request: str, item_word: str, budget: Budget) -> str:
        """The attributes as lines of text, required ones first; the request itself without a usable reply."""
        rendered = load("pdgf/read_attributes", AttributesReply).render(request=request, item_word=item_word)
        reply = await self._asked(rendered, AttributesReply, 1_500, "read_attributes", budget)
        rows = sorted(reply.attributes, key=lambda row: not row.required) if reply is not None else []
        lines = [f"{row.name}: {row.value}{' (required)' if row.required else ''}" for row in rows]
        return "\n".join(lines) or request

    async def _asked(self, rendered: Rendered, kind: type[R], tokens: int, step: str, budget: Budget) -> R | None:
        if budget.gave_up_model():
            return None
        try:
            return await self._model.ask(rendered, kind, role=Role.MAIN, max_tokens=tokens, budget=budget)
        except StepFailed:
            budget.set_back(step, "unreadable")
            return None
        except ModelFailed as error:
            budget.set_back(step, error.why)
            return None

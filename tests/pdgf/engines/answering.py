"""A ChatModel that answers each prompt from its inputs, as a script tells it, and small questions for it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from itertools import pairwise
from typing import Any

from pdgf.engines.llm import Batching, LLMAgent
from pdgf.llm.calls import Ask, Completion
from pdgf.llm.structured import StructuredModel
from pdgf.models import Atom, Node, QualificationEdge
from pdgf.ports import NodePair, PreferenceAgent, RefinementRequest
from pdgf.usage import Budget
from tests.fakes import ScriptedAgent

Said = Mapping[str, Any] | str | Exception
Script = Callable[[str, Mapping[str, Any]], Said]


class AnsweringModel:
    """`script` is given the name of a prompt and its inputs; what it returns is the reply, an error is raised.

    `asks` holds what was asked, in order. While `gate` is set to an event, completions wait for it; `ended` counts
    those that ended, by being answered, by failing or by being cancelled.
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asks: list[Ask] = []
        self.gate: asyncio.Event | None = None
        self.ended = 0
        self._asked = asyncio.Semaphore(0)

    @property
    def id(self) -> str:
        return "answering"

    def inputs(self, prompt: str) -> list[Mapping[str, Any]]:
        """The inputs of each call of a prompt, second tries left out."""
        return [
            ask.rendered.inputs for ask in self.asks if ask.rendered.name.endswith(f"/{prompt}") and ask.repair is None
        ]

    async def until_asked(self, count: int) -> None:
        """Wait for so many calls more than were waited for before."""
        for _ in range(count):
            await self._asked.acquire()

    async def complete(self, ask: Ask, budget: Budget) -> Completion:
        self.asks.append(ask)
        self._asked.release()
        try:
            with budget.agent_call():
                await (asyncio.sleep(0) if self.gate is None else self.gate.wait())
                said = self.script(ask.rendered.name.rpartition("/")[2], ask.rendered.inputs)
                if isinstance(said, Exception):
                    raise said
        finally:
            self.ended += 1
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return Completion(text=text, finish="stop", model=self.id)

    async def stream(self, ask: Ask, budget: Budget) -> AsyncIterator[str]:
        raise AssertionError("PDG-A asks for no prose")
        yield ""


def agent_on(
    model: AnsweringModel, batching: Batching | None = None, reserve: PreferenceAgent | None = None
) -> LLMAgent:
    return LLMAgent(StructuredModel(model), reserve=reserve or ScriptedAgent(["reserve"]), batching=batching)


def agreeing(prompt: str, inputs: Mapping[str, Any]) -> Said:
    """Answers everything, by words that tell which part of the question each answer belongs to."""
    match prompt:
        case "judge_pairs":
            return {
                "judgements": [{"pair": p["number"], "relation": "second_qualifies_first"} for p in inputs["pairs"]]
            }
        case "describe":
            return {
                "descriptions": [{"number": n["number"], "text": f"f of {n['instantiation']}"} for n in inputs["nodes"]]
            }
        case "rewrite_queries":
            texts = [{"number": p["number"], "text": f"q of {p['node']['instantiation']}"} for p in inputs["pairs"]]
            return {"queries": texts}
        case "label_relations":
            return {"labels": [_label(text["text"], f) for text in inputs["texts"] for f in text["features"]]}
    raise AssertionError(prompt)


def _label(text: str, feature: Mapping[str, Any]) -> dict[str, Any]:
    """SUPPORT where the text holds the description word for word."""
    stands = feature["text"] in text
    return {"number": feature["number"], "label": "SUPPORT" if stands else "NOT_ADDRESSED", "quotes": [feature["text"]]}


def unless(condition: Any, error: Exception) -> Script:
    """Answers everything except what the condition is true of."""

    def script(prompt: str, inputs: Mapping[str, Any]) -> Said:
        return error if condition(inputs) else agreeing(prompt, inputs)

    return script


def node(name: str, *, feature: str = "", **more: Any) -> Node:
    return Node(id=name, atom=f"a-{name}", perspective="theme", instantiation=name, feature=feature, **more)


def pairs(count: int) -> list[NodePair]:
    def atom(name: str) -> Atom:
        return Atom(id=f"a-{name}", text=f"words of {name}", span=(0, 1))

    named = [(f"u{place}", f"v{place}") for place in range(count)]
    return [NodePair(u=node(u), v=node(v), atom_u=atom(u), atom_v=atom(v)) for u, v in named]


def chain(*names: str) -> list[RefinementRequest]:
    """Each node qualifies the one before it; none is described yet."""
    edges = [QualificationEdge(base=u, qualifier=v) for u, v in pairwise(names)]
    return [
        RefinementRequest(
            node=node(name), ancestors=tuple(map(node, names[:place])), edges=tuple(edges[:place])
        )
        for place, name in enumerate(names)
    ]  # fmt: skip

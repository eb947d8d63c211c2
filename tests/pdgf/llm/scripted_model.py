"""A ChatModel that answers from a script."""

import asyncio
from collections.abc import AsyncIterator

from pdgf.llm.calls import Ask, Completion, Rendered
from pdgf.usage import Budget


class ScriptedModel:
    """Answers each completion with the next entry of the script, the last one for ever; an error is raised.

    `asks` holds what was asked, in order; `asked` is set by the first. With an event as `gate` a completion waits for
    it, and `cancelled` counts those that were cancelled meanwhile.
    """

    def __init__(self, *script: str | Completion | Exception, name: str = "scripted") -> None:
        self._script = script
        self._name = name
        self.asks: list[Ask] = []
        self.asked = asyncio.Event()
        self.gate: asyncio.Event | None = None
        self.cancelled = 0

    @property
    def id(self) -> str:
        return self._name

    async def complete(self, ask: Ask, budget: Budget) -> Completion:
        entry = self._next(ask)
        if self.gate is not None:
            try:
                await self.gate.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        if isinstance(entry, Exception):
            raise entry
        return entry if isinstance(entry, Completion) else Completion(text=entry, finish="stop", model=self._name)

    async def stream(self, ask: Ask, budget: Budget) -> AsyncIterator[str]:
        entry = self._next(ask)
        if isinstance(entry, Exception):
            raise entry
        for word in (entry.text if isinstance(entry, Completion) else entry).split(" "):
            yield word

    def _next(self, ask: Ask) -> str | Completion | Exception:
        self.asks.append(ask)
        self.asked.set()
        return self._script[min(len(self.asks), len(self._script)) - 1]


def rendered(**inputs: object) -> Rendered:
    """A prompt with these inputs filled in."""
    return Rendered(name="judge_pairs", digest="d1", inputs=inputs, system="Judge.", user=f"Inputs: {sorted(inputs)}")

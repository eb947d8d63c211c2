"""Many comparisons in few calls: batches side by side, each answer back in its place."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from pdgf.errors import PromptTooLong, ReplyUnusable
from pdgf.usage import Budget

T = TypeVar("T")
U = TypeVar("U")


async def in_batches(
    values: Sequence[T],
    size: int,
    ask: Callable[[Sequence[T]], Awaitable[Mapping[int, U]]],
    *,
    otherwise: Callable[[T], U],
    text_of: Callable[[T], str] | None = None,
    step: str,
    budget: Budget,
) -> list[U]:
    """The answers for all values in their order, at most `size` of them a call, all calls at once.

    `ask` gives the answers of a batch by their place in it. A batch that is too long for the model is halved, down to
    one value; what a reply leaves out is asked for once more by itself. What has no answer then takes that of
    `otherwise` and is noted as a setback of `step`: no batch loses the answers of another by it. Whatever else `ask`
    raises is raised, and the other calls are cancelled.
    """

    async def answered(batch: Sequence[T]) -> list[U]:
        found = await _answers(batch, ask, text_of=text_of)
        missing = len(batch) - len(found)
        if missing:
            budget.set_back(step, "unreadable", missing)
        return [found[place] if place in found else otherwise(value) for place, value in enumerate(batch)]

    tasks = [asyncio.create_task(answered(values[start : start + size])) for start in range(0, len(values), size)]
    try:
        return [answer for answers in await asyncio.gather(*tasks) for answer in answers]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _answers(
    batch: Sequence[T],
    ask: Callable[[Sequence[T]], Awaitable[Mapping[int, U]]],
    *,
    again: bool = True,
    text_of: Callable[[T], str] | None = None,
) -> dict[int, U]:
    try:
        found = dict(await ask(batch))
    except ReplyUnusable:
        return await _apart(batch, ask, text_of) if text_of else {}
    except PromptTooLong:
        if len(batch) == 1:
            return {}
        middle = len(batch) // 2
        found = await _answers(batch[:middle], ask, again=again)
        rest = await _answers(batch[middle:], ask, again=again)
        return found | {middle + place: answer for place, answer in rest.items()}
    missing = [place for place in range(len(batch)) if place not in found]
    if missing and again:
        more = await _answers([batch[place] for place in missing], ask, again=False)
        found |= {missing[place]: answer for place, answer in more.items()}
    return found


async def _apart(
    batch: Sequence[T], ask: Callable[[Sequence[T]], Awaitable[Mapping[int, U]]], text_of: Callable[[T], str]
) -> dict[int, U]:
    """The answers of a batch that one of its texts may have spoilt: half of its texts and the other half by
    themselves, and the half that fails again halved on. Where both fail, it is the model that does."""
    texts = list(dict.fromkeys(map(text_of, batch)))
    if len(texts) < 2:
        return {}
    first = set(texts[: len(texts) // 2])
    halves = [[at for at, value in enumerate(batch) if (text_of(value) in first) is half] for half in (True, False)]
    found = [await _answers([batch[at] for at in half], ask, again=False) for half in halves]
    if bool(found[0]) != bool(found[1]):
        failed = 0 if not found[0] else 1
        found[failed] = await _apart([batch[at] for at in halves[failed]], ask, text_of)
    return {
        half[place]: answer for half, answers in zip(halves, found, strict=True) for place, answer in answers.items()
    }

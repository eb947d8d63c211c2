"""Prose that came to its end is kept for its conversation; what broke off is not."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from pdgf.errors import ReplyCutOff
from pdgf.llm.calls import Ask, Role
from pdgf.llm.kept_prose import KeptProse
from pdgf.llm.reply_cache import ReplyCache
from pdgf.usage import Budget
from tests.pdgf.llm.scripted_model import rendered

ASK = Ask(rendered=rendered(), role=Role.MAIN)


class Speaker:
    """A model that says three words, or the first alone, and counts how often it is asked."""

    id = "speaker"

    def __init__(self, *, cut: bool = False) -> None:
        self.asked = 0
        self._cut = cut

    async def stream(self, ask: Ask, budget: Budget) -> AsyncIterator[str]:
        self.asked += 1
        for word in ("one ", "two ", "three"):
            yield word
            if self._cut:
                raise ReplyCutOff("no finish mark")

    async def complete(self, ask: Ask, budget: Budget) -> None:  # type: ignore[override]
        raise NotImplementedError


@pytest.fixture
async def cache(tmp_path: Path) -> AsyncIterator[ReplyCache]:
    cache = ReplyCache(tmp_path / "replies")
    yield cache
    await cache.close()


async def told(prose: KeptProse, scope: str) -> list[str]:
    return [piece async for piece in prose.stream(ASK, Budget(scope=scope))]


async def test_the_same_is_paid_once_in_a_conversation_and_once_in_each(cache: ReplyCache) -> None:
    model = Speaker()
    prose = KeptProse(model, cache)  # type: ignore[arg-type]
    assert await told(prose, "a") == ["one ", "two ", "three"]
    assert await told(prose, "a") == ["one two three"]
    assert model.asked == 1
    assert await told(prose, "b") == ["one ", "two ", "three"]
    await cache.forget("a")
    await told(prose, "a")
    assert model.asked == 3


async def test_what_broke_off_or_was_not_heard_out_is_asked_for_again(cache: ReplyCache) -> None:
    broken, whole = Speaker(cut=True), Speaker()
    with pytest.raises(ReplyCutOff):
        await told(KeptProse(broken, cache), "a")  # type: ignore[arg-type]
    prose = KeptProse(whole, cache)  # type: ignore[arg-type]
    async with aclosing(prose.stream(ASK, Budget(scope="a"))) as pieces:
        assert await anext(pieces) == "one "
    assert await told(prose, "a") == ["one ", "two ", "three"]
    assert (broken.asked, whole.asked) == (1, 2)


async def test_where_nobody_could_forget_it_nothing_is_kept(cache: ReplyCache) -> None:
    model = Speaker()
    prose = KeptProse(model, cache)  # type: ignore[arg-type]
    await told(prose, "")
    await told(prose, "")
    assert model.asked == 2

"""Prose on disk too: a stream that came to its end is kept with the replies of its conversation and not paid again."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

from pdgf.llm.calls import Ask, ChatModel
from pdgf.llm.reply_cache import ReplyCache, reply_key
from pdgf.usage import Budget


class KeptProse:
    """Streams as a model does; what a conversation has been told before comes in one piece, without a call."""

    def __init__(self, model: ChatModel, cache: ReplyCache) -> None:
        self._model = model
        self._cache = cache

    async def stream(self, ask: Ask, budget: Budget) -> AsyncGenerator[str, None]:
        """Pieces of prose. Raises as the model does; then nothing is kept, nor when nobody listens to its end."""
        key = reply_key(self._model.id, ask)
        kept = await self._cache.get(budget.scope, key)
        if kept is not None:
            yield kept
            return
        pieces = []
        stream = cast("AsyncGenerator[str, None]", self._model.stream(ask, budget))
        async with aclosing(stream):
            async for piece in stream:
                pieces.append(piece)
                yield piece
        await self._cache.put(budget.scope, key, "".join(pieces))

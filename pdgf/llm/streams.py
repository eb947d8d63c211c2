"""A reply as it arrives: pieces -> texts without thinking, and whether it really ended."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack
from math import inf
from typing import Any

from pdgf.errors import ReplyCutOff, ReplyUnusable
from pdgf.llm.dialect import encodable
from pdgf.llm.faults import CallFault, Kind
from pdgf.llm.raw_replies import REPLY_CHARS, estimated_tokens, read_piece
from pdgf.llm.thinking import ThinkingFilter

AFTER_FINISH = 5.0  # seconds to wait for the count of tokens, once the reply has ended


class OpenStream:
    """One stream. `begin` waits for the first text, `next_text` gives each further one, None after the last.

    `patience` gives the seconds that a piece may take besides the timeouts; `held` is let go of with the stream.
    """

    def __init__(
        self,
        pieces: AsyncGenerator[dict[str, Any], None],
        *,
        thinks_unopened: bool,
        first_timeout: float,
        chunk_timeout: float,
    ) -> None:
        self.first = ""
        self.patience: Callable[[], float] = lambda: inf
        self.held = AsyncExitStack()
        self.tokens_in: int | None = None
        self._tokens_out: int | None = None
        self._pieces = pieces
        self._timeouts = (first_timeout, chunk_timeout)
        self._thinking = ThinkingFilter(unopened=thinks_unopened)
        self._finish: str | None = None
        self._received = False
        self._understood = False
        self._said: list[str] = []
        self._length = 0
        self._texts = self._read()

    @property
    def thinks_unopened(self) -> bool:
        """Whether thinking was seen to end that had not been seen to begin."""
        return self._thinking.unopened_seen

    async def begin(self) -> None:
        """Wait for the first text. Raises CallFault, ReplyUnusable for an empty reply."""
        first = await self.next_text()
        if first is None:
            raise ReplyUnusable("the reply is empty")
        self.first = first

    async def next_text(self) -> str | None:
        """Raises CallFault for a stream that broke, stalled or stopped short, ReplyCutOff for one that was cut."""
        return await anext(self._texts, None)

    def counted_tokens_out(self) -> int:
        """The tokens of the reply so far, as the server says or else about."""
        return estimated_tokens("".join(self._said)) if self._tokens_out is None else self._tokens_out

    async def hang_up(self) -> None:
        """Stop reading and close the connection."""
        await self._texts.aclose()
        await self._pieces.aclose()

    async def aclose(self) -> None:
        await self.held.aclose()

    async def _read(self) -> AsyncGenerator[str, None]:
        half = ""  # of a surrogate pair that was split over two pieces
        shown = False
        while (raw := await self._next_piece()) is not None:
            piece = read_piece(raw)
            self._understood |= not piece.empty
            self._finish = piece.finish or self._finish
            self.tokens_in = self.tokens_in if piece.tokens_in is None else piece.tokens_in
            self._tokens_out = self._tokens_out if piece.tokens_out is None else piece.tokens_out
            self._said.append(piece.text)
            self._length += len(piece.text)
            if self._length > REPLY_CHARS:
                raise ReplyCutOff("the reply does not end")
            text = half + piece.text
            half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
            text = self._thinking.feed(encodable(text[: len(text) - len(half)]))
            if text:
                yield text
                shown = True
            if self.thinks_unopened:
                raise ReplyCutOff("what came was thinking, whose beginning was not marked")
        rest = self._thinking.feed(encodable(half)) + self._thinking.close()
        if rest and self._finish is not None:
            yield rest
            shown = True
        self._check_ended(shown=shown)

    def _check_ended(self, *, shown: bool) -> None:
        if self._finish is None:
            raise CallFault(Kind.CUT if self._understood else Kind.NOT_API, "the stream stopped before its end")
        if self._finish == "content_filter" and not shown:
            raise ReplyUnusable("withheld by the provider's content filter")
        if self._finish in ("length", "content_filter"):
            raise ReplyCutOff(self._finish)

    async def _next_piece(self) -> Mapping[str, Any] | None:
        """The next piece as it came, None when there are no more. What goes wrong after the finish mark is no
        matter: the reply is whole."""
        ended = self._finish is not None
        timeout = min(AFTER_FINISH if ended else self._timeouts[self._received], self.patience())
        fault = CallFault(Kind.TIMEOUT, "the stream stalled")
        try:
            async with asyncio.timeout(timeout):
                piece = await anext(self._pieces, None)
            self._received = True
            return piece
        except TimeoutError:
            pass
        except CallFault as caught:
            fault = caught
        if ended:
            return None
        raise fault

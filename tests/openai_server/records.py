"""What a server was asked, and when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(kw_only=True)
class Record:
    """One request. Times are those of one monotonic clock; `ended` is None while it runs. `gone` tells that the
    client hung up before it had its answer."""

    index: int
    path: str
    prompt: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    started: float
    ended: float | None = None
    gone: bool = False
    fault: str = ""

    @property
    def over(self) -> bool:
        return self.ended is not None

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", ()))

    @property
    def text(self) -> str:
        """Every message of the request, for looking up what was let out."""
        return "\n".join(str(message.get("content")) for message in self.messages)


@dataclass(kw_only=True)
class Traffic:
    """How many requests were in flight at once."""

    now: int = 0
    most: int = 0
    records: list[Record] = field(default_factory=list)

    def began(self, record: Record) -> None:
        self.records.append(record)
        self.now += 1
        self.most = max(self.most, self.now)

    def ended(self, record: Record, at: float) -> None:
        if record.ended is None:
            record.ended = at
            self.now -= 1


def waves(records: Iterable[Record]) -> int:
    """The length of the longest chain of calls each of which began after the one before had ended.

    Calls that a client sends side by side count as one wave only if each takes a while: give the server a latency.
    """
    chain, free_from = 0, float("-inf")
    for ended, started in sorted((record.ended, record.started) for record in records if record.ended is not None):
        if started >= free_from:
            chain, free_from = chain + 1, ended
    return chain

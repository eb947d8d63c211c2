"""Trying a request again: when, after how long, and with what left out."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from pdgf.errors import ModelUnreachable
from pdgf.llm.faults import CallFault, judged, redacted

LONGEST_WAIT = 20.0  # seconds; a server that asks for more is taken as busy
T = TypeVar("T")


async def retried(
    attempt: Callable[[], Awaitable[T]],
    *,
    retries: int,
    first_wait: float,
    patience: Callable[[], float],
    secrets: Sequence[str],
    put_otherwise: Callable[[CallFault], bool] = lambda fault: False,
) -> T:
    """The outcome of the attempt that succeeds. At most `retries` further tries follow a failure that may pass, after
    `first_wait` seconds, doubled each time and shortened at random by up to a half, or after what the server asks.

    `put_otherwise` may change what the next attempt sends after a refusal; such attempts are not counted, so it must
    end. `patience` gives the seconds that may still be waited. Raises the typed error of the last failure, without
    any trace of the libraries underneath.
    """
    failed = 0
    while True:
        try:
            return await attempt()
        except CallFault as caught:
            fault = caught
        # Raised out here, the error carries neither the fault nor what led to it.
        if put_otherwise(fault):
            continue
        verdict = judged(fault, secrets)
        if not verdict.retry or failed >= retries:
            raise verdict.error
        wait = first_wait * 2**failed * random.uniform(0.5, 1.0)  # noqa: S311 (spreads load, guards nothing)
        if verdict.wait is not None:
            wait = max(wait, verdict.wait)
        if wait > min(LONGEST_WAIT, patience()):
            busy = f"asked to wait {verdict.wait:.0f} s: {redacted(fault.message, secrets)}" if verdict.wait else ""
            raise ModelUnreachable("busy", busy) if busy else verdict.error
        failed += 1
        await asyncio.sleep(wait)

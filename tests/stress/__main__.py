"""Run the groups that are named, or all, and print a table of their figures as they come."""

import asyncio
import importlib
import inspect
import pkgutil
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import tests.stress
from tests.stress import Figure

GROUPS = sorted(row.name for row in pkgutil.iter_modules(tests.stress.__path__) if not row.name.startswith("_"))


async def _told(given: Any) -> AsyncIterator[Figure]:
    """The figures, in whichever way a group gives them."""
    if inspect.isasyncgen(given):
        async for figure in given:
            yield figure
        return
    for figure in await given if inspect.isawaitable(given) else given:
        yield figure


def figures_of(group: str) -> Iterator[Figure]:
    """The figures of a group, one after the other."""
    given = importlib.import_module(f"tests.stress.{group}").figures()
    if inspect.isgenerator(given):  # outside any loop, for a group that forks processes
        yield from given
        return
    told = _told(given)
    with asyncio.Runner() as runner:
        while True:
            try:
                yield runner.run(anext(told))  # type: ignore[arg-type]
            except StopAsyncIteration:
                return


def main(names: list[str]) -> int:
    """The number of figures that do not reach their bar; names that are no group are told."""
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        print(f"no group {', '.join(unknown)}; there are {', '.join(GROUPS)}")
        return 1
    short = 0
    print("| group | figure | bar | measured | reached |\n|---|---|---|---|---|", flush=True)
    for group in names or GROUPS:
        begun = time.monotonic()
        for row in figures_of(group):
            short += not row.reached
            print(
                f"| {group} | {row.figure} | {row.bar} | {row.measured} | {'yes' if row.reached else 'NO'} |",
                flush=True,
            )
        print(f"{group}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    return short


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))

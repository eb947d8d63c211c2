"""How the single-user default starts and what it weighs, beside another version of this program in the same run.

Run python -m tests.bench.startup REF, where REF is a commit or tag; it prints and asserts nothing.
"""

import asyncio
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.reliability.crowd import visitor_in, wish
from tests.reliability.started import READY, ROOT, started
from tests.reliability.visiting import Page

ROUNDS = 3  # starts of each version, in turn
DOMAINS = 4
FIGURES = ("answers after, s", "every catalogue is open after, s", "work until then, s", "memory then, MB",
           "first turn, s", "memory after it, MB")  # fmt: skip


async def start(root: Path, data: Path) -> tuple[float, ...]:
    """One start over a data folder, as FIGURES."""
    async with started(data, warm=False, program=root / "app.py", root=root) as server, Page.opened(server.url) as page:
        begun = time.perf_counter() - server.seconds
        while server.log.read_text(errors="replace").count(READY) < DOMAINS:  # noqa: ASYNC110 another process
            await asyncio.sleep(0.05)
        ready, work, memory = time.perf_counter() - begun, server.worked(), server.resident()
        said = await visitor_in(page, "movies").say(wish(0))
        if said.error:
            raise RuntimeError(said.error)
        return server.seconds, ready, work, memory, said.seconds, server.resident()


@contextmanager
def version(ref: str) -> Iterator[Path]:
    """The files of another version, in a folder that is gone afterwards."""
    git = shutil.which("git")
    if git is None:
        raise SystemExit("git is needed for the files of another version.")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "before"
        subprocess.run([git, "-C", str(ROOT), "worktree", "add", "--quiet", "--detach", str(place), ref], check=True)
        try:
            yield place
        finally:
            subprocess.run([git, "-C", str(ROOT), "worktree", "remove", "--force", str(place)], check=True)


async def measured(before: Path) -> dict[str, list[tuple[float, ...]]]:
    """The starts of both versions, in turn; the first of each builds what its data folder lacks, and does not count."""
    found: dict[str, list[tuple[float, ...]]] = {"before": [], "now": []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS + 1):
            for name, root in (("before", before), ("now", ROOT)):
                figures = await start(root, Path(folder) / name)
                found[name] += [figures] if number else []
    return found


def main(ref: str) -> None:
    """Print the median of each figure, of both versions."""
    with version(ref) as before:
        found = asyncio.run(measured(before))
    print(f"{'median of ' + str(ROUNDS):<42}{ref[:12]:>14}{'now':>10}{'ratio':>8}")
    for name, *rows in zip(FIGURES, zip(*found["before"], strict=True), zip(*found["now"], strict=True), strict=True):
        old, new = map(statistics.median, rows)
        print(f"{name:<42}{old:>14.2f}{new:>10.2f}{new / old:>8.2f}")


if __name__ == "__main__":
    main(sys.argv[1])

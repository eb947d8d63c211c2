"""Disks that are full or can only be read, and two processes over one store (RELIABILITY F4, F8)."""

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.dialogue.town import open_town
from tests.reliability import full_disk
from tests.reliability.sharing import PROCESSES, side_by_side
from tests.stress import Figure

TURNS = 200


def figures() -> Iterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        sound = Path(folder) / "sound"
        asyncio.run(full_disk.built(sound))
        sizes = full_disk.sizes(sound)
        for when, from_the_start in (("while it runs", False), ("at the start", True)):

            def tried(copy: Path, size: int, start: bool = from_the_start) -> str:
                return full_disk.when_full(copy, size, from_the_start=start)

            wrong = [f"{size}: {told}" for size in sizes if (told := _copied(sound, lambda c, s=size: tried(c, s)))]  # type: ignore[misc]
            measured = f"{len(sizes) - len(wrong)} of {len(sizes)}{'; ' if wrong else ''}{'; '.join(wrong[:2])}"
            yield Figure(f"disk full {when} (limit of file size)", f"{len(sizes)} sizes", measured, not wrong)
        told = _full_file_system(sound)
        yield Figure("disk full (a file system of 1 MB)", "in words, then works again", told or "yes", not told)
        for figure, tried_once in (("can only be read", full_disk.when_read_only), ("is gone", full_disk.when_gone)):
            told = _copied(sound, tried_once)
            yield Figure(f"folder of conversations {figure}", "in words, old chats readable", told or "yes", not told)
    with tempfile.TemporaryDirectory() as folder:
        failures, lost = side_by_side(Path(folder), TURNS)
        measured = f"{len(failures)} failures, {lost} lost{': ' if failures else ''}{'; '.join(failures[:2])}"
        figure = f"{PROCESSES} processes, {TURNS} turns each, half of them in one conversation"
        yield Figure(figure, "0 failures, 0 lost", measured, not failures and not lost)


def _copied(sound: Path, tried: Callable[[Path], str]) -> str:
    copy = sound.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(sound, copy)
    return tried(copy)


def _full_file_system(sound: Path) -> str:
    """What is wrong on a file system of its own that runs full; this needs root."""
    place = sound.with_name("small")
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True)  # noqa: S607
    if mounted.returncode:
        return ""
    try:
        shutil.copytree(sound, place / "data")
        return asyncio.run(_run_full(place))
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)  # noqa: S607


async def _run_full(place: Path) -> str:
    data, ballast = place / "data", place / "ballast"
    async with open_town(data) as town:
        with contextlib.suppress(OSError):
            ballast.write_bytes(bytes(1 << 20))
        told = [await full_disk._said(town.conversations, f"hello {number}") for number in range(20)]
        if not any(told):
            return "the disk never ran full"
        wrong = next(filter(None, map(full_disk._not_plain, told)), "") or await full_disk._read(town.conversations)
        ballast.unlink()
        return wrong or await full_disk._said(town.conversations, "hello") or await full_disk._read(town.conversations)

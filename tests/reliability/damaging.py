"""Damages what is stored, in every way that disks, tools and attackers do, and says what came of it."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

Damage = Callable[[Path, random.Random], None]
Do = Callable[[Path], None]
"""Damages something in a folder."""
PAGE = 4_096


def flipped(path: Path, chance: random.Random) -> None:
    """One bit is another."""
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def peppered(path: Path, chance: random.Random) -> None:
    """Fifty bytes are others."""
    data = bytearray(path.read_bytes())
    for _ in range(50):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data)


def truncated(path: Path, chance: random.Random) -> None:
    """The end is missing."""
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def zeroed(path: Path, chance: random.Random) -> None:
    """One page holds nothing but zeros."""
    data = bytearray(path.read_bytes())
    start = PAGE * chance.randrange(max(1, len(data) // PAGE))
    end = min(start + PAGE, len(data))
    data[start:end] = bytes(end - start)
    path.write_bytes(data)


def shuffled(path: Path, chance: random.Random) -> None:
    """Two pages have changed places."""
    data = path.read_bytes()
    pages = [data[start : start + PAGE] for start in range(0, len(data), PAGE)]
    one, other = chance.randrange(len(pages)), chance.randrange(len(pages))
    pages[one], pages[other] = pages[other], pages[one]
    path.write_bytes(b"".join(pages))


def emptied(path: Path, chance: random.Random) -> None:
    """Nothing is left of it."""
    path.write_bytes(b"")


def a_text(path: Path, chance: random.Random) -> None:
    """A text in its place."""
    path.write_text("This is a letter and no database. " * 300)


def noise(path: Path, chance: random.Random) -> None:
    """Random bytes in its place."""
    path.write_bytes(chance.randbytes(20_000))


def foreign(path: Path, chance: random.Random) -> None:
    """The database of another program in its place."""
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (address TEXT, title TEXT)")
        other.execute("INSERT INTO bookmarks VALUES ('https://example.org', 'An example')")
        other.commit()


def foreign_of_the_same_names(path: Path, chance: random.Random) -> None:
    """The database of another program, whose tables are called as ours are."""
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        for table in ("conversations", "content", "checkpoints"):
            other.execute(f"CREATE TABLE {table} (number INTEGER, words TEXT)")
        other.commit()


def of_the_future(path: Path, chance: random.Random) -> None:
    """Written by a release that is not out yet."""
    with closing(sqlite3.connect(path)) as store:
        store.execute(f"PRAGMA user_version = {chance.randrange(3, 1_000)}")


def a_folder(path: Path, chance: random.Random) -> None:
    """A folder of its name in its place."""
    path.unlink()
    path.mkdir()


def swapped(one: Path, other: Path) -> None:
    """Two files have changed places."""
    between = one.with_name("between")
    one.rename(between)
    other.rename(one)
    between.rename(other)


RANDOM: tuple[Damage, ...] = (flipped, peppered, truncated, zeroed)
WHOLE: tuple[Damage, ...] = (emptied, a_text, noise, a_folder)


def at(kind: Damage, name: str, seed: int) -> Do:
    """That damage to the file of a folder, the same each time."""
    return lambda place: kind(place / name, random.Random(f"{kind.__name__} {name} {seed}"))

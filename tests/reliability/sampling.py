"""A seeded part of many cases that leaves no kind of them out."""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def one_of_each(rows: Iterable[T], kind: Callable[[T], str]) -> list[T]:
    """One row of every kind, of each kind another one in turn, so that other places are tried than the first alone."""
    kinds: dict[str, list[T]] = {}
    for row in rows:
        kinds.setdefault(kind(row), []).append(row)
    return [found[number % len(found)] for number, found in enumerate(kinds.values())]

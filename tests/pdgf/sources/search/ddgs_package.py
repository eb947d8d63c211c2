"""The package ddgs as a search sees it, without any network: its class and its exceptions."""

import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest


class DDGSException(Exception):
    pass


class RatelimitException(DDGSException):
    pass


class TimeoutException(DDGSException):
    pass


class Calls(list[dict[str, Any]]):
    """What the class was asked, in order."""

    @property
    def queries(self) -> list[str]:
        return [call["query"] for call in self]


def install(patch: pytest.MonkeyPatch, answer: Callable[[str], Sequence[Any]]) -> Calls:
    """Put a package in place whose searches give what `answer` returns or raises."""
    calls = Calls()

    class DDGS:
        def __init__(self, *, timeout: int) -> None:
            self._timeout = timeout

        def text(self, query: str, *, region: str, max_results: int, backend: str) -> Sequence[Any]:
            calls.append({"query": query, "region": region, "max_results": max_results, "backend": backend})
            return answer(query)

    package, exceptions = ModuleType("ddgs"), ModuleType("ddgs.exceptions")
    vars(package).update(DDGS=DDGS, exceptions=exceptions)
    vars(exceptions).update(
        DDGSException=DDGSException, RatelimitException=RatelimitException, TimeoutException=TimeoutException
    )
    patch.setitem(sys.modules, "ddgs", package)
    patch.setitem(sys.modules, "ddgs.exceptions", exceptions)
    return calls


def uninstall(patch: pytest.MonkeyPatch) -> None:
    """Make the package one that cannot be imported."""
    patch.setitem(sys.modules, "ddgs", None)

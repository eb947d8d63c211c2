"""How a command of `pdgf` is run: its work to its end, what it prints, and an error as one line and an exit code."""

import asyncio
import json
import logging
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

import typer

from dialogue import wording
from dialogue.composition import Composition
from pdgf.errors import BadInput, PdgfError

T = TypeVar("T")
BAD_INPUT, SERVICE_FAILED, INTERRUPTED = 2, 3, 130


def run(work: Coroutine[Any, Any, T], composition: Composition) -> T:
    """Run a command and close what it has opened; an error becomes one line on stderr and an exit code."""

    async def closed_after() -> T:
        try:
            return await work
        finally:
            await composition.close()

    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        return asyncio.run(closed_after())
    except PdgfError as error:
        raise failed(error) from error


def aside(words: str) -> None:
    """Say something beside the output; where that cannot be written, the work goes on."""
    with suppress(OSError):
        typer.echo(words, err=True)


def on_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def agreed(told: str, question: str, *, otherwise: str) -> bool:
    """Whether who types this wants what is told. Where nobody can be asked the command ends, naming the one that asks
    nothing (`otherwise`)."""
    aside(told)
    if not on_terminal():
        aside(f"Nobody can be asked here, so nothing was done. To do it without a question: {otherwise}")
        raise typer.Exit(BAD_INPUT)
    return typer.confirm(question, err=True)


def failed(error: PdgfError) -> typer.Exit:
    """The end of a command that failed, its reason told."""
    aside(wording.sentence_for(error))
    return typer.Exit(exit_code(error))


def exit_code(error: PdgfError) -> int:
    """2 for input that can be mended, 3 where an outside service failed."""
    return BAD_INPUT if isinstance(error, BadInput) else SERVICE_FAILED


def progress(done: int, total: int) -> None:
    """How far the reading of a catalogue has come, where somebody looks on."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\rreading the catalogue: {done} of {total} texts" + ("\n" if done >= total else ""))


def dumped(value: Any, *, one_line: bool = False) -> str:
    """What --json prints."""
    return json.dumps(value, ensure_ascii=False, indent=None if one_line else 2)

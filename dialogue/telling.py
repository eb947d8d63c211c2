"""The reply of an answering turn as it grows: a line for one item, a table for several, a list for reasons, and after
several the sentence that they come to. It is streamed in the order in which it stands."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dialogue import wording
from dialogue.models import ItemRef, Piece, QuotedSource
from pdgf.texts import collapsed

Write = Callable[[dict[str, str]], None]


@dataclass
class Cell:
    """What is told of one question and one item."""

    text: str = ""
    brief: str = ""
    sources: dict[QuotedSource, None] = field(default_factory=dict)

    def add(self, piece: Piece) -> None:
        self.text += piece.text if self.text else piece.text.lstrip()
        self.brief += piece.brief
        self.sources |= dict.fromkeys(piece.sources)

    @property
    def shown(self) -> str:
        """The words of a table's cell, in one line and without what would end it."""
        words = self.brief or self.text or wording.say("compare.unknown")
        return collapsed(words).replace("|", "/")


class Told:
    """The words, sources and broken answers of a turn so far; every block is parted from the one before."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self.text = ""
        self.sources: dict[QuotedSource, None] = {}
        self.cut_off: dict[ItemRef, None] = {}
        self.comparison: dict[str, Any] | None = None

    def say(self, text: str) -> None:
        """The next words, as they are."""
        self.text += text
        self._write({"piece": text})

    def block(self, text: str) -> None:
        """Words that stand by themselves."""
        self.say(f"\n\n{text}" if self.text else text)

    def heard(self, item: ItemRef, piece: Piece) -> None:
        """The sources of a piece, and whether it broke off."""
        self.sources |= dict.fromkeys(piece.sources)
        if piece.broken:
            self.cut_off[item] = None


class Lines:
    """One question about one item after the other, a line each; in a list where there are several. `asked` are the
    words of the question, where the turn has others too."""

    def __init__(self, told: Told, *, listed: bool, asked: str = "") -> None:
        self._told, self._asked = told, asked.strip(" ?？.,，。")
        self._bullet = "- " if listed else ""
        self._first, self._open = True, False

    def piece(self, item: ItemRef, piece: Piece) -> None:
        """The next words about an item; the first ones come after its title."""
        if not self._open:
            self._line(wording.say("answer.line", title=item.title, text=""))
        self._told.say(piece.text if self._open else piece.text.lstrip())
        self._open = True
        self._told.heard(item, piece)

    def end(self, item: ItemRef) -> None:
        """No more words about an item; where there was none, nobody knows, and of several questions it is said which
        one that is."""
        if not self._open and self._asked:
            self._line(wording.say("answer.unknown_of", question=self._asked, title=item.title))
        elif not self._open:
            self._line(wording.say("answer.unknown", title=item.title))
        self._open = False

    def close(self, conclusions: Sequence[str]) -> None:
        """The last line."""
        for sentence in conclusions:
            self._line(sentence)

    def _line(self, text: str) -> None:
        if self._first:
            self._told.block(f"{self._bullet}{text}")
        else:
            self._told.say(f"\n{self._bullet}{text}")
        self._first = False


class Whole:
    """An answer in its own words."""

    def __init__(self, told: Told) -> None:
        self._told = told

    def piece(self, item: ItemRef, piece: Piece) -> None:
        """The answer."""
        self._told.block(piece.text)
        self._told.heard(item, piece)

    def end(self, item: ItemRef) -> None:
        """Nothing follows."""

    def close(self, conclusions: Sequence[str]) -> None:
        """Nothing follows."""


class Table:
    """Several items in columns, a question a row. Nothing is written before the first cell that is known; where none
    is, one sentence says so."""

    def __init__(self, told: Told, items: Sequence[ItemRef], rows: Sequence[str]) -> None:
        self._told = told
        self._items, self._labels = items, rows
        self._cells: list[list[Cell]] = [[]]
        self._open = Cell()
        self._begun = False

    def piece(self, item: ItemRef, piece: Piece) -> None:
        """The next words of the cell that is being told."""
        self._open.add(piece)
        self._told.heard(item, piece)

    def end(self, item: ItemRef) -> None:
        """The cell is whole."""
        if len(self._cells[-1]) == len(self._items):
            self._cells.append([])
        self._cells[-1].append(self._open)
        known = bool(self._open.text)
        self._open = Cell()
        if self._begun:
            self._write_cell(len(self._cells) - 1, len(self._cells[-1]) - 1)
        elif known:
            self._begin()

    def close(self, conclusions: Sequence[str]) -> None:
        """What the rows come to, or that nobody knows."""
        if not self._begun:
            titles = wording.titles([item.title for item in self._items], last="or")
            self._told.block(wording.say("answer.unknown", title=titles))
        elif conclusions:
            self._told.block(wording.told(list(dict.fromkeys(conclusions))))
        self._told.comparison = self._told.comparison or {
            "questions": list(self._labels),
            "items": [item.model_dump(mode="json") for item in self._items],
            "cells": [[_cell_json(cell) for cell in row] for row in self._cells],
        }

    def _begin(self) -> None:
        """The heads of the columns and all cells so far."""
        self._begun = True
        heads = "".join(f" {_escaped(wording.known_as(item.title))} |" for item in self._items)
        self._told.block(f"| |{heads}\n|{' --- |' * (len(self._items) + 1)}")
        for row, cells in enumerate(self._cells):
            for column in range(len(cells)):
                self._write_cell(row, column)

    def _write_cell(self, row: int, column: int) -> None:
        lead = "" if column else f"\n| {_escaped(self._labels[row])} |"
        self._told.say(f"{lead} {self._cells[row][column].shown} |")


def _escaped(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("|", "/"))


def _cell_json(cell: Cell) -> dict[str, Any]:
    return {
        "text": cell.text,
        "known": bool(cell.text),
        "quotes": [source.model_dump(mode="json") for source in cell.sources],
    }

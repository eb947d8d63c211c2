"""Figures under stress, against their bars: `python -m tests.stress [GROUP...]`.

Each module of this folder is a group, but for those that begin with an underscore. It has a function `figures`, plain,
asynchronous or a generator of either kind, that gives a `Figure` for each row.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One row: what is measured, what it has to reach, what was measured, and whether that reaches it."""

    figure: str
    bar: str
    measured: str
    reached: bool

"""Every fault of a search at every request, and of a page at every page, in whole turns (RELIABILITY F1, F9)."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from tests.reliability.web_cells import Cell, cells, open_web_town, tried
from tests.stress import Figure

KINDS = (("search", 11), ("page", 14))


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_web_town(Path(folder) / "good") as town:
            every = cells(town)
            for kind, least in KINDS:
                of_kind = [cell for cell in every if bool(cell.page) == (kind == "page")]
                wrong: list[str] = []
                for number, cell in enumerate(of_kind):
                    told = await tried(town, Path(folder) / kind / str(number), cell)
                    wrong += [f"{cell}: {'; '.join(told)}"] if told else []
                yield _row(kind, of_kind, least, wrong)


def _row(kind: str, tried_cells: list[Cell], least: int, wrong: list[str]) -> Figure:
    faults = len({cell.fault for cell in tried_cells})
    told = f"{': ' if wrong else ''}{' | '.join(wrong[:3])}"
    measured = f"{len(wrong)} of {len(tried_cells)} cells, {faults} faults{told}"
    figure = f"a {kind} that fails, at every place of a turn: raised, late, untold, leaking or stuck"
    return Figure(figure, f"0; >= {least} faults", measured, not wrong and faults >= least)

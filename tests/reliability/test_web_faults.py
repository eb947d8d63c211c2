"""A search or a page goes wrong in a conversation (4.2, F1, F9). All cells: `python -m tests.stress web_faults`."""

from pathlib import Path

import pytest

from tests.reliability.sampling import one_of_each
from tests.reliability.web_cells import Cell, cells, open_web_town, tried
from tests.variants import every


@pytest.mark.parametrize("half", every(2, [0, 1]))
async def test_every_fault_of_a_search_or_of_a_page_is_told_in_its_turn_and_the_next_turn_works(
    tmp_path: Path, half: int
) -> None:
    async with open_web_town(tmp_path / "good") as town:
        all_cells = cells(town)
        chosen = one_of_each(all_cells, lambda cell: cell.fault)[half::2]
        wrong = {
            str(cell): told
            for number, cell in enumerate(chosen)
            if (told := await tried(town, tmp_path / str(number), cell))
        }
    assert wrong == {}
    assert len({cell.fault for cell in all_cells if cell.search}) >= 11
    assert len({cell.fault for cell in all_cells if cell.page}) >= 14
    assert len(all_cells) >= 400


async def test_a_list_that_changes_without_a_word_would_be_found(tmp_path: Path) -> None:
    async with open_web_town(tmp_path / "good", engines=["serper"]) as town:
        town.good["serper"][0].view.items[0]["title"] = "Another House"
        told = await tried(town, tmp_path / "cell", Cell("serper"))
    assert any("no word why" in each for each in told)

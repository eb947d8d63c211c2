"""The figures of a run for people: Markdown and pictures."""

import builtins
from pathlib import Path
from typing import Any

import pytest

from pdgf.errors import ConfigInvalid, StoreUnavailable
from pdgf.evaluation.plots import draw
from pdgf.evaluation.report import figures
from pdgf.evaluation.runner import measure
from pdgf.evaluation.strategies import Strategy
from pdgf.evaluation.table import markdown
from tests.pdgf.evaluation.village import QUERIES, setup

PNG = b"\x89PNG\r\n\x1a\n"
WANTED = (Strategy.FULL, Strategy.BM25, Strategy.RANDOM)


async def report() -> dict[str, Any]:
    measured = {query.qid: await measure(query, await setup(), WANTED) for query in QUERIES}
    config = {"set": "village", "engine": "builtin", "embedder": "hashing", "preset": "interactive"}
    return {**figures(QUERIES, measured, WANTED), "config": config, "left_out": {"count": 2, "rows": []}}


async def test_the_table_has_a_row_a_strategy_with_value_and_interval() -> None:
    made = await report()
    text = markdown(made)
    full = made["strategies"]["full"]["mrr"]
    row = next(line for line in text.splitlines() if line.startswith("| full |"))
    assert f"{full['value']:.3f} ({full['low']:.3f}-{full['high']:.3f})" in row
    assert "village: 3 requests" in text
    assert "Left out: 2" in text
    assert text.count("| bm25 |") == 3  # scores, paired test, what was lost


async def test_tables_are_whole() -> None:
    lines = markdown(await report()).splitlines()
    cells = [line.count("|") for line in lines if line.startswith("|")]
    assert {count: cells.count(count) for count in set(cells)} == {11: 5, 6: 4, 5: 5}


async def test_four_pictures_are_drawn(tmp_path: Path) -> None:
    paths = draw(await report(), tmp_path)
    assert [path.name for path in paths] == ["scores.png", "recall.png", "deciles.png", "gaps.png"]
    assert all(path.read_bytes().startswith(PNG) for path in paths)


async def test_without_matplotlib_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, found = await report(), builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return found(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ConfigInvalid, match="matplotlib"):
        draw(made, tmp_path)


async def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        draw(await report(), tmp_path / "nowhere")

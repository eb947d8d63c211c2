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
from pdgf.evaluation.table import difference_cell, markdown
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
    assert text.count("\n| bm25 |") == 5  # scores, paired test, what was lost, recall, complementarity


async def test_the_report_shows_recall_by_k_and_what_one_has_found_alone() -> None:
    made = await report()
    text = markdown(made)
    curve = made["recall_curve"]["full"]
    assert f"| full | {curve[0]:.3f} | {curve[4]:.3f} | {curve[9]:.3f} | {curve[19]:.3f} | {curve[49]:.3f} |" in text
    alone = made["complementarity"]["retrieved"]["full"]["flat"]
    assert f"| full |  | {alone:.3f} |" in text
    assert "No pool has ten items." in text


async def test_tenths_and_runs_are_shown_where_there_are_some() -> None:
    made = await report()
    made["deciles"] = {"full": [0.5, *[0.0] * 9], "bm25": None}
    made["runs"] = {
        "llm_rerank": {
            "count": 3,
            "means": {"ndcg@10": [0.1, 0.2, 0.3], "h@1": [0.0, 0.0, 0.0], "mrr": [0.5, 0.5, 0.5]},
            "deviation": {"ndcg@10": 0.1, "h@1": 0.0, "mrr": 0.0},
        }
    }
    text = markdown(made)
    assert "| full | 0.500 | 0.000 |" in text
    assert "| llm_rerank | ±0.100 (0.100, 0.200, 0.300) | ±0.000 (0.000, 0.000, 0.000) | ±0.000" in text


@pytest.mark.parametrize(("p", "shown"), [(0.0004, "p <0.001"), (0.001, "p 0.001"), (0.25, "p 0.250")])
def test_a_p_is_never_shown_as_nothing(p: float, shown: str) -> None:
    assert difference_cell({"difference": 0.1, "low": 0.0, "high": 0.2, "p": p}).endswith(shown)


async def test_tables_are_whole() -> None:
    """Every row of a table has as many cells as its head."""
    tables: list[list[int]] = [[]]
    for line in markdown(await report()).splitlines():
        if line.startswith("|"):
            tables[-1].append(line.count("|"))
        elif tables[-1]:
            tables.append([])
    found = [counts for counts in tables if counts]
    assert len(found) == 6  # scores, paired, lost, recall, two of complementarity
    assert all(len(set(counts)) == 1 and len(counts) > 2 for counts in found)


async def test_five_pictures_are_drawn(tmp_path: Path) -> None:
    paths = draw(await report(), tmp_path)
    assert [path.name for path in paths] == [
        "scores.png",
        "recall.png",
        "deciles.png",
        "gaps.png",
        "complementarity.png",
    ]
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

"""Requests measured on a cluster have the results that one process gives them."""

import json
from pathlib import Path
from typing import Any

import ray

from dialogue.composition import Composition
from dialogue.evaluation import running
from pdgf.evaluation.dataset import read_set
from pdgf.evaluation.strategies import Strategy
from pdgf.settings import Settings
from tests.pdgf.evaluation.village import write_set


async def test_requests_have_the_lists_of_one_process(cluster_address: str, tmp_path: Path) -> None:
    folder = write_set(tmp_path / "village")
    composition = Composition(settings=Settings(data_dir=tmp_path / "data", engine="builtin"))
    lists = []
    for address in (None, cluster_address):
        wanted = running.Wanted(
            strategies=(Strategy.FULL, Strategy.BM25), out=tmp_path / str(address is None), ray=address
        )
        report = await running.evaluate(folder, wanted, composition, say=lambda _: None)
        assert report["requests"]["measured"] == len(read_set(folder).queries)
        [kept] = (tmp_path / str(address is None)).glob("village-*/requests.jsonl")
        results = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
        lists.append({result["qid"]: without_times(result) for result in results})
    assert lists[0] == lists[1]
    await composition.close()
    ray.shutdown()


def without_times(result: dict[str, Any]) -> dict[str, Any]:
    return {name: result[name] for name in ("rankings", "found", "nodes", "edges", "pool")}

"""Full against what leaves a part of it out, over annotated requests."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.evaluation.claims import Annotated, compared_with_full, told_apart, verdict
from pdgf.evaluation.claims_table import markdown
from pdgf.evaluation.dataset import Query
from pdgf.evaluation.metrics import ndcg_at
from pdgf.evaluation.runner import QueryResult
from pdgf.evaluation.statistics import paired
from pdgf.evaluation.strategies import Strategy

WANTED = (Strategy.FULL, Strategy.NO_EDGES)
QUERIES = (Query(qid="a", text="a", truth={"x": 1.0}), Query(qid="b", text="b", truth={"x": 1.0, "y": 1.0}))
ORDERS = {"a": (["x", "w", "v"], ["w", "x", "v"]), "b": (["w", "x", "y"], ["w", "y", "x"])}
WRONG = {"a": ("w", "v"), "b": ("w",)}


def results(edges: int = 2) -> dict[str, QueryResult]:
    return {
        qid: QueryResult(
            qid=qid,
            rankings={"full": full, "no_edges": bare},
            found={"full": full, "flat": full},
            seconds={},
            edges=edges,
        )
        for qid, (full, bare) in ORDERS.items()
    }


def test_pairs_are_told_apart_when_the_acceptable_item_stands_first() -> None:
    """Of x > w, x > v, z > w and z > v, where z is not listed, the first two hold."""
    assert told_apart(["x", "w", "v"], ["x", "z"], ["w", "v"]) == 2 / 4
    assert told_apart(["a"], ["x"], ["w"]) == 1 / 2  # neither is listed
    assert told_apart(["a", "x"], ["x"], ["w"]) == 1.0
    with pytest.raises(ValueError, match="told apart"):
        told_apart(["a"], ["x"], [])


@given(st.permutations("abcdwxyz"), st.integers(0, 8))
def test_told_apart_is_the_area_under_the_curve_of_a_ranking(order: list[str], cut: int) -> None:
    """Against the rank sum of Mann and Whitney, ties counting a half."""
    listed, good, bad = order[:cut], "abcd", "wxyz"
    rank = {item: listed.index(item) if item in listed else cut for item in order}
    wins = sum((rank[g] < rank[b]) + 0.5 * (rank[g] == rank[b]) for g, b in product(good, bad))
    assert told_apart(listed, good, bad) == pytest.approx(wins / 16)
    assert told_apart(listed, good, bad) == pytest.approx(1 - told_apart(listed, bad, good))


def test_full_is_compared_over_the_same_requests_with_what_was_told_apart() -> None:
    made = compared_with_full(QUERIES, results(), WANTED, WRONG)
    told = {"full": [1.0, 0.0], "no_edges": [1 / 2, 0.0]}
    for name, each in told.items():
        assert made["strategies"][name]["told_apart"]["value"] == pytest.approx(sum(each) / 2)
    assert made["paired"]["no_edges"]["told_apart"] == paired(told["full"], told["no_edges"]).model_dump()
    gains = [ndcg_at(ORDERS[q.qid][0], q.truth) - ndcg_at(ORDERS[q.qid][1], q.truth) for q in QUERIES]
    assert made["paired"]["no_edges"]["ndcg@10"]["difference"] == pytest.approx(sum(gains) / 2)
    assert (made["requests"], made["edges"]) == (2, 2.0)


def test_without_unacceptable_items_only_ranking_metrics_are_given() -> None:
    made = compared_with_full(QUERIES, results(), WANTED)
    assert set(made["strategies"]["full"]) == {"ndcg@10", "h@1", "mrr", "pool_recall"}


def test_a_request_without_a_result_counts_nowhere_and_none_at_all_is_no_figure() -> None:
    assert compared_with_full(QUERIES, {"a": results()["a"]}, WANTED, WRONG)["requests"] == 1
    with pytest.raises(ValueError, match="nothing was measured"):
        compared_with_full(QUERIES, {}, WANTED)


@pytest.mark.parametrize(
    ("difference", "p", "said"),
    [(0.1, 0.01, "full is better"), (-0.1, 0.01, "full is worse"), (0.1, 0.05, "no difference shown")],
)
def test_a_difference_is_one_only_with_a_small_p(difference: float, p: float, said: str) -> None:
    assert verdict({"difference": difference, "p": p}) == said


def test_the_report_has_a_row_a_strategy_the_links_and_every_fault() -> None:
    group = compared_with_full(QUERIES, results(), WANTED, WRONG)
    links = {
        "qualified": {
            "pairs": 4, "recall": 0.5, "edges": 3, "precision": 0.75, "f1": 0.6, "left_open": 1,
            "missed": {"not drawn": 2},
        },
        "flat": {"edges": 2},
        "faults": [{"text": "the text", "wrong": [("u", "v")], "missed": [(("base", "how"), "not drawn")]}],
    }  # fmt: skip
    config = {
        "engine": "builtin", "embedder": "e", "preset": "interactive", "gamma": 0.7, "score_map": {},
        "bootstrap": {"level": 0.95},
    }  # fmt: skip
    text = markdown({"groups": {"qualified": group}, "links": links, "sets": {"own": {"all": group}}, "config": config})
    assert text.count("| no_edges | 0.250") == 2
    assert "| qualified | 4 | 0.50 | 3 | 0.75 | 0.60 | 1 |" in text
    assert "not drawn 2" in text
    assert "  - missed: 'how' on 'base' (not drawn)\n  - wrong: 'v' on 'u'" in text


def test_what_a_reader_finds_goes_with_its_text() -> None:
    request = Annotated(domain="movies", text="a b", pairs=(("a", "b"),), acceptable=("x",))
    assert (request.links.text, request.links.pairs) == ("a b", (("a", "b"),))

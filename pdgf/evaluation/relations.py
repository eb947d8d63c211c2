"""How well a text is compared with a wish: label(x, f) against labelled pairs (METHOD 7.1).

    preference -> wishes and their descriptions f, as for any request
    evidence   -> the label of each (x, f), quotes checked as in a ranking
    labels     -> supports if more of them support than contradict, contradicts if more contradict, neutral otherwise

PARTIAL counts as support: the text shows part of the wish. A preference without a readable wish is one itself.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal

from pdgf import construction
from pdgf.evaluation.classification import single_label
from pdgf.evaluation.pool import UNREADABLE
from pdgf.evaluation.rows import FileRow
from pdgf.models import Evidence, Label, Passage, RelationLabel, Source
from pdgf.ports import PreferenceAgent, RelationRequest
from pdgf.ranking import verified
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

CLASSES = ("supports", "contradicts", "neutral")
AT_ONCE = 64  # rows an agent's call
Say = Callable[[str], None]


class RelationRow(FileRow):
    """A text, a preference, and how the one stands to the other; a label may say more about what is neutral."""

    evidence: str
    preference: str
    label: Literal["supports", "contradicts", "neutral", "neutral_mentioned", "neutral_absent"]
    aspect: str = ""

    @property
    def true(self) -> str:
        return "neutral" if self.label.startswith("neutral") else self.label


async def judge_relations(
    rows: Sequence[RelationRow],
    *,
    agent: PreferenceAgent,
    config: MethodConfig,
    new_budget: Callable[[], Budget],
    held_out: Collection[str] = (),
    say: Say,
) -> dict[str, Any]:
    """Accuracy and macro F1 over all rows, or over those of the aspects held out, with the rest below. Raises
    ServiceFailed and BudgetSpent as the agent does."""
    features = {
        preference: await features_of(preference, agent, config, new_budget())
        for preference in dict.fromkeys(row.preference for row in rows)
    }
    given: list[str] = []
    for start in range(0, len(rows), AT_ONCE):
        given += await _verdicts(rows[start : start + AT_ONCE], features, agent, new_budget())
        say(f"{len(given)} of {len(rows)} pairs")
    judged = list(zip(rows, given, strict=True))
    counted = [pair for pair in judged if not held_out or pair[0].aspect in held_out]
    made = {
        **_figures(counted),
        "aspects": {a: _figures([p for p in counted if p[0].aspect == a]) for a in _aspects(counted)},
        "neutral": _neutral(counted),
        "features": features,
        "held_out": sorted(held_out),
    }
    rest = [pair for pair in judged if held_out and pair[0].aspect not in held_out]
    return {**made, "rest": _figures(rest)} if rest else made


def verdict(labels: Sequence[Label]) -> str:
    """One of the three classes from the labels of all wishes of a preference."""
    support = sum(label in (Label.SUPPORT, Label.PARTIAL) for label in labels)
    contradict = sum(label is Label.CONTRADICTS for label in labels)
    return "supports" if support > contradict else "contradicts" if contradict > support else "neutral"


async def features_of(preference: str, agent: PreferenceAgent, config: MethodConfig, budget: Budget) -> list[str]:
    """f of each wish of a preference."""
    try:
        graph, _ = await construction.build_graph(preference, agent=agent, config=config, budget=budget)
    except UNREADABLE:
        return [preference]
    described = await construction.refine(graph, agent=agent, config=config, budget=budget)
    return [described.node_by_id[node].feature for node in described.order]


async def _verdicts(
    rows: Sequence[RelationRow], features: dict[str, list[str]], agent: PreferenceAgent, budget: Budget
) -> list[str]:
    requests = [
        RelationRequest(text=row.evidence, feature=feature) for row in rows for feature in features[row.preference]
    ]
    labels = iter(await agent.label_relations(requests, budget))
    return [verdict([_checked(next(labels), row) for _ in features[row.preference]]) for row in rows]


def _checked(label: RelationLabel, row: RelationRow) -> Label:
    passage = Passage(text=row.evidence, source=Source(id="row"))
    return verified(label, Evidence(candidate="row", node="row", passages=(passage,))).label


def _figures(judged: Sequence[tuple[RelationRow, str]]) -> dict[str, Any]:
    return single_label([(row.true, given) for row, given in judged], CLASSES)


def _aspects(judged: Sequence[tuple[RelationRow, str]]) -> list[str]:
    return sorted({row.aspect for row, _ in judged})


def _neutral(judged: Sequence[tuple[RelationRow, str]]) -> dict[str, dict[str, int]]:
    """What was made of each kind of neutral pair."""
    kinds = sorted({row.label for row, _ in judged if row.label.startswith("neutral")})
    return {
        kind: {name: sum(row.label == kind and given == name for row, given in judged) for name in CLASSES}
        for kind in kinds
    }

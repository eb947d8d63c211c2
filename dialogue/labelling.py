"""Items that no ranking holds, labelled for the wishes of one in a single call (METHOD 7.1): why they are not in it."""

from collections.abc import Sequence
from itertools import accumulate

from dialogue.item_answers import metadata_of
from dialogue.models import ItemRef
from dialogue.ports import TurnContext
from pdgf.constraints import MetadataSchema, hard_violation
from pdgf.errors import BudgetSpent, StepFailed
from pdgf.models import Candidate, Evidence, Passage, PreferenceGraph, RankedItem
from pdgf.ports import RelationRequest
from pdgf.ranking import verified

PASSAGES = 10  # of an item for one wish: nothing of what is known may be missed where a wish is said to be silent


async def labelled(
    items: Sequence[ItemRef], graph: PreferenceGraph, schema: MetadataSchema, context: TurnContext
) -> dict[str, RankedItem]:
    """The items by id as a ranking would hold them, on their own passages nearest to every wish. Without those of which
    nothing is known; empty where the turn may ask no more. Raises IndexUnavailable and what the agent raises."""
    evidence, most = list[Evidence](), context.config.max_evidence_chars
    for item in items:
        for node in (graph.node_by_id[node] for node in graph.order):
            hits = await context.reviews.nearest(node.feature or node.instantiation, [item.id], PASSAGES)
            if passages := _within([hit.passage for hit in hits], most):
                evidence.append(Evidence(candidate=item.id, node=node.id, passages=passages))
    if not evidence:
        return {}
    requests = [RelationRequest(text=e.text, feature=graph.node_by_id[e.node].feature) for e in evidence]
    try:
        labels = await context.ports.agent.label_relations(requests, context.budget)
    except (BudgetSpent, StepFailed):
        return {}
    pairs = list(zip(evidence, labels, strict=True))
    found = {}
    for item in items:
        own = [(e, verified(label, e)) for e, label in pairs if e.candidate == item.id]
        if own:
            candidate = Candidate(
                id=item.id, title=item.title, year=item.year, metadata=dict(metadata_of(item, context))
            )
            found[item.id] = RankedItem(
                candidate=candidate,
                score=0.0,
                demoted=hard_violation(graph, candidate, schema).violated,
                evidence=tuple(e for e, _ in own),
                judged={e.node: {e.node: label} for e, label in own},
            )
    return found


def _within(passages: Sequence[Passage], limit: int | None) -> tuple[Passage, ...]:
    """The first passages that are no longer than the limit together; at least one."""
    lengths = list(accumulate(len(passage.text) for passage in passages))
    return tuple(p for at, p in enumerate(passages) if not at or limit is None or lengths[at] <= limit)

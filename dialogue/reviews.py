"""Which pieces of text explain an item: late fusion over its description pieces (METHOD 9.5).

PDG-F ranks the items; late fusion chooses the evidence to show. Every piece of an item is scored against the
narrative on its own, the k best are what late fusion would average, and of several quotes for one wish the one that
stands in the best of those pieces is shown. No quote is added: a label's own quotes are all that may be cited.
"""

from collections.abc import Mapping, Sequence

from pdgf.models import RankedItem, RelationLabel
from pdgf.ports import ReviewHit, ReviewIndex


async def choose_evidence(
    items: Sequence[RankedItem], narrative: str, *, reviews: ReviewIndex, k: int
) -> tuple[RankedItem, ...]:
    """The items with the quotes of every label in the order in which they should be shown. Raises IndexUnavailable."""
    pieces = pieces_by_item(await reviews.nearest(narrative, [item.candidate.id for item in items], k))
    return tuple(with_best_quotes_first(item, pieces.get(item.candidate.id, ())) for item in items)


def with_best_quotes_first(item: RankedItem, pieces: Sequence[ReviewHit]) -> RankedItem:
    """The item with each label's quotes ordered by the best of the pieces they stand in; others keep their order."""
    judged = {
        record: {node: _ordered(label, pieces) for node, label in labels.items()}
        for record, labels in item.judged.items()
    }
    return item.model_copy(update={"judged": judged})


def pieces_by_item(hits: Sequence[ReviewHit]) -> Mapping[str, tuple[ReviewHit, ...]]:
    """The hits of each item, best first, as the index returns them."""
    found: dict[str, tuple[ReviewHit, ...]] = {}
    for hit in hits:
        found[hit.item] = (*found.get(hit.item, ()), hit)
    return found


def _ordered(label: RelationLabel, pieces: Sequence[ReviewHit]) -> RelationLabel:
    def best(quote: str) -> float:
        words = " ".join(quote.split())
        return max((hit.score for hit in pieces if words in " ".join(hit.passage.text.split())), default=float("-inf"))

    return label.model_copy(update={"quotes": tuple(sorted(label.quotes, key=best, reverse=True))})

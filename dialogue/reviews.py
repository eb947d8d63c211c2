"""Which pieces of text explain an item: late fusion over its description pieces (METHOD 9.5).

PDG-F ranks the items; late fusion chooses the evidence to show. Every piece of an item is scored against the
narrative on its own, the k best are what late fusion would average, and of several quotes for one wish the one that
stands in the best of those pieces is shown. No quote is added: a label's own quotes are all that may be cited.
"""

import re
from collections.abc import Mapping, Sequence

from pdgf.models import RankedItem, Recommendation, RelationLabel
from pdgf.ports import ReviewHit, ReviewIndex

SHARING = 0.3  # similarity that sharing a word stands for: near enough to be read, not to answer by itself


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


def hits_in_ranking(question: str, item: str, ranking: Recommendation | None, k: int) -> tuple[ReviewHit, ...]:
    """The passages of a ranking about an item that no index knows, one of the open web: those first that share most
    words with the question. The score says only whether any is shared."""
    ranked = next((found for found in ranking.items if found.candidate.id == item), None) if ranking else None
    if ranked is None:
        return ()
    passages = {passage.text: passage for evidence in ranked.evidence for passage in evidence.passages}
    asked = _words(question)
    shared = {text: len(asked & _words(text)) for text in passages}
    best = sorted(passages, key=lambda text: -shared[text])[:k]
    return tuple(ReviewHit(item=item, passage=passages[text], score=SHARING if shared[text] else 0.0) for text in best)


def _words(text: str) -> frozenset[str]:
    """Words of four letters or more without their last letter, which often is an ending; characters of Chinese."""
    found = re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]|\w{4,}", text.casefold())
    return frozenset(word if len(word) == 1 else word[: max(4, len(word) - 1)] for word in found)


def _ordered(label: RelationLabel, pieces: Sequence[ReviewHit]) -> RelationLabel:
    def best(quote: str) -> float:
        words = " ".join(quote.split())
        return max((hit.score for hit in pieces if words in " ".join(hit.passage.text.split())), default=float("-inf"))

    return label.model_copy(update={"quotes": tuple(sorted(label.quotes, key=best, reverse=True))})

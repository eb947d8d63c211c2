"""Items set side by side as a whole, row by row: how each stands to every wish of the list that it stands in, with a
quote that shows it, then the facts. Pure but for looking items up."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dialogue import comparison, facts, wording
from dialogue.item_answers import Known, fact_source, metadata_of, with_year
from dialogue.models import Answer, ItemRef
from dialogue.ports import TurnContext
from dialogue.standings import Standing, citable, source_of, standings
from pdgf.models import Label, RankedItem

SAID: Final = {
    Label.SUPPORT: "side_by_side.supports",
    Label.PARTIAL: "side_by_side.partly",
    Label.CONTRADICTS: "side_by_side.contradicts",
}


class Row(NamedTuple):
    """One row: its key, what heads it, and the cells of the items of which something is known."""

    key: str
    label: str
    cells: Mapping[ItemRef, Answer]


def of_wishes(question: str, items: Sequence[ItemRef], known: Known) -> tuple[Row, ...]:
    """A row for each wish, or for a difference for each one that the items stand to differently; none where one of the
    items is not in the ranking."""
    ranked = {item.candidate.id: item for item in known.ranking.items} if known.ranking else {}
    if known.ranking is None or not all(item.id in ranked for item in items):
        return ()
    graph = citable(known.ranking.graph, known.domain)
    stood = [standings(ranked[item.id], graph) for item in items]
    rows = []
    for number, of_wish in enumerate(zip(*stood, strict=True)):
        if not facts.asks_to_compare(question) and len({standing.label for standing in of_wish}) == 1:
            continue
        key = f"wish {number}"
        told = ((item, _cell(key, item, ranked[item.id], own)) for item, own in zip(items, of_wish, strict=True))
        rows.append(Row(key, of_wish[0].wish, {item: cell for item, cell in told if cell is not None}))
    return tuple(rows)


def of_facts(question: str, items: Sequence[ItemRef], context: TurnContext) -> tuple[Row, ...]:
    """A row for each fact that is known of an item, or for a difference for each one in which the items differ."""
    data = [(item, metadata_of(item, context)) for item in items]
    facts_of = {item: with_year(metadata, item) for item, metadata in data}
    rows = []
    for key in comparison.differing_keys(data, context.domain, all_keys=facts.asks_to_compare(question)):
        sources = {item: fact_source(item, key, facts_of[item]) for item in items if key in facts_of[item]}
        cells = {
            item: Answer(
                item=item,
                question=key,
                text=source.quote,
                brief=wording.fact_value(source.quote),
                known=True,
                quotes=(source,),
            )
            for item, source in sources.items()
        }
        if sources:
            rows.append(Row(key, wording.fact_label(next(iter(sources.values())).quote), cells))
    return tuple(rows)


def _cell(key: str, item: ItemRef, ranked: RankedItem, standing: Standing) -> Answer | None:
    """How an item stands to a wish, with the first quote that shows it; None where nothing is known of it."""
    if standing.label is Label.NOT_ADDRESSED:
        return None
    said = wording.say(SAID[standing.label])
    found = (source_of(ranked, quote) for quote in standing.quotes)
    source = next((source for source in found if source is not None), None)
    if source is not None:
        said = wording.say("side_by_side.shown", mark=said, quote=wording.quoted(source.quote))
    return Answer(item=item, question=key, text=said, brief=said, known=True, quotes=(source,) if source else ())

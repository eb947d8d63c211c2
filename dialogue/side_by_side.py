"""Items set side by side as a whole, row by row: how each stands to every wish of the list that it stands in, with a
quote that shows it, then the facts. Pure but for looking items up."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from dialogue import comparison, facts, placing, wording
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
    """A row for each wish, those first that the items stand to differently, or for a difference these alone; none where
    one of the items is not in the ranking. A quote is given once an item."""
    ranked = {item.candidate.id: item for item in known.ranking.items} if known.ranking else {}
    if known.ranking is None or not all(item.id in ranked for item in items):
        return ()
    if not known.ranking.graph.nodes:
        return ()  # nothing was wished for
    graph = citable(known.ranking.graph, known.domain)
    stood = [standings(ranked[item.id], graph) for item in items]
    rows, given = [], set[tuple[str, str]]()
    wishes = [
        (len({each.label for each in row}) == 1, number, row) for number, row in enumerate(zip(*stood, strict=True))
    ]
    for alike, number, of_wish in sorted(wishes, key=itemgetter(0, 1)):
        if alike and not facts.asks_to_compare(question):
            continue
        key = f"wish {number}"
        told = [(item, _cell(key, item, ranked[item.id], own, given)) for item, own in zip(items, of_wish, strict=True)]
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


def fits_more(items: Sequence[ItemRef], known: Known) -> str:
    """Which of the items fits more of the wishes, counted in full, then in part, then by what speaks against it; empty
    where one of them is not in the ranking."""
    ranked = [placing.ranked(item, known.ranking) for item in items]
    if known.ranking is None or None in ranked or not known.ranking.graph.nodes:
        return ""
    graph = citable(known.ranking.graph, known.domain)
    labels = [[standing.label for standing in standings(item, graph)] for item in ranked if item is not None]
    merits = [(row.count(Label.SUPPORT), row.count(Label.PARTIAL), -row.count(Label.CONTRADICTS)) for row in labels]
    counts = [_counted(item, len(row), merit) for item, row, merit in zip(items, labels, merits, strict=True)]
    best = [item.title for item, merit in zip(items, merits, strict=True) if merit == max(merits)]
    key = "side_by_side.fits_more" if len(best) == 1 else "side_by_side.fit_more"
    if len(best) == len(items):
        key = "side_by_side.fits_alike"
    return wording.say(key, titles=wording.titles(best), counts=wording.say("list.semicolon").join(counts))


def _counted(item: ItemRef, wishes: int, merit: tuple[int, int, int]) -> str:
    """How many of the wishes an item fits, how many in part, and how many speak against it."""
    full, partly, against = merit
    said = [wording.say("side_by_side.full", count=full, all=wishes)]
    said += [wording.say("side_by_side.in_part", count=partly)] if partly else []
    said += [wording.say("side_by_side.not_at_all", count=-against)] if against else []
    return wording.say("side_by_side.counted", title=wording.titled(item.title), parts=wording.listed(said))


def _cell(
    key: str, item: ItemRef, ranked: RankedItem, standing: Standing, given: set[tuple[str, str]]
) -> Answer | None:
    """How an item stands to a wish, with the first quote that shows it unless it was `given` for this item already;
    None where nothing is known of it."""
    if standing.label is Label.NOT_ADDRESSED:
        return None
    said = wording.say(SAID[standing.label])
    found = (source_of(ranked, quote) for quote in standing.quotes)
    source = next((source for source in found if source is not None), None)
    if source is not None and (item.id, source.quote) in given:
        said = wording.say("side_by_side.as_above", mark=said)
    elif source is not None:
        given.add((item.id, source.quote))
        said = wording.say("side_by_side.shown", mark=said, quote=wording.quoted(source.quote))
    return Answer(item=item, question=key, text=said, brief=said, known=True, quotes=(source,) if source else ())

"""What of a language model's reply can be believed: ids, spans and quotes made or checked by code. Pure.

The narrative's reading is `llm_narrative`'s. Answers come back by their place among what was asked for. An answer that
is not there, or is given twice in different words, is left out; a reply without a single one is unusable, so that the
model is asked once more (METHOD 2).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from pdgf.engines.llm_replies import CycleReply, JudgementRow, LabelRow, RecordRow, Relation
from pdgf.errors import ReplyUnusable
from pdgf.models import Aspect, Label, RelationLabel
from pdgf.ports import Cycle, FoundRecord, NodePair, PairJudgement
from pdgf.quotes import STATED_YEAR, borne_out, place_of, places_of, quotes_of
from pdgf.texts import collapsed

LEAST_CONFIDENCE = 0.5  # below it the prompt says that there is no qualification (METHOD 4.3: a missing edge is better)

UNADDRESSED = RelationLabel(label=Label.NOT_ADDRESSED)

R = TypeVar("R")


def judgements_of(
    rows: Iterable[JudgementRow], pairs: Sequence[NodePair], narrative: str
) -> dict[int, PairJudgement | None]:
    """d_q of each pair by its place, None for NONE (METHOD 4.3). Raises ReplyUnusable where no pair is judged."""
    known = _answers(((row.pair, row) for row in rows), len(pairs), says=lambda row: row.relation)
    return {place: _judged(row, pairs[place], narrative) for place, row in known.items()}


def qualification(
    base: str, qualifier: str, *, words: str, narrative: str, aspect: Aspect, confidence: float
) -> PairJudgement | None:
    """(u, v) with the words of the narrative that tie them; None where it is hardly believed, or of a node itself."""
    if base == qualifier or confidence < LEAST_CONFIDENCE:
        return None
    return PairJudgement(
        base=base, qualifier=qualifier, aspect=aspect, span=as_written(words, narrative), confidence=confidence
    )


def edge_of(reply: CycleReply, cycle: Cycle) -> tuple[str, str]:
    """e_t, one of the inner edges. Raises ReplyUnusable for the number of another (METHOD 4.4)."""
    count = len(cycle.internal_edges)
    if not 1 <= reply.edge <= count:
        raise ReplyUnusable(f"the number must be one of the dependencies inside the circle, 1 to {count}")
    return cycle.internal_edges[reply.edge - 1].ends


def texts_of(rows: Iterable[tuple[int, str]], count: int, *, longest: int) -> dict[int, str]:
    """The texts numbered 1 to `count` by their place, each on one line of at most `longest` characters.

    Raises ReplyUnusable where there is none.
    """
    texts = ((number, collapsed(text)) for number, text in rows)
    fitting = ((number, text) for number, text in texts if 0 < len(text) <= longest)
    return _answers(fitting, count, says=lambda text: text)


def labels_of(rows: Iterable[LabelRow], texts: Sequence[str]) -> dict[int, RelationLabel]:
    """The label of each comparison by its place, with the quotes that stand in its text (METHOD 7.1).

    Without such a quote a label is NOT_ADDRESSED. Raises ReplyUnusable where no comparison has a label.
    """
    known = _answers(((row.number, row) for row in rows), len(texts), says=lambda row: row.label)
    return {place: _label(row, texts[place]) for place, row in known.items()}


def records_of(rows: Iterable[RecordRow], chunk: str) -> list[FoundRecord]:
    """The records of which something stands in the chunk, with the passages and the year that do (METHOD 6.1)."""
    given = tuple(rows)
    stated = {name: _years_behind(name, chunk) for row in given if (name := collapsed(row.name))}
    found = []
    for row in given:
        name, passages = collapsed(row.name), _quotes(row.passages, chunk)
        if name and passages:
            year = row.year if row.year is not None and _is_its_year(row.year, name, stated, chunk) else None
            found.append(FoundRecord(name=name, year=year, passages=passages))
    return found


def _years_behind(name: str, chunk: str) -> list[str]:
    """The years that stand in brackets behind a name, one for each time."""
    behind = (STATED_YEAR.match(chunk, span[1]) for span in places_of(name, chunk))
    return [match["year"] for match in behind if match]


def _is_its_year(year: int, name: str, stated: Mapping[str, Sequence[str]], chunk: str) -> bool:
    """Whether a chunk gives an item this year: behind its name or, where nothing stands there, anywhere but behind the
    names of others alone."""
    if stated[name]:
        return str(year) in stated[name]
    of_others = sum(years.count(str(year)) for other, years in stated.items() if other != name)
    return borne_out(str(year), chunk) is not None and len(re.findall(rf"(?<!\d){year}(?!\d)", chunk)) != of_others


def as_written(words: str, narrative: str) -> str:
    """Words of the narrative as they stand there; empty where they do not."""
    span = place_of(words, narrative)
    return collapsed(narrative[slice(*span)]) if span else ""


def _answers(rows: Iterable[tuple[int, R]], count: int, *, says: Callable[[R], object]) -> dict[int, R]:
    """What is answered under the numbers 1 to `count`, by place; nothing under a number whose answers differ."""
    found: dict[int, R] = {}
    torn: set[int] = set()
    for number, row in rows:
        if number < 1:
            raise ReplyUnusable(f"the numbers go from 1 to {count}, as they were given")
        if number <= count and says(found.setdefault(number, row)) != says(row):
            torn.add(number)
    if not found.keys() - torn:
        raise ReplyUnusable(f"there must be exactly one usable answer for each of the numbers 1 to {count}")
    return {number - 1: found[number] for number in sorted(found.keys() - torn)}


def _judged(row: JudgementRow, pair: NodePair, narrative: str) -> PairJudgement | None:
    if row.relation is Relation.NONE:
        return None
    base, qualifier = pair.u.id, pair.v.id
    if row.relation is Relation.FIRST_QUALIFIES_SECOND:
        base, qualifier = qualifier, base
    return qualification(
        base, qualifier, words=row.words, narrative=narrative, aspect=row.aspect, confidence=row.confidence
    )


def _label(row: LabelRow, text: str) -> RelationLabel:
    quotes = _quotes(row.quotes, text)
    if row.label is Label.NOT_ADDRESSED or not quotes:
        return UNADDRESSED
    return RelationLabel(label=row.label, quotes=quotes)


def _quotes(given: Iterable[str], text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(quote for each in given for quote in quotes_of(each, text)))

"""From the reply of a reading to atoms, nodes and, where it has them, judgements: what stands in the narrative. Pure.

A model gives words, never offsets: code finds where they stand. Atoms come in order of first mention, so that words
which stand in the narrative more than once are looked for behind the atom before, and no two atoms share a place if
they need not.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pdgf.engines.llm_reading import as_written, qualification
from pdgf.engines.llm_replies import AtomRow, EdgeRow, GraphReply, NodeRow, NodesReply
from pdgf.errors import ReplyUnusable
from pdgf.glossary import language_of
from pdgf.models import Atom, AtomKind, Dropped, Node, node_id, normalised
from pdgf.ports import PairJudgement, Reading, Span
from pdgf.quotes import STATED_YEAR, borne_out, place_of, places_of
from pdgf.texts import collapsed

NAME_CHARS = 120  # of a perspective or an instantiation: one to six words in any language

_TITLE_MARKS = " \t\n\"'“”‘’«»「」『』《》*_"


class _Nodes(NamedTuple):
    """Nodes in order of first mention, the id of each by the id that the model gave it, and what was left out."""

    nodes: tuple[Node, ...]
    ids: Mapping[str, str]
    left_out: tuple[Dropped, ...]


def reading_of(reply: NodesReply, narrative: str, hard_spans: Sequence[Span] | None) -> Reading:
    """Atoms with the spans at which their words stand, nodes with ids of ours, and what was left out (METHOD 4.2).

    With `hard_spans` an atom is hard where it overlaps one, else where the model says so; a title never is. Raises
    ReplyUnusable when most atoms are no words of the narrative, and when there are wishes but no node.
    """
    placed = _placed(reply.atoms, narrative)
    lost = [row.text for row in reply.atoms if row.id not in placed]
    if len(lost) > len(placed):
        raise ReplyUnusable(f"an atom is not copied from the narrative character by character: {lost[0][:80]}")
    in_order = sorted(placed.items(), key=lambda entry: entry[1][1])
    atoms = {
        row_id: _atom(row, f"a{number}", span, narrative, hard_spans)
        for number, (row_id, (row, span)) in enumerate(in_order, start=1)
    }
    read = _nodes(reply.nodes, atoms, narrative)
    if not read.nodes and (reply.nodes or any(atom.kind is AtomKind.CRITERION for atom in atoms.values())):
        raise ReplyUnusable("each wish needs a node, and each node the id of its atom")
    return Reading(
        language=reply.language if reply.language != "und" else language_of(narrative),
        atoms=tuple(atoms.values()),
        nodes=read.nodes,
        notes=(*(Dropped(what=text[:NAME_CHARS], why="not in the narrative") for text in lost), *read.left_out),
        judgements=_judgements(reply.edges, read.ids, narrative) if isinstance(reply, GraphReply) else None,
    )


def _placed(rows: Iterable[AtomRow], narrative: str) -> dict[str, tuple[AtomRow, Span]]:
    """Each atom with the place of its words, by the id of its row; of rows with one id the first that stands counts."""
    placed: dict[str, tuple[AtomRow, Span]] = {}
    last = 0
    for row in rows:
        words = row.text if row.kind is AtomKind.CRITERION else _title(row.text)
        span = _free_place(words, narrative, [place for _, place in placed.values()], last)
        if span is not None and row.id not in placed:
            placed[row.id] = row, span
            last = span[0]
    return placed


def _free_place(words: str, narrative: str, taken: Sequence[Span], last: int) -> Span | None:
    places = places_of(words, narrative)
    free = [place for place in places if not any(_overlap(place, other) for other in taken)]
    behind = (place for place in free if place[0] >= last)
    return next(behind, None) or next(iter(free or places), None)


def _atom(row: AtomRow, name: str, span: Span, narrative: str, hard_spans: Sequence[Span] | None) -> Atom:
    title = row.kind is not AtomKind.CRITERION
    hard = row.hard if hard_spans is None else any(_overlap(span, other) for other in hard_spans)
    return Atom(
        id=name,
        text=narrative[slice(*span)],
        span=span,
        kind=row.kind,
        hard=hard and not title,
        year=_year(row, span, narrative) if title else None,
    )


def _title(text: str) -> str:
    """A title without the year and the marks around it, which the model was not to copy."""
    year = next((match for match in STATED_YEAR.finditer(text) if match.end() == len(text)), None)
    return (text[: year.start()] if year else text).strip(_TITLE_MARKS) or text


def _year(row: AtomRow, span: Span, narrative: str) -> int | None:
    """The year behind the title, or the one the model gives if the narrative has it: never one from memory, which would
    let an item of that name and another year pass for a different one (METHOD 6.4)."""
    behind = STATED_YEAR.match(narrative, span[1])
    if behind:
        return int(behind["year"])
    return row.year if row.year is not None and borne_out(str(row.year), narrative) else None


def _nodes(rows: Sequence[NodeRow], atoms: Mapping[str, Atom], narrative: str) -> _Nodes:
    """Equal readings of one atom are one node; readings of different atoms stay apart unless atom and reading have the
    same words, and with them the same id (METHOD 4.2)."""
    usable = [row for row in rows if row.atom in atoms and _is_named(row)]
    spans = [_span_of(row.words, atoms[row.atom].span, narrative) for row in usable]
    made: dict[str, Node] = {}
    names: dict[int, str] = {}
    for place in sorted(range(len(usable)), key=lambda place: (spans[place][0], place)):
        row, atom = usable[place], atoms[usable[place].atom]
        names[place] = node_id(atom.text, row.perspective, row.instantiation, row.polarity)
        made.setdefault(names[place], _node(row, atom, names[place], spans[place], narrative, order=len(made)))
    ids: dict[str, str] = {}
    for place, row in enumerate(usable):
        ids.setdefault(row.id, names[place])
    left_out = (row for row in rows if row not in usable and row.instantiation)
    return _Nodes(
        nodes=tuple(made.values()),
        ids=ids,
        left_out=tuple(Dropped(what=row.instantiation[:NAME_CHARS], why="no reading of an atom") for row in left_out),
    )


def _is_named(row: NodeRow) -> bool:
    names = (row.perspective, row.instantiation)
    return all(len(name) <= NAME_CHARS and any(map(str.isalnum, name)) for name in names)


def _node(row: NodeRow, atom: Atom, name: str, span: Span, narrative: str, *, order: int) -> Node:
    return Node(
        id=name,
        atom=atom.id,
        perspective=normalised(row.perspective),
        instantiation=collapsed(row.instantiation),
        polarity=row.polarity,
        hard=atom.hard,
        order=order,
        span=span,
        strength=as_written(row.strength, atom.text) or as_written(row.strength, narrative),
    )


def _span_of(words: str, atom: Span, narrative: str) -> Span:
    """Where a node's words stand: inside its atom, else across its ends, else anywhere. Its atom where it has none."""
    start, end = atom
    inside = place_of(words, narrative[start:end])
    if inside is not None:
        return start + inside[0], start + inside[1]
    places = places_of(words, narrative)
    return next((place for place in places if _overlap(place, atom)), places[0] if places else atom)


def _judgements(rows: Iterable[EdgeRow], ids: Mapping[str, str], narrative: str) -> tuple[PairJudgement, ...]:
    """The qualifications between known nodes, the surest of a pair; none of a pair that is as sure either way."""
    found: dict[frozenset[str], PairJudgement | None] = {}
    told = (
        qualification(
            ids[row.base],
            ids[row.qualifier],
            words=row.words,
            narrative=narrative,
            aspect=row.aspect,
            confidence=row.confidence,
        )
        for row in rows
        if row.base in ids and row.qualifier in ids
    )
    for judgement in sorted(filter(None, told), key=lambda judgement: -judgement.confidence):
        ends = frozenset((judgement.base, judgement.qualifier))
        surest = found.setdefault(ends, judgement)
        if surest is not None and surest.base != judgement.base and surest.confidence == judgement.confidence:
            found[ends] = None
    return tuple(filter(None, found.values()))


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]

"""What of a language model's reply can be believed: ids, spans and quotes made or checked by code. Pure.

A row that is not borne out is left out; a reply of which nothing remains though it said something is unusable, so that
the model is asked once more.
"""

from collections.abc import Iterable, Sequence

from pdgf.engines.builtin.agent import language_of
from pdgf.engines.llm_replies import EdgeRow, GraphReply, JudgementsReply, LabelRow, NodesReply, RecordRow, Relation
from pdgf.errors import ReplyUnusable
from pdgf.models import Atom, AtomKind, Label, Node, RelationLabel, node_id, normalised
from pdgf.ports import FoundRecord, NodePair, PairJudgement, Reading, Span
from pdgf.quotes import borne_out, place_of

UNADDRESSED = RelationLabel(label=Label.NOT_ADDRESSED)


def reading_of(reply: NodesReply, narrative: str, hard_spans: Sequence[Span] | None) -> Reading:
    """Atoms with the spans at which their words stand and nodes with ids of ours (METHOD 4.2).

    With `hard_spans` an atom is hard where it overlaps one, else where the model says so. Raises ReplyUnusable when
    no atom's words stand in the narrative although the reply has some.
    """
    atoms: dict[str, Atom] = {}
    for row in reply.atoms:
        span = place_of(row.text, narrative)
        if span is None or row.id in atoms:
            continue
        named = row.kind in (AtomKind.REFERENCE, AtomKind.FEEDBACK)
        hard = row.hard if hard_spans is None else any(s < span[1] and span[0] < e for s, e in hard_spans)
        atoms[row.id] = Atom(
            id=row.id, text=narrative[slice(*span)], span=span, kind=row.kind, year=row.year, hard=hard and not named
        )
    if reply.atoms and not atoms:
        raise ReplyUnusable("no text of an atom is copied from the narrative; copy it character by character")
    order = sorted(atoms.values(), key=lambda atom: (atom.span, atom.id))
    ids = {atom.id: f"a{number}" for number, atom in enumerate(order, start=1)}
    nodes = _nodes(reply, atoms, ids, narrative)
    language = reply.language if reply.language != "und" else language_of(narrative)
    judgements = None
    if isinstance(reply, GraphReply):
        judgements = _judgements(reply.edges, {row: node.id for row, node in nodes.items()}, narrative)
    kept = tuple(dict.fromkeys(sorted(nodes.values(), key=lambda node: node.order)))
    return Reading(
        language=language,
        atoms=tuple(atom.model_copy(update={"id": ids[atom.id]}) for atom in order),
        nodes=kept,
        judgements=judgements,
    )


def judgements_of(
    reply: JudgementsReply, pairs: Sequence[NodePair], narrative: str
) -> tuple[list[PairJudgement | None], int]:
    """d_q of each pair, and how many have no judgement in the reply. Raises ReplyUnusable where most are missing."""
    rows = {row.pair: row for row in reversed(reply.judgements)}
    missing = [number for number in range(1, len(pairs) + 1) if number not in rows]
    if len(missing) * 2 > len(pairs):
        raise ReplyUnusable(f"these pairs have no judgement: {_numbers(missing)}")
    found: list[PairJudgement | None] = []
    for number, pair in enumerate(pairs, start=1):
        row = rows.get(number)
        if row is None or row.relation is Relation.NONE:
            found.append(None)
            continue
        ends = (pair.v.id, pair.u.id) if row.relation is Relation.FIRST_QUALIFIES_SECOND else (pair.u.id, pair.v.id)
        words = borne_out(row.words, narrative) or ""
        found.append(
            PairJudgement(base=ends[0], qualifier=ends[1], aspect=row.aspect, span=words, confidence=row.confidence)
        )
    return found, len(missing)


def texts_of(rows: Iterable[tuple[int, str]], count: int, *, longest: int) -> list[str | None]:
    """The texts numbered 1 to `count` on one line each; None for a missing one and one beyond `longest` characters.

    Raises ReplyUnusable where most are missing.
    """
    known = {number: " ".join(text.split()) for number, text in rows}
    found = [known.get(number) for number in range(1, count + 1)]
    usable = [text if text and len(text) <= longest else None for text in found]
    missing = [number for number, text in enumerate(usable, start=1) if text is None]
    if len(missing) * 2 > count:
        raise ReplyUnusable(f"no usable text for the numbers {_numbers(missing)}")
    return usable


def labels_of(rows: Sequence[LabelRow], texts: Sequence[str]) -> list[RelationLabel | None]:
    """The label of each comparison by number, with the quotes that stand in its text (METHOD 7.1).

    None for a comparison without a label; a label other than NOT_ADDRESSED without such a quote becomes NOT_ADDRESSED.
    Raises ReplyUnusable where most comparisons have no label.
    """
    known = {row.number: row for row in reversed(rows)}
    missing = [number for number in range(1, len(texts) + 1) if number not in known]
    if len(missing) * 2 > len(texts):
        raise ReplyUnusable(f"these comparisons have no label: {_numbers(missing)}")
    return [_label(known[number], text) if number in known else None for number, text in enumerate(texts, start=1)]


def records_of(rows: Sequence[RecordRow], chunk: str) -> list[FoundRecord]:
    """The records of a chunk whose passages stand in it, each with only those (METHOD 6.1)."""
    found = []
    for row in rows:
        passages = [passage for given in row.passages if (passage := borne_out(given, chunk))]
        name = " ".join(row.name.split())
        if name and passages:
            found.append(FoundRecord(name=name, year=row.year, passages=tuple(dict.fromkeys(passages))))
    return found


def _nodes(reply: NodesReply, atoms: dict[str, Atom], ids: dict[str, str], narrative: str) -> dict[str, Node]:
    """Nodes by the row's id; equal readings of one atom are one node (METHOD 4.2)."""
    placed = []
    for position, row in enumerate(reply.nodes):
        atom = atoms.get(row.atom)
        if atom is None or not row.instantiation or not row.perspective:
            continue
        inside = place_of(row.words, narrative[slice(*atom.span)])
        span = (atom.span[0] + inside[0], atom.span[0] + inside[1]) if inside else place_of(row.words, narrative)
        placed.append((span or atom.span, position, row, atom))
    made: dict[str, Node] = {}
    found: dict[str, Node] = {}
    for order, (span, _, row, atom) in enumerate(sorted(placed, key=lambda entry: (entry[0][0], entry[1]))):
        perspective = normalised(row.perspective)
        key = node_id(atom.text, perspective, row.instantiation, row.polarity)
        if key not in made:
            made[key] = Node(
                id=key,
                atom=ids[atom.id],
                perspective=perspective,
                instantiation=" ".join(row.instantiation.split()),
                polarity=row.polarity,
                hard=atom.hard,
                order=order,
                span=span,
                strength=row.strength if place_of(row.strength, narrative) else "",
            )
        found[row.id] = made[key]
    if reply.nodes and not found:
        raise ReplyUnusable("no node belongs to one of the atoms; give each node the id of its atom")
    return found


def _judgements(rows: Sequence[EdgeRow], ids: dict[str, str], narrative: str) -> tuple[PairJudgement, ...]:
    """The qualifications between known nodes, at most one a pair and none of a node with itself."""
    found: dict[frozenset[str], PairJudgement] = {}
    for row in rows:
        base, qualifier = ids.get(row.base), ids.get(row.qualifier)
        if base is None or qualifier is None or base == qualifier:
            continue
        words = borne_out(row.words, narrative) or ""
        judgement = PairJudgement(
            base=base, qualifier=qualifier, aspect=row.aspect, span=words, confidence=row.confidence
        )
        found.setdefault(frozenset((base, qualifier)), judgement)
    return tuple(found.values())


def _label(row: LabelRow, text: str) -> RelationLabel:
    quotes = tuple(dict.fromkeys(quote for given in row.quotes if (quote := borne_out(given, text))))
    if row.label is Label.NOT_ADDRESSED or not quotes:
        return UNADDRESSED
    return RelationLabel(label=row.label, quotes=quotes)


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:12])) + (" ..." if len(numbers) > 12 else "")

"""Atoms and nodes of a narrative that is Chinese, or partly so: NodeExtractor without an LLM (METHOD 4.2, 12)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pdgf.engines.builtin.attachments import Attachment
from pdgf.engines.builtin.chinese.clauses import wishes_of
from pdgf.engines.builtin.chinese.wishes import Piece, Wish
from pdgf.engines.builtin.column_lines import beside_columns
from pdgf.engines.builtin.mentions import Reference
from pdgf.engines.builtin.named_nodes import era_node, reference_nodes
from pdgf.engines.builtin.reading import Analysis
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.glossary import chinese_of, language_of
from pdgf.models import Aspect, Atom, Node, Polarity, node_id
from pdgf.ports import Span
from pdgf.temporal import year_constraint

# Refused flatly, what an item is is a condition (METHOD 4.2).
_KINDS = frozenset({"genre", "format", "cuisine", "dish", "language", "country", "creator"})
_STRETCH = re.compile(r"[^，。！？；,;!?\n]+[，。！？；,;!?\n]*")


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Consecutive clauses of one language, half-open offsets."""

    language: str
    start: int
    end: int


def stretches(narrative: str) -> list[Stretch]:
    """A narrative as stretches of Chinese and of what is read as English, in order."""
    found: list[Stretch] = []
    for clause in _STRETCH.finditer(narrative):
        language = "zh" if language_of(clause[0]) == "zh" else "en"
        if not any(character.isalpha() for character in clause[0]) and found:
            language = found[-1].language
        if found and found[-1].language == language:
            found[-1] = replace(found[-1], end=clause.end())
        else:
            found.append(Stretch(language=language, start=clause.start(), end=clause.end()))
    return found


def analyse_chinese(
    narrative: str, stretch: Stretch, vocabulary: Vocabulary, hard_spans: Sequence[Span] | None
) -> Analysis:
    """Read one Chinese stretch; atoms are numbered from 1, orders count from 0, spans are those of the narrative."""
    wishes, left = wishes_of(narrative, stretch.start, stretch.end, vocabulary)
    atoms: list[Atom] = []
    nodes: list[Node] = []
    attachments: list[Attachment] = []
    own_of: dict[int, list[Node]] = {}
    for place, wish in enumerate(wishes):
        atom, own = _nodes_of(wish, narrative, hard_spans, number=len(atoms) + 1, order=len(nodes))
        atoms.append(atom)
        nodes += [node for node in own if all(node.id != other.id for other in nodes)]
        own_of[place] = own
        attachments += _inside(wish, own)
    for place, wish in enumerate(wishes):
        attachments += _links(wish, wishes, place, own_of)
    beside = beside_columns(attachments, nodes, vocabulary)
    return Analysis(atoms=tuple(atoms), nodes=tuple(nodes), attachments=beside, left_out=left)


def _nodes_of(
    wish: Wish, narrative: str, hard_spans: Sequence[Span] | None, *, number: int, order: int
) -> tuple[Atom, list[Node]]:
    if wish.reference is not None:
        return _reference_nodes(wish, wish.reference, number=number, order=order)
    said = narrative[wish.said_from : wish.end]
    hard = _is_hard(wish, hard_spans)
    atom = Atom(id=f"a{number}", text=said, span=(wish.said_from, wish.end), hard=hard)
    polarity = Polarity.AVOID if wish.avoid else Polarity.WANT
    nodes = [
        Node(
            id=node_id(said, piece.perspective, _text(piece, narrative), polarity),
            atom=atom.id,
            perspective=piece.perspective,
            instantiation=_text(piece, narrative),
            polarity=polarity,
            hard=hard,
            order=order + place,
            span=(piece.start, piece.end),
            strength=wish.strength,
        )
        for place, piece in enumerate(wish.pieces)
    ]
    return atom, nodes


def _text(piece: Piece, narrative: str) -> str:
    return piece.text or narrative[piece.start : piece.end]


def _is_hard(wish: Wish, hard_spans: Sequence[Span] | None) -> bool:
    if hard_spans is not None:
        return any(start < wish.end and wish.said_from < end for start, end in hard_spans)
    if wish.soft:
        return False
    perspectives = {piece.perspective for piece in wish.pieces}
    return wish.hard or "location" in perspectives or (wish.flat and wish.head.perspective in _KINDS)


def _reference_nodes(wish: Wish, reference: Reference, *, number: int, order: int) -> tuple[Atom, list[Node]]:
    return reference_nodes(
        reference,
        # The name by which the catalogue knows it, so that it is left out of its own list (METHOD 6.4)
        text=reference.known.title if reference.known else reference.title,
        similar=f"类似《{reference.title}》",
        genre=lambda genre: chinese_of().get(genre.casefold(), genre),
        said=(wish.said_from, wish.end),
        named=(wish.start, wish.end),
        number=number,
        order=order,
    )


def _inside(wish: Wish, own: Sequence[Node]) -> list[Attachment]:
    """A modifier qualifies the head of its wish."""
    if len(own) < 2 or wish.reference is not None or wish.either or not wish.can_be_qualified:
        return []
    head = own[0] if wish.topic_first else own[-1]
    pieces = [piece for piece, node in zip(wish.pieces, own, strict=True) if node.id != head.id]
    rest = [node for node in own if node.id != head.id]
    return [
        Attachment(base=head.id, qualifier=node.id, cue="", aspect=Aspect.MANNER, confidence=0.7)
        for node, piece in zip(rest, pieces, strict=True)
        if Wish(pieces=[piece], said_from=piece.start).can_qualify(wish)
    ]


def _links(wish: Wish, wishes: Sequence[Wish], place: int, own_of: Mapping[int, Sequence[Node]]) -> list[Attachment]:
    if wish.link is None or not own_of[place]:
        return []
    base_wish, bases = wishes[wish.link.base], own_of[wish.link.base]
    if not bases:
        return []
    base = bases[0] if base_wish.topic_first else bases[-1]
    node = own_of[place][0] if wish.topic_first else own_of[place][-1]
    if base.id == node.id:
        return []
    link = wish.link
    return [Attachment(base=base.id, qualifier=node.id, cue=link.cue, aspect=link.aspect, confidence=link.confidence)]


def era_only(narrative: str) -> Analysis:
    """A narrative whose one wish is a period ("八十年代的电影"); empty where it names none."""
    era = year_constraint(narrative, mode="explicit", current_year=2000, titles=())
    if era is None:
        return Analysis(atoms=(), nodes=(), attachments=())
    atom, node = era_node(narrative, era.span)
    return Analysis(atoms=(atom,), nodes=(node,), attachments=())


def joined(parts: Sequence[Analysis]) -> Analysis:
    """Analyses of stretches in order as one: atoms and orders are counted through, equal nodes kept once."""
    atoms: list[Atom] = []
    nodes: list[Node] = []
    attachments: list[Attachment] = []
    for part in parts:
        names = {atom.id: f"a{len(atoms) + number}" for number, atom in enumerate(part.atoms, start=1)}
        atoms += [atom.model_copy(update={"id": names[atom.id]}) for atom in part.atoms]
        first = len(nodes)
        known = {node.id for node in nodes}
        nodes += [
            node.model_copy(update={"atom": names[node.atom], "order": first + node.order})
            for node in part.nodes
            if node.id not in known
        ]
        attachments += part.attachments
    left = tuple(words for part in parts for words in part.left_out)
    return Analysis(atoms=tuple(atoms), nodes=tuple(nodes), attachments=tuple(attachments), left_out=left)


def shifted(part: Analysis, offset: int) -> Analysis:
    """An analysis of a piece of a narrative with the spans of the whole."""
    if not offset:
        return part
    return replace(
        part,
        atoms=tuple(a.model_copy(update={"span": (a.span[0] + offset, a.span[1] + offset)}) for a in part.atoms),
        nodes=tuple(n.model_copy(update={"span": (n.span[0] + offset, n.span[1] + offset)}) for n in part.nodes),
    )

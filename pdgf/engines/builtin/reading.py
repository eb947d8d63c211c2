"""Atoms and nodes from wish phrases: NodeExtractor without an LLM (METHOD 4.2, 12).

An atom is the user's own words for one wish, its negation and strength included. Its nodes are the instantiations
read from it: "slow-burn mystery" is one atom with a genre and a pace. A reference item expands to what the
catalogue knows of it, and otherwise only to "similar to ...".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdgf.constraints.diets import need_of
from pdgf.engines.builtin.alternatives import of_two_kinds, widened, widened_by, with_alternatives
from pdgf.engines.builtin.asides import Told, told_of_teller
from pdgf.engines.builtin.attachments import Attachment, between, head_among, inside
from pdgf.engines.builtin.column_lines import beside_columns
from pdgf.engines.builtin.compared import compared, compared_nodes
from pdgf.engines.builtin.forms import REFUSED, FormWish, form_wishes
from pdgf.engines.builtin.instantiations import Segment, perspective_of, segments_of
from pdgf.engines.builtin.left_out import left_out
from pdgf.engines.builtin.mentions import references
from pdgf.engines.builtin.named_nodes import era_node, reference_nodes
from pdgf.engines.builtin.phrases import Phrase, phrases_of
from pdgf.engines.builtin.place_wishes import place_node, place_wishes
from pdgf.engines.builtin.same_maker import same_maker_wishes
from pdgf.engines.builtin.scenes import of_the_scene, scene_of
from pdgf.engines.builtin.seen_lists import seen_lists
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Atom, Node, Polarity, node_id
from pdgf.ports import Span
from pdgf.temporal import year_constraint

if TYPE_CHECKING:
    from spacy.tokens import Doc

# What an item is: refused flatly, it is a condition (METHOD 4.2, "no ...").
_KINDS = frozenset({"genre", "format", "cuisine", "dish", "diet", "language", "country", "creator", "audience"})
# What somebody says of themselves and asks of the item by it: "we are vegetarians", "I had to bring the kids"
_TOLD_AND_ASKED = frozenset({"diet", "audience"})
_UTTERLY = re.compile(
    r"^(?:and |but )?(?:without|free of|free from|can['’]?t stand|cannot stand|can['’]?t bear|leave out|exclude|omit"
    r"|(?:do not|don['’]t|never) (?:ever )?(?:want|give|show|recommend|suggest|send|include|add|serve)|refuse"
    r"|nothing|nobody|no[- ]one|not (?:a single|one)|no)\b|\b(?:at all|whatsoever|of any kind)\b"
)
_TOO_MUCH = re.compile(r"\b(?:too|much|mostly|overly|mainly|lots?|so|very)\b")
_YEARS = re.compile(
    r"\b(?:the\s+)?(?:(?:early|mid|late)[\s-]+)?['’]?(?:18|19|20)?\d0['’]?s\b|\b(?:18|19|20)\d\d\b", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """Everything the built-in engine reads from one narrative."""

    atoms: tuple[Atom, ...]
    nodes: tuple[Node, ...]
    attachments: tuple[Attachment, ...]
    left_out: tuple[str, ...] = ()  # what may be asked for and was not understood, in the user's words


def analyse(doc: "Doc", narrative: str, vocabulary: Vocabulary, hard_spans: Sequence[Span] | None) -> Analysis:
    """Read a parsed narrative. Without `hard_spans` hardness is derived from the words (METHOD 4.2, Strength)."""
    era = year_constraint(narrative, mode="explicit", current_year=2000, titles=())
    skip = [match.span() for match in _YEARS.finditer(narrative)] + ([era.span] if era is not None else [])
    of_places = place_wishes(narrative) if vocabulary.places else ()
    skip += [(wish.said_from, wish.span[1]) for wish in of_places]
    skip += [span for known in seen_lists(narrative, vocabulary) for span in known.silent]
    scene = scene_of(narrative) if vocabulary.places else None
    phrases = with_alternatives(phrases_of(doc, narrative, vocabulary, skip), narrative, vocabulary)
    phrases = [_unless_measured(phrase, phrases, narrative, vocabulary) for phrase in phrases]
    phrases, forms = _with_forms(doc, phrases, narrative, vocabulary)
    atoms: list[Atom] = []
    nodes: list[Node] = []
    head_of: dict[int, str] = {}
    attachments: list[Attachment] = []
    named = (phrase.reference for phrase in phrases if phrase is not None)
    liked = len({(each.title, each.year) for each in named if each is not None and each.liked})
    for index, phrase in enumerate(phrases):
        if phrase is None or phrase.generic or phrase.indifferent or phrase.repeats is not None:
            continue
        if _tells_of_the_teller(doc, phrase, narrative, vocabulary):
            continue
        if scene is not None and of_the_scene(phrase, narrative, vocabulary, scene):
            continue
        if any(stated.said_from <= phrase.start < stated.span[1] for stated in of_places):
            continue
        if phrase.permitted is not None and not (hard_spans and _is_hard(phrase, hard_spans) and not nodes):
            nodes = widened(nodes, phrase, narrative, vocabulary)
            continue
        atom, own = _nodes_of(
            phrase,
            narrative,
            vocabulary,
            hard_spans,
            number=len(atoms) + 1,
            order=len(nodes),
            references=liked,
        )
        atoms.append(atom)
        fresh = [node for node in own if all(node.id != other.id for other in nodes)]
        nodes.extend(fresh)
        if not own:
            continue
        head_of[index] = head_among(own).id
        if phrase.bears and phrase.reference is None and not of_two_kinds(phrase, own, narrative):
            attachments += inside(own, narrative)
        attachments += between(phrase, own, phrases, head_of, nodes)
    for wish in forms:
        if wish.permitted:
            nodes = widened_by(nodes, narrative[slice(*wish.span)], "format")
            continue
        atom, node = _form_node(wish, narrative, hard_spans, number=len(atoms) + 1, order=len(nodes))
        if all(node.id != other.id for other in nodes):
            atoms.append(atom)
            nodes.append(node)
    for stated in of_places:
        atom, node = place_node(stated, narrative, hard_spans, number=len(atoms) + 1, order=len(nodes))
        if all(node.id != other.id for other in nodes):
            atoms.append(atom)
            nodes.append(node)
    referred = references(doc.text, vocabulary)
    than = compared(doc.text, referred, vocabulary)
    further = same_maker_wishes(narrative, referred, number=len(atoms) + 1, order=len(nodes))
    further += compared_nodes(narrative, than, number=len(atoms) + 1 + len(further), order=len(nodes) + len(further))
    for atom, node in further:
        atoms.append(atom)
        nodes.append(node)
    if era is not None and not nodes:
        atom, node = era_node(narrative, era.span)
        atoms, nodes = [atom], [node]
    read = [*skip, *(scene or ()), *(atom.span for atom in atoms)]
    read += [(phrase.said_from, phrase.end) for phrase in phrases if phrase is not None and _is_understood(phrase)]
    return Analysis(
        atoms=tuple(atoms),
        nodes=tuple(nodes),
        attachments=beside_columns(attachments, nodes, vocabulary),
        left_out=left_out(doc, narrative, read),
    )


def _unless_measured(
    phrase: Phrase | None, phrases: Sequence[Phrase | None], narrative: str, vocabulary: Vocabulary
) -> Phrase | None:
    """The phrase, as one that asks for nothing where a limit in its own sentence says how much is too much of it ("not
    too long, two hours at most")."""
    if phrase is None or not phrase.avoid or phrase.quantity is not None or not _TOO_MUCH.search(phrase.strength):
        return phrase

    def perspective(each: Phrase) -> str:
        return segments_of(narrative[each.start : each.end], each, vocabulary)[-1].perspective

    beside = (p for p in phrases if p is not None and p.quantity is not None and p.sentence == phrase.sentence)
    measured = any(perspective(limit) == perspective(phrase) and not limit.avoid for limit in beside)
    return replace(phrase, indifferent=True) if measured else phrase


def _is_understood(phrase: Phrase) -> bool:
    """Whether a phrase that makes no wish of its own is understood all the same."""
    return phrase.indifferent or phrase.repeats is not None or phrase.permitted is not None or phrase.form is not None


def _with_forms(
    doc: "Doc", phrases: list[Phrase | None], narrative: str, vocabulary: Vocabulary
) -> tuple[list[Phrase | None], list[FormWish]]:
    """The phrases, and the forms wished by their nouns. Beside a form that is refused flatly a form is a condition."""
    of_form = [
        phrase
        for phrase in phrases
        if phrase is not None
        and not phrase.generic
        and perspective_of(narrative[phrase.start : phrase.end], phrase, vocabulary) == "format"
    ]
    refused = [phrase.sentence for phrase in of_form if _flatly_refused(phrase)]
    forms = form_wishes(phrases, narrative, vocabulary, refused)
    contrasted = {*refused, *(wish.sentence for wish in forms.values() if wish.avoid)}
    result = [
        replace(phrase, hard_cue=True)
        if phrase in of_form and phrase.sentence in contrasted and not (phrase.avoid or phrase.soft)
        else phrase
        for phrase in phrases
    ]
    told = {i for i in forms if (p := phrases[i]) is not None and told_of_teller(doc, p.tokens) is not Told.NOT}
    return result, [wish for index, wish in forms.items() if index not in told]


def _form_node(
    wish: FormWish, narrative: str, hard_spans: Sequence[Span] | None, *, number: int, order: int
) -> tuple[Atom, Node]:
    said, noun = narrative[wish.said_from : wish.span[1]], narrative[slice(*wish.span)]
    span = (wish.said_from, wish.span[1])
    hard = wish.hard if hard_spans is None else any(start < span[1] and span[0] < end for start, end in hard_spans)
    polarity = Polarity.AVOID if wish.avoid else Polarity.WANT
    atom = Atom(id=f"a{number}", text=said, span=span, hard=hard)
    return atom, Node(
        id=node_id(said, "format", noun, polarity),
        atom=atom.id,
        perspective="format",
        instantiation=noun,
        polarity=polarity,
        hard=hard,
        order=order,
        span=wish.span,
        strength=wish.strength,
    )


def _tells_of_the_teller(doc: "Doc", phrase: Phrase, narrative: str, vocabulary: Vocabulary) -> bool:
    """Whether a phrase is about the life of whoever writes, and no wish (METHOD 12)."""
    if phrase.avoid or phrase.reference is not None or phrase.quantity is not None:
        return False
    told = told_of_teller(doc, phrase.tokens)
    if told is Told.NOT:
        return False
    perspective = perspective_of(narrative[phrase.start : phrase.end], phrase, vocabulary)
    if told is Told.LIFE:
        return perspective not in _TOLD_AND_ASKED
    return perspective is None and not phrase.hard_cue


def _nodes_of(
    phrase: Phrase,
    narrative: str,
    vocabulary: Vocabulary,
    hard_spans: Sequence[Span] | None,
    *,
    number: int,
    order: int,
    references: int,
) -> tuple[Atom, list[Node]]:
    if phrase.reference is not None:
        return reference_nodes(
            phrase.reference,
            text=phrase.reference.title,
            similar=f"similar to {phrase.reference.title}",
            genre=str,
            said=(phrase.said_from, phrase.end),
            named=(phrase.start, phrase.end),
            number=number,
            order=order,
            references=references,
        )
    end = phrase.said_to or phrase.end
    said = narrative[phrase.said_from : end]
    hard = _is_hard(phrase, hard_spans)
    segments = segments_of(narrative[phrase.start : phrase.end], phrase, vocabulary)
    if hard_spans is None and not phrase.soft:
        hard = hard or any(segment.perspective == "location" for segment in segments)
        hard = hard or (_flatly_refused(phrase) and segments[-1].perspective in _KINDS) or _utterly_refused(phrase)
    own = [_names(phrase.start + segment.start, phrase.start + segment.end, hard_spans) for segment in segments]
    must = own if any(own) else [hard] * len(segments)  # of "a quiet detective story" the quiet alone may be a must
    needs = [hard_spans is None and not phrase.soft and _is_need(phrase, segment, narrative) for segment in segments]
    atom = Atom(id=f"a{number}", text=said, span=(phrase.said_from, end), hard=hard or any(needs))
    polarity = Polarity.AVOID if phrase.avoid else Polarity.WANT
    nodes = []
    for position, segment in enumerate(segments):
        text = phrase.words or vocabulary.mended(narrative[phrase.start + segment.start : phrase.start + segment.end])
        nodes.append(
            Node(
                id=node_id(said, segment.perspective, text, polarity),
                atom=atom.id,
                perspective=segment.perspective,
                instantiation=text,
                polarity=polarity,
                hard=must[position] or needs[position],
                order=order + position,
                span=(phrase.start + segment.start, phrase.start + segment.end),
                strength=phrase.strength,
            )
        )
    return atom, nodes


def _is_need(phrase: Phrase, segment: Segment, narrative: str) -> bool:
    """Whether a piece of a phrase is a diet that somebody keeps to, which no other wish outweighs."""
    words = narrative[phrase.start + segment.start : phrase.start + segment.end]
    return segment.perspective == "diet" and need_of(words) is not None


def _is_hard(phrase: Phrase, hard_spans: Sequence[Span] | None) -> bool:
    if hard_spans is not None:
        return _names(phrase.said_from, phrase.end, hard_spans)
    if phrase.soft:
        return False
    return phrase.hard_cue or (phrase.quantity is not None and not phrase.quantity.rough)


def _names(start: int, end: int, spans: Sequence[Span] | None) -> bool:
    """Whether any of some spans meets a stretch of the narrative."""
    return any(first < end and start < last for first, last in spans or ())


def _utterly_refused(phrase: Phrase) -> bool:
    """Whether nothing of a thing is to be there ("without gore", "nothing sexual", "not scary at all")."""
    return phrase.avoid and bool(_UTTERLY.search(phrase.strength)) and not _TOO_MUCH.search(phrase.strength)


def _flatly_refused(phrase: Phrase) -> bool:
    """Whether the words refuse a thing as such ("not horror", "anything but horror") and not too much of it."""
    return phrase.avoid and bool(REFUSED.fullmatch(phrase.strength.strip()))

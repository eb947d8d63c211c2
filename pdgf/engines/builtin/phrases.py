"""A narrative cut into wish phrases, each with what it qualifies and by which words.

The cue list decides and works without a parse; the parse says which verb is a predicate and which phrase a list
member belongs to (METHOD 12, "Edges": "slow-burn mystery set in a small town" is mis-parsed, its cues are not).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pdgf.constraints.words import either
from pdgf.engines.builtin.cue_units import Unit
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.engines.builtin.mentions import Quantity, Reference
from pdgf.engines.builtin.permissions import Permission, permissions
from pdgf.engines.builtin.phrase_marks import refused, required, with_permissions, with_shared_negation
from pdgf.engines.builtin.units import units_of
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Aspect

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, kw_only=True)
class Link:
    """That a phrase qualifies an earlier one: its index, and the words that say so."""

    base: int
    cue: str
    aspect: Aspect
    confidence: float


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """One wish phrase, and in `link` what it qualifies.

    `said_from` is where its own words begin, negation and strength included, and `said_to` where they end if words that
    refuse it come after it. `sentence` counts from 0. A phrase of
    generic words only ("a place", "something") is kept as a stepping stone and makes no node but its `form`.
    """

    start: int
    end: int
    said_from: int
    sentence: int
    said_to: int | None = None
    tokens: tuple[int, ...] = ()
    reference: Reference | None = None
    quantity: Quantity | None = None
    generic: bool = False
    headless: bool = False  # modifiers of a generic word ("a quiet place"): nothing can qualify them
    avoid: bool = False
    indifferent: bool = False
    strength: str = ""
    hard_cue: bool = False
    soft: bool = False
    link: Link | None = None
    alternative: bool = False  # joined to the phrase before it by "or"
    alternatives: bool = False  # stands for several phrases joined by "or"
    permitted: Permission | None = None  # merely permitted: no wish, though it may widen one
    maker: bool = False  # said to have made the item ("by Lynch")
    proper: frozenset[str] = frozenset()  # its words that are names by the parse, in lower case
    form: tuple[int, int] | None = None  # where a noun for a form stands ("a sad film")
    repeats: int | None = None  # index of an earlier phrase this one only names again


_TURNS = either("but|yet|although|though|however")
_LIKING = either("loves|likes|enjoys|adores|prefers|love|like|enjoy|adore|prefer")


@dataclass
class _Clause:
    """What has been seen since the last phrase."""

    cues: list[Unit] = field(default_factory=list)
    frame: bool = False
    copula: bool = False
    predicate: bool = False

    def turn(self, words: str, unit: Unit) -> None:
        """One more cue. A "but" or a liking ends what is disliked before it ("hates maths but loves art")."""
        if words in _TURNS or (words in _LIKING and self.has("references.disliked")):
            self.cues = [cue for cue in self.cues if not any(kind.startswith("avoids") for kind in cue.kinds)]
        self.cues.append(unit)

    def has(self, kind: str) -> bool:
        return any(kind in cue.kinds for cue in self.cues)


_MADE_BY = frozenset({"by", "from", "starring", "directed by", "written by", "made by", "produced by"})
ANAPHORIC = frozenset({"the", "this", "that", "these", "those", "their"})
_NEGATED_COPULAS = frozenset(
    {"isn't", "aren't", "is not", "are not", "should not be", "shouldn't be", "mustn't be", "must not be"}
)


def phrases_of(
    doc: "Doc", text: str, vocabulary: Vocabulary, skip: Sequence[tuple[int, int]] = ()
) -> tuple[Phrase, ...]:
    """The wish phrases of a parsed narrative, in order. Spans in `skip` (years) are passed over."""
    units = units_of(doc, text, vocabulary, skip)
    found: list[Phrase] = []
    clause = _Clause(frame=True)
    sentence = 0
    for unit in units:
        if unit.role == "end":
            clause, sentence = _Clause(frame=True), sentence + 1
        elif unit.role == "utterly":
            if found and found[-1].avoid:
                found[-1] = replace(found[-1], strength=f"{found[-1].strength} {text[unit.start : unit.end].lower()}")
        elif unit.role == "refused":
            found, clause = refused(found, text, unit, sentence), _Clause()
        elif unit.role == "must":
            found, clause = required(found, text, unit.start), _Clause(frame=True)
        elif unit.role == "year":
            clause = _Clause(frame=True)  # the year rule has read it, its "nothing" included
        elif unit.role == "frame":
            clause.frame = True
            clause.turn(text[unit.start : unit.end].lower(), unit)
        elif unit.role == "copula":
            clause.copula = True
        elif unit.role == "cue":
            clause.turn(text[unit.start : unit.end].lower(), unit)
        else:
            clause.predicate = unit.role == "predicate"
            found.append(_phrase(doc, text, unit, clause, found, sentence))
            clause = _Clause()
    return with_permissions(with_shared_negation(doc, tuple(found), units), permissions(doc.text))


def _phrase(doc: "Doc", text: str, unit: Unit, clause: _Clause, before: list[Phrase], sentence: int) -> Phrase:
    strengths = [cue for cue in clause.cues if any(kind.startswith("strength") for kind in cue.kinds)]
    avoiding = [cue for cue in clause.cues if any(kind.startswith("avoids") for kind in cue.kinds)]
    wanted = clause.has("allows.wanted")
    own = [
        cue.start if cue.said is None else cue.said
        for cue in (*strengths, *avoiding)
        if not (clause.frame and cue.role == "frame")
    ]
    generic = unit.role == "generic"
    # "not a film without romance": what is denied of the item and then denied again is wanted
    carried = _denied_item(clause, before, sentence)
    avoid = (bool(avoiding) and not wanted) != carried
    phrase = Phrase(
        start=unit.start,
        end=unit.end,
        said_from=min([unit.start, *own]),
        sentence=sentence,
        tokens=unit.tokens,
        reference=unit.reference,
        quantity=unit.quantity,
        generic=generic,
        headless=unit.headless,
        soft=clause.has("strength.soft"),
        avoid=avoid and unit.quantity is None,  # "not longer than two hours" says its own "not"
        indifferent=clause.has("allows.indifferent"),
        strength=" ".join(
            dict.fromkeys(text[c.start : c.end].lower() for c in (*avoiding, *strengths) if c.role == "cue")
        ),
        hard_cue=clause.has("strength.hard") or _inherits_hard(clause, before, sentence),
        maker=bool(clause.cues) and text[clause.cues[-1].start : clause.cues[-1].end].lower() in _MADE_BY,
        proper=frozenset(doc[i].lower_ for i in unit.tokens if doc[i].pos_ == "PROPN"),
        form=unit.form,
        alternative=any(text[cue.start : cue.end].lower() in ("or", "or else", "/") for cue in clause.cues),
    )
    if (repeats := _repeated(doc, phrase, before)) is not None:
        return replace(phrase, repeats=repeats)
    return replace(phrase, link=_link(doc, text, phrase, clause, before))


def _denied_item(clause: _Clause, before: list[Phrase], sentence: int) -> bool:
    previous = before[-1] if before else None
    if previous is None or not previous.generic or not previous.avoid or previous.sentence != sentence:
        return False
    return not (clause.frame or clause.has("joins.list"))


def _inherits_hard(clause: _Clause, before: list[Phrase], sentence: int) -> bool:
    """Members of one list share its "I need"; a softening cue or a new frame ends that."""
    previous = before[-1] if before else None
    if previous is None or previous.sentence != sentence or clause.frame or clause.has("strength.soft"):
        return False
    return previous.hard_cue and not previous.avoid


def _link(doc: "Doc", text: str, phrase: Phrase, clause: _Clause, before: list[Phrase]) -> Link | None:
    """Which earlier phrase of its sentence this one qualifies, if any, and by which words."""
    previous = len(before) - 1
    if previous < 0 or before[previous].sentence != phrase.sentence:
        return None
    said = before[previous]
    anchor = said.repeats if said.repeats is not None else previous
    if said.generic and said.link is not None:
        anchor = said.link.base  # "a love story between two people who talk": said of the people, said of the story
    qualifier = next((cue for cue in clause.cues if any(kind.startswith("qualifies") for kind in cue.kinds)), None)
    if clause.frame and qualifier is None and not clause.copula:
        return None
    words = text[said.end : phrase.start].strip(" ,;")
    if clause.has("avoids.contrast"):
        return _as_sibling(said, said_alike=True)
    if qualifier is not None:
        aspect = next(Aspect(kind.split(".")[1]) for kind in qualifier.kinds if kind.startswith("qualifies"))
        target = _attachment(doc, text, qualifier, _beyond_prominence(text, anchor, before), before)
        return None if target is None else Link(base=target, cue=words, aspect=aspect, confidence=0.8)
    if clause.copula or clause.predicate or any(text[c.start : c.end].lower() in _NEGATED_COPULAS for c in clause.cues):
        return None if before[anchor].generic else Link(base=anchor, cue=words, aspect=Aspect.MANNER, confidence=0.6)
    if clause.has("avoids.negation") or clause.has("joins.list"):
        # "set in a small town, nothing too violent": of the mystery too, but not "set in a violent"
        alike = clause.has("joins.list") and not phrase.headless
        return _as_sibling(_list_head(doc, phrase, before) or said, said_alike=alike)
    return None


def _beyond_prominence(text: str, anchor: int, before: list[Phrase]) -> int:
    """ "romance as a subplot, shown through banter": what is said next is said of the romance, not of its place."""
    phrase = before[anchor]
    mentions = concept_mentions(text[phrase.start : phrase.end])
    prominent = bool(mentions) and mentions[-1].concept.perspective == "prominence"
    return phrase.link.base if prominent and phrase.link is not None else anchor


def _as_sibling(other: Phrase, *, said_alike: bool) -> Link | None:
    """The link of another member of the same list: the same base, reached by the same cue if it is `said_alike`."""
    if other.link is None:
        return None
    return replace(other.link, cue=other.link.cue if said_alike else "", confidence=other.link.confidence * 0.9)


def _attachment(doc: "Doc", text: str, cue: Unit, anchor: int, before: list[Phrase]) -> int | None:
    """The phrase a preposition hangs on: the one before it; "with" may reach back to where the parse says."""
    if text[cue.start : cue.end].lower() == "with" and cue.tokens:
        head = doc[cue.tokens[0]].head.i
        here = [i for i, phrase in enumerate(before) if phrase.sentence == before[anchor].sentence]
        named = [i for i in here if head in before[i].tokens]
        anchor = named[0] if named else next((i for i in here if _can_be_qualified(before[i])), anchor)
    return anchor if _can_be_qualified(before[anchor]) else None


def _can_be_qualified(phrase: Phrase) -> bool:
    return not (phrase.generic or phrase.headless or phrase.avoid) and phrase.quantity is None


def _list_head(doc: "Doc", phrase: Phrase, before: list[Phrase]) -> Phrase | None:
    """The earlier list member that the parse joins this phrase to."""
    for token in (doc[i] for i in phrase.tokens):
        if token.dep_ == "conj":
            for other in reversed(before):
                if token.head.i in other.tokens and other.sentence == phrase.sentence:
                    return other
    return None


def _repeated(doc: "Doc", phrase: Phrase, before: list[Phrase]) -> int | None:
    """An earlier phrase that "the romance", "that relationship" names again."""
    if phrase.generic or not phrase.tokens or phrase.tokens[0] == 0:
        return None
    if doc[phrase.tokens[0] - 1].lower_ not in ANAPHORIC or len(phrase.tokens) > 1:
        return None
    lemma = doc[phrase.tokens[-1]].lemma_.lower()
    for index, other in enumerate(before):
        if other.tokens and other.repeats is None and lemma in {doc[i].lemma_.lower() for i in other.tokens}:
            return index
    return None

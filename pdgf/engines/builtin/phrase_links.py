"""What a wish phrase qualifies: the phrase of its sentence that its cues, its verb or the parse hang it on (METHOD 12).

Cues come first ("set in", "through", "but"); the parse adds what no cue says: which noun a verb is said of, which list
a phrase belongs to, and that an adjective after its noun belongs to it ("a love story, tender").
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pdgf.constraints.words import either
from pdgf.engines.builtin.cue_units import Unit
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.models import Aspect

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from pdgf.engines.builtin.phrases import Phrase

_TURNS = either("but|yet|although|though|however")
_LIKING = either("loves|likes|enjoys|adores|prefers|love|like|enjoy|adore|prefer")
_ANAPHORIC = frozenset({"the", "this", "that", "these", "those", "their"})
_NEGATED_COPULAS = frozenset(
    {"isn't", "aren't", "is not", "are not", "should not be", "shouldn't be", "mustn't be", "must not be"}
)
_WHERE = either("where|which")  # what opens a clause with a subject of its own
_OF_THAT_KIND = either("kind|sort|type|one|version")  # "friendship, the kind that grows"
_AFTER_ITS_NOUN = frozenset({"amod", "acl", "conj"})


@dataclass(frozen=True, kw_only=True)
class Link:
    """That a phrase qualifies an earlier one: its index, and the words that say so.

    `said_of`     the words say it of that phrase and of nothing else ("humour that is quiet"), whatever it is about
    `by_clause`   it is the clause of that very word, which may be an adjective ("so soft that two can talk")
    `loose`       it only stands after it ("romance, gentle"): it may be said of the item as well
    """

    base: int
    cue: str
    aspect: Aspect
    confidence: float
    said_of: bool = False
    by_clause: bool = False
    loose: bool = False


@dataclass
class ClauseCues:
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


def link_of(doc: "Doc", text: str, phrase: "Phrase", clause: ClauseCues, before: list["Phrase"]) -> Link | None:
    """Which earlier phrase of its sentence this one qualifies, if any, and by which words."""
    previous = len(before) - 1
    if previous < 0 or before[previous].sentence != phrase.sentence:
        return None
    said = before[previous]
    anchor = said.repeats if said.repeats is not None else previous
    if said.generic and said.link is not None:
        anchor = said.link.base  # "a love story between two people who talk": said of the people, said of the story
    qualifier = next((cue for cue in clause.cues if any(kind.startswith("qualifies") for kind in cue.kinds)), None)
    words = text[said.end : phrase.start].strip(" ,;")
    if clause.predicate and said.link is not None and said.tokens and doc[said.tokens[-1]].pos_ == "ADV":
        anchor = said.link.base  # "a man who slowly loses his memory"
    if _turned(text, phrase, clause) and said.bears and said.reference is None:
        return Link(base=anchor, cue=words, aspect=Aspect.MANNER, confidence=0.6)
    if phrase.headless and any(text[cue.start : cue.end] == ":" for cue in clause.cues):
        listed = next((i for i, other in enumerate(before) if other.sentence == phrase.sentence and other.bears), None)
        return None if listed is None else Link(base=listed, cue="", aspect=Aspect.MANNER, confidence=0.6, loose=True)
    if clause.frame and qualifier is None and not clause.copula:
        return None
    if clause.has("avoids.contrast"):
        return _as_sibling(said, said_alike=True)
    if _goes_on(doc, phrase, clause):
        if (noun := _shared_subject(doc, phrase, before)) is not None:
            return Link(base=noun, cue="", aspect=Aspect.MANNER, confidence=0.6, said_of=True)
        if said.link is not None and said.link.said_of:
            return _as_sibling(said, said_alike=False)
    if phrase.generic and doc[phrase.tokens[-1]].lower_ in _OF_THAT_KIND and clause.has("joins.list"):
        return Link(base=anchor, cue="", aspect=Aspect.MANNER, confidence=0.6)
    if qualifier is not None:
        if _is_subject_of_its_own(doc, text, phrase, qualifier):
            return None
        aspect = next(Aspect(kind.split(".")[1]) for kind in qualifier.kinds if kind.startswith("qualifies"))
        target = _attachment(doc, text, qualifier, _beyond_prominence(text, anchor, before), before)
        if target is None:
            return None
        by_means = aspect is Aspect.MANNER and text[qualifier.start : qualifier.end].lower() not in ("by", "from")
        said_of = clause.copula or clause.predicate or by_means
        return Link(base=target, cue=words, aspect=aspect, confidence=0.8, said_of=said_of)
    if clause.copula or clause.predicate or any(text[c.start : c.end].lower() in _NEGATED_COPULAS for c in clause.cues):
        if before[anchor].generic or before[anchor].quantity is not None:
            return None
        return Link(base=anchor, cue=words, aspect=Aspect.MANNER, confidence=0.6, said_of=True)
    noun = _noun_before(doc, phrase, before) if said.link is None else None
    if noun is not None:
        return Link(base=noun, cue="", aspect=Aspect.MANNER, confidence=0.6, loose=True)
    if not _is_subject(doc, phrase) and (clause.has("avoids.negation") or clause.has("joins.list")):
        # "set in a small town, nothing too violent": of the mystery too, but not "set in a violent"
        alike = clause.has("joins.list") and not phrase.headless
        return _as_sibling(_list_head(doc, phrase, before) or said, said_alike=alike)
    return None


def repeated(doc: "Doc", text: str, phrase: "Phrase", before: Sequence["Phrase"]) -> int | None:
    """An earlier phrase that "the romance", "that relationship", "but romance" names again."""
    if phrase.generic or not phrase.tokens or phrase.tokens[0] == 0:
        return None
    turned = doc[phrase.tokens[0] - 1].lower_ == "but"
    if not (turned or doc[phrase.tokens[0] - 1].lower_ in _ANAPHORIC) or len(phrase.tokens) > 1:
        return None
    lemma = doc[phrase.tokens[-1]].lemma_.lower()
    for index, other in enumerate(before):
        if turned and other.sentence != phrase.sentence:
            continue
        if other.tokens and other.repeats is None and lemma in {doc[i].lemma_.lower() for i in other.tokens}:
            return index
    return None


def _turned(text: str, phrase: "Phrase", clause: ClauseCues) -> bool:
    """Whether an adjective alone follows a "but": "music, but so soft" is said of the music."""
    if not phrase.headless or clause.copula or clause.predicate:
        return False
    said = [text[cue.start : cue.end].lower() for cue in clause.cues]
    return "but" in said and all(
        words in ("but", ",") or any(kind.startswith(("strength", "avoids")) for kind in cue.kinds)
        for words, cue in zip(said, clause.cues, strict=True)
    )


def _goes_on(doc: "Doc", phrase: "Phrase", clause: ClauseCues) -> bool:
    """Whether a phrase goes on with what the one before it says: "quiet and deadpan", "... and is not a joke"."""
    first = next((cue for cue in clause.cues if cue.role == "cue"), None)
    if first is None or "joins.list" not in first.kinds or clause.has("qualifies.manner"):
        return False
    return not _is_subject(doc, phrase)


def _is_subject(doc: "Doc", phrase: "Phrase") -> bool:
    return bool(phrase.tokens) and doc[phrase.tokens[-1]].dep_ in ("nsubj", "nsubjpass")


def _shared_subject(doc: "Doc", phrase: "Phrase", before: Sequence["Phrase"]) -> int | None:
    """The phrase whose relative clause goes on here with another verb ("food that is cooked well and is no token")."""
    if not phrase.tokens:
        return None
    verb = doc[phrase.tokens[-1]].head
    while verb.dep_ == "conj" and not any(child.dep_.startswith("nsubj") for child in verb.children):
        verb = verb.head
        if verb.dep_ == "relcl":
            of = (i for i, other in enumerate(before) if verb.head.i in other.tokens and _can_be_qualified(other))
            return next(of, _of_its_head(doc, verb.head.i, before))
    return None


def _of_its_head(doc: "Doc", noun: int, before: Sequence["Phrase"]) -> int | None:
    """The phrase that modifies a noun which is too general to stand in it ("vegan food")."""
    modifiers = {child.i for child in doc[noun].children}
    return next((i for i, other in enumerate(before) if other.of_a_thing and modifiers & set(other.tokens)), None)


def _is_subject_of_its_own(doc: "Doc", text: str, phrase: "Phrase", cue: Unit) -> bool:
    """Whether a phrase is what a clause is about and not what it says: "where the robots matter less"."""
    if not phrase.tokens:
        return False
    token = doc[phrase.tokens[-1]]
    opened = text[cue.start : cue.end].lower() in ("where", "which", "in")
    known = phrase.tokens[0] > 0 and doc[phrase.tokens[0] - 1].lower_ in _ANAPHORIC
    return opened and known and token.dep_ in ("nsubj", "nsubjpass") and token.head.dep_ == "relcl"


def _noun_before(doc: "Doc", phrase: "Phrase", before: Sequence["Phrase"]) -> int | None:
    """The phrase whose noun an adjective after it belongs to ("a love story, tender and slow")."""
    if not phrase.headless or not phrase.tokens:
        return None
    token = doc[phrase.tokens[-1]]
    steps = 0
    while token.dep_ in _AFTER_ITS_NOUN and token.head.i < token.i and steps < 3:
        by_list = token.dep_ == "conj"
        token, steps = token.head, steps + 1
        for index, other in enumerate(before):
            if token.i not in other.tokens or other.sentence != phrase.sentence:
                continue
            if by_list or not _can_be_qualified(other):
                break
            return index
    return None


def _beyond_prominence(text: str, anchor: int, before: Sequence["Phrase"]) -> int:
    """ "romance as a subplot, shown through banter": what is said next is said of the romance, not of its place."""
    phrase = before[anchor]
    mentions = concept_mentions(text[phrase.start : phrase.end])
    alone = len(mentions) == 1 and mentions[0].concept.perspective == "prominence"
    return phrase.link.base if alone and phrase.link is not None else anchor


def _as_sibling(other: "Phrase", *, said_alike: bool) -> Link | None:
    """The link of another member of the same list: the same base, reached by the same cue if it is `said_alike`."""
    if other.link is None:
        return None
    return replace(other.link, cue=other.link.cue if said_alike else "", confidence=other.link.confidence * 0.9)


def _attachment(doc: "Doc", text: str, cue: Unit, anchor: int, before: Sequence["Phrase"]) -> int | None:
    """The phrase a preposition hangs on: the one before it; "with" may reach back to where the parse says."""
    if text[cue.start : cue.end].lower() == "with" and cue.tokens:
        head = doc[cue.tokens[0]].head.i
        here = [i for i, phrase in enumerate(before) if phrase.sentence == before[anchor].sentence]
        named = [i for i in here if head in before[i].tokens]
        anchor = named[0] if named else next((i for i in here if _can_be_qualified(before[i])), anchor)
    phrase = before[anchor]
    if not phrase.bears and phrase.link is not None:
        anchor = phrase.link.base  # "war seen from far off, through daily life": said of the war
    return anchor if _can_be_qualified(before[anchor]) else None


def _can_be_qualified(phrase: "Phrase") -> bool:
    return phrase.bears and not phrase.avoid and phrase.quantity is None


def _list_head(doc: "Doc", phrase: "Phrase", before: Sequence["Phrase"]) -> "Phrase | None":
    """The earlier list member that the parse joins this phrase to."""
    for token in (doc[i] for i in phrase.tokens):
        if token.dep_ == "conj":
            for other in reversed(before):
                if token.head.i in other.tokens and other.sentence == phrase.sentence:
                    return other
    return None

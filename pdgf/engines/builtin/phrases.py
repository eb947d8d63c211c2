"""A narrative cut into wish phrases, each with what it qualifies and by which words.

The cue list decides and works without a parse; the parse says which verb is a predicate and which phrase a list
member belongs to (METHOD 12, "Edges": "slow-burn mystery set in a small town" is mis-parsed, its cues are not).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdgf.engines.builtin.changed_mind import with_changed_minds
from pdgf.engines.builtin.clauses import with_clauses
from pdgf.engines.builtin.conditionals import with_conditionals
from pdgf.engines.builtin.cue_units import Unit
from pdgf.engines.builtin.lexicon import concept_mentions, cues
from pdgf.engines.builtin.mentions import Quantity, Reference
from pdgf.engines.builtin.permissions import Permission, permissions
from pdgf.engines.builtin.phrase_links import ClauseCues, Link, link_of, repeated
from pdgf.engines.builtin.phrase_marks import (
    refused,
    required,
    with_exceptions,
    with_last_word,
    with_own_diets,
    with_permissions,
    with_refused_topics,
    with_shared_negation,
)
from pdgf.engines.builtin.refused_clauses import with_bidden_harm, with_refused_clauses
from pdgf.engines.builtin.units import units_of
from pdgf.engines.builtin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from spacy.tokens import Doc


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
    of_a_thing: bool = False  # though headless, of something that can be qualified ("spicy food", named again)
    is_clause: bool = False  # a whole clause that is one wish
    words: str = ""  # what it is a wish for, where its own words say so by an order or by the opposite
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

    @property
    def bears(self) -> bool:
        """Whether something can be said of it."""
        return not self.generic and (self.of_a_thing or not self.headless)


_MADE_BY = frozenset({"by", "from", "starring", "directed by", "written by", "made by", "produced by"})


def phrases_of(
    doc: "Doc", text: str, vocabulary: Vocabulary, skip: Sequence[tuple[int, int]] = ()
) -> tuple[Phrase, ...]:
    """The wish phrases of a parsed narrative, in order. Spans in `skip` (years) are passed over."""
    units = units_of(doc, text, vocabulary, skip)
    found: list[Phrase] = []
    clause = ClauseCues(frame=True)
    sentence = 0
    for unit in units:
        if unit.role == "end":
            clause, sentence = ClauseCues(frame=True), sentence + 1
        elif unit.role == "utterly":
            if found and found[-1].avoid:
                found[-1] = replace(found[-1], strength=f"{found[-1].strength} {text[unit.start : unit.end].lower()}")
        elif unit.role == "refused":
            found, clause = refused(found, text, unit, sentence), ClauseCues()
        elif unit.role == "must":
            found, clause = required(found, text, unit.start), ClauseCues(frame=True)
        elif unit.role == "year":
            clause = ClauseCues(frame=True)  # the year rule has read it, its "nothing" included
        elif unit.role == "frame":
            clause.copula = clause.copula or _says_of_the_last(doc, text, unit, found)
            clause.frame = not clause.copula
            clause.turn(text[unit.start : unit.end].lower(), unit)
        elif unit.role == "copula":
            clause.copula = True
        elif unit.role == "cue":
            clause.turn(text[unit.start : unit.end].lower(), unit)
        else:
            clause.predicate = unit.role == "predicate"
            phrase = _phrase(doc, text, unit, clause, found, sentence)
            if phrase.repeats is not None:
                found[phrase.repeats] = replace(found[phrase.repeats], of_a_thing=True)
            found.append(phrase)
            clause = ClauseCues()
    negated = with_refused_topics(text, with_exceptions(text, with_shared_negation(doc, tuple(found), units)))
    wished = with_conditionals(text, with_clauses(doc, text, negated, units, Phrase))
    settled = with_changed_minds(doc, with_bidden_harm(text, with_refused_clauses(text, wished)))
    return with_permissions(with_own_diets(text, with_last_word(text, settled)), permissions(doc.text))


def _phrase(doc: "Doc", text: str, unit: Unit, clause: ClauseCues, before: list[Phrase], sentence: int) -> Phrase:
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
    carried = _denied_item(text, clause, before, sentence)
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
        of_a_thing=unit.of_a_thing,
        soft=clause.has("strength.soft"),
        # "not longer than two hours" says its own "not"
        avoid=avoid and (unit.quantity is None or unit.quantity.deniable),
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
    if (repeats := repeated(doc, text, phrase, before)) is not None:
        return replace(phrase, repeats=repeats)
    link = link_of(doc, text, phrase, clause, before)
    tie = None if link is not None or phrase.reference is not None else _verb_that_ties(doc, clause)
    known = bool(concept_mentions(text[phrase.start : phrase.end]))
    if tie is not None and not phrase.avoid and not known:  # nothing stands before it: "surprised by the ending"
        phrase = replace(phrase, start=tie.start, said_from=min(phrase.said_from, tie.start))
    return replace(phrase, link=link)


def _verb_that_ties(doc: "Doc", clause: ClauseCues) -> Unit | None:
    """The last cue, if it is a verb with its preposition and in no list of cues."""
    last = clause.cues[-1] if clause.cues else None
    if last is None or last.kinds != ("qualifies.manner",) or len(last.tokens) < 2:
        return None
    verb = doc[last.tokens[0]]
    listed = tuple(doc[i].lower_ for i in last.tokens) in cues().kinds
    asks = verb.lemma_.lower() in cues().frame_verbs and verb.tag_ != "VBN"
    return None if verb.pos_ != "VERB" or listed or asks else last


def _says_of_the_last(doc: "Doc", text: str, unit: Unit, found: list[Phrase]) -> bool:
    """Whether a frame says something of the phrase before it and not of the item: "the laptop must be welcome"."""
    if not found or not unit.tokens or not text[unit.start : unit.end].lower().endswith(" be"):
        return False
    subjects = [child.i for child in doc[unit.tokens[-1]].children if child.dep_ in ("nsubj", "nsubjpass")]
    return bool(set(subjects) & set(found[-1].tokens)) and (found[-1].bears or found[-1].repeats is not None)


def _denied_item(text: str, clause: ClauseCues, before: list[Phrase], sentence: int) -> bool:
    previous = before[-1] if before else None
    if previous is None or not previous.generic or not previous.avoid or previous.sentence != sentence:
        return False
    again = any("nor" in text[cue.start : cue.end].lower().split() for cue in clause.cues)
    return not (clause.frame or again or clause.has("joins.list"))


def _inherits_hard(clause: ClauseCues, before: list[Phrase], sentence: int) -> bool:
    """Members of one list share its "I need"; a softening cue or a new frame ends that."""
    previous = before[-1] if before else None
    if previous is None or previous.sentence != sentence or clause.frame or clause.has("strength.soft"):
        return False
    return previous.hard_cue and not previous.avoid

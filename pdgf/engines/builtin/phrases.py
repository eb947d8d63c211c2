"""A narrative cut into wish phrases, each with what it qualifies and by which words.

The cue list decides and works without a parse; the parse says which verb is a predicate and which phrase a list
member belongs to (METHOD 12, "Edges": "slow-burn mystery set in a small town" is mis-parsed, its cues are not).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pdgf.engines.builtin.lexicon import concept_mentions, cues
from pdgf.engines.builtin.mentions import Quantity, Reference, quantities, references
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Aspect

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A stretch of the narrative with one part to play: content, a cue, a reference, a quantity, a frame or an end."""

    role: str
    start: int
    end: int
    kinds: tuple[str, ...] = ()
    tokens: tuple[int, ...] = ()
    reference: Reference | None = None
    quantity: Quantity | None = None
    headless: bool = False


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """One wish phrase. `base` is the index of the phrase it qualifies, `cue` the words that say so.

    `said_from` is where its own words begin, negation and strength included. `sentence` counts from 0. A phrase of
    generic words only ("a place", "something") is kept as a stepping stone and makes no node.
    """

    start: int
    end: int
    said_from: int
    sentence: int
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
    base: int | None = None
    cue: str = ""
    aspect: Aspect = Aspect.TARGET
    confidence: float = 0.0
    alternative: bool = False  # joined to the phrase before it by "or"
    alternatives: bool = False  # stands for several phrases joined by "or"
    repeats: int | None = None  # index of an earlier phrase this one only names again


@dataclass
class _Clause:
    """What has been seen since the last phrase."""

    cues: list[Unit] = field(default_factory=list)
    frame: bool = False
    copula: bool = False
    predicate: bool = False

    def has(self, kind: str) -> bool:
        return any(kind in cue.kinds for cue in self.cues)

    def first(self, prefix: str) -> Unit | None:
        return next((cue for cue in self.cues for kind in cue.kinds if kind.startswith(prefix)), None)


ANAPHORIC = frozenset({"the", "this", "that", "these", "those", "their"})
_NEGATED_COPULAS = frozenset(
    {"isn't", "aren't", "is not", "are not", "should not be", "shouldn't be", "mustn't be", "must not be"}
)
_LINKERS = frozenset(
    {
        "of",
        "to",
        "the",
        "a",
        "an",
        "'s",
        "each",
        "other",
        "over",
        "into",
        "out",
        "up",
        "off",
        "down",
        "their",
        "her",
        "his",
        "its",
        "own",
        "one",
        "another",
        "at",
    }
)
_WEAK_ADJECTIVES = frozenset(
    {
        "good",
        "great",
        "nice",
        "best",
        "better",
        "decent",
        "new",
        "amazing",
        "other",
        "many",
        "much",
        "such",
        "same",
        "last",
        "first",
        "next",
        "similar",
        "different",
        "right",
        "main",
        "little",
        "few",
        "real",
        "actual",
        "certain",
        "favourite",
        "favorite",
        "own",
        "big",
    }
)
_WEAK_ADVERBS = frozenset(
    {
        "very",
        "really",
        "too",
        "mostly",
        "mainly",
        "just",
        "also",
        "even",
        "still",
        "again",
        "rather",
        "pretty",
        "quite",
        "else",
        "maybe",
        "perhaps",
        "preferably",
        "ideally",
        "so",
        "as",
        "more",
        "most",
        "less",
        "only",
        "not",
        "now",
        "here",
        "there",
        "then",
        "actually",
        "probably",
        "instead",
        "please",
        "hopefully",
        "anyway",
        "well",
        "ever",
        "never",
        "always",
        "when",
        "how",
        "why",
        "where",
        "somewhat",
        "overly",
        "about",
        "around",
        "near",
        "nearby",
        "today",
        "tonight",
    }
)


def phrases_of(
    doc: "Doc", text: str, vocabulary: Vocabulary, skip: Sequence[tuple[int, int]] = ()
) -> tuple[Phrase, ...]:
    """The wish phrases of a parsed narrative, in order. Spans in `skip` (years) are passed over."""
    units = _units(doc, text, vocabulary, skip)
    found: list[Phrase] = []
    clause = _Clause(frame=True)
    sentence = 0
    for unit in units:
        if unit.role == "end":
            clause, sentence = _Clause(frame=True), sentence + 1
        elif unit.role == "frame":
            clause.frame = True
            clause.cues.append(unit)
        elif unit.role == "copula":
            clause.copula = True
        elif unit.role == "cue":
            clause.cues.append(unit)
        else:
            clause.predicate = unit.role == "predicate"
            found.append(_phrase(doc, text, unit, clause, found, sentence))
            clause = _Clause()
    return _with_shared_negation(doc, tuple(found), units)


def _phrase(doc: "Doc", text: str, unit: Unit, clause: _Clause, before: list[Phrase], sentence: int) -> Phrase:
    strengths = [cue for cue in clause.cues if any(kind.startswith("strength") for kind in cue.kinds)]
    avoiding = [cue for cue in clause.cues if any(kind.startswith("avoids") for kind in cue.kinds)]
    wanted = clause.has("allows.wanted")
    own = [cue.start for cue in (*strengths, *avoiding) if not (clause.frame and cue.role == "frame")]
    generic = unit.role == "generic"
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
        avoid=bool(avoiding) and not wanted,
        indifferent=clause.has("allows.indifferent"),
        strength=" ".join(
            dict.fromkeys(text[c.start : c.end].lower() for c in (*avoiding, *strengths) if c.role == "cue")
        ),
        hard_cue=clause.has("strength.hard") or _inherits_hard(clause, before, sentence),
        alternative=any(text[cue.start : cue.end].lower() in ("or", "or else", "/") for cue in clause.cues),
    )
    return replace(phrase, **_link(doc, text, phrase, clause, before))


def _inherits_hard(clause: _Clause, before: list[Phrase], sentence: int) -> bool:
    """Members of one list share its "I need"; a softening cue or a new frame ends that."""
    previous = before[-1] if before else None
    if previous is None or previous.sentence != sentence or clause.frame or clause.has("strength.soft"):
        return False
    return previous.hard_cue and not previous.avoid


def _link(doc: "Doc", text: str, phrase: Phrase, clause: _Clause, before: list[Phrase]) -> dict[str, object]:
    """Which earlier phrase this one qualifies, if any, and by which words."""
    repeated = _repeated(doc, text, phrase, before)
    if repeated is not None:
        return {"repeats": repeated}
    previous = len(before) - 1
    if previous < 0 or before[previous].sentence != phrase.sentence:
        return {}
    said = before[previous]
    anchor = said.repeats if said.repeats is not None else previous
    if said.generic and said.base is not None:
        anchor = said.base  # "a love story between two people who talk": what is said of the people is said of it
    qualifier = next((c for c in clause.cues if any(k.startswith("qualifies") for k in c.kinds)), None)
    if clause.frame and qualifier is None and not clause.copula:
        return {}
    words = text[said.end : phrase.start].strip(" ,;")
    if clause.has("avoids.contrast"):
        return _as_sibling(said)
    if qualifier is not None:
        aspect = next(Aspect(kind.split(".")[1]) for kind in qualifier.kinds if kind.startswith("qualifies"))
        target = _attachment(doc, text, qualifier, anchor, before)
        return {} if target is None else {"base": target, "cue": words, "aspect": aspect, "confidence": 0.8}
    if clause.copula or clause.predicate or any(text[c.start : c.end].lower() in _NEGATED_COPULAS for c in clause.cues):
        if before[anchor].generic:
            return {}
        return {"base": anchor, "cue": words, "aspect": Aspect.MANNER, "confidence": 0.6}
    if clause.has("avoids.negation") or clause.has("joins.list"):
        link = _as_sibling(_list_head(doc, phrase, before) or said)
        if (link and not clause.has("joins.list")) or phrase.headless:
            link = (
                {**link, "cue": ""} if link else {}
            )  # "set in a small town, nothing too violent": not "set in a violent"
        return link
    return {}


def _as_sibling(other: Phrase) -> dict[str, object]:
    """The link of another member of the same list: the same base, reached by the same cue."""
    if other.base is None:
        return {}
    return {"base": other.base, "cue": other.cue, "aspect": other.aspect, "confidence": other.confidence * 0.9}


def _attachment(doc: "Doc", text: str, cue: Unit, anchor: int, before: list[Phrase]) -> int | None:
    """The phrase a preposition hangs on: the one before it, except that "with" may reach back to where the parse says."""
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


def _repeated(doc: "Doc", text: str, phrase: Phrase, before: list[Phrase]) -> int | None:
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


def _with_shared_negation(doc: "Doc", found: tuple[Phrase, ...], units: Sequence[Unit]) -> tuple[Phrase, ...]:
    """Carry a negation over its list: "no gore or jump scares", "without violence, gore or swearing"."""
    result = list(found)
    for index in range(1, len(result)):
        phrase, before = result[index], result[index - 1]
        if phrase.avoid or not before.avoid or phrase.sentence != before.sentence or phrase.strength:
            continue
        between = [unit for unit in units if before.end <= unit.start < phrase.start]
        if not between or any("joins.list" not in unit.kinds for unit in between):
            continue
        closes_with_or = any(later.alternative for later in result[index:] if later.sentence == phrase.sentence)
        bare_and = (
            len(between) == 1 and between[0].kinds and doc.text[between[0].start : between[0].end].lower() == "and"
        )
        if closes_with_or or bare_and:
            result[index] = replace(
                phrase,
                avoid=True,
                hard_cue=before.hard_cue,
                alternative=False,
                strength=before.strength,
                base=before.base,
                cue=before.cue,
                aspect=before.aspect,
                confidence=before.confidence,
            )
    return tuple(result)


# ---- units: what each stretch of the narrative is -------------------------------------------------------------------


def _units(doc: "Doc", text: str, vocabulary: Vocabulary, skip: Sequence[tuple[int, int]]) -> list[Unit]:
    named: dict[int, Unit] = {}
    for reference in references(doc.text, vocabulary):
        named[reference.start] = Unit(role="reference", start=reference.start, end=reference.end, reference=reference)
    for quantity in quantities(doc.text):
        if all(quantity.end <= u.start or quantity.start >= u.end for u in named.values()):
            named[quantity.start] = Unit(role="quantity", start=quantity.start, end=quantity.end, quantity=quantity)
    for start, end in skip:
        named.setdefault(start, Unit(role="frame", start=start, end=end))
    units: list[Unit] = []
    position = 0
    while position < len(doc):
        token = doc[position]
        inside = next((u for u in named.values() if u.start <= token.idx < u.end), None)
        if inside is not None:
            if not units or units[-1] is not inside:
                units.append(inside)
            position += 1
            continue
        unit, position = _next_unit(doc, position, vocabulary)
        if unit is not None:
            units.append(unit)
    return units


def _next_unit(doc: "Doc", position: int, vocabulary: Vocabulary) -> tuple[Unit | None, int]:
    token = doc[position]
    if (token.text in ".!?\u2026" or (
        token.is_sent_start
        and position
        and token.text[:1].isupper()
        and doc[position - 1].is_punct
        and doc[position - 1].text not in ",;:-("
    )) and token.text in ".!?\u2026":
        return Unit(role="end", start=token.idx, end=token.idx + len(token)), position + 1
    kinds, length = _longest_cue(doc, position)
    if not length or _fixed_expression(doc, position, vocabulary) - position > length:
        if _links_by_verb(doc, position):
            end = position + 2
            return Unit(
                role="cue",
                start=token.idx,
                end=doc[end - 1].idx + len(doc[end - 1]),
                kinds=("qualifies.manner",),
                tokens=(position, position + 1),
            ), end
        content = _content_end(doc, position, vocabulary)
        if content > position:
            return _content_unit(doc, position, content, vocabulary), content
    if length:
        return _cue_unit(doc, position, length, kinds), position + length
    if token.lemma_ == "be" and token.pos_ in ("AUX", "VERB"):
        return Unit(role="copula", start=token.idx, end=token.idx + len(token)), position + 1
    if token.pos_ in ("VERB", "AUX") and token.lemma_.lower() in cues().frame_verbs:
        return Unit(role="frame", start=token.idx, end=token.idx + len(token)), position + 1
    return None, position + 1


def _links_by_verb(doc: "Doc", position: int) -> bool:
    """Whether a verb and its preposition stand here that tie two wishes ("develops through", "leads to")."""
    token = doc[position]
    if token.pos_ != "VERB" or position == 0 or position + 1 >= len(doc):
        return False
    return doc[position + 1].pos_ in ("ADP", "PART") and doc[position + 1].lower_ not in (
        "up",
        "out",
        "over",
        "off",
        "down",
    )


def _longest_cue(doc: "Doc", position: int) -> tuple[tuple[str, ...], int]:
    """The kinds of the longest cue that starts here and how many tokens it takes."""
    words = [t.lower_ for t in doc[position : position + cues().longest + 3]]
    for length in range(len(words), 0, -1):
        for candidate in (tuple(words[:length]), tuple(_joined(words[:length]))):
            kinds = cues().kinds.get(candidate)
            if kinds and _cue_fits(doc[position], length, kinds):
                return kinds, length
    return (), 0


def _joined(words: list[str]) -> list[str]:
    """Tokens as the cue lists write them: "I 'd" is "i'd", "ca n't" is "can't"."""
    joined: list[str] = []
    for word in words:
        if joined and (word.startswith("'") or word == "n't"):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _cue_fits(token: "Token", length: int, kinds: tuple[str, ...]) -> bool:
    """Rule out a cue word in another part of speech: "that" as a determiner, "like" as a verb."""
    if length == 1 and token.lower_ in ("that", "which", "who", "where", "when"):
        return token.tag_ in ("WDT", "WP", "WRB") or token.dep_ == "nsubj"
    if length == 1 and token.lower_ in ("like", "so", "some", "more", "that"):
        return "references.similar" not in kinds and token.lower_ in ("some", "more")
    return True


def _cue_unit(doc: "Doc", position: int, length: int, kinds: tuple[str, ...]) -> Unit:
    last = doc[position + length - 1]
    role = (
        "frame"
        if all(
            k.startswith(("frames", "references", "joins.turn")) or k in ("strength.hard", "strength.soft")
            for k in kinds
        )
        and any(k.startswith(("frames", "references", "joins.turn")) for k in kinds)
        else "cue"
    )
    if kinds == ("strength.hard",) and doc[position].pos_ in ("VERB", "AUX"):
        role = "frame"
    return Unit(
        role=role,
        start=doc[position].idx,
        end=last.idx + len(last),
        kinds=kinds,
        tokens=tuple(range(position, position + length)),
    )


def _content_end(doc: "Doc", position: int, vocabulary: Vocabulary) -> int:
    """Where the run of content that starts here ends; `position` itself when no content starts here."""
    fixed = _fixed_expression(doc, position, vocabulary)
    if fixed:
        end = fixed
    elif _is_content(doc[position]):
        end = position + 1
    else:
        return position
    while end < len(doc):
        fixed = _fixed_expression(doc, end, vocabulary)
        joined = doc[end - 1].idx + len(doc[end - 1]) == doc[end].idx  # hyphenated and the like
        if fixed:
            end = fixed
        elif joined and doc[end].text == "-" and end + 1 < len(doc) and doc[end].idx + 1 == doc[end + 1].idx:
            end += 2
        elif _starts_predicate(doc, end) or (_longest_cue(doc, end)[1] and not joined):
            break
        elif _is_content(doc[end]) or (doc[end].lower_ in _LINKERS and end + 1 < len(doc) and _content_follows(doc, end + 1, vocabulary)):
            end += 1
        else:
            break
    return end


def _content_follows(doc: "Doc", position: int, vocabulary: Vocabulary) -> bool:
    while position < len(doc) and doc[position].lower_ in _LINKERS:
        position += 1
    if position >= len(doc) or _starts_predicate(doc, position):
        return False
    return _is_content(doc[position]) and not _longest_cue(doc, position)[1]


def _fixed_expression(doc: "Doc", position: int, vocabulary: Vocabulary) -> int:
    """The end of a concept's or the catalogue's expression of several words that starts at this token, or 0."""
    longest = 0
    for end in range(min(len(doc), position + 7), position + 1, -1):
        span = doc[position:end].text
        if "," in span or "." in span:
            continue
        words = " ".join(span.casefold().replace("-", " ").split())
        whole = any(m.start == 0 and m.end == len(span) for m in concept_mentions(span))
        if words in vocabulary.values or whole:
            longest = end
            break
    return longest


def _starts_predicate(doc: "Doc", position: int) -> bool:
    """Whether a finite verb with a subject of its own stands here ("characters | talk to each other")."""
    token = doc[position]
    return token.pos_ == "VERB" and token.tag_ in ("VBZ", "VBP", "VBD", "VB") and token.dep_ not in ("amod", "compound")


def _is_content(token: "Token") -> bool:
    lower, lemma = token.lower_, token.lemma_.lower()
    if (
        not any(ch.isalpha() for ch in token.text)
        or lower in _WEAK_ADVERBS
        or token.pos_ in ("PRON", "DET", "AUX", "INTJ", "CCONJ", "SCONJ", "PART", "PUNCT")
    ):
        return bool(concept_mentions(token.text)) and token.pos_ not in (
            "PRON",
            "DET",
            "AUX",
            "CCONJ",
            "SCONJ",
            "PUNCT",
        )
    if token.pos_ == "VERB":
        return lemma not in cues().frame_verbs or bool(concept_mentions(token.text))
    if token.pos_ == "ADP":
        return False
    return token.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "ADV", "X")


def _content_unit(doc: "Doc", position: int, end: int, vocabulary: Vocabulary) -> Unit:
    """A run of content without the generic words at its edges; generic when nothing else is left."""
    kept = [i for i in range(position, end)]
    fixed: set[int] = set()
    for i in kept:
        stop = _fixed_expression(doc, i, vocabulary)
        fixed.update(range(i, stop))
    while kept and kept[-1] not in fixed and _is_generic(doc[kept[-1]]):
        kept.pop()
    while kept and kept[0] not in fixed and (_is_generic(doc[kept[0]]) or doc[kept[0]].lower_ in _WEAK_ADJECTIVES):
        kept.pop(0)
    role = "content" if kept else "generic"
    if kept and _starts_predicate(doc, position) and any(child.dep_ == "nsubj" for child in doc[position].children):
        role = "predicate"
    tokens = kept or list(range(position, end))
    return Unit(
        role=role,
        start=doc[tokens[0]].idx,
        end=doc[tokens[-1]].idx + len(doc[tokens[-1]]),
        tokens=tuple(tokens),
        headless=doc[tokens[-1]].pos_ not in ("NOUN", "PROPN") and tokens[-1] not in fixed,
    )


def _is_generic(token: "Token") -> bool:
    return token.lower_ in cues().generic_nouns or token.lower_ in _WEAK_ADVERBS or token.lower_ in _LINKERS

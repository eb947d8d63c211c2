"""Subordinate clauses as wishes: "people who dislike each other", "so that I can fall asleep to it" (METHOD 4.2, 12).

What cues and content words read of a clause is kept. A clause of which they read nothing, because its verb is one that
usually only asks ("tell", "fall", "dislike"), becomes one wish in its own words, said of what it hangs on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from pdgf.constraints.words import either
from pdgf.engines.builtin.cue_units import Unit
from pdgf.engines.builtin.lexicon import cues
from pdgf.engines.builtin.phrase_links import Link
from pdgf.models import Aspect

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from pdgf.engines.builtin.phrases import Phrase

MAX_WORDS = 16  # of a clause that is one wish; with its scope f_v keeps within METHOD 4.6
_SUBORDINATE = frozenset({"relcl", "acl", "advcl", "ccomp"})
_OPENERS = either("who|which|that|where|when|in|so|because|since|while|for|to|of|and|but|as|if")
_LEADS_ON = either("rather|than|instead|as")
_STOPS = frozenset(",;:.!?()–—-")
_PERSONAL = either("i|me|we|us|you|it|he|him|she|her|they|them")
_OF_TELLER = either("i|we|you|me|us|my|our")
# Verbs that say nothing of an item by themselves, and those that only say what somebody thinks of it
_BARE = either("be|have|do|can|could|would|should|will|may|might|must|get")
_TAKING_IN = either(
    "recommend|suggest|watch|read|see|eat|visit|enjoy|like|love|want|need|look|search|find|give|try|prefer|hope"
    "|appreciate|contain|include|offer|serve|consider|mention|release|publish|fit|match|suit|exist|hear|finish|think"
    "|know|say|tell|explore|present|highlight|capture|resonate|appeal|feature|go|come|use|order|buy|spend|pay"
)
_JUDGING = either("hate|dislike|detest|loathe|despise|adore|admire|stand|bear|mind|regret|abandon|drop")
_SOMEBODY = either("nobody|everybody|everyone|someone|somebody|himself|herself|themselves|itself|nothing|everything")
_REASON = either("because|since|so|that")
_PEOPLE = either("people|person|man|woman|boy|girl|child|friend|stranger|character|couple|family|somebody|someone")
_READ_ELSEWHERE = frozenset({"reference", "quantity", "year", "refused", "must"})


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A subordinate clause: its tokens, half open, its verb, and the token it hangs on."""

    start: int
    end: int
    verb: int
    head: int


def clauses_of(doc: "Doc") -> tuple[Clause, ...]:
    """The subordinate clauses of a parsed text in order of their verbs, each up to the next comma or clause."""
    verbs = [token for token in doc if _opens(token)]
    verbs += [token for token in doc if token.dep_ == "conj" and token.head in verbs and token.pos_ in ("VERB", "AUX")]
    found = []
    for verb in sorted(verbs, key=lambda token: token.i):
        head = verb.head.head if verb.dep_ == "conj" else verb.head
        inner = {token.i for other in verbs if other.i > verb.i for token in other.subtree}
        own = sorted(token.i for token in verb.subtree if token.i not in inner)
        start = next((i for i in own if i > head.i or verb.i < head.i), verb.i)
        end = verb.i + 1
        while end in own and doc[end].text not in _STOPS:
            end += 1
        while end > verb.i + 1 and (doc[end - 1].dep_ in ("cc", "punct", "mark") or doc[end - 1].lower_ in _LEADS_ON):
            end -= 1
        found.append(Clause(start=start, end=end, verb=verb.i, head=_borne_by(head)))
    return tuple(found)


def _opens(token: "Token") -> bool:
    if token.dep_ not in _SUBORDINATE or token.pos_ not in ("VERB", "AUX"):
        return False
    return bool(token.dep_ != "ccomp" or token.head.pos_ == "ADJ")  # "so soft that two can talk"


def _borne_by(head: "Token") -> int:
    """What a clause says its reason of: of "is funny" the "funny"."""
    if head.lemma_ == "be":
        return int(next((child.i for child in head.children if child.dep_ in ("acomp", "attr")), head.i))
    return int(head.i)


def with_clauses(
    doc: "Doc", text: str, found: Sequence["Phrase"], units: Sequence[Unit], made: type["Phrase"]
) -> tuple["Phrase", ...]:
    """The phrases with what clauses add: a wish for each of which nothing is read, and the link of a first one to what
    its clause hangs on. `made` is the class of phrases."""
    result = list(found)
    for clause in clauses_of(doc):
        begin, stop = doc[clause.start].idx, doc[clause.end - 1].idx + len(doc[clause.end - 1])
        if any(unit.role in _READ_ELSEWHERE and begin <= unit.start < stop for unit in units):
            continue
        inside = [i for i, p in enumerate(result) if not p.generic and begin <= p.start < stop]
        if _said_as_a_whole(doc, clause, [result[i] for i in inside]):
            place = inside[0]
            own = _worded(doc, clause, made, result[place].sentence)
            result[place] = replace(own, link=_link_to(doc, text, clause, result, own))
        elif inside:
            first = inside[0]
            link = _link_to(doc, text, clause, result, result[first])
            about = {child.i for child in doc[clause.verb].children if child.dep_ in ("nsubj", "nsubjpass")}
            free = result[first].link is None and result[first].repeats is None
            if free and link is not None and not about & set(result[first].tokens):
                result[first] = replace(result[first], link=link)
        elif _says_something(doc, clause) and not _is_aside(units, doc, clause):
            sentence = sum(unit.role == "end" and unit.start < begin for unit in units)
            own = _worded(doc, clause, made, sentence)
            result = _inserted(result, replace(own, link=_link_to(doc, text, clause, result, own)))
    return tuple(result)


def _says_something(doc: "Doc", clause: Clause) -> bool:
    """Whether a clause says what an item is like, and not that somebody asks for it or likes it."""
    verb = doc[clause.verb]
    words = [doc[i] for i in range(clause.start, clause.end)]
    subject = next((child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")), None)
    of_teller = subject is not None and subject.lower_ in _OF_TELLER
    if of_teller and (verb.lemma_.lower() in _BARE | _TAKING_IN | _JUDGING or verb.tag_ in ("VBD", "VBN")):
        return False
    if any(word.lower_ in _SOMEBODY for word in words) or _reciprocal(words):
        return True
    passive = any(child.dep_ == "auxpass" for child in verb.children)  # "violence that is suggested"
    of_item = not _is_somebody(doc, clause) and (not passive or doc[clause.head].lemma_.lower() in cues().generic_nouns)
    empty = _BARE | _TAKING_IN if of_item else _BARE
    if verb.dep_ == "acl" and of_item:
        return False
    return any(word.pos_ == "VERB" and word.lemma_.lower() not in empty for word in words)


def _is_somebody(doc: "Doc", clause: Clause) -> bool:
    """Whether a clause tells of people in the item: "who", "two people", and no "film to watch"."""
    opener = doc[clause.start].lower_
    return opener in ("who", "whose") or doc[clause.head].lemma_.lower() in _PEOPLE


def _is_for_them(doc: "Doc", clause: Clause) -> bool:
    """Whether a clause tells of those whom the item is for: "for someone who can't stand blood" refuses blood. What a
    "who" stands right after counts as well, where the parse has the clause hang on the item."""
    nouns = [doc[clause.head]]
    if doc[clause.start].lower_ == "who":
        nouns += [token for token in doc[: clause.start] if token.text not in _STOPS][-1:]
    return any(noun.dep_ == "pobj" and noun.head.lower_ == "for" for noun in nouns)


def _gives_a_reason(verb: "Token") -> bool:
    return any(child.dep_ == "mark" and child.lower_ in _REASON for child in verb.children)


def _has_a_purpose(verb: "Token") -> bool:
    return any(child.dep_ == "mark" and child.lower_ in ("so", "that") for child in verb.children)


def _reciprocal(words: Sequence["Token"]) -> bool:
    said = [word.lower_ for word in words]
    return any(pair in (("each", "other"), ("one", "another")) for pair in pairwise(said))


def _is_aside(units: Sequence[Unit], doc: "Doc", clause: Clause) -> bool:
    """Whether the verb of a clause stands in no unit, because it is company or talk to the system."""
    place = doc[clause.verb].idx
    return not any(unit.start <= place < unit.end for unit in units)


def _said_as_a_whole(doc: "Doc", clause: Clause, inside: Sequence["Phrase"]) -> bool:
    """Whether the one phrase of a clause says another thing than the clause: "never tells you who the killer was"
    refuses no killer, "who never gives up on her class" no class, "so that I can fall asleep" asks for no sleeper."""
    verb = doc[clause.verb]
    if len(inside) != 1 or not inside[0].tokens or _is_for_them(doc, clause):
        return False
    denied = _is_denied(verb)
    if denied and verb.pos_ == "VERB" and (_is_somebody(doc, clause) or _subject(verb) & set(inside[0].tokens)):
        return True
    if verb.lemma_.lower() not in cues().frame_verbs:
        return False
    kinds: tuple[str, ...] = ("acomp", "advmod", "xcomp") if _has_a_purpose(verb) and verb.lemma_ != "be" else ()
    if denied:
        kinds = ("ccomp",)
    within = {token.i for child in verb.children if child.dep_ in kinds for token in child.subtree}
    return set(inside[0].tokens) <= within


def _is_denied(verb: "Token") -> bool:
    return any(child.dep_ == "neg" for child in verb.children)


def _subject(verb: "Token") -> set[int]:
    return {child.i for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")}


def _worded(doc: "Doc", clause: Clause, made: type["Phrase"], sentence: int) -> "Phrase":
    """A clause as a wish, without the word that opens it, and what is denied without whom it is denied of: "does not
    end up together"."""
    start, verb = clause.start, doc[clause.verb]
    if _is_denied(verb) and _subject(verb):
        denying = (child.i for child in verb.children if child.dep_ in ("aux", "auxpass", "neg"))
        start = max(start, min(denying))
    while start < clause.verb and doc[start].lower_ in _OPENERS | _PERSONAL and doc[start].dep_ != "neg":
        start += 1
    end = min(clause.end, start + MAX_WORDS)
    first, last = doc[start].idx, doc[end - 1].idx + len(doc[end - 1])
    return made(
        start=first, end=last, said_from=first, sentence=sentence, tokens=tuple(range(start, end)), is_clause=True
    )


def _link_to(doc: "Doc", text: str, clause: Clause, found: Sequence["Phrase"], phrase: "Phrase") -> Link | None:
    """The link of a phrase of a clause to the phrase that the clause hangs on, if that can be qualified."""
    for base in _bases(doc, clause, found):
        other = found[base]
        if other.start >= phrase.start or other.sentence != phrase.sentence or other.avoid or other.quantity:
            return None
        words = text[other.end : phrase.start].strip(" ,;")
        return Link(base=base, cue=words, aspect=Aspect.TARGET, confidence=0.7, by_clause=True)
    return None


def _bases(doc: "Doc", clause: Clause, found: Sequence["Phrase"]) -> Iterator[int]:
    """The phrase of the head of a clause; of a generic one what it is said of; of a "they" the one before it."""
    for index, phrase in enumerate(found):
        if clause.head not in phrase.tokens:
            continue
        if phrase.repeats is not None:
            yield phrase.repeats
        elif not phrase.generic:
            yield index
        elif phrase.link is not None:
            yield phrase.link.base


def _inserted(found: Sequence["Phrase"], phrase: "Phrase") -> list["Phrase"]:
    """The phrases in order of the text with one more, indices kept true."""
    at = sum(other.start < phrase.start for other in found)

    def moved(index: int) -> int:
        return index + (index >= at)

    later = [
        replace(
            other,
            link=None if other.link is None else replace(other.link, base=moved(other.link.base)),
            repeats=None if other.repeats is None else moved(other.repeats),
        )
        for other in found
    ]
    link = None if phrase.link is None else replace(phrase.link, base=moved(phrase.link.base))
    return [*later[:at], replace(phrase, link=link), *later[at:]]

"""The cue rules by which the built-in engine reads intents (METHOD 9.2, 12). Pure; several intents may hold, or none.

An utterance is cut into parts, a sentence or a clause each, and every part is read for what it does. A part that only
answers what was shown ("sounds great, thanks") carries no wish; a part may do both ("not a fan of musicals").
The words themselves are data: `cues.en.toml`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from dialogue import cue_words
from dialogue.models import StatePart
from dialogue.spans import Span, clauses, hesitation, hesitation_left, sentences

LONGEST_ASKED_FOR = 6  # words; what a longer question asks for is no wish to be kept


class Act(StrEnum):
    """What a part of an utterance does."""

    WISH = "wish"
    QUESTION = "question"
    ACCEPT = "accept"
    REJECT = "reject"
    OBJECT = "object"
    SEEN = "seen"
    CONTINUE = "continue"
    START_OVER = "start_over"
    FORGET = "forget"
    ALLOW = "allow"
    INDIFFERENT = "indifferent"
    COURTESY = "courtesy"
    HELP = "help"
    REVIEW = "review"
    RECALL = "recall"
    REMARK = "remark"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of an utterance and what it does. `focus` is the span that matters of it: the words of an objection,
    what a question asks for, what is to be forgotten or left open; (0, 0) where there is none. `bare` says that the
    part holds nothing besides the words of its cues ("none of these"), so that there is no wish to look for in it."""

    span: Span
    acts: frozenset[Act]
    focus: Span = (0, 0)
    bare: bool = False


_FILLER = re.compile(
    r"\b(?:please|thanks|thank you|ok|okay|well|oh|so|then|it|that|this|them|these|those|ones?|i|we|me|us|really|just"
    r"|let['’]s|said)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:(?:and|or)\s+)?(?:the|my|any|about)\s+(?:[\w'’-]+\s*){1,6}[.!]*$", re.IGNORECASE)
_CLOSING = re.compile(r"[.!?…。！？]+[\"'”’)\]]*$")
_DENIED = re.compile(r"(?:n['’]?t|\bnot|\bnever|\bno)\s+(?:\w+\s+){0,3}$", re.IGNORECASE)
_NO_QUESTION = re.compile(  # without a question mark: "didn't like it", "have a nice day"
    r"^(?:have|had|do|can|will|has|any|(?:is|are|was|were|does|do|did|has|have|had|can|could|would|wo)n['’]?t)\b",
    re.IGNORECASE,
)
_OF_THE_LIST = re.compile(
    r"\babout (?:it|them|the)\b"
    r"|\bwhich (?:ones? |of (?:it|them|these|those|the \w+) )?(?:would|do|should|shall) (?:you|i|we)\b"
    r"|\bwhat (?:should|shall) (?:i|we) (?:watch|read|see|try|pick|choose|take|go (?:for|to))"
    r"(?: first| tonight| now)?\W*$",
    re.IGNORECASE,
)
_LEAD = r"(?:(?:and|but|so|also|well|ok(?:ay)?|hmm+|oh|then)[,\s]+)*"
_HAS = re.compile(
    rf"^{_LEAD}(?:do(?:es)?|did|has|have|can|could|is|are|will|would)(?:n['’]?t)?\s+(?P<subject>.*?)\s*"
    r"\b(?:have|has|got|offers?|serves?|do|provides?|includes?|takes?|accepts?|allows?|sells?|contains?|features?"
    r"|come with|suitable for|near|close to|with)\b\s+(?:any |a |an |some |the |good |decent )*(?P<wish>[^?]+)",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"^{_LEAD}(?:is|are|was|were)(?:n['’]?t)?\s+(?:it|they|that|this|these|those|there"
    r"|(?:(?:that|this|the|either|any|both|all|one)(?: \w+)?(?: of (?:them|these|those))?))\s+"
    r"(?:really |very |actually |quite |all |any |a |an |some |also |the )*(?P<wish>[^?]+)",
    re.IGNORECASE,
)
# What is feared or merely inquired after rather than wished for.
_NOT_WISHED = re.compile(
    r"^(?:too|expensive|pricey|loud|noisy|crowded|violent|scary|gory|sad|boring|long|slow|far|busy|open|closed|good$|any"
    r"|violence|gore|blood|sex|nudity|swearing|deaths?|spoilers?|cliffhangers?|(?:plot )?twists?|sequels?|jump scares"
    r"|(?:a )?(?:happy|sad|open|good|bad|proper|satisfying) end(?:ing)?"
    r"|bad|worth|like|better|more|less|similar|related|based|about|from|by|on|new|old|one|\w+er|sequels?|it|they)\b",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(
    r",|\s+and\s+(?=(?:also )?(?:how|what|when|where|who|which|why|is|are|do|does|can|has|have)\b)", re.IGNORECASE
)
_TRAILING = re.compile(r"\s+(?:there|too|as well|at all|or not|available|please|then|in it|on the menu)$", re.I)


@cache
def cue(name: str, field: str = "patterns") -> re.Pattern[str]:
    """The patterns of one section of the cue file as a single expression."""
    data = cue_words.sections()
    patterns = [f"(?:{pattern})" for pattern in data[name][field]]
    joined = "|".join(patterns)
    for word, expression in data["words"].items():
        joined = joined.replace(f"{{{word}}}", expression)
    return re.compile(joined, re.IGNORECASE)


def _without_cues(words: str) -> str:
    """The words without those by which a list is turned down or continued, or everything started over."""
    for name in ("continue", "reject", "refuse", "start_over"):
        words = cue(name).sub(" ", words)
    return _FILLER.sub(" ", words)


def parts_of(text: str, *, shown: bool, asked: bool) -> tuple[Part, ...]:
    """Cut an utterance and read each part. `shown`: a list is on the table; `asked`: the system has just asked."""
    found: list[Part] = []
    for sentence in sentences(text):
        opening = hesitation(text, sentence)
        if opening != (0, 0):
            found.append(Part(span=opening, acts=frozenset({Act.REMARK})))
            sentence = hesitation_left(text, sentence)
            if sentence == (0, 0):
                continue
        whole = _sentence(text, sentence, shown=shown, asked=asked)
        found += [whole] if whole else _clauses(text, sentence, shown=shown, asked=asked)
    return tuple(found)


def allowed(words: str) -> Span | None:
    """What the words say to be fine after all ("violence is fine"); None where they say no such thing."""
    match = cue("allow").search(words)
    return next(match.span(group) for group in "abcd" if match[group]) if match else None


def greets(text: str) -> bool:
    """Whether the words of courtesy in a text begin a talk, rather than thank or take leave."""
    return bool(cue("hello").search(text))


def state_asked(words: str) -> StatePart | None:
    """The part of the state that a sentence asks for ("what did I turn down?"); None where it asks for none."""
    return next((part for part in StatePart if cue(f"about_{part.value}").search(words)), None)


def opens_new_topic(words: str) -> bool:
    """Whether the words that start over only begin another request ("different question")."""
    return bool(cue("new_topic").search(words))


def states_a_wish(text: str) -> bool:
    """Whether the words say that somebody wants, likes or looks for something, whatever it is."""
    return bool(cue("wish").search(text))


def _sentence(text: str, sentence: Span, *, shown: bool, asked: bool) -> Part | None:
    """A sentence that is one act whatever its clauses look like; None when its clauses must be read."""
    words = text[slice(*sentence)].strip()
    for name, act in (("about_system", Act.HELP), ("about_accepted", Act.REVIEW)):
        if cue(name).search(words):
            return Part(span=sentence, acts=frozenset({act}))
    if state_asked(words) is not None:
        return Part(span=sentence, acts=frozenset({Act.RECALL}))
    if len(clauses(text, sentence)) == 1 and _leaves_open(words, shown=shown, asked=asked):
        return Part(span=sentence, acts=frozenset({Act.INDIFFERENT}), focus=_unclosed(text, sentence))
    assent = cue("assent").fullmatch(words) and cue("assent", "needs").search(words)
    if shown and not asked and assent:
        return Part(span=sentence, acts=frozenset({Act.ACCEPT}))
    if cue("courtesy").match(words):
        return Part(span=sentence, acts=frozenset({Act.COURTESY}))
    asks_throughout = bool(cue("asks").search(words)) or len(clauses(text, sentence)) == 1
    if asks_throughout and _is_question(words, shown=shown):
        return Part(span=sentence, acts=frozenset({Act.QUESTION}), focus=_asked_for(text, sentence))
    return None


def _clauses(text: str, sentence: Span, *, shown: bool, asked: bool) -> list[Part]:
    """The clauses of a sentence one by one; a question mark belongs to the last, "forget the" to a whole list."""
    found: list[Part] = []
    spans = clauses(text, sentence)
    for clause in spans:
        if clause == spans[-1] and _is_question(text[slice(*clause)], shown=shown):
            found.append(Part(span=clause, acts=frozenset({Act.QUESTION}), focus=_asked_for(text, clause)))
        elif found and found[-1].acts == {Act.FORGET} and _LISTED.match(text[slice(*clause)]):
            found.append(Part(span=clause, acts=found[-1].acts, focus=clause))
        else:
            found.append(_clause(text, clause, shown=shown, asked=asked))
    return found


def _is_question(words: str, *, shown: bool) -> bool:
    """Whether a sentence asks about what was shown: a request for a list and small talk do not."""
    marked = bool(re.search(r"[?？][\"'”’)\]\s]*$", words))
    of_the_list = shown and bool(_OF_THE_LIST.search(words))
    others = ("continue", "start_over") if of_the_list else ("continue", "small_talk", "start_over")
    if not (marked or cue("asks").search(words)) or any(cue(name).search(words) for name in others):
        return False
    if not marked and _NO_QUESTION.match(words):
        return False
    return of_the_list or not cue("request").search(words)


def _asked_for(text: str, sentence: Span) -> Span:
    """What a yes-or-no question asks for as a wish ("parking" in "does the second have parking?")."""
    words = text[slice(*sentence)]
    match = _IS.match(words) or _HAS.match(words)
    if match is None or _NOT_WISHED.match(match["wish"]):
        return (0, 0)
    wish = _TRAILING.sub("", _NEXT_QUESTION.split(match["wish"])[0].rstrip(" .!?,"))
    start = sentence[0] + match.start("wish")
    short = len(wish.split()) <= LONGEST_ASKED_FOR and re.search(r"[^\W\d]{3}", wish)
    return (start, start + len(wish)) if short else (0, 0)


def _clause(text: str, clause: Span, *, shown: bool, asked: bool) -> Part:
    words = text[slice(*clause)]
    if cue("start_over").search(words):
        return Part(span=clause, acts=frozenset({Act.START_OVER}), bare=not re.search(r"\w", _without_cues(words)))
    if cue("courtesy").match(words):
        return Part(span=clause, acts=frozenset({Act.COURTESY}))
    if _leaves_open(words, shown=shown, asked=asked):
        return Part(span=clause, acts=frozenset({Act.INDIFFERENT}), focus=_unclosed(text, clause))
    if shown and cue("asks_inside").search(words):
        return Part(span=clause, acts=frozenset({Act.QUESTION}), focus=_asked_for(text, clause))
    forget = cue("forget").search(words)
    if forget:
        start, end = next(forget.span(group) for group in "abcde" if forget[group])
        return Part(span=clause, acts=frozenset({Act.FORGET}), focus=(clause[0] + start, clause[0] + end))
    acts: set[Act] = set()
    focus = _objection(words) if shown else (0, 0)
    if focus != (0, 0):
        acts |= {Act.REJECT, Act.OBJECT}
    taken = any(not _DENIED.search(words[: match.start()]) for match in cue("accept").finditer(words))
    accepts = taken and not cue("something_else").search(words)
    rather = shown and cue("rather").search(words)
    accepts = accepts and not rather
    if (
        rather
        or cue("reject").search(words)
        or (cue("refuse").search(words) and not accepts and not _answers_seen(text, clause))
    ):
        acts.add(Act.REJECT)
    if cue("seen").search(words) and not cue("unseen").search(words):
        acts.add(Act.SEEN)
    if accepts and not acts:
        acts.add(Act.ACCEPT)
    if cue("continue").search(words):
        acts.add(Act.CONTINUE)
    bare = Act.WISH not in acts and not re.search(r"\w", _without_cues(words))
    placed = (clause[0] + focus[0], clause[0] + focus[1]) if focus != (0, 0) else (0, 0)
    if not acts:
        acts.add(Act.REMARK if shown and cue("remark").search(words) and not states_a_wish(words) else Act.WISH)
    return Part(span=clause, acts=frozenset(acts), focus=placed, bare=bare)


def _leaves_open(words: str, *, shown: bool, asked: bool) -> bool:
    """Whether words leave to us what they could ask for: in answer to a question, or before anything was shown."""
    return bool(
        (asked and cue("indifferent").search(words)) or ((asked or not shown) and cue("show_anything").search(words))
    )


def _objection(words: str) -> Span:
    """The words of "too loud", or "quiet" in "not quiet enough"; (0, 0) where nothing is objected to."""
    lacking, too = cue("lacking").search(words), cue("too").search(words)
    if lacking:
        return lacking.span("lack")
    if too and not cue("before_too").search(words[: too.start("too")]):
        return too.span("too")
    return (0, 0)


def _answers_seen(text: str, clause: Span) -> bool:
    """Whether a "no" here only says that something is not known yet, or that all is well."""
    sentence = next(span for span in sentences(text) if span[0] <= clause[0] < span[1])
    return bool(cue("unseen").search(text[sentence[0] : sentence[1]]))


def _unclosed(text: str, span: Span) -> Span:
    """The span without the marks that close a sentence."""
    words = _CLOSING.sub("", text[slice(*span)]).rstrip()
    return span[0], span[0] + len(words)

"""Which items an utterance points at, without an LLM: names, ordinals, comparisons, pronouns (METHOD 9.6). Pure.

Everything is resolved against the last shown list. Words that point at an item which is not there stay unresolved;
nothing is guessed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from dialogue import facts
from dialogue.domain import Domain
from dialogue.models import ItemRef
from dialogue.spans import Span, overlaps
from pdgf.identity import name_key
from pdgf.models import Metadata

TYPO_RATIO = 85.0  # of 100: two slips in a title of a dozen letters
TYPO_LETTERS = 5  # shorter names are too easily something else
PARTIAL_LETTERS = 4  # letters of a word of a title that may stand for it

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_DIGITS = {f"{n}{suffix}": n for n, suffix in enumerate(("st", "nd", "rd", *["th"] * 7), start=1)}
_NUMBERS = {word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six"), start=1)}
_POSITION = {word: n for n, word in enumerate(_ORDINALS, start=1)} | _DIGITS
_ORDINAL = "|".join([*_POSITION, "last", "final"])
_NOUN = (
    r"ones?|options?|places?|picks?|choices?|suggestions?|recommendations?|titles?|items?|films?|movies?|books?|shows?"
)
_FOLLOWS = (  # what may follow a bare ordinal: "the first half hour" points at no item
    r"(?=\s*(?:$|[,.;:!?)/&]|(?:and|or|but|has|have|is|isn|was|looks?|sounds?|seems?|does|do|please|instead|then|too|for"
    r"|with|again|if|because|it|would|will|can|serves?|offers?|opens?|already|yet|though|anyway|also|in|on|at"
    r"|about|like|any|worth|from|by|known|rated|really|not|more|less|cost|have)\b))"
)
_PLACED = re.compile(
    rf"\b(?:the\s+)?(?P<edge>first|last)\s+(?P<count>two|three)\b(?:\s+(?:{_NOUN})\b)?"
    rf"|\b(?:the\s+)?(?P<named>{_ORDINAL})\s+(?:{_NOUN}|restaurants?|anime)\b"
    rf"|\bthe\s+(?P<bare>{_ORDINAL})\b{_FOLLOWS}"
    rf"|(?:\b(?:number|option|choice)\s*|#)(?P<number>\d{{1,2}}|{'|'.join(_NUMBERS)})\b"
    rf"|^\s*(?P<alone>{_ORDINAL})\s*[.!?]*\s*$",
    re.IGNORECASE,
)
_ASKED = re.compile(  # "is the first violent?": in a question to which an item is the subject, any word may follow
    r"^\W*(?:(?:and|but|so|also|well|ok|okay|then|oh|hmm+)\W+)*(?:(?:how|why|when|where|what|who)(?:['’]s)?(?:\s+\w+)?\s+)?"
    r"(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should|might)(?:n['’]?t)?\s+"
    rf"(?P<words>the\s+(?P<asked>{_ORDINAL}))\s+"
    r"(?!(?:half|part|act|season|chapter|episode|hour|minutes?|scenes?|time|world|volume|edition|course|floor|name|day|row"
    r"|quarter|third|page|sentence|line|love|date|person|year|two|three)\b)\w",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\b(?:both|either|neither|none|all|any|each)(?:\s+of\s+(?:them|these|those|the\s+\w+))?\b"
    r"(?!\s+(?:of|good|other|more|kind))",
    re.IGNORECASE,
)
_OTHER = re.compile(rf"\bthe\s+other(?:\s+(?:{_NOUN})\b|(?=\s*(?:$|[.,!?])))", re.IGNORECASE)
_MANY = re.compile(r"\b(?:they|them|these|those|their)\b", re.IGNORECASE)
_ONE = re.compile(rf"\b(?:it|its|that|this)(?:\s+(?:{_NOUN}))?\b(?!\s+(?:is|was)\s+(?:all|it)\b)", re.IGNORECASE)
_COMPARES = re.compile(r"\W*(?:(?:and|so|but|ok|okay)\W+)*(?:which|who|what)\b", re.IGNORECASE)
_COMMON = frozenset({"the", "and", "with", "from", "house", "room", "place", "cafe", "kitchen", "little", "great"})


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What words can point at: the last list, what was shown before it (by name only), the items that the last turn
    spoke of, and what is known of the list."""

    items: Sequence[ItemRef]
    earlier: Sequence[ItemRef] = ()
    focus: Sequence[ItemRef]
    metadata: Mapping[str, Metadata]
    domain: Domain


@dataclass(frozen=True, kw_only=True)
class References:
    """Items in the order in which the words name them, the words' spans, and the words that point at nothing.

    `vague` says that the words leave open which item is meant ("it" after a list of three, "any of them").
    """

    items: tuple[ItemRef, ...] = ()
    spans: tuple[Span, ...] = ()
    unresolved: tuple[str, ...] = ()
    vague: bool = False


def resolve(text: str, shown: Shown) -> References:
    """What the text points at: by name or place if it names any, else by comparison, by group, by pronoun.

    A question such as "which is the quietest?" compares and points at none.
    """
    named = _named(text, [*shown.items, *shown.earlier])
    placed, missed = _placed(text, shown.items, [span for span, _ in named])
    if named or placed or missed:
        found = sorted([*named, *placed], key=lambda pair: pair[0])
        return References(
            items=tuple(dict.fromkeys(item for _, item in found)),
            spans=tuple(dict.fromkeys(span for span, _ in [*found, *missed])),
            unresolved=tuple(words for _, words in missed),
        )
    kinds = (_compared(text, shown), _the_other(text, shown), _grouped(text, shown), _meant(text, shown))
    return next((result for result in kinds if result.spans), References())


def _named(text: str, items: Sequence[ItemRef]) -> list[tuple[Span, ItemRef]]:
    """Items by their title: whole, by a word that only one title has, or with a slip of the pen."""
    words = [(match.span(), match[0]) for match in re.finditer(r"\w+(?:['’&.-]\w+)*", text)]
    found: list[tuple[Span, ItemRef]] = []
    for item in items:
        span = _whole_title(text, words, item) or _own_word(words, item, items) or _misspelt(text, words, item)
        if span and not any(overlaps(span, other) for other, _ in found):
            found.append((span, item))
    return found


def _runs(words: Sequence[tuple[Span, str]], size: int) -> list[Span]:
    return [(words[i][0][0], words[i + size - 1][0][1]) for i in range(len(words) - size + 1)] if size > 0 else []


def _whole_title(text: str, words: Sequence[tuple[Span, str]], item: ItemRef) -> Span | None:
    key, length = name_key(item.title), len(item.title.split())
    for span in (span for size in (length, length - 1, length + 1) for span in _runs(words, size)):
        if name_key(text[slice(*span)]) == key and (len(key) > 3 or text[span[0]].isupper()):
            return span
    return None


def _own_word(words: Sequence[tuple[Span, str]], item: ItemRef, items: Sequence[ItemRef]) -> Span | None:
    """A capitalised word of the title that no other shown title has ("the Lantern" for "The Lantern Room")."""
    others = {word for other in items if other.id != item.id for word in _title_words(other)}
    own = {word for word in _title_words(item) if len(word) >= PARTIAL_LETTERS} - others - _COMMON
    return next((span for span, word in words if word[0].isupper() and word.casefold() in own), None)


def _title_words(item: ItemRef) -> list[str]:
    return re.findall(r"\w+", item.title.casefold())


def _misspelt(text: str, words: Sequence[tuple[Span, str]], item: ItemRef) -> Span | None:
    title = item.title.casefold()
    bare = re.sub(r"^(?:the|an?|la|le|el|il)\s+", "", title)
    wanted = {len(name.split()): name for name in (bare, title) if len(name) >= TYPO_LETTERS}
    runs = [(name, span) for size, name in wanted.items() for span in _runs(words, size)]
    rated = ((fuzz.ratio(text[slice(*span)].casefold(), name), span) for name, span in runs)
    best = max(rated, key=lambda run: run[0], default=(0.0, None))
    return best[1] if best[0] >= TYPO_RATIO else None


def _placed(
    text: str, items: Sequence[ItemRef], taken: Sequence[Span]
) -> tuple[list[tuple[Span, ItemRef]], list[tuple[Span, str]]]:
    """Ordinals and numbers ("the second", "number two", "the last one", "the first two"), and those out of range."""
    found: list[tuple[Span, ItemRef]] = []
    missed: list[tuple[Span, str]] = []
    for match in _PLACED.finditer(text):
        if any(overlaps(match.span(), span) for span in taken):
            continue
        places = _places({name: word.lower() for name, word in match.groupdict().items() if word}, len(items))
        if all(1 <= place <= len(items) for place in places):
            found += [(match.span(), items[place - 1]) for place in places]
        else:
            missed.append((match.span(), match[0].strip()))
    asked = _ASKED.match(text)
    if asked and not found and not missed and not any(overlaps(asked.span("words"), span) for span in taken):
        place = _places({"named": asked["asked"].lower()}, len(items))[0]
        if place <= len(items) and items:
            return [(asked.span("words"), items[place - 1])], []
        return [], [(asked.span("words"), asked["words"])]
    return found, missed


def _places(words: Mapping[str, str], count: int) -> list[int]:
    if "edge" in words:
        many = _NUMBERS[words["count"]]
        return list(range(1, many + 1)) if words["edge"] == "first" else list(range(count - many + 1, count + 1))
    if "number" in words:
        return [_NUMBERS.get(words["number"]) or int(words["number"])]
    word = words.get("named") or words.get("bare") or words["alone"]
    return [count] if word in ("last", "final") else [_POSITION[word]]


def _compared(text: str, shown: Shown) -> References:
    """ "The cheaper one", "the shortest": the item at that end of a scale; unresolved where the metadata are silent."""
    missed = References()
    if _COMPARES.match(text):
        return missed
    for scale, low in facts.scales_asked(text, shown.domain):
        names = "|".join(re.escape(name) for name in (scale.less if low else scale.more))
        match = re.search(rf"\bthe\s+(?:{names})\b(?:\s+(?:{_NOUN})\b)?|\b(?:{names})\s+one\b", text, re.IGNORECASE)
        if match is None or not shown.items:
            continue
        places = {i.id: facts.place_on(scale, shown.metadata.get(i.id, {}), i.year) for i in shown.items}
        if best := facts.at_the_end(places, low=low):
            return References(items=tuple(i for i in shown.items if i.id in best), spans=(match.span(),))
        missed = References(spans=(match.span(),), unresolved=(match[0],))
    return missed


def _the_other(text: str, shown: Shown) -> References:
    match = _OTHER.search(text)
    if match is None:
        return References()
    rest = [item for item in shown.items if item.id not in {known.id for known in shown.focus}]
    if len(rest) == 1:
        return References(items=tuple(rest), spans=(match.span(),))
    return References(spans=(match.span(),), unresolved=(match[0],))


def _grouped(text: str, shown: Shown) -> References:
    """ "Both", "either", "all of them", "none of these"."""
    match = _GROUP.search(text)
    if match is None or not shown.items:
        return References()
    word = match[0].lower()
    if word.startswith("both"):
        pair = next((tuple(group) for group in (shown.focus, shown.items) if len(group) == 2), ())
        return References(items=pair, spans=(match.span(),), unresolved=() if pair else (match[0],))
    vague = word == "all" or word.startswith(("any", "either", "each"))
    return References(items=tuple(shown.items), spans=(match.span(),), vague=vague)


def _meant(text: str, shown: Shown) -> References:
    """ "It", "that one": the item spoken of last, or the only one shown. "They", "these": all in focus, else all."""
    if many := _MANY.search(text):
        return References(items=tuple(shown.focus or shown.items), spans=(many.span(),), vague=not shown.focus)
    one = _ONE.search(text)
    if one is None:
        return References()
    for group in (shown.focus, shown.items):
        if len(group) == 1:
            return References(items=tuple(group), spans=(one.span(),))
    return References(spans=(one.span(),), vague=True)

"""Which items an utterance points at, without an LLM: names, places, descriptions, comparisons, pronouns (METHOD 9.6).

Everything is resolved against the last shown list, and by name, by description or where the words say so ("the first
one you showed me") against all that was shown before. Words that point at an item which is not there, or at one of
several, stay unresolved; nothing is guessed. Pure.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dialogue import facts
from dialogue.domain import Domain
from dialogue.engines.attributes import described
from dialogue.engines.names import named
from dialogue.models import ItemRef
from dialogue.pointing import NUMBERS, ORDINAL, places_of
from dialogue.spans import Span, overlaps
from pdgf.identity import name_key
from pdgf.models import Metadata

_NOUN = (
    r"ones?|options?|places?|picks?|choices?|suggestions?|recommendations?|titles?|items?|films?|movies?|books?|shows?"
)
_FOLLOWS = (  # what may follow a bare ordinal: "the first half hour" points at no item
    r"(?=\s*(?:$|[,.;:!?)/&]|(?:and|or|but|has|have|is|isn|was|looks?|sounds?|seems?|does|do|please|instead|then|too"
    r"|for"
    r"|with|again|if|because|it|would|will|can|serves?|offers?|opens?|already|yet|though|anyway|also|in|on|at"
    r"|about|like|any|worth|from|by|known|rated|really|not|more|less|cost|have|to (?:my|our|the|your)|tonight|tomorrow"
    r"|today|now|was|were|bores?|bored|tempts?|works?|appeals?|you (?:just )?(?:showed|recommended|suggested"
    r"|mentioned|gave)"
    r"|could|might|should|may|fits?|suits?|for)\b))"
)
_PLACED = re.compile(
    rf"\b(?:the\s+)?(?:very\s+)?(?P<edge>first|last)\s+(?P<count>two|three)\b(?:\s+(?:{_NOUN})\b)?"
    rf"|\b(?:the\s+)?(?:very\s+)?(?P<named>{ORDINAL})\s+(?:{_NOUN}|restaurants?|anime|things?(?=\s+you\b))\b"
    rf"|\bthe\s+(?:very\s+)?(?P<bare>{ORDINAL})\b{_FOLLOWS}"
    rf"|(?<=(?:and|.or|..&)\s)(?P<joined>{ORDINAL})\b{_FOLLOWS}"
    rf"|(?:\b(?:number|option|choice)\s*|#)(?P<number>\d{{1,2}}|{'|'.join(NUMBERS)})\b"
    rf"|^\s*(?P<alone>{ORDINAL})\s*[.!?]*\s*$",
    re.IGNORECASE,
)
_ASKED = re.compile(  # "is the first violent?": in a question to which an item is the subject, any word may follow
    r"^\W*(?:(?:and|but|so|also|well|ok|okay|then|oh|hmm+)\W+)*(?:(?:how|why|when|where|what"
    r"|who)(?:['’]s)?(?:\s+\w+)?\s+)?"
    r"(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should|might)(?:n['’]?t)?\s+"
    rf"(?P<words>the\s+(?P<asked>{ORDINAL}))\s+"
    r"(?!(?:half|part|act|season|chapter|episode|hour|minutes?|scenes?|time|world|volume|edition|course|floor|name"
    r"|day|row"
    r"|quarter|third|page|sentence|line|love|date|person|year|two|three)\b)\w",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\b(?:both|either|neither|none|all|any|each)(?:\s+of\s+(?:them|these|those|the\s+\w+))?\b"
    r"(?!\s+(?:of|good|other|more|kind))",
    re.IGNORECASE,
)
_REST = re.compile(
    rf"\b(?:the|all the|both)\s+(?:others|rest|remaining (?:ones?|two|three)|other (?:two|three|ones|{_NOUN}s))\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:every(?:thing|one)|all|any(?:thing)?)(?: of (?:them|these|those))? (?:but|except|besides|apart from"
    r"|other than)\s+$",
    re.IGNORECASE,
)
_FROM_BEFORE = re.compile(
    r"\b(?:from (?:before|earlier|the (?:first|earlier|previous|last) list)|(?:that |which )?you(?:['’]ve| had| have)?"
    r" (?:first |already |once )?(?:showed|shown|recommended|suggested|mentioned|gave|named|listed)(?: (?:me|us))?"
    r"(?: (?:first|before|earlier|at first|(?:at|in) the (?:start|beginning)))?)(?=\s*(?:$|[,.;:!?]|\w))",
    re.IGNORECASE,
)
_OTHER = re.compile(rf"\bthe\s+other(?:\s+(?:{_NOUN})\b|(?=\s*(?:$|[.,!?])))", re.IGNORECASE)
_MANY = re.compile(r"\b(?:they|them|these|those|their)\b", re.IGNORECASE)
_ONE = re.compile(rf"\b(?:it|its|that|this)(?:\s+(?:{_NOUN}))?\b(?!\s+(?:is|was)\s+(?:all|it)\b)", re.IGNORECASE)
_OF_TWO_PLACES = re.compile(  # "the shorter of the first two" points at one of them
    r"\bthe\s+(?:\w+er|\w+est|(?:more|less|most|least)\s+\w+)\s+of\s+the\s+(?:first|last)\s+two\b", re.IGNORECASE
)
_TAKEN = re.compile(
    rf"\bthe (?:{_NOUN}|restaurant|anime)(?: that| which)? (?:(?:i|we)(?:['’]ve| have)?(?: just)?"
    r" (?:took|taken|chose|chosen"
    r"|picked|accepted|added|decided on)|you(?:['’]ve| have)? (?:just )?(?:noted|added|put down|kept))"
    r"(?: (?:for|as|on|to) (?:me|us|my \w+|the list))?\b|\bmy (?:last |latest |final )?(?:choice|pick|selection)\b",
    re.IGNORECASE,
)
_FROM_MY_LIST = re.compile(
    r"\b(?:remove|delete|drop|strike|cross|take|scratch|leave)\b.*\b(?:from|off) (?:my|the) (?:\w+ )?list\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"\W*(?:(?:and|so|but|ok|okay)\W+)*(?:which|who|what)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What words can point at: the last list, what was shown before it, the items that the last turn spoke of, and what
    is known of them. `ever` is all that was shown, in the order in which it was, `accepted` what was taken of it."""

    items: Sequence[ItemRef]
    earlier: Sequence[ItemRef] = ()
    ever: Sequence[ItemRef] = ()
    accepted: Sequence[ItemRef] = ()
    focus: Sequence[ItemRef]
    metadata: Mapping[str, Metadata]
    domain: Domain
    titles: frozenset[str] = frozenset()  # keys of the names of all items there are

    def knows(self, title: str) -> bool:
        """Whether an item bears that title as a whole."""
        return name_key(title) in self.titles


@dataclass(frozen=True, kw_only=True)
class References:
    """Items in the order in which the words name them, the words' spans, and the words that point at nothing.

    `vague` says that the words leave open which item is meant ("it" after a list of three, "any of them");
    `candidates` are the items that unresolved words may mean ("the Miyazaki one" where two are his). `earlier` says
    that the words point back behind the last list, `by_name` that some are a title.
    """

    items: tuple[ItemRef, ...] = ()
    spans: tuple[Span, ...] = ()
    unresolved: tuple[str, ...] = ()
    vague: bool = False
    candidates: tuple[ItemRef, ...] = ()
    earlier: bool = False
    by_name: bool = False


def resolve(text: str, shown: Shown) -> References:
    """What the text points at: by name or place if it names any, else by comparison, description, group, pronoun.

    A question such as "which is the quietest?" compares and points at none.
    """
    if _OF_TWO_PLACES.search(text) and (compared := _compared(text, shown)).spans:
        return compared
    before = _FROM_BEFORE.search(text)
    counted = shown.ever if before and shown.ever else shown.items
    mine = _FROM_MY_LIST.search(text) if shown.accepted else None
    if mine:
        counted, before = shown.accepted, mine
    titles = _told_apart(named(text, [*shown.items, *shown.earlier], shown.metadata), shown)
    spans = [span for span, _ in titles]
    found = [(span, group[0]) for span, group in titles if len(group) == 1]
    open_names = [(span, group) for span, group in titles if len(group) > 1]
    placed, missed = _placed(text, counted, spans)
    if titles or placed or missed:
        pairs = sorted([*found, *placed], key=lambda pair: pair[0])
        left_out = [item for span, item in pairs if _BUT.search(text, 0, span[0])]
        items = tuple(dict.fromkeys(item for _, item in pairs))
        if left_out:
            items = tuple(item for item in shown.items if item not in left_out)
        kept = [(span, text[slice(*span)]) for span, _ in open_names]
        return References(
            items=items,
            spans=tuple(dict.fromkeys([*(span for span, _ in [*pairs, *missed, *kept]), *_span_of(before)])),
            unresolved=tuple(words for _, words in [*missed, *kept]),
            candidates=tuple(item for _, group in open_names for item in group),
            earlier=bool(before),
            by_name=bool(found),
        )
    kinds = (_taken, _compared, _described, _the_other, _the_rest, _grouped, _meant)
    return next((result for kind in kinds if (result := kind(text, shown)).spans), References())


def _told_apart(
    titles: Sequence[tuple[Span, tuple[ItemRef, ...]]], shown: Shown
) -> list[tuple[Span, tuple[ItemRef, ...]]]:
    """The names with those of their bearers that are in focus or on the last list, where any are."""
    found = []
    for span, group in titles:
        nearest = (tuple(i for i in group if i in pool) for pool in (shown.focus, shown.items))
        found.append((span, next(filter(None, nearest), group) if len(group) > 1 else group))
    return found


def _placed(
    text: str, items: Sequence[ItemRef], taken: Sequence[Span]
) -> tuple[list[tuple[Span, ItemRef]], list[tuple[Span, str]]]:
    """Ordinals and numbers ("the second", "number two", "the last one", "the first two"), and those out of range."""
    found: list[tuple[Span, ItemRef]] = []
    missed: list[tuple[Span, str]] = []
    for match in _PLACED.finditer(text):
        if any(overlaps(match.span(), span) for span in taken) or (match["joined"] and not found):
            continue  # "and third" goes on a list that has begun ("the second and third")
        places = places_of(
            len(items),
            edge=match["edge"],
            many=match["count"],
            number=match["number"],
            ordinal=match["named"] or match["bare"] or match["joined"] or match["alone"],
        )
        if all(1 <= place <= len(items) for place in places):
            found += [(match.span(), items[place - 1]) for place in places]
        else:
            missed.append((match.span(), match[0].strip()))
    asked = _ASKED.match(text)
    if asked and not found and not missed and not any(overlaps(asked.span("words"), span) for span in taken):
        place = places_of(len(items), ordinal=asked["asked"])[0]
        if place <= len(items) and items:
            return [(asked.span("words"), items[place - 1])], []
        return [], [(asked.span("words"), asked["words"])]
    return found, missed


def _compared(text: str, shown: Shown) -> References:
    """ "The cheaper one", "the shortest": the item at that end of a scale; unresolved where the metadata are silent."""
    missed = References()
    if _COMPARES.match(text):
        return missed
    for scale, low in facts.scales_asked(text, shown.domain):
        names = "|".join(re.escape(name) for name in (scale.less if low else scale.more))
        of = (
            r"(?:\s+of\s+(?P<pair>(?:the|those|these|them)\s+(?:(?P<edge>first|last)\s+)?two|both|them|these|those"
            r"|the\s+three)\b)?"
        )
        words = rf"\bthe\s+(?:{names})\b(?:\s+(?:{_NOUN})\b)?{of}|\b(?:{names})\s+one\b"
        match = re.search(words, text, re.IGNORECASE)
        if match is None or not shown.items:
            continue
        pool = shown.focus if len(shown.focus) > 1 else shown.items
        if match["edge"] and len(shown.items) > 1:
            pool = shown.items[:2] if match["edge"].lower() == "first" else shown.items[-2:]
        pair = match["pair"] is not None and match["pair"].lower().endswith(("two", "both"))
        places = {i.id: facts.place_on(scale, shown.metadata.get(i.id, {}), i.year) for i in pool}
        best = facts.at_the_end(places, low=low)
        if len(best) == 1 and not (pair and len(pool) != 2):
            return References(items=tuple(i for i in pool if i.id in best), spans=(match.span(),))
        alike = tuple(i for i in pool if i.id in best) if not pair else ()
        missed = References(spans=(match.span(),), unresolved=(match[0],), candidates=alike)
    return missed


def _taken(text: str, shown: Shown) -> References:
    """ "The one I chose", "my last pick": what was taken last."""
    match = _TAKEN.search(text)
    if match is None or not shown.accepted:
        return References()
    return References(items=(shown.accepted[-1],), spans=(match.span(),))


def _described(text: str, shown: Shown) -> References:
    """ "The Italian one", "the Pratchett": of the last list, else of what was shown before; open where several fit."""
    if not shown.items:
        return References()
    before = _FROM_BEFORE.search(text)
    for pool in (shown.earlier, shown.items) if before else (shown.items, shown.earlier):
        found = described(text, pool, shown.metadata, shown.domain)
        if found and len(found.items) == 1:
            return References(items=found.items, spans=(found.span, *_span_of(before)), earlier=before is not None)
        if found and found.items:
            words = text[slice(*found.span)]
            return References(spans=(found.span,), unresolved=(words,), candidates=found.items)
    found = described(text, shown.items, shown.metadata, shown.domain)
    if found is None or not (found.certain or before):
        return References()
    return References(spans=(found.span, *_span_of(before)), unresolved=(text[slice(*found.span)],))


def _span_of(match: re.Match[str] | None) -> tuple[Span, ...]:
    return (match.span(),) if match else ()


def _the_other(text: str, shown: Shown) -> References:
    match = _OTHER.search(text)
    if match is None:
        return References()
    rest = tuple(item for item in shown.items if item not in shown.focus)
    if len(rest) == 1:
        return References(items=rest, spans=(match.span(),))
    candidates = rest if len(rest) < len(shown.items) else ()
    return References(spans=(match.span(),), unresolved=(match[0],), candidates=candidates)


def _the_rest(text: str, shown: Shown) -> References:
    """ "The others", "the other two": what is left of the list beside the items just spoken of."""
    match = _REST.search(text)
    rest = tuple(item for item in shown.items if item not in shown.focus)
    if match is None or not shown.focus or not rest:
        return References()
    return References(items=rest, spans=(match.span(),))


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

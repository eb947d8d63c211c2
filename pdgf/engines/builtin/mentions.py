"""What in a narrative is named outright: reference titles, quantities, ages. Found by pattern, before any parse."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import DOLLARS, EPISODES, MINUTES, OTHER_MONEY, PAGES, amounts, prices
from pdgf.constraints.words import either
from pdgf.engines.builtin.disliked import dislike_after, dislike_after_several, dislike_before
from pdgf.engines.builtin.lexicon import cues, expression
from pdgf.engines.builtin.seen_lists import seen_lists
from pdgf.engines.builtin.vocabulary import KnownTitle, Vocabulary
from pdgf.identity import name_key
from pdgf.models import AtomKind


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A reference item named in the narrative; `liked` is False after words such as "I hated"."""

    start: int
    end: int
    title: str
    year: int | None
    kind: AtomKind
    liked: bool
    known: KnownTitle | None


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A limit in numbers ("under two hours", "less than $20"), or an age ("my six-year-old"); a `deniable` one names an
    amount that the words before it may refuse ("no text on the cards")."""

    start: int
    end: int
    perspective: str
    rough: bool = False  # "around two hours": no condition
    deniable: bool = False


# Units in which a story is told and no item is measured ("over three days")
_STORY_TIME = frozenset(
    {"day", "night", "week", "weekend", "month", "year", "people", "friend", "character", "evening", "morning"}
    | {"afternoon", "summer", "winter", "decade", "century", "lifetime", "generation"}
)
_MEASURES = frozenset({DOLLARS, OTHER_MONEY, EPISODES, MINUTES, PAGES})
_OVER_ONE = re.compile(r"(?:over|above|below|under|within) an?\b", re.IGNORECASE)  # "keeps watch over a house"
# Before the age of somebody in the story: "about a twelve-year-old girl"
_OF_THE_STORY = re.compile(
    r"\b(?:about|follow(?:s|ing)?|featuring|starring|stars|hero(?:ine)?|protagonist|main character|seen by|told by"
    r"|through the eyes of|story of|tale of|life of)\s+(?:(?:is|who is|an?|the|two|three|some)\s+)*(?:[a-z]+\s+)?$",
    re.IGNORECASE,
)
_MEASURED_BY = re.compile(r"(?:\s+(?:long|in length|each|(?:a|per)\s+(?:head|person|meal)|pp)\b)?", re.IGNORECASE)
_WORD = r"[^\W\d_][\w'’.!&-]*|\d[\w'’.!&-]*"
_SMALL = r"(?:of|the|and|in|a|an|to|for|on|at|with|from|&)"
_YEAR = re.compile(r"\s*\(((?:18|19|20)\d\d)(?:/[IVX]+)?\)")
# Where a title that stands before its year cannot reach back over
_TITLE_START = re.compile(
    r"(?:[,;:)(\n!?]|(?<![A-Z])\.)\s|\b(?:include|includes|is|are|was|were|like|liked|loved|love|enjoyed|enjoy"
    r"|adored|watched|saw|seen|read|than|as|to)\s"
)
# A title called by one word of its own is meant where something is left out ("anything by Miyazaki except Totoro")
_EXCEPT = r"\b(?:except(?:\s+for)?|besides|apart from|other than|but not|anything but)"
_NOT = rf"(?:{_EXCEPT}|(?<!why )\b(?:not|no|skip|without))"
_LEFT_OUT = re.compile(_NOT + r"\s*$", re.IGNORECASE)
_EXCEPTED = re.compile(_EXCEPT + r"\s+([A-Z][\w'’-]{4,})")
# Words that make no title recognisable by themselves
_LIGHT = either(
    "a|an|the|of|and|or|in|on|at|to|for|from|with|without|by|no|not|all|my|your|our|his|her|their|its|it|is|are|be|who"
    "|what|where|when|why|how|one|two|three|man|men|woman|women|boy|girl|girls|boys|night|day|time|life|love|house|room"
    "|others|other|good|bad|big|little|old|new|last|first|up|down|out|before|after"
)
_QUOTED = re.compile(
    r"[\"“«](?P<q>[^\"“”«»\n]{1,80})[\"”»]|(?<!\w)\*(?P<i>[^*\n]{1,80})\*|(?<!\w)_(?P<u>[^_\n]{1,80})_(?!\w)"
)
# A title that no catalogue need know: capitals around a small word ("not War and Peace")
_COMPARED = re.compile(r"\bthan\s+$|\bsame\s+\w+\s+as\s+(?:in\s+)?$", re.IGNORECASE)
_LINK = r"(?:(?:of|and|&|with|in|to|for|on)\s+the|of|and|&|the)"  # not a bare "in": "Indian in Old Harbour"
_TITLE_LEFT_OUT = re.compile(
    rf"(?i:{_NOT})\s+(?P<title>(?:The\s+)?[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*(?:(?:\s+{_LINK})+(?:\s+[A-Z][\w'’-]*)+"
    r"|\s+(?:[1-9]|1\d|I{2,3}|IV|VI{0,3})(?![\w-])))"
)
_PLAUSIBLE_YEARS = range(1888, 2040)
_NUMBER_OF_TITLE = re.compile(
    r"[ \u00a0](?P<number>[1-9]\d{0,3}|II|III|IV|VI{0,3}|IX)(?=\s*(?:$|[.,;:!?)\"”*_]"
    r"|(?:and|or|but|is|was|were|are|had|has|did|bored|which|that|with|from|for|in|on|please|too|because|except|without"
    r"|not|nor|rather|more|less)\b))"
)
_CAPITALISED = re.compile(rf"[A-Z][\w'’.!&:·-]*(?:\s+(?:{_SMALL}\s+)*[A-Z0-9][\w'’.!&:·-]*)*")


def quantities(text: str, *, priced: bool = False) -> tuple[Quantity, ...]:
    """Limits and ages in order; a limit in money speaks of the price, one in time or pages of the length. Where items
    are `priced`, so does a limit without a unit."""
    found: list[Quantity] = []
    for amount in prices(text) if priced else amounts(text):
        if amount.unit in _STORY_TIME or (amount.unit not in _MEASURES and _OVER_ONE.match(text, amount.span[0])):
            continue
        perspective = "price" if amount.unit in (DOLLARS, OTHER_MONEY) else "length"
        start = amount.span[0]
        further = _MEASURED_BY.match(text, amount.span[1])
        end = further.end() if further else amount.span[1]
        if all(start != other.start for other in found):
            found.append(Quantity(start=start, end=end, perspective=perspective, rough=amount.rough))
    ages = [span for _, span in child_ages(text) if not _OF_THE_STORY.search(text[: span[0]])]
    found += [Quantity(start=start, end=end, perspective="audience") for start, end in ages]
    return tuple(sorted(found, key=lambda quantity: quantity.start))


def references(text: str, vocabulary: Vocabulary) -> tuple[Reference, ...]:
    """Reference items: `Title (YYYY)`, quoted or italic titles, known titles, and names after "like" or "I loved".

    A known title of one common word counts only in title case and after a reference cue (METHOD 12).
    """
    spans: list[tuple[int, int, str, int | None]] = []

    def add(start: int, end: int, title: str, year: int | None) -> None:
        if title.strip() and all(end <= s or start >= e for s, e, _, _ in spans):
            spans.append((start, end, title.strip(), year))

    known = [(known.wished, name) for known in seen_lists(text, vocabulary) for name in known.names]
    known = [(wished, name) for wished, name in known if not _YEAR.match(text, name[1])]
    for _, (start, end) in known:
        add(start, end, text[start:end], None)
    for match in _QUOTED.finditer(text):
        title = next(group for group in match.groups() if group)
        year = _YEAR.match(text, match.end())
        if year or known_title(title, None, vocabulary) or (title[:1].isupper() and _cue_before(text, match.start())):
            add(match.start(), year.end() if year else match.end(), title, int(year[1]) if year else None)
    for match in _YEAR.finditer(text):
        start = _start_of_title(text, match.start(), int(match[1]), vocabulary)
        add(start, match.end(), text[start : match.start()], int(match[1]))
    for match in _TITLE_LEFT_OUT.finditer(text):
        if not _is_known_by_other_words(match["title"], vocabulary):
            add(*match.span("title"), match["title"], None)
    for start, end, title in _known_titles(text, vocabulary):
        add(start, end, title, None)
    for cue in _cue_pattern("references.similar", "references.liked", "references.disliked").finditer(text):
        after = text[cue.end() :]
        name = _CAPITALISED.match(text, cue.end() + len(after) - len(after.lstrip()))
        title = name[0].rstrip(".,!") if name else ""
        if name and title.casefold() not in vocabulary.values and title != "I":
            add(name.start(), name.start() + len(title), title, None)
    for word in _EXCEPTED.finditer(text):
        short = vocabulary.distinctive.get(word[1].casefold())
        if short is not None:
            add(word.start(1), word.end(1), short.title, short.year)
    named = tuple(_reference(text, *span, vocabulary=vocabulary) for span in sorted(spans))
    merely = {name[0] for wished, name in known if not wished}  # known already: not to be listed, and nothing like it
    return tuple(replace(one, kind=AtomKind.FEEDBACK, liked=False) if one.start in merely else one for one in named)


def _reference(text: str, start: int, end: int, title: str, year: int | None, *, vocabulary: Vocabulary) -> Reference:
    sentence = re.split(r"[.!?;]\s", text[:start])[-1].casefold()
    liked = bool(_cue_pattern("references.liked").search(sentence))
    verdict, told = dislike_after(text, end), dislike_before(text, start)
    cued = bool(_cue_pattern("references.disliked").search(sentence) or _LEFT_OUT.search(sentence))
    several = not liked and dislike_after_several(text, end)
    disliked = cued or told is not None or verdict > 0 or several
    return Reference(
        start=start if cued or told is None else told,
        end=max(end, verdict),
        title=title,
        year=year,
        kind=AtomKind.FEEDBACK if (liked or disliked) else AtomKind.REFERENCE,
        liked=not disliked,
        known=known_title(title, year, vocabulary),
    )


def _is_known_by_other_words(name: str, vocabulary: Vocabulary) -> bool:
    """Whether capitals name what the catalogue has besides titles ("Old Harbour and Riverside")."""
    parts = [part.casefold().strip() for part in re.split(r"\s+(?:and|&|or|(?:in|on|with) the)\s+", name)]
    known = {**vocabulary.values, **vocabulary.parts}
    return name.casefold() in known or all(part in known for part in parts)


def known_title(title: str, year: int | None, vocabulary: Vocabulary) -> KnownTitle | None:
    """The item of the catalogue that a title names; None where it names several. What is the only one of its name may
    be dated a year apart: films are shown at festivals before, and in other countries after."""
    found = vocabulary.titles.get(name_key(title), ())
    if year is None:
        return found[0] if len({known.year for known in found}) == 1 else None
    named = (*found, *vocabulary.other_names.get(name_key(title), ()))
    exact = next((known for known in named if known.year in (year, None)), None)
    if exact is not None or len({(known.title, known.year) for known in named}) > 1:
        return exact
    return next((known for known in named if known.year is not None and abs(known.year - year) == 1), None)


def _known_titles(text: str, vocabulary: Vocabulary) -> list[tuple[int, int, str]]:
    """Known titles in the text, longest first: two or more words in title case, or one word after a cue."""
    words = list(re.finditer(_WORD, text))
    found: list[tuple[int, int, str]] = []
    position = 0
    while position < len(words):
        for length in range(min(9, len(words) - position), 0, -1):
            start, end = words[position].start(), words[position + length - 1].end()
            title = text[start:end].rstrip(".,!?")
            if name_key(title) not in vocabulary.titles:
                continue
            if not title[:1].isupper():
                if _is_named_in_small_letters(text, start, title, vocabulary):
                    found.append((start, start + len(title), title))
                    position = max(i for i, word in enumerate(words) if word.start() < end)
                    break
                continue
            capitals = sum(word[0][:1].isupper() for word in words[position : position + length])
            of_its_years = {known.year for known in vocabulary.titles[name_key(title)]}
            title = _with_its_number(text, start, title, of_its_years)
            end = start + len(title)
            compared = _LEFT_OUT.search(text, 0, start) or _COMPARED.search(text, 0, start)
            judged = dislike_after(text, end) or dislike_after_several(text, end)
            meant = (
                compared or judged or dislike_before(text, start) is not None
            ) and title.casefold() not in vocabulary.values
            if (length > 1 and capitals > 1) or _cue_before(text, start) or meant:
                found.append((start, start + len(title), title))
                position = max(i for i, word in enumerate(words) if word.start() < end)
                break
        position += 1
    return found


def _is_named_in_small_letters(text: str, start: int, title: str, vocabulary: Vocabulary) -> bool:
    """Whether words without a capital are a title: they have two words of weight, or one that is no word of English,
    and stand where a title does ("not death note", "like spirited away")."""
    weighty = [word for word in re.findall(r"[^\W\d_]+", title) if word not in _LIGHT]
    strange = bool(vocabulary.english) and any(word not in vocabulary.english for word in weighty)
    if (len(weighty) < 2 and not strange) or title in vocabulary.values or title.islower() is False:
        return False
    end = start + len(title)
    cued = _LEFT_OUT.search(text, 0, start) or _COMPARED.search(text, 0, start) or _cue_before(text, start)
    return bool(cued or dislike_after(text, end)) or dislike_before(text, start) is not None


def _with_its_number(text: str, start: int, title: str, years: Collection[int | None]) -> str:
    """The title with the number that belongs to it: "Jaws 2" and "Blade Runner 2049" are not the known "Jaws" and
    "Blade Runner". A number that can be a year, or that counts something, is none."""
    number = _NUMBER_OF_TITLE.match(text, start + len(title))
    if number is None or (number["number"].isdigit() and int(number["number"]) in {*years, *_PLAUSIBLE_YEARS}):
        return title
    return text[start : number.end("number")]


def _start_of_title(text: str, end: int, year: int, vocabulary: Vocabulary) -> int:
    """Where the title that ends before its year begins: one that the catalogue knows of that year, whatever breaks it
    has ("Lock, Stock and ..."), else the words since the last break that start with a capital or a digit."""
    dated = max((m.end() for m in _YEAR.finditer(text, 0, end)), default=0)
    begin = max((m.end() for m in _TITLE_START.finditer(text, 0, end)), default=0)
    words = list(re.finditer(_WORD, text[:end]))
    named = [word.start() for word in words if word[0][0].isupper() or word[0][0].isdigit()]
    of_year = [s for s in named if s >= dated and known_title(text[s:end], year, vocabulary)]
    if of_year:
        return of_year[0]
    since = [s for s in named if s >= begin]
    before = {word.start(): last[0] for last, word in pairwise(words)}
    # "I saw Alien (1980)" has the title of another year; "Only Lovers Left Alive (2013)" has a longer one than "Alive"
    whole = [s for s in since if not before.get(s, "I")[0].isupper() or before.get(s, "I") == "I" or s == begin]
    other = next((s for s in whole if name_key(text[s:end]) in vocabulary.titles), None)
    return other if other is not None else next(iter(since), end)


def _cue_before(text: str, start: int) -> bool:
    before = text[max(0, start - 40) : start]
    pattern = _cue_pattern("references.similar", "references.liked", "references.disliked")
    return any(
        not before[m.end() :].strip(" \"'“*_,") or re.fullmatch(r"[^.!?]*(?:,| and| or)\s*[\"“*_]?", before[m.end() :])
        for m in pattern.finditer(before)
    )


@cache
def _cue_pattern(*kinds: str) -> re.Pattern[str]:
    return expression(word for kind in kinds for word in cues().words_of(kind))

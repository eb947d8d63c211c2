"""Signs of what a review sentence thinks of the thing that a wish is about, as numbers: whether it names the thing, and
which words of praise and blame are said of it or of something else, denied or not (METHOD 12). Pure; the lists are
those of `words.toml`."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pdgf.engines.builtin.opinions.words import aspects_of, lists

_CLAUSE_END = re.compile(
    r"[,;:()–—!?.]+(?=\s|$)|--+|\b(?:but|yet|while|although|though|whereas|however|and|because|so|which|when|except"
    r"|until)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:but|yet|although|though|whereas|however|while|despite|except|unfortunately)\b", re.IGNORECASE
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|without|hardly|barely|neither|nor|nothing|lack\w*|far from|cannot)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_EXCESS = re.compile(r"\b(?:too|overly|less)\b", re.IGNORECASE)
_EXPECTED = re.compile(
    r"\b(?:if|would|could|should|expect\w*|hope\w*|want\w*|suppose\w*|unless|wish\w*)\b", re.IGNORECASE
)
_TOLD = re.compile(
    r"\b(?:asked|told|said|came|brought|took|went|gave|got|ordered|arrived|decided|sat|walked|called|had|did)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"\b(?:i|we|my|our|us|me)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w$'’-]+")
_REACH = 4.0  # words over which the weight of an opinion word falls to 1/e
_DENIES = 3  # words before an opinion word within which a denial turns it
_APART = 4  # words that the end of a clause counts as
NAMES = (
    *("named", "named_more", "early", "own_word", "good_own", "bad_own", "good_near", "bad_near", "good_other"),
    *("bad_other", "good_typed", "bad_typed", "good_here", "bad_here", "contrast", "after_contrast", "denial_here"),
    *("others", "others_here", "words", "clauses", "expected", "told", "told_here", "speaker_here", "exclaims"),
    *("asks", "leaning_own", "leaning_here", "leaning_close", "leaning", "silent", "good_close", "bad_close", "good"),
    *("bad",),
)


@dataclass(frozen=True)
class _Opinion:
    """A word of praise (+1) or blame (-1) at a place; `of` are the aspects that it can only be said of, if any."""

    place: int
    sign: int
    of: frozenset[str]


@dataclass(frozen=True)
class _Sentence:
    """Starts of words, clauses as spans, opinions, and the places at which each aspect is named."""

    starts: tuple[int, ...]
    clauses: tuple[tuple[int, int], ...]
    opinions: tuple[_Opinion, ...]
    said: Mapping[str, tuple[int, ...]]

    def distance(self, one: int, other: int) -> float:
        words = abs(self._word(one) - self._word(other))
        return words + _APART * abs(self.clause(one) - self.clause(other))

    def clause(self, place: int) -> int:
        return next((n for n, (_, end) in enumerate(self.clauses) if place < end), len(self.clauses) - 1)

    def _word(self, place: int) -> int:
        return sum(start < place for start in self.starts)


@lru_cache(maxsize=20_000)
def _read(sentence: str) -> _Sentence:
    ends = [0, *(match.end() for match in _CLAUSE_END.finditer(sentence)), len(sentence)]
    spans = [(start, end) for start, end in pairwise(ends) if sentence[start:end].strip()]
    starts = tuple(match.start() for match in _WORD.finditer(sentence))
    said = {name: tuple(m.start() for m in aspect.said.finditer(sentence)) for name, aspect in lists().aspects.items()}
    return _Sentence(starts, tuple(spans) or ((0, len(sentence)),), _opinions(sentence, starts), said)


def _opinions(sentence: str, starts: Sequence[int]) -> tuple[_Opinion, ...]:
    typed: dict[int, tuple[int, set[str]]] = {}
    for name, aspect in lists().aspects.items():
        for sign, pattern in ((1, aspect.good), (-1, aspect.bad)):
            for match in pattern.finditer(sentence):
                typed.setdefault(match.start(), (sign, set()))[1].add(name)
    plain = {m.start(): -1 for m in lists().bad.finditer(sentence)}
    plain |= {m.start(): 1 for m in lists().good.finditer(sentence)}
    found: list[_Opinion] = []
    for place in sorted({*typed, *plain}):
        sign, of = typed.get(place, (plain.get(place, 1), set()))
        found.append(_Opinion(place=place, sign=_turned(sign, sentence, starts, place), of=frozenset(of)))
    return tuple(found)


def _turned(sign: int, sentence: str, starts: Sequence[int], place: int) -> int:
    """The sign of an opinion word after the words before it: too much of anything is blame, denial turns it round."""
    before = [start for start in starts if start < place][-_DENIES:]
    if not before:
        return sign
    if _EXCESS.search(sentence, before[0], place):
        sign = -1
    return -sign if _DENIAL.search(sentence, before[0], place) else sign


@dataclass
class _Weights:
    """Words of praise and of blame, counted or weighed."""

    good: float = 0.0
    bad: float = 0.0

    def add(self, sign: int, weight: float = 1.0) -> None:
        if sign > 0:
            self.good += weight
        else:
            self.bad += weight

    @property
    def leaning(self) -> float:
        """From -1 (blame only) to 1 (praise only), 0 without either."""
        return (self.good - self.bad) / (self.good + self.bad) if self.good + self.bad else 0.0

    @property
    def capped(self) -> tuple[float, float]:
        return min(self.good, 2.0), min(self.bad, 2.0)


def signs(sentence: str, wish: str) -> list[float]:
    """The numbers of `NAMES` for a sentence and a wish; all of them are finite."""
    read = _read(sentence)
    wished = set(aspects_of(wish))
    said_again = _own_words(sentence, wish)
    mentions = sorted({place for name in wished for place in read.said[name]} | set(said_again))
    others = {place for name, places in read.said.items() if name not in wished for place in places} - set(mentions)
    here = {read.clause(place) for place in mentions}
    own, near, other, typed, around, close, total = (_Weights() for _ in range(7))
    for opinion in read.opinions:
        away = min((read.distance(opinion.place, place) for place in mentions), default=math.inf)
        away_others = min((read.distance(opinion.place, place) for place in others), default=math.inf)
        is_typed = bool(opinion.of & wished)
        is_own = is_typed or (bool(mentions) and not opinion.of and away <= away_others)
        (own if is_own else other).add(opinion.sign)
        total.add(opinion.sign)
        close.add(opinion.sign, math.exp(-away / _REACH))
        if is_own:
            near.add(opinion.sign, math.exp(-away / _REACH))
        if is_typed:
            typed.add(opinion.sign)
        if read.clause(opinion.place) in here:
            around.add(opinion.sign)
    text_here = " ".join(sentence[slice(*read.clauses[clause])] for clause in sorted(here))
    contrast = _CONTRAST.search(sentence)
    found = [
        bool(mentions),
        math.log1p(len(mentions)),
        mentions[0] / max(1, len(sentence)) if mentions else 0.0,
        bool(said_again),
        *own.capped,
        *near.capped,
        *other.capped,
        *typed.capped,
        *around.capped,
        contrast is not None,
        contrast is not None and bool(mentions) and mentions[-1] > contrast.start(),
        bool(_DENIAL.search(text_here)),
        math.log1p(len(others)),
        any(read.clause(place) in here for place in others),
        math.log1p(len(read.starts)),
        math.log1p(len(read.clauses)),
        bool(_EXPECTED.search(sentence)),
        bool(_TOLD.search(sentence)),
        bool(_TOLD.search(text_here)),
        bool(_SPEAKER.search(text_here)),
        "!" in sentence,
        "?" in sentence,
        own.leaning,
        around.leaning,
        close.leaning,
        total.leaning,
        bool(mentions) and not own.good and not own.bad,
        *close.capped,
        *total.capped,
    ]
    return [float(number) for number in found]


@lru_cache(maxsize=200_000)
def _own_words(sentence: str, wish: str) -> tuple[int, ...]:
    """Where a sentence says the wish's own words, those of mere praise apart."""
    found: set[int] = set()
    for word in re.findall(r"[^\W\d_]{4,}", wish.casefold()):
        if word not in lists().plain and not lists().good.fullmatch(word):
            begins = re.escape(word[:-1] if len(word) > 5 else word)
            found.update(match.start() for match in re.finditer(rf"\b{begins}", sentence, re.IGNORECASE))
    return tuple(sorted(found))

"""Places in a list that a question points at ("the first", "number two", "the last two"). Pure.

What an utterance points at is read by its engine; this tells apart which of those items each of its questions means.
"""

import re
from collections.abc import Sequence

from dialogue.models import ItemRef

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SHORT = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
NUMBERS = {word: number for number, word in enumerate(("one", "two", "three", "four", "five", "six"), start=1)}
_SLIPS = {"frist": 1, "fisrt": 1, "firts": 1, "seond": 2, "secnd": 2, "secod": 2, "secound": 2, "scond": 2, "thrid": 3}
PLACES = {word: place for words in (_ORDINALS, _SHORT) for place, word in enumerate(words, start=1)} | _SLIPS
_LAST = ("last", "final", "lst")
ORDINAL = "|".join([*PLACES, *_LAST])  # any word for a place, as an expression
_NO_PLACE = (
    r"(?!\s+(?:half|part(?! of a)|act|seasons?|chapters?|episodes?|hours?|minutes?|scenes?|time|world|volume|edition"
    r"|course|floor|name|day|row|quarter|page|sentence|line|love|date|person|years?)\b)"
)
_POINTS = re.compile(
    rf"\bthe\s+(?P<edge>first|last)\s+(?P<count>two|three)\b|\bthe\s+(?P<place>{ORDINAL})\b{_NO_PLACE}"
    rf"|(?:\b(?:number|option|choice)\s+|#\s?)(?P<number>\d{{1,2}}|{'|'.join(NUMBERS)})\b",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|its|this one|that one|this|that)\b", re.IGNORECASE)


def pointed_at(question: str, shown: Sequence[ItemRef]) -> tuple[ItemRef, ...]:
    """The items of a list at the places that a question names, in the order in which it names them."""
    found: list[ItemRef] = []
    for match in _POINTS.finditer(question):
        places = places_of(
            len(shown), edge=match["edge"], many=match["count"], number=match["number"], ordinal=match["place"]
        )
        found += [shown[place - 1] for place in places if 1 <= place <= len(shown)]
    return tuple(dict.fromkeys(found))


def places_of(
    count: int,
    *,
    edge: str | None = None,
    many: str | None = None,
    number: str | None = None,
    ordinal: str | None = None,
) -> Sequence[int]:
    """The places in a list of `count` that words name, from 1 on, whether it has them or not: so `many` from an `edge`
    ("first", "last") on, the place of a `number`, or else that of an `ordinal`."""
    if edge and many:
        size = NUMBERS[many.lower()]
        return range(1, size + 1) if edge.lower() == "first" else range(count - size + 1, count + 1)
    if number:
        return [NUMBERS.get(number.lower()) or int(number)]
    word = (ordinal or "").lower()
    return [count] if word in _LAST else [PLACES[word]]


def says_it(question: str) -> bool:
    """Whether a question speaks of one thing by a pronoun."""
    return bool(_IT.search(question))


def only_points(words: str) -> bool:
    """Whether words do nothing but point ("the second one", "that one", "it")."""
    rest = re.sub(r"\b(?:one|film|movie|book|place|restaurant|anime|series)\b", "", _IT.sub("", _POINTS.sub("", words)))
    return not re.search(r"\w", rest)

"""The wishes in numbers that the columns of a person's own catalogue answer, where they stand in a narrative."""

import re
from collections.abc import Iterator, Sequence

from pdgf.constraints.column_wishes import keys_of
from pdgf.constraints.columns import Dimension, asks_in, chinese_item_nouns
from pdgf.constraints.header_wishes import header_wishes
from pdgf.constraints.metadata import MetadataKey
from pdgf.engines.builtin.mentions import Quantity, quantities
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.glossary import Limit, folded

_ENDS = re.compile(r"\s*(?:$|[，,。;；！!？?、]|[吗吧呢啊]|就行|即可)")  # behind a Chinese noun for the item
_ABOUT = re.compile(r"(?:讲|关于|有关|描写|主题是)$")  # before what an item is about
_REFUSING = re.compile(r"(?:no|zero|without(?:\s+any)?)\s+(?:the\s+|any\s+)?", re.IGNORECASE)
_PERSPECTIVES = {Dimension.MONEY: "price", Dimension.AGE: "audience"}  # others are called by their column


def perspective_of_column(key: MetadataKey) -> str:
    """The perspective of a wish that a column of quantities answers."""
    return _PERSPECTIVES.get(key.column.dimension, key.words) if key.column is not None else key.words


def wished_quantities(text: str, vocabulary: Vocabulary) -> tuple[Quantity, ...]:
    """The quantities of an English text in order: those of the catalogue's columns, then all others beside them."""
    own = (*quantities_of_columns(text, vocabulary), *_of_headers(text, vocabulary))
    rest = quantities(text, priced=vocabulary.priced)
    free = (one for one in rest if all(one.end <= other.start or one.start >= other.end for other in own))
    return tuple(sorted((*own, *free), key=lambda quantity: quantity.start))


def column_limits(text: str, vocabulary: Vocabulary) -> tuple[Limit, ...]:
    """The same of a Chinese text, of columns alone."""
    found = quantities_of_columns(text, vocabulary)
    return tuple(
        Limit(start=one.start, end=one.end, english="", perspective=one.perspective, rough=one.rough) for one in found
    )


def item_noun_spans(text: str, vocabulary: Vocabulary) -> Sequence[tuple[int, int]]:
    """Where a Chinese text says what the items of the catalogue are, at the end of a clause and outside the catalogue's
    own values."""
    if vocabulary.columns is None:
        return ()
    said = folded(text)
    found: list[tuple[int, int]] = []
    values = [value for value in vocabulary.chinese_values if value in said]
    taken = [(at, at + len(value)) for value in values for at in _places(said, value)]
    for noun in chinese_item_nouns():
        for at in _places(said, noun):
            alone = _ENDS.match(said, at + len(noun)) and not _ABOUT.search(said, 0, at)
            if alone and all(at + len(noun) <= start or at >= end for start, end in (*taken, *found)):
                found.append((at, at + len(noun)))
    return sorted(found)


def quantities_of_columns(text: str, vocabulary: Vocabulary) -> tuple[Quantity, ...]:
    """What a text asks of the columns of amounts of a person's own catalogue; empty for any other catalogue."""
    return tuple(_of_columns(text, vocabulary))


def _of_columns(text: str, vocabulary: Vocabulary) -> Iterator[Quantity]:
    schema = vocabulary.columns
    seen: set[tuple[int, int]] = set()
    for ask in asks_in(text) if schema is not None else ():
        keys = keys_of(ask, schema) if schema is not None else ()
        if keys and ask.span not in seen:
            seen.add(ask.span)
            yield Quantity(
                start=ask.span[0], end=ask.span[1], perspective=perspective_of_column(keys[0]), rough=ask.rough
            )


def _of_headers(text: str, vocabulary: Vocabulary) -> Iterator[Quantity]:
    """The amounts that are named by the headers of their columns. What refuses them stands before them."""
    for wish in header_wishes(text, vocabulary.columns) if vocabulary.columns is not None else ():
        refusing = _REFUSING.match(text, *wish.span)
        start = refusing.end() if refusing else wish.span[0]
        yield Quantity(start=start, end=wish.span[1], perspective=wish.key.words, rough=True, deniable=True)


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)

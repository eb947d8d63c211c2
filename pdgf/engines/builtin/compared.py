"""A limit by a named item: "shorter than The Princess Bride" asks for fewer minutes than that has, and for nothing like
it (METHOD 4.2, 12)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pdgf.constraints.beyond import limit_beyond
from pdgf.engines.builtin.mentions import Reference
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Atom, Node, Polarity, node_id

_THAN = re.compile(
    r"\b(?P<word>(?:(?:a bit|a little|much|even)\s+)?(?:[a-z]{3,}er|(?:more|less)\s+expensive))\s+than\s+[\"“«*_]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Compared:
    """The comparison at half-open offsets of a text, and the limit that it amounts to."""

    start: int
    end: int
    limit: str


def compared(text: str, references: Sequence[Reference], vocabulary: Vocabulary) -> tuple[Compared, ...]:
    """The comparisons of a text with items of the catalogue of which a number tells; others stay as they are."""
    schema = vocabulary.columns or vocabulary.measures
    found: list[Compared] = []
    for reference in references:
        than = _THAN.search(text, 0, reference.start)
        item = reference.known.item if reference.known is not None else None
        if schema is None or than is None or item is None:
            continue
        limit = limit_beyond(than["word"], item, schema)
        if limit is not None and re.search(r"\d", limit) and not limit.startswith(("after", "before")):
            found.append(Compared(than.start(), reference.end, limit))
    return tuple(found)


def compared_nodes(text: str, found: Sequence[Compared], *, number: int, order: int) -> list[tuple[Atom, Node]]:
    """An atom and a node of each comparison; a limit is a condition."""
    made: list[tuple[Atom, Node]] = []
    for position, each in enumerate(found):
        said = text[each.start : each.end]
        perspective = "price" if re.match(r"(?:under|over) [$£€]", each.limit) else "length"
        atom = Atom(id=f"a{number + position}", text=said, span=(each.start, each.end), hard=True)
        node = Node(
            id=node_id(said, perspective, each.limit, Polarity.WANT),
            atom=atom.id,
            perspective=perspective,
            instantiation=each.limit,
            hard=True,
            order=order + position,
            span=(each.start, each.end),
        )
        made.append((atom, node))
    return made

""" "Something by the same author": who made the item that was named, where the catalogue knows it (METHOD 4.2, 12)."""

import re
from collections.abc import Mapping, Sequence

from pdgf.engines.builtin.mentions import Reference
from pdgf.models import Atom, Node, Polarity, node_id

_MAKERS: Mapping[str, tuple[str, ...]] = {
    "author": ("author", "authors", "creators"),
    "writer": ("author", "authors", "writer", "creators"),
    "novelist": ("author", "authors"),
    "director": ("director",),
    "filmmaker": ("director",),
    "film-maker": ("director",),
    "studio": ("studio",),
    "actor": ("cast",),
    "actress": ("cast",),
    "creator": ("creators", "author", "authors", "director", "studio"),
    "maker": ("director", "studio", "author", "authors", "creators"),
    "people": ("director", "studio", "author", "authors", "creators"),
}
_SAME = re.compile(
    rf"\b(?:by|from|of|with)\s+(?:the|that|this)\s+(?:very\s+)?(?:same\s+)?(?P<who>{'|'.join(_MAKERS)})s?\b(?!\s+(?:who|whose|of))",
    re.IGNORECASE,
)


def said_again(text: str) -> list[tuple[int, int, str]]:
    """Where a text speaks of the maker of something, with the word for the maker."""
    found = (match for match in _SAME.finditer(text) if re.search(r"\b(?:same|that|this)\b", match[0], re.IGNORECASE))
    return [(match.start(), match.end(), match["who"].lower()) for match in found]


def same_maker_wishes(
    text: str, references: Sequence[Reference], *, number: int, order: int
) -> list[tuple[Atom, Node]]:
    """A wish for the maker of the item named last before such words, or else first after them; none where the
    catalogue does not know the item."""
    made: list[tuple[Atom, Node]] = []
    for start, end, who in said_again(text):
        named = re.match(r"\s+as\b", text[end:])  # "the same director as Alien"
        before = [reference for reference in references if reference.end <= start and not named]
        after = [reference for reference in references if reference.start >= end]
        meant = next(iter(before[-1:] or after), None)
        makers = meant.known.makers if meant is not None and meant.known is not None else {}
        names = next((makers[key] for key in _MAKERS[who] if makers.get(key)), ())
        if not names:
            continue
        said = text[start:end]
        atom = Atom(id=f"a{number + len(made)}", text=said, span=(start, end))
        name = names[0]
        node = Node(
            id=node_id(said, "creator", name, Polarity.WANT),
            atom=atom.id,
            perspective="creator",
            instantiation=name,
            order=order + len(made),
            span=(start, end),
        )
        made.append((atom, node))
    return made

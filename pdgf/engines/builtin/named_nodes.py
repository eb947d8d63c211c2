"""Atoms and nodes of what is named outright, whatever the language: a reference item, a period (METHOD 4.2, 12)."""

from collections.abc import Callable

from pdgf.engines.builtin.mentions import Reference
from pdgf.likeness import FEWEST, likeness_wishes
from pdgf.models import Atom, Node, Polarity, node_id
from pdgf.ports import Span


def reference_nodes(
    reference: Reference,
    *,
    text: str,
    similar: str,
    genre: Callable[[str], str],
    said: Span,
    named: Span,
    number: int,
    order: int,
    references: int = 0,
) -> tuple[Atom, list[Node]]:
    """The atom and the nodes of a reference item: what is like it, or its first two genres where the catalogue says
    little more or the language has no wording for that (`references`, the number of all, is 0), or `similar`.

    `text` is the atom's, `genre` words a genre in the language of the narrative, `said` is the span of the atom and
    `named` that of the nodes.
    """
    year = (reference.known.year if reference.known else None) or reference.year  # the catalogue's: it is left out
    atom = Atom(id=f"a{number}", text=text, span=said, kind=reference.kind, year=year)
    if not reference.liked:
        return atom, []
    genres = reference.known.genres[:2] if reference.known is not None else ()
    wishes = [("genre", genre(each)) for each in genres] or [("title", similar)]
    traits = reference.known.traits if reference.known is not None and references else ()
    if len(traits) >= FEWEST:
        alike = likeness_wishes(reference.title, reference.year, traits, references=references)
        wishes = [("title", wish) for wish in alike]
    nodes = [
        Node(
            id=node_id(reference.title, perspective, wish, Polarity.WANT),
            atom=atom.id,
            perspective=perspective,
            instantiation=wish,
            order=order + position,
            span=named,
        )
        for position, (perspective, wish) in enumerate(wishes)
    ]
    return atom, nodes


def era_node(narrative: str, span: Span) -> tuple[Atom, Node]:
    """The one atom and the one node of a narrative whose only wish is a period, which stands at `span`."""
    text = narrative[span[0] : span[1]]
    atom = Atom(id="a1", text=text, span=span)
    return atom, Node(
        id=node_id(text, "era", text, Polarity.WANT), atom="a1", perspective="era", instantiation=text, span=span
    )

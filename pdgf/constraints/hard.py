"""Hard constraints that speak of metadata, checked for every item of the pool (METHOD 7.5). Pure."""

import re

from pydantic import Field

from pdgf.constraints.checks import Verdict, check
from pdgf.constraints.metadata import MetadataSchema, fact_line, key_words
from pdgf.constraints.wishes import constraints_of
from pdgf.models import Atom, AtomKind, Candidate, Node, Polarity, PreferenceGraph, Value

_WORD = r"[\w'’-]+"
_NEXT_TO_OR = 2  # words that may stand between a wish and the "or" that makes it an alternative ("or with a terrace")


class HardVerdict(Value):
    """The reason why an item fails a hard wish, or None, and the facts that hard wishes ask for and nobody gives.

    `broken` gives the reason for every hard node that the item fails, `unchecked` the hard nodes of `unknown`.
    """

    violated: str | None = None
    unknown: tuple[str, ...] = ()
    broken: dict[str, str] = Field(default_factory=dict)
    unchecked: tuple[str, ...] = ()


def hard_violation(graph: PreferenceGraph, candidate: Candidate, schema: MetadataSchema) -> HardVerdict:
    """Whether metadata shows that a candidate fails a hard node of the graph; the first such node gives the reason.

    Reference items and evaluations set no constraint of their own, and neither does a wish that stands beside an
    "or": its alternative may be met.
    """
    atoms = {atom.id: atom for atom in graph.atoms}
    unknown: dict[str, list[str]] = {}
    broken: dict[str, str] = {}
    for node in graph.nodes:
        atom = atoms.get(node.atom)
        if not node.hard or (atom is not None and (atom.kind is not AtomKind.CRITERION or _alternative(node, atom))):
            continue
        for constraint in constraints_of(node, schema):
            verdict = check(constraint, candidate.metadata)
            if verdict is Verdict.VIOLATED:
                broken.setdefault(node.id, _reason(node, constraint.key, candidate))
            elif verdict is Verdict.UNKNOWN:
                unknown.setdefault(node.id, []).append(key_words(constraint.key))
    return HardVerdict(
        violated=next(iter(broken.values()), None),
        unknown=tuple(dict.fromkeys(words for found in unknown.values() for words in found)),
        broken=broken,
        unchecked=tuple(unknown),
    )


def _reason(node: Node, key: str, candidate: Candidate) -> str:
    asked = "you asked to avoid" if node.polarity is Polarity.AVOID else "you asked for"
    return f"{fact_line(key, candidate.metadata[key])} ({asked} {node.instantiation.removeprefix('for ')})"


def _alternative(node: Node, atom: Atom) -> bool:
    """Whether the atom offers the node's wish beside an "or" that the node itself does not hold."""
    text, wish = atom.text.casefold(), node.instantiation.casefold()
    at = text.find(wish)
    if at < 0 or not wish:
        return False
    before, after = text[:at], text[at + len(wish) :]
    gap = rf"(?:\W+{_WORD}){{0,{_NEXT_TO_OR}}}\W*"
    return bool(re.search(rf"\b(?:or|either){gap}$", before) or re.match(rf"\W*(?:{_WORD}\W+){{0,1}}or\b", after))

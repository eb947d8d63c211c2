"""What a catalogue says of one item that it says of others too: what a reference to the item stands for (METHOD 12).

"Like Alien" asks for what Alien is: its genres, its makers, its themes. A trait is one value of a metadata key that
lists several, and that at least two items have. Pure.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pdgf.constraints import names_items
from pdgf.identity import name_key
from pdgf.models import Candidate, Metadata, Polarity, PreferenceGraph

Trait = tuple[str, str]  # a metadata key and a value, case folded

LIKENESS = "title"  # the perspective of a wish for something like a named item
SHARED = 2  # items that have it: what one alone has finds no other
# Nearly all items of a catalogue share these with most others, and nobody means them by "like ..."
_SAYS_LITTLE = frozenset({"country", "countries", "language", "languages"})


def values_of(metadata: Metadata) -> Iterator[tuple[Trait, str]]:
    """The values of all keys that list some, in the order of the item, each as a trait and as it is written."""
    for key, value in metadata.items():
        if isinstance(value, list) and key not in _SAYS_LITTLE and not names_items(key):
            yield from (((key, entry.casefold()), entry) for entry in value if entry.strip())


@dataclass(frozen=True, eq=False)
class Traits:
    """The traits of the items of a catalogue, by their positions."""

    items: tuple[Candidate, ...]

    @classmethod
    def of(cls, items: Sequence[Candidate]) -> "Traits":
        """Those of these items."""
        return cls(tuple(items))

    @cached_property
    def _holders(self) -> Mapping[Trait, NDArray[np.int64]]:
        holders: dict[Trait, list[int]] = defaultdict(list)
        for position, item in enumerate(self.items):
            for trait in dict.fromkeys(trait for trait, _ in values_of(item.metadata)):
                holders[trait].append(position)
        return {trait: np.array(found, np.int64) for trait, found in holders.items() if len(found) >= SHARED}

    def alike(self, position: int) -> NDArray[np.float64]:
        """How many traits of one item each item shares, shape (items,); a rare one counts a little more."""
        scores = np.zeros(len(self.items))
        for trait in dict.fromkeys(trait for trait, _ in values_of(self.items[position].metadata)):
            holders = self._holders.get(trait)
            if holders is not None:
                scores[holders] += np.log(len(self.items) / len(holders))
        return scores

    @cached_property
    def keys(self) -> frozenset[str]:
        """The metadata keys that hold traits."""
        return frozenset(key for key, _ in self._holders)

    def find(self, title: str, year: int | None) -> int | None:
        """The item that a title names, by its own or another name; None for none and for several."""
        found = self._by_name.get(name_key(title), ())
        of_year = [place for place in found if year is not None and self.items[place].year == year]
        if year is not None and not of_year:
            of_year = [place for place in found if self.items[place].year is None]
        fitting = of_year if year is not None else found
        return fitting[0] if len(fitting) == 1 else None

    @cached_property
    def _by_name(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for position, item in enumerate(self.items):
            for key in dict.fromkeys(map(name_key, all_names(item))):
                found[key].append(position)
        return found


def all_names(item: Candidate) -> list[str]:
    """The title of an item and its other names."""
    other = [value for key, value in item.metadata.items() if names_items(key)]
    return [item.title, *(str(name) for value in other for name in (value if isinstance(value, list) else [value]))]


def named_items(graph: PreferenceGraph, traits: Traits) -> dict[str, int]:
    """The items of the catalogue that nodes ask for something like, by the ids of these nodes."""
    atoms = {atom.id: atom for atom in graph.atoms}
    found = {
        node.id: traits.find(atoms[node.atom].text, atoms[node.atom].year)
        for node in graph.nodes
        if node.perspective == LIKENESS and node.polarity is Polarity.WANT and node.atom in atoms
    }
    return {node: item for node, item in found.items() if item is not None}


def shared_values(items: Sequence[Candidate]) -> list[tuple[str, ...]]:
    """The traits of each item as they are written, in their order."""
    counts: Counter[Trait] = Counter()
    for item in items:
        counts.update({trait for trait, _ in values_of(item.metadata)})
    return [
        tuple(dict.fromkeys(said for trait, said in values_of(item.metadata) if counts[trait] >= SHARED))
        for item in items
    ]

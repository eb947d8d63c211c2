"""What is said to somebody who keeps away from a food, from animals there, or from a death (METHOD 7.1)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pdgf.engines.builtin.chinese.animals import animal_finding, animals_meant
from pdgf.engines.builtin.chinese.deaths import child_death_finding, wants_no_child_to_die
from pdgf.engines.builtin.chinese.food_needs import RAW, food_finding, food_kept_away
from pdgf.engines.builtin.findings import Finding


@dataclass(frozen=True, kw_only=True)
class Finder:
    """What one sentence says to whoever has such a wish. `alone`: no other rule says anything beside it, for a death is
    not the child's, and food that is not served is not the raw one."""

    find: Callable[[str], Finding | None]
    alone: bool = False


def finder_of(feature: str) -> Finder | None:
    """How a wish is judged that keeps away from one of these; None for any other wish."""
    food = food_kept_away(feature)
    if food is not None:
        return Finder(find=partial(food_finding, food=food), alone=food.name == RAW.name)
    if wants_no_child_to_die(feature):
        return Finder(find=child_death_finding, alone=True)
    animals = animals_meant(feature)
    return None if animals is None else Finder(find=partial(animal_finding, animals=animals), alone=True)

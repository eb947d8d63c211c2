"""What is said to somebody who keeps away from a food, from animals there, or from a death (METHOD 7.1)."""

from collections.abc import Callable
from functools import partial

from pdgf.engines.builtin.chinese.animals import animal_finding, animals_meant
from pdgf.engines.builtin.chinese.deaths import child_death_finding, wants_no_child_to_die
from pdgf.engines.builtin.chinese.food_needs import food_finding, food_kept_away
from pdgf.engines.builtin.findings import Finding

Finder = Callable[[str], Finding | None]
ALONE: tuple[Finder, ...] = (child_death_finding,)  # no other rule beside: not every death is a child's


def finder_of(feature: str) -> Finder | None:
    """What one sentence says to whoever has such a wish; None where it is about none of these."""
    food = food_kept_away(feature)
    if food is not None:
        return partial(food_finding, food=food)
    if wants_no_child_to_die(feature):
        return child_death_finding
    animals = animals_meant(feature)
    return None if animals is None else partial(animal_finding, animals=animals)

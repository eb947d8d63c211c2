"""What a played person needs: wishes drawn from what is known of one hidden item, which others may fulfil too. Pure."""

import math
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from random import Random
from typing import Literal

from pydantic import Field

from dialogue.domain import LEVELS
from pdgf.models import Metadata, MetadataValue, Value, normalised


class Kind(Value):
    """A kind of need, as `needs.toml` tells it."""

    key: str
    test: Literal["one_of", "level", "at_most", "yes"] = Field(alias="is")
    says: str
    objects: str
    only: tuple[str, ...] = ()
    step: int = 1


class Need(Value):
    """One need with its value: how it is said, what is said of an item that breaks it, and the test of an item."""

    kind: Kind
    value: str

    @property
    def said(self) -> str:
        return self.kind.says.format(value=self.value)

    @property
    def objection(self) -> str:
        return self.kind.objects.format(value=self.value)

    def kept_by(self, metadata: Metadata) -> bool:
        """Whether an item is known to fulfil it; an item that does not say is none that does."""
        found = metadata.get(self.kind.key)
        if found is None:
            return False
        match self.kind.test:
            case "yes":
                return found is True
            case "at_most":
                number = isinstance(found, int | float) and not isinstance(found, bool)
                return number and float(str(found)) <= float(self.value)
            case "level":
                return str(found) in LEVELS and LEVELS.index(str(found)) <= LEVELS.index(self.value)
            case _:
                return normalised(self.value) in map(normalised, _values(found))


@cache
def kinds_of(domain: str) -> tuple[Kind, ...]:
    """The kinds of need of a bundled domain. Raises KeyError for another one."""
    text = resources.files("dialogue.evaluation").joinpath("needs.toml").read_text(encoding="utf-8")
    return tuple(Kind.model_validate(row) for row in tomllib.loads(text)[domain])


def needs_of(metadata: Metadata, domain: str, rng: Random, most: int) -> tuple[Need, ...]:
    """At most so many needs that an item fulfils, of different kinds, in random order."""
    found = [need for kind in kinds_of(domain) if (need := _need(kind, metadata, rng)) is not None]
    rng.shuffle(found)
    return tuple(found[:most])


def _need(kind: Kind, metadata: Metadata, rng: Random) -> Need | None:
    """A need of a kind that the item fulfils; None where nothing is known or the value is not worth naming."""
    found = metadata.get(kind.key)
    if found is None or (kind.test == "yes" and found is not True):
        return None
    value = "yes"
    if kind.test == "at_most":
        if not isinstance(found, int | float) or isinstance(found, bool):
            return None
        value = str(math.ceil(found / kind.step) * kind.step)
    elif kind.test != "yes":
        values = [text for text in _values(found) if not kind.only or text in kind.only]
        if not values:
            return None
        value = rng.choice(values)
    need = Need(kind=kind, value=value)
    return need if need.kept_by(metadata) else None


def _values(found: MetadataValue) -> Sequence[str]:
    return found if isinstance(found, list) else [str(found)]

"""`pdgf remove NAME`: what would go is told first, then it goes, from the data folder or from the database.

Catalogues that visitors have brought are theirs alone: they are not removed here.
"""

import asyncio
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from dialogue.catalogue_list import DATABASE, FOLDER, delete_kept, in_folder, room
from dialogue.composition import Composition
from dialogue.kept_catalogues import KeptCatalogues
from pdgf.catalogues.bundled import BUNDLED
from pdgf.errors import BadInput, ConfigInvalid, UnknownDomain
from pdgf.models import Value


class Place(StrEnum):
    """Where a catalogue can be, as an option says it."""

    FOLDER = "folder"
    DATABASE = "database"


CALLED = {Place.FOLDER: FOLDER, Place.DATABASE: DATABASE}


class Going(Value):
    """A catalogue that would be removed from a place. `size` is in bytes, of its indexes; 0 where it is not known."""

    name: str
    place: Place
    items: int
    passages: int
    size: int


async def going(name: str, composition: Composition, place: Place | None = None) -> Going:
    """What would be removed under a name; nothing is yet. Raises UnknownDomain, BadInput where it is in both places and
    none is named, ConfigInvalid for one that comes with the program or a place that there is not, and
    IndexUnavailable."""
    if name in BUNDLED:
        raise ConfigInvalid(f"{name} comes with the program; only catalogues of your own can be removed")
    stored = composition.catalogues.stored
    if stored is None and place is Place.DATABASE:
        raise ConfigInvalid("--place database needs PDGF_DATABASE_URL, which names the database")
    found = []
    if stored is not None and place is not Place.FOLDER:
        found += await _in_database(name, composition)
    if place is not Place.DATABASE:
        found += await asyncio.to_thread(_in_folder, name, composition.catalogues.kept)
    if not found:
        raise _unknown(name, composition) if place is None else BadInput(f"{name} is not in the {CALLED[place]}")
    if len(found) > 1:
        both = " and ".join(f"in the {CALLED[row.place]} ({_much(row)})" for row in found)
        raise BadInput(f"{name} is {both}. Say which of them with --place database or --place folder")
    return found[0]


async def removed(gone: Going, composition: Composition) -> dict[str, Any]:
    """Remove what was told; what `--json` prints. Raises UnknownDomain where it has gone meanwhile, and
    IndexUnavailable."""
    catalogues, there = composition.catalogues, True
    if gone.place is Place.FOLDER:
        await asyncio.to_thread(delete_kept, catalogues.kept, gone.name)
    elif catalogues.stored is not None:
        there = await catalogues.stored.remove(gone.name)
    if not there:
        raise _unknown(gone.name, composition)
    return {"removed": gone.name, "from": [CALLED[gone.place]], **gone.model_dump(exclude={"name", "place"})}


def going_text(row: Going) -> str:
    """What would go, as lines for people."""
    return (
        f"{row.name} is in the {CALLED[row.place]}: {_much(row)}.\n"
        "It goes with its indexes, and running pages no longer offer it. The file that it was made from stays."
    )


def command(row: Going) -> str:
    """The command that removes it without a question."""
    return f"pdgf remove {row.name} --place {row.place.value} --yes"


def removed_text(printed: Mapping[str, Any]) -> str:
    """What was deleted and where; what was not."""
    if not printed["from"]:
        return "Nothing was removed."
    return f"{printed['removed']} is gone from the {' and the '.join(printed['from'])}."


def _unknown(name: str, composition: Composition) -> UnknownDomain:
    return UnknownDomain(name, tuple(domain.name for domain in composition.domains() if domain.name not in BUNDLED))


def _much(row: Going) -> str:
    items, passages = "item" if row.items == 1 else "items", "passage" if row.passages == 1 else "passages"
    counts = f"{row.items:,} {items}, {row.passages:,} {passages}"
    return f"{counts}, {room(row.size)}" if row.size else counts


async def _in_database(name: str, composition: Composition) -> list[Going]:
    """With what is still on its way."""
    stored = composition.catalogues.stored
    rows = [row for row in await stored.all_of_them() if row.name == name] if stored is not None else []
    if not rows:
        return []
    counts = {"items": max(row.items for row in rows), "passages": max(row.passages for row in rows)}
    return [Going(name=name, place=Place.DATABASE, size=sum(row.size for row in rows), **counts)]


def _in_folder(name: str, kept: KeptCatalogues) -> list[Going]:
    """With the indexes of earlier states of it."""
    if name not in kept.names():
        return []
    rows = in_folder(kept, name)
    counts = {"items": max(row.items for row in rows), "passages": max(row.passages for row in rows)}
    return [Going(name=name, place=Place.FOLDER, size=sum(row.size for row in rows), **counts)]

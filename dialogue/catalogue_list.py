"""`pdgf catalogues`: what is indexed in the data folder and in the database.

Catalogues that visitors have brought are theirs alone: they are not listed here.
"""

import asyncio
import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from dialogue.composition import Composition
from dialogue.kept_catalogues import KeptCatalogues
from pdgf.catalogues.bundled import BUNDLED, bundled_path
from pdgf.catalogues.reading import CatalogueItem, read_items
from pdgf.errors import CatalogueInvalid, IndexUnavailable
from pdgf.models import Value
from pdgf.sources.index import catalogue_digest, laid_out
from pdgf.sources.stored_indexes import StoredFolder, delete, stored_of

FOLDER, DATABASE = "data folder", "database"


class CatalogueRow(Value):
    """One catalogue as it is indexed. `indexed` is empty where there is no index of it, `state` says what of it is of
    use; `size` is in bytes."""

    name: str
    place: str
    bundled: bool
    items: int
    passages: int
    indexed: str
    encoder: str
    size: int
    state: str


async def listed(composition: Composition) -> list[CatalogueRow]:
    """All catalogues: those that come with the program and are offered first. Raises IndexUnavailable."""
    kept, bundled = composition.catalogues.kept, composition.settings.bundled
    rows = await asyncio.to_thread(lambda: [row for name in (*bundled, *kept.names()) for row in in_folder(kept, name)])
    stored = composition.catalogues.stored
    for row in await stored.all_of_them() if stored is not None else ():
        rows.append(
            CatalogueRow(
                name=row.name,
                place=DATABASE,
                bundled=False,
                items=row.items,
                passages=row.passages,
                indexed=_at(row.at),
                encoder=row.encoder,
                size=row.size,
                state="in use" if row.served else "not finished",
            )
        )
    return rows


def catalogues_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """The list as lines for people."""
    lines = []
    for row in rows:
        known = f", {row['encoder']}, {row['indexed']}, {room(row['size'])}" if row["encoder"] else ""
        counts = f"{row['items']:,} items, {row['passages']:,} passages"
        whose = "comes along" if row["bundled"] else row["place"]
        lines.append(f"{row['name']} ({whose}): {counts}{known}, {row['state']}")
    return "\n".join(lines)


def delete_kept(kept: KeptCatalogues, name: str) -> None:
    """Delete a catalogue of the data folder, then its indexes. Raises IndexUnavailable."""
    kept.remove_own(name)
    try:
        for index in stored_of(kept.data_dir, name):
            delete(index)
    except OSError as error:
        raise IndexUnavailable(f"index of {name}: {error.strerror or error}") from error


def in_folder(kept: KeptCatalogues, name: str) -> list[CatalogueRow]:
    """A catalogue of the data folder with each index that there is of it, or without any."""
    items: tuple[CatalogueItem, ...] = ()
    try:
        path = bundled_path(name) if name in BUNDLED else kept.items_of(kept.domain(name))
        items = read_items(path).items
    except CatalogueInvalid:
        return [_row(name, (), "", None, "damaged: please index its file again")]
    digest, indexes = catalogue_digest(items), stored_of(kept.data_dir, name)
    states = {True: "in use", False: "of an earlier state: goes a week after its last use"}
    rows = [_row(name, items, digest, index, states[index.catalogue == digest]) for index in indexes]
    if not any(index.catalogue == digest for index in indexes):
        rows.insert(0, _row(name, items, digest, None, "not indexed yet: that is done at its first use"))
    return rows


def _row(
    name: str, items: Sequence[CatalogueItem], digest: str, index: StoredFolder | None, state: str
) -> CatalogueRow:
    current = index is None or index.catalogue == digest  # of an earlier state nothing is known but its room
    return CatalogueRow(
        name=name,
        place=FOLDER,
        bundled=name in BUNDLED,
        items=len(items) if current else 0,
        passages=len(laid_out(items)[1]) if current and items else 0,
        indexed=_at(index.made) if index else "",
        encoder=index.encoder if index else "",
        size=index.size if index else 0,
        state=state,
    )


def _at(seconds: float) -> str:
    """A time as it is written down, to the minute; empty for none."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC") if seconds else ""


def room(size: int) -> str:
    """Bytes as people read them."""
    return f"{size / 1e6:,.1f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"

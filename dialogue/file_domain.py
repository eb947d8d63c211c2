"""A domain made of a catalogue file: its rows are read, its columns understood, and both kept."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dialogue.domain import Domain
from dialogue.kept_catalogues import KeptCatalogues, usable
from dialogue.own_catalogue import table_mapping
from dialogue.own_columns import own_domain, told
from pdgf.catalogues.reading import CatalogueItem, ReadReport, read_items
from pdgf.constraints import constraint_keys, schema_of
from pdgf.models import Candidate


@dataclass(frozen=True, kw_only=True)
class Indexed:
    """What `pdgf index` has made of a file: the report of its rows, the constraint keys that it derived, and what each
    was read as."""

    domain: Domain
    report: ReadReport
    keys: tuple[str, ...]
    read_as: Mapping[str, str]


async def domain_of(
    file: Path,
    kept: KeptCatalogues,
    perspectives: Mapping[str, str],
    *,
    name: str,
    mapping: Mapping[str, str] | None = None,
    title: str = "",
) -> Indexed:
    """Read a file, work off the event loop, and keep what it holds under a name; `title` is what people call it,
    `perspectives` those that well-known columns are asked for under.

    Raises ConfigInvalid for a name that cannot be used and CatalogueInvalid for a file without a usable row.
    """
    usable(name)
    mapping = mapping or await asyncio.to_thread(table_mapping, file)
    report = await asyncio.to_thread(read_items, file, mapping=mapping)
    schema = await asyncio.to_thread(schema_of, candidates_of(report.items))
    keys = constraint_keys(schema)
    read_as = {key.key: told(key) for key in schema.keys if key.key in keys}
    domain = own_domain(name, schema, perspectives, title)
    await asyncio.to_thread(kept.keep, domain, report.items)
    return Indexed(domain=domain, report=report, keys=keys, read_as=read_as)


def candidates_of(items: Sequence[CatalogueItem]) -> list[Candidate]:
    """The items of a catalogue without their texts."""
    return [Candidate(id=item.id, title=item.title, year=item.year, metadata=dict(item.metadata)) for item in items]

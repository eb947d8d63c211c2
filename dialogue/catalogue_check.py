"""`pdgf index FILE --check`: what is wrong with a catalogue; with --bundled by the rules of those that come with us."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dialogue.composition import Composition
from pdgf.catalogues.bundled import BUNDLED, bundled_path
from pdgf.catalogues.checking import PREFIX, Fault, alike_faults, bundled_faults, faults_of, notes_of
from pdgf.catalogues.reading import CatalogueItem, read_items
from pdgf.errors import CatalogueInvalid
from pdgf.glossary import is_chinese


async def check(
    file: Path | None, composition: Composition, *, bundled: bool, mapping: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The faults of a file, or without one of the bundled catalogues. Raises CatalogueInvalid and EmbedderUnavailable.

    `bundled` adds their own rules, by the domain that the ids name.
    """
    printed: dict[str, Any] = {"ok": True, "items": 0, "faults": []}
    for name in BUNDLED if file is None else (None,):
        if name is not None:
            await composition.ports(name)  # the encoder knows its texts then
        path = file if name is None else bundled_path(name)
        assert path is not None  # noqa: S101  one of both is named
        report = await asyncio.to_thread(read_items, path, mapping=mapping)
        faults = [*faults_of(report), *await _alike(report.items, composition)]
        if bundled:
            faults += bundled_faults(report.items, name or _domain_of(path, report.items))
        printed["items"] += len(report.items)
        printed["faults"] += [{"file": path.name, **fault.model_dump()} for fault in faults]
    printed["ok"] = not printed["faults"]
    return printed


def check_text(printed: Mapping[str, Any]) -> str:
    """One line a fault, and how many there are of how many items."""
    return "\n".join([*_lines(printed), f"{printed['items']} items, {len(printed['faults']) or 'no'} faults."])


def _lines(printed: Mapping[str, Any]) -> Iterator[str]:
    for fault in printed["faults"]:
        yield ": ".join(part for part in (fault["file"], fault["item"], fault["says"]) if part)


def _domain_of(path: Path, items: tuple[CatalogueItem, ...]) -> str:
    """The bundled domain that most ids name. Raises CatalogueInvalid when they name none."""
    counts = {domain: sum(item.id.startswith(prefix) for item in items) for domain, prefix in PREFIX.items()}
    best = max(counts, key=lambda domain: counts[domain])
    if not counts[best]:
        raise CatalogueInvalid(f"{path.name} is for no bundled catalogue: ids begin with {', '.join(PREFIX.values())}")
    return best


async def _alike(items: tuple[CatalogueItem, ...], composition: Composition) -> list[Fault]:
    """Notes that say the same, each language by its encoder."""
    notes = notes_of(items)
    found: list[Fault] = []
    for chinese, embedder in ((False, composition.embedder), (True, composition.chinese_embedder)):
        part = [note for note in notes if is_chinese(note.text) is chinese]
        if part and embedder is not None:
            vectors = await embedder.encode([note.text for note in part])
            found += await asyncio.to_thread(alike_faults, part, vectors)
    return found

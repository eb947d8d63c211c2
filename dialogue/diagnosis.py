"""What `pdgf doctor` looks at: each part is tried once, and what is wrong is said in words."""

import asyncio
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from dialogue import wording
from dialogue.composition import Composition
from dialogue.open_web import providers_of
from dialogue.setting_errors import misspelled
from pdgf.errors import ConfigInvalid, PdgfError
from pdgf.models import Value

SAMPLE = "a slow mystery with humour, not violent"

# The version that is there, and whether this user may add the extension where it is not.
EXTENSION = """SELECT e.installed_version, current_setting('is_superuser') = 'on' OR NOT v.superuser
    OR (v.trusted AND has_database_privilege(current_database(), 'CREATE'))
    FROM pg_available_extensions AS e JOIN pg_available_extension_versions AS v
    ON v.name = e.name AND v.version = coalesce(e.installed_version, e.default_version) WHERE e.name = 'vector'"""
NOT_THERE = (
    "; catalogues cannot be kept in it: its server lacks pgvector. Install version 0.8 or newer there, then let its "
    "administrator say CREATE EXTENSION vector"
)
NOT_PERMITTED = "; before catalogues are kept in it, its administrator has to say CREATE EXTENSION vector"
TOO_OLD = (
    "; catalogues cannot be kept in it: its pgvector is version {version}. Install 0.8 or newer there, then let its "
    "administrator say ALTER EXTENSION vector UPDATE"
)
OLDEST = (0, 8)  # of pgvector


class Finding(Value):
    """One part: whether it works, and what was seen."""

    what: str
    ok: bool
    said: str


async def examine(composition: Composition) -> tuple[Finding, ...]:
    """Try the engine, the encoder, the evidence of every domain that is offered, the data folder and the store; look
    whether a setting is misspelled."""
    parts: list[tuple[str, Callable[[Composition], Awaitable[str]]]] = [
        ("engine", _engine),
        ("encoder", _encoder),
        ("evidence", _evidence),
        ("web search", _search),
        ("data folder", _folder),
        ("store", _store),
        ("settings", _settings),
    ]
    composition.keeping.patience = 0.0  # whoever asks wants to be told now
    return tuple([await _finding(what, look, composition) for what, look in parts])


async def _finding(what: str, look: Callable[[Composition], Awaitable[str]], composition: Composition) -> Finding:
    try:
        return Finding(what=what, ok=True, said=await look(composition))
    except PdgfError as error:
        sentence, detail = wording.sentence_for(error), str(error)
        return Finding(what=what, ok=False, said=sentence if detail in sentence else f"{sentence} ({detail})")


async def _settings(composition: Composition) -> str:
    wrong = await asyncio.to_thread(misspelled)
    if wrong:
        raise ConfigInvalid("; ".join(f"nothing reads {name}: is {meant} meant?" for name, meant in wrong.items()))
    return f"{len(composition.settings.model_fields_set)} set, no name misspelled"


async def _engine(composition: Composition) -> str:
    if composition.engine == "llm":
        return f"llm: {await composition.language_model.probe()}"
    agent = await composition.agent("movies")
    reading = await agent.extract_nodes(SAMPLE, None, composition.config, composition.budget())
    return f"builtin, no key needed; read {len(reading.nodes)} wishes from a sample"


async def _encoder(composition: Composition) -> str:
    vectors = await composition.embedder.encode([SAMPLE])
    return f"{composition.embedder.id}, {vectors.shape[1]} dimensions"


async def _evidence(composition: Composition) -> str:
    counts = []
    for domain in composition.domains():
        ports = await composition.ports(domain.name)
        counts.append(f"{domain.name} {len(ports.catalogue.items())}")
    return f"catalogue, indexed: {', '.join(counts)} items"


async def _search(composition: Composition) -> str:
    names = ", ".join(provider.name for provider in providers_of(composition.settings))
    if composition.settings.source == "catalogue":
        return f"not asked (PDGF_SOURCE is catalogue); it would be {names}"
    [found] = await composition.open_web.search.search([SAMPLE], language="en", budget=composition.budget())
    return f"{found.provider or names}: {len(found.hits)} hits for a sample"


async def _folder(composition: Composition) -> str:
    folder = composition.settings.data_dir
    try:
        await asyncio.to_thread(_written_into, folder)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise ConfigInvalid(f"{folder} cannot be written ({why}): set PDGF_DATA_DIR to a folder that can") from error
    return f"{folder}, writable"


def _written_into(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"x")


async def _store(composition: Composition) -> str:
    async with composition.keeping.conversations() as store:
        await composition.keeping.check()
        row = await asyncio.wait_for(store.of_owner("doctor"), timeout=10)
    place = "a database" if composition.keeping.database else str(composition.settings.data_dir)
    return f"{place}, readable{await _extension(composition)}" if row == [] else "readable"


async def _extension(composition: Composition) -> str:
    """Whether the database can hold catalogues."""
    if composition.keeping.database is None:
        return ""
    found = await composition.keeping.database.rows(EXTENSION)
    if not found:
        return NOT_THERE
    [[installed, may_add]] = found
    if installed is None:
        return "; it can keep catalogues" if may_add else NOT_PERMITTED
    if tuple(int(part) for part in re.findall(r"[0-9]+", installed)[:2]) < OLDEST:
        return TOO_OLD.format(version=installed)
    return f"; it can keep catalogues (pgvector {installed})"

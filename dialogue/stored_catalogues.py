"""Catalogues in the database that many processes share: what is there, how one is opened, and how one gets there."""

import asyncio
import datetime
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dialogue.domain import Domain
from dialogue.kept_catalogues import usable
from dialogue.own_catalogue import table_mapping
from dialogue.own_columns import own_domain, told
from dialogue.owned import LOCAL_OWNER
from pdgf.constraints import constraint_keys, schema_of
from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.vocabulary import PERSPECTIVE_OF_KEY
from pdgf.errors import IndexUnavailable
from pdgf.ports import Embedder
from pdgf.sources.pgvector.building import Published, index_file
from pdgf.sources.pgvector.catalogue import StoredCatalogue
from pdgf.sources.pgvector.connection import Said, noted
from pdgf.sources.pgvector.reviews import PgvectorReviews
from pdgf.sources.pgvector.upkeep import Listed, listed, note, remove

KNOWN_SECONDS = 30.0  # after which it is looked again what the database holds

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class StoredDomain:
    """What an indexed file has become: its domain, what each key that wishes can be checked against was read as, and
    the figures."""

    domain: Domain
    read_as: dict[str, str]
    published: Published


@dataclass
class StoredCatalogues:
    """The catalogues that `pdgf index` has put into the database at `url`."""

    url: str
    _known: dict[str, Domain] = field(default_factory=dict)
    _looked: float = float("-inf")
    _lost: str = ""  # why the database could not be asked when it was looked last
    _opened: list[StoredCatalogue] = field(default_factory=list)

    def domains(self) -> Mapping[str, Domain]:
        """The domains by name, as they were half a minute ago or later; see `look`."""
        return self.look() if time.monotonic() - self._looked > KNOWN_SECONDS else self._known

    def look(self) -> Mapping[str, Domain]:
        """The domains by name as they are now; those known before where the database cannot be asked, which is logged
        once. Blocks."""
        self._looked = time.monotonic()
        try:
            about = noted(self.url, LOCAL_OWNER)
            self._known = {name: Domain.model_validate_json(text) for name, text in about.items()}
            self._lost = ""
        except (IndexUnavailable, ValueError) as error:
            if not self._lost:
                log.warning("which catalogues the database holds cannot be seen now: %s", error)
            self._lost = str(error)
        return self._known

    def check(self) -> None:
        """Raises IndexUnavailable where the last look has seen nothing, so that nobody can say what there is not."""
        if self._lost:
            raise IndexUnavailable(f"which catalogues the database holds cannot be seen now: {self._lost}")

    async def opened(self, name: str, embedder: CachedEmbedder) -> StoredCatalogue | None:
        """A catalogue, its items read; None for a name that is not in the database. Raises IndexUnavailable."""
        if name not in self.domains():
            return None
        await embedder.encode(["A first sentence."])  # an endpoint's dimension is known after its first call
        return await self._open(name, embedder)

    async def all_of_them(self) -> tuple[Listed, ...]:
        """What the database holds, with what is still on its way. Raises IndexUnavailable."""
        return await asyncio.to_thread(listed, self.url, LOCAL_OWNER)

    async def remove(self, name: str) -> bool:
        """Delete a catalogue; whether there was one. Raises IndexUnavailable."""
        self._looked = float("-inf")
        return await remove(self.url, owner=LOCAL_OWNER, name=name)

    async def close(self) -> None:
        """Let go of the connections of all that were opened."""
        while self._opened:
            await self._opened.pop().close()

    async def _open(self, name: str, embedder: CachedEmbedder) -> StoredCatalogue:
        reviews = PgvectorReviews(self.url, embedder, owner=LOCAL_OWNER, name=name)
        year = datetime.datetime.now(datetime.UTC).year
        self._opened.append(await StoredCatalogue.open(reviews, embedder, current_year=year))
        return self._opened[-1]

    async def index(
        self, file: Path, *, name: str, mapping: Mapping[str, str], embedder: Embedder, said: Said
    ) -> StoredDomain:
        """Make a domain of a file of any size. Raises ConfigInvalid, CatalogueInvalid, EmbedderUnavailable and
        IndexUnavailable."""
        usable(name)
        mapping = mapping or await asyncio.to_thread(table_mapping, file)
        published = await index_file(
            self.url, file, owner=LOCAL_OWNER, name=name, embedder=embedder, mapping=mapping, said=said
        )
        catalogue = await self._open(name, CachedEmbedder(embedder))
        schema = schema_of(catalogue.items())
        keys = constraint_keys(schema)
        domain = own_domain(name, schema, PERSPECTIVE_OF_KEY)
        await note(self.url, owner=LOCAL_OWNER, name=name, about=domain.model_dump_json())
        self._looked = float("-inf")
        read_as = {key.key: told(key) for key in schema.keys if key.key in keys}
        return StoredDomain(domain=domain, read_as=read_as, published=published)

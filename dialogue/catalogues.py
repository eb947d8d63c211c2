"""The catalogues that a process can recommend from: bundled, kept in the data folder, and those of the database."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dialogue.domain import Domain, bundled_domain
from dialogue.keeping import NEEDED
from dialogue.kept_catalogues import KeptCatalogues
from pdgf.catalogues.bundled import BUNDLED, bundled_path
from pdgf.catalogues.reading import CatalogueItem, read_items
from pdgf.embedding import CachedEmbedder
from pdgf.errors import ConfigInvalid, UnknownDomain
from pdgf.settings import Settings

if TYPE_CHECKING:
    from dialogue.stored_catalogues import StoredCatalogues
    from pdgf.sources.pgvector.catalogue import StoredCatalogue


@dataclass
class Catalogues:
    """The catalogues of one process; nothing of a database is loaded where the settings name none."""

    settings: Settings

    @property
    def kept(self) -> KeptCatalogues:
        """Those of the data folder."""
        return KeptCatalogues(self.settings.data_dir)

    @cached_property
    def stored(self) -> "StoredCatalogues | None":
        """Those of the database that the settings name. Raises ConfigInvalid where its driver is not installed."""
        if self.settings.database_url is None:
            return None
        try:
            from dialogue.stored_catalogues import StoredCatalogues
        except ImportError as error:
            raise ConfigInvalid(NEEDED) from error
        return StoredCatalogues(self.settings.database_url.get_secret_value())

    def domains(self) -> tuple[Domain, ...]:
        """The bundled domains that are offered and those indexed by the user, in that order."""
        return (*map(bundled_domain, self.settings.bundled), *self.kept.domains(), *self._stored_domains().values())

    def domain(self, name: str) -> Domain:
        """A domain by name; one of the database before one of the data folder. Raises UnknownDomain, and
        IndexUnavailable where the database might hold it and cannot be asked."""
        if name in BUNDLED:
            return bundled_domain(name)
        if (found := self._stored_domains().get(name)) is not None:
            return found
        try:
            return self.kept.domain(name)
        except UnknownDomain:
            if self.stored is not None:
                self.stored.check()
            raise

    async def items(self, name: str) -> tuple[CatalogueItem, ...]:
        """The items of a domain that is held here. Raises UnknownDomain and CatalogueInvalid."""
        path = bundled_path(name) if name in BUNDLED else self.kept.items_of(self.domain(name))
        return (await asyncio.to_thread(read_items, path)).items

    async def opened(self, name: str, embedder: CachedEmbedder) -> "StoredCatalogue | None":
        """A catalogue of the database; None for one that is held here. Raises IndexUnavailable."""
        return await self.stored.opened(name, embedder) if self.stored is not None else None

    async def close(self) -> None:
        """Let go of the connections."""
        if self.stored is not None:
            await self.stored.close()

    def _stored_domains(self) -> Mapping[str, Domain]:
        return self.stored.domains() if self.stored is not None else {}

"""The part of the composition that the open web needs: search providers, the guarded reader of pages, the source."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pdgf.errors import ConfigInvalid
from pdgf.ports import EvidenceSource, PageReader, PreferenceAgent, Search, TitleProposer
from pdgf.settings import Settings
from pdgf.sources.combined import CatalogueFirst, CombinedSource
from pdgf.sources.extract import Extractor
from pdgf.sources.fetch import GuardedFetcher
from pdgf.sources.page_cache import PageCache
from pdgf.sources.pages import CachedPages, KeptPages
from pdgf.sources.search.asking import Provider, ProviderFailure
from pdgf.sources.search.duckduckgo import DuckDuckGo
from pdgf.sources.search.fallback import FallbackSearch
from pdgf.sources.search.remembered import RememberedSearch
from pdgf.sources.search.searxng import SearXNG
from pdgf.sources.search.serper import SERPER, Serper
from pdgf.sources.web import WebSource
from pdgf.usage import Budget

if TYPE_CHECKING:
    from pdgf.sources.catalogue import CatalogueSource
    from pdgf.sources.pgvector.catalogue import StoredCatalogue


@dataclass
class OpenWeb:
    """Search and pages of the settings, shared by all domains and conversations."""

    settings: Settings
    kept: Callable[[], KeptPages] | None = None  # where texts of pages are kept; default: the data folder
    _providers: FallbackSearch | None = None
    _search: RememberedSearch | None = None
    _pages: CachedPages | None = None

    @property
    def search(self) -> Search:
        """The providers that are set, best first; without any, DuckDuckGo, which needs no key. What they found in the
        last hour is not asked for again."""
        if self._search is None:
            self._providers = FallbackSearch(providers_of(self.settings), tell=_tell)
            self._search = RememberedSearch(self._providers)
        return self._search

    @property
    def pages(self) -> PageReader:
        """The guarded reader of pages. Raises ConfigInvalid for hosts that cannot be allowed."""
        if self._pages is None:
            hosts = [host.strip() for host in (self.settings.allow_hosts or "").split(",") if host.strip()]
            try:
                fetcher = GuardedFetcher(allow_hosts=hosts, obey_robots=self.settings.respect_robots)
            except ValueError as error:
                raise ConfigInvalid(f"PDGF_ALLOW_HOSTS takes host:port pairs with commas: {error}") from error
            kept = self.kept() if self.kept else PageCache(self.settings.data_dir / "pages")
            self._pages = CachedPages(fetcher=fetcher, extractor=Extractor(), cache=kept)
        return self._pages

    def source(self, agent: PreferenceAgent, item_word: str, proposer: TitleProposer | None = None) -> EvidenceSource:
        """Evidence from the web for a domain; `proposer` names titles that are searched for too."""
        return WebSource(search=self.search, reader=self.pages, agent=agent, item_word=item_word, proposer=proposer)

    def sources(
        self,
        catalogue: "CatalogueSource | StoredCatalogue",
        agent: PreferenceAgent,
        item_word: str,
        proposer: Callable[[], TitleProposer | None],
    ) -> tuple[EvidenceSource, EvidenceSource | None]:
        """What a first list of a domain is made from as the settings say, and what widens it once that is shown."""
        if self.settings.source == "catalogue":
            return catalogue, None
        web = self.source(agent, item_word, proposer())
        if self.settings.source == "web":
            return web, None
        first = CatalogueFirst(catalogue=catalogue, web=web)
        return first, CombinedSource(catalogue=catalogue, web=web, items=catalogue)

    async def close(self) -> None:
        """Close what was opened."""
        if self._pages is not None:
            await self._pages.aclose()
        if self._providers is not None:
            await self._providers.aclose()


def providers_of(settings: Settings) -> list[Provider]:
    """Serper with a key, SearXNG with an address, DuckDuckGo when neither is set. Raises ConfigInvalid."""
    providers: list[Provider] = []
    if settings.serper_api_key is not None:
        providers.append(Serper(settings.serper_api_key, base_url=settings.serper_base_url or SERPER))
    if settings.searxng_url is not None:
        providers.append(SearXNG(settings.searxng_url))
    return providers or [DuckDuckGo()]


def _tell(failure: ProviderFailure, budget: Budget) -> None:
    """A provider that failed is named, also when another one answered."""
    budget.set_back(f"search_{failure.provider}", failure.why)

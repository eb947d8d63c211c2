"""A PageReader: what is kept of a page, else the page fetched and extracted (METHOD 5.3, 5.4)."""

from pdgf.ports import ReadPage
from pdgf.sources.extract import Extractor
from pdgf.sources.fetch import GuardedFetcher
from pdgf.sources.page_cache import PageCache
from pdgf.usage import Budget


class CachedPages:
    """Reads pages through the guard, in a process of its own, and keeps their texts for a while.

    A page's address is all that a text is kept under: nothing of any user is.
    """

    def __init__(self, *, fetcher: GuardedFetcher, extractor: Extractor, cache: PageCache) -> None:
        self._fetcher = fetcher
        self._extractor = extractor
        self._cache = cache

    async def read(self, url: str, budget: Budget) -> ReadPage:
        """Raises PageUnusable."""
        kept = await self._cache.get(url)
        if kept is not None:
            return ReadPage(url=kept.url, text=kept.text)
        fetched = await self._fetcher.fetch(url, budget)
        page = await self._extractor.text_of(fetched, budget)
        await self._cache.put(url, fetched, page)
        return ReadPage(url=page.url, text=page.text)

    async def aclose(self) -> None:
        """Close connections, processes and the file."""
        await self._fetcher.aclose()
        await self._extractor.aclose()
        await self._cache.close()

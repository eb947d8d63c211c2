"""A PageReader: what is kept of a page, else the page fetched and extracted (METHOD 5.3, 5.4)."""

from typing import Protocol

from pdgf.ports import ReadPage
from pdgf.sources.extract import Extractor, PageText
from pdgf.sources.fetch import Fetched, GuardedFetcher
from pdgf.usage import Budget


class KeptPages(Protocol):
    """Texts of pages by their address, for a while: in a file, or in a database that many processes share. Neither
    reading nor writing raises."""

    async def get(self, url: str) -> PageText | None:
        """The text found at an address, or where that address led, if it is there and not too old."""
        ...

    async def put(self, asked: str, fetched: Fetched, page: PageText) -> None:
        """Keep the text of a page under its address, and the address that was asked for as a way to it. A page whose
        server asked for no copy is not kept, and an earlier copy goes."""
        ...

    async def close(self) -> None:
        """Let go of what is open. A later call opens it again."""
        ...


class CachedPages:
    """Reads pages through the guard, in a process of its own, and keeps their texts for a while.

    A page's address is all that a text is kept under: nothing of any user is.
    """

    def __init__(self, *, fetcher: GuardedFetcher, extractor: Extractor, cache: KeptPages) -> None:
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

"""Results as a provider sent them -> hits. Pure. A bad one is skipped and counted, the others are kept (C08)."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pdgf.pages import canonical_url
from pdgf.ports import SearchHit
from pdgf.sources.search.faults import SearchFault

HITS = 10  # a query (METHOD 5.2)
TEXT_CHARS = 500  # of a title or snippet that are kept
LINK_CHARS = 2_000  # longer ones are no page that was meant to be opened
_READ_CHARS = 4 * TEXT_CHARS
_UNREADABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\s]+")


class Fields(NamedTuple):
    """What a provider calls the parts of a result."""

    link: str
    title: str
    snippet: str


class Hits(NamedTuple):
    """What was found for one query, and how many results were skipped."""

    hits: tuple[SearchHit, ...] = ()
    skipped: int = 0


def read_hits(results: Any, fields: Fields) -> Hits:
    """The first ten results with a usable link, each address once, ranked as they came. No list is no result.

    Raises SearchFault `no_api` for something that is not a list.
    """
    if results is None:
        return Hits()
    if not isinstance(results, list | tuple):
        raise SearchFault("no_api", "what should be a list of results is none", of_query=True)
    found: dict[str, SearchHit] = {}
    skipped = 0
    for result in results:
        link = result.get(fields.link) if isinstance(result, Mapping) else None
        address = canonical_url(link) if isinstance(link, str) and len(link) <= LINK_CHARS else None
        if address is None:
            skipped += 1
        elif address not in found and len(found) < HITS:
            found[address] = SearchHit(
                url=str(link).strip(),
                title=shown(result.get(fields.title)),
                snippet=shown(result.get(fields.snippet)),
                rank=len(found) + 1,
            )
    return Hits(tuple(found.values()), skipped)


def shown(text: Any) -> str:
    """A title or snippet on one line, cut; "" for what is no text."""
    if not isinstance(text, str):
        return ""
    return _UNREADABLE.sub(" ", text[:_READ_CHARS]).strip()[:TEXT_CHARS]

"""Results as a provider sent them -> hits. Pure. A bad one is skipped, the others are kept (C08)."""

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

Hits = tuple[SearchHit, ...]
"""What was found for one query, best first."""


class Fields(NamedTuple):
    """What a provider calls the parts of a result."""

    link: str
    title: str
    snippet: str


def read_hits(results: Any, fields: Fields) -> Hits:
    """The first ten results with a usable link, each address once, ranked as they came. No list is no result.

    Raises SearchFault `no_api` for something that is not a list.
    """
    if results is None:
        return ()
    if not isinstance(results, list | tuple):
        raise SearchFault("no_api", "what should be a list of results is none", of_query=True)
    found: dict[str, SearchHit] = {}
    for result in results:
        link = result.get(fields.link) if isinstance(result, Mapping) else None
        address = canonical_url(link) if isinstance(link, str) and len(link) <= LINK_CHARS else None
        if address is not None and address not in found and len(found) < HITS:
            found[address] = SearchHit(
                url=str(link).strip(),
                title=shown(result.get(fields.title)),
                snippet=shown(result.get(fields.snippet)),
                rank=len(found) + 1,
            )
    return tuple(found.values())


def shown(text: Any) -> str:
    """A title or snippet on one line, cut; "" for what is no text."""
    if not isinstance(text, str):
        return ""
    return _UNREADABLE.sub(" ", text[:_READ_CHARS]).strip()[:TEXT_CHARS]

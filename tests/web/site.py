"""The small web of the tests: pages, redirects and robots.txt of invented hosts on one loopback server.

    async with PageServer({}) as server:
        server.pages.update(answers(server.port))
        hits = search(server.port)("slow mystery small town")       # tests/web/search_index.py

Every path is there once, whatever the host, so that a server may leave the host out of account. Host names end in
.example and nothing resolves them: a test maps each of HOSTS to 127.0.0.1 and allows the pair of host and port.
"""

from collections.abc import Mapping
from typing import NamedTuple

from tests.web.builder import page
from tests.web.content import Source, sources
from tests.web.page_server import Answer, Redirect, Served

RELATED = 4  # links at the end of a page
ROBOTS = b"User-agent: *\nDisallow: /members/\n"
DISALLOWED = "/members/"


class SitePage(NamedTuple):
    """A page as it is served. The content type has no charset where the page is to be found out by its body."""

    body: bytes
    content_type: str
    kind: str


class Move(NamedTuple):
    """A redirect from a path of a host to another path, which may belong to another host.

    `remembered` is the page that a search engine still lists under this address, if it lists it at all.
    """

    host: str
    status: int
    to: str
    remembered: str = ""


# Two hops to another host; one hop to another host; one within a host; a loop of two; six hops, five from /hop/2 on.
REDIRECTS: Mapping[str, Move] = {
    "/go/quiet": Move("matineeledger.example", 302, "/go/quiet-2", "/lists/quiet-mysteries"),
    "/go/quiet-2": Move("matineeledger.example", 301, "/lists/quiet-mysteries"),
    "/out/howl": Move("talkshelf.example", 307, "/2023/howls-moving-castle", "/2023/howls-moving-castle"),
    "/old/banter-table": Move("shelfward.example", 301, "/tables/banter-and-heat", "/tables/banter-and-heat"),
    "/round/a": Move("lobbycard.example", 302, "/round/b", "/old/village-bodies"),
    "/round/b": Move("lobbycard.example", 308, "/round/a"),
    "/hop/1": Move("quietcinema.example", 302, "/hop/2", "/2022/deadpan-faces"),
    "/hop/2": Move("quietcinema.example", 303, "/hop/3"),
    "/hop/3": Move("quietcinema.example", 307, "/hop/4"),
    "/hop/4": Move("quietcinema.example", 308, "/hop/5"),
    "/hop/5": Move("quietcinema.example", 301, "/hop/6"),
    "/hop/6": Move("quietcinema.example", 302, "/2022/deadpan-faces"),
}


def _related(source: Source) -> list[Source]:
    """The pages that follow on the same host, in a circle."""
    same = [other for other in sources().values() if other.host == source.host and other.kind != "disallowed"]
    place = same.index(source) + 1 if source in same else 0
    return [other for other in same[place:] + same[:place] if other is not source][:RELATED]


SITE: Mapping[str, SitePage] = {
    path: SitePage(*page(source, _related(source)), source.kind) for path, source in sources().items()
}
HOSTS: frozenset[str] = frozenset(source.host for source in sources().values()) | {
    move.host for move in REDIRECTS.values()
}


def address(path: str, port: int) -> str:
    """The address of a page or redirect at the host that it belongs to."""
    host = REDIRECTS[path].host if path in REDIRECTS else sources()[path].host
    return f"http://{host}:{port}{path}"


def hops(path: str) -> tuple[str, ...]:
    """The paths that redirects lead to from a path, in order; a loop is followed once round."""
    seen: list[str] = []
    while path in REDIRECTS and REDIRECTS[path].to not in seen:
        path = REDIRECTS[path].to
        seen.append(path)
    return tuple(seen)


def answers(port: int) -> dict[str, Answer]:
    """What a PageServer at that port serves."""
    served: dict[str, Answer] = {path: Served(stored.body, stored.content_type) for path, stored in SITE.items()}
    moved = {path: Redirect(address(move.to, port), move.status) for path, move in REDIRECTS.items()}
    return {**served, **moved, "/robots.txt": Served(ROBOTS, "text/plain")}

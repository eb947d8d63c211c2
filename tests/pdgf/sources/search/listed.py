"""Fakes of the search: what is listed is found, nothing is sent anywhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pdgf.errors import SearchFailed
from pdgf.ports import Found, SearchHit
from pdgf.sources.search.asking import Answers, Patience
from pdgf.sources.search.faults import SearchFault
from pdgf.usage import Budget


def hits(*urls: str) -> tuple[SearchHit, ...]:
    """Hits at these addresses, in this order."""
    return tuple(SearchHit(url=url, title=f"Title of {url}", rank=rank) for rank, url in enumerate(urls, start=1))


@dataclass
class ListedSearch:
    """A Search over a mapping of queries to addresses. `why` makes it fail."""

    listed: Mapping[str, Sequence[str]]
    why: str = ""
    name: str = "listed"

    async def search(self, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
        asked = {query.strip() for query in queries} - {""}
        if asked:
            budget.spend_searches(len(asked))
        if asked and self.why:
            raise SearchFailed(self.name, self.why)
        return [
            Found(
                query=query,
                provider=self.name if query.strip() else "",
                hits=hits(*self.listed.get(query.strip(), ())),
            )
            for query in queries
        ]


@dataclass
class ListedProvider:
    """A Provider over a mapping of queries to addresses.

    `fault` gives the fault that a query meets, if any. `asked` are the queries of each call, `patient` the seconds
    that each call could have taken.
    """

    listed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    fault: Callable[[str], SearchFault | None] = lambda query: None
    name: str = "listed"
    query_chars: int = 1_000
    asked: list[list[str]] = field(default_factory=list)
    patient: list[float] = field(default_factory=list)
    meanwhile: Callable[[], None] = lambda: None
    closed: bool = False

    async def ask(self, queries: Sequence[str], *, language: str, patience: Patience) -> Answers:
        self.asked.append(list(queries))
        self.patient.append(patience())
        self.meanwhile()
        answers = Answers()
        for query in queries:
            fault = self.fault(query)
            if fault is None:
                answers.found(query, hits(*self.listed.get(query, ())))
            else:
                answers.failed(query, fault)
            if answers.stopped is not None:
                break
        return answers

    async def aclose(self) -> None:
        self.closed = True


def always(why: str, detail: str = "") -> Callable[[str], SearchFault | None]:
    """A provider's fault whatever the query."""
    return lambda query: SearchFault(why, detail)

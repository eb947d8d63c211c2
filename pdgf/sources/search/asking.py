"""What a provider is, and how one list of queries goes through several of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pdgf.errors import SearchFailed
from pdgf.models import Value
from pdgf.ports import Found
from pdgf.sources.search.faults import LASTING, SearchFault
from pdgf.sources.search.hits import Hits
from pdgf.sources.search.queries import cleaned, cut_query
from pdgf.usage import Budget

Patience = Callable[[], float]


@dataclass
class Answers:
    """What one provider made of some queries: the hits of those it answered, why it did not answer others.

    `stopped` is set when it gives no service any more; queries that were not even sent have no entry.
    """

    hits: dict[str, Hits] = field(default_factory=dict)
    faults: dict[str, SearchFault] = field(default_factory=dict)
    stopped: SearchFault | None = None

    def found(self, query: str, hits: Hits) -> None:
        """Note what was found for a query."""
        self.hits[query] = hits

    def failed(self, query: str, fault: SearchFault) -> None:
        """Note that a query was not answered."""
        self.faults[query] = fault
        if not fault.of_query and self.stopped is None:
            self.stopped = fault

    def join(self, others: "Answers") -> None:
        """Add the answers to other queries."""
        self.hits |= others.hits
        self.faults |= others.faults
        self.stopped = self.stopped or others.stopped

    @property
    def fault(self) -> SearchFault | None:
        """What best says why queries were not answered."""
        return self.stopped or next(iter(self.faults.values()), None)


class Provider(Protocol):
    """One way to search the web. `query_chars` is the longest query that it takes."""

    @property
    def name(self) -> str: ...

    @property
    def query_chars(self) -> int: ...

    async def ask(self, queries: Sequence[str], *, language: str, patience: Patience) -> Answers:
        """Search for distinct queries that are fit to be sent, within `patience()` seconds. Raises nothing: what
        fails is in the answers."""
        ...

    async def aclose(self) -> None:
        """Close the connections of the running event loop; they open again when needed."""
        ...


class ProviderFailure(Value):
    """That a provider left `queries` queries of a search unanswered, and why (the words of SearchFailed).

    `lasting`: it will not be asked again by this process.
    """

    provider: str
    why: str
    detail: str = ""
    queries: int
    lasting: bool = False

    def as_error(self) -> SearchFailed:
        return SearchFailed(self.provider, self.why, self.detail)


class Searched(Value):
    """One result for each query, in their order. One that no provider answered has no hits and "" for its provider."""

    found: tuple[Found, ...]
    failures: tuple[ProviderFailure, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether no query was answered at all, though some were to be."""
        return bool(self.failures) and not any(result.provider for result in self.found)


async def search_in_turn(
    providers: Sequence[Provider],
    queries: Sequence[str],
    *,
    language: str,
    patience: Patience,
    on_failure: Callable[[int, ProviderFailure], None] = lambda place, failure: None,
) -> Searched:
    """Each query by the first provider that answers it. Equal queries are sent once, empty ones never.

    `on_failure` hears at once which of the providers failed and how.
    """
    texts = {query: cleaned(query) for query in queries}
    hits: dict[str, tuple[str, Hits]] = {}
    failures: list[ProviderFailure] = []
    for place, provider in enumerate(providers):
        left = [text for text in dict.fromkeys(texts.values()) if text and text not in hits]
        if not left or (failures and patience() <= 0.0):
            break
        sent = {text: cut_query(text, provider.query_chars) for text in left}
        answers = await provider.ask(list(dict.fromkeys(sent.values())), language=language, patience=patience)
        hits |= {text: (provider.name, answers.hits[cut]) for text, cut in sent.items() if cut in answers.hits}
        unanswered = sum(text not in hits for text in left)
        if unanswered:
            failures.append(_failure(provider.name, answers, unanswered))
            on_failure(place, failures[-1])
    found = [(query, *hits.get(texts[query], ("", ()))) for query in queries]
    return Searched(
        found=tuple(Found(query=query, provider=name, hits=results) for query, name, results in found),
        failures=tuple(failures),
    )


async def search_with(provider: Provider, queries: Sequence[str], *, language: str, budget: Budget) -> list[Found]:
    """The port's `search` by one provider alone. Raises SearchFailed when it answers no query, BudgetSpent."""
    count_searches(queries, budget)
    patience = budget.remaining_seconds
    searched = await search_in_turn([provider], queries, language=language, patience=patience)
    if searched.failed:
        raise searched.failures[-1].as_error()
    return list(searched.found)


def count_searches(queries: Sequence[str], budget: Budget) -> None:
    """Count each query that is to be sent once, whoever will answer it. Raises BudgetSpent after the deadline."""
    distinct = {cleaned(query) for query in queries} - {""}
    if distinct:
        budget.spend_searches(len(distinct))


def _failure(name: str, answers: Answers, unanswered: int) -> ProviderFailure:
    fault = answers.fault or SearchFault("no_api", "queries were left out")
    lasting = not fault.of_query and fault.why in LASTING
    return ProviderFailure(provider=name, why=fault.why, detail=fault.detail, queries=unanswered, lasting=lasting)

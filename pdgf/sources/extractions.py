"""CandidateExtractor with a memory: a record depends on the chunk, f_v and the item word alone (METHOD 6.1, 10)."""

from collections.abc import Sequence

from pdgf.memo import Memo
from pdgf.ports import ExtractionRequest, FoundRecord, PreferenceAgent
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

KEPT_EXTRACTIONS = 2_000  # chunks, each with f_v: some 20 MB of passages at most


class Extractions:
    """What an agent has found in chunks of pages, for one item word. Kept are digests and words of public pages."""

    def __init__(self, agent: PreferenceAgent, item_word: str, *, capacity: int = KEPT_EXTRACTIONS) -> None:
        self._agent = agent
        self._item_word = item_word
        self._records: Memo[tuple[FoundRecord, ...]] = Memo(capacity)

    async def of(
        self, requests: Sequence[ExtractionRequest], config: MethodConfig, budget: Budget
    ) -> dict[ExtractionRequest, Sequence[FoundRecord]]:
        """The records of each request. Those that are asked for count as comparisons; with reuse "exact" all are.

        What an agent gave where it could not do as asked holds for this turn only. Raises what the agent raises.
        """
        found: dict[ExtractionRequest, Sequence[FoundRecord]] = {}
        if config.reuse == "incremental":
            remembered = {request: self._records.get(request.chunk, request.feature) for request in requests}
            found = {request: records for request, records in remembered.items() if records is not None}
        fresh = [request for request in dict.fromkeys(requests) if request not in found]
        if not fresh:
            return found
        budget.spend_comparisons(len(fresh))
        before = _stood_in(budget)
        records = await self._agent.extract_candidates(fresh, self._item_word, budget)
        if _stood_in(budget) == before and not budget.gave_up_model():
            for request, made in zip(fresh, records, strict=True):
                self._records.put(tuple(made), request.chunk, request.feature)
        return found | dict(zip(fresh, records, strict=True))


def _stood_in(budget: Budget) -> int:
    """How many chunks of the turn no reply could be used for."""
    return sum(setback.count for setback in budget.setbacks() if setback.step == "extract_candidates")

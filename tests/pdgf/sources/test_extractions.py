"""Records by chunk and f_v: asked for once, unless an agent could not do as asked (METHOD 6.1, 10)."""

from collections.abc import Sequence

from pdgf.ports import ExtractionRequest, FoundRecord
from pdgf.settings import MethodConfig, Preset, preset_config
from pdgf.sources.extractions import Extractions
from pdgf.usage import Budget
from tests.fakes import ScriptedAgent

ONE, TWO = (ExtractionRequest(chunk=f"{name}: quiet.", feature="a quiet film") for name in ("Salt", "Blue"))
OTHER = ExtractionRequest(chunk=ONE.chunk, feature="a loud film")
CONFIG = MethodConfig()


class Naming(ScriptedAgent):
    """Names what stands before the colon; a failing one notes that it could not."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[ExtractionRequest] = []
        self.setback: tuple[str, str] | None = None

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        self.requests += requests
        if self.setback:
            budget.set_back(*self.setback)
            return [[] for _ in requests]
        return [[FoundRecord(name=each.chunk.split(":")[0], passages=(each.chunk,))] for each in requests]


async def test_equal_chunks_with_equal_features_are_asked_for_once() -> None:
    agent = Naming()
    extractions, budget = Extractions(agent, "film"), Budget()
    first = await extractions.of([ONE, ONE, OTHER], CONFIG, budget)
    assert (agent.requests, budget.usage().comparisons) == ([ONE, OTHER], 2)
    budget = Budget()
    again = await extractions.of([ONE, TWO], CONFIG, budget)
    assert (agent.requests, budget.usage().comparisons) == ([ONE, OTHER, TWO], 1)
    assert list(again[ONE]) == list(first[ONE])
    assert [record.name for record in again[TWO]] == ["Blue"]


async def test_nothing_to_extract_asks_nobody() -> None:
    agent = Naming()
    assert await Extractions(agent, "film").of([], CONFIG, Budget()) == {}
    assert agent.requests == []


async def test_what_an_agent_could_not_read_is_asked_for_again() -> None:
    for setback in (("extract_candidates", "unreadable"), ("engine", "unreachable")):
        agent = Naming()
        extractions = Extractions(agent, "film")
        agent.setback = setback
        assert await extractions.of([ONE], CONFIG, Budget()) == {ONE: []}
        agent.setback = None
        assert [record.name for record in (await extractions.of([ONE], CONFIG, Budget()))[ONE]] == ["Salt"]


async def test_an_earlier_setback_of_the_turn_does_not_make_later_records_doubtful() -> None:
    agent, budget = Naming(), Budget()
    budget.set_back("extract_candidates", "unreadable")
    extractions = Extractions(agent, "film")
    await extractions.of([ONE], CONFIG, budget)
    await extractions.of([ONE], CONFIG, budget)
    assert agent.requests == [ONE]


async def test_with_exact_reuse_every_chunk_is_asked_for_again() -> None:
    agent, exact = Naming(), preset_config(Preset.PAPER)
    extractions = Extractions(agent, "film")
    for _ in range(2):
        await extractions.of([ONE, ONE], exact, Budget())
    assert agent.requests == [ONE, ONE]


async def test_the_least_recently_used_chunk_leaves_first() -> None:
    agent = Naming()
    extractions = Extractions(agent, "film", capacity=1)
    for request in (ONE, TWO, ONE):
        await extractions.of([request], CONFIG, Budget())
    assert agent.requests == [ONE, TWO, ONE]

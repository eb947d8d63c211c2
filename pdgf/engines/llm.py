"""The PreferenceAgent on a language model: one prompt a step of PDG-A, batched where the preset allows it (METHOD 2).

Whatever a reply cannot be used for takes the fallback of METHOD 2 and is noted on the budget as a setback. A model that
cannot be reached or will not serve raises ModelFailed: `pdgf.engines.switching` takes over from there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from pdgf.engines import llm_inputs, llm_reading
from pdgf.engines.builtin.features import feature_of, web_query
from pdgf.engines.llm_batches import in_batches
from pdgf.engines.llm_narrative import reading_of
from pdgf.engines.llm_replies import (
    CandidatesReply,
    CycleReply,
    DescriptionsReply,
    GraphReply,
    JudgementsReply,
    LabelsReply,
    NodesReply,
    QueriesReply,
)
from pdgf.errors import LanguageNotSupported, StepFailed
from pdgf.llm.calls import Rendered, Role
from pdgf.llm.prompt_files import load
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label, RelationLabel, Value
from pdgf.ports import (
    Cycle,
    ExtractionRequest,
    FoundRecord,
    NodePair,
    PairJudgement,
    PreferenceAgent,
    Reading,
    RefinementRequest,
    RelationRequest,
    RewriteRequest,
    Span,
)
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

R = TypeVar("R", bound=BaseModel)
V = TypeVar("V")

BY_DEFAULT = RelationLabel(label=Label.NOT_ADDRESSED, by_default=True)
FEATURE_CHARS = 600  # of f_v: forty words in any language, and room for a talkative model
QUERY_CHARS = 300


class Batching(Value):
    """How many comparisons share a call. One each is the method as written, more an approximation (METHOD 11.3)."""

    pairs: int = 40
    descriptions: int = 20
    queries: int = 20
    labels: int = 20
    graph_at_once: bool = True


ONE_BY_ONE = Batching(pairs=1, descriptions=1, queries=1, labels=1, graph_at_once=False)


class LLMAgent:
    """PDG-A by prompts. `reserve` reads the narrative where no reply of the model can be used."""

    def __init__(self, model: StructuredModel, *, reserve: PreferenceAgent, batching: Batching | None = None) -> None:
        self._model = model
        self._reserve = reserve
        self._batching = batching or Batching()

    async def extract_nodes(
        self, narrative: str, hard_spans: Sequence[Span] | None, config: MethodConfig, budget: Budget
    ) -> Reading:
        """Nodes and, where batching allows it, the whole edge set in the same call, which sees what both steps see.

        Raises StepFailed where the reply cannot be used and the reserve does not read the language.
        """
        at_once = self._batching.graph_at_once
        reply_type: type[NodesReply] = GraphReply if at_once else NodesReply
        prompt = load("pdgf/read_graph", GraphReply) if at_once else load("pdgf/extract_nodes", NodesReply)
        try:
            return await self._read(
                prompt.render(narrative=narrative, max_nodes=config.max_nodes),
                reply_type,
                lambda reply: reading_of(reply, narrative, hard_spans),
                role=Role.MAIN,
                max_tokens=4_000,
                budget=budget,
            )
        except StepFailed as error:
            try:
                reading = await self._reserve.extract_nodes(narrative, hard_spans, config, budget)
            except LanguageNotSupported:
                raise error from None
            budget.set_back("extract_nodes", "unreadable")
            return reading

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]:
        """d_q(u, v); independent where a reply is unusable: an invented edge is worse than a missing one."""
        prompt = load("pdgf/judge_pairs", JudgementsReply)

        async def judge(batch: Sequence[NodePair]) -> Mapping[int, PairJudgement | None]:
            return await self._read(
                prompt.render(narrative=narrative, pairs=llm_inputs.pairs_to_judge(batch)),
                JudgementsReply,
                lambda reply: llm_reading.judgements_of(reply.judgements, batch, narrative),
                max_tokens=200 + 60 * len(batch),
                budget=budget,
            )

        return await in_batches(
            pairs, self._batching.pairs, judge, otherwise=lambda _: None, step="judge_pairs", budget=budget
        )

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None:
        """e_t; None, for the edge of least confidence, where the reply is unusable."""
        prompt = load("pdgf/resolve_cycle", CycleReply)
        try:
            return await self._read(
                prompt.render(narrative=narrative, **llm_inputs.cycle_to_break(cycle)),
                CycleReply,
                lambda reply: llm_reading.edge_of(reply, cycle),
                role=Role.MAIN,
                max_tokens=300,
                budget=budget,
            )
        except StepFailed:
            budget.set_back("choose_edge_to_remove", "unreadable")
            return None

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]:
        """f_v, by the built-in engine's template where a reply is unusable.

        Ancestors without a feature are described in the same call or in one before it, which is then waited for.
        """
        prompt = load("pdgf/describe", DescriptionsReply)
        described: dict[str, str] = {}

        async def describe(batch: Sequence[RefinementRequest]) -> Mapping[int, str]:
            texts = await self._read(
                prompt.render(narrative=narrative, **llm_inputs.nodes_to_describe(narrative, batch, described)),
                DescriptionsReply,
                lambda reply: llm_reading.texts_of(
                    ((row.number, row.text) for row in reply.descriptions), len(batch), longest=FEATURE_CHARS
                ),
                role=Role.MAIN,
                max_tokens=200 + 120 * len(batch),
                budget=budget,
            )
            described.update({batch[place].node.id: text for place, text in texts.items()})
            return texts

        def by_template(request: RefinementRequest) -> str:
            return described.setdefault(request.node.id, feature_of(request))

        async def all_of(some: Sequence[RefinementRequest]) -> list[str]:
            return await in_batches(
                some, self._batching.descriptions, describe, otherwise=by_template, step="describe", budget=budget
            )

        if all(ancestor.feature for request in requests for ancestor in request.ancestors):
            return await all_of(requests)
        size = self._batching.descriptions
        in_turn = [requests[start : start + size] for start in range(0, len(requests), size)]
        return [text for some in in_turn for text in await all_of(some)]

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        """r_uv, by the built-in engine's template where a reply is unusable."""
        prompt = load("pdgf/rewrite_queries", QueriesReply)

        async def rewrite(batch: Sequence[RewriteRequest]) -> Mapping[int, str]:
            rows = llm_inputs.edges_to_search(narrative, batch)
            return await self._read(
                prompt.render(narrative=narrative, item_word=item_word, pairs=rows),
                QueriesReply,
                lambda reply: llm_reading.texts_of(
                    ((row.number, row.text) for row in reply.queries), len(batch), longest=QUERY_CHARS
                ),
                max_tokens=200 + 80 * len(batch),
                budget=budget,
            )

        def by_template(request: RewriteRequest) -> str:
            return web_query(request, item_word)

        return await in_batches(
            requests, self._batching.queries, rewrite, otherwise=by_template, step="rewrite", budget=budget
        )

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        """label(x, f), asked once for each distinct pair; NOT_ADDRESSED where a reply is unusable or x is blank.

        Comparisons of one text share a call, so that the text is sent once for all that it is compared with.
        """
        prompt = load("pdgf/label_relations", LabelsReply)
        asked = sorted((pair for pair in dict.fromkeys(requests) if pair.text.strip()), key=lambda pair: pair.text)

        async def label(batch: Sequence[RelationRequest]) -> Mapping[int, RelationLabel]:
            return await self._read(
                prompt.render(texts=llm_inputs.comparisons(batch)),
                LabelsReply,
                lambda reply: llm_reading.labels_of(reply.labels, [pair.text for pair in batch]),
                max_tokens=300 + 110 * len(batch),
                budget=budget,
            )

        labels = await in_batches(
            asked,
            self._batching.labels,
            label,
            otherwise=lambda _: BY_DEFAULT,
            text_of=lambda pair: pair.text,
            step="label_relations",
            budget=budget,
        )
        known = dict(zip(asked, labels, strict=True))
        return [known.get(pair, llm_reading.UNADDRESSED) for pair in requests]

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        """<name, year, x> for each chunk and node, one call each (METHOD 6.1); no record where a reply is unusable."""
        prompt = load("pdgf/extract_candidates", CandidatesReply)

        async def extract(batch: Sequence[ExtractionRequest]) -> Mapping[int, list[FoundRecord]]:
            [request] = batch
            return await self._read(
                prompt.render(chunk=request.chunk, feature=request.feature, item_word=item_word),
                CandidatesReply,
                lambda reply: {0: llm_reading.records_of(reply.records, request.chunk)},
                max_tokens=4_000,
                budget=budget,
            )

        return await in_batches(requests, 1, extract, otherwise=lambda _: [], step="extract_candidates", budget=budget)

    async def _read(
        self,
        rendered: Rendered,
        reply_type: type[R],
        read: Callable[[R], V],
        *,
        role: Role = Role.FAST,
        max_tokens: int,
        budget: Budget,
    ) -> V:
        """What `read` makes of a reply. It raises ReplyUnusable for one that the model is to mend."""
        readings: list[tuple[R, V]] = []

        def check(reply: R) -> R:
            readings.append((reply, read(reply)))
            return reply

        accepted = await self._model.ask(
            rendered, reply_type, role=role, max_tokens=max_tokens, budget=budget, check=check
        )
        return next(reading for reply, reading in readings if reply is accepted)

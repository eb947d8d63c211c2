"""The PreferenceAgent on a language model: one prompt a step of PDG-A, batched where the preset allows it (METHOD 2).

Whatever a reply cannot be used for takes the fallback of METHOD 2 and is noted on the budget as a setback. A model that
cannot be reached or will not serve raises ModelFailed: `pdgf.engines.switching` takes over from there.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from pdgf.engines.builtin.features import feature_of, web_query
from pdgf.engines.llm_reading import judgements_of, labels_of, reading_of, records_of, texts_of
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
from pdgf.errors import LanguageNotSupported, PromptTooLong, ReplyUnusable, StepFailed
from pdgf.llm.calls import Rendered, Role
from pdgf.llm.prompt_files import load
from pdgf.llm.structured import StructuredModel
from pdgf.models import Label, Node, RelationLabel, Value
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

T = TypeVar("T")
U = TypeVar("U")

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
        """Nodes and, where batching allows it, the whole edge set in the same call, which sees what both steps see."""
        at_once = self._batching.graph_at_once
        prompt = load("pdgf/read_graph", GraphReply) if at_once else load("pdgf/extract_nodes", NodesReply)
        try:
            reply = await self._model.ask(
                prompt.render(narrative=narrative, max_nodes=config.max_nodes),
                GraphReply if at_once else NodesReply,
                role=Role.MAIN,
                max_tokens=4_000,
                budget=budget,
                check=lambda reply: (reading_of(reply, narrative, hard_spans), reply)[1],
            )
        except StepFailed as error:
            try:
                reading = await self._reserve.extract_nodes(narrative, hard_spans, config, budget)
            except LanguageNotSupported:
                raise error from None
            budget.set_back("extract_nodes", "unreadable")
            return reading
        return reading_of(reply, narrative, hard_spans)

    async def judge_pairs(
        self, narrative: str, pairs: Sequence[NodePair], budget: Budget
    ) -> list[PairJudgement | None]:
        prompt = load("pdgf/judge_pairs", JudgementsReply)

        async def judge(batch: Sequence[NodePair]) -> list[PairJudgement | None]:
            rows = [
                {
                    "number": number,
                    "first": _shown(pair.u, pair.atom_u.text),
                    "second": _shown(pair.v, pair.atom_v.text),
                }
                for number, pair in enumerate(batch, start=1)
            ]
            rendered = prompt.render(narrative=narrative, pairs=rows)
            reply = await self._asked(
                rendered, JudgementsReply, 200 + 60 * len(batch), budget, lambda r: judgements_of(r, batch, narrative)
            )
            found, missing = judgements_of(reply, batch, narrative)
            if missing:
                budget.set_back("judge_pairs", "unreadable", missing)
            return found

        def independent(batch: Sequence[NodePair]) -> list[PairJudgement | None]:
            budget.set_back("judge_pairs", "unreadable", len(batch))
            return [None] * len(batch)

        return await _batched(pairs, self._batching.pairs, judge, independent)

    async def choose_edge_to_remove(self, narrative: str, cycle: Cycle, budget: Budget) -> tuple[str, str] | None:
        number = {node.id: position for position, node in enumerate(cycle.nodes, start=1)}
        atoms = {atom.id: atom.text for atom in cycle.atoms}
        rendered = load("pdgf/resolve_cycle", CycleReply).render(
            narrative=narrative,
            nodes=[{"number": number[node.id], **_shown(node, atoms.get(node.atom, ""))} for node in cycle.nodes],
            inner=[
                {
                    "number": position,
                    "base": number[edge.base],
                    "qualifier": number[edge.qualifier],
                    "aspect": edge.aspect.value,
                    "words": edge.span,
                }
                for position, edge in enumerate(cycle.internal_edges, start=1)
            ],
            outer=[
                {"base": number.get(edge.base), "qualifier": number.get(edge.qualifier), "words": edge.span}
                for edge in cycle.external_edges
            ],
        )
        count = len(cycle.internal_edges)

        def known(reply: CycleReply) -> None:
            if not 1 <= reply.edge <= count:
                raise ReplyUnusable(f"the number must be one of the dependencies inside the circle, 1 to {count}")

        try:
            reply = await self._asked(rendered, CycleReply, 300, budget, known, role=Role.MAIN)
        except StepFailed:
            budget.set_back("choose_edge_to_remove", "unreadable")
            return None
        edge = cycle.internal_edges[int(reply.edge) - 1]
        return edge.ends

    async def describe(self, narrative: str, requests: Sequence[RefinementRequest], budget: Budget) -> list[str]:
        """All of a list in one call where batching allows it: each description may build on those before it."""
        prompt = load("pdgf/describe", DescriptionsReply)

        async def describe(batch: Sequence[RefinementRequest]) -> list[str]:
            rendered = prompt.render(narrative=narrative, **_to_describe(batch))
            count = len(batch)
            reply = await self._asked(
                rendered,
                DescriptionsReply,
                200 + 120 * count,
                budget,
                lambda r: texts_of(((row.number, row.text) for row in r.descriptions), count, longest=FEATURE_CHARS),
                role=Role.MAIN,
            )
            rows = ((row.number, row.text) for row in reply.descriptions)
            texts = texts_of(rows, count, longest=FEATURE_CHARS)
            return _filled("describe", texts, [feature_of(request) for request in batch], budget)

        def by_template(batch: Sequence[RefinementRequest]) -> list[str]:
            budget.set_back("describe", "unreadable", len(batch))
            return [feature_of(request) for request in batch]

        return await _batched(requests, self._batching.descriptions, describe, by_template)

    async def rewrite(
        self, narrative: str, requests: Sequence[RewriteRequest], item_word: str, budget: Budget
    ) -> list[str]:
        prompt = load("pdgf/rewrite_queries", QueriesReply)

        async def rewrite(batch: Sequence[RewriteRequest]) -> list[str]:
            rows = [
                {"number": number, "base": _shown(request.base), "node": _shown(request.node)}
                for number, request in enumerate(batch, start=1)
            ]
            count = len(batch)
            reply = await self._asked(
                prompt.render(narrative=narrative, item_word=item_word, pairs=rows),
                QueriesReply,
                200 + 80 * count,
                budget,
                lambda r: texts_of(((row.number, row.text) for row in r.queries), count, longest=QUERY_CHARS),
            )
            texts = texts_of(((row.number, row.text) for row in reply.queries), count, longest=QUERY_CHARS)
            return _filled("rewrite", texts, [web_query(request, item_word) for request in batch], budget)

        def by_template(batch: Sequence[RewriteRequest]) -> list[str]:
            budget.set_back("rewrite", "unreadable", len(batch))
            return [web_query(request, item_word) for request in batch]

        return await _batched(requests, self._batching.queries, rewrite, by_template)

    async def label_relations(self, requests: Sequence[RelationRequest], budget: Budget) -> list[RelationLabel]:
        """Comparisons of one text share a call, so that the text is sent once for all that it is compared with."""
        prompt = load("pdgf/label_relations", LabelsReply)
        order = sorted(range(len(requests)), key=lambda place: requests[place].text)

        async def label(batch: Sequence[int]) -> list[RelationLabel]:
            texts = [requests[place].text for place in batch]
            rendered = prompt.render(texts=_grouped([requests[place] for place in batch]))
            reply = await self._asked(
                rendered, LabelsReply, 300 + 110 * len(batch), budget, lambda r: labels_of(r.labels, texts)
            )
            found = labels_of(reply.labels, texts)
            missing = found.count(None)
            if missing:
                budget.set_back("label_relations", "unreadable", missing)
            return [each or BY_DEFAULT for each in found]

        def unaddressed(batch: Sequence[int]) -> list[RelationLabel]:
            budget.set_back("label_relations", "unreadable", len(batch))
            return [BY_DEFAULT] * len(batch)

        labels = await _batched(order, self._batching.labels, label, unaddressed)
        by_place = dict(zip(order, labels, strict=True))
        return [by_place[place] for place in range(len(requests))]

    async def extract_candidates(
        self, requests: Sequence[ExtractionRequest], item_word: str, budget: Budget
    ) -> list[list[FoundRecord]]:
        """<name, year, x> for each chunk and node, one call each (METHOD 6.1); no record where a reply is unusable."""
        prompt = load("pdgf/extract_candidates", CandidatesReply)

        async def extract(batch: Sequence[ExtractionRequest]) -> list[list[FoundRecord]]:
            [request] = batch
            rendered = prompt.render(chunk=request.chunk, feature=request.feature, item_word=item_word)
            reply = await self._asked(rendered, CandidatesReply, 4_000, budget, lambda _: None)
            return [records_of(reply.records, request.chunk)]

        def nothing(batch: Sequence[ExtractionRequest]) -> list[list[FoundRecord]]:
            budget.set_back("extract_candidates", "unreadable", len(batch))
            return [[] for _ in batch]

        return await _batched(requests, 1, extract, nothing)

    async def _asked(
        self,
        rendered: Rendered,
        reply_type: type[Any],
        max_tokens: int,
        budget: Budget,
        check: Callable[[Any], object],
        *,
        role: Role = Role.FAST,
    ) -> Any:
        """One reply of which `check` finds nothing to complain about."""

        def checked(reply: Any) -> Any:
            check(reply)
            return reply

        return await self._model.ask(
            rendered, reply_type, role=role, max_tokens=max_tokens, budget=budget, check=checked
        )


async def _batched(
    values: Sequence[T],
    size: int,
    ask: Callable[[Sequence[T]], Awaitable[list[U]]],
    fallback: Callable[[Sequence[T]], list[U]],
) -> list[U]:
    """The answers for all values in their order, `size` of them a call, all calls at once.

    A call that is too long for the model is halved; what cannot be asked at all takes the fallback.
    """

    async def answered(batch: Sequence[T]) -> list[U]:
        try:
            return await ask(batch)
        except PromptTooLong:
            if len(batch) == 1:
                return fallback(batch)
            middle = len(batch) // 2
            return [*await answered(batch[:middle]), *await answered(batch[middle:])]
        except ReplyUnusable:
            return fallback(batch)

    batches = [values[start : start + size] for start in range(0, len(values), size)]
    tasks = [asyncio.ensure_future(answered(batch)) for batch in batches]
    try:
        return [answer for answers in await asyncio.gather(*tasks) for answer in answers]
    finally:
        for task in tasks:
            task.cancel()


def _filled(step: str, texts: Sequence[str | None], templates: Sequence[str], budget: Budget) -> list[str]:
    """The texts, with those of the template where one is missing."""
    if missing := sum(text is None for text in texts):
        budget.set_back(step, "unreadable", missing)
    return [text or template for text, template in zip(texts, templates, strict=True)]


def _shown(node: Node | None, atom: str | None = None) -> Any:
    """c_v^0 as a prompt shows it: perspective, instantiation and polarity, with the text of its atom."""
    if node is None:
        return None
    return {
        "atom": node.instantiation if atom is None else atom,
        "perspective": node.perspective,
        "instantiation": node.instantiation,
        "polarity": node.polarity.value,
    }


def _to_describe(requests: Sequence[RefinementRequest]) -> dict[str, Any]:
    """Nodes to describe and ancestors that are described already, numbered together."""
    known = {node.id: node for request in requests for node in request.ancestors if node.feature}
    bases: dict[str, set[str]] = {}
    for edge in (edge for request in requests for edge in request.edges):
        bases.setdefault(edge.qualifier, set()).add(edge.base)
    wanted = [request.node for request in requests]
    # The nodes to describe come first in number: their descriptions are asked for by it.
    number = {node.id: place for place, node in enumerate([*wanted, *known.values()], start=1)}

    def based(node: Node) -> list[int]:
        return sorted(number[base] for base in bases.get(node.id, ()) if base in number)

    return {
        "known": [{"number": number[n.id], "description": n.feature, "bases": based(n)} for n in known.values()],
        "nodes": [
            {
                "number": number[node.id],
                **_shown(node),
                "hard": node.hard,
                "strength": node.strength,
                "bases": based(node),
            }
            for node in wanted
        ],
    }


def _grouped(requests: Sequence[RelationRequest]) -> list[dict[str, Any]]:
    """Comparisons numbered in order, under the texts that they share."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for number, request in enumerate(requests, start=1):
        groups.setdefault(request.text, []).append({"number": number, "text": request.feature})
    return [
        {"number": place, "text": text, "features": features}
        for place, (text, features) in enumerate(groups.items(), start=1)
    ]

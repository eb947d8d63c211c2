"""Incremental turns: exactly a rebuild's graph, labels and list, for what is new alone (METHOD 10)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdgf.construction import build_graph, refine
from pdgf.earlier import Earlier, initial
from pdgf.identity import Exclusion
from pdgf.models import Node, PreferenceGraph, Recommendation, RemovalReason, Reused
from pdgf.ports import Ports
from pdgf.ranking import LabelCache
from pdgf.recommend import Request, recommend, widen
from pdgf.settings import MethodConfig, Preset, preset_config
from pdgf.usage import Budget
from tests.declared import ITEMS, WORDS, DeclaredAgent, DrawnShelf, from_scratch

KINDS = ("add", "change", "drop", "swap", "harden", "deny", "reject", "accept", "undo")
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 99), st.sampled_from(WORDS)), min_size=1, max_size=7)
CONFIGS = st.builds(
    MethodConfig,
    layers_at_once=st.booleans(),
    lazy_labels=st.booleans(),
    label_rounds=st.sampled_from(["few_labels", "few_rounds"]),
    skip_same_atom=st.booleans(),
    max_nodes=st.sampled_from([4, 14]),
)


@dataclass(frozen=True)
class Wish:
    word: str
    denied: bool = False
    hard: bool = False

    @property
    def text(self) -> str:
        return f"{'not ' if self.denied else ''}{self.word}"


@dataclass
class Chat:
    """A state, the ranking that was made for it, and what stood before."""

    config: MethodConfig
    agent: DeclaredAgent = field(default_factory=DeclaredAgent)
    shelf: DrawnShelf = field(default_factory=DrawnShelf)
    labels: LabelCache = field(default_factory=LabelCache)
    wishes: tuple[Wish, ...] = ()
    gone: tuple[Exclusion, ...] = ()
    found: Recommendation | None = None
    before: list[tuple[tuple[Wish, ...], tuple[Exclusion, ...], Recommendation | None]] = field(default_factory=list)

    def revise(self, kind: str, number: int, word: str) -> None:
        """One step of a conversation, on the state alone."""
        if kind == "undo":
            if self.before:
                self.wishes, self.gone, self.found = self.before.pop()
            return
        self.before.append((self.wishes, self.gone, self.found))
        place = number % len(self.wishes) if self.wishes else 0
        old, rest = self.wishes[place : place + 1], (*self.wishes[:place], *self.wishes[place + 1 :])
        if kind == "add" or not old:
            self.wishes = (*self.wishes, Wish(word, denied=number % 5 == 0))
        elif kind == "change":
            self.wishes = (*self.wishes[:place], replace(old[0], word=word), *self.wishes[place + 1 :])
        elif kind == "drop":
            self.wishes = rest or old
        elif kind == "swap":
            self.wishes = (*rest, *old)
        elif kind == "harden":
            self.wishes = tuple(replace(w, hard=not w.hard) if w is old[0] else w for w in self.wishes)
        elif kind == "deny":
            self.wishes = tuple(replace(w, denied=not w.denied) if w is old[0] else w for w in self.wishes)
        else:
            self.gone = (*self.gone, Exclusion(title=ITEMS[number % len(ITEMS)], why=f"{kind}ed"))

    async def turn(self) -> tuple[str, Request, Recommendation]:
        """The list for the state as it is now."""
        narrative, spans = "", []
        for wish in self.wishes:
            if wish.hard:
                spans.append((len(narrative), len(narrative) + len(wish.text)))
            narrative += f"{wish.text}. "
        request = Request(
            ports=Ports(agent=self.agent, source=self.shelf),
            config=self.config,
            budget=Budget(),
            hard_spans=tuple(spans),
            exclude=self.gone,
            current_year=2026,
            k=8,
            previous=self.found.graph if self.found else None,
            previous_queries=self.found.queries if self.found else (),
            labels=self.labels,
        )
        self.found = await recommend(narrative, request)
        return narrative, request, self.found


@settings(max_examples=30)
@given(config=CONFIGS, first=st.integers(0, 6), steps=STEPS)
def test_after_any_turns_graph_queries_labels_and_list_are_those_of_a_rebuild(
    config: MethodConfig, first: int, steps: Sequence[tuple[str, int, str]]
) -> None:
    async def run() -> None:
        chat = Chat(config, wishes=tuple(Wish(word) for word in WORDS[first : first + 5]))
        for step in [None, *steps]:
            if step is not None:
                chat.revise(*step)
            narrative, request, found = await chat.turn()
            alone = await from_scratch(narrative, request)
            assert found.graph == alone.graph
            assert found.queries == alone.queries
            assert [(i.candidate.id, i.score, i.demoted) for i in found.items] == [
                (i.candidate.id, i.score, i.demoted) for i in alone.items
            ]
            assert found.items == alone.items  # paths, labels, quotes and evidence too
            assert (found.pool, found.dropped) == (alone.pool, alone.dropped)

    asyncio.run(run())


@settings(max_examples=40)
@given(steps=STEPS)
def test_only_what_is_new_is_asked_for(steps: Sequence[tuple[str, int, str]]) -> None:
    """Never pairs of two known ends, descriptions or queries with equal inputs, or labels of known texts."""

    async def run() -> None:
        chat = Chat(MethodConfig(), wishes=tuple(Wish(word) for word in WORDS[:5]))
        _, _, before = await chat.turn()
        everything = set(chat.agent.labelled)
        for step in steps:
            chat.revise(*step)
            before = chat.found or before
            chat.agent = DeclaredAgent()
            _, request, found = await chat.turn()
            agent, was = chat.agent, contents(before.graph)
            now = contents(found.graph)
            kept = {node for node in now if was.get(node) == now[node]}
            judged = {frozenset((u, v)) for u in kept for v in kept if u != v and same_order(u, v, before, found)}
            assert set(agent.pairs).isdisjoint(judged)
            assert len(set(agent.pairs)) == len(agent.pairs) == len(now) * (len(now) - 1) // 2 - len(judged)
            known = {query_key(before.graph, q.base, q.node): q for q in before.queries}
            asked = {(r.base.id if r.base else None, r.node.id) for r in agent.rewritten}
            assert {(q.base, q.node) for q in found.queries} - asked == {
                (q.base, q.node) for q in found.queries if query_key(found.graph, q.base, q.node) in known
            }
            fresh = {r.node.id for r in agent.described}
            for node in set(now) - fresh:
                assert found.graph.node_by_id[node].feature == before.graph.node_by_id[node].feature
            assert not set(agent.labelled) & everything
            assert len(set(agent.labelled)) == len(agent.labelled)
            everything |= set(agent.labelled)
            usage, reused = request.budget.usage(), request.budget.reused()
            assert usage.comparisons == len(agent.pairs) + len(agent.described) + len(agent.labelled)
            assert reused.pairs == len(judged)
            assert reused.descriptions == len(now) - len(fresh)
            assert reused.queries == len(found.queries) - len(asked)

    asyncio.run(run())


def contents(graph: PreferenceGraph) -> dict[str, object]:
    atoms = {atom.id: atom for atom in graph.atoms}
    return {node.id: initial(node, atoms[node.atom]) for node in graph.nodes}


def same_order(u: str, v: str, before: Recommendation, found: Recommendation) -> bool:
    def first(graph: PreferenceGraph) -> Node:
        return min((graph.node_by_id[u], graph.node_by_id[v]), key=lambda node: (node.order, node.id))

    return first(before.graph).id == first(found.graph).id


def query_key(graph: PreferenceGraph, base: str | None, node: str) -> tuple[object, ...]:
    told = contents(graph)
    return base and told[base], told[node]


async def chat_of(*words: str, density: float = 0.5, config: MethodConfig | None = None) -> Chat:
    chat = Chat(config or MethodConfig(), agent=DeclaredAgent(density), wishes=tuple(map(Wish, words)))
    await chat.turn()
    return chat


async def test_a_cycle_that_has_not_changed_is_not_asked_about_again() -> None:
    chat = await chat_of(*WORDS[:8])
    asked = chat.agent.cycles
    assert asked > 0
    assert any(e.reason is RemovalReason.CYCLE for e in chat.found.graph.removed_edges) if chat.found else False
    chat.gone = (Exclusion(title=ITEMS[0], why="rejected"),)
    await chat.turn()
    assert chat.agent.cycles == asked


async def test_a_wish_made_hard_is_described_anew_and_judged_against_no_other() -> None:
    chat = await chat_of(*WORDS[:6], density=0.0)
    chat.agent = DeclaredAgent(0.0)
    chat.revise("harden", 2, "")
    _, request, found = await chat.turn()
    assert (chat.agent.pairs, chat.agent.rewritten) == ([], [])
    assert [r.node.instantiation for r in chat.agent.described] == [WORDS[2]]
    assert found.graph.nodes[2].hard
    assert request.budget.reused().pairs == 7 * 6 // 2  # delta is read in two ways


async def test_a_wish_mentioned_in_other_letters_is_the_same_node_and_judged_by_its_new_words() -> None:
    """Equal ids do not mean equal inputs: ids fold case, steps are shown the words as they stand."""
    agent, config = DeclaredAgent(), MethodConfig()
    before, _ = await build_graph("alpha. beta. gamma.", agent=agent, config=config, budget=Budget())
    again = DeclaredAgent()
    after, _ = await build_graph(
        "Alpha. beta. gamma.", agent=again, config=config, budget=Budget(), earlier=Earlier(before)
    )
    assert [node.id for node in after.nodes] == [node.id for node in before.nodes]
    alpha, beta, gamma = (node.id for node in after.nodes)
    assert set(again.pairs) == {frozenset((alpha, beta)), frozenset((alpha, gamma))}


async def test_with_exact_reuse_everything_is_asked_again() -> None:
    chat = await chat_of(*WORDS[:5], config=preset_config(Preset.PAPER))
    chat.agent = DeclaredAgent()
    _, request, found = await chat.turn()
    assert len(chat.agent.pairs) == 6 * 5 // 2  # delta is read in two ways
    assert len(chat.agent.described) == 6
    assert len(chat.agent.rewritten) == len(found.queries)
    assert request.budget.reused().model_copy(update={"labels": 0}) == Reused()


async def test_a_dropped_wish_brings_its_shortcuts_and_cycle_edges_back() -> None:
    """T10, at every node of a graph with both: the graph is that of E^0 without the node."""
    chat = await chat_of(*WORDS[:9])
    whole = chat.found
    assert whole is not None
    assert {e.reason for e in whole.graph.removed_edges} == set(RemovalReason)
    for place in range(len(chat.wishes)):
        less = replace(chat, wishes=(*chat.wishes[:place], *chat.wishes[place + 1 :]), agent=DeclaredAgent())
        narrative, request, found = await less.turn()
        assert less.agent.pairs == []
        assert {e.ends for e in found.graph.initial_edges} == {
            e.ends for e in whole.graph.initial_edges if set(e.ends) <= set(found.graph.order)
        }
        assert found.graph == (await from_scratch(narrative, request)).graph


async def test_what_a_turn_did_itself_is_not_counted_as_reused_when_the_list_is_widened() -> None:
    chat = Chat(MethodConfig(), wishes=tuple(map(Wish, WORDS[:5])))
    _, request, found = await chat.turn()
    assert request.budget.reused() == Reused()
    await widen(found, request)
    assert request.budget.reused() == Reused()


@pytest.mark.parametrize("step", ["extract_nodes", "judge_pairs", "describe", "rewrite", "engine"])
async def test_a_graph_for_which_an_agent_was_stood_in_is_provisional(step: str) -> None:
    chat = Chat(MethodConfig(), wishes=tuple(map(Wish, WORDS[:3])))
    assert not (await chat.turn())[2].provisional
    narrative, request, _ = await chat.turn()
    request.budget.set_back(step, "unreadable")
    again = await recommend(narrative, request)
    assert again.provisional
    assert (await widen(again, replace(request, budget=Budget()))).provisional


async def test_labels_that_could_not_be_had_leave_the_graph_to_the_next_turn() -> None:
    chat = Chat(MethodConfig(), wishes=tuple(map(Wish, WORDS[:3])))
    narrative, request, _ = await chat.turn()
    request.budget.set_back("label_relations", "unreadable")
    assert not (await recommend(narrative, request)).provisional


async def test_a_description_in_another_language_is_not_taken_over() -> None:
    agent, config = DeclaredAgent(0.0), MethodConfig()
    graph, _ = await build_graph("alpha. beta.", agent=agent, config=config, budget=Budget())
    described = await refine(graph, agent=agent, config=config, budget=Budget())
    for language, asked in (("en", 0), ("zh", 2)):
        other = DeclaredAgent(0.0)
        await refine(
            graph.model_copy(update={"language": language}), agent=other, config=config, budget=Budget(),
            earlier=Earlier(described),
        )  # fmt: skip
        assert len(other.described) == asked

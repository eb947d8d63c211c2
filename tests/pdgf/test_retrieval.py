"""Queries along E+ and who leaves the pool before labelling (METHOD 5.1, 6.4, 7.6)."""

from pdgf.constraints import schema_of
from pdgf.construction import build_graph
from pdgf.identity import Exclusion
from pdgf.models import Atom, AtomKind, Candidate, Evidence, Passage, PreferenceGraph, Source
from pdgf.ports import Acquired
from pdgf.retrieval import directed_paths, exclude, write_queries
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import ScriptedAgent

DIAMOND = {("A", "B"): 1.0, ("A", "C"): 1.0, ("B", "D"): 1.0, ("C", "D"): 1.0, ("A", "D"): 1.0}


async def graph_of(agent: ScriptedAgent, narrative: str = "a narrative") -> PreferenceGraph:
    graph, _ = await build_graph(narrative, agent=agent, config=MethodConfig(), budget=Budget())
    return graph


def pool(*titles: tuple[str, int | None]) -> Acquired:
    candidates = tuple(Candidate(id=f"{title}-{year}", title=title, year=year) for title, year in titles)
    passage = Passage(text="something", source=Source(id="s"))
    return Acquired(
        candidates=candidates,
        evidence=tuple(Evidence(candidate=c.id, node="n", passages=(passage,)) for c in candidates),
    )


def kept(acquired: Acquired) -> list[str]:
    assert {e.candidate for e in acquired.evidence} == {c.id for c in acquired.candidates}
    return [candidate.id for candidate in acquired.candidates]


async def test_there_is_one_query_for_each_edge_and_each_root() -> None:
    """T1: four edges and one root make five queries."""
    agent = ScriptedAgent("ABCD", DIAMOND)
    graph = await graph_of(agent)
    queries = await write_queries(graph, agent=agent, item_word="film", budget=Budget())
    assert len(queries) == len(graph.edges) + len(graph.roots()) == 5
    assert [query.node for query in queries if query.base is None] == [agent.id_of("A")]
    assert {query.node for query in queries} == {node.id for node in graph.nodes}


async def test_isolated_nodes_are_roots_with_an_entry_query() -> None:
    graph = await graph_of(ScriptedAgent("AB"))
    assert directed_paths(graph) == ((None, graph.order[0]), (None, graph.order[1]))


async def test_the_rewriter_never_sees_a_description() -> None:
    agent = ScriptedAgent("ABCD", DIAMOND)
    await write_queries(await graph_of(agent), agent=agent, item_word="film", budget=Budget())
    shown = [node for request in agent.rewritten for node in (request.base, request.node) if node is not None]
    assert shown
    assert all(node.feature == "" for node in shown)


async def test_a_catalogue_is_searched_with_plain_words() -> None:
    agent = ScriptedAgent("AB", {("A", "B"): 1.0})
    queries = await write_queries(await graph_of(agent), agent=agent, item_word="film", budget=Budget())
    assert [query.words for query in queries] == ["A", "A B"]


async def test_a_reference_leaves_the_pool_and_its_remake_stays() -> None:
    """T20: Dune (1984) is named; the film of 2021 is kept, 1984 and the undated one are excluded."""
    named = Atom(id="r", text="Dune", span=(0, 4), kind=AtomKind.REFERENCE, year=1984)
    graph = await graph_of(ScriptedAgent("A", atoms=[named]))
    left = exclude(
        pool(("Dune", 2021), ("Dune", 1984), ("Dune", None)),
        graph=graph, exclude=(), config=MethodConfig(), current_year=2026,
    )  # fmt: skip
    assert kept(left) == ["Dune-2021"]
    assert {(note.what, note.why) for note in left.dropped} == {("Dune", "reference")}


async def test_rejected_items_leave_with_their_own_reason() -> None:
    graph = await graph_of(ScriptedAgent("A"))
    gone = Exclusion(title="Ferry", year=1999, why="rejected")
    left = exclude(
        pool(("Ferry", 1999), ("Quay", 2000)), graph=graph, exclude=(gone,), config=MethodConfig(), current_year=2026
    )
    assert kept(left) == ["Quay-2000"]
    assert [(note.what, note.why) for note in left.dropped] == [("Ferry", "rejected")]


async def test_the_year_rule_filters_by_explicit_wishes_only() -> None:
    """T19: a title's year is no wish; `max_mentioned` belongs to one benchmark; an undated item is kept."""
    named = Atom(id="r", text="Inception", span=(8, 24), kind=AtomKind.FEEDBACK, year=2010)
    graph = await graph_of(ScriptedAgent("A", atoms=[named]), "I liked Inception (2010)")
    films = pool(("New", 2015), ("Undated", None))
    explicit = exclude(films, graph=graph, exclude=(), config=MethodConfig(), current_year=2026)
    benchmark = exclude(
        films, graph=graph, exclude=(), config=MethodConfig(year_rule="max_mentioned"), current_year=2026
    )
    assert kept(explicit) == ["New-2015", "Undated-None"]
    assert kept(benchmark) == ["Undated-None"]


async def test_a_stated_period_drops_what_lies_outside_it() -> None:
    graph = await graph_of(ScriptedAgent("A"), "a comedy from the 90s")
    left = exclude(
        pool(("Old", 1989), ("In", 1995), ("New", 2000)),
        graph=graph, exclude=(), config=MethodConfig(), current_year=2026,
    )  # fmt: skip
    assert kept(left) == ["In-1995"]
    assert {note.why for note in left.dropped} == {"year"}


async def test_what_a_wish_is_checked_against_does_not_shrink_with_the_pool() -> None:
    graph = await graph_of(ScriptedAgent("A"))
    schema = schema_of([Candidate(id="x", title="X", metadata={"location": "North Quay"})])
    gone = Exclusion(title="Ferry", year=1999, why="rejected")
    films = pool(("Ferry", 1999)).model_copy(update={"known_metadata": schema})
    left = exclude(films, graph=graph, exclude=(gone,), config=MethodConfig(), current_year=2026)
    assert left.candidates == ()
    assert left.known_metadata == schema

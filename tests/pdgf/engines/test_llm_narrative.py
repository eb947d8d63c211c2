"""From the reply of a reading to atoms, nodes and edges: what stands in the narrative, and where (METHOD 4.2)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.engines.llm_narrative import NAME_CHARS, reading_of
from pdgf.engines.llm_replies import GraphReply, NodesReply
from pdgf.errors import ReplyUnusable
from pdgf.identity import Exclusion, is_excluded
from pdgf.models import Polarity, node_id
from pdgf.ports import Reading, Span

NARRATIVE = (
    "A slow mystery in a small\ntown, with dry humour. Told slowly, with romance. No gore; romance only at the end."
)


def atom(number: int, text: str, kind: str = "criterion", **more: Any) -> dict[str, Any]:
    return {"id": f"a{number}", "text": text, "kind": kind, **more}


def node(number: int, of: int, instantiation: str, perspective: str = "theme", **more: Any) -> dict[str, Any]:
    return {
        "id": f"n{number}", "atom": f"a{of}", "perspective": perspective, "instantiation": instantiation, **more
    }  # fmt: skip


def read(
    atoms: list[dict[str, Any]],
    nodes: list[dict[str, Any]],
    narrative: str = NARRATIVE,
    *,
    edges: list[dict[str, Any]] | None = None,
    hard_spans: tuple[Span, ...] | None = None,
    language: str = "en",
) -> Reading:
    given_reply = {"language": language, "atoms": atoms, "nodes": nodes}
    if edges is None:
        return reading_of(NodesReply.model_validate(given_reply), narrative, hard_spans)
    return reading_of(GraphReply.model_validate({**given_reply, "edges": edges}), narrative, hard_spans)


def one_each(*texts: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """An atom and a node for each text."""
    numbered = list(enumerate(texts, start=1))
    return [atom(n, text) for n, text in numbered], [node(n, n, text, words=text) for n, text in numbered]


def words_of(reading: Reading, narrative: str = NARRATIVE) -> list[str]:
    return [narrative[slice(*each.span)] for each in reading.nodes]


def test_atoms_have_the_words_and_the_span_of_the_narrative_in_order_of_first_mention() -> None:
    reading = read(*one_each("no gore", "a SLOW mystery", "small town"))
    assert [(each.id, each.text) for each in reading.atoms] == [
        ("a1", "A slow mystery"),
        ("a2", "small\ntown"),
        ("a3", "No gore"),
    ]
    assert all(NARRATIVE[slice(*each.span)] == each.text for each in reading.atoms)
    assert [each.atom for each in reading.nodes] == ["a1", "a2", "a3"]
    assert [each.order for each in reading.nodes] == [0, 1, 2]


def test_a_word_that_stands_there_twice_is_the_place_behind_the_atom_before() -> None:
    first, second = NARRATIVE.index("romance"), NARRATIVE.rindex("romance")
    assert read(*one_each("dry humour", "romance")).atoms[1].span[0] == first
    assert read(*one_each("No gore", "romance")).atoms[1].span[0] == second


def test_two_atoms_of_one_word_have_a_place_each_and_a_third_shares_the_first() -> None:
    reading = read(*one_each("romance", "romance", "romance"))
    assert [each.span[0] for each in reading.atoms] == [
        NARRATIVE.index("romance"),
        NARRATIVE.index("romance"),
        NARRATIVE.rindex("romance"),
    ]


def test_a_word_inside_an_earlier_atom_is_rather_its_place_outside_of_it() -> None:
    reading = read(*one_each("a slow mystery", "slow"), "A slow mystery, and slow.")
    assert [each.span for each in reading.atoms] == [(0, 14), (20, 24)]
    reading = read(*one_each("a slow mystery", "slow"), "A slow mystery.")
    assert [each.span for each in reading.atoms] == [(0, 14), (2, 6)]


def test_an_atom_that_is_not_in_the_narrative_is_left_out_with_its_nodes_and_that_is_said() -> None:
    reading = read(*one_each("slow mystery", "dry humour", "a happy end"))
    assert [each.text for each in reading.atoms] == ["slow mystery", "dry humour"]
    assert [each.instantiation for each in reading.nodes] == ["slow mystery", "dry humour"]
    assert [(note.what, note.why) for note in reading.notes] == [
        ("a happy end", "not in the narrative"),
        ("a happy end", "no reading of an atom"),
    ]


def test_mostly_invented_atoms_make_a_reply_unusable_and_the_model_is_told_one() -> None:
    with pytest.raises(ReplyUnusable, match="a happy end"):
        read(*one_each("slow mystery", "a happy end", "a sad start"))


@pytest.mark.parametrize(
    ("atoms", "nodes"),
    [
        ([atom(1, "slow mystery")], []),
        ([atom(1, "slow mystery")], [node(1, 2, "slow")]),
        ([], [node(1, 1, "slow")]),
        ([atom(1, "slow mystery")], [node(1, 1, "--")]),
        ([atom(1, "slow mystery")], [node(1, 1, "x" * (NAME_CHARS + 1))]),
        ([atom(1, "slow mystery")], [node(1, 1, "slow", perspective="")]),
    ],
)
def test_wishes_without_a_node_make_a_reply_unusable(atoms: list[dict[str, Any]], nodes: list[dict[str, Any]]) -> None:
    with pytest.raises(ReplyUnusable, match="node"):
        read(atoms, nodes)


def test_a_narrative_without_a_wish_has_neither_atoms_nor_nodes() -> None:
    assert read([], [], "Hello there!") == Reading(language="en", atoms=(), nodes=())


def test_a_title_that_is_only_left_out_needs_no_node() -> None:
    reading = read([atom(1, "Dune", "feedback")], [], "Not Dune again.")
    assert [each.text for each in reading.atoms] == ["Dune"]


@pytest.mark.parametrize(
    ("narrative", "text", "said", "year"),
    [
        ("Like Dune (1984), but short.", "Dune", None, 1984),
        ("Like Dune (1984), but short.", "Dune (1984)", None, 1984),
        ("Like “Dune” (1984 film), but short.", '"Dune"', 2021, 1984),
        ("Like *Dune* [1984].", "Dune", 1984, 1984),
        ("类似《Dune》（1984）的电影", "《Dune》（1984）", None, 1984),
        ("Like Dune, from 1984.", "Dune", 1984, 1984),
        ("Like Dune, but short.", "Dune", 1965, None),
        ("Like Dune (in 20 words).", "Dune", None, None),
    ],
)
def test_the_year_of_a_title_is_that_of_the_narrative_and_never_one_from_memory(
    narrative: str, text: str, said: int | None, year: int | None
) -> None:
    [found] = read([atom(1, text, "reference", year=said)], [], narrative).atoms
    assert (found.text, found.year) == ("Dune", year)
    assert narrative[slice(*found.span)] == "Dune"


def test_a_title_with_its_year_excludes_that_item_and_not_its_remake() -> None:
    """T20 of METHOD 8."""
    [found] = read([atom(1, "Dune (1984)", "reference")], [], "Like Dune (1984)").atoms
    named = [Exclusion(title=found.text, year=found.year, why="reference")]
    assert [is_excluded("Dune", year, named) for year in (2021, 1984, None)] == [False, True, True]


def test_a_criterion_has_no_year_and_a_title_is_never_hard() -> None:
    atoms = [atom(1, "Dune", "feedback", hard=True), atom(2, "no gore", hard=True, year=1984)]
    reading = read(atoms, [node(1, 2, "gore", polarity="avoid")], "Dune (1984) was good. No gore.")
    assert [(each.hard, each.year) for each in reading.atoms] == [(False, 1984), (True, None)]
    assert [each.hard for each in reading.nodes] == [True]


@pytest.mark.parametrize(
    ("hard_spans", "hard"),
    [(None, [False, True]), ((), [False, False]), (((3, 4),), [True, False]), (((0, 2), (14, 30)), [True, False])],
)
def test_hardness_is_that_of_the_spans_where_they_are_given(
    hard_spans: tuple[Span, ...] | None, hard: list[bool]
) -> None:
    atoms, nodes = one_each("A slow mystery", "No gore")
    atoms[1]["hard"] = True
    reading = read(atoms, nodes, hard_spans=hard_spans)
    assert [each.hard for each in reading.atoms] == [each.hard for each in reading.nodes] == hard


def test_a_span_that_only_touches_an_atom_does_not_make_it_hard() -> None:
    assert not read(*one_each("A slow mystery"), hard_spans=((14, 20),)).atoms[0].hard


def test_a_node_is_named_inside_its_atom_or_else_across_its_ends_or_else_anywhere() -> None:
    atoms = [atom(1, "Told slowly"), atom(2, "romance only"), atom(3, "mystery in a small")]
    nodes = [
        node(1, 1, "slow pace", words="slowly"),
        node(2, 2, "romance", words="romance"),
        node(3, 2, "late romance", words="romance only at the end"),
        node(4, 3, "small town", words="small town"),
        node(5, 3, "genre", words=""),
        node(6, 3, "slowness", words="slow"),
    ]
    reading = read(atoms, nodes)
    assert dict(zip([each.instantiation for each in reading.nodes], words_of(reading), strict=True)) == {
        "slowness": "slow",
        "genre": "mystery in a small",
        "small town": "small\ntown",
        "slow pace": "slowly",
        "romance": "romance",
        "late romance": "romance only at the end",
    }
    assert next(n for n in reading.nodes if n.instantiation == "romance").span[0] == NARRATIVE.rindex("romance")


def test_nodes_are_in_the_order_of_the_words_that_name_them_and_then_in_that_of_the_reply() -> None:
    atoms = [atom(1, "Dune", "feedback"), atom(2, "a small\ntown")]
    nodes = [node(1, 2, "small town", words="small town"), node(2, 1, "desert"), node(3, 1, "politics")]
    reading = read(atoms, nodes, "I loved Dune. Now a small town.")
    assert [(each.instantiation, each.order) for each in reading.nodes] == [
        ("desert", 0),
        ("politics", 1),
        ("small town", 2),
    ]


def test_equal_readings_of_one_atom_are_one_node_and_those_of_two_atoms_are_two() -> None:
    atoms = [atom(1, "a slow mystery"), atom(2, "told slowly"), atom(3, "no gore")]
    nodes = [
        node(1, 1, "Slow", "pace", words="slow"),
        node(2, 1, " slow ", "Pace"),
        node(3, 2, "slow", "pace", words="slowly"),
        node(4, 3, "gore", polarity="avoid"),
        node(5, 3, "gore"),
    ]
    reading = read(atoms, nodes)
    assert [(n.perspective, n.instantiation, n.polarity, n.order) for n in reading.nodes] == [
        ("pace", "slow", Polarity.WANT, 0),
        ("pace", "slow", Polarity.WANT, 1),
        ("theme", "gore", Polarity.AVOID, 2),
        ("theme", "gore", Polarity.WANT, 3),
    ]
    assert reading.nodes[0].id == node_id("a slow mystery", "pace", "slow", Polarity.WANT)
    assert len({each.id for each in reading.nodes}) == 4


def test_an_atom_said_twice_word_for_word_has_one_node_because_ids_are_made_of_words() -> None:
    reading = read(*one_each("romance", "romance"))
    assert [each.atom for each in reading.nodes] == ["a1"]
    assert [each.id for each in reading.atoms] == ["a1", "a2"]


def test_the_id_of_a_node_stays_when_the_narrative_grows_and_atoms_are_numbered_otherwise() -> None:
    [before] = read(*one_each("dry humour"), "With dry  humour.").nodes
    after = read(*one_each("a hotel", "dry humour"), "In a hotel. With Dry humour.").nodes[1]
    assert after.id == before.id
    assert (before.order, after.order) == (0, 1)


def test_strength_is_in_the_words_of_the_narrative_or_empty() -> None:
    atoms, nodes = one_each("romance only at the end", "No gore")
    nodes[0]["strength"], nodes[1]["strength"] = "ONLY", "never ever"
    assert [each.strength for each in reversed(read(atoms, nodes).nodes)] == ["only", ""]


def test_of_two_rows_with_one_id_the_first_counts() -> None:
    atoms = [atom(1, "slow mystery"), atom(1, "no gore"), atom(2, "dry humour")]
    nodes = [node(1, 1, "mystery"), node(1, 2, "humour"), node(2, 2, "dryness")]
    reading = read(atoms, nodes, edges=[{"base": "n1", "qualifier": "n2"}])
    assert [each.text for each in reading.atoms] == ["slow mystery", "dry humour"]
    assert [each.instantiation for each in reading.nodes] == ["mystery", "humour", "dryness"]
    assert reading.judgements is not None
    [edge] = reading.judgements
    assert (edge.base, edge.qualifier) == (reading.nodes[0].id, reading.nodes[2].id)


@pytest.mark.parametrize(
    ("said", "narrative", "language"),
    [
        ("fr", "Un mystère lent", "fr"),
        ("und", "安静的餐厅", "zh"),
        ("zh", "A slow one", "zh"),
        ("", "A slow one", "en"),
    ],
)
def test_the_language_is_the_models_word_or_that_of_the_script(said: str, narrative: str, language: str) -> None:
    assert read([], [], narrative, language=said).language == language


def test_a_chinese_narrative_has_its_spans_too() -> None:
    narrative = "想找一家安静的 拉面店，不要太贵，最好安静。"
    nodes = [
        node(1, 1, "拉面", "dish", words="拉面"),
        node(2, 2, "贵", "price", words="贵", polarity="avoid", strength="不要太"),
        node(3, 3, "安静", "noise", words="安静"),
    ]
    reading = read([atom(1, "安静的拉面店"), atom(2, "不要太贵"), atom(3, "安静")], nodes, narrative)
    assert [narrative[slice(*each.span)] for each in reading.atoms] == ["安静的 拉面店", "不要太贵", "安静"]
    assert reading.atoms[2].span[0] == narrative.rindex("安静")
    assert [each.strength for each in reading.nodes] == ["", "不要太", ""]


EDGES = one_each("slow mystery", "small town", "dry humour")


def edge(base: int, qualifier: int, **more: Any) -> dict[str, Any]:
    return {"base": f"n{base}", "qualifier": f"n{qualifier}", **more}


def judged(*edges: dict[str, Any]) -> list[tuple[str, str, str, float]]:
    reading = read(*EDGES, edges=list(edges))
    names = {each.id: each.instantiation for each in reading.nodes}
    return [(names[j.base], names[j.qualifier], j.span, j.confidence) for j in reading.judgements or ()]


def test_without_an_edge_set_the_pairs_are_still_to_be_judged_and_an_empty_one_judges_all() -> None:
    assert read(*EDGES).judgements is None
    assert read(*EDGES, edges=[]).judgements == ()


def test_an_edge_ties_two_known_nodes_by_words_of_the_narrative() -> None:
    assert judged(edge(1, 2, words="IN  a", confidence=0.9), edge(1, 3, words="by way of", confidence=0.6)) == [
        ("slow mystery", "small town", "in a", 0.9),
        ("slow mystery", "dry humour", "", 0.6),
    ]
    assert judged(edge(1, 1), edge(1, 9), edge(8, 2), edge(1, 2, confidence=0.4)) == []


def test_of_two_edges_of_a_pair_the_surer_stays_and_of_two_equally_sure_directions_neither() -> None:
    forth, back = ("slow mystery", "small town"), ("small town", "slow mystery")
    assert [each[:2] for each in judged(edge(1, 2, confidence=0.6), edge(2, 1, confidence=0.9))] == [back]
    assert [each[:2] for each in judged(edge(1, 2, confidence=0.9), edge(2, 1, confidence=0.6))] == [forth]
    assert [each[:2] for each in judged(edge(1, 2, confidence=0.7), edge(1, 2, confidence=0.7))] == [forth]
    assert judged(edge(1, 2, confidence=0.7), edge(2, 1, confidence=0.7)) == []


def test_an_edge_between_two_names_of_one_node_is_none() -> None:
    reading = read([atom(1, "slow mystery")], [node(1, 1, "slow"), node(2, 1, "Slow")], edges=[edge(1, 2)])
    assert reading.judgements == ()


WORDS = ["slow", "mystery", "small town", "dry humour", "romance", "gore", "absent", "A", ""]


@given(
    texts=st.lists(st.sampled_from(WORDS), max_size=14),
    named=st.lists(st.tuples(st.integers(1, 15), st.sampled_from(WORDS), st.sampled_from(WORDS)), max_size=20),
    tied=st.lists(st.tuples(st.integers(1, 21), st.integers(1, 21)), max_size=40),
    hard=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 100)), max_size=3),
)
def test_whatever_a_reply_says_the_reading_holds_together_or_is_refused(
    texts: list[str], named: list[tuple[int, str, str]], tied: list[tuple[int, int]], hard: list[Span]
) -> None:
    atoms = [atom(number, text) for number, text in enumerate(texts, start=1)]
    nodes = [node(n, of, name, words=words) for n, (of, name, words) in enumerate(named, start=1)]
    try:
        reading = read(atoms, nodes, edges=[edge(*ends) for ends in tied], hard_spans=tuple(hard))
    except ReplyUnusable:
        return
    assert [each.span for each in reading.atoms] == sorted(each.span for each in reading.atoms)
    assert [each.id for each in reading.atoms] == [f"a{n}" for n in range(1, len(reading.atoms) + 1)]
    assert all(NARRATIVE[slice(*each.span)] == each.text for each in reading.atoms)
    ids = [each.id for each in reading.nodes]
    assert len(set(ids)) == len(ids)
    assert {each.atom for each in reading.nodes} <= {each.id for each in reading.atoms}
    assert [each.order for each in reading.nodes] == list(range(len(ids)))
    pairs = [frozenset((each.base, each.qualifier)) for each in reading.judgements or ()]
    assert len(set(pairs)) == len(pairs)
    assert all(len(pair) == 2 and pair <= set(ids) for pair in pairs)

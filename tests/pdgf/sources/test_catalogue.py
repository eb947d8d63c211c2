"""Evidence from a catalogue: recall at E+ edges, records x_{v,i}, passages for answers."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pdgf.catalogues.reading import CatalogueItem, Review, read_items
from pdgf.embedding import CachedEmbedder, MiniLMEmbedder
from pdgf.errors import BudgetSpent
from pdgf.models import (
    Atom,
    AtomKind,
    Evidence,
    Metadata,
    Node,
    Polarity,
    PreferenceGraph,
    QualificationEdge,
    SearchQuery,
)
from pdgf.ports import Acquired, EvidenceSource, ItemCatalogue, ReviewIndex, Vectors
from pdgf.settings import MethodConfig
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.index import open_index
from pdgf.sources.recall import RANK_OFFSET, found_first, recall
from pdgf.usage import Budget
from tests.fakes import HashingEmbedder

VALLEY = Path(__file__).parents[1] / "catalogue_files" / "valley.jsonl"
ITEMS = read_items(VALLEY).items
CONFIG = MethodConfig()


class BlindEmbedder(HashingEmbedder):
    """Finds nothing similar, so that only words count."""

    id = "blind-64"

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return np.zeros((len(texts), self.dimension), np.float32)


async def source_of(
    tmp_path: Path, items: tuple[CatalogueItem, ...] = ITEMS, embedder: HashingEmbedder | None = None
) -> tuple[CatalogueSource, HashingEmbedder]:
    embedder = embedder or HashingEmbedder()
    source = CatalogueSource(await open_index(items, embedder=embedder, folder=tmp_path / "index"), embedder)
    embedder.calls.clear()
    return source, embedder


def node(name: str, text: str, *, feature: str = "", avoid: bool = False) -> Node:
    polarity = Polarity.AVOID if avoid else Polarity.WANT
    return Node(id=name, atom="a", perspective="", instantiation=text, polarity=polarity, feature=feature or text)


def graph_of(*nodes: Node, edges: tuple[tuple[str, str], ...] = ()) -> tuple[PreferenceGraph, list[SearchQuery]]:
    """A graph over nodes given in topological order, with one query for each edge of E+."""
    links = tuple(QualificationEdge(base=base, qualifier=qualifier) for base, qualifier in edges)
    graph = PreferenceGraph(narrative="", nodes=nodes, edges=links, order=tuple(n.id for n in nodes))
    queries = []
    for qualifier in nodes:
        for base in graph.bases(qualifier.id) or (None,):
            words = f"{graph.node_by_id[base].instantiation} " if base else ""
            queries.append(
                SearchQuery(base=base, node=qualifier.id, text="", words=f"{words}{qualifier.instantiation}")
            )
    return graph, queries


async def acquired(source: CatalogueSource, *nodes: Node, config: MethodConfig = CONFIG) -> Acquired:
    graph, queries = graph_of(*nodes)
    return await source.acquire(graph, queries, config, Budget())


def record(found: Acquired, item: str, at: str) -> Evidence | None:
    return next((e for e in found.evidence if (e.candidate, e.node) == (item, at)), None)


async def test_it_is_an_evidence_source_a_review_index_and_a_catalogue(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path)
    as_source: EvidenceSource = source
    as_reviews: ReviewIndex = source
    as_catalogue: ItemCatalogue = source
    assert as_source is as_reviews is as_catalogue
    assert [candidate.id for candidate in source.items()] == [item.id for item in ITEMS]
    assert source.metadata_of("eat-tin-drum")["location"] == "Mill Lane"
    with pytest.raises(KeyError):
        source.metadata_of("eat-nothing")


async def test_all_queries_and_features_are_encoded_in_one_call(tmp_path: Path) -> None:
    source, embedder = await source_of(tmp_path)
    nodes = [node("a", "quiet", feature="It is quiet"), node("b", "talk", feature="One can talk"), node("c", "ravioli")]
    graph, queries = graph_of(*nodes, edges=(("a", "b"), ("a", "c")))
    budget = Budget()
    await source.acquire(graph, queries, CONFIG, budget)
    assert embedder.calls == [["quiet", "quiet talk", "quiet ravioli", "It is quiet", "One can talk", "ravioli"]]
    assert budget.usage().searches == 3


async def test_words_that_were_searched_before_are_neither_counted_nor_computed_again(tmp_path: Path) -> None:
    source, embedder = await source_of(tmp_path)
    nodes = [node("a", "quiet"), node("b", "talk"), node("c", "ravioli")]
    await source.acquire(*graph_of(*nodes[:2], edges=(("a", "b"),)), CONFIG, Budget())
    graph, queries = graph_of(*nodes, edges=(("a", "b"), ("a", "c")))
    budget = Budget()
    found = await source.acquire(graph, queries, CONFIG, budget)
    assert budget.usage().searches == 1
    assert budget.reused().searches == 2
    assert embedder.calls[-1] == ["quiet ravioli", "quiet", "talk", "ravioli"]
    fresh, _ = await source_of(tmp_path)
    assert found == await fresh.acquire(graph, queries, CONFIG, Budget())


@pytest.mark.parametrize(
    ("config", "searches"),
    [(MethodConfig(), 0), (MethodConfig(reuse="exact"), 1), (MethodConfig(catalogue_recall=1), 1),
     (MethodConfig(evidence_top_k=1), 1), (MethodConfig(passages_per_record=1), 0)],
)  # fmt: skip
async def test_a_recall_is_known_for_the_numbers_that_it_depends_on(
    tmp_path: Path, config: MethodConfig, searches: int
) -> None:
    source, _ = await source_of(tmp_path)
    graph, queries = graph_of(node("a", "quiet"))
    await source.acquire(graph, queries, MethodConfig(), Budget())
    budget = Budget()
    found = await source.acquire(graph, queries, config, budget)
    assert budget.usage().searches == searches
    fresh, _ = await source_of(tmp_path)
    assert found == await fresh.acquire(graph, queries, config, Budget())


async def test_equal_queries_count_as_one_search_and_serve_every_node(tmp_path: Path) -> None:
    source, embedder = await source_of(tmp_path)
    graph, _ = graph_of(node("a", "quiet"), node("b", "ravioli"))
    queries = [SearchQuery(base=None, node=name, text="", words="quiet ravioli") for name in ("a", "b")]
    budget = Budget()
    found = await source.acquire(graph, queries, CONFIG, budget)
    assert budget.usage().searches == 1
    assert embedder.calls[0].count("quiet ravioli") == 1
    assert {e.node for e in found.evidence} == {"a", "b"}


async def test_a_record_holds_the_passages_that_speak_of_the_node_in_the_order_of_their_source(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path)
    found = await acquired(source, node("v", "ravioli", feature="pumpkin ravioli with sage and vegan plates"))
    evidence = record(found, "eat-copper-ladle", "v")
    assert evidence is not None
    texts = [passage.text for passage in evidence.passages]
    assert "Pumpkin ravioli with sage is the dish to order. Vegan plates fill a whole page of the menu." in texts
    numbers = [passage.source.id for passage in evidence.passages]
    order = [f"eat-copper-ladle#{name}" for name in ("r1", "r2", *ITEMS[0].metadata)]
    assert numbers == sorted(numbers, key=order.index)
    assert len(texts) == len(set(texts)) <= CONFIG.passages_per_record


async def test_items_without_a_word_on_a_node_have_no_record_there(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path, embedder=BlindEmbedder())
    found = await acquired(source, node("v", "lighthouse keepers bickering"))
    assert [e.candidate for e in found.evidence] == ["film-slow-tide-2011"]
    assert [c.id for c in found.candidates] == ["film-slow-tide-2011"]


async def test_a_node_that_nothing_speaks_of_is_reported(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path, embedder=BlindEmbedder())
    found = await acquired(source, node("v", "zeppelin qwxz"))
    assert (found.candidates, found.evidence) == ((), ())
    assert [(dropped.what, "nothing in the catalogue" in dropped.why) for dropped in found.dropped] == [
        ("zeppelin qwxz", True)
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("parking", "Parking: own free car park"),
        ("wifi", "Wifi: no"),
        ("under $20", "Average spend: 28 dollars a person"),
        ("Italian food", "Cuisine: Italian"),
        ("quiet", "Noise level: quiet"),
    ],
)
async def test_the_fact_that_a_node_asks_about_is_always_part_of_the_record(
    tmp_path: Path, text: str, line: str
) -> None:
    source, _ = await source_of(tmp_path)
    one_passage = MethodConfig(passages_per_record=1)
    evidence = record(
        await acquired(source, node("v", text, feature=text), config=one_passage), "eat-copper-ladle", "v"
    )
    assert evidence is not None
    assert line in [passage.text for passage in evidence.passages]


async def test_two_nodes_never_share_a_record(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path)
    found = await acquired(source, node("a", "ravioli with sage"), node("b", "curtains keep the room quiet"))
    keys = [(e.candidate, e.node) for e in found.evidence]
    assert len(keys) == len(set(keys))
    assert {c.id for c in found.candidates} == {e.candidate for e in found.evidence}


async def test_a_record_is_capped_at_a_sentence_end(tmp_path: Path) -> None:
    long = "The lamp is lit at dusk. " * 3
    item = CatalogueItem(id="x", title="X", reviews=tuple(Review(text=f"{long}Night {n}.") for n in range(9)))
    source, _ = await source_of(tmp_path, (item,))
    for limit in (30, 60, 100, 333):
        config = MethodConfig(max_evidence_chars=limit, passages_per_record=9)
        evidence = record(await acquired(source, node("v", "lamp is lit at dusk"), config=config), "x", "v")
        assert evidence is not None
        assert len(evidence.text) <= limit
        assert all(passage.text.endswith(".") for passage in evidence.passages)
        assert all(passage.text in f"{long}Night 0." or "Night" in passage.text for passage in evidence.passages)


async def test_without_a_cap_the_record_is_whole_and_a_tiny_cap_still_leaves_something(tmp_path: Path) -> None:
    item = CatalogueItem(id="x", title="X", reviews=(Review(text="The lamp is lit at dusk by the elder keeper."),))
    source, _ = await source_of(tmp_path, (item,))
    whole = await acquired(source, node("v", "lamp at dusk"), config=MethodConfig(max_evidence_chars=None))
    assert whole.evidence[0].text == item.reviews[0].text
    tiny = await acquired(source, node("v", "lamp at dusk"), config=MethodConfig(max_evidence_chars=8))
    assert tiny.evidence[0].text == item.reviews[0].text[:8]


async def test_passages_that_differ_only_in_case_and_space_count_once(tmp_path: Path) -> None:
    reviews = tuple(Review(text=text) for text in ("A lamp at dusk.", "a  LAMP at dusk.", "A lamp at dawn."))
    source, _ = await source_of(tmp_path, (CatalogueItem(id="x", title="X", reviews=reviews),))
    found = await acquired(source, node("v", "lamp at dusk"))
    assert [passage.text for passage in found.evidence[0].passages] == ["A lamp at dusk.", "A lamp at dawn."]


async def test_recall_keeps_the_best_items_of_a_query(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path)
    found = await acquired(source, node("v", "brass band plays every night"), config=MethodConfig(catalogue_recall=1))
    assert [c.id for c in found.candidates] == ["eat-tin-drum"]


async def test_what_a_column_meets_is_recalled_before_what_only_words_lead_to(tmp_path: Path) -> None:
    lengths = ("90 min", "2 h", "30 min", "3 h", "75 min")
    items = tuple(
        CatalogueItem(id=str(n), title=str(n), metadata={"duration": length}, reviews=(Review(text="an hour"),))
        for n, length in enumerate(lengths)
    )
    source, _ = await source_of(tmp_path, items)
    found = await acquired(source, node("v", "under an hour"), config=MethodConfig(catalogue_recall=1))
    assert [c.id for c in found.candidates] == ["2"]


async def test_what_a_number_asks_is_told_of_every_item_that_any_wish_has_found(tmp_path: Path) -> None:
    told = ("A pirate comes home.", "The band plays.", "A long night.")
    lengths = (140, 95, 100)
    items = tuple(
        CatalogueItem(id=str(n), title=str(n), metadata={"length_minutes": minutes}, reviews=(Review(text=text),))
        for n, (text, minutes) in enumerate(zip(told, lengths, strict=True))
    )
    source, _ = await source_of(tmp_path, items, BlindEmbedder())
    wishes = node("v", "pirate"), node("w", "band"), node("n", "under two hours")
    found = await acquired(source, *wishes, config=MethodConfig(catalogue_recall=1))
    by_words = {record.candidate for record in found.evidence if record.node in ("v", "w")}
    by_number = {record.candidate for record in found.evidence if record.node == "n"}
    assert by_words == {"0", "1"}
    assert by_words <= by_number
    pirate = record(found, "0", "n")
    assert pirate is not None
    assert "Length: 140 minutes" in [passage.text for passage in pirate.passages]


@pytest.mark.parametrize(
    ("text", "avoid", "line"),
    [
        ("French language", False, "Language: English"),
        ("gore", True, "Gore: strong"),
        ("short", False, "Length: 140 minutes"),
        ("America", True, "Country: United States"),
    ],
)
async def test_a_fact_that_every_item_states_is_told_of_those_that_state_another_value(
    tmp_path: Path, text: str, avoid: bool, line: str
) -> None:
    told = ("A pirate comes home.", "The band plays.", "A long night.")
    stated: tuple[Metadata, ...] = tuple(
        {"language": language, "gore": gore, "length_minutes": minutes, "country": country}
        for language, gore, minutes, country in (
            ("English", "strong", 140, "United States"),
            ("French", "none", 95, "France"),
            ("French", "mild", 80, "France"),
        )
    )
    items = tuple(
        CatalogueItem(id=str(n), title=str(n), metadata=facts, reviews=(Review(text=text),))
        for n, (text, facts) in enumerate(zip(told, stated, strict=True))
    )
    source, _ = await source_of(tmp_path, items, BlindEmbedder())
    found = await acquired(
        source, node("v", "pirate"), node("n", text, avoid=avoid), config=MethodConfig(catalogue_recall=1)
    )
    pirate = record(found, "0", "n")
    assert pirate is not None
    assert line in [passage.text for passage in pirate.passages]


async def test_what_a_relative_word_asks_is_recalled_by_its_column(tmp_path: Path) -> None:
    items = tuple(
        CatalogueItem(
            id=str(n), title=str(n), metadata={"length_minutes": minutes}, reviews=(Review(text="a short talk"),)
        )
        for n, minutes in enumerate((140, 120, 130, 70, 150, 125))
    )
    source, _ = await source_of(tmp_path, items)
    found = await acquired(source, node("v", "a short film"), config=MethodConfig(catalogue_recall=2))
    assert "3" in [c.id for c in found.candidates]


async def test_ranks_of_words_and_of_meaning_are_fused_reciprocally(tmp_path: Path) -> None:
    """Three items: the words favour a, then b; the vectors favour c, then b; b wins by two second places."""
    texts = {"a": "lamp lamp lamp", "b": "lamp tide reef", "c": "tide reef foam"}
    items = tuple(CatalogueItem(id=name, title=name, reviews=(Review(text=text),)) for name, text in texts.items())
    source, _ = await source_of(tmp_path, items)
    order = recall(source._index, "lamp", np.array([0.1, 0.2, 0.3], np.float32), CONFIG)
    by_hand = {
        "a": 1 / (RANK_OFFSET + 1) + 1 / (RANK_OFFSET + 3),
        "b": 1 / (RANK_OFFSET + 2) + 1 / (RANK_OFFSET + 2),
        "c": 0.0 + 1 / (RANK_OFFSET + 1),
    }
    assert [items[i].id for i in order] == sorted(by_hand, key=lambda name: (-by_hand[name], name)) == ["a", "b", "c"]


async def test_the_same_request_finds_the_same(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path)
    again, _ = await source_of(tmp_path)
    nodes = (node("a", "quiet talk"), node("b", "vegan"), node("c", "violence", avoid=True))
    assert await acquired(source, *nodes) == await acquired(again, *nodes)


async def test_nothing_asked_or_nothing_there_finds_nothing(tmp_path: Path) -> None:
    source, embedder = await source_of(tmp_path)
    assert await acquired(source) == Acquired(candidates=(), evidence=())
    assert embedder.calls == []
    empty, _ = await source_of(tmp_path / "none", ())
    assert (await acquired(empty, node("v", "quiet"))).candidates == ()
    silent, _ = await source_of(tmp_path / "silent", (CatalogueItem(id="x", title="X"),))
    assert (await acquired(silent, node("v", "quiet"))).candidates == ()


async def test_after_the_deadline_nothing_is_searched(tmp_path: Path) -> None:
    source, embedder = await source_of(tmp_path)
    graph, queries = graph_of(node("v", "quiet"))
    late = iter([0.0, 61.0])
    with pytest.raises(BudgetSpent, match="seconds"):
        await source.acquire(graph, queries, CONFIG, Budget(seconds=60.0, clock=lambda: next(late)))
    assert embedder.calls == []


async def test_a_vector_that_is_no_number_leaves_the_search_by_words(tmp_path: Path) -> None:
    source, embedder = await source_of(tmp_path)

    async def no_numbers(texts: list[str]) -> np.ndarray:
        return np.full((len(texts), 64), np.nan, np.float32)

    embedder.encode = no_numbers  # type: ignore[method-assign,assignment]
    found = await acquired(source, node("v", "ravioli"))
    assert [e.candidate for e in found.evidence] == ["eat-copper-ladle"]


async def test_every_passage_is_word_for_word_in_the_catalogue(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path)
    written = {review.text for item in ITEMS for review in item.reviews}
    found = await acquired(source, node("a", "quiet talk"), node("b", "vegan"), node("c", "banter"))
    for evidence in found.evidence:
        for passage in evidence.passages:
            item, name = passage.source.id.split("#")
            assert item == evidence.candidate
            assert name.startswith("r") is any(passage.text in text for text in written) or ": " in passage.text
            assert evidence.sources_of(passage.text) == (passage.source,)


async def test_with_the_packaged_model_meaning_finds_what_words_do_not(tmp_path: Path) -> None:
    embedder = CachedEmbedder(MiniLMEmbedder())
    source = CatalogueSource(await open_index(ITEMS, embedder=embedder, folder=tmp_path / "index"), embedder)
    wish = node("v", "online with a computer", feature="One can sit there online with a computer")
    found = await acquired(source, wish)
    assert found.candidates[0].id == "eat-fern-room"
    [hit] = await source.nearest("Can I bring small children?", ["eat-noodle-yard"], 1)
    assert hit.passage.text.startswith(("Children get small bowls", "Good for children"))


def films(*years: int | None) -> tuple[CatalogueItem, ...]:
    """Films that are spoken of alike, the first ones a little more."""
    return tuple(
        CatalogueItem(
            id=f"f{place}",
            title=f"Film {place}",
            year=year,
            reviews=(Review(text=f"A sad film, {'sad ' * (len(years) - place)}to the end."),),
        )
        for place, year in enumerate(years)
    )


async def of_years(tmp_path: Path, narrative: str, at: Node, *years: int | None) -> Acquired:
    embedder = BlindEmbedder()
    index = await open_index(films(*years), embedder=embedder, folder=tmp_path / "index")
    graph, queries = graph_of(at)
    graph = graph.model_copy(update={"narrative": narrative})
    config = MethodConfig(catalogue_recall=2)
    return await CatalogueSource(index, embedder, current_year=2026).acquire(graph, queries, config, Budget())


async def test_the_year_rule_leaves_room_for_items_that_may_stay_before_a_search_is_cut(tmp_path: Path) -> None:
    found = await of_years(tmp_path, "a sad film from the 1950s", node("a", "sad"), 1990, 1991, 1992, 1955, None, 1951)
    assert sorted(candidate.year or 0 for candidate in found.candidates) == [0, 1955]  # an unknown year breaks nothing


async def test_without_a_period_a_search_is_cut_to_its_best_items(tmp_path: Path) -> None:
    found = await of_years(tmp_path, "a sad film", node("a", "sad"), 1990, 1991, 1992, 1955)
    assert [candidate.year for candidate in found.candidates] == [1990, 1991]


async def test_a_period_that_is_the_only_wish_is_answered_by_the_year(tmp_path: Path) -> None:
    era = Node(id="e", atom="a", perspective="era", instantiation="the 1950s", feature="films from the 1950s")
    found = await of_years(tmp_path, "sad films from the 1950s", era.model_copy(update={"instantiation": "sad"}), 1955)
    [evidence] = found.evidence
    assert [(passage.text, passage.source.id) for passage in evidence.passages] == [("Year: 1955", "f0#year")]


COAST = (
    CatalogueItem(id="x", title="Lantern Hill", year=1984, metadata={"themes": ["memory", "storm", "lighthouse"]}),
    CatalogueItem(id="far", title="Dry Year", year=1990, metadata={"themes": ["desert", "heat"]}),
    CatalogueItem(id="near", title="Salt", year=1991, metadata={"themes": ["memory", "storm", "heat"]}),
    CatalogueItem(id="some", title="Fog", year=1992, metadata={"themes": ["lighthouse", "desert"]}),
    CatalogueItem(id="same", title="Lantern Hill", year=2001, metadata={"themes": ["heat", "desert"]}),
)


async def like(source: CatalogueSource, title: str, year: int | None) -> Acquired:
    wish = node("v", f"similar to {title}: memory; storm").model_copy(update={"perspective": "title"})
    graph, queries = graph_of(wish)
    atom = Atom(id="a", text=title, span=(0, 1), kind=AtomKind.REFERENCE, year=year)
    return await source.acquire(graph.model_copy(update={"atoms": (atom,)}), queries, CONFIG, Budget())


async def test_something_like_a_known_item_is_searched_by_what_both_are_said_to_be(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path, COAST, BlindEmbedder())
    found = await like(source, "Lantern Hill", 1984)
    order = [candidate.id for candidate in found.candidates]
    assert order.index("near") < order.index("some") < order.index("far")
    said = record(found, "near", "v")
    assert said is not None
    assert said.text == "Themes: memory, storm, heat"


def told(item: CatalogueItem, text: str, **metadata: list[str]) -> CatalogueItem:
    return item.model_copy(update={"reviews": (Review(text=text),), "metadata": metadata})


async def test_what_shares_more_with_a_named_item_comes_first_however_near_other_notes_are(tmp_path: Path) -> None:
    x, far, near, _, _ = COAST
    items = (
        told(x, "A storm at sea.", themes=["memory", "storm", "lighthouse"]),
        told(far, "A storm at sea.", themes=["lighthouse", "heat"]),
        told(near, "Bread is baked.", themes=["memory", "storm", "heat"]),
    )
    found = await like((await source_of(tmp_path, items))[0], "Lantern Hill", 1984)
    assert [candidate.id for candidate in found.candidates] == ["x", "near", "far"]


async def test_notes_decide_between_items_that_share_as_much_with_a_named_one(tmp_path: Path) -> None:
    x, far, near, _, _ = COAST
    items = tuple(
        told(item, text, mood=["sad"])
        for item, text in ((x, "A storm at sea."), (near, "Bread is baked."), (far, "The sea in a storm."))
    )
    found = await like((await source_of(tmp_path, items))[0], "Lantern Hill", 1984)
    assert [candidate.id for candidate in found.candidates] == ["x", "far", "near"]


async def test_a_title_that_names_no_single_item_is_searched_by_its_words(tmp_path: Path) -> None:
    source, _ = await source_of(tmp_path, COAST, BlindEmbedder())
    for title, year in (("Lantern Hill", None), ("Nobody's Film", None)):
        found = await like(source, title, year)
        assert {candidate.id for candidate in found.candidates} == {"x", "near"}  # the words of the traits


def test_what_several_queries_find_near_their_tops_comes_first() -> None:
    assert found_first([[1, 2, 3], [3, 4]]) == [3, 1, 2, 4]
    assert found_first([]) == []

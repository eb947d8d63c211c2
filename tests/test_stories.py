"""The stories of tests/stories through the real command, over the bundled catalogues: what comes out, and why."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dialogue.cli import app
from pdgf.catalogues.reading import CatalogueItem
from pdgf.constraints import facts_of
from pdgf.construction import build_graph, refine
from pdgf.llm.replay import ReplayModel, Story, read_story
from pdgf.models import Label, normalised
from pdgf.settings import Preset, Settings
from pdgf.usage import Budget
from tests.catalogues import bundled_items
from tests.opened import with_models
from tests.story_expectations import EXPECTED, Expected
from tests.variants import every

pytestmark = pytest.mark.usefixtures("models_loaded")

SCORES = {"SUPPORT": 1.0, "PARTIAL": 0.5, "NOT_ADDRESSED": 0.1, "CONTRADICTS": 0.0}
GAMMA = 0.7
FOLDER = Path(__file__).parent / "stories"
LONGEST = {"en": 40, "zh": 80}  # of a description: words, and for Chinese characters
Printed = Mapping[str, Any]


@dataclass(frozen=True)
class Played:
    """A story with what the command printed for it, and the catalogue it was played over."""

    name: str
    story: Story
    printed: Printed
    catalogue: Mapping[str, CatalogueItem]
    expected: Expected

    def node_of(self, printed_id: str) -> str:
        """The story's own id of a printed node."""
        node = next(node for node in self.printed["graph"]["nodes"] if node["id"] == printed_id)
        key = (node["perspective"], node["instantiation"], node["polarity"])
        return next(n.id for n in self.story.graph.nodes if (n.perspective, n.instantiation, n.polarity.value) == key)

    def wish(self, printed_id: str) -> str:
        return next(str(n["instantiation"]) for n in self.printed["graph"]["nodes"] if n["id"] == printed_id)

    def item(self, title: str) -> Any:
        return next(item for item in self.printed["items"] if item["title"] == title)


def texts_of(item: CatalogueItem) -> list[str]:
    """Everything that a catalogue says of an item: its reviews and each fact as the line that a judge reads."""
    lines = [line for _, line in facts_of(item.metadata)]
    return [" ".join(text.split()) for text in (*(review.text for review in item.reviews), *lines)]


def missing_quotes(story: Story, items: Mapping[str, CatalogueItem]) -> list[str]:
    """The quotes of a story that stand nowhere in a catalogue, letter by letter."""
    texts = [text for item in items.values() for text in texts_of(item)]
    return [told.quote for told in story.labels if not any(told.quote in text for text in texts)]


def catalogue_of(domain: str) -> dict[str, CatalogueItem]:
    return {item.id: item for item in bundled_items(domain)}


def paths_to(graph: Printed, node: str) -> Iterator[list[str]]:
    """Every path from a root to a node, by the printed edges."""
    bases = [edge["base"] for edge in graph["edges"] if edge["qualifier"] == node]
    if not bases:
        yield [node]
    for base in bases:
        for path in paths_to(graph, base):
            yield [*path, node]


def worth(path: list[str], labels: Mapping[str, str]) -> float:
    """The sum of METHOD 7.2: each edge upstream of the end of the path counts gamma times less."""
    return math.fsum(GAMMA**steps * SCORES[labels[node]] for steps, node in enumerate(reversed(path)))


def play(name: str, data_dir: Path, *options: str) -> Printed:
    printed: Printed = json.loads(_told(name, data_dir, options))
    return printed


@cache
def _told(name: str, data_dir: Path, options: tuple[str, ...]) -> str:
    """What the command says of a story, which is the same however often it is played."""
    runner = CliRunner(env={"PDGF_DATA_DIR": str(data_dir), "PDGF_BUDGET_AGENT_CALLS": "100000"})
    result = runner.invoke(app, ["recommend", "--replay", str(FOLDER / f"{name}.json"), "--json", *options])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module", params=every(6, EXPECTED))
def played(request: pytest.FixtureRequest, data_dir: Path) -> Played:
    story = read_story(FOLDER / f"{request.param}.json")
    printed = play(request.param, data_dir, "--k", "1000")
    return Played(request.param, story, printed, catalogue_of(story.domain), EXPECTED[request.param])


def test_every_file_of_the_folder_is_played() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(EXPECTED)


def test_a_quote_that_the_catalogue_does_not_have_is_found_out() -> None:
    story = read_story(FOLDER / "bickering_at_work.json")
    items = catalogue_of(story.domain)
    forged = story.labels[0].model_copy(update={"quote": f"{story.labels[0].quote}!"})
    assert missing_quotes(story, items) == []
    assert missing_quotes(story.model_copy(update={"labels": (forged,)}), items) == [forged.quote]


def test_a_story_says_who_wrote_it_and_keeps_the_sizes_of_the_method(played: Played) -> None:
    story = played.story
    assert "by hand" in story.about
    assert 5 <= len(story.graph.nodes) <= 9
    assert 25 <= len(story.labels) <= 60
    assert {told.label for told in story.labels} == {Label.SUPPORT, Label.PARTIAL, Label.CONTRADICTS}
    for text in story.descriptions.values():
        size = len(text.split()) if story.graph.language == "en" else len(text)
        assert size <= LONGEST[story.graph.language]
        assert text.endswith((".", "。"))


def test_every_quote_of_a_story_stands_in_the_catalogue_word_for_word(played: Played) -> None:
    assert missing_quotes(played.story, played.catalogue) == []


def test_nothing_is_done_otherwise_than_told(played: Played) -> None:
    assert played.printed["notes"] == [played.story.about]  # whose words these are is said, and nothing else went wrong
    assert played.printed["config"]["engine"] == "llm"
    assert played.printed["usage"]["tokens_in"] == 0


def test_the_printed_graph_is_the_told_one(played: Played) -> None:
    story, graph = played.story, played.printed["graph"]
    assert graph["language"] == story.graph.language
    assert [played.node_of(node["id"]) for node in graph["nodes"]] == [node.id for node in story.graph.nodes]
    assert {played.node_of(node["id"]): node["feature"] for node in graph["nodes"]} == story.descriptions
    hard = {atom.id for atom in story.graph.atoms if atom.hard}
    assert {played.node_of(n["id"]) for n in graph["nodes"] if n["hard"]} == {
        node.id for node in story.graph.nodes if node.atom in hard
    }
    initial = {(played.node_of(edge["base"]), played.node_of(edge["qualifier"])) for edge in graph["initial_edges"]}
    assert initial == {(edge.base, edge.qualifier) for edge in story.graph.edges}


def test_circles_are_broken_and_shortcuts_reduced_as_expected(played: Played) -> None:
    graph = played.printed["graph"]
    removed = [(e["reason"], played.wish(e["base"]), played.wish(e["qualifier"])) for e in graph["removed_edges"]]
    assert sorted(removed) == sorted(played.expected.removed)
    gone = {(edge["base"], edge["qualifier"]) for edge in graph["removed_edges"]}
    assert {(edge["base"], edge["qualifier"]) for edge in graph["edges"]} == {
        (edge["base"], edge["qualifier"]) for edge in graph["initial_edges"]
    } - gone


def test_the_stories_hold_a_circle_shortcuts_and_a_chain_of_three_edges(played: Played) -> None:
    graph = played.printed["graph"]
    longest = max(len(path) for node in graph["nodes"] for path in paths_to(graph, node["id"]))
    assert longest == (4 if played.name == "bickering_at_work" else 3)
    assert {reason for expected in EXPECTED.values() for reason, _, _ in expected.removed} == {"cycle", "shortcut"}


def test_there_is_one_told_query_for_every_edge_and_every_root(played: Played) -> None:
    graph = played.printed["graph"]
    edges = {(played.node_of(edge["base"]), played.node_of(edge["qualifier"])) for edge in graph["edges"]}
    roots = {node.id for node in played.story.graph.nodes} - {qualifier for _, qualifier in edges}
    told = {(query.base, query.node): query.text for query in played.story.queries}
    assert set(told) == {*edges, *((None, root) for root in roots)}
    printed = {
        (query["base"] and played.node_of(query["base"]), played.node_of(query["node"])): query["text"]
        for query in graph["queries"]
    }
    assert printed == told


def test_the_expected_titles_come_first_for_the_expected_reasons(played: Played) -> None:
    titles = [item["title"] for item in played.printed["items"]]
    assert tuple(titles[: len(played.expected.best)]) == played.expected.best
    for title, wish, label, words in played.expected.reasons:
        shown = [row for row in played.item(title)["evidence"] if played.wish(row["node"]) == wish]
        assert [row["label"] for row in shown] == [label], (title, wish)
        assert words in shown[0]["quote"]


def test_excluded_titles_are_absent_and_said_to_be(played: Played) -> None:
    told = [atom for atom in played.story.graph.atoms if atom.kind.value == "reference"]
    assert tuple(atom.text for atom in told) == played.expected.excluded
    assert [row["title"] for row in played.printed["graph"]["excluded_titles"]] == list(played.expected.excluded)
    for title in played.expected.excluded:
        assert title in {item.title for item in played.catalogue.values()}
        assert {"what": title, "why": "reference"} in played.printed["dropped"]
        assert title not in {item["title"] for item in played.printed["items"]}


def test_every_quote_is_told_for_its_wish_and_stands_in_what_the_catalogue_says_of_the_item(played: Played) -> None:
    for item in played.printed["items"]:
        known = texts_of(played.catalogue[item["id"]])
        for row in item["evidence"]:
            assert any(" ".join(row["quote"].split()) in text for text in known)
            node = played.node_of(row["node"])
            told = {normalised(t.quote): t.label.value for t in played.story.labels if node in t.nodes}
            lines = [normalised(line) for line in row["text"].split("\n")]
            found = {label for quote, label in told.items() if any(quote in line for line in lines)}
            if row["label"] == "NOT_ADDRESSED":
                assert not found
            elif row["label"] == "PARTIAL":
                assert found >= {"PARTIAL"} or found >= {"SUPPORT", "CONTRADICTS"}
            else:
                assert told[normalised(row["quote"])] == row["label"]
                assert not found >= {"SUPPORT", "CONTRADICTS"}


def test_every_score_is_the_logarithm_of_the_best_paths_of_the_printed_labels(played: Played) -> None:
    graph = played.printed["graph"]
    for item in played.printed["items"]:
        best = {}
        for path in item["paths"]:
            best[path["node"]] = max(worth(way, path["labels"]) for way in paths_to(graph, path["node"]))
            assert path["score"] == pytest.approx(best[path["node"]], abs=1e-12)
            assert worth(path["path"], path["labels"]) == pytest.approx(best[path["node"]], abs=1e-12)
            assert path["path"] in list(paths_to(graph, path["node"]))
        assert item["score"] == pytest.approx(math.log(1 + math.fsum(best.values())), abs=1e-12)
        assert [row["node"] for row in item["evidence"]] == [path["node"] for path in item["paths"]]


def test_an_item_is_demoted_for_a_fact_of_its_own_or_for_words_against_a_condition(played: Played) -> None:
    hard = {node["id"] for node in played.printed["graph"]["nodes"] if node["hard"]}
    for item in played.printed["items"]:
        broken = [row for row in item["evidence"] if row["node"] in hard and row["label"] == "CONTRADICTS"]
        against = {f'{played.wish(row["node"])}: "{row["quote"]}"' for row in broken}
        if item["demoted"] is None:
            assert not against
        elif item["demoted"] not in against:
            facts = [line for _, line in facts_of(played.catalogue[item["id"]].metadata)]
            assert item["demoted"].partition(" (you asked ")[0] in facts
    reasons = {item["title"]: item["demoted"] for item in played.printed["items"] if item["demoted"]}
    for title, reason in played.expected.demoted.items():
        assert reasons[title].startswith(reason)
    assert bool(reasons) is bool(hard)


def test_demoted_items_follow_all_others_and_each_part_is_in_order(played: Played) -> None:
    items = played.printed["items"]
    keys = [(item["demoted"] is not None, -round(item["score"], 12)) for item in items]
    assert keys == sorted(keys)
    assert [item["rank"] for item in items] == list(range(1, len(items) + 1))
    assert len(items) == played.printed["pool"]


@pytest.mark.parametrize("name", EXPECTED)
async def test_asked_one_by_one_as_the_paper_does_the_graph_is_the_same(name: str) -> None:
    story = read_story(FOLDER / f"{name}.json")
    graphs = []
    for preset in Preset:
        composition = with_models(settings=Settings(), preset=preset, model=ReplayModel(story))
        agent, config, budget = await composition.agent(story.domain), composition.config, Budget(agent_calls=10_000)
        graph, _ = await build_graph(story.narrative, agent=agent, config=config, budget=budget)
        graphs.append(await refine(graph, agent=agent, config=config, budget=budget))
        await composition.close()
        assert budget.setbacks() == ()
    assert graphs[0] == graphs[1]


def test_in_the_preset_of_the_paper_a_contradiction_demotes_nothing(data_dir: Path) -> None:
    interactive = play("bickering_at_work", data_dir, "--k", "1000")
    paper = play("bickering_at_work", data_dir, "--k", "1000", "--preset", "paper")
    assert {key: paper["graph"][key] for key in ("nodes", "edges", "removed_edges", "order", "queries")} == {
        key: interactive["graph"][key] for key in ("nodes", "edges", "removed_edges", "order", "queries")
    }
    assert len(paper["notes"]) == 1
    assert {item["demoted"] for item in paper["items"]} == {None}
    scores = [item["score"] for item in paper["items"]]
    assert scores == sorted(scores, reverse=True)
    by_title = {item["title"]: item for item in paper["items"]}
    assert by_title["Steins;Gate"]["rank"] < by_title["Spy x Family"]["rank"]  # it was among the last
    assert any(row["label"] == "CONTRADICTS" for row in by_title["Steins;Gate"]["evidence"])

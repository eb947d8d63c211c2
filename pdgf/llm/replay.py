"""A ChatModel that answers from a file: one request, told beforehand, without any endpoint.

The file is JSON: `about` (who wrote the replies), `domain`, `narrative`, and the replies by what they say rather than
by call: `graph` (atoms, nodes, edges as in the reply of `read_graph`), `cycle_edges` (what goes where edges lead round
in a circle), `descriptions` by node id, `queries` by edge, and `labels`: words of a text and what they show of which
nodes. A comparison with no such words in its text is NOT_ADDRESSED. Everything goes through the same reading, checks
and arithmetic as replies of an endpoint.
"""

import hashlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from pdgf.engines.llm_replies import EdgeRow, GraphReply, NodeRow
from pdgf.errors import ConfigInvalid, ReplyUnusable
from pdgf.llm.calls import Ask, Completion
from pdgf.models import Label, Value, normalised
from pdgf.quotes import borne_out, place_of
from pdgf.texts import clean, collapsed
from pdgf.usage import Budget

FAULTS_SHOWN = 3


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


class ToldLabel(Value):
    """Words of a text that show how it stands to the descriptions of some nodes; one node may stand without a list."""

    nodes: Annotated[tuple[str, ...], BeforeValidator(_several), Field(min_length=1)]
    quote: str = Field(min_length=2)
    label: Label


class ToldQuery(Value):
    """The query of an edge of E+; `base` None stands for the virtual ROOT."""

    base: str | None = None
    node: str
    text: str = Field(min_length=1)


class ToldCycleEdge(Value):
    """An edge that is removed where it lies on a cycle, and why the narrative supports it least."""

    base: str
    qualifier: str
    reason: str = ""


class Story(Value):
    """One request with the replies to every step of it. Of several `cycle_edges` in one circle the first one goes."""

    about: str = Field(min_length=1)
    domain: str
    narrative: str
    graph: GraphReply
    cycle_edges: tuple[ToldCycleEdge, ...] = ()
    descriptions: dict[str, str]
    queries: tuple[ToldQuery, ...] = ()
    labels: tuple[ToldLabel, ...] = ()


def read_story(path: Path) -> Story:
    """A story from its file. Raises ConfigInvalid for a file that cannot be read or does not hang together."""
    try:
        story = Story.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigInvalid(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigInvalid(f"{path} is no story: not UTF-8") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigInvalid(f"{path} is no story: {where}{': ' if where else ''}{first['msg']}") from error
    if faults := [*_faults_of_graph(story), *_faults_of_replies(story)]:
        more = f"; and {len(faults) - FAULTS_SHOWN} more" if len(faults) > FAULTS_SHOWN else ""
        raise ConfigInvalid(f"{path}: {'; '.join(faults[:FAULTS_SHOWN])}{more}")
    return story


class ReplayModel:
    """Answers the prompts of PDG-A from a story. Raises ReplyUnusable for what the story does not tell."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._id_of = {_reading(node): node.id for node in story.graph.nodes}
        # Another telling of the same request must not be answered from what was kept of this one.
        self._digest = hashlib.sha256(story.model_dump_json().encode()).hexdigest()[:12]

    @property
    def id(self) -> str:
        return f"replay:{self._digest}"

    async def complete(self, ask: Ask, budget: Budget) -> Completion:
        with budget.agent_call():
            reply = self._reply(ask.rendered.name.rpartition("/")[2], ask.rendered.inputs)
            return Completion(text=json.dumps(reply, ensure_ascii=False), finish="stop", model=self.id)

    async def stream(self, ask: Ask, budget: Budget) -> AsyncIterator[str]:
        raise ReplyUnusable("a story tells no prose")
        yield ""

    def _reply(self, prompt: str, inputs: Mapping[str, Any]) -> Any:
        match prompt:
            case "read_graph" | "extract_nodes":
                if collapsed(clean(inputs["narrative"])) != collapsed(clean(self._story.narrative)):
                    raise ReplyUnusable("this story is about another request")
                return self._story.graph.model_dump(mode="json")
            case "judge_pairs":
                return {"judgements": [self._judgement(pair) for pair in inputs["pairs"]]}
            case "resolve_cycle":
                return self._removal(inputs["nodes"], inputs["inner"])
            case "describe":
                known = [(row["number"], self._described(row)) for row in inputs["nodes"]]
                return {"descriptions": [{"number": number, "text": text} for number, text in known if text]}
            case "rewrite_queries":
                found = [(pair["number"], self._query(pair)) for pair in inputs["pairs"]]
                return {"queries": [{"number": number, "text": text} for number, text in found if text]}
            case "label_relations":
                rows = [self._label(text["text"], feature) for text in inputs["texts"] for feature in text["features"]]
                return {"labels": rows}
        raise ReplyUnusable(f"a story tells nothing for {prompt}")

    def _judgement(self, pair: Mapping[str, Any]) -> dict[str, Any]:
        first, second = self._id(pair["first"]), self._id(pair["second"])
        for edge in self._story.graph.edges:
            if {edge.base, edge.qualifier} == {first, second}:
                relation = "first_qualifies_second" if edge.qualifier == first else "second_qualifies_first"
                return {**edge.model_dump(mode="json"), "pair": pair["number"], "relation": relation}
        return {"pair": pair["number"], "relation": "none"}

    def _removal(self, nodes: Iterable[Mapping[str, Any]], inner: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """The first told edge of the circle. Raises ReplyUnusable where none of it is told."""
        ids = {row["number"]: self._id(row) for row in nodes}
        number = {(ids[edge["base"]], ids[edge["qualifier"]]): edge["number"] for edge in inner}
        for told in self._story.cycle_edges:
            if (told.base, told.qualifier) in number:
                return {"reason": told.reason, "edge": number[told.base, told.qualifier]}
        raise ReplyUnusable("this story tells no edge of the circle")

    def _described(self, row: Mapping[str, Any]) -> str:
        return self._story.descriptions.get(self._id(row) or "", "")

    def _query(self, pair: Mapping[str, Any]) -> str:
        base, node = self._id(pair["base"]) if pair["base"] else None, self._id(pair["node"])
        return next((query.text for query in self._story.queries if (query.base, query.node) == (base, node)), "")

    def _label(self, text: str, feature: Mapping[str, Any]) -> dict[str, Any]:
        asked = collapsed(feature["text"])
        nodes = {node for node, description in self._story.descriptions.items() if collapsed(description) == asked}
        found = [told for told in self._story.labels if nodes & set(told.nodes) and borne_out(told.quote, text)]
        label = _verdict({told.label for told in found})
        quotes = [told.quote for told in found if label in (told.label, Label.PARTIAL)]
        return {"number": feature["number"], "label": label.value, "quotes": quotes}

    def _id(self, shown: Mapping[str, Any]) -> str | None:
        """The id of a node that a prompt shows by its parts."""
        return self._id_of.get((shown["perspective"], normalised(shown["instantiation"]), shown["polarity"]))


def _verdict(labels: set[Label]) -> Label:
    """What a text shows of which several words speak: support and contradiction together are PARTIAL (METHOD 7.1), and
    either of them decides over words that show a part."""
    if {Label.SUPPORT, Label.CONTRADICTS} <= labels:
        return Label.PARTIAL
    order = (Label.CONTRADICTS, Label.SUPPORT, Label.PARTIAL)
    return next((label for label in order if label in labels), Label.NOT_ADDRESSED)


def _reading(node: NodeRow) -> tuple[str, str, str]:
    """What the prompts show of a node and what therefore has to tell it from the others."""
    return normalised(node.perspective), normalised(node.instantiation), node.polarity.value


def _faults_of_graph(story: Story) -> Iterator[str]:
    """Rows of the graph that its reading would leave out or could mistake for others."""
    graph, narrative = story.graph, story.narrative
    atoms = {atom.id for atom in graph.atoms}
    for twice in _repeated([*(atom.id for atom in graph.atoms), *(node.id for node in graph.nodes)]):
        yield f"{twice} is told twice"
    for atom in graph.atoms:
        if place_of(atom.text, narrative) is None:
            yield f"the text of {atom.id} is not found in the narrative"
    for node in graph.nodes:
        if node.atom not in atoms:
            yield f"{node.id} has no atom {node.atom}"
        if not node.instantiation or not node.perspective:
            yield f"{node.id} has no perspective or no instantiation"
        if any(words and place_of(words, narrative) is None for words in (node.words, node.strength)):
            yield f"the words of {node.id} are not found in the narrative"
    for perspective, instantiation, _ in _repeated([_reading(node) for node in graph.nodes]):
        yield f"several nodes read {perspective}: {instantiation}"
    yield from _faults_of_edges(graph.edges, {node.id for node in graph.nodes}, narrative)


def _faults_of_edges(edges: Iterable[EdgeRow], nodes: set[str], narrative: str) -> Iterator[str]:
    pairs = []
    for edge in edges:
        pairs.append(tuple(sorted((edge.base, edge.qualifier))))
        if edge.base == edge.qualifier:
            yield f"{edge.base} qualifies itself"
        if unknown := {edge.base, edge.qualifier} - nodes:
            yield f"an edge names {', '.join(sorted(unknown))}, and no node is called so"
        if edge.words and place_of(edge.words, narrative) is None:
            yield f"the words of the edge {edge.base} - {edge.qualifier} are not found in the narrative"
    for base, qualifier in _repeated(pairs):
        yield f"{base} and {qualifier} have several edges"


def _faults_of_replies(story: Story) -> Iterator[str]:
    """Replies about what the graph does not hold, missing ones, and some that exclude one another."""
    nodes = {node.id for node in story.graph.nodes}
    ends = {(edge.base, edge.qualifier) for edge in story.graph.edges}
    asked = [(query.base, query.node) for query in story.queries]
    labelled = [(node, told.quote) for told in story.labels for node in told.nodes]
    named = {*story.descriptions, *(node for pair in asked for node in pair if node), *(node for node, _ in labelled)}
    if unknown := sorted(named - nodes):
        yield f"no node is called {', '.join(unknown)}"
    if missing := sorted(node for node in nodes if not story.descriptions.get(node, "").strip()):
        yield f"no description of {', '.join(missing)}"
    for _, node in _repeated(asked):
        yield f"{node} has several queries for one base"
    for edge in story.cycle_edges:
        if (edge.base, edge.qualifier) not in ends:
            yield f"the cycle edge {edge.base} - {edge.qualifier} is no edge"
    for node, quote in _repeated(labelled):
        yield f"{node} has several labels for “{quote}”"
    for told in story.labels:
        if told.label is Label.NOT_ADDRESSED:
            yield f"“{told.quote}” is labelled NOT_ADDRESSED, which needs no telling"


def _repeated(values: Iterable[Any]) -> list[Any]:
    return [value for value, count in Counter(values).items() if count > 1]

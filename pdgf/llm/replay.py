"""A ChatModel that answers from a file: one request, told beforehand, without any endpoint.

The file is JSON: `about` (who wrote the replies), `domain`, `narrative`, and the replies by what they say rather than
by call: `graph` (atoms, nodes, edges as in the reply of `read_graph`), `descriptions` and `queries` by node id, and
`labels`, each a node, words of a text, and the label that they show. A comparison with no such words in its text is
NOT_ADDRESSED. Everything goes through the same reading, checks and arithmetic as replies of an endpoint.
"""

import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from pdgf.engines.llm_replies import GraphReply
from pdgf.errors import ConfigInvalid, ReplyUnusable
from pdgf.llm.calls import Ask, Completion
from pdgf.models import Label, Value
from pdgf.quotes import borne_out
from pdgf.usage import Budget


class ToldLabel(Value):
    """Words of a text that show how it stands to a node's description."""

    node: str
    quote: str = Field(min_length=2)
    label: Label


class ToldQuery(Value):
    """The query of an edge of E+; `base` None stands for the virtual ROOT."""

    base: str | None = None
    node: str
    text: str


class Story(Value):
    """One request with the replies to every step of it."""

    about: str
    domain: str
    narrative: str
    graph: dict[str, Any]
    descriptions: dict[str, str]
    queries: tuple[ToldQuery, ...] = ()
    labels: tuple[ToldLabel, ...] = ()


def read_story(path: Path) -> Story:
    """A story from its file. Raises ConfigInvalid for a file that cannot be read or does not hang together."""
    try:
        story = Story.model_validate_json(path.read_text(encoding="utf-8"))
        nodes = {row.id for row in GraphReply.model_validate(story.graph).nodes}
    except OSError as error:
        raise ConfigInvalid(f"{path}: {error.strerror or error}") from error
    except (ValidationError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()
        raise ConfigInvalid(f"{path} is no story: {' '.join(reason[1:3]) or reason[0]}") from error
    named = {*story.descriptions, *(label.node for label in story.labels), *(query.node for query in story.queries)}
    if unknown := sorted(named - nodes):
        raise ConfigInvalid(f"{path}: no node is called {', '.join(unknown)}")
    if missing := sorted(nodes - set(story.descriptions)):
        raise ConfigInvalid(f"{path}: no description of {', '.join(missing)}")
    return story


class ReplayModel:
    """Answers the prompts of PDG-A from a story. Raises ReplyUnusable for what the story does not tell."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._nodes = GraphReply.model_validate(story.graph).nodes

    @property
    def id(self) -> str:
        return "replay"

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
                if inputs["narrative"].split() != self._story.narrative.split():
                    raise ReplyUnusable("this story is about another request")
                return self._story.graph
            case "judge_pairs":
                return {"judgements": [self._judgement(pair) for pair in inputs["pairs"]]}
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
        for edge in self._story.graph.get("edges", ()):
            if {edge["base"], edge["qualifier"]} == {first, second}:
                forward = edge["qualifier"] == first
                relation = "first_qualifies_second" if forward else "second_qualifies_first"
                return {**edge, "pair": pair["number"], "relation": relation}
        return {"pair": pair["number"], "relation": "none"}

    def _described(self, row: Mapping[str, Any]) -> str:
        return self._story.descriptions.get(self._id(row) or "", "")

    def _query(self, pair: Mapping[str, Any]) -> str:
        base, node = self._id(pair["base"]) if pair["base"] else None, self._id(pair["node"])
        return next((query.text for query in self._story.queries if (query.base, query.node) == (base, node)), "")

    def _label(self, text: str, feature: Mapping[str, Any]) -> dict[str, Any]:
        nodes = {node for node, description in self._story.descriptions.items() if description == feature["text"]}
        found = [label for label in self._story.labels if label.node in nodes and borne_out(label.quote, text)]
        kinds = {label.label for label in found}
        # METHOD 7.1: a text that says both is partial, with both quotes
        label = kinds.pop() if len(kinds) == 1 else Label.PARTIAL if kinds else Label.NOT_ADDRESSED
        return {"number": feature["number"], "label": label.value, "quotes": [each.quote for each in found]}

    def _id(self, shown: Mapping[str, Any]) -> str | None:
        """The id of a node that a prompt shows by its parts."""
        key = (shown["perspective"], shown["instantiation"], shown["polarity"])
        same = (n.id for n in self._nodes if (n.perspective.lower(), n.instantiation, n.polarity.value) == key)
        return next(same, None)

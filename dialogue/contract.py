"""The JSON line that `pdgf chat --json` prints for a turn: a stable contract (DESIGN section 6)."""

from typing import Any

from dialogue.models import DialogueState, GraphChange, TurnView


def turn_json(view: TurnView) -> dict[str, Any]:
    """One turn: what was said, understood, done and shown, the state after it and the whole graph."""
    return {
        "utterance": view.utterance,
        "intents": [intent.value for intent in view.intents],
        "action": view.action.value,
        "state": _state_json(view.state),
        "reply": view.reply,
        "items": list(view.items),
        "sources": [source.model_dump(mode="json") for source in view.sources],
        "graph": _graph_json(view.graph),
        "comparison": view.comparison,
        "usage": view.usage.model_dump(mode="json"),
        "notes": list(view.notes),
        "marks": {item: dict(marks) for item, marks in view.marks.items()},
    }


def _state_json(state: DialogueState) -> dict[str, Any]:
    """The five keys; a value is its words and where they were said."""
    printed = state.model_dump(mode="json")
    for name in ("hard_constraints", "soft_constraints"):
        printed[name] = {
            key: [{"text": value["text"], "span": value["span"]} for value in values]
            for key, values in printed[name].items()
        }
    return printed


def _graph_json(change: GraphChange) -> dict[str, Any]:
    return {
        "nodes": change.graph.get("nodes", []),
        "edges": change.graph.get("edges", []),
        "added": list(change.added),
        "removed": list(change.removed),
        "kept": change.kept,
        "reused": change.reused.model_dump(mode="json"),
    }

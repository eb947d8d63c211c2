"""The JSON line that `pdgf chat --json` prints for a turn: a stable contract (DESIGN section 6)."""

from typing import Any

from dialogue.models import GraphChange, TurnView


def turn_json(view: TurnView) -> dict[str, Any]:
    """One turn: what was said, understood, done and shown, the state after it and the whole graph."""
    return {
        "utterance": view.utterance,
        "intents": [intent.value for intent in view.intents],
        "action": view.action.value,
        "state": view.state.model_dump(mode="json"),
        "reply": view.reply,
        "items": list(view.items),
        "sources": [source.model_dump(mode="json") for source in view.sources],
        "graph": _graph_json(view.graph),
        "comparison": view.comparison,
        "usage": view.usage.model_dump(mode="json"),
        "notes": list(view.notes),
        "marks": {item: dict(marks) for item, marks in view.marks.items()},
    }


def _graph_json(change: GraphChange) -> dict[str, Any]:
    return {
        "nodes": change.graph.get("nodes", []),
        "edges": change.graph.get("edges", []),
        "added": list(change.added),
        "removed": list(change.removed),
        "kept": change.kept,
        "reused": change.reused.model_dump(mode="json"),
    }

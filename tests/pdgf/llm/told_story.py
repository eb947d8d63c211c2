"""A small story to be told, and changed, by tests."""

from typing import Any

Told = dict[str, Any]


def told(**changes: Any) -> Told:
    """A harbour novel: n1 <- n2 <- n3 and the shortcut n1 <- n3; n4 stands alone."""
    return {
        "about": "Written by hand.",
        "domain": "books",
        "narrative": "A harbour novel with a feud, and the feud fought with jokes. Nothing long.",
        "graph": {
            "language": "en",
            "atoms": [
                {"id": "a1", "text": "A harbour novel", "kind": "criterion"},
                {"id": "a2", "text": "a feud", "kind": "criterion"},
                {"id": "a3", "text": "the feud fought with jokes", "kind": "criterion"},
                {"id": "a4", "text": "Nothing long", "kind": "criterion", "hard": True},
            ],
            "nodes": [
                node("n1", "a1", "setting", "Harbour", words="harbour"),
                node("n2", "a2", "theme", "feud", words="feud"),
                node("n3", "a3", "manner", "jokes", words="jokes"),
                node("n4", "a4", "length", "long", words="long", strength="Nothing", polarity="avoid"),
            ],
            "edges": [edge("n1", "n2", 0.8, "with"), edge("n2", "n3", 0.9, "fought with"), edge("n1", "n3", 0.6)],
        },
        "descriptions": {
            "n1": "It is set in a harbour.",
            "n2": "There is a  feud in the harbour.",  # two spaces: no reason to miss it
            "n3": "The harbour feud is fought with jokes.",
            "n4": "It must not be long.",
        },
        "queries": [
            {"base": None, "node": "n1", "text": "harbour novels"},
            {"base": None, "node": "n4", "text": "short novels"},
            {"base": "n1", "node": "n2", "text": "harbour feud novel"},
            {"base": "n2", "node": "n3", "text": "feud jokes novel"},
        ],
        "labels": [
            {"nodes": "n1", "quote": "down at the quay", "label": "SUPPORT"},
            {"nodes": ["n2", "n3"], "quote": "they quarrel in rhymes", "label": "SUPPORT"},
            {"nodes": "n2", "quote": "friends to the end", "label": "CONTRADICTS"},
            {"nodes": "n2", "quote": "a grudge or two", "label": "PARTIAL"},
        ],
        **changes,
    }


def node(name: str, atom: str, perspective: str, instantiation: str, **more: str) -> Told:
    return {"id": name, "atom": atom, "perspective": perspective, "instantiation": instantiation, **more}


def edge(base: str, qualifier: str, confidence: float, words: str = "") -> Told:
    return {"base": base, "qualifier": qualifier, "confidence": confidence, "words": words}


def in_graph(part: str, place: int, **changes: Any) -> Told:
    """The story with one row of its graph changed."""
    story = told()
    story["graph"][part][place].update(changes)
    return story


def with_rows(part: str, *rows: Told) -> Told:
    """The story with more rows in one part of its graph."""
    story = told()
    story["graph"][part].extend(rows)
    return story


def circle(**changes: Any) -> Told:
    """n1 <- n2 <- n3 <- n1, the first edge the least confident."""
    story = told(**changes)
    story["graph"]["edges"] = [edge("n1", "n2", 0.6), edge("n2", "n3", 0.9), edge("n3", "n1", 0.8)]
    return story

"""A sensible model for the one request of the contract tests, as a script of the fake server."""

import re
from typing import Any

from tests.openai_server.requests import ChatRequest, Reply
from tests.openai_server.town_model import blocks, rows

# What the narrative wishes for: the atom, its perspective, its instantiation, its polarity.
WISHES = (
    ("A slow mystery", "pace", "slow", "want"),
    ("A slow mystery", "genre", "mystery", "want"),
    ("set in a small town", "setting", "small town", "want"),
    ("dry humour", "tone", "dry humour", "want"),
    ("No gore", "content", "gore", "avoid"),
)
BASES = {"slow": "mystery", "small town": "mystery"}  # what each qualifies


def mystery_reply(request: ChatRequest) -> Reply:
    """What the model says to a prompt of PDG-A."""
    reply: Reply = REPLIES[request.prompt](blocks(request.user))
    return reply


def read_graph(given: dict[str, str]) -> Any:
    atoms = list(dict.fromkeys(atom for atom, *_ in WISHES))
    nodes = [
        {"id": f"n{number}", "atom": f"a{atoms.index(atom) + 1}", "perspective": perspective, "instantiation": name,
         "words": name, "polarity": polarity}
        for number, (atom, perspective, name, polarity) in enumerate(WISHES, start=1)
    ]  # fmt: skip
    names = {node["instantiation"]: node["id"] for node in nodes}
    return {
        "language": "en",
        "atoms": [
            {"id": f"a{number}", "text": text, "kind": "criterion"} for number, text in enumerate(atoms, start=1)
        ],
        "nodes": nodes,
        "edges": [{"base": names[base], "qualifier": names[name], "confidence": 0.9} for name, base in BASES.items()],
    }


def judge_pairs(given: dict[str, str]) -> Any:
    return {"judgements": [_judged(rows(text)[0]) for name, text in given.items() if name.startswith("pair")]}


def _judged(pair: dict[str, Any]) -> dict[str, Any]:
    first, second = pair["first"]["instantiation"], pair["second"]["instantiation"]
    relation = "none"
    if BASES.get(first) == second:
        relation = "first_qualifies_second"
    elif BASES.get(second) == first:
        relation = "second_qualifies_first"
    return {"pair": pair["number"], "relation": relation, "confidence": 0.9}


def resolve_cycle(given: dict[str, str]) -> Any:
    return {"reason": "it leads back", "edge": rows(given["inside"])[-1]["number"]}


def describe(given: dict[str, str]) -> Any:
    return {"descriptions": [_described(node) for node in rows(given["preferences"])]}


def _described(node: dict[str, Any]) -> dict[str, Any]:
    wish = node["instantiation"]
    return {"number": node["number"], "text": f"Without {wish}." if node["polarity"] == "avoid" else f"It has {wish}."}


def rewrite_queries(given: dict[str, str]) -> Any:
    pairs = [rows(text)[0] for name, text in given.items() if name.startswith("pair")]
    return {"queries": [{"number": pair["number"], "text": f"{pair['node']['instantiation']} film"} for pair in pairs]}


def label_relations(given: dict[str, str]) -> Any:
    labels = []
    for name, text in given.items():
        if name.startswith("text"):
            number = name.removeprefix("text")
            labels += [_label(text, feature) for feature in rows(given[f"preferences{number}"])]
    return {"labels": labels}


def _label(text: str, feature: dict[str, Any]) -> dict[str, Any]:
    unwanted = bool(re.match(r"no|without", feature["text"], re.IGNORECASE))
    for _, _, wish, _ in WISHES:
        found = re.search(rf"(?P<denied>\bno )?\b{wish}\b", text, re.IGNORECASE)
        if wish in feature["text"] and found:
            label = "SUPPORT" if unwanted == bool(found["denied"]) else "CONTRADICTS"
            return {"number": feature["number"], "quotes": [text], "label": label}
    return {"number": feature["number"], "quotes": [], "label": "NOT_ADDRESSED"}


REPLIES = {
    "read_graph": read_graph,
    "extract_nodes": read_graph,
    "judge_pairs": judge_pairs,
    "resolve_cycle": resolve_cycle,
    "describe": describe,
    "rewrite_queries": rewrite_queries,
    "label_relations": label_relations,
}

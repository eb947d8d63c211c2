"""A sensible model for the invented town: it reads each prompt's fenced texts and answers as a good model would.

It knows the town's words and nothing else, so that everything it says can be foreseen.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.dialogue.town import WORDS
from tests.openai_server.requests import ChatRequest, Reply

_BLOCK = re.compile(
    r"^<data (?P<code>\w+)(?: (?P<name>\S+))?>\n(?P<text>.*?)\n</data (?P=code)>$", re.DOTALL | re.MULTILINE
)
_FOUND = re.compile(
    rf"(?P<denied>\b(?:not|no|too|less)\s+)?\b(?P<word>{'|'.join(map(re.escape, WORDS))})\b", re.IGNORECASE
)
_ORDINAL = re.compile(r"\b(first|second|third)\b", re.IGNORECASE)
ORDINALS = {"first": 1, "second": 2, "third": 3}
KEYS = {
    "location": "location",
    "dish": "dish_type",
    "noise": "atmosphere",
    "parking": "others",
    "amenity": "others",
    "diet": "dietary_restrictions",
    "theme": "others",
    "price": "price_range",
}


def town_reply(request: ChatRequest) -> Reply:
    """What the model says to a prompt."""
    return REPLIES[request.prompt](blocks(request.user))


def blocks(user: str) -> dict[str, str]:
    """The fenced texts of a message by name."""
    return {match["name"] or "": match["text"] for match in _BLOCK.finditer(user)}


def rows(text: str) -> list[Any]:
    """The JSON objects of a fenced text, one a line."""
    return [json.loads(line) for line in text.splitlines() if line]


def read_graph(given: dict[str, str]) -> Any:
    atoms, nodes = [], []
    for number, match in enumerate(_FOUND.finditer(given["narrative"]), start=1):
        word = match["word"].lower()
        atoms.append({"id": f"a{number}", "text": match[0], "kind": "criterion"})
        polarity = "avoid" if match["denied"] else "want"
        nodes.append(
            {"id": f"n{number}", "atom": f"a{number}", "perspective": WORDS[word], "instantiation": match["word"],
             "words": match["word"], "polarity": polarity}
        )  # fmt: skip
    dishes = [node for node in nodes if node["perspective"] == "dish"]
    edges = [
        {"base": dishes[0]["id"], "qualifier": node["id"], "aspect": "condition", "confidence": 0.9}
        for node in nodes
        if dishes and node["perspective"] in ("noise", "amenity", "parking")
    ]
    return {"language": "en", "atoms": atoms, "nodes": nodes, "edges": edges}


def judge_pairs(given: dict[str, str]) -> Any:
    judged = []
    for name, text in given.items():
        if name.startswith("pair"):
            [pair] = rows(text)
            kinds = pair["first"]["perspective"], pair["second"]["perspective"]
            below = {"noise", "amenity", "parking"}
            relation = "none"
            if kinds[0] == "dish" and kinds[1] in below:
                relation = "second_qualifies_first"
            elif kinds[1] == "dish" and kinds[0] in below:
                relation = "first_qualifies_second"
            judged.append({"pair": pair["number"], "relation": relation, "confidence": 0.9})
    return {"judgements": judged}


def describe(given: dict[str, str]) -> Any:
    return {
        "descriptions": [
            {
                "number": node["number"],
                "text": f"{'Not' if node['polarity'] == 'avoid' else 'Wanted:'} {node['instantiation']}",
            }
            for node in rows(given["preferences"])
        ]
    }


def rewrite_queries(given: dict[str, str]) -> Any:
    pairs = [rows(text)[0] for name, text in given.items() if name.startswith("pair")]
    return {
        "queries": [{"number": p["number"], "text": f'"{p["node"]["instantiation"]}" restaurant list'} for p in pairs]
    }


def resolve_cycle(given: dict[str, str]) -> Any:
    return {"reason": "the last one says least", "edge": rows(given["inside"])[-1]["number"]}


def label_relations(given: dict[str, str]) -> Any:
    return labels_by(given, _label)


def labels_by(given: dict[str, str], judge: Callable[[str, str], dict[str, Any]]) -> Any:
    """A label for every text and preference that a request shows, by what the judge says of the two."""
    labels = []
    for name, text in given.items():
        if name.startswith("text"):
            for feature in rows(given[f"preferences{name.removeprefix('text')}"]):
                labels.append({"number": feature["number"], **judge(text, feature["text"])})
    return {"labels": labels}


def _label(text: str, feature: str) -> dict[str, Any]:
    unwanted, word = feature.startswith("Not "), feature.split(" ", 1)[1]
    for line in text.splitlines():
        if re.search(rf"\b{re.escape(word)}\b", line, re.IGNORECASE):
            denied = bool(re.search(rf"\b(?:not|no) {re.escape(word)}", line, re.IGNORECASE))
            return {"quotes": [line], "label": "CONTRADICTS" if unwanted != denied else "SUPPORT"}
    return {"quotes": [], "label": "NOT_ADDRESSED"}


def understand(given: dict[str, str]) -> Any:
    text = given["utterance"]
    pointed = [ORDINALS[word.lower()] for word in _ORDINAL.findall(text)]
    question = text.rstrip().endswith("?")
    reply: dict[str, Any] = {"intents": [], "wishes": [], "questions": []}
    lowered = text.lower()
    if question:
        reply |= {"intents": ["inquire"], "questions": [text], "about": pointed}
        return reply
    if re.search(r"\bmore\b", lowered):
        return {**reply, "intents": ["continue"]}
    if re.search(r"\btake\b", lowered) and pointed:
        return {**reply, "intents": ["accept"], "accepted": pointed, "about": pointed}
    if lowered.startswith("not the "):
        return {**reply, "intents": ["reject"], "rejected": pointed, "about": pointed}
    for match in _FOUND.finditer(text):
        objected = (match["denied"] or "").strip().lower() == "too"
        reply["wishes"].append(
            {"text": match[0], "key": KEYS[WORDS[match["word"].lower()]], "avoid": bool(match["denied"]),
             "hard": WORDS[match["word"].lower()] == "location", "mention": "objected" if objected else "stated"}
        )  # fmt: skip
    objecting = any(wish["mention"] == "objected" for wish in reply["wishes"])
    reply["intents"] = ["provide_preference"] * bool(reply["wishes"]) + ["reject"] * objecting
    reply["greeting"] = lowered.startswith("hello")
    return reply


def explain(given: dict[str, str]) -> str:
    said = [
        f"For {wish['words']} it has “{wish['evidence'][0]['quote']}” [{wish['evidence'][0]['id']}]."
        for wish in rows(given["wishes"])
        if wish["label"] == "SUPPORT" and wish["evidence"]
    ]
    return " ".join(said) or "Nothing is known."


def answer(given: dict[str, str]) -> str:
    asked = set(re.findall(r"\w{4,}", given["question"].lower()))
    sources = [(fact["id"], fact["text"]) for fact in rows(given.get("facts", ""))]
    sources += [(name, text) for name, text in given.items() if re.fullmatch(r"p\d+", name)]
    for mark, text in sources:
        if asked & set(re.findall(r"\w{4,}", text.lower())):
            return f"It says “{text}” [{mark}]. That is all [{mark}]."
    return "UNKNOWN"


REPLIES = {
    "probe": lambda given: {"ok": True},
    "read_graph": read_graph,
    "extract_nodes": read_graph,
    "judge_pairs": judge_pairs,
    "resolve_cycle": resolve_cycle,
    "describe": describe,
    "rewrite_queries": rewrite_queries,
    "label_relations": label_relations,
    "understand": understand,
    "explain": explain,
    "answer": answer,
}

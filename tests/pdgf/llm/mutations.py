"""Good replies and what becomes of them: cut, dropped, doubled, retyped, renamed, nested, reordered, re-cased, wrapped.

Every mutation is drawn from a seed, so that each run reads the same texts.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, Field

from pdgf.models import Aspect, Label, Polarity, Value


class LabelOfPair(Value):
    pair_number: int
    label: Label
    quote: str = ""


class LabelsReply(Value):
    pairs: list[LabelOfPair]


class Judgement(Value):
    number: int
    direction: Literal["first_qualifies_second", "second_qualifies_first", "none"]
    aspect: Aspect = Aspect.TARGET
    confidence: float = Field(ge=0.0, le=1.0)


class JudgementsReply(Value):
    judgements: tuple[Judgement, ...]


class NodeRead(Value):
    perspective: str
    instantiation: str
    polarity: Polarity
    hard: bool


class AtomRead(Value):
    text: str
    year: int | None
    nodes: list[NodeRead]


class ReadingReply(Value):
    language: str
    atoms: list[AtomRead]


class Intent(StrEnum):
    PROVIDE = "provide_preference"
    INQUIRE = "inquire"
    START_OVER = "start_over"


class UnderstandingReply(Value):
    intents: list[Intent]
    constraints: dict[str, list[str]]
    refers_to: int | str | None = None


class EdgeReply(Value):
    base: str
    qualifier: str
    reason: str = ""


class FeaturesReply(Value):
    features: dict[str, str]


Sample = tuple[type[BaseModel], dict[str, Any]]

SAMPLES: tuple[Sample, ...] = (
    (
        LabelsReply,
        {
            "pairs": [
                {"pair_number": 1, "label": "SUPPORT", "quote": 'A "slow burn", with {odd} brackets] inside'},
                {"pair_number": 2, "label": "NOT_ADDRESSED", "quote": ""},
                {"pair_number": 3, "label": "CONTRADICTS", "quote": "loud; fast: never quiet"},
            ]
        },
    ),
    (
        JudgementsReply,
        {
            "judgements": [
                {"number": 1, "direction": "first_qualifies_second", "aspect": "manner", "confidence": 0.75},
                {"number": 2, "direction": "none", "aspect": "target", "confidence": 1.0},
            ]
        },
    ),
    (
        ReadingReply,
        {
            "language": "zh",
            "atoms": [
                {
                    "text": "安静的咖啡馆",
                    "year": None,
                    "nodes": [
                        {"perspective": "noise", "instantiation": "安静", "polarity": "want", "hard": True},
                        {"perspective": "place", "instantiation": "咖啡馆", "polarity": "want", "hard": False},
                    ],
                },
                {
                    "text": "nothing like Heat (1995)",
                    "year": 1995,
                    "nodes": [{"perspective": "tone", "instantiation": "grim", "polarity": "avoid", "hard": False}],
                },
            ],
        },
    ),
    (
        UnderstandingReply,
        {
            "intents": ["provide_preference", "inquire"],
            "constraints": {"price range": ["cheap", "up to 20"], "open": []},
            "refers_to": 2,
        },
    ),
    (EdgeReply, {"base": "n1a2", "qualifier": "n7f3", "reason": "the words <think> and </think> are only quoted"}),
    (FeaturesReply, {"features": {"n1": "A café\nwhere nobody talks", "n2": "C:\\menus\\cheap – under 10 €"}}),
)

CHATTER = ("Sure! Here it is:\n", "I looked at {everything} and [1], [2].\n", "Answer: ", "")
FAREWELLS = ("\nHope that helps!", "\n(I left the {} out.)", "", "\n\n---\nAnything else?")
DECOYS = ('{"pairs": [], "features": {}}', '{"base": "x", "qualifier": "y"}', "[1, 2]", '{"judgements": [{"number": ')
THINKING = (
    "<think>first {decoy}</think>",
    "<thinking>\n{decoy}\n</thinking>\n",
    "<reasoning>{decoy} and <think> again</reasoning>",
    "◁think▷{decoy}◁/think▷",
    "so maybe {decoy}\n</think>",
)

Mutation = Callable[[Any, random.Random], Any]


def harmless(sample: Sample, draw: random.Random) -> str:
    """The reply in another dress: keys in another order and case, enum values re-cased, wrapped."""
    value = copy.deepcopy(sample[1])
    for change in draw.sample((reorder, recase_keys, recase_options), k=draw.randint(0, 3)):
        value = change(value, draw)
    text = json.dumps(value, ensure_ascii=draw.random() < 0.5, indent=draw.choice((None, 1, 4)))
    return wrap(text, draw)


def mutated(sample: Sample, draw: random.Random) -> str:
    """The reply after one to three mutations of its values and up to two of its text."""
    value = copy.deepcopy(sample[1])
    for change in draw.choices((drop, double, retype, rename, nest, reorder, recase_keys, recase_options), k=2):
        value = change(value, draw)
    text = json.dumps(value, ensure_ascii=draw.random() < 0.5, indent=draw.choice((None, 1)))
    for change_text in draw.choices((cut, drop_char, double_char, double_text, loosen, wrap, same, same), k=2):
        text = change_text(text, draw)
    return text


def reorder(value: Any, draw: random.Random) -> Any:
    """Keys in another order, everywhere; lists keep theirs."""
    if isinstance(value, dict):
        keys = draw.sample(list(value), k=len(value))
        return {key: reorder(value[key], draw) for key in keys}
    return [reorder(item, draw) for item in value] if isinstance(value, list) else value


def recase_keys(value: Any, draw: random.Random) -> Any:
    """The keys of fields re-cased and re-spaced; the keys of free mappings are data and stay."""
    if isinstance(value, dict):
        recased = {key: draw.choice((key, key.upper(), key.title().replace("_", " "))) for key in value}
        return {
            recased[key]: item if key in ("constraints", "features") else recase_keys(item, draw)
            for key, item in value.items()
        }
    return [recase_keys(item, draw) for item in value] if isinstance(value, list) else value


def recase_options(value: Any, draw: random.Random) -> Any:
    """Values of enums re-cased and re-spaced."""
    options = {*Label, *Aspect, *Polarity, *Intent, "none", "first_qualifies_second"}
    if isinstance(value, dict):
        return {key: recase_options(item, draw) for key, item in value.items()}
    if isinstance(value, list):
        return [recase_options(item, draw) for item in value]
    if value in options and isinstance(value, str):
        return draw.choice((value, value.swapcase(), value.replace("_", " ").capitalize(), value.replace("_", "-")))
    return value


def drop(value: Any, draw: random.Random) -> Any:
    parent, place = _some_place(value, draw)
    if parent is not None:
        del parent[place]
    return value


def double(value: Any, draw: random.Random) -> Any:
    parent, place = _some_place(value, draw)
    if isinstance(parent, list):
        parent.insert(place, copy.deepcopy(parent[place]))
    elif isinstance(parent, dict):
        parent[f"{place}_2"] = copy.deepcopy(parent[place])
    return value


def retype(value: Any, draw: random.Random) -> Any:
    parent, place = _some_place(value, draw)
    if parent is not None:
        old = parent[place]
        others = (None, str(old), [old], {"value": old}, 0, -1.5, True, "", [], "7", 10**30, "x" * 300, "\ud800\x00")
        parent[place] = draw.choice(others)
    return value


def rename(value: Any, draw: random.Random) -> Any:
    parent, place = _some_place(value, draw)
    if isinstance(parent, dict):
        parent[draw.choice(("result", place[::-1], place + "s", "", "título"))] = parent.pop(place)
    return value


def nest(value: Any, draw: random.Random) -> Any:
    parent, place = _some_place(value, draw)
    if parent is None or draw.random() < 0.3:
        return draw.choice(({"result": value}, [value], {"result": json.dumps(value)}))
    parent[place] = draw.choice(({"item": parent[place]}, [parent[place]], json.dumps(parent[place])))
    return value


def cut(text: str, draw: random.Random) -> str:
    return text[: draw.randrange(len(text) + 1)]


def drop_char(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + text[at + 1 :]


def double_char(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + text[at : at + 1] + text[at:]


def double_text(text: str, draw: random.Random) -> str:
    return text + draw.choice(("", "\n", " or ")) + text


def loosen(text: str, draw: random.Random) -> str:
    """Not quite JSON: trailing commas, single quotes, Python's words, NaN, comments."""
    commas = (("}", ",}"), ("]", ",]"))
    words = (("true", "True"), ("null", "None"), ("1", "NaN"))
    old, new = draw.choice((*commas, *words, ('"', "'"), ("{", "{ // x\n")))
    return text.replace(old, new)


def wrap(text: str, draw: random.Random) -> str:
    """In chatter, a fence, thinking with a decoy, or all of them."""
    if draw.random() < 0.5:
        text = f"```{draw.choice(('json', '', 'JSON'))}\n{text}\n```"
    text = draw.choice(CHATTER) + text + draw.choice(FAREWELLS)
    if draw.random() < 0.5:
        text = draw.choice(THINKING).replace("{decoy}", draw.choice(DECOYS)) + text
    return text


def same(text: str, draw: random.Random) -> str:
    return text


def _some_place(value: Any, draw: random.Random) -> tuple[Any, Any]:
    """A container in the value and one of its keys or indices; (None, None) where there is none."""
    places = list(_places(value))
    return draw.choice(places) if places else (None, None)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for place, item in entries:
        yield value, place
        yield from _places(item)

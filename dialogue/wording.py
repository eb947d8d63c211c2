"""Every fixed sentence that a user may read, as data: `prompts/replies.en.toml`, by key, with named fields."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from dialogue.domain import Domain, MandatoryGroup
from dialogue.events import Step
from pdgf.errors import ModelFailed, PdgfError
from pdgf.usage import Setback


@cache
def sentences() -> dict[str, str]:
    """All sentences by dotted key ("recommend.more")."""
    text = resources.files("prompts").joinpath("replies.en.toml").read_text(encoding="utf-8")
    return {f"{table}.{key}": line for table, lines in tomllib.loads(text).items() for key, line in lines.items()}


def say(key: str, **fields: object) -> str:
    """The sentence of a key with its fields filled in. Raises KeyError for an unknown key or a missing field."""
    return sentences()[key].format_map(fields)


def fields_of(key: str) -> frozenset[str]:
    """The names of the fields that the sentence of a key needs."""
    return frozenset(name for _, name, _, _ in Formatter().parse(sentences()[key]) if name)


def sentence_for(error: PdgfError) -> str:
    """What to tell a user about an error: what happened and what to do. The most specific sentence of its type wins."""
    key = next(key for kind in type(error).__mro__ if (key := f"error.{kind.__name__}") in sentences())
    known: dict[str, Any] = {name: value for name, value in vars(error).items() if not name.startswith("_")}
    if isinstance(known.get("known"), tuple):
        known["known"] = listed(known["known"])
    if key == "error.BudgetSpent":
        known["what"] = sentences().get(f"budget.{known['what']}", known["what"])
    if isinstance(error, ModelFailed):
        known["why"] = _why(error.why)
    return say(key, **{"detail": str(error), **known})


def sentence_of_setback(setback: Setback) -> str:
    """What to tell a user about a step that was done otherwise than asked."""
    table = "web" if setback.step.startswith("search") else "model"
    return say(f"setback.{setback.step}", count=setback.count, why=_why(setback.why, table))


def _why(key: str, table: str = "model") -> str:
    return sentences().get(f"{table}.{key}", key)


def sentence_of_step(step: Step) -> str:
    """A running step as a person reads it ("reading your wishes: 7 preferences, 5 links")."""
    key = f"step.{step.name}"
    return say(key, **step.counts) if key in sentences() else step.name


def listed(words: tuple[str, ...] | list[str], last: str = "and") -> str:
    """Words as a list in a sentence: "a", "a and b", "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def items_named(domain: Domain, count: int) -> str:
    """The domain's word for this many items."""
    return domain.item_word if count == 1 else domain.items_word


def first_question(missing: Sequence[MandatoryGroup]) -> str:
    """The question for the first thing that is missing, or an open one where nothing is."""
    return missing[0].question if missing else say("courtesy.open_question")

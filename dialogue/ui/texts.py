"""The page's own words: data in prompts/ui.<language>.toml, never sentences in code."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from dialogue import wording
from pdgf.errors import PdgfError

Texts = Mapping[str, Any]


@cache
def page_texts(language: str = "en") -> Texts:
    """Every text of the page in one language."""
    return tomllib.loads(resources.files("prompts").joinpath(f"ui.{language}.toml").read_text(encoding="utf-8"))


def counted(texts: Texts, unit: str, number: int) -> str:
    """A number with its noun ("1 link", "5 links"); the bare number where [units] has no noun of that name."""
    nouns = texts["units"].get(unit)
    return f"{number} {nouns[number != 1]}" if nouns else str(number)


def sentence(texts: Texts, template: str, **counts: int) -> str:
    """A sentence with its counts filled in. Raises KeyError for a count that it needs and does not get."""
    return template.format_map({name: counted(texts, name, number) for name, number in counts.items()})


def trouble(error: PdgfError | None, texts: Texts) -> str:
    """What to tell a visitor about an error, in the language of the page; None is one that nobody foresaw."""
    if error is None:
        return str(texts["errors"]["unexpected"])
    with wording.speaking(texts["page"]["language"]):
        return wording.sentence_for(error)

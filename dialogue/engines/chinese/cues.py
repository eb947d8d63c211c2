"""The Chinese cue patterns, and a text as they are matched against it. Pure."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from pdgf.glossary import folded

BLANK = "□"  # in place of a title's own words, which are no cues

_QUOTED = re.compile(
    r"(?<=《)[^》\n]{1,80}(?=》)|(?<=〈)[^〉\n]{1,80}(?=〉)|(?<=[「『])[^」』\n]{1,80}(?=[」』])|(?<=“)[^”\n]{1,80}(?=”)"
)


@cache
def _sections() -> Mapping[str, Any]:
    text = resources.files("dialogue.engines").joinpath("cues.zh.toml").read_text(encoding="utf-8")
    sections: Mapping[str, Any] = tomllib.loads(text)
    return sections


@cache
def cue(name: str, field: str = "patterns") -> re.Pattern[str]:
    """The patterns of one section of the cue file as a single expression, for text that is `plain`."""
    data = _sections()
    joined = "|".join(f"(?:{pattern})" for pattern in data[name][field])
    for _ in range(2):  # a list may hold another
        for word, expression in data["words"].items():
            joined = joined.replace(f"{{{word}}}", expression)
    return re.compile(joined, re.IGNORECASE)


def plain(text: str) -> str:
    """The text as cues are looked up in it, character for character: simplified, half width, lower case, the words of
    quoted titles blanked."""
    return _QUOTED.sub(lambda match: BLANK * len(match[0]), folded(text))

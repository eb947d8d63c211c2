"""The cue patterns and word lists of `engines/cues.en.toml`, read once."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def sections() -> Mapping[str, Any]:
    """All sections of the file by name."""
    return tomllib.loads(resources.files("dialogue.engines").joinpath("cues.en.toml").read_text(encoding="utf-8"))


def countries() -> Mapping[str, str]:
    """The countries that words like "french" say something to be from, by the word."""
    found: Mapping[str, str] = sections()["countries"]
    return found

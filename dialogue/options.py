"""Options that several commands of the command line share."""

from enum import StrEnum
from typing import Annotated

import typer

from pdgf.settings import Preset


class Engine(StrEnum):
    """Which engine reads wishes and judges evidence."""

    BUILTIN = "builtin"
    LLM = "llm"


EngineName = Annotated[Engine | None, typer.Option("--engine", help="The engine; default from PDGF_ENGINE.")]
PresetName = Annotated[Preset, typer.Option("--preset", help="interactive, or paper for evaluation.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON only.")]

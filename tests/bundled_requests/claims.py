"""Do links between wishes help? `make eval-claims`: the annotated requests of this folder, and sets of one's own.

python -m tests.bundled_requests.claims [DIR ...] [--requests DIR] [--out DIR] [--limit N] [--json]

The first set, beside this file, has been read while links were worked at. The one in `second` is kept for measuring
alone: whoever works at links or labels does not read it.
"""

import argparse
import asyncio
import json
import tomllib
from pathlib import Path
from typing import Any

from dialogue.composition import Composition
from dialogue.evaluating import Said
from dialogue.evaluation.claims import Asked, put_to_the_test
from pdgf.evaluation.claims import Annotated
from pdgf.evaluation.claims_table import markdown
from pdgf.settings import Settings

FILES = ("qualified.toml", "flat.toml")
FIRST = Path(__file__).parent
SECOND = FIRST / "second"


def read_annotated(folder: Path = FIRST) -> tuple[Annotated, ...]:
    """All annotated requests: those with a qualification, then the flat ones."""
    rows = [row for name in FILES for row in tomllib.loads((folder / name).read_text(encoding="utf-8"))["requests"]]
    return tuple(map(Annotated.model_validate, rows))


async def figures(asked: Asked, settings: Settings) -> dict[str, Any]:
    """The figures of a run, with everything closed after it."""
    composition = Composition(settings=settings)
    try:
        return await put_to_the_test(asked, composition, say=Said())
    finally:
        await composition.close()


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Do links between wishes help?")
    parser.add_argument("folders", nargs="*", type=Path, help="sets as `pdgf eval` reads them")
    parser.add_argument("--requests", type=Path, default=FIRST, help="the folder of the annotated requests")
    parser.add_argument("--out", type=Path, help="write claims.json and claims.md there")
    parser.add_argument("--limit", type=int, help="only the first N requests of each domain and set")
    parser.add_argument("--engine", choices=("builtin", "llm"), default="builtin")
    parser.add_argument("--json", action="store_true", help="print JSON in place of Markdown")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    given = arguments()
    asked = Asked(requests=read_annotated(given.requests), folders=given.folders, limit=given.limit, out=given.out)
    made = asyncio.run(figures(asked, Settings(engine=given.engine, source="catalogue")))
    print(json.dumps(made, ensure_ascii=False, indent=2) if given.json else markdown(made))


if __name__ == "__main__":
    main()

"""The commands that measure: `pdgf eval` over a retrieval set, and one judge for each kind of labelled rows.

Figures go to stdout, progress to stderr. Exit codes are those of the other commands.
"""

import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer

from dialogue.composition import Composition
from dialogue.evaluation import judging, running
from dialogue.options import AsJson, Engine, EngineName, PresetName
from pdgf.errors import ConfigInvalid, PdgfError
from pdgf.evaluation import table
from pdgf.settings import Preset

SAID_EVERY = 5.0  # seconds, where stderr is no terminal

Compose = Callable[[Engine | None, None, Preset], Composition]
Run = Callable[[Coroutine[Any, Any, Any], Composition], Any]
Fail = Callable[[PdgfError], typer.Exit]
Dump = Callable[[Any], str]

Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Only the first N.")]
File = Annotated[Path, typer.Argument(help="A JSONL file with labelled rows.")]


class Said:
    """Progress on stderr: one line that is written over on a terminal, now and then a line of its own elsewhere."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}")
        elif time.monotonic() - self._last >= SAID_EVERY:
            self._last = time.monotonic()
            sys.stderr.write(f"{text}\n")

    def texts(self, done: int, total: int) -> None:
        """The progress of an index."""
        self(f"reading the items: {done} of {total} texts")


def add_commands(app: typer.Typer, *, compose: Compose, run: Run, fail: Fail, dump: Dump) -> None:
    """Add the commands to the command line, which knows how to compose, run and fail."""

    def judged(judge: judging.Judge, file: Path, engine: Engine | None, preset: Preset, limit: int | None) -> None:
        composition = compose(engine, None, preset)
        typer.echo(dump(run(judging.judged(judge, file, composition, limit=limit, say=Said()), composition)))

    def evaluate(
        folder: Annotated[Path, typer.Argument(help="A folder with items.jsonl, queries.jsonl and qrels.tsv.")],
        strategies: Annotated[str | None, typer.Option("--strategies", help="Names with commas; default: all.")] = None,
        limit: Limit = None,
        out: Annotated[Path | None, typer.Option("--out", help="Write report, tables and pictures there.")] = None,
        item_word: Annotated[str, typer.Option("--item-word", help="What one item is called: film, cafe ...")] = "item",
        ray: Annotated[
            str | None, typer.Option("--ray", help="Spread the requests over the Ray cluster at this address.")
        ] = None,
        engine: EngineName = None,
        preset: PresetName = Preset.INTERACTIVE,
        as_json: AsJson = False,
    ) -> None:
        """Measure how well requests are answered, beside simpler ways to order the same items."""
        composition = compose(engine, None, preset)
        said = Said()
        try:
            names = running.chosen(strategies, engine=composition.engine)
        except ConfigInvalid as error:
            raise fail(error) from error
        wanted = running.Wanted(strategies=names, limit=limit, out=out, item_word=item_word, ray=ray)
        made = run(running.evaluate(folder, wanted, composition, say=said, progress=said.texts), composition)
        typer.echo(dump(made) if as_json else table.markdown(made))

    def judging_file(judge: judging.Judge, about: str) -> Callable[..., None]:
        """A command that judges a file and takes nothing else."""

        def command(
            file: File,
            engine: EngineName = None,
            preset: PresetName = Preset.INTERACTIVE,
            limit: Limit = None,
            as_json: AsJson = False,
        ) -> None:
            judged(judge, file, engine, preset, limit)

        command.__doc__ = about
        return command

    def eval_relations(
        file: File,
        held_out: Annotated[str, typer.Option("--held-out", help="Aspects with commas to report on.")] = "",
        engine: EngineName = None,
        preset: PresetName = Preset.INTERACTIVE,
        limit: Limit = None,
        as_json: AsJson = False,
    ) -> None:
        """Measure how well texts are compared with wishes."""
        aspects = tuple(name.strip() for name in held_out.split(",") if name.strip())
        judged(judging.relations(aspects), file, engine, preset, limit)

    def eval_dialogue(
        conversations: Annotated[int, typer.Option("--conversations", min=1, help="How many.")] = 100,
        seed: Annotated[int, typer.Option("--seed", help="Who is played.")] = 0,
        engine: EngineName = None,
        preset: PresetName = Preset.INTERACTIVE,
        as_json: AsJson = False,
    ) -> None:
        """Measure how soon people with hidden needs, played by templates, find something in the bundled domains."""
        composition = compose(engine, None, preset)
        work = judging.conversations(composition, conversations=conversations, seed=seed, say=Said())
        typer.echo(dump(run(work, composition)))

    app.command(name="eval-dialogue")(eval_dialogue)
    app.command(name="eval")(evaluate)
    files = {
        "eval-intents": (judging.intents, "Measure how well the intents of messages are read."),
        "eval-options": (judging.options, "Measure how often the one right option of several is put first."),
        "eval-updates": (judging.updates, "Measure how well messages change the list of wishes."),
    }
    for name, (judge, about) in files.items():
        app.command(name=name)(judging_file(judge, about))
    app.command(name="eval-relations")(eval_relations)

"""The command line `pdgf`: graph, recommend, chat, index, catalogues, remove, copy-conversations, eval*, doctor.

With --json, stdout holds JSON only. Exit 0: ok; 2: input that can be mended, said in one line; 3: an outside service
failed. Everything else goes to stderr.
"""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from dialogue import (
    catalogue_check,
    catalogue_list,
    chatting,
    commands,
    diagnosis,
    evaluating,
    indexing,
    printing,
    removal,
)
from dialogue.command_line import BAD_INPUT, INTERRUPTED, SERVICE_FAILED, agreed, aside, dumped, failed, progress, run
from dialogue.composition import Composition
from dialogue.options import AsJson, Engine, EngineName, PresetName
from dialogue.owned import LOCAL_OWNER
from dialogue.setting_errors import setting_error
from pdgf.catalogues.bundled import BUNDLED
from pdgf.errors import BadInput, ConfigInvalid, PdgfError
from pdgf.llm.replay import ReplayModel, Story, read_story
from pdgf.settings import Preset, Settings

USAGE_ERROR: Any = typer.BadParameter.__base__  # typer shows it, but exports only its kinds
TOLD_CALLS = 100_000  # of a story, which costs nothing; the preset of the paper makes thousands

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A recommender that shows its reasons.",
)


class EvidenceKind(StrEnum):
    """Where evidence comes from."""

    CATALOGUE = "catalogue"
    WEB = "web"
    BOTH = "both"


Text = Annotated[str, typer.Argument(help="What you are looking for, in your own words; - reads it from stdin.")]
DomainName = Annotated[
    str, typer.Option("--domain", help="movies, books, anime, restaurants, or a name given to `index`.")
]
SourceName = Annotated[EvidenceKind | None, typer.Option("--source", help="The evidence; default from PDGF_SOURCE.")]


@app.command()
def graph(
    text: Text,
    domain: DomainName = "movies",
    engine: EngineName = None,
    source: SourceName = None,
    preset: PresetName = Preset.INTERACTIVE,
    as_json: AsJson = False,
) -> None:
    """Show how the wishes in a text qualify one another, and what would be searched for."""
    composition = _composition(engine, source, preset)
    printed = run(commands.graph(_narrative(text), domain, composition), composition)
    typer.echo(dumped(printed) if as_json else printing.graph_text(printed))


@app.command(name="recommend")
def recommend_command(
    text: Annotated[
        str, typer.Argument(help="What you are looking for; - reads it from stdin. Not with --replay.")
    ] = "",
    domain: DomainName = "movies",
    replay: Annotated[
        Path | None,
        typer.Option("--replay", help="A story: a request with a language model's replies, told in a file."),
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="How many items.")] = 10,
    engine: EngineName = None,
    source: SourceName = None,
    preset: PresetName = Preset.INTERACTIVE,
    as_json: AsJson = False,
) -> None:
    """Rank the items of a domain by how well what is known of them satisfies a text."""
    composition = _composition(Engine.BUILTIN if replay else engine, source, preset)
    if replay is not None:
        if text:
            raise failed(ConfigInvalid("a story tells its own request, so leave the text out beside --replay"))
        story = _story(replay)
        text, domain = story.narrative, story.domain
        free = composition.settings.model_copy(update={"budget_agent_calls": TOLD_CALLS})
        composition = Composition(settings=free, preset=preset, model=ReplayModel(story), free=True)
    made = commands.recommended(_narrative(text), domain, k, composition, progress, scope=LOCAL_OWNER)
    printed, unreached = run(made, composition)
    if replay is not None:
        printed["notes"] = [story.about, *printed["notes"]]
    typer.echo(dumped(printed) if as_json else printing.recommendation_text(printed))
    if unreached:
        raise typer.Exit(SERVICE_FAILED)


@app.command()
def chat(
    domain: DomainName = "movies",
    thread: Annotated[str | None, typer.Option("--thread", help="Continue this conversation, or start it.")] = None,
    engine: EngineName = None,
    source: SourceName = None,
    preset: PresetName = Preset.INTERACTIVE,
    as_json: AsJson = False,
) -> None:
    """Talk: one utterance a line on stdin; with --json one JSON line a turn."""
    composition = _composition(engine, source, preset)
    raise typer.Exit(run(chatting.chat(domain, thread, composition, as_json=as_json), composition))


@app.command()
def index(
    file: Annotated[Path | None, typer.Argument(help="A catalogue: JSONL or CSV.")] = None,
    name: Annotated[str, typer.Option("--name", help="The name of the domain it becomes.")] = "",
    mapping: Annotated[
        list[str] | None,
        typer.Option("--map", help="field=column, for a CSV whose headers say it otherwise; repeatable."),
    ] = None,
    bundled: Annotated[
        bool, typer.Option("--bundled", help="Index the bundled catalogues ahead of their first use.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only say what is wrong with the file; with --bundled by stricter rules.")
    ] = False,
    ship: Annotated[
        bool, typer.Option("--ship", hidden=True, help="With --bundled: write the vectors that come with the package.")
    ] = False,
    ray: Annotated[
        str | None,
        typer.Option("--ray", help="Encode on the Ray cluster at this address: auto, host:6379 or ray://host:10001."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a domain from your own catalogue: afterwards --domain NAME works everywhere."""
    composition = _composition(None, None, Preset.INTERACTIVE)
    if check and (file is not None or bundled):
        work = catalogue_check.check(file, composition, bundled=bundled, mapping=_mapping(mapping or []))
        checked = run(work, composition)
        typer.echo(dumped(checked) if as_json else catalogue_check.check_text(checked))
        raise typer.Exit(0 if checked["ok"] else BAD_INPUT)
    if bundled:
        ready = run(_index_bundled(composition, ship=ship), composition)
        typer.echo(dumped(ready) if as_json else f"Ready: {', '.join(ready['indexed'])}.")
        return
    if file is None or not name:
        raise failed(ConfigInvalid("name a file and the domain it becomes: pdgf index FILE --name NAME"))
    pace = indexing.Pace(evaluating.Said())
    fields = _mapping(mapping or [])
    work = indexing.index(file, name=name, mapping=fields, composition=composition, pace=pace, warn=aside, ray=ray)
    printed = run(work, composition)
    typer.echo(dumped(printed) if as_json else printing.index_text(printed))


@app.command()
def catalogues(as_json: AsJson = False) -> None:
    """List what is indexed: name, place, items, passages, encoder, when, and how much room it takes."""
    composition = _composition(None, None, Preset.INTERACTIVE)
    rows = [row.model_dump(mode="json") for row in run(catalogue_list.listed(composition), composition)]
    typer.echo(dumped({"catalogues": rows}) if as_json else catalogue_list.catalogues_text(rows))


@app.command()
def remove(
    name: Annotated[str, typer.Argument(help="The name that was given to `index`.")],
    place: Annotated[
        removal.Place | None, typer.Option("--place", help="Where to remove it, if the name is in both places.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a catalogue of your own with its indexes, once you have agreed; your file stays where it is."""
    composition = _composition(None, None, Preset.INTERACTIVE)
    going = run(removal.going(name, composition, place), composition)
    gone: dict[str, Any] = {"removed": name, "from": []}
    if yes or agreed(removal.going_text(going), "Remove it?", otherwise=removal.command(going)):
        composition = _composition(None, None, Preset.INTERACTIVE)
        gone = run(removal.removed(going, composition), composition)
    typer.echo(dumped(gone) if as_json else removal.removed_text(gone))


@app.command(name="copy-conversations")
def copy_conversations(as_json: AsJson = False) -> None:
    """Copy the conversations of the data folder into the database, which leaves them where they are."""
    composition = _composition(None, None, Preset.INTERACTIVE)
    made = run(composition.keeping.copy_conversations(), composition).model_dump(mode="json")
    typer.echo(dumped(made) if as_json else printing.copied_text(made))


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Name engine, evidence, index and store, try each once, and say in words what is wrong."""
    composition = _composition(None, None, Preset.INTERACTIVE)
    findings = run(diagnosis.examine(composition), composition)
    printed = {"ok": all(finding.ok for finding in findings), "findings": [f.model_dump(mode="json") for f in findings]}
    typer.echo(dumped(printed) if as_json else printing.doctor_text(printed))
    if not printed["ok"]:
        raise typer.Exit(SERVICE_FAILED)


async def _index_bundled(composition: Composition, *, ship: bool) -> dict[str, Any]:
    for name in BUNDLED:
        await composition.ports(name, progress)
        if ship:
            await composition.ship(name)
    return {"indexed": list(BUNDLED)}


def _composition(engine: Engine | None, source: EvidenceKind | None, preset: Preset) -> Composition:
    """The composition for the options of a command; what this version does not have is said, not ignored."""
    try:
        settings = Settings()
        if engine is not None:
            settings = settings.model_copy(update={"engine": engine.value})
        if source is not None:
            settings = settings.model_copy(update={"source": source.value})
        composition = Composition(settings=settings, preset=preset)
        composition.check_model()
        return composition
    except PdgfError as error:
        raise failed(error) from error
    except ValueError as error:
        raise failed(ConfigInvalid(setting_error(error))) from error


def _story(file: Path) -> Story:
    try:
        return read_story(file)
    except PdgfError as error:
        raise failed(error) from error


def _narrative(text: str) -> str:
    """The text of a command, cleaned; refused in one line when it is empty or too long."""
    typed = (sys.stdin.read() if sys.stdin is not None else "") if text == "-" else text
    try:
        return commands.narrative(typed, Settings().max_message_chars)
    except BadInput as error:
        raise failed(error) from error


def _mapping(pairs: list[str]) -> dict[str, str]:
    wrong = next((pair for pair in pairs if "=" not in pair), None)
    if wrong is not None:
        raise failed(ConfigInvalid(f"--map takes field=column, not {wrong!r}"))
    return dict(pair.split("=", 1) for pair in pairs)


evaluating.add_commands(app, compose=_composition, run=run, fail=failed, dump=dumped)


def main() -> None:
    """The console script: wrong options and an unwritable stdout are told in one line too."""
    try:
        code = app(prog_name="pdgf", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except USAGE_ERROR as error:
        typer.echo(f"{error.format_message().rstrip('.')}. Try: pdgf --help", err=True)
        sys.exit(BAD_INPUT)
    except typer.Abort:
        sys.exit(INTERRUPTED)
    except OSError as error:
        aside(f"The output could not be written: {error.strerror or error}.")
        sys.exit(SERVICE_FAILED)

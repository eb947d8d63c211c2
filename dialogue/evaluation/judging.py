"""The judges of labelled rows, each with the agents of a chat: a file in, its figures out."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dialogue.composition import Composition
from dialogue.evaluation.composing import Budgets, keeping_vectors
from dialogue.evaluation.intents import IntentRow, judge_intents
from dialogue.evaluation.simulator import simulate
from dialogue.evaluation.updates import UpdateRow, judge_updates
from pdgf.errors import ConfigInvalid
from pdgf.evaluation.options import OptionsRow, judge_options
from pdgf.evaluation.relations import RelationRow, judge_relations
from pdgf.evaluation.rows import R, read_rows, told

Say = Callable[[str], None]
Figures = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Work:
    """One file to judge, all of it or the first `limit` rows, with what judges need."""

    file: Path
    composition: Composition
    limit: int | None
    say: Say
    budgets: Budgets = field(default_factory=Budgets)

    def rows(self, kind: type[R]) -> tuple[list[R], Figures]:
        """The usable rows, and what was left out. Raises ConfigInvalid."""
        rows, left_out = read_rows(self.file, kind)
        return [row for _, row in rows[: self.limit]], told(left_out)


Judge = Callable[[Work], Awaitable[Figures]]


async def judged(judge: Judge, file: Path, composition: Composition, *, limit: int | None, say: Say) -> Figures:
    """The figures of a file with what they depend on. Raises ConfigInvalid and ServiceFailed."""
    async with keeping_vectors(composition) as keeping:
        work = Work(file=file, composition=keeping, limit=limit, say=say)
        made = await judge(work)
        config = {**_config(keeping), "file": file.name, "limit": limit}
    return {**made, "setbacks": work.budgets.setbacks(), "config": config}


async def intents(work: Work) -> Figures:
    """Figures of intents; see `dialogue.evaluation.intents`."""
    rows, left_out = work.rows(IntentRow)
    made = await judge_intents(rows, ports=work.composition.ports, new_budget=work.budgets, say=work.say)
    return {**made, "left_out": left_out}


async def updates(work: Work) -> Figures:
    """Figures of changed wishes; see `dialogue.evaluation.updates`."""
    rows, left_out = work.rows(UpdateRow)
    made = await judge_updates(rows, ports=work.composition.ports, new_budget=work.budgets, say=work.say)
    return {**made, "left_out": left_out}


async def options(work: Work) -> Figures:
    """Figures of right options; see `pdgf.evaluation.options`."""
    rows, left_out = work.rows(OptionsRow)
    agent, _ = work.composition.agents(())
    config = work.composition.config
    made = await judge_options(rows, agent=agent, config=config, new_budget=work.budgets, say=work.say)
    return {**made, "left_out": left_out}


def relations(held_out: tuple[str, ...]) -> Judge:
    """The judge of relations that reports on some aspects, or on all of them; see `pdgf.evaluation.relations`."""

    async def judge(work: Work) -> Figures:
        rows, left_out = work.rows(RelationRow)
        known = {row.aspect for row in rows}
        unknown = next((aspect for aspect in held_out if aspect not in known), None)
        if unknown is not None:
            raise ConfigInvalid(f"{work.file.name} has no aspect {unknown!r}: it has {', '.join(sorted(known))}")
        agent, _ = work.composition.agents(())
        made = await judge_relations(
            rows,
            agent=agent,
            config=work.composition.config,
            new_budget=work.budgets,
            held_out=held_out,
            say=work.say,
        )
        return {**made, "left_out": left_out}

    return judge


async def conversations(composition: Composition, *, conversations: int, seed: int, say: Say) -> Figures:
    """Figures of played conversations, of which nothing is kept; see `dialogue.evaluation.simulator`."""
    with TemporaryDirectory() as folder:
        made = await simulate(composition.ports, Path(folder), conversations=conversations, seed=seed, say=say)
    return {**made, "config": {**_config(composition), **made["config"]}}


def _config(composition: Composition) -> Figures:
    """Numbers, engine and encoder."""
    return {**composition.config.printed(), "engine": composition.engine, "embedder": composition.embedder.id}

"""STORY of `pdgf eval`: read a set, measure what is not kept yet, work out the figures, write the report.

folder -> RetrievalSet -> for each request: orders by all strategies, kept as soon as they are there
       -> figures with intervals -> JSON, Markdown, pictures
"""

import json
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dialogue.composition import Composition
from dialogue.evaluation.composing import evaluation_folder, keeping_vectors, setup_for
from dialogue.evaluation.spreading import Measuring, spread_over
from pdgf.errors import BudgetSpent, ConfigInvalid, ModelFailed, ModelUnreachable, PdgfError, StoreUnavailable
from pdgf.evaluation import plots, report, table
from pdgf.evaluation.dataset import QUERIES, Query, RetrievalSet, read_set, set_digest
from pdgf.evaluation.kept_results import KeptResults, code_digest, run_digest, serves
from pdgf.evaluation.model_strategies import RUNS
from pdgf.evaluation.rows import LeftOut, told
from pdgf.evaluation.runner import QueryResult, Setup, measure, warmed
from pdgf.evaluation.statistics import LEVEL, SAMPLES, SEED
from pdgf.evaluation.strategies import WITH_MODEL, WITHOUT_MODEL, Strategy

Say = Callable[[str], None]
Progress = Callable[[int, int], None]
BAR = 24  # characters
OURS = ("dialogue", "pdgf", "prompts")  # the packages that results come from: how a run is set up is in the first

HOW = {
    "request": "the text of each request; no other field of it is used",
    "excluded": "items that the request names, by seed_items and as the graph reads them, for all strategies alike",
    "pool": "what the graph and the whole request as one wish have found, by the first and then the second",
    "year_on": "full without items newer than the newest year that the request names",
    "year_off": "full without a year rule; every other strategy has that of `year_rule`",
    "no_edges": "own descriptions and entry queries of isolated wishes, within the pool",
    "dense": "one vector an item, the mean of its passages",
    "llm_memory": "titles that the model names, matched with all items of the set by any of their titles; it has no "
    "pool, and what the request names itself is left out as everywhere",
    "llm_rerank": "the whole pool, each item with everything that was found about it by the graph and by the request",
    "runs": f"strategies that ask a model are run {RUNS} times: metrics are means over the runs, `runs` has each",
    "seconds": "full: the way of the product, labels as needed; the others of the graph: all labels of the pool, "
    "those that full has made not made again",
    "graded": "ndcg@10 has the grade as gain, ndcg@10_binary has 1",
    "complementarity": "the share of the truth that the row has found and the column has not",
}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a run is asked for. Results are kept in `out`, or in the data folder where that is None. `ray` is the
    address of a cluster over which the requests are spread."""

    strategies: tuple[Strategy, ...]
    limit: int | None = None
    out: Path | None = None
    item_word: str = "item"
    ray: str | None = None


def chosen(names: str | None, *, engine: str) -> tuple[Strategy, ...]:
    """Strategies from a list with commas; without one all that the engine can do. Raises ConfigInvalid."""
    able = (*WITHOUT_MODEL, *WITH_MODEL) if engine == "llm" else WITHOUT_MODEL
    if names is None:
        return able
    asked = [name.strip() for name in names.split(",") if name.strip()]
    known = [strategy.value for strategy in Strategy]
    unknown = next((name for name in asked if name not in known), None)
    if unknown is not None or not asked:
        raise ConfigInvalid(f"there is no strategy {unknown or names!r}: there are {', '.join(known)}")
    needing = [name for name in asked if Strategy(name) not in able]
    if needing:
        raise ConfigInvalid(f"{', '.join(needing)} needs a language model, and the engine is builtin: use --engine llm")
    return tuple(dict.fromkeys(map(Strategy, asked)))


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The requests of a set with their results, those that failed, and everything that the results depend on."""

    queries: Sequence[Query]
    results: dict[str, QueryResult]
    failed: Sequence[LeftOut]
    config: dict[str, Any]


async def evaluate(
    folder: Path, wanted: Wanted, composition: Composition, *, say: Say, progress: Progress | None = None
) -> dict[str, Any]:
    """The report of a set, as JSON. Raises ConfigInvalid, CatalogueInvalid and ServiceFailed."""
    read = read_set(folder)
    async with keeping_vectors(composition) as keeping:
        spread = spread_over(wanted.ray, folder, keeping, wanted.item_word) if wanted.ray is not None else None
        found = await measured(read, wanted, keeping, say=say, progress=progress, spread=spread)
    made = {
        **report.figures(found.queries, found.results, wanted.strategies),
        "config": {
            **found.config,
            "strategies": [strategy.value for strategy in wanted.strategies],
            "limit": wanted.limit,
            "bootstrap": {"level": LEVEL, "samples": SAMPLES, "seed": SEED},
            "random_seeds": report.RANDOM_SEEDS,
            "how": HOW,
        },
        "left_out": told((*read.left_out, *found.failed)),
    }
    if wanted.out is not None:
        _write(made, wanted.out, say)
    return made


async def measured(
    read: RetrievalSet,
    wanted: Wanted,
    keeping: Composition,
    *,
    say: Say,
    progress: Progress | None = None,
    known: Path | None = None,
    altered: Callable[[Setup], Setup] | None = None,
    because: Mapping[str, Any] | None = None,
    spread: Measuring | None = None,
) -> Measured:
    """Results of a set by request, those kept from earlier among them. `known` is where vectors of its texts may lie;
    what `altered` does otherwise than a chat is told by `because`, which becomes a part of the config; `spread`
    measures the requests elsewhere. Raises ServiceFailed and ConfigInvalid."""
    queries = read.queries[: wanted.limit]
    setup = await setup_for(read, keeping, item_word=wanted.item_word, progress=progress, known=known)
    setup = altered(setup) if altered is not None else setup
    config = {**_config(read, setup, keeping, wanted.item_word), **(because or {})}
    kept = KeptResults((wanted.out or evaluation_folder(keeping)) / f"{read.name}-{run_digest(config)}")
    measuring = spread or partial(one_by_one, setup)
    results, failed = await _measured(queries, measuring, wanted.strategies, kept, say)
    return Measured(queries=queries, results=results, failed=failed, config=config)


async def one_by_one(
    setup: Setup, queries: Sequence[Query], strategies: Sequence[Strategy]
) -> AsyncIterator[tuple[Query, QueryResult | PdgfError]]:
    """Each request with its result, or why it has none. Raises ServiceFailed."""
    await warmed(setup)
    for query in queries:
        try:
            yield query, await measure(query, setup, strategies)
        except (BudgetSpent, ModelFailed) as error:
            yield query, error


async def _measured(
    queries: Sequence[Query], measuring: Measuring, strategies: Sequence[Strategy], kept: KeptResults, say: Say
) -> tuple[dict[str, QueryResult], list[LeftOut]]:
    """Results by request, those kept from earlier among them, and the requests that ran out of time or during which the
    language model gave no service: what another engine has done in its place is no result of it, and is not kept.

    Raises the last of these errors where they leave nothing.
    """
    known, failed = kept.read(), []
    last: PdgfError | None = None
    results = {query.qid: known[query.qid] for query in queries if serves(known.get(query.qid), strategies)}
    if results:
        say(f"{len(results)} of {len(queries)} requests were measured before")
    missing = [query for query in queries if query.qid not in results]
    started = time.monotonic()
    number = 0
    async for query, found in measuring(missing, strategies) if missing else _nothing():
        number += 1
        try:
            result = _served(found)
        except (BudgetSpent, ModelFailed) as error:
            last = error
            failed.append(LeftOut(file=QUERIES, why=f"request {query.qid} could not be measured: {error}"))
            continue
        results[query.qid] = result
        kept.add(result)
        say(bar(number, len(missing), time.monotonic() - started))
    if last is not None and not results:
        raise last
    return results, failed


def bar(done: int, total: int, seconds: float) -> str:
    """How far a run is, as a bar with the pace and what is left of it."""
    each = seconds / done
    full = BAR * done // total
    return (
        f"[{'#' * full}{'.' * (BAR - full)}] {done} of {total} requests, {each:.1f} s each, "
        f"{each * (total - done):.0f} s left"
    )


async def _nothing() -> AsyncIterator[tuple[Query, QueryResult | PdgfError]]:
    return
    yield


def _served(found: QueryResult | PdgfError) -> QueryResult:
    """The result. Raises what stands in its place, and ModelUnreachable if the language model was given up."""
    if isinstance(found, PdgfError):
        raise found
    why = next((step.removeprefix("engine: ") for step in found.setbacks if step.startswith("engine: ")), None)
    if why is not None:
        raise ModelUnreachable(why)
    return found


def _config(read: RetrievalSet, setup: Setup, composition: Composition, item_word: str) -> dict[str, Any]:
    """Everything that results depend on."""
    return {
        **setup.asking.config.printed(),
        "engine": composition.engine,
        "model": composition.language_model.chat_model.id if composition.engine == "llm" else None,
        "embedder": composition.embedder.id,
        "current_year": setup.asking.current_year,
        "item_word": item_word,
        "set": read.name,
        "set_digest": set_digest(read)[:16],
        "code": code_digest(OURS),
    }


def _write(made: dict[str, Any], out: Path, say: Say) -> None:
    """report.json, report.md and the pictures. Raises StoreUnavailable."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "report.json").write_text(json.dumps(made, ensure_ascii=False, indent=2), encoding="utf-8")
        (out / "report.md").write_text(table.markdown(made), encoding="utf-8")
    except OSError as error:
        raise StoreUnavailable(f"{out}: {error.strerror or error}") from error
    try:
        plots.draw(made, out)
    except ConfigInvalid as error:
        say(str(error))

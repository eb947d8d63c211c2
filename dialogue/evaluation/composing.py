"""The part of the composition that measuring needs: the agents, and an index of a set that is no domain of ours."""

import asyncio
import datetime
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dialogue.composition import Composition
from pdgf.catalogues.reading import CatalogueItem
from pdgf.embedding import CachedEmbedder, MiniLMEmbedder
from pdgf.engines.llm_listwise import LLMListwise
from pdgf.errors import ModelUnreachable
from pdgf.evaluation.baselines import Corpus
from pdgf.evaluation.dataset import RetrievalSet
from pdgf.evaluation.kept_vectors import KeptVectors
from pdgf.evaluation.model_strategies import ModelStrategies
from pdgf.evaluation.pool import Asking
from pdgf.evaluation.runner import Setup
from pdgf.models import Candidate
from pdgf.ports import Ports
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.encoding import Progress
from pdgf.sources.index import index_folder, open_index
from pdgf.sources.lexical import LexicalIndex
from pdgf.usage import Budget

SCOPE = "evaluation"  # whose replies of a language model are kept, so that a run that was stopped costs no call twice
SECONDS = 3_600.0  # one request: nobody waits for it
CALLS = 1_000_000


def unhurried_budget() -> Budget:
    """The budget of one request that is measured: no cap but an hour."""
    return Budget(seconds=SECONDS, agent_calls=CALLS, scope=SCOPE)


class Budgets:
    """Makes unhurried budgets and remembers what went otherwise than asked on them."""

    def __init__(self) -> None:
        self._made: list[Budget] = []

    def __call__(self) -> Budget:
        self._made.append(unhurried_budget())
        return self._made[-1]

    def setbacks(self) -> dict[str, int]:
        """How often each step was done otherwise. Raises ModelUnreachable if the language model was given up on any of
        them: figures of two engines are figures of none. Replies are kept, so that a second run goes on."""
        counts: dict[str, int] = {}
        for setback in (setback for budget in self._made for setback in budget.setbacks()):
            if setback.step == "engine":
                raise ModelUnreachable(setback.why)
            name = f"{setback.step}: {setback.why}"
            counts[name] = counts.get(name, 0) + setback.count
        return counts


def evaluation_folder(composition: Composition) -> Path:
    """Where vectors and results are kept."""
    return composition.settings.data_dir / "evaluation"


@asynccontextmanager
async def keeping_vectors(composition: Composition) -> AsyncIterator[Composition]:
    """A composition whose packaged encoder keeps on disk what it has encoded; that of an endpoint is used as it is."""
    settings = composition.settings
    if settings.embeddings_model is not None:
        yield composition
        return
    folder = Path(settings.embedder) if settings.embedder else None
    kept = KeptVectors(MiniLMEmbedder(folder), evaluation_folder(composition))
    keeping = replace(composition, _embedder=CachedEmbedder(kept), _ready={})
    try:
        yield keeping
    finally:
        await kept.close()
        await keeping.close()


async def setup_for(
    measured: RetrievalSet,
    composition: Composition,
    *,
    item_word: str,
    progress: Progress | None = None,
    known: Path | None = None,
) -> Setup:
    """Everything that measuring a set needs; builds its index on first use, with the vectors that lie at `known`.
    Raises ServiceFailed and ConfigInvalid."""
    items, embedder = measured.items, composition.embedder
    await embedder.encode(["."])  # an endpoint's dimension is known after its first call
    index = await open_index(
        items,
        embedder=embedder,
        folder=index_folder(composition.settings.data_dir, f"eval-{measured.name}", items, embedder),
        progress=progress,
        chinese=composition.chinese_embedder,
        known=known,
    )
    await asyncio.to_thread(index.prepare)
    source = CatalogueSource(index, embedder, composition.chinese_embedder)
    agent, _ = composition.agents(index.candidates)
    corpus = Corpus(
        ids=tuple(candidate.id for candidate in index.candidates),
        by_words=word_scores(items),
        vectors=index.vectors,
        texts=index.texts_by_item,
        embedder=embedder,
    )
    candidates = {candidate.id: candidate for candidate in index.candidates}
    config = composition.config
    return Setup(
        asking=Asking(
            ports=Ports(agent=agent, source=source),
            config=config,
            item_word=item_word,
            current_year=datetime.datetime.now(datetime.UTC).year,
        ),
        corpus=corpus,
        schema=index.schema,
        candidates=candidates,
        new_budget=unhurried_budget,
        model=None if composition.engine == "builtin" else _with_model(composition, corpus, candidates, item_word),
    )


def word_scores(items: tuple[CatalogueItem, ...]) -> Callable[[str], NDArray[np.float32]]:
    """BM25 over whole items, one text each: title, year, facts and reviews. Indexed at the first query."""

    @lru_cache(maxsize=1)
    def index() -> LexicalIndex:
        return LexicalIndex.build([_words_of(item) for item in items])

    return lambda query: index().scores(query)


def _words_of(item: CatalogueItem) -> str:
    facts = (f"{key} {' '.join(map(str, v)) if isinstance(v, list) else v}" for key, v in item.metadata.items())
    return "\n".join((item.title, str(item.year or ""), *facts, *(review.text for review in item.reviews)))


def _with_model(
    composition: Composition, corpus: Corpus, candidates: dict[str, Candidate], item_word: str
) -> ModelStrategies:
    return ModelStrategies(
        agent=LLMListwise(composition.language_model.structured()),
        proposer=composition.language_model.proposer(),
        corpus=corpus,
        candidates=candidates,
        item_word=item_word,
        texts_of_an_item=composition.config.evidence_top_k,
    )

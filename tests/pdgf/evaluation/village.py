"""A made-up retrieval set of six inns, and everything to measure it with fakes."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.constraints import schema_of
from pdgf.evaluation.baselines import Corpus
from pdgf.evaluation.dataset import Query
from pdgf.evaluation.pool import Asking
from pdgf.evaluation.runner import Setup
from pdgf.late_fusion import TextsByItem
from pdgf.models import Candidate
from pdgf.ports import Ports
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import HashingEmbedder, Shelf, VocabularyAgent

INNS: Mapping[str, tuple[str, int | None, Sequence[str]]] = {
    "heron": ("The Heron", 1931, ["A quiet inn by the lake.", "The garden is large."]),
    "anvil": ("The Anvil", 1988, ["Loud music until late.", "Good ale and a warm fire."]),
    "mill": ("Old Mill", 1950, ["A quiet garden behind the mill.", "The fire burns all winter."]),
    "crown": ("The Crown", 2015, ["A warm fire and good ale."]),
    "swan": ("The Swan", 2019, ["A lake view and a quiet room."]),
    "gate": ("West Gate", None, ["Nothing but stone."]),
}
WORDS = {"quiet": "atmosphere", "lake": "setting", "garden": "setting", "fire": "comfort", "ale": "drink"}
QUERIES = (
    Query(qid="q1", text="A quiet place with a lake", truth={"heron": 2.0, "swan": 1.0}),
    Query(qid="q2", text="A garden and a fire", truth={"mill": 3.0}),
    Query(
        qid="q3", text="Something like The Heron (1931): quiet, with a garden", seeds=("heron",), truth={"mill": 1.0}
    ),
)


def items() -> tuple[CatalogueItem, ...]:
    return tuple(
        CatalogueItem(id=item, title=title, year=year, reviews=tuple(Review(text=text) for text in texts))
        for item, (title, year, texts) in INNS.items()
    )


def write_set(folder: Path, *, queries: Sequence[Mapping[str, Any]] = (), qrels: Sequence[str] = ()) -> Path:
    """The set as files; rows given beside it come last."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [item.model_dump(mode="json") for item in items()]
    asked = [{"qid": q.qid, "text": q.text, "seed_items": list(q.seeds)} for q in QUERIES]
    judged = [f"{q.qid}\t{item}\t{grade:g}" for q in QUERIES for item, grade in q.truth.items()]
    for name, lines in (
        ("items.jsonl", [json.dumps(row) for row in rows]),
        ("queries.jsonl", [json.dumps(row) for row in (*asked, *queries)]),
        ("qrels.tsv", [*judged, *qrels]),
    ):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


async def corpus() -> Corpus:
    """What the baselines see, with a score of shared words in place of BM25."""
    embedder = HashingEmbedder()
    texts = [(place, text) for place, (_, _, said) in enumerate(INNS.values()) for text in said]
    said = [" ".join(found).casefold() for _, _, found in INNS.values()]

    def by_words(query: str) -> Any:
        return np.array([sum(word in text for word in query.casefold().split()) for text in said], np.float32)

    return Corpus(
        ids=tuple(INNS),
        by_words=by_words,
        vectors=await embedder.encode([text for _, text in texts]),
        texts=TextsByItem.of(np.array([place for place, _ in texts]), len(INNS)),
        embedder=embedder,
    )


async def setup(config: MethodConfig | None = None, agent: VocabularyAgent | None = None) -> Setup:
    """The village with an agent that knows five words, or another one."""
    candidates = [Candidate(id=item, title=title, year=year) for item, (title, year, _) in INNS.items()]
    shelf = Shelf([(candidate, INNS[candidate.id][2]) for candidate in candidates])
    return Setup(
        asking=Asking(
            ports=Ports(agent=agent or VocabularyAgent(WORDS), source=shelf),
            config=config or MethodConfig(),
            item_word="inn",
            current_year=2026,
        ),
        corpus=await corpus(),
        schema=schema_of(candidates),
        candidates={candidate.id: candidate for candidate in candidates},
        new_budget=Budget,
    )

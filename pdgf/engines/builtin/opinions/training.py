"""Trains the opinion head from labelled pairs of a file and writes it with its card.

    python -m pdgf.engines.builtin.opinions.training PATH [--out FOLDER]

PATH is a JSONL file of {"evidence", "preference", "aspect", "label", "split"?}, as `pdgf eval-relations` reads it.
Rows whose split is not "train" are never used, nor are those of the last two aspects in alphabetical order: they are
there to measure on. The head that ships was trained on pairs derived from MAMS, restaurant reviews with several aspects
each (Jiang et al., EMNLP 2019, https://github.com/siat-nlp/MAMS-for-ABSA; Apache-2.0 according to the notes that came
with the pairs). No row of it is in this repository. What is learned is one weight for each sign and class, so that no
sentence can be read out of the file.

Printed are figures of cross-validation over the rows that are used: in five folds that keep the pairs of a sentence
together, and with each aspect left out in turn. Nothing is drawn at random: folds go by the digest of a sentence.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from pdgf.embedding import MiniLMEmbedder
from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.opinions.fitting import fitted
from pdgf.engines.builtin.opinions.head import CARD, CLASSES, WEIGHTS, Head, Numbers, bytes_of
from pdgf.engines.builtin.opinions.judging import asks_for_praise
from pdgf.engines.builtin.opinions.signs import signs
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.evaluation.classification import single_label
from pdgf.evaluation.relations import RelationRow, features_of
from pdgf.evaluation.rows import read_rows
from pdgf.settings import MethodConfig
from pdgf.usage import Budget

FOLDS = 5
HELD_OUT = 2  # aspects, the last ones in alphabetical order


class TrainingRow(RelationRow):
    """A labelled pair that says which part of its set it belongs to."""

    split: str = "train"


@dataclass(frozen=True, eq=False)
class Pairs:
    """Inputs of every (row, wish of its preference), with the number of its row and its share in that row."""

    rows: Sequence[TrainingRow]
    inputs: Numbers
    row: NDArray[np.int64]
    shares: Numbers

    def classes(self) -> NDArray[np.int64]:
        """The true class of each pair, by its place in CLASSES."""
        return np.array([CLASSES.index(self.rows[row].true) for row in self.row], np.int64)

    def where(self, wanted: Sequence[bool]) -> NDArray[np.bool_]:
        """Of each pair whether its row is wanted."""
        return np.asarray(wanted, np.bool_)[self.row]

    def fit(self, used: NDArray[np.bool_]) -> Head:
        return fitted(self.inputs[used], self.classes()[used], self.shares[used])

    def judged(self, head: Head, used: NDArray[np.bool_]) -> list[tuple[str, str]]:
        """(true, given) of each row that has a pair in use: the class with the most probability over its wishes."""
        given = np.zeros((len(self.rows), len(CLASSES)))
        np.add.at(given, self.row[used], head.probabilities(self.inputs[used]))
        return [(self.rows[row].true, CLASSES[int(given[row].argmax())]) for row in np.unique(self.row[used])]


async def read_pairs(rows: Sequence[TrainingRow]) -> Pairs:
    """The inputs of rows, with each preference read into wishes as in a request; wishes that the head is never asked
    about are left out. Raises EmbedderUnavailable."""
    embedder = MiniLMEmbedder()
    agent = BuiltinAgent(parser=EnglishParser(), embedder=embedder, vocabulary=Vocabulary())
    wishes: dict[str, list[str]] = {}
    for preference in dict.fromkeys(row.preference for row in rows):
        features = await features_of(preference, agent, MethodConfig(), Budget())
        wishes[preference] = [wish for f in features if asks_for_praise(wish := read_feature(f).focus)]
    texts = list(dict.fromkeys([row.evidence for row in rows] + [wish for found in wishes.values() for wish in found]))
    vectors = dict(zip(texts, await embedder.encode(texts), strict=True))
    pairs = [(number, wish) for number, row in enumerate(rows) for wish in wishes[row.preference]]
    inputs = [
        [*signs(rows[number].evidence, wish), float(vectors[rows[number].evidence] @ vectors[wish])]
        for number, wish in pairs
    ]
    shares = [1 / len(wishes[rows[number].preference]) for number, _ in pairs]
    return Pairs(rows, np.array(inputs), np.array([number for number, _ in pairs], np.int64), np.array(shares))


def held_out(aspects: Sequence[str]) -> set[str]:
    """The aspects that nothing is learned from."""
    return set(sorted(set(aspects))[-HELD_OUT:])


def fold_of(sentence: str) -> int:
    """The fold of a sentence, the same for all its pairs."""
    return hashlib.sha256(sentence.encode()).digest()[0] % FOLDS


def crossed(pairs: Pairs, groups: Sequence[str]) -> dict[str, float]:
    """Macro F1 of each group of rows when the head has seen all others, and of all rows together."""
    everything: list[tuple[str, str]] = []
    found: dict[str, float] = {}
    for group in sorted(set(groups)):
        out = pairs.where([other == group for other in groups])
        judged = pairs.judged(pairs.fit(~out), out)
        found[group] = single_label(judged, CLASSES)["macro_f1"]
        everything += judged
    return {**found, "all": single_label(everything, CLASSES)["macro_f1"]}


def train(
    path: Annotated[Path, typer.Argument(help="Labelled pairs, JSONL.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the weights and their card.")] = Path(__file__).parent,
) -> None:
    """Train, print how well that works on what was left out, and write the weights."""
    rows = [row for _, row in read_rows(path, TrainingRow)[0] if row.split == "train"]
    kept_back = held_out([row.aspect for row in rows])
    rows = [row for row in rows if row.aspect not in kept_back]
    pairs = asyncio.run(read_pairs(rows))
    typer.echo(f"{len(rows)} rows, {len(pairs.row)} pairs; kept back: {', '.join(sorted(kept_back))}")
    for title, groups in (
        ("fold", [str(fold_of(row.evidence)) for row in rows]),
        ("without aspect", [row.aspect for row in rows]),
    ):
        for name, figure in crossed(pairs, groups).items():
            typer.echo(f"macro F1, {title} {name}: {figure:.3f}")
    written = bytes_of(pairs.fit(np.ones(len(pairs.row), np.bool_)))
    out.mkdir(parents=True, exist_ok=True)
    (out / WEIGHTS).write_bytes(written)
    (out / CARD).write_text(_card(written, rows, kept_back), encoding="utf-8")
    typer.echo(f"{out / WEIGHTS}: {len(written)} bytes")


def _card(written: bytes, rows: Sequence[TrainingRow], kept_back: set[str]) -> str:
    seen = ", ".join(f'"{aspect}"' for aspect in sorted({row.aspect for row in rows}))
    unseen = ", ".join(f'"{aspect}"' for aspect in sorted(kept_back))
    return (
        "# What head.npz is; written by training.py\n"
        f'sha256 = "{hashlib.sha256(written).hexdigest()}"\n'
        f"rows = {len(rows)}\naspects = [{seen}]\nheld_out = [{unseen}]\n"
    )


if __name__ == "__main__":
    typer.run(train)

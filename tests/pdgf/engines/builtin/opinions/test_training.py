"""Training the opinion head: what is held back, how rows are crossed, and the file that comes out."""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from pdgf.engines.builtin.opinions.head import CARD, INPUTS, WEIGHTS, head_of
from pdgf.engines.builtin.opinions.training import FOLDS, Pairs, TrainingRow, crossed, fold_of, held_out, train

WISHES = {
    "food": ("I want really good food.", "The food was delicious.", "The food was awful.", "We ordered food."),
    "ambience": ("I want a nice atmosphere.", "A lovely room and mood.", "The mood was dull.", "There is a setting."),
    "service": ("I want good service.", "The service was great.", "The service was slow.", "Service ends at ten."),
    "staff": ("I want friendly staff.", "The waiter was kind.", "The waiter was rude.", "The waiter came."),
}
LABELS = ("supports", "contradicts", "neutral")


def rows() -> list[TrainingRow]:
    return [
        TrainingRow(evidence=evidence, preference=preference, aspect=aspect, label=label, split=split)
        for split in ("train", "val")
        for aspect, (preference, *texts) in WISHES.items()
        for evidence, label in zip(texts, LABELS, strict=True)
    ]


def pairs_of(told: Sequence[TrainingRow]) -> Pairs:
    """One pair a row, with its class written into one input."""
    inputs = np.zeros((len(told), INPUTS))
    inputs[:, 0] = [LABELS.index(row.true) * 5 for row in told]
    return Pairs(told, inputs, np.arange(len(told)), np.ones(len(told)))


def test_the_last_two_aspects_by_name_are_held_back() -> None:
    assert held_out([row.aspect for row in rows()]) == {"service", "staff"}


def test_all_pairs_of_a_sentence_are_in_one_fold() -> None:
    folds = {fold_of(f"Sentence {number}.") for number in range(200)}
    assert folds == set(range(FOLDS))
    assert fold_of("The same.") == fold_of("The same.")


@pytest.mark.long
def test_a_group_is_judged_by_a_head_that_has_not_seen_it() -> None:
    told = rows() * 20
    known = crossed(pairs_of(told), [str(number % 5) for number in range(len(told))])
    assert known["all"] > 0.9
    wrong = pairs_of(told)
    outsiders = np.array([row.aspect == "food" for row in told])
    wrong.inputs[outsiders, 0] = 10 - wrong.inputs[outsiders, 0]  # supports and neutral change places
    assert crossed(wrong, [row.aspect for row in told])["food"] < 0.6


@pytest.mark.long
def test_training_writes_a_head_and_a_card_that_know_neither_held_back_aspects_nor_other_splits(
    tmp_path: Path,
) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(json.dumps(row.model_dump()) for row in rows()), encoding="utf-8")
    app = typer.Typer()
    app.command()(train)
    shown = [CliRunner().invoke(app, [str(file), "--out", str(tmp_path / name)]) for name in ("one", "other")]
    assert [result.exit_code for result in shown] == [0, 0]
    assert "kept back: service, staff" in shown[0].output
    data = [(tmp_path / name / WEIGHTS).read_bytes() for name in ("one", "other")]
    card = tomllib.loads((tmp_path / "one" / CARD).read_text(encoding="utf-8"))
    assert data[0] == data[1]
    assert (card["rows"], card["aspects"]) == (6, ["ambience", "food"])
    assert head_of(data[0], card["sha256"]).weights.shape == (INPUTS, 3)


def test_a_file_without_usable_rows_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"evidence": "x"}\n', encoding="utf-8")
    app = typer.Typer()
    app.command()(train)
    result = CliRunner().invoke(app, [str(file), "--out", str(tmp_path)])
    assert result.exit_code != 0
    assert not (tmp_path / WEIGHTS).exists()

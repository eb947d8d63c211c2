"""The public evaluation data, where they lie beside the project: every file is read, and what is left out is known."""

from pathlib import Path

import pytest

from dialogue.evaluation.intents import IntentRow
from dialogue.evaluation.updates import UpdateRow
from pdgf.evaluation.dataset import read_set
from pdgf.evaluation.options import OptionsRow
from pdgf.evaluation.relations import RelationRow
from pdgf.evaluation.rows import FileRow, read_rows

DATA = Path(__file__).parents[4] / "shared" / "data"


def at_hand(name: str) -> Path:
    if not (DATA / name).exists():
        pytest.skip(f"the evaluation data are not at hand: no {DATA.name}/{name} beside the project")
    return DATA / name


@pytest.mark.parametrize("name", ["cafes", "edmonton"])
def test_every_request_of_a_set_can_be_measured(name: str) -> None:
    found = read_set(at_hand(name))
    assert found.left_out == ()
    assert all(query.truth.keys() <= found.item_by_id.keys() for query in found.queries)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("intents.jsonl", IntentRow),
        ("constraint_updates.jsonl", UpdateRow),
        ("evidence_relations.jsonl", RelationRow),
        ("recipe_mpr.jsonl", OptionsRow),
    ],
)
def test_every_row_of_a_judges_file_can_be_judged(name: str, kind: type[FileRow]) -> None:
    rows, left_out = read_rows(at_hand(name), kind)
    assert left_out == []
    assert len(rows) > 50

"""Relative words over the numbers of a catalogue that came with the product."""

import pytest

from pdgf.engines.builtin.column_lines import with_measures
from pdgf.engines.builtin.vocabulary import vocabulary_of
from pdgf.models import Candidate, Label, RelationLabel
from pdgf.ports import RelationRequest

SILENT = RelationLabel(label=Label.NOT_ADDRESSED)
FILMS = [Candidate(id=str(n), title=f"Film {n}", metadata={"length_minutes": 80 + 10 * n}) for n in range(9)]


@pytest.mark.parametrize(
    ("minutes", "feature", "expected"),
    [
        (90, "not too long (length).", Label.SUPPORT),
        (150, "not too long (length).", Label.CONTRADICTS),
        (90, "short (length).", Label.SUPPORT),
        (120, "shorter (length).", Label.PARTIAL),
        (160, "shorter (length).", Label.CONTRADICTS),
        (160, "a longer film (length).", Label.SUPPORT),
        (90, "不要太长（长度）。", Label.SUPPORT),
    ],
)
def test_a_relative_word_is_told_by_the_number_of_the_item(minutes: int, feature: str, expected: Label) -> None:
    measures = vocabulary_of(FILMS).measures
    assert measures is not None
    line = f"Length: {minutes} minutes"
    note = "Three hours would be too long, said some."
    told = RelationLabel(label=Label.PARTIAL, quotes=(note,))
    (found,) = with_measures([RelationRequest(text=f"{note}\n{line}", feature=feature)], [told], measures)
    assert found == RelationLabel(label=expected, quotes=(line,))


def test_a_word_that_no_number_tells_keeps_what_the_notes_say() -> None:
    measures = vocabulary_of(FILMS).measures
    assert measures is not None
    told = RelationLabel(label=Label.SUPPORT, quotes=("Old and cheap.",))
    for feature in ("cheap (price).", "old.", "long friendship."):
        request = RelationRequest(text="Old and cheap.\nLength: 90 minutes", feature=feature)
        assert with_measures([request], [told], measures) == [told]
    assert vocabulary_of([Candidate(id="a", title="A")]).measures is None
    assert with_measures([RelationRequest(text="x", feature="short.")], [SILENT], measures) == [SILENT]

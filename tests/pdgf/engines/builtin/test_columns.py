"""What the built-in engine makes of a person's own catalogue: perspectives by column, and lines as evidence."""

from dataclasses import replace

import pytest

from pdgf.engines.builtin.column_lines import with_columns
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.vocabulary import vocabulary_of
from pdgf.models import Candidate, Label, Metadata, RelationLabel
from pdgf.ports import RelationRequest

WINES: tuple[Metadata, ...] = (  # invented
    {"type": "red", "country": "Italy", "sweetness": "dry", "price": "€12", "area": "Lake Side", "notes on": ["lake"]},
    {"type": "white", "country": "France", "sweetness": "off-dry", "price": "€30", "area": "Hill", "notes on": ["oak"]},
)
ITEMS = [Candidate(id=str(n), title=f"Bottle {n}", metadata=dict(row)) for n, row in enumerate(WINES)]
OWN = vocabulary_of(ITEMS, own=True)
SILENT = RelationLabel(label=Label.NOT_ADDRESSED)


def read(parser: EnglishParser, text: str) -> Analysis:
    return analyse(parser.parse_now(text), text, replace(OWN, english=parser.words), None)


def label(text: str, feature: str, before: RelationLabel = SILENT) -> RelationLabel:
    assert OWN.columns is not None
    [found] = with_columns([RelationRequest(text=text, feature=feature)], [before], OWN.columns)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a dry red wine under €20",
            {("dry", "sweetness", False), ("red", "type", False), ("under €20", "price", True)},
        ),
        ("Italian red wine", {("Italian", "country", False), ("red", "type", False)}),
        ("a bottle of wine, about 15 euros", {("about 15 euros", "price", False)}),
    ],
)
def test_each_wish_has_the_perspective_of_its_column_and_the_item_noun_asks_nothing(
    parser: EnglishParser, text: str, expected: set[tuple[str, str, bool]]
) -> None:
    found = read(parser, text)
    assert {(node.instantiation, node.perspective, node.hard) for node in found.nodes} == expected
    assert found.attachments == ()


def test_a_noun_for_items_beside_words_that_the_catalogue_does_not_know_belongs_to_them(parser: EnglishParser) -> None:
    instantiations = {node.instantiation for node in read(parser, "a red wine for a boarding school").nodes}
    assert instantiations == {"red", "boarding school"}


def test_a_catalogue_that_is_not_ones_own_is_read_without_its_columns(parser: EnglishParser) -> None:
    other = vocabulary_of(ITEMS)
    assert (other.columns, other.nouns, other.column_names) == (None, frozenset(), frozenset())
    text = "a red wine"
    [node] = analyse(parser.parse_now(text), text, replace(other, english=parser.words), None).nodes
    assert node.instantiation == "red wine"


@pytest.mark.parametrize(
    ("line", "feature", "expected"),
    [
        ("Price: €12", "must have under €20 (price).", Label.SUPPORT),
        ("Price: €30", "must have under €20 (price).", Label.CONTRADICTS),
        ("Price: €15-30", "must have under €20 (price).", Label.PARTIAL),
        ("Price: $12", "must have under €20 (price).", Label.NOT_ADDRESSED),
        ("Sweetness: dry", "dry.", Label.SUPPORT),
        ("Sweetness: off-dry", "dry.", Label.CONTRADICTS),
        ("Type: white", "no white.", Label.CONTRADICTS),
    ],
)
def test_a_line_that_decides_a_wish_is_its_evidence(line: str, feature: str, expected: Label) -> None:
    found = label(line, feature)
    assert found.label is expected
    assert found.quotes == (() if expected is Label.NOT_ADDRESSED else (line,))


def test_a_word_in_another_column_is_no_evidence_for_a_value() -> None:
    said = RelationLabel(label=Label.SUPPORT, quotes=("Area: Lake Side",))
    assert label("Area: Lake Side\nNotes on: oak", "lake.", said) == SILENT
    told = RelationLabel(label=Label.SUPPORT, quotes=("Drink it by the lake.",))
    assert label("Notes on: oak\nDrink it by the lake.", "lake.", told) == told


def test_a_note_against_the_column_makes_it_partial() -> None:
    told = RelationLabel(label=Label.SUPPORT, quotes=("It tastes dry.",))
    found = label("Sweetness: off-dry\nIt tastes dry.", "dry.", told)
    assert (found.label, found.quotes) == (Label.PARTIAL, ("It tastes dry.", "Sweetness: off-dry"))

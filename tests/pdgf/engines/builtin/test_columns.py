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


GAMES = [  # invented
    Candidate(
        id=str(n),
        title=f"Box {n}",
        metadata={
            "theme": theme,
            "minimum age": age,
            "text on cards": text,
            "price (eur)": price,
            "playing time (min)": minutes,
        },
    )
    for n, (theme, age, text, price, minutes) in enumerate(
        [
            ("space", 6, "none", 10.5, 20),
            ("trains", 8, "little", 20.5, 40),
            ("pirates", 10, "much", 30.5, 60),
            ("space pirates", 12, "none", 40.5, 80),
            ("farming", 14, "little", 50.5, 100),
            ("space", 14, "much", 60.5, 120),
        ]
    )
]
OWN_GAMES = vocabulary_of(GAMES, own=True)


def nodes_of(parser: EnglishParser, text: str) -> set[tuple[str, str, str]]:
    found = analyse(parser.parse_now(text), text, replace(OWN_GAMES, english=parser.words), None)
    return {(node.instantiation, node.perspective, node.polarity.value) for node in found.nodes}


def label_of_game(line: str, feature: str, before: RelationLabel = SILENT) -> RelationLabel:
    assert OWN_GAMES.columns is not None
    [found] = with_columns([RelationRequest(text=line, feature=feature)], [before], OWN_GAMES.columns)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no text on the cards", ("text on the cards", "text on cards", "avoid")),
        ("games without text on cards", ("text on cards", "text on cards", "avoid")),
        ("something with lots of text on the cards", ("lots of text on the cards", "text on cards", "want")),
        ("a game with little text on the cards", ("little text on the cards", "text on cards", "want")),
    ],
)
def test_an_amount_before_the_words_of_a_header_is_one_wish(
    parser: EnglishParser, text: str, expected: tuple[str, str, str]
) -> None:
    assert nodes_of(parser, text) == {expected}


def test_the_levels_of_a_column_of_amounts_are_no_values_that_any_wish_may_hold(parser: EnglishParser) -> None:
    assert {"little", "much", "none"}.isdisjoint(OWN_GAMES.values)


def test_a_subject_before_the_age_of_a_child_stays_a_wish(parser: EnglishParser) -> None:
    found = nodes_of(parser, "a game about space for a six-year-old")
    assert found == {("space", "theme", "want"), ("six-year-old", "audience", "want")}


@pytest.mark.parametrize(
    ("line", "feature", "expected"),
    [
        ("Minimum age: 6", "must have six-year-old (audience).", Label.SUPPORT),
        ("Minimum age: 8", "must have six-year-old (audience).", Label.CONTRADICTS),
        ("Text on cards: none", "no text on the cards.", Label.SUPPORT),
        ("Text on cards: little", "no text on the cards.", Label.CONTRADICTS),
        ("Text on cards: little", "not too much text on the cards.", Label.SUPPORT),
        ("Text on cards: much", "not too much text on the cards.", Label.CONTRADICTS),
        ("Text on cards: much", "lots of text on the cards.", Label.SUPPORT),
        ("Text on cards: little", "little text on the cards.", Label.SUPPORT),
        ("Price (eur): 20.5", "cheap (price).", Label.SUPPORT),
        ("Price (eur): 30.5", "cheap (price).", Label.PARTIAL),
        ("Price (eur): 60.5", "cheap (price).", Label.CONTRADICTS),
        ("Price (eur): 60.5", "expensive (price).", Label.SUPPORT),
        ("Price (eur): 60.5", "not too expensive (price).", Label.CONTRADICTS),
        ("Price (eur): 30.5", "not too expensive (price).", Label.SUPPORT),
        ("Playing time (min): 20", "quick.", Label.SUPPORT),
        ("Playing time (min): 120", "a short game (length).", Label.CONTRADICTS),
        ("Playing time (min): 120", "long (length).", Label.SUPPORT),
        ("Theme: trains", "pirates.", Label.CONTRADICTS),
        ("Theme: space pirates", "pirates.", Label.NOT_ADDRESSED),
        ("Theme: farming", "either space or trains.", Label.CONTRADICTS),
    ],
)
def test_ages_amounts_thirds_and_closed_lists_decide_by_their_own_line(
    line: str, feature: str, expected: Label
) -> None:
    found = label_of_game(line, feature)
    assert found.label is expected
    assert found.quotes == (() if expected is Label.NOT_ADDRESSED else (line,))


def test_a_relative_word_without_a_column_is_known_only_where_a_text_says_it() -> None:
    near = RelationLabel(label=Label.PARTIAL, quotes=("A calm game about trains.",))
    assert label_of_game("A calm game about trains.", "old game.", near) == SILENT
    told = RelationLabel(label=Label.SUPPORT, quotes=("An old classic.",))
    assert label_of_game("An old classic.", "old game.", told) == told


def test_a_note_for_children_does_not_outweigh_the_age_that_a_column_states() -> None:
    note = "Children grasp it at once."
    told = RelationLabel(label=Label.SUPPORT, quotes=(note,))
    found = label_of_game(f"Minimum age: 10\n{note}", "must have 6-year-old (audience).", told)
    assert (found.label, found.quotes) == (Label.CONTRADICTS, ("Minimum age: 10",))


def test_a_column_whose_values_are_all_alike_has_no_thirds() -> None:
    alike = vocabulary_of([Candidate(id=str(n), title=str(n), metadata={"price": 9.5}) for n in range(6)], own=True)
    assert alike.columns is not None
    request = RelationRequest(text="Price: 9.5", feature="cheap (price).")
    assert with_columns([request], [SILENT], alike.columns) == [SILENT]

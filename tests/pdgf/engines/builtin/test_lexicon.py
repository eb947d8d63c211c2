"""Expressions of the word lists."""

import tomllib
from importlib import resources

import pytest

from pdgf.engines.builtin import lexicon
from pdgf.engines.builtin.lexicon import concept_mentions, concepts, cues, expression


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        (["slow*"], "a slowly growing", ["slowly"]),
        (["small town"], "in a small-town  setting", ["small-town"]),
        (["sci-fi"], "sci fi and scifi and sci-fi", ["sci fi", "scifi", "sci-fi"]),
        (["war"], "warm award war", ["war"]),
    ],
)
def test_an_expression_matches_whole_words(words: list[str], text: str, found: list[str]) -> None:
    assert [match[0] for match in expression(words).finditer(text)] == found


def test_what_can_be_graded_is_found_in_every_degree() -> None:
    pattern = expression(["dark", "cosy", "tense"], comparable=True)
    text = "dark darker darkest cosy cosier tense tenser tensest darkly"
    assert [match[0] for match in pattern.finditer(text)] == text.split()[:-1]


def test_the_longest_name_wins() -> None:
    assert [mention.concept.name for mention in concept_mentions("dry humour")] == ["dry_humour"]
    assert [mention.concept.name for mention in concept_mentions("something darker")] == ["dark"]


@pytest.mark.parametrize("text", ["cheering schoolboys", "a joyless march", "a joyride", "he hoped"])
def test_a_crowd_that_cheers_is_not_uplifting(text: str) -> None:
    assert {mention.concept.name for mention in concept_mentions(text)} & {"uplifting", "heartwarming"} == set()


def test_what_warms_the_heart_is_a_concept_of_its_own() -> None:
    for text in ("heartwarming", "warm-hearted", "a healing film", "quiet consolation"):
        assert "heartwarming" in {mention.concept.name for mention in concept_mentions(text)}


def test_every_concept_has_a_perspective_and_the_item_words_are_generic() -> None:
    assert all(concept.perspective for concept in concepts().values())
    assert {"film", "book", "restaurant", "anime"} <= cues().generic_nouns


@pytest.mark.parametrize(
    "name", ["banter", "slapstick", "jump_scares", "found_family", "dry_humour", "horror", "comedy"]
)
def test_a_word_names_the_concept_whose_own_name_it_is(name: str) -> None:
    said = name.replace("_", " ")
    assert [mention.concept.name for mention in concept_mentions(said)] == [name]


def test_the_kinds_of_a_concept_are_among_its_words() -> None:
    rows = tomllib.loads(resources.files(lexicon).joinpath("concepts.toml").read_text(encoding="utf-8"))
    with_kinds = {name: row for name, row in rows.items() if "kinds" in row}
    assert with_kinds
    assert all(set(row["kinds"]) <= set(row["words"]) for row in with_kinds.values())
    assert all(concepts()[name].kinds is not None for name in with_kinds)

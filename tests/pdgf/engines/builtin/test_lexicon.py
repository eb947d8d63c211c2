"""Expressions of the word lists."""

import pytest

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


def test_every_concept_has_a_perspective_and_the_item_words_are_generic() -> None:
    assert all(concept.perspective for concept in concepts().values())
    assert {"film", "book", "restaurant", "anime"} <= cues().generic_nouns

"""Wishes for what is between two people are met by texts that name both (METHOD 7.1, 12)."""

import pytest

from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.chinese.judging import label_in_both
from pdgf.engines.builtin.pairs import Pair, pair_of, pair_wished
from pdgf.models import Label
from pdgf.ports import RelationRequest
from tests.local_models import minilm, use

S, N, X = Label.SUPPORT, Label.NOT_ADDRESSED, Label.CONTRADICTS
MOTHER_AND_DAUGHTER = Pair("mother", "daughter")


@pytest.fixture(scope="module")
def encoders() -> tuple[CachedEmbedder, CachedEmbedder]:
    return CachedEmbedder(minilm()), CachedEmbedder(use())


@pytest.mark.parametrize(
    ("words", "pair"),
    [
        ("mother-daughter relationship", MOTHER_AND_DAUGHTER),
        ("mothers and daughters", MOTHER_AND_DAUGHTER),
        ("a daughter and her mother", MOTHER_AND_DAUGHTER),
        ("母女关系", MOTHER_AND_DAUGHTER),
        ("friendship between an old man and a child", Pair("old person", "child")),
        ("师生情", Pair("teacher", "pupil")),
        ("mother or daughter", None),
        ("mother", None),
        ("mothers and daughters in space", None),
        ("亲情", None),
    ],
)
def test_a_pair_is_read_in_its_usual_words_and_nothing_else_is(words: str, pair: Pair | None) -> None:
    assert pair_of(words) == pair


def test_who_comes_along_is_no_relation_in_a_story() -> None:
    assert pair_wished("mother and daughter", "relationship") == MOTHER_AND_DAUGHTER
    assert pair_wished("mother and daughter", "audience") is None


@pytest.mark.parametrize("feature", ["mother-daughter relationship.", "母女关系。"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A rich family quarrels over a house.", N),
        ("Genres: family, drama", N),
        ("A found family on the road.", N),
        ("She cannot forgive her mother.", N),
        ("A father and his son cross a desert.", N),
        ("A mother and her daughter share a flat.", S),
        ("Keywords: mother daughter relationship, sea", S),
        ("No mothers and daughters here.", X),
        ("一家人的故事。", N),
        ("母亲独自经营小店。", N),
        ("母亲带着女儿回到故乡。", S),
        ("一对母女的争吵写得真实。", S),
    ],
)
async def test_a_text_that_names_one_half_or_only_the_family_does_not_speak_of_the_two(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, feature: str, expected: Label
) -> None:
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    assert found.label is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("The best man gives a speech.", N), ("An old man lives alone.", N), ("A pensioner takes in a boy.", S)],
)
async def test_an_old_man_and_a_child_are_both_looked_for(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, expected: Label
) -> None:
    request = RelationRequest(text=text, feature="friendship between an old man and a child.")
    [found] = await label_in_both([request], *encoders)
    assert found.label is expected

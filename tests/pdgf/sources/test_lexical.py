"""BM25 over passages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.sources.lexical import LexicalIndex, stem, tokens


@pytest.mark.parametrize(
    "family",
    [
        ("bake", "bakes", "baked", "baking"),
        ("city", "cities"),
        ("movie", "movies"),
        ("run", "runs", "running"),
        ("slow", "slowly"),
        ("kiss", "kisses", "kissed", "kissing"),
        ("bus", "buses"),
    ],
)
def test_the_forms_of_a_word_meet(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize("word", ["red", "bed", "sing", "this", "glass", "gas"])
def test_words_that_only_look_like_forms_stay(word: str) -> None:
    assert stem(word) == word


def test_stop_words_are_gone_and_cjk_is_read_in_pairs() -> None:
    assert tokens("There is a very Quiet_room with the BOATS") == ["quiet", "room", "boat"]
    assert tokens("爱情故事") == ["爱情", "情故", "故事"]
    assert tokens("爱") == ["爱"]


def test_the_passage_with_the_rarer_words_scores_highest() -> None:
    index = LexicalIndex.build(["a quiet room", "a quiet lighthouse", "a loud room", ""])
    scores = index.scores("quiet lighthouses")
    assert scores.argmax() == 1
    assert scores[2] == scores[3] == 0.0


def test_a_query_of_unknown_words_scores_nothing() -> None:
    index = LexicalIndex.build(["a quiet room"])
    assert index.scores("zeppelin").tolist() == index.scores("").tolist() == [0.0]


@pytest.mark.parametrize("texts", [[], [""], ["the and of"]])
def test_passages_without_words_can_be_indexed(texts: list[str]) -> None:
    assert LexicalIndex.build(texts).scores("quiet").tolist() == [0.0] * len(texts)


def test_a_word_said_twice_in_a_query_counts_once() -> None:
    index = LexicalIndex.build(["a quiet room", "boats"])
    assert (index.scores("quiet quiet room") == index.scores("quiet room")).all()


def test_parts_that_do_not_fit_together_are_refused() -> None:
    whole = LexicalIndex.build(["a quiet room", "a loud room"])
    wrong = [
        (1, whole.vocabulary, whole.data, whole.indices, whole.indptr),
        (2, {"quiet": 0}, whole.data, whole.indices, whole.indptr),
        (2, dict.fromkeys(whole.vocabulary, 0), whole.data, whole.indices, whole.indptr),
        (2, whole.vocabulary, whole.data[1:], whole.indices, whole.indptr),
        (2, whole.vocabulary, whole.data, whole.indices - 1, whole.indptr),
        (2, whole.vocabulary, whole.data, whole.indices, whole.indptr[::-1].copy()),
    ]
    for parts in wrong:
        with pytest.raises(ValueError, match="do not fit"):
            LexicalIndex.restore(*parts)


@given(st.lists(st.text(alphabet="abc de", max_size=20), max_size=8), st.text(alphabet="abc de", max_size=10))
def test_a_restored_index_scores_as_the_one_that_was_built(texts: list[str], query: str) -> None:
    built = LexicalIndex.build(texts)
    restored = LexicalIndex.restore(len(texts), built.vocabulary, built.data, built.indices, built.indptr)
    assert (restored.scores(query) == built.scores(query)).all()
    assert restored.scores(query).shape == (len(texts),)
    assert np.isfinite(restored.scores(query)).all()

"""The quoted sentence, or unknown."""

from dialogue.engines.answers import SCORE, SHARED_SCORE, content_stems, quoted_answer
from dialogue.models import ItemRef
from dialogue.ports import Question
from pdgf.models import Passage, Source
from pdgf.ports import ReviewHit

PLACE = ItemRef(id="p", title="Lantern Room")


def ask(text: str, *passages: tuple[str, float]) -> str:
    hits = tuple(
        ReviewHit(
            item="p", passage=Passage(text=words, source=Source(id=f"p#r{n}", url="https://x.test/")), score=score
        )
        for n, (words, score) in enumerate(passages)
    )
    piece = quoted_answer(Question(text=text, item=PLACE, metadata={}, hits=hits))
    if piece is None:
        return ""
    [source] = piece.sources
    assert piece.text == f"“{source.quote}”"
    assert any(source.quote in words for words, _ in passages)
    assert (source.item, source.url) == ("p", "https://x.test/")
    return source.quote


def test_the_sentence_that_shares_most_with_the_question_is_quoted() -> None:
    passage = "The soup is hot. Live music plays on Fridays. Bread is free."
    assert ask("is there live music?", (passage, 0.5)) == "Live music plays on Fridays."


def test_the_best_passage_answers_and_a_far_one_does_not() -> None:
    assert ask("is it cosy?", ("A warm fire.", SCORE), ("Cold tiles.", 0.3)) == "A warm fire."
    assert ask("is it cosy?", ("A warm fire.", SCORE - 0.01)) == ""
    assert ask("is it cosy?") == ""


def test_a_shared_word_lowers_the_bar_but_not_to_nothing() -> None:
    assert ask("are there candles?", ("A candle on each table.", SHARED_SCORE)) == "A candle on each table."
    assert ask("are there candles?", ("A candle on each table.", SHARED_SCORE - 0.01)) == ""


def test_a_general_question_is_answered_by_the_nearest_passage() -> None:
    assert (
        ask("what is it about?", ("Two friends rob a bank.", 0.1), ("The score is loud.", 0.05))
        == "Two friends rob a bank."
    )
    assert ask("what is it about?") == ""


def test_the_name_of_the_item_is_no_shared_word() -> None:
    assert ask("does Lantern Room do weddings?", ("The Lantern Room opened early.", 0.3)) == ""


def test_content_words_meet_without_their_endings() -> None:
    assert content_stems("Candles") == content_stems("candle")
    assert content_stems("is it for the") == frozenset()


def test_a_general_question_is_answered_in_prose_where_there_is_some() -> None:
    prose = "Two friends rob a bank. It goes wrong."
    assert ask("what is it about?", ("Language: French", 0.9), (prose, 0.1)) == prose
    assert ask("what is it about?", ("Language: French", 0.9)) == "Language: French"

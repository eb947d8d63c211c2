"""The quoted sentence, or unknown."""

import pytest

from dialogue.engines.answers import SHARED_SCORE, content_stems, labelled_words, quoted_answer
from dialogue.models import ItemRef
from dialogue.ports import Question
from pdgf.models import Label, Passage, RelationLabel, Source
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


def test_the_nearest_passage_answers_nothing_by_being_near() -> None:
    assert ask("is it cosy?", ("A warm fire.", 0.9), ("Cold tiles.", 0.3)) == ""
    assert ask("is it cosy?", ("A cosy fire.", 0.3), ("Cold tiles.", 0.9)) == "A cosy fire."
    assert ask("is it cosy?") == ""


def test_one_of_two_words_is_not_enough() -> None:
    assert ask("what do the waiters wear?", ("The waiters are quick.", 0.9)) == ""
    assert ask("are the waiters quick?", ("The waiters are quick.", 0.9)) == "The waiters are quick."


def test_words_that_any_note_holds_do_not_count() -> None:
    assert ask("does the second season continue the story?", ("The story is told in the first person.", 0.9)) == ""


def test_the_end_of_a_chapter_is_not_the_end() -> None:
    passage = "Most chapters end on hooks. Its closing pages are calm."
    assert ask("how does it end?", (passage, 0.5)) == "Its closing pages are calm."


def test_a_line_of_metadata_is_no_note() -> None:
    assert ask("is the place known for jazz?", ("Kind: jazz place", 0.9)) == ""
    assert ask("is there jazz?", ("Late nights: jazz until two.", 0.9)) == "Late nights: jazz until two."


def test_the_quote_of_a_label_answers_where_no_sentence_shares_the_words() -> None:
    passage = Passage(text="Slapstick is gentle. Rain falls.", source=Source(id="p#r1"))
    question = Question(
        text="is it funny?", item=PLACE, metadata={}, hits=(ReviewHit(item="p", passage=passage, score=0.3),)
    )
    label = RelationLabel(label=Label.PARTIAL, quotes=("Slapstick is gentle.",))
    piece = quoted_answer(question, [label])
    assert piece is not None
    assert [source.quote for source in piece.sources] == ["Slapstick is gentle."]
    assert quoted_answer(question, [RelationLabel(label=Label.NOT_ADDRESSED)]) is None


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("is it funny?", "funny"),
        ("are there maps in the book?", "maps"),
        ("is it near the park?", None),
        ("is it on Netflix?", None),
        ("is it available online?", None),
        ("was it filmed in Canada?", None),
        ("Is it funny?", "funny"),
        ("how funny is it?", None),
        ("does the plot of the second half make any sense to you?", None),
    ],
)
def test_a_label_is_asked_only_for_few_words_that_a_note_can_hold(question: str, words: str | None) -> None:
    assert labelled_words(question) == words


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

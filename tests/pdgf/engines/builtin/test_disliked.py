"""Words around a title that say it was disliked, and words that do not (C28)."""

import pytest

from pdgf.engines.builtin.disliked import dislike_after, dislike_after_several, dislike_before

TITLE = "Salt Winter"


def is_disliked(text: str) -> bool:
    start = text.index(TITLE)
    end = start + len(TITLE)
    return dislike_before(text, start) is not None or dislike_after(text, end) > 0 or dislike_after_several(text, end)


@pytest.mark.parametrize(
    "text",
    [
        "I walked out of Salt Winter", "my wife couldn't finish Salt Winter", "we gave up on Salt Winter",
        "I've never really liked Salt Winter", "I was so bored by Salt Winter", "sick of Salt Winter",
        "not a big fan of Salt Winter", "unlike Salt Winter", "nothing at all like Salt Winter",
        "I don't want another film like Salt Winter", "anything but something similar to Salt Winter",
        "Salt Winter is a film I hate", "Salt Winter, which we disliked,", "Salt Winter was a bit boring",
        "Salt Winter isn't my cup of tea", "Salt Winter left me cold", "Salt Winter didn't work for me",
        "Salt Winter was a waste of time", "Salt Winter and Moth Season are films I can't stand",
        "Salt Winter, Moth Season and Reed bored me", "Salt Winter is the worst",
    ],
)  # fmt: skip
def test_a_verdict_against_a_title_is_heard_before_and_after_it(text: str) -> None:
    assert is_disliked(text)
    assert is_disliked(f"something warm. {text}, please")


@pytest.mark.parametrize(
    "text",
    [
        "I loved Salt Winter", "something like Salt Winter", "not unlike Salt Winter",
        "there's nothing like Salt Winter", "I hated Moth Season. Salt Winter was better",
        "Salt Winter is about a boring man", "Salt Winter was not boring",
        "I loved Salt Winter but Moth Season bored me", "I could not stop watching Salt Winter",
        "Salt Winter is a film I love", "a film as slow as Salt Winter", "Salt Winter, which I adored",
    ],
)  # fmt: skip
def test_other_words_near_a_title_are_no_verdict_against_it(text: str) -> None:
    assert not is_disliked(text)

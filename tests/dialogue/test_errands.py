"""Who bids us book, order or buy is told that it cannot be done here."""

import pytest

from dialogue import errands, wording
from tests.dialogue.talks import talk


@pytest.mark.parametrize(
    "text",
    [
        "book the first one for 8 pm",
        "Can you book it?",
        "order it",
        "Please buy the second",
        "Great, reserve a table for two.",
        "I'd like to book a table for four",
        "帮我订位",
        "帮我订第一家",
        "请帮我买第一本",
        "订个位子吧",
    ],
)
def test_an_errand_is_heard(text: str) -> None:
    assert errands.asked_for(text)


@pytest.mark.parametrize(
    "text",
    [
        "can we book?",
        "Does it take bookings?",
        "a crime novel about a religious order",
        "the book the first one is based on",
        "I loved The Book Thief",
        "books, order the list by year",
        "能预订吗？",
        "想要一家可以订位的餐厅",
        "订位方便吗",
    ],
)
def test_what_only_sounds_like_one_is_none(text: str) -> None:
    assert not errands.asked_for(text)


@pytest.mark.parametrize(
    ("wish", "errand", "language"),
    [
        ("Italian food, anywhere", "book the first one for 8 pm", wording.ENGLISH),
        ("哪里都行，想吃意大利菜", "就第一家，帮我订位", wording.CHINESE),
    ],
)
async def test_the_choice_is_noted_and_that_nothing_is_booked_is_said(
    wish: str, errand: str, language: str, data_dir: object
) -> None:
    async with talk("restaurants") as say:
        first = (await say(wish)).items[0]["id"]
        view = await say(errand)
    with wording.speaking(language):
        assert wording.say("errand.cannot") in view.reply
    assert [item.id for item in view.state.accepted_items] == [first]

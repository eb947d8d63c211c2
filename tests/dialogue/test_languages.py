"""The language of a turn: that of the user's words, and the last one where there are none."""

import pytest

from dialogue.languages import is_title, language_of_turn
from tests.dialogue.town import open_town


@pytest.mark.parametrize(
    ("said", "before", "language"),
    [
        ("想看科幻片", "en", "zh"),
        ("a quiet film", "zh", "en"),
        ("想看 sci-fi, 不要 horror", "en", "zh"),
        ("想看一部輕鬆的電影", "en", "zh"),
        ("《千与千寻》", "en", "en"),
        ("Spirited Away", "zh", "zh"),
        ("Lantern Room", "zh", "zh"),
        ("ok", "zh", "zh"),
        ("2", "zh", "zh"),
        ("👍", "zh", "zh"),
        ("", "zh", "zh"),
        ("more", "zh", "en"),
        ("I loved 千与千寻, something like it please", "en", "en"),
        ("静かな映画がいい", "zh", "zh"),
        ("тихий фильм", "en", "en"),
    ],
)
def test_words_decide_and_names_numbers_and_signs_do_not(said: str, before: str, language: str) -> None:
    assert language_of_turn(said, before, ["Lantern Room"]) == language


def test_a_title_is_told_from_other_words() -> None:
    assert is_title("inception", ["Inception", "盗梦空间"])
    assert not is_title("more", ["Inception"])


async def test_every_turn_is_answered_in_the_language_of_its_words_and_a_name_keeps_the_last_one(tmp_path) -> None:  # type: ignore[no-untyped-def]
    async with open_town(tmp_path) as town:
        assert (await town.say("你好")).language == "zh"
        named = await town.say("Old Harbour")
        assert named.language == "zh"
        assert "你" in named.reply
        english = await town.say("thanks, that is all")
        assert english.language == "en"
        assert "你" not in english.reply


async def test_a_resumed_conversation_goes_on_in_its_language(tmp_path) -> None:  # type: ignore[no-untyped-def]
    async with open_town(tmp_path) as town:
        await town.say("你好")
        thread = town.thread
        async with open_town(tmp_path) as later:
            later.thread = thread
            assert (await later.say("👍👍")).language == "zh"


async def test_the_first_turn_without_words_is_in_the_language_of_the_page(tmp_path) -> None:  # type: ignore[no-untyped-def]
    async with open_town(tmp_path) as town:
        [*_, last] = [event async for event in town.conversations.turn(town.thread, "...", language="zh")]
        assert "我在听" in last.view.reply  # type: ignore[union-attr]


@pytest.mark.parametrize("word", ["no.", "no ", "ok", "haha", "a.", "啊", "《", "“", "-"])
def test_a_word_said_without_end_is_read_in_no_more_than_its_own_length(word: str) -> None:
    """A pattern that tries every way to divide the text would not come back from this."""
    assert language_of_turn(f"{word * 3_000}x", "en") in ("en", "zh")

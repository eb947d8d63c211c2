"""Words that only soften a wish are no wish of their own, and take none with them."""

import pytest

from dialogue import narrative, softeners
from dialogue.models import DialogueState
from tests.dialogue.talks import talk


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no musicals if you can avoid it, and short", "no musicals, and short"),
        ("the ending, if at all possible, should be happy", "the ending should be happy"),
        ("no gore, if it can be helped.", "no gore."),
        ("in winter if possible, without gore", "in winter, without gore"),
        ("by the sea, if at all possible", "by the sea"),
    ],
)
def test_a_softener_is_cut_out_with_its_commas(text: str, left: str) -> None:
    cut = text
    for start, end in reversed(softeners.spans(text)):
        cut = cut[:start] + cut[end:]
    assert cut == left
    assert len(softeners.blanked(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "the romance, if there is any, should stay in the background",
        "somewhere quiet if there is any parking",
        "a man who asks if it is possible",
        "if you can, wait",
    ],
)
def test_other_words_with_if_stay(text: str) -> None:
    assert softeners.spans(text) == ()


def test_the_narrative_is_told_without_softeners() -> None:
    text = "A slow film, no musicals if you can avoid it, and set by the sea."
    request = {"turn": 1, "text": text, "values": [], "plain": True}
    value = (text.index("slow"), text.index("slow") + 4, "stated")
    state = DialogueState.model_validate({"soft_constraints": {"pace": [{"text": "slow", "span": (1, *value[:2])}]}})
    told = narrative.render([{**request, "values": [value]}], state)  # type: ignore[typeddict-item]
    assert told.text == "A slow film, no musicals, and set by the sea."
    start = told.text.index("by the sea")
    assert told.said((start, start + 10)) == (1, text.index("by the sea"), text.index("by the sea") + 10)


async def test_every_wish_beside_a_softener_is_told_back_and_the_softener_is_not(data_dir: object) -> None:
    async with talk("anime") as say:
        view = await say(
            "She hates it when they are too grim. An anime about cooking, no high school if you can avoid it, and"
            " short: one season at most. The romance, if there is any, should stay in the background.",
            "what did I say I wanted?",
        )
    for wish in ("cooking", "one season at most", "high school", "romance", "background", "grim"):
        assert wish in view.reply
    assert "avoid it" not in view.reply
    wanted, _, unwanted = view.reply.partition("do not want")
    assert "romance, if there is any, should stay in the background" in wanted  # told whole: it asks for none
    assert "romance" not in unwanted


async def test_a_number_of_episodes_takes_the_place_of_a_number_of_seasons(data_dir: object) -> None:
    async with talk("anime") as say:
        view = await say("A melancholy anime, one season at most", "make it longer instead: at least 24 episodes")
    told = [value.text for values in view.state.hard_constraints.values() for value in values]
    assert "at least 24 episodes" in told
    assert "one season at most" not in told

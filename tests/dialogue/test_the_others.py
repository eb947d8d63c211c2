"""Questions about a list as a whole: why not the others, which to take and why, what was asked for."""

import pytest

from tests.dialogue.talks import talk

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.mark.parametrize("question", ["why not the others?", "Why not the rest?", "why not the other films?"])
async def test_of_the_others_those_that_came_nearest_are_told_with_their_place(question: str) -> None:
    async with talk("movies") as say:
        listed = {item["title"] for item in (await say("a fantasy film")).items}
        reply = (await say(question)).reply
    told = reply.split("\n\n")
    assert len(told) == 3
    for place, line in enumerate(told, start=4):
        assert f"at place {place} of" in line
        assert not any(line.startswith(f"“{title} (") for title in listed)
    assert "the other" not in reply
    assert "the rest" not in reply


async def test_which_to_take_and_why_is_answered_by_what_sets_it_apart() -> None:
    async with talk("movies") as say:
        before = await say("fantasy with romance as a subplot, shown through banter, not mostly sex")
        view = await say("which would you pick and why?")
    assert before.items[0]["title"] in view.reply
    assert all(reasons.strip() not in view.reply for reasons in before.reasons.values())
    assert "\n- " not in view.reply


@pytest.mark.parametrize("question", ["我说过我要什么？", "我刚才说我想看什么来着？", "我说过要什么"])
async def test_wishes_are_told_back_in_chinese_too(question: str) -> None:
    async with talk("movies") as say:
        view = await say("想看奇幻片，不要恐怖", question)
    assert view.action == "answer"
    assert "奇幻片" in view.reply
    assert "恐怖" in view.reply

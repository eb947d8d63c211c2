"""Short Chinese turns, a table for each kind: withdrawals, asking for others, what was taken, small talk."""

from pathlib import Path
from typing import Any

import pytest

from dialogue.models import Intent, StatePart, Understanding
from tests.dialogue.engines.chinese.test_utterances import TOLD, faults, read
from tests.opened import bundled

WITHDRAWALS = {
    "不限时长": ("length_format", "不超过两小时"),
    "不用有狗了": ("theme", "有狗"),
    "别太暴力那条作废": ("content_limits", "别太暴力"),
    "把机甲那个条件去掉": ("theme", "机甲"),
    "机甲的要求取消吧": ("theme", "机甲"),
}
OTHERS = {
    "华语的有没有": "华语",
    "有没有周星驰的": "周星驰",
    "有没有宫崎骏导演的": "宫崎骏",
    "more please，要 Japanese 的": "Japanese",
}


async def heard(data_dir: Path, **told: Any) -> tuple[Understanding, list[str]]:
    """What is made of a turn over the films on the table, and what of it is not as expected."""
    ports = await bundled(data_dir).ports("movies")
    reading, refs = await read(told, ports, TOLD["movies"]["list"])
    return reading, faults({"intents": "".join(told.get("intents", "")), **told}, reading, refs)


@pytest.mark.parametrize(("say", "wish"), WITHDRAWALS.items())
async def test_a_wish_is_taken_back_in_many_words(say: str, wish: tuple[str, str], data_dir: Path) -> None:
    _, wrong = await heard(data_dir, say=say, wishes=[list(wish)], intents="p", drops=[wish[1]])
    assert wrong == []


@pytest.mark.parametrize(("say", "wish"), OTHERS.items())
async def test_asking_for_a_kind_of_item_is_a_wish_and_no_question_about_the_list(
    say: str, wish: str, data_dir: Path
) -> None:
    reading, wrong = await heard(data_dir, say=say, intents="cp" if "more" in say else "p", adds=[wish])
    assert wrong == []
    assert not reading.about
    assert not reading.questions


async def test_asking_whether_the_unwanted_occurs_does_not_make_it_wanted(data_dir: Path) -> None:
    told = {"say": "第二部有恋爱吗", "wishes": [["content_limits", "不要爱情"]], "intents": "i", "about": [2]}
    assert (await heard(data_dir, **told))[1] == []


async def test_something_wholly_different_is_a_new_request(data_dir: Path) -> None:
    reading, wrong = await heard(data_dir, say="想看点完全不同的", wishes=[["theme", "机甲"]], intents="s")
    assert wrong == []
    assert reading.new_topic


@pytest.mark.parametrize("say", ["可能太贵了，还有别的吗", "恐怕太长，还有别的吗"])
async def test_what_is_feared_before_anything_was_shown_is_no_wish(say: str, data_dir: Path) -> None:
    assert (await heard(data_dir, say=say, shown=False, intents=""))[1] == []


async def test_the_list_of_what_was_taken_can_be_asked_for_and_made_shorter(data_dir: Path) -> None:
    asked, _ = await heard(data_dir, say="片单里有什么", intents="")
    assert asked.about_accepted
    assert asked.intents == ()
    assert (await heard(data_dir, say="把第二部从片单里去掉", intents="r", rejected=[2]))[1] == []


@pytest.mark.parametrize("say", ["我说过要什么", "一共说了些什么条件", "我说过什么要求？"])
async def test_the_wishes_so_far_can_be_asked_for(say: str, data_dir: Path) -> None:
    reading, _ = await heard(data_dir, say=say, wishes=[["theme", "机甲"]], intents="")
    assert reading.about_state == (StatePart.WISHES,)
    assert reading.intents == ()


async def test_thanks_with_praise_are_courtesy_and_who_are_you_is_about_the_system(data_dir: Path) -> None:
    assert (await heard(data_dir, say="谢谢啦，你真聪明", intents=""))[0].greeting
    assert (await heard(data_dir, say="你是谁？", intents=""))[0].about_system


async def test_leaving_the_choice_to_us_goes_on(data_dir: Path) -> None:
    assert (await heard(data_dir, say="那你随便推荐吧", intents="c"))[0].intents == (Intent.CONTINUE,)

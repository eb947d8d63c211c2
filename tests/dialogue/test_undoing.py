"""Words that take the last change back: which they are, and what a conversation does on them."""

import pytest

from dialogue.models import Action, Intent, TurnRecord
from dialogue.undoing import Undo, asked_for, piles, restored, snapshot
from tests.dialogue.town import REFS, Town
from tests.variants import every

REQUEST = "quiet ramen in Old Harbour"


@pytest.mark.parametrize(
    "text",
    [
        "undo",
        "Undo that!",
        "undo that please",
        "take that back",
        "Oops, take it back",
        "go back",
        "sorry, go back one step please",
        "forget what I just said",
        "never mind what I said",
        "ignore my last message",
        "scrap that, back to the previous list",
        "show me the previous list again",
        "I didn't mean that",
        "撤销",
        "收回刚才的话",
    ],
)
def test_these_words_take_the_last_change_back(text: str) -> None:
    assert asked_for(text) is Undo.BACK


@pytest.mark.parametrize("text", ["redo", "undo the undo", "bring that back", "don't undo that", "重做"])
def test_these_words_bring_it_back(text: str) -> None:
    assert asked_for(text) is Undo.FORTH


@pytest.mark.parametrize(
    "text",
    [
        "forget the romance",
        "forget it",
        "take the second",
        "I'll take that",
        "go back to the nineties",
        "something with a way back home",
        "undo that and show me comedies",
        "never mind the price",
        "",
    ],
)
def test_other_words_take_nothing_back(text: str) -> None:
    assert asked_for(text) is None


def test_equal_states_have_the_same_snapshot_however_they_are_written_down() -> None:
    empty: TurnRecord = {"dialogue": {"hard_constraints": {}, "soft_constraints": {}}, "shown": [], "seen": []}
    assert snapshot({}, "movies") == snapshot(empty, "movies")
    assert snapshot({}, "movies") != snapshot({}, "books")
    assert snapshot({"focus": [{"id": "a"}]}, "movies") == snapshot({}, "movies")


def test_only_a_turn_that_changed_something_can_be_taken_back() -> None:
    assert piles({"base": "a", "back": ["x"], "forth": ["y"]}, "a") == (["x"], ["y"])
    assert piles({"base": "a", "back": ["x"], "forth": ["y"]}, "b") == (["x", "a"], [])
    assert piles({}, "a") == ([], [])


async def test_back_and_forth_are_the_inverse_of_each_other() -> None:
    kept = {"a": snapshot({"recommendation": "A"}, "movies"), "b": snapshot({"recommendation": "B"}, "movies")}

    async def get(digest: str) -> str:
        return kept[digest]

    came, lasting, after = await restored(Undo.BACK, ["a"], [], "b", get)
    assert (came, lasting["recommendation"], after) == (Undo.BACK, "A", {"back": [], "forth": ["b"], "base": "a"})
    came, lasting, after = await restored(Undo.FORTH, after["back"], after["forth"], "a", get)
    assert (came, lasting["recommendation"], after) == (Undo.FORTH, "B", {"back": ["a"], "forth": [], "base": "b"})
    assert (await restored(Undo.FORTH, ["a"], [], "b", get))[0] is Undo.NOTHING


def ids(items: tuple[dict[str, object], ...]) -> list[object]:
    return [item["id"] for item in items]


@pytest.mark.parametrize("words", every(3, ["undo that", "take that back", "go back"]))
@pytest.mark.parametrize(
    "change", ["too loud", "with a terrace", "none of these", "show me more", "start over", "I've seen the first"]
)
async def test_a_change_is_taken_back_with_its_list_and_its_graph(town: Town, change: str, words: str) -> None:
    first = await town.say(REQUEST)
    await town.say(change)
    calls = dict(town.agent.calls)
    view = await town.say(words)
    assert (view.intents, view.action) == ((), Action.RECOMMEND)
    assert (view.state, ids(view.items), view.graph.graph) == (first.state, ids(first.items), first.graph.graph)
    assert "taken that back" in view.reply
    assert dict(town.agent.calls) == calls
    assert (await town.say("too loud")).state.rejected_items  # and the talk goes on from there


async def test_a_question_changes_nothing_that_could_be_taken_back(town: Town) -> None:
    first = await town.say(REQUEST)
    await town.say("with a terrace")
    await town.say("how much is the second?")
    assert (await town.say("undo that")).state == first.state


async def test_an_acceptance_is_taken_back(town: Town) -> None:
    first = await town.say(REQUEST)
    assert (await town.say("I'll take the first")).state.accepted_items == (REFS[0],)
    assert (await town.say("undo that")).state == first.state


async def test_undoing_again_goes_further_back_and_redo_the_other_way(town: Town) -> None:
    first = await town.say(REQUEST)
    second = await town.say("with a terrace")
    assert (await town.say("undo that")).state == first.state
    start = await town.say("undo that")
    assert (start.state.soft_constraints, start.action) == ({}, Action.REQUEST_INFORMATION)
    assert "Where" in start.reply
    assert (await town.say("redo")).state == first.state
    assert (await town.say("redo")).state == second.state
    nothing = await town.say("redo")
    assert (nothing.action, nothing.state) == (Action.REQUEST_INFORMATION, second.state)


async def test_a_new_change_leaves_nothing_to_bring_back(town: Town) -> None:
    await town.say(REQUEST)
    await town.say("with a terrace")
    await town.say("undo that")
    changed = await town.say("vegan")
    assert (await town.say("redo")).state == changed.state


async def test_there_is_nothing_to_take_back_at_the_start(town: Town) -> None:
    view = await town.say("undo that")
    assert (view.intents, view.action) == ((), Action.REQUEST_INFORMATION)
    assert "nothing" in view.reply
    assert Intent.PROVIDE_PREFERENCE in (await town.say(REQUEST)).intents


async def test_what_was_judged_is_not_shown_again(town: Town) -> None:
    await town.say(REQUEST)
    taken = await town.say("I'll take the first")
    await town.say("with a terrace")
    view = await town.say("undo that")
    assert view.state.accepted_items == taken.state.accepted_items
    assert REFS[0].id not in ids(view.items)


@pytest.mark.parametrize(
    "said", ["撤销", "还是刚才那样吧", "算了，还是之前的吧", "退回上一步", "当我没说", "刚才说错了", "回到刚才那个列表"]
)
def test_chinese_words_take_the_last_change_back(said: str) -> None:
    assert asked_for(said) is Undo.BACK


@pytest.mark.parametrize("said", ["还是爱情片吧", "还是第一部吧", "之前的要求不变", "取消停车的要求"])
def test_chinese_words_that_only_sound_like_it_take_nothing_back(said: str) -> None:
    assert asked_for(said) is None


def test_chinese_words_bring_back_what_was_taken_back() -> None:
    assert asked_for("取消撤销") is Undo.FORTH
    assert asked_for("恢复") is Undo.FORTH

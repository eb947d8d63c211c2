"""Going back over the real store: fork before any of the latest turns, rename, and what is too far back."""

import asyncio

import pytest

from dialogue.beginning import UNDO_DEPTH
from dialogue.store import UnknownConversation
from tests.dialogue.town import Town

REQUEST = "ramen in Old Harbour"


async def said(town: Town) -> list[str]:
    return [view.utterance for view in await town.conversations.history(town.thread, unfinished=True)]


async def stopped(town: Town, utterance: str) -> None:
    """A turn that is stopped while it looks for evidence."""
    town.shelf.gate, town.shelf.reached = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(town.say(utterance))
    await town.shelf.reached.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    town.shelf.gate = None


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_conversation_goes_on_from_before_any_turn_as_if_the_later_ones_had_never_been(
    town: Town, number: int
) -> None:
    utterances = (REQUEST, "too loud, something quieter", "more")
    before = [await town.say(utterance) for utterance in utterances][: number - 1]
    assert await town.conversations.fork(town.thread, number)
    assert await town.conversations.history(town.thread) == before
    again = await town.say("ramen in Mill Quarter")
    assert [value.text for value in again.state.hard_constraints["location"]] == ["Mill Quarter"]
    assert bool(again.state.soft_constraints.get("atmosphere")) is (number == 3)
    assert await said(town) == [*utterances[: number - 1], "ramen in Mill Quarter"]


async def test_a_fork_of_a_fork_reaches_what_came_before_both(town: Town) -> None:
    first = await town.say(REQUEST)
    await town.say("more")
    await town.conversations.fork(town.thread, 2)
    await town.say("something quieter")
    assert await town.conversations.fork(town.thread, 2)
    assert await town.conversations.history(town.thread) == [first]


async def test_a_first_turn_that_was_stopped_stays_when_what_followed_it_goes(town: Town) -> None:
    await stopped(town, REQUEST)
    await town.say("ramen in Mill Quarter")
    await town.say("more")
    assert await town.conversations.fork(town.thread, 2)
    assert await said(town) == [REQUEST]
    again = await town.say("ramen in Old Harbour, please")
    assert [value.text for value in again.state.hard_constraints["location"]] == ["Old Harbour"]
    assert await said(town) == [REQUEST, "ramen in Old Harbour, please"]


async def test_a_stopped_turn_is_left_out_and_those_before_it_stay(town: Town) -> None:
    await town.say(REQUEST)
    await stopped(town, "something quieter")
    await stopped(town, "with a terrace")
    assert await said(town) == [REQUEST, "something quieter", "with a terrace"]
    assert await town.conversations.fork(town.thread, 3)
    assert await said(town) == [REQUEST, "something quieter"]
    assert (await town.say("more")).state.soft_constraints == {}
    assert await town.conversations.fork(town.thread, 2)
    assert await said(town) == [REQUEST]


async def test_before_the_first_finished_turn_the_conversation_is_empty(town: Town) -> None:
    await stopped(town, REQUEST)
    await town.say("hello")
    assert await town.conversations.fork(town.thread, 2)
    assert await town.conversations.history(town.thread) == []
    assert not (await town.say("hello")).state.known_keys


async def test_a_turn_that_is_not_there_changes_nothing(town: Town) -> None:
    first = await town.say(REQUEST)
    for number in (0, 2, 9):
        assert await town.conversations.fork(town.thread, number)
        assert await town.conversations.history(town.thread) == [first]


async def test_what_lies_too_far_back_is_refused_and_changes_nothing(town: Town) -> None:
    turns = UNDO_DEPTH + 4
    for _ in range(turns):
        await town.say("hello")
    assert not await town.conversations.fork(town.thread, 2)
    assert len(await said(town)) == turns
    assert await town.conversations.fork(town.thread, turns - UNDO_DEPTH + 1)
    assert len(await said(town)) == turns - UNDO_DEPTH


async def test_a_title_follows_the_first_words_until_it_is_given(town: Town) -> None:
    await town.say(REQUEST)
    await town.conversations.fork(town.thread, 1)
    await town.say("vegan ramen")
    assert (await town.conversations.find(town.thread)).title == "vegan ramen"
    await town.conversations.rename(town.thread, f"  my\n{'long ' * 40}title")
    given = (await town.conversations.find(town.thread)).title
    assert given.startswith("my long long")
    assert len(given) == 60
    await town.conversations.rename(town.thread, " \n")
    await town.conversations.fork(town.thread, 1)
    await town.say(REQUEST)
    assert (await town.conversations.find(town.thread)).title == given


async def test_a_conversation_that_is_not_there_is_named_as_such(town: Town) -> None:
    with pytest.raises(UnknownConversation):
        await town.conversations.fork("nowhere", 1)
    with pytest.raises(UnknownConversation):
        await town.conversations.rename("nowhere", "title")

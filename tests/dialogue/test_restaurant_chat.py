"""A whole conversation over the real built-in engine and the bundled restaurants."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import Action, Intent, TurnView
from tests.opened import bundled

Say = Callable[[str], Awaitable[TurnView]]


@pytest.fixture
async def say(data_dir: Path) -> AsyncIterator[Say]:
    async with Conversations(data_dir, bundled(data_dir).ports) as conversations:
        thread = await conversations.start("restaurants", "somebody")

        async def turn(utterance: str) -> TurnView:
            events = [event async for event in conversations.turn(thread, utterance)]
            assert isinstance(events[-1], Finished)
            return events[-1].view

        yield turn


async def test_six_turns_from_a_question_of_ours_to_a_choice(say: Say) -> None:
    asked = await say("Somewhere quiet for a proper dinner")
    assert asked.action is Action.REQUEST_INFORMATION
    assert "Old Harbour" in asked.reply
    first = await say("Old Harbour")
    assert first.action is Action.RECOMMEND
    assert [value.text for value in first.state.hard_constraints["location"]] == ["Old Harbour"]

    listed = await say("anything goes, as long as there are vegetarian dishes")
    assert listed.action is Action.RECOMMEND
    assert len(listed.items) == 3
    assert all(item["metadata"]["location"] == "Old Harbour" for item in listed.items if item["demoted"] is None)
    assert "“" in listed.reply

    second = listed.items[1]
    answered = await say("does the second have parking?")
    assert answered.action is Action.ANSWER
    assert set(answered.intents) == {Intent.INQUIRE, Intent.PROVIDE_PREFERENCE}
    [source] = answered.sources
    assert source.item == second["id"]
    assert source.quote in answered.reply
    assert second["metadata"]["parking"] in source.quote
    assert [value.text for value in answered.state.soft_constraints["others"]] == ["parking"]
    assert answered.usage.waves <= 2

    others = await say("too loud, something quieter")
    assert others.action is Action.RESPOND_TO_REJECTION
    assert set(others.intents) == {Intent.REJECT, Intent.PROVIDE_PREFERENCE}
    shown = {item["id"] for item in listed.items}
    assert len(others.items) == 3
    assert shown.isdisjoint(item["id"] for item in others.items)
    wishes = {(node["instantiation"], node["polarity"]) for node in others.graph.graph["nodes"]}
    assert {("parking", "want"), ("quieter", "want"), ("loud", "avoid")} <= wishes

    chosen = await say("I'll take the first")
    assert chosen.action is Action.RESPOND_TO_ACCEPTANCE
    assert [item.id for item in chosen.state.accepted_items] == [others.items[0]["id"]]
    assert others.items[0]["title"] in chosen.reply


async def test_more_and_a_bare_no_go_on_in_the_same_ranking(say: Say) -> None:
    first = await say("a cheap lunch near the University, any cuisine, vegetarian")
    listed = first if first.items else await say("anything goes")
    more = await say("more")
    no = await say("nah")
    seen = [item["id"] for view in (listed, more, no) for item in view.items]
    assert len(seen) == len(set(seen)) == 9
    assert {more.usage.waves, no.usage.waves} == {1}
    assert more.graph.graph == no.graph.graph == listed.graph.graph


async def test_a_comparison_ends_in_what_the_values_show(say: Say) -> None:
    await say("Italian food in Old Harbour")
    view = await say("which is the cheapest?")
    assert len(view.sources) == 3
    assert "the cheapest" in view.reply.splitlines()[-1]


async def test_a_wish_taken_back_leaves_state_narrative_and_graph(say: Say) -> None:
    await say("a quiet Italian place in Old Harbour with parking")
    view = await say("forget the parking")
    assert "others" not in view.state.soft_constraints
    assert "parking" not in view.graph.graph["narrative"]
    assert all(node["instantiation"] != "parking" for node in view.graph.graph["nodes"])
    assert len(view.graph.removed) == 1


async def test_letters_that_the_engine_cannot_read_are_answered_in_a_sentence(say: Say) -> None:
    view = await say("أريد مطعما هادئا في الميناء القديم")
    assert "English" in view.reply
    assert not view.state.known_keys
    assert (await say("ramen in Old Harbour")).items


async def test_a_place_that_nobody_offers_is_said_plainly(say: Say) -> None:
    asked = await say("a klingon opera with bagpipes, anywhere in town")
    assert asked.action is Action.REQUEST_INFORMATION
    view = await say("haggis")
    assert view.action is Action.RECOMMEND
    assert view.items == ()
    assert view.reply.startswith("I found nothing that speaks for what you describe.")
    assert (await say("forget the klingon opera, the bagpipes and the haggis. Seafood in Old Harbour")).items

"""Six turns about food in the bundled, invented town with the real built-in engine: asked, told, answered, turned
down, refined, taken. What a careful person would expect of each turn is asserted, not its wording."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import Action, Intent, TurnView
from pdgf.catalogues.reading import CatalogueItem
from tests.catalogues import bundled_items
from tests.opened import bundled

TOWN = {item.id: item for item in bundled_items("restaurants")}


@pytest.fixture
async def conversations(data_dir: Path) -> AsyncIterator[Conversations]:
    async with Conversations(data_dir, bundled(data_dir).ports) as opened:
        yield opened


async def say(conversations: Conversations, thread: str, text: str) -> TurnView:
    async for event in conversations.turn(thread, text):
        if isinstance(event, Finished):
            return event.view
    raise AssertionError("no Finished")


def shown(view: TurnView) -> list[CatalogueItem]:
    return [TOWN[item["id"]] for item in view.items]


async def test_a_careful_person_would_call_every_turn_sensible(conversations: Conversations) -> None:
    thread = await conversations.start("restaurants", "test")

    asked = await say(conversations, thread, "I'm looking for Italian food for dinner with a friend.")
    assert asked.intents == (Intent.PROVIDE_PREFERENCE,)
    assert asked.action is Action.REQUEST_INFORMATION
    assert "Old Harbour" in asked.reply
    assert asked.items == ()
    assert [v.text for v in asked.state.hard_constraints["cuisine_type"]] == ["Italian"]

    told = await say(conversations, thread, "Anywhere in town is fine, ideally with parking.")
    assert told.action is Action.RECOMMEND
    assert len(told.items) == 3
    assert all("Italian" in item.metadata["cuisine"] for item in shown(told))
    assert all(item.title in told.reply for item in shown(told))
    assert [ref.id for ref in told.state.recommended_items] == [item["id"] for item in told.items]

    second = shown(told)[1]
    answered = await say(conversations, thread, "Does the second have parking?")
    assert answered.action is Action.ANSWER
    assert set(answered.intents) == {Intent.INQUIRE, Intent.PROVIDE_PREFERENCE}
    assert second.title in answered.reply
    assert str(second.metadata["parking"]) in answered.reply
    assert [(s.item, s.source) for s in answered.sources] == [(second.id, f"{second.id}#parking")]

    refined = await say(conversations, thread, "Too loud, something quieter.")
    assert {Intent.REJECT, Intent.PROVIDE_PREFERENCE} <= set(refined.intents)
    assert refined.action is Action.RESPOND_TO_REJECTION
    rejected = {ref.id for ref in refined.state.rejected_items}
    assert second.id in rejected
    assert rejected.isdisjoint(item["id"] for item in refined.items)
    best = shown(refined)[0]
    assert best.metadata["noise_level"] in ("quiet", "moderate")
    assert refined.graph.added

    compared = await say(conversations, thread, "Which of them is the quietest?")
    assert compared.action is Action.ANSWER
    assert all(item.title in compared.reply for item in shown(refined))

    taken = await say(conversations, thread, "I'll take the first.")
    assert taken.intents == (Intent.ACCEPT,)
    assert taken.action is Action.RESPOND_TO_ACCEPTANCE
    assert [ref.id for ref in taken.state.accepted_items] == [best.id]
    assert best.title in taken.reply


async def test_every_quote_of_every_turn_stands_in_the_catalogue(conversations: Conversations) -> None:
    thread = await conversations.start("restaurants", "test")
    for text in (
        "a lively place for burgers in Riverside",
        "is the first one expensive?",
        "too dear, something else",
    ):
        view = await say(conversations, thread, text)
        assert view.sources
        for source in view.sources:
            item = TOWN[source.item]
            if "#r" in source.source:
                number = int(source.source.split("#r")[1])
                assert " ".join(source.quote.split()) in " ".join(item.reviews[number - 1].text.split())
            else:
                assert source.source.split("#")[1] in item.metadata

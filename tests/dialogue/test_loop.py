"""The loop as a graph: one node an action, state as plain JSON, a checkpoint after every step."""

import json
from dataclasses import replace
from pathlib import Path

from langgraph.checkpoint.memory import InMemorySaver

from dialogue.loop import build_loop
from dialogue.models import Action, TurnView
from dialogue.store import FOLDER
from tests.dialogue.town import Town


def test_there_is_one_node_for_each_action_between_understanding_and_finishing() -> None:
    drawn = build_loop(InMemorySaver()).get_graph()
    actions = {action.value for action in Action}
    assert set(drawn.nodes) == {"__start__", "understand", "edit", "finish", "__end__", *actions}
    ends = {(edge.source, edge.target) for edge in drawn.edges}
    # A turn that belongs to another domain ends at once, to be read again there.
    after = {target for source, target in ends if source == "understand"}
    assert after == {"__end__", *actions}
    assert {target for source, target in ends if source == "__start__"} == {"understand", "edit"}
    assert {source for source, target in ends if target == "finish"} == {"edit", *actions}


async def test_what_a_thread_keeps_is_plain_json_and_small(town: Town) -> None:
    for said in ("quiet ramen in Old Harbour", "does the second have parking?", "too loud, something quieter"):
        await town.say(said)
    snapshot = await town.conversations._loop.aget_state({"configurable": {"thread_id": town.thread}})
    kept = json.dumps(snapshot.values)
    assert json.loads(kept) == snapshot.values
    assert len(kept) < 12_000


async def test_every_step_is_on_disk_before_the_next_begins(town: Town, tmp_path: Path) -> None:
    await town.say("quiet ramen in Old Harbour")
    assert (tmp_path / "data" / FOLDER / "turns.sqlite3").stat().st_size > 0
    history = [
        s async for s in town.conversations._loop.aget_state_history({"configurable": {"thread_id": town.thread}})
    ]
    assert len(history) == 1  # the steps of a finished turn are forgotten, its end is kept


async def test_missing_information_is_asked_for_once_behind_what_was_heard(town: Town) -> None:
    asked = await town.say("something quiet")
    assert asked.action is Action.REQUEST_INFORMATION
    assert asked.reply.startswith('I have noted "quiet". Where in Marrowick')
    assert asked.suggestions[0] == "Old Harbour"
    assert asked.suggestions[-1] == "Anywhere"
    shown = await town.say("anywhere in town")
    assert shown.action is Action.RECOMMEND
    assert shown.reply.endswith("Any cuisine counts here: name one, or a dish, if you fancy something in particular.")
    assert "Any cuisine counts" not in (await town.say("with a terrace")).reply


async def test_an_open_answer_counts_as_known(town: Town) -> None:
    await town.say("ramen")
    view = await town.say("anywhere")
    assert view.action is Action.RECOMMEND
    assert [value.text for value in view.state.soft_constraints["location"]] == ["anywhere"]
    assert view.graph.graph["narrative"] == "ramen"


async def test_a_greeting_is_answered_by_the_domain_and_thanks_by_a_courtesy(town: Town) -> None:
    assert (await town.say("hello")).reply == town.ports.domain.greeting
    await town.say("ramen in Old Harbour")
    assert (await town.say("thanks")).reply.startswith("You are welcome.")


async def test_words_that_say_nothing_are_asked_about(town: Town) -> None:
    await town.say("ramen in Old Harbour")
    view = await town.say("hmm")
    assert view.action is Action.REQUEST_INFORMATION
    assert view.reply.startswith("I am not sure what you mean.")


async def test_the_suggestions_of_a_list_are_understood(town: Town) -> None:
    view = await town.say("quiet ramen in Old Harbour")
    actions = []
    for suggestion in view.suggestions:
        actions.append((await town.say(suggestion)).action)
    assert actions == [Action.ANSWER, Action.RESPOND_TO_ACCEPTANCE, Action.RESPOND_TO_REJECTION, Action.SHOW_MORE]


QUESTION = "Several restaurants fit about equally well: would you rather sit somewhere quiet or lively?"


async def anew(town: Town, *utterances: str) -> TurnView:
    """The last turn of a conversation of its own."""
    there = replace(town, thread=await town.conversations.start("restaurants", "someone else"))
    return [await there.say(utterance) for utterance in utterances][-1]


async def test_where_many_fit_as_well_one_question_follows_the_list_and_each_suggestion_is_understood(
    town: Town,
) -> None:
    view = await town.say("ramen in Old Harbour")
    assert len(view.items) == 3
    assert view.reply.endswith(f"\n\n{QUESTION}")
    assert view.suggestions[:3] == ("quiet", "lively", "No preference")
    actions = [(await anew(town, view.utterance, suggestion)).action for suggestion in view.suggestions]
    assert actions == [
        Action.RECOMMEND,
        Action.RECOMMEND,
        Action.GREET,
        Action.RESPOND_TO_ACCEPTANCE,
        Action.SHOW_MORE,
        Action.RESPOND_TO_REJECTION,
    ]


async def test_the_answer_becomes_a_wish_under_the_key_and_the_question_is_not_asked_again(town: Town) -> None:
    view = await anew(town, "ramen in Old Harbour", "lively")
    assert [value.text for value in view.state.soft_constraints["atmosphere"]] == ["lively"]
    assert QUESTION not in view.reply
    view = await anew(town, "ramen in Old Harbour", "with a terrace", "forget the terrace")
    assert QUESTION not in view.reply


async def test_who_has_no_preference_keeps_list_and_wishes_without_a_call_and_is_not_asked_again(town: Town) -> None:
    before = await town.say("ramen in Old Harbour")
    view = await town.say("no preference")
    assert (view.action, view.intents, view.usage.agent_calls) == (Action.GREET, (), 0)
    assert view.reply.startswith("All right, I leave that open.")
    assert view.state == before.state
    assert "Show me more" in view.suggestions
    assert "fit about equally well" not in (await town.say("with a terrace")).reply
    again = await town.say("no preference")
    assert not again.reply.startswith("All right, I leave that open.")


async def test_words_that_are_no_answer_are_not_taken_for_one(town: Town) -> None:
    """What an answer to a mandatory question may be, any words, is none to a question that can be passed over."""
    view = await anew(town, "ramen in Old Harbour", "tell me a joke")
    assert "atmosphere" not in {*view.state.hard_constraints, *view.state.soft_constraints}

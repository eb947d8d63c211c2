"""STORY: one turn of the conversation, as RA-Rec tells it and PDG-F ranks it.

    utterance -> understand        intents, state edits, item references: one agent call     METHOD 9.2, 9.3
              -> select_action     a pure table                                              METHOD 9.4
              -> one action        the node of the same name                                 METHOD 9.5 to 9.7
              -> finish            what every surface shows, stored by its digest

The graph is checkpointed after every step. State is plain JSON; texts, graphs and rankings lie in the content store.
"""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from dialogue import actions, ahead, answering, intents, recommendation, record, state, suggesting, wording
from dialogue.models import Action, GraphChange, Intent, TurnRecord, TurnView
from dialogue.ports import TurnContext
from pdgf.contract import graph_json, item_json

Loop = CompiledStateGraph[TurnRecord, TurnContext, TurnRecord, TurnRecord]


async def understand(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Read the utterance and bring the state up to date; an unusable reading leaves the state unchanged."""
    context = runtime.context
    runtime.stream_writer({"step": "understanding"})
    context.budget.on_setback = lambda s: runtime.stream_writer({"note": wording.sentence_of_setback(s)})
    _read_ahead(turn, context)
    reading, notice = await intents.understand(turn, context)
    if notice:
        return {"notice": notice}
    revised = state.revise(turn, reading, context.domain)
    if context.ahead is not None and not revised["changed"]:
        context.ahead.give_up()
    if Intent.START_OVER in reading.intents:
        revised["graph"] = {"added": [], "removed": await recommendation.known_nodes(turn, runtime.context)}
    return revised


def _read_ahead(turn: TurnRecord, context: TurnContext) -> None:
    """Begin to read the wishes for the graph, if this turn may need it."""
    text, before = record.heard_in(turn), record.state_of(turn)
    if context.ahead is None or intents.refusal(text, limit=context.max_message_chars, shown=bool(turn.get("shown"))):
        return
    limit = context.max_message_chars
    expected = ahead.guess(turn.get("requests", []), before, text, turn=turn["turn"], limit=limit)
    if expected is not None:
        agent, beside = context.ports.agent, context.budget.aside()
        context.ahead.start(agent.extract_nodes(expected, (), context.config, beside))


def select_action(turn: TurnRecord, runtime: Runtime[TurnContext]) -> str:
    """Which action answers this turn."""
    return actions.select_action(actions.situation_of(turn, runtime.context.domain)).value


async def request_information(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Ask for what is missing, or for words that can be understood."""
    context = runtime.context
    missing = context.domain.missing(record.state_of(turn).known_keys)
    if turn["notice"]:
        return {"action": Action.REQUEST_INFORMATION.value, "reply": turn["notice"]}
    if record.reading_of(turn).unresolved:
        reply = recommendation.unresolved_reply(turn, context)
    elif missing:
        reply = missing[0].question
    else:
        reply = wording.say("notice.not_understood", items=context.domain.items_word)
    asked = list(missing[0].keys) if missing else []
    return {"action": Action.REQUEST_INFORMATION.value, "reply": reply, "asked": asked}


async def greet(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Welcome a newcomer; answer thanks and goodbyes later on; say what can be said to whoever asks for it."""
    domain, reading = runtime.context.domain, record.reading_of(turn)
    known = record.state_of(turn).recommended_items
    if reading.about_system:
        reply = f"{domain.greeting} {wording.say('courtesy.help', items=domain.items_word)}"
    elif known:
        sentence = "courtesy.hello_again" if reading.hello else "courtesy.welcome"
        reply = wording.say(sentence, items=domain.items_word)
    else:
        reply = domain.greeting
    return {"action": Action.GREET.value, "reply": reply}


async def start_over(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """The state is empty again; ask for the first wish."""
    missing = runtime.context.domain.missing(record.state_of(turn).known_keys)
    question = missing[0].question if missing else wording.say("courtesy.open_question")
    reply = wording.say("courtesy.fresh_start", question=question)
    return {"action": Action.START_OVER.value, "reply": reply, "asked": list(missing[0].keys) if missing else []}


async def finish(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Store the turn as every surface shows it."""
    context = runtime.context
    found = await recommendation.stored(turn, context)
    ranked = {item.candidate.id: item for item in found.items} if found else {}
    nodes = len(found.graph.nodes) if found else 0
    added, removed = (tuple(turn["graph"].get(change, ())) for change in ("added", "removed"))
    view = TurnView(
        utterance=turn["utterance"],
        intents=record.reading_of(turn).intents,
        action=Action(turn["action"]),
        state=record.state_of(turn),
        reply=turn["reply"],
        items=tuple(item_json(ranked[item], rank) for rank, item in enumerate(turn["items"], start=1)),
        sources=tuple(turn["sources"]),
        graph=GraphChange(
            graph=graph_json(found.graph, found.queries) if found else {},
            added=added,
            removed=removed,
            kept=nodes - len(added),
        ),
        usage=context.budget.usage(),
        suggestions=suggesting.suggestions(turn, context.domain, web=context.own is not None),
        notes=(*turn["notes"], *map(wording.sentence_of_setback, context.budget.setbacks())),
        reasons=turn["reasons"],
        shown_before=tuple(turn["shown_before"]),
        cut_off=tuple(turn["cut_off"]),
    )
    digest = await context.store.put(view.model_dump_json())
    return {"history": [*turn.get("history", []), digest], "finished": True}


# Any: LangGraph's types ask that a node call its first parameter "state".
UNDERSTAND: Any = understand
FINISH: Any = finish
STEPS: dict[Action, Any] = {
    Action.REQUEST_INFORMATION: request_information,
    Action.RECOMMEND: recommendation.recommend,
    Action.ANSWER: answering.answer,
    Action.RESPOND_TO_REJECTION: recommendation.respond_to_rejection,
    Action.RESPOND_TO_ACCEPTANCE: recommendation.respond_to_acceptance,
    Action.GREET: greet,
    Action.SHOW_MORE: recommendation.show_more,
    Action.START_OVER: start_over,
}


def build_loop(checkpointer: BaseCheckpointSaver[str]) -> Loop:
    """Understand, one action, finish."""
    turn = StateGraph(TurnRecord, context_schema=TurnContext)
    turn.add_node("understand", UNDERSTAND)
    turn.add_node("finish", FINISH)
    turn.add_edge(START, "understand")
    turn.add_conditional_edges("understand", select_action, [action.value for action in Action])
    for action, step in STEPS.items():
        turn.add_node(action.value, step)
        turn.add_edge(action.value, "finish")
    turn.add_edge("finish", END)
    return turn.compile(checkpointer=checkpointer)

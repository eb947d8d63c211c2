"""STORY: one turn of the conversation, as RA-Rec tells it and PDG-F ranks it.

    utterance -> understand        intents, state edits, item references: one agent call     METHOD 9.2, 9.3
              -> select_action     a pure table                                              METHOD 9.4
              -> one action        the node of the same name                                 METHOD 9.5 to 9.7
              -> finish            what every surface shows, stored by its digest

The graph is checkpointed after every step. State is plain JSON; texts, graphs and rankings lie in the content store.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from dialogue import (
    actions,
    ahead,
    answering,
    editing,
    elicitation,
    errands,
    intents,
    languages,
    needed,
    objections,
    recall,
    recommendation,
    record,
    state,
    stored_list,
    suggesting,
    wording,
)
from dialogue.known_names import names_of
from dialogue.models import Action, GraphChange, Intent, TurnRecord, TurnView, Understanding
from dialogue.ports import TurnContext
from dialogue.seen import brought, known_here
from dialogue.standings import marks
from dialogue.titles import titles_of
from dialogue.undoing import Undo
from pdgf.contract import graph_json, item_json

Loop = CompiledStateGraph[TurnRecord, TurnContext, TurnRecord, TurnRecord]


async def understand(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Read the utterance and bring the state up to date; an unusable reading leaves the state unchanged."""
    context = runtime.context
    if turn.get("undo"):
        return await _undone(turn, context)
    if elicitation.skips(turn):
        nothing = Understanding().model_dump(mode="json")
        return {"understanding": nothing, "skipped": True, "asked": [], "elicited": elicitation.after_hearing(turn)}
    runtime.stream_writer({"step": "understanding"})
    context.budget.on_setback = lambda s: runtime.stream_writer({"note": wording.sentence_of_setback(s)})
    _read_ahead(turn, context)
    reading, notice = await intents.understand(turn, context)
    if notice:
        return {"notice": notice}
    if reading.domain is not None and not turn.get("moved"):
        return {"go_to": reading.domain, "carried": reading.keeps_wishes}
    found = objections.measured(turn, reading, context)
    renews = objections.of_the_list(turn, reading)
    turn, reading = {**turn, "heard": found.text}, found.reading
    revised = state.revise(turn, reading, context.domain)
    revised["heard"] = found.text
    revised["renews"] = renews
    revised["brought"] = brought(record.refs(turn.get("shown", [])), context.seen_list)
    if context.ahead is not None and not revised["changed"]:
        context.ahead.give_up()
    if Intent.START_OVER in reading.intents:
        revised["graph"] = {"added": [], "removed": await recommendation.known_nodes(turn, runtime.context)}
    elif turn.get("moved"):
        revised["graph"] = {"added": [], "removed": await _left_nodes(turn, context)}
    fresh = Intent.START_OVER in reading.intents and not reading.new_topic
    revised["elicited"] = {} if fresh else elicitation.after_hearing(turn)
    revised["preface"] = wording.told([_preface({**turn, **revised}, context), *objections.told(found)])
    if revised["preface"]:
        runtime.stream_writer({"piece": f"{revised['preface']}\n\n"})
    return revised


async def _undone(turn: TurnRecord, context: TurnContext) -> TurnRecord:
    """What stood before the last change stands again already; what is left to say is what became of the graph."""
    if turn["undo"] == Undo.NOTHING:
        return {"notice": wording.say("undo.nothing")}
    now, left = await recommendation.known_nodes(turn, context), await _left_nodes(turn, context)
    graph = recommendation.graph_change(left, now)
    return {"understanding": Understanding().model_dump(mode="json"), "graph": graph}


async def _left_nodes(turn: TurnRecord, context: TurnContext) -> list[str]:
    return await recommendation.known_nodes({"recommendation": turn.get("left", "")}, context)


def _preface(turn: TurnRecord, context: TurnContext) -> str:
    """What is said before the reply proper: where the talk has gone, what was noted beside what is answered, and whose
    verdict is still open."""
    reading, said = record.reading_of(turn), [turn.get("preface", ""), errands.told(record.heard_in(turn))]
    items = context.domain.items_word
    said += [wording.say("answer.not_known", title=title, items=items) for title in reading.not_known]
    action = actions.select_action(actions.situation_of(turn, context.domain))
    if reading.accepted and action is not Action.RESPOND_TO_ACCEPTANCE:
        said.append(wording.say("accept.noted", titles=wording.titles([item.title for item in reading.accepted])))
    if reading.unclear:
        words = wording.wishes(reading.unclear)
        said.append(wording.say("reference.unclear", words=words))
    return wording.told(said)


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


def _begins(turn: TurnRecord) -> str:
    return "edit" if turn.get("edits") else "understand"


def select_action(turn: TurnRecord, runtime: Runtime[TurnContext]) -> str:
    """Which action answers this turn; none where it belongs to another domain."""
    if turn.get("go_to"):
        return END
    return actions.select_action(actions.situation_of(turn, runtime.context.domain)).value


async def request_information(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Ask for what is missing, or for words that can be understood."""
    context = runtime.context
    unresolved = record.reading_of(turn).unresolved and not turn["notice"] and not turn.get("undo")
    said = recommendation.unresolved_reply(turn, context) if unresolved else ""
    return needed.request(turn, context.domain, said)


async def answer(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Answer what is asked: about the state from the state, about items from what is known of them."""
    parts = record.reading_of(turn).about_state
    if not parts:
        answered = await answering.answer(turn, runtime)
        return await recommendation.renewed(turn, runtime, answered) if turn.get("renews") else answered
    reply, items = recall.told(parts, record.state_of(turn), record.refs(turn.get("seen", [])), runtime.context.domain)
    return {"action": Action.ANSWER.value, "reply": reply, "focus": record.dumped(items)}


async def greet(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Welcome a newcomer; answer thanks and goodbyes later on; say what can be said to whoever asks for it."""
    domain, reading = runtime.context.domain, record.reading_of(turn)
    known = record.state_of(turn).recommended_items
    if turn.get("skipped"):
        reply = wording.say("elicit.skipped", items=domain.items_word)
    elif reading.about_system:
        reply = wording.told([domain.greeting, wording.say("courtesy.help", items=domain.items_word)])
    elif known:
        sentence = "courtesy.hello_again" if reading.hello else "courtesy.welcome"
        reply = wording.say(sentence, items=domain.items_word)
    elif not reading.hello and reading.greeting and turn["turn"] > 1:
        reply = wording.say("courtesy.any_time")
    else:
        reply = domain.greeting
    return {"action": Action.GREET.value, "reply": reply}


async def start_over(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """The state is empty again; ask for the first wish."""
    missing = runtime.context.domain.missing(record.state_of(turn).known_keys)
    reply = wording.say("courtesy.fresh_start", question=wording.first_question(missing))
    return {**needed.asking(turn, reply, missing), "action": Action.START_OVER.value}


async def finish(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Store the turn as every surface shows it."""
    context = runtime.context
    found = await stored_list.stored(turn, context)
    ranked = {item.candidate.id: item for item in found.items} if found else {}
    nodes = len(found.graph.nodes) if found else 0
    added, removed = (tuple(turn["graph"].get(change, ())) for change in ("added", "removed"))
    seen = record.refs(turn.get("seen", []))
    brought = known_here(context.catalogue.items(), context.seen_list, but=seen)
    view = TurnView(
        utterance=turn["utterance"],
        intents=record.reading_of(turn).intents,
        action=Action(turn["action"]),
        state=record.state_of(turn),
        reply="\n\n".join(filter(None, [turn.get("preface"), turn["reply"]])),
        items=tuple(item_json(ranked[item], rank) for rank, item in enumerate(turn["items"], start=1)),
        sources=tuple(turn["sources"]),
        graph=GraphChange(
            graph=graph_json(found.graph, found.queries) if found else {},
            added=added,
            removed=removed,
            kept=nodes - len(added),
            reused=context.budget.reused(),
        ),
        usage=context.budget.usage(),
        suggestions=suggesting.suggestions(turn, context.domain, web=context.own is not None),
        notes=(*turn["notes"], *map(wording.sentence_of_setback, context.budget.setbacks())),
        reasons=turn["reasons"],
        shown_before=tuple(turn["shown_before"]),
        cut_off=tuple(turn["cut_off"]),
        marks={item: marks(ranked[item], found.graph) for item in turn["items"]} if found else {},
        comparison=turn.get("comparison") or None,
        edits=tuple(turn.get("edits", ())),
        domain=context.domain.name,
        language=wording.language(),
        standing=tuple(item.id for item in record.refs(turn.get("shown", []))),
        seen=seen,
        brought=brought,
        names=names_of((*seen, *brought, *record.items_of(record.state_of(turn))), context.catalogue.items()),
        listed=len(context.seen_list),
    )
    digest = await context.store.put(view.model_dump_json())
    return {"history": [*turn.get("history", []), digest], "finished": True}


Node = Callable[[TurnRecord, Runtime[TurnContext]], Awaitable[TurnRecord]]


def in_its_language(node: Node) -> Any:
    """A node that says everything in the language of its turn, the words of the domain too."""

    async def spoken(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
        context = runtime.context
        with wording.speaking(turn.get("language", wording.ENGLISH), context.domain, context.catalogue.items()):
            told = replace(context, domain=wording.spoken(context.domain))
            return _sound(turn, await node(turn, runtime.override(context=told)))

    return spoken  # Any: LangGraph's types ask that a node call its first parameter "state"


async def heard(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """`understand` in the language of the turn: a bare title of the catalogue is said in none."""
    language, spoke = turn.get("language", wording.ENGLISH), turn.get("spoke", wording.ENGLISH)
    if language != spoke:
        titles = (title for item in runtime.context.catalogue.items() for title in titles_of(item))
        language = spoke if languages.is_title(turn["utterance"], titles) else language
    with wording.speaking(language, runtime.context.domain, runtime.context.catalogue.items()):
        return _sound(turn, {**await understand({**turn, "language": language}, runtime), "language": language})


def _sound(turn: TurnRecord, step: TurnRecord) -> TurnRecord:
    """What a step has made of a turn, before it is written down. Raises ValueError for what has another form than it is
    declared to have: then the turn fails, and the conversation goes on from before it."""
    record.checked({**turn, **step})
    return step


# Any: LangGraph's types ask that a node call its first parameter "state".
UNDERSTAND: Any = heard
EDIT: Any = in_its_language(editing.edit)
FINISH: Any = in_its_language(finish)
STEPS: dict[Action, Any] = {
    Action.REQUEST_INFORMATION: request_information,
    Action.RECOMMEND: recommendation.recommend,
    Action.ANSWER: answer,
    Action.RESPOND_TO_REJECTION: recommendation.respond_to_rejection,
    Action.RESPOND_TO_ACCEPTANCE: recommendation.respond_to_acceptance,
    Action.GREET: greet,
    Action.SHOW_MORE: recommendation.show_more,
    Action.START_OVER: start_over,
}


def build_loop(checkpointer: BaseCheckpointSaver[str]) -> Loop:
    """Understand, one action, finish; a turn that is made by hand is edited instead."""
    return _turn().compile(checkpointer=checkpointer)


@cache
def _turn() -> "StateGraph[TurnRecord, TurnContext, TurnRecord, TurnRecord]":
    turn = StateGraph(TurnRecord, context_schema=TurnContext)
    turn.add_node("understand", UNDERSTAND)
    turn.add_node("finish", FINISH)
    turn.add_node("edit", EDIT)
    turn.add_conditional_edges(START, _begins, ["understand", "edit"])
    turn.add_edge("edit", "finish")
    turn.add_conditional_edges("understand", select_action, [*(action.value for action in Action), END])
    for action, step in STEPS.items():
        turn.add_node(action.value, in_its_language(step))
        turn.add_edge(action.value, "finish")
    turn.add_edge("finish", END)
    return turn

"""From what a conversation streams to what the page shows: pure functions, no browser, no waiting.

Event     -> Exchange   the turn in hand, as far as it has come        advance
TurnViews -> messages   the chat, finished turns and unfinished ones   transcript
TurnViews -> Panels     picks, graph and state beside the chat         panels
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from dialogue import wording
from dialogue.domain import Domain
from dialogue.events import Event, Finished, Note, ReplyPiece, Step
from dialogue.models import Action, DialogueState, GraphChange, QuotedSource, TurnView
from dialogue.ui.cards import Shelf, render_cards
from dialogue.ui.graph_view import render_graph
from dialogue.ui.messages import plain, safe_link, safe_markdown
from dialogue.ui.state_view import render_state
from dialogue.ui.texts import Texts, sentence
from pdgf.models import PreferenceGraph, Reused, Usage

Message = dict[str, Any]
STARTERS = 3  # examples on an empty chat


class Ending(StrEnum):
    """How far a turn has come."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A turn as this process saw it run, which the stored history holds not yet or without its words.

    `after` counts the stored turns before it; `trouble` is the sentence to say when it failed.
    """

    utterance: str
    after: int = 0
    steps: tuple[Step | Note, ...] = ()
    text: str = ""
    ending: Ending = Ending.RUNNING
    trouble: str = ""


@dataclass(frozen=True, kw_only=True)
class Strip:
    """The row of ready sentences under the chat; each entry is what the button shows and what it says."""

    heading: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    starters: bool = False


@dataclass(frozen=True, kw_only=True)
class Panels:
    """What stands beside the chat: three pieces of HTML and the state as data."""

    picks: str
    graph: str
    state: str
    state_data: dict[str, Any]


def advance(exchange: Exchange, event: Event) -> Exchange:
    """The exchange after one more event; the finished reply replaces the pieces it came in."""
    match event:
        case Step() | Note():
            return replace(exchange, steps=(*exchange.steps, event))
        case ReplyPiece():
            return replace(exchange, text=exchange.text + event.text)
        case Finished():
            return replace(exchange, text=event.view.reply, ending=Ending.FINISHED)


def transcript(views: Sequence[TurnView], exchanges: Sequence[Exchange], texts: Texts) -> list[Message]:
    """All messages of the chat in the order they were said.

    A stored turn that was not finished is shown as this process saw it, where it did.
    """
    seen = {exchange.after for exchange in exchanges}
    messages: list[Message] = []
    for position, view in enumerate([*views, None]):
        for exchange in exchanges:
            if exchange.after == position:
                messages += _running_or_broken(exchange, texts)
        if view and (view.finished or position not in seen):
            messages += _stored(view, texts)
    return messages


def step_sentence(step: Step | Note) -> str:
    """A step as a sentence of its own."""
    if isinstance(step, Note):
        return step.text
    said = wording.sentence_of_step(step)
    return said[:1].upper() + said[1:]


def panels(views: Sequence[TurnView], domain: Domain, texts: Texts) -> Panels:
    """Picks, graph and state after the last finished turn."""
    state = views[-1].state if views else DialogueState()
    shown, items = picks_of(views)
    change = _latest_graph(views)
    graph = graph_of(change)
    news = change.added if change.kept or change.removed else ()  # the first graph is new as a whole
    shelf = Shelf(
        items=items,
        graph=graph_of(shown.graph) if shown else graph,
        facts=domain.facts,
        accepted=[item.id for item in state.accepted_items],
        again=shown.shown_before if shown else (),
    )
    return Panels(
        picks=render_cards(shelf, texts),
        graph=render_graph(graph, news, items, texts),
        state=render_state(state, texts),
        state_data=state.model_dump(mode="json"),
    )


def graph_of(change: GraphChange) -> PreferenceGraph:
    """The graph of a turn, from the JSON of the commands."""
    known = {"narrative", "language", "nodes", "edges", "order"}
    return PreferenceGraph.model_validate({"narrative": "", **{k: v for k, v in change.graph.items() if k in known}})


def picks_of(views: Sequence[TurnView]) -> tuple[TurnView | None, tuple[dict[str, Any], ...]]:
    """The last list that was recommended, without what has been turned down since, and the turn it comes from."""
    for view in reversed(views):
        if view.action is Action.START_OVER:
            return None, ()
        if view.items and view.action is not Action.ANSWER:
            rejected = {item.id for item in views[-1].state.rejected_items}
            return view, tuple(item for item in view.items if item["id"] not in rejected)
    return None, ()


def strip(views: Sequence[TurnView], exchanges: Sequence[Exchange], domain: Domain, texts: Texts) -> Strip:
    """What can be said with one click: a start, the same again after a broken turn, why a pick was turned down by its
    button, or what the last turn suggests."""
    broken = [exchange.utterance for exchange in exchanges if exchange.after == len(views)]
    broken += [view.utterance for view in views[-1:] if not view.finished]
    if broken:
        return Strip(entries=((texts["endings"]["again"], broken[-1]),))
    if views and (reasons := _reasons(views[-1], domain, texts)):
        return Strip(heading=texts["empty"]["reasons"], entries=reasons)
    said = views[-1].suggestions if views else domain.examples[:STARTERS]
    heading = texts["empty"]["suggestions" if views else "starters"]
    return Strip(heading=heading, entries=tuple((text, text) for text in said), starters=not views)


def _reasons(view: TurnView, domain: Domain, texts: Texts) -> tuple[tuple[str, str], ...]:
    """What to offer as the reason for a turn that turned a pick down without one; who typed has said it.

    What is said names the pick: a bare reason would be taken for one against the new list.
    """
    prefix = texts["cards"]["say_reject"].format(title="")
    if view.action is not Action.RESPOND_TO_REJECTION or not view.utterance.startswith(prefix):
        return ()
    title, says = view.utterance.removeprefix(prefix), texts["cards"]["say_reason"]
    return tuple((reason, says.format(reason=reason, title=title)) for reason in texts["reasons"].get(domain.name, ()))


def closing_status(views: Sequence[TurnView], exchange: Exchange, texts: Texts) -> str:
    """What the status line says when a turn has ended."""
    if exchange.ending is Ending.STOPPED:
        return str(texts["endings"]["stopped"])
    if exchange.ending is Ending.FAILED:
        return exchange.trouble
    if brought_picks(views, exchange):
        return sentence(texts, texts["status"]["picks"], picks=len(picks_of(views)[1]))
    return str(texts["status"]["answered"])


def brought_picks(views: Sequence[TurnView], exchange: Exchange) -> bool:
    """Whether the turn that has just ended finished with a list."""
    return exchange.ending is Ending.FINISHED and bool(views) and picks_of(views)[0] is views[-1]


def _latest_graph(views: Sequence[TurnView]) -> GraphChange:
    """The graph after the last turn that has one; none once the visitor has started over."""
    for view in reversed(views):
        if view.action is Action.START_OVER:
            break
        if view.graph.graph.get("nodes"):
            return view.graph
    return GraphChange()


def _stored(view: TurnView, texts: Texts) -> list[Message]:
    user = {"role": "user", "content": plain(view.utterance)}
    trace = trace_of(view, texts)
    thought = [_thought(texts["trace"]["title"], trace, "done")] if trace else []
    return [user, *thought, {"role": "assistant", "content": _reply(view, texts)}]


def _running_or_broken(exchange: Exchange, texts: Texts) -> list[Message]:
    lines = [step_sentence(step) for step in exchange.steps]
    messages: list[Message] = [{"role": "user", "content": plain(exchange.utterance)}]
    if exchange.ending is Ending.RUNNING:
        title = lines.pop() if lines else texts["status"]["working"]
        messages.append(_thought(title, lines, "pending"))
    elif lines:
        messages.append(_thought(texts["trace"]["title"], lines, "done"))
    closing = texts["endings"]["stopped"] if exchange.ending is Ending.STOPPED else plain(exchange.trouble)
    body = "\n\n".join(part for part in (safe_markdown(exchange.text), closing and f"*{closing}*") if part)
    return [*messages, {"role": "assistant", "content": body}] if body else messages


def trace_of(view: TurnView, texts: Texts) -> list[str]:
    """How a finished turn came about, from what was stored of it; empty where nothing was looked up."""
    used, graph, words, reused = view.usage, view.graph.graph, texts["trace"], view.graph.reused
    if not (used.searches or used.comparisons or used.tokens_in or reused != Reused()):
        return []
    nodes, compared = len(graph.get("nodes", ())), reused.pairs + reused.descriptions + reused.labels
    told = [
        (nodes, "wishes", {"nodes": nodes, "edges": len(graph.get("edges", ()))}),
        (view.graph.kept and compared, "kept", {"kept": view.graph.kept, "nodes": nodes}),
        (used.searches, "searches", {"searches": used.searches}),
        (reused.searches, "searches_kept", {"searches_made": reused.searches}),
        (used.comparisons, "comparisons", {"comparisons_made": used.comparisons}),
        (compared, "comparisons_kept", {"comparisons_made": compared}),
    ]
    lines = [sentence(texts, words[name], **counts) for happened, name, counts in told if happened]
    return [*lines, *([_model_use(used, texts)] if used.tokens_in else [])]


def _model_use(used: Usage, texts: Texts) -> str:
    """What a turn has used of a language model, and what that costs where the price is known."""
    words = texts["trace"]
    cost = words["cost_unknown"] if used.cost is None else words["cost"].format(dollars=f"{used.cost:.4f}")
    said = words["model"].replace("{tokens}", f"{used.tokens_in + used.tokens_out:,}").replace("{cost}", cost)
    return sentence(texts, said, model_calls=used.agent_calls)


def _thought(title: str, lines: Sequence[str], status: str) -> Message:
    content = "\n".join(f"- {line}" for line in lines)
    return {"role": "assistant", "content": content, "metadata": {"title": title, "status": status}}


def _reply(view: TurnView, texts: Texts) -> str:
    said = " ".join(view.reply.split())
    answered = view.sources if view.action is Action.ANSWER else ()  # a list has its quotes on the cards
    unsaid = [source for source in answered if " ".join(source.quote.split()) not in said]
    notes = [texts["endings"]["note"].format(text=safe_markdown(note)) for note in view.notes]
    return "\n\n".join([safe_markdown(view.reply), *map(_quotation, unsaid), *notes])


def _quotation(source: QuotedSource) -> str:
    url = safe_link(source.url)
    title = plain(source.title)
    quote = "\n> ".join(plain(source.quote).splitlines())
    return f"> {quote}\n>\n> {f'[{title}]({url})' if url else title}"

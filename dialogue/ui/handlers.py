"""From what a conversation streams to what the page shows: pure functions, no browser, no waiting.

    Event     -> Exchange   the turn in hand, as far as it has come        advance
    TurnViews -> messages   the chat, finished turns and unfinished ones   transcript
    TurnViews -> Panels     picks, graph and state beside the chat         panels
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from dialogue.domain import Domain
from dialogue.events import Event, Finished, ReplyPiece, Step
from dialogue.models import Action, DialogueState, QuotedSource, TurnView
from dialogue.ui.cards import render_cards
from dialogue.ui.graph_view import render_graph
from dialogue.ui.messages import plain, safe_link, safe_markdown
from dialogue.ui.state_view import render_state
from dialogue.ui.texts import Texts, sentence

Message = dict[str, Any]


class Ending(StrEnum):
    """How far a turn has come."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A turn that the stored history does not hold, or not yet. `after` counts the finished turns before it.

    `trouble` is a key under [errors] when the turn failed.
    """

    utterance: str
    after: int = 0
    steps: tuple[Step, ...] = ()
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
        case Step():
            return replace(exchange, steps=(*exchange.steps, event))
        case ReplyPiece():
            return replace(exchange, text=exchange.text + event.text)
        case Finished():
            return replace(exchange, text=event.view.reply, ending=Ending.FINISHED)


def transcript(views: Sequence[TurnView], exchanges: Sequence[Exchange], texts: Texts) -> list[Message]:
    """All messages of the chat in the order they were said."""
    messages: list[Message] = []
    for position in range(len(views) + 1):
        for exchange in exchanges:
            if exchange.after == position:
                messages += _unfinished(exchange, texts)
        if position < len(views):
            messages += _finished(views[position], texts)
    return messages


def step_sentence(step: Step, texts: Texts) -> str:
    """A step in words; a step without a sentence of its own is said generally."""
    return sentence(texts, texts["steps"].get(step.name) or texts["steps"]["working"], **step.counts)


def panels(views: Sequence[TurnView], domain: Domain, texts: Texts) -> Panels:
    """Picks, graph and state after the last finished turn."""
    state = views[-1].state if views else DialogueState()
    shown, items = picks_of(views)
    latest = next((view for view in reversed(views) if view.graph.graph.get("nodes")), None)
    if latest and Action.START_OVER in (view.action for view in views[views.index(latest) + 1 :]):
        latest = None
    accepted = frozenset(item.id for item in state.accepted_items)
    return Panels(
        picks=render_cards(items, shown.graph.graph if shown else {}, domain.facts, accepted, texts),
        graph=render_graph(latest.graph if latest else None, items, texts),
        state=render_state(state, texts),
        state_data=state.model_dump(mode="json"),
    )


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
    """What can be said with one click: a start, the same again after a broken turn, or what the last turn suggests."""
    broken = next((e for e in reversed(exchanges) if e.after == len(views)), None)
    if broken:
        return Strip(entries=((texts["endings"]["again"], broken.utterance),))
    if not views:
        entries = tuple((example, example) for example in domain.examples)
        return Strip(heading=texts["empty"]["starters"], entries=entries, starters=True)
    entries = tuple((suggestion, suggestion) for suggestion in views[-1].suggestions)
    return Strip(heading=texts["empty"]["suggestions"], entries=entries)


def closing_status(views: Sequence[TurnView], exchange: Exchange, texts: Texts) -> str:
    """What the status line says when a turn has ended."""
    if exchange.ending is Ending.STOPPED:
        return str(texts["endings"]["stopped"])
    if exchange.ending is Ending.FAILED:
        return str(texts["errors"][exchange.trouble])
    if views and views[-1].items and views[-1].action is not Action.ANSWER:
        return sentence(texts, texts["status"]["picks"], picks=len(picks_of(views)[1]))
    return str(texts["status"]["answered"])


def _finished(view: TurnView, texts: Texts) -> list[Message]:
    user = {"role": "user", "content": plain(view.utterance)}
    trace = trace_of(view, texts)
    thought = [_thought(texts["trace"]["title"], trace, "done")] if trace else []
    return [user, *thought, {"role": "assistant", "content": _reply(view, texts)}]


def _unfinished(exchange: Exchange, texts: Texts) -> list[Message]:
    lines = list(dict.fromkeys(step_sentence(step, texts) for step in exchange.steps))
    messages: list[Message] = [{"role": "user", "content": plain(exchange.utterance)}]
    if exchange.ending is Ending.RUNNING:
        title = lines.pop() if lines else texts["steps"]["working"]
        messages.append(_thought(title, lines, "pending"))
    elif lines:
        messages.append(_thought(texts["trace"]["title"], lines, "done"))
    closing = {
        Ending.STOPPED: texts["endings"]["stopped"],
        Ending.FAILED: texts["errors"][exchange.trouble] if exchange.trouble else "",
    }.get(exchange.ending, "")
    body = "\n\n".join(part for part in (safe_markdown(exchange.text), closing and f"*{closing}*") if part)
    if body:
        messages.append({"role": "assistant", "content": body})
    return messages


def trace_of(view: TurnView, texts: Texts) -> list[str]:
    """How a finished turn came about, from what was stored of it; empty where nothing was looked up."""
    used, graph, words = view.usage, view.graph.graph, texts["trace"]
    if not (used.searches or used.comparisons):
        return []
    wishes = sentence(texts, words["wishes"], nodes=len(graph.get("nodes", ())), edges=len(graph.get("edges", ())))
    return [
        *([wishes] if graph.get("nodes") else []),
        *([sentence(texts, words["searches"], searches=used.searches)] if used.searches else []),
        *([sentence(texts, words["comparisons"], comparisons_made=used.comparisons)] if used.comparisons else []),
    ]


def _thought(title: str, lines: Sequence[str], status: str) -> Message:
    content = "\n".join(f"- {line}" for line in lines)
    return {"role": "assistant", "content": content, "metadata": {"title": title, "status": status}}


def _reply(view: TurnView, texts: Texts) -> str:
    said = " ".join(view.reply.split())
    unsaid = [source for source in view.sources if " ".join(source.quote.split()) not in said]
    notes = [safe_markdown(texts["endings"]["note"].format(text=note)) for note in view.notes]
    return "\n\n".join([safe_markdown(view.reply), *map(_quotation, unsaid), *(f"*{note}*" for note in notes)])


def _quotation(source: QuotedSource) -> str:
    url = safe_link(source.url)
    title = plain(source.title)
    quote = "\n> ".join(plain(source.quote).splitlines())
    return f"> {quote}\n>\n> {f'[{title}]({url})' if url else title}"

"""From what a conversation streams to what the page shows: pure functions, no browser, no waiting.

Event     -> Exchange   the turn in hand, as far as it has come        advance
TurnViews -> messages   the chat, finished turns and unfinished ones   transcript
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from dialogue import likely_reasons, wording
from dialogue.domain import ChineseWords, Domain
from dialogue.events import Event, Finished, Note, ReplyPiece, Step
from dialogue.models import Action, QuotedSource, TurnView
from dialogue.ui.cards import OF_PROSE
from dialogue.ui.messages import plain, safe_link, safe_markdown
from dialogue.ui.panels import picks_of
from dialogue.ui.texts import Texts, sentence, trouble
from dialogue.ui.trace import title_of, trace_of
from pdgf.errors import PdgfError

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

    `after` counts the stored turns before it; `trouble` is why it failed, None for what nobody foresaw; `by_hand`: its
    utterance describes edits and cannot be said again.
    """

    utterance: str
    after: int = 0
    by_hand: bool = False
    steps: tuple[Step | Note, ...] = ()
    text: str = ""
    ending: Ending = Ending.RUNNING
    trouble: PdgfError | None = None


class Placed(NamedTuple):
    """A message, how many stored turns stand before its turn, and the words of that turn; None where it was made by
    hand and cannot be said."""

    before: int
    utterance: str | None
    message: Message


@dataclass(frozen=True, kw_only=True)
class Strip:
    """The row of ready sentences under the chat; each entry is what the button shows and what it says."""

    heading: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    starters: bool = False


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
    """All messages of the chat in the order they were said."""
    return [placed_message.message for placed_message in placed(views, exchanges, texts)]


def placed(views: Sequence[TurnView], exchanges: Sequence[Exchange], texts: Texts) -> list[Placed]:
    """All messages of the chat in the order they were said, each with its turn.

    A stored turn that was not finished is shown as this process saw it, where it did. One that was stopped as it ended
    is finished all the same.
    """
    seen = {exchange.after for exchange in exchanges}
    rows: list[Placed] = []
    for position, view in enumerate([*views, None]):
        for exchange in exchanges:
            done = view is not None and view.finished and view.utterance == exchange.utterance
            if exchange.after == position and not done:
                said = None if exchange.by_hand else exchange.utterance
                rows += [Placed(position, said, row) for row in _running_or_broken(exchange, texts)]
        if view and (view.finished or position not in seen):
            said = None if view.edits else view.utterance
            rows += [Placed(position, said, row) for row in _stored(view, texts)]
    return rows


def step_sentence(step: Step | Note) -> str:
    """A step as a sentence of its own."""
    if isinstance(step, Note):
        return step.text
    said = wording.sentence_of_step(step)
    return said[:1].upper() + said[1:]


def strip(views: Sequence[TurnView], exchanges: Sequence[Exchange], domain: Domain, texts: Texts) -> Strip:
    """What can be said with one click: a start, the same again after a broken turn, why a pick was turned down by its
    button, or what the last turn suggests."""
    broken = [row.utterance for row in exchanges if row.after == len(views) and not row.by_hand]
    broken += [view.utterance for view in views[-1:] if not view.finished and not view.edits]
    if broken:
        return Strip(entries=((texts["endings"]["again"], broken[-1]),))
    if views and (reasons := _reasons(views, domain, texts)):
        return Strip(heading=texts["empty"]["reasons"], entries=reasons)
    said, heading = (views[-1].suggestions, "suggestions") if views else (_starters(domain, texts), "starters")
    told = texts["empty"][heading] if said else ""
    if not views and domain.name not in texts["domains"]:  # a catalogue of one's own: what can be asked of it
        told = " ".join(filter(None, [_spoken(domain, texts).greeting, told]))
    return Strip(heading=told, entries=tuple((text, text) for text in said), starters=not views)


def _starters(domain: Domain, texts: Texts) -> Sequence[str]:
    """What an empty conversation can begin with."""
    known = texts.get("starters", {}).get(domain.name)
    return known or _spoken(domain, texts).examples[:STARTERS] or domain.examples[:STARTERS]


def _spoken(domain: Domain, texts: Texts) -> Domain | ChineseWords:
    """A domain in the language of the page, as far as it speaks that."""
    chinese = domain.chinese if texts["page"]["language"] == wording.CHINESE else None
    return chinese if chinese is not None and chinese.greeting else domain


def _reasons(views: Sequence[TurnView], domain: Domain, texts: Texts) -> tuple[tuple[str, str], ...]:
    """What to offer as the reason for a turn that turned a pick down without one, the likely ones first; who typed has
    said it.

    What is said names the pick: a bare reason would be taken for one against the new list.
    """
    before, _, after = texts["cards"]["say_reject"].partition("{title}")
    view = views[-1]
    said, says = view.utterance, texts["cards"]["say_reason"]
    by_button = said.startswith(before) and said.endswith(after)
    if view.action is not Action.RESPOND_TO_REJECTION or not by_button:
        return ()
    title = said.removeprefix(before).removesuffix(after)
    known = {row["id"]: {"year": row["year"], **row["metadata"]} for each in views for row in each.items}
    gone = view.state.rejected_items[-1:]
    listed = [known[item] for item in view.standing if item in known]
    reasons = texts["reasons"].get(domain.name, ())
    if gone and gone[0].id in known:
        reasons = likely_reasons.likely(reasons, known[gone[0].id], listed, domain)
    return tuple((reason, says.format(reason=reason, title=title)) for reason in reasons)


def closing_status(views: Sequence[TurnView], exchange: Exchange, texts: Texts) -> str:
    """What the status line says when a turn has ended."""
    if exchange.ending is Ending.STOPPED:
        return str(texts["endings"]["stopped"])
    if exchange.ending is Ending.FAILED:
        return trouble(exchange.trouble, texts)
    if brought_picks(views, exchange):
        if len(views[-1].items) < len(views[-1].standing):
            return str(texts["status"]["replaced"])
        return sentence(texts, texts["status"]["picks"], picks=len(picks_of(views)[1]))
    return str(texts["status"]["answered"])


def brought_picks(views: Sequence[TurnView], exchange: Exchange) -> bool:
    """Whether the turn that has just ended finished with a list."""
    return exchange.ending is Ending.FINISHED and bool(views) and picks_of(views)[0] is views[-1]


def _stored(view: TurnView, texts: Texts) -> list[Message]:
    user = {"role": "user", "content": plain(view.utterance)}
    trace = trace_of(view, texts)
    thought = [_thought(title_of(view, texts), trace, "done")] if trace else []
    return [user, *thought, {"role": "assistant", "content": _reply(view, texts)}]


def _running_or_broken(exchange: Exchange, texts: Texts) -> list[Message]:
    lines = [step_sentence(step) for step in exchange.steps]
    messages: list[Message] = [{"role": "user", "content": plain(exchange.utterance)}]
    if exchange.ending is Ending.RUNNING:
        title = lines.pop() if lines else texts["status"]["working"]
        messages.append(_thought(title, lines, "pending"))
    elif lines:
        messages.append(_thought(texts["trace"]["title"], lines, "done"))
    closing = {
        Ending.STOPPED: texts["endings"]["stopped"],
        Ending.FAILED: plain(trouble(exchange.trouble, texts)),
    }.get(exchange.ending)
    body = "\n\n".join(part for part in (safe_markdown(exchange.text), closing and f"*{closing}*") if part)
    return [*messages, {"role": "assistant", "content": body}] if body else messages


def _thought(title: str, lines: Sequence[str], status: str) -> Message:
    content = "\n".join(f"- {line}" for line in lines)
    return {"role": "assistant", "content": content, "metadata": {"title": title, "status": status}}


def _reply(view: TurnView, texts: Texts) -> str:
    said = " ".join(view.reply.split())
    answered = view.sources if view.action is Action.ANSWER else ()  # a list has its quotes on the cards
    if view.comparison or view.language != wording.ENGLISH:  # cells state the facts, and so do other words for them
        answered = tuple(source for source in answered if OF_PROSE.search(source.source))
    unsaid = [source for source in answered if " ".join(source.quote.split()) not in said]
    notes = [texts["endings"]["note"].format(text=safe_markdown(note)) for note in view.notes]
    return "\n\n".join([safe_markdown(view.reply), *map(_quotation, unsaid), *notes])


def _quotation(source: QuotedSource) -> str:
    url = safe_link(source.url)
    title = plain(source.title)
    quote = "\n> ".join(plain(source.quote).splitlines())
    return f"> {quote}\n>\n> {f'[{title}]({url})' if url else title}"

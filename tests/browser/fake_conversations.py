"""A scripted stand-in for the conversations, so that the page can be driven without an engine.

It knows seven invented films and what a visitor may say about them. Words in an utterance steer it: "slowly" makes it
wait in the middle of its reply until it is stopped, "breakdown" makes it fail, "markup" makes every text of it hostile,
"now books" takes it to another domain.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Any

from dialogue.domain import ConstraintKey, Domain
from dialogue.events import Event, Finished, ReplyPiece, Step
from dialogue.models import (
    Action,
    ConstraintValue,
    DialogueState,
    GraphChange,
    Intent,
    ItemRef,
    QuotedSource,
    TurnView,
)
from dialogue.seen_lists import SeenTitle
from dialogue.store import Conversation, UnknownConversation
from pdgf.errors import IndexUnavailable
from pdgf.models import Usage
from tests.browser.fake_films import COMPARED, film, films_for, story_graph

STORY = (
    "Fantasy with romance as a subplot, shown through banter, not mostly sex. "
    "Nothing too bleak. It must be under two hours, and no animal may die."
)
HOSTILE = (
    "<img src=x onerror=globalThis.pwned=1><script>globalThis.pwned=1</script>"
    "![x](http://evil.invalid/?q=1) [y](javascript:globalThis.pwned=1) ${1+1} {{2+2}}"
)

DOMAINS = tuple(
    Domain(
        name=name,
        item_word=word,
        items_word=words,
        greeting="Hello.",
        constraint_keys=(ConstraintKey(key="genre", description="the kind"),),
        examples=examples,
        facts=("director", "length_minutes", "genres", "suitable_from_age", "violence"),
    )
    for name, word, words, examples in (
        (
            "movies",
            "film",
            "films",
            (
                STORY,
                "A slow, quiet film about friendship for a rainy evening, nothing violent.",
                "A clever heist with dry humour. My father should enjoy it too, so no gore.",
            ),
        ),
        ("books", "book", "books", ("A warm novel about starting again late in life, with dry humour.",)),
        ("anime", "series", "series", ("Something gentle about everyday magic, no fights, short episodes.",)),
        ("restaurants", "place", "places", ("A quiet dinner in the harbour district, vegan, with parking.",)),
    )
)


class FakeConversations:
    """Keeps its threads in memory; its answers are fixed. `pace` is the pause between two events in seconds."""

    def __init__(self, pace: float = 0.02) -> None:
        self.pace = pace
        self.views: dict[str, list[TurnView]] = {}
        self.rows: dict[str, Conversation] = {}
        self.how: list[dict[str, Any]] = []  # what each turn was asked with, beside its words

    async def start(self, domain: Domain, owner: str) -> str:
        thread = secrets.token_urlsafe(16)
        self.views[thread] = []
        self.rows[thread] = Conversation(
            thread=thread, owner=owner, title="", domain=domain.name, created=0.0, updated=0.0
        )
        return thread

    async def find(self, thread_id: str) -> Conversation:
        if thread_id not in self.rows:
            raise UnknownConversation(thread_id)
        return self.rows[thread_id]

    async def history(self, thread_id: str, *, unfinished: bool = False) -> list[TurnView]:
        await self.find(thread_id)
        return [view for view in self.views[thread_id] if view.finished or unfinished]

    async def fork(self, thread_id: str, turn_number: int) -> bool:
        await self.find(thread_id)
        del self.views[thread_id][turn_number - 1 :]
        return True

    async def list(self, owner: str) -> Sequence[Conversation]:
        rows = [row for row in self.rows.values() if row.owner == owner]
        return sorted(rows, key=lambda row: -row.updated)

    async def rename(self, thread_id: str, title: str) -> None:
        row = await self.find(thread_id)
        self.rows[thread_id] = row.model_copy(update={"title": title.strip()[:60] or row.title})

    async def delete(self, thread_id: str) -> None:
        await self.find(thread_id)
        del self.rows[thread_id], self.views[thread_id]

    async def seen_of(self, owner: str) -> tuple[SeenTitle, ...]:
        """Nobody has brought anything."""
        return ()

    def wind_up(self, thread_id: str) -> bool:
        """These turns have nothing to end with."""
        return False

    async def turn(self, thread_id: str, utterance: str, **how: Any) -> AsyncIterator[Event]:
        row = await self.find(thread_id)
        self.how.append(how)
        times = {"title": row.title or utterance[:60], "updated": float(len(self.how))}
        self.rows[thread_id] = row.model_copy(update=times)
        views = self.views[thread_id]
        view = _view([earlier for earlier in views if earlier.finished], utterance)
        views.append(view.model_copy(update={"finished": False, "reply": "This turn was stopped.", "items": ()}))
        for step in _steps(view):
            await asyncio.sleep(self.pace)
            yield step
        if "breakdown" in utterance:
            raise IndexUnavailable("the index is gone")
        for position, word in enumerate(view.reply.split(" ")):
            if position == 6 and "slowly" in utterance:
                await asyncio.Event().wait()
            await asyncio.sleep(self.pace / 4)
            yield ReplyPiece(text=word if position == 0 else f" {word}")
        if "now books" in utterance:
            view = view.model_copy(update={"domain": "books"})
        views[-1] = view
        yield Finished(view=view)


def _steps(view: TurnView) -> list[Step]:
    if view.action is not Action.RECOMMEND:
        return [Step(name="understanding")]
    graph = view.graph.graph
    return [
        Step(name="understanding"),
        Step(name="graph", counts={"nodes": len(graph["nodes"]), "edges": len(graph["edges"])}),
        Step(name="queries", counts={"queries": 9}),
        Step(name="evidence", counts={"candidates": 40, "records": 118}),
        Step(name="ranking", counts={"compared": 61, "comparisons": 240, "items": 40}),
    ]


def _view(earlier: Sequence[TurnView], utterance: str) -> TurnView:
    before = earlier[-1].state if earlier else DialogueState()
    if utterance.startswith("Not for me: ") and earlier:
        gone = film(utterance.removeprefix("Not for me: "))
        state = before.model_copy(update={"rejected_items": (*before.rejected_items, gone)})
        return _replaced(utterance, state, gone.id, earlier[-1])
    if utterance.startswith("I'll take ") and earlier:
        taken = film(utterance.removeprefix("I'll take "))
        state = before.model_copy(update={"accepted_items": (*before.accepted_items, taken)})
        reply = f"Enjoy **{taken.title}**. I have noted that you took it."
        return _listed(utterance, state, Action.RESPOND_TO_ACCEPTANCE, earlier[-1].graph, reply)
    if utterance.startswith(("About ", "Compare ")) and earlier:
        answered = _answered(utterance, before, earlier[-1].graph)
        return answered.model_copy(update={"reply": COMPARED}) if utterance.startswith("Compare ") else answered
    hostile = HOSTILE if "markup" in utterance else ""
    return _recommended(utterance, earlier, hostile)


def _replaced(utterance: str, state: DialogueState, gone: str, before: TurnView) -> TurnView:
    """Another film in the place of the one that was turned down; the others stay."""
    kept = [item for item in before.standing if item != gone]
    out = {item.id for item in state.rejected_items}.union(kept)
    new = next(item for item in films_for(before.graph.graph, "") if item["id"] not in out)
    reply = "Understood. Here is another in its place."
    view = _listed(utterance, state, Action.RESPOND_TO_REJECTION, before.graph, reply)
    standing = tuple(new["id"] if item == gone else item for item in before.standing)
    return view.model_copy(update={"items": (new,), "standing": standing})


def _recommended(utterance: str, earlier: Sequence[TurnView], hostile: str) -> TurnView:
    graph, ids = story_graph(utterance, more=bool(earlier), hostile=hostile)
    change = GraphChange(graph=graph, added=(ids[-1],) if earlier else tuple(ids), kept=7 if earlier else 0)
    span = (len(earlier), 0, 7)
    state = DialogueState(
        hard_constraints={"length_format": (ConstraintValue(text="under two hours" + hostile, span=span),)},
        soft_constraints={
            "genre": (ConstraintValue(text="fantasy", span=span),),
            "tone": (ConstraintValue(text="nothing too bleak", span=span),),
        },
        rejected_items=earlier[-1].state.rejected_items if earlier else (),
    )
    reply = (
        "These 3 films fit best, the best match first:\n\n"
        '### 1. The Lantern Road (2011)\nFits "banter" (“They court by quarrelling over maps, prices and who '
        'snores.”), "romance as a subplot" and "not mostly sex". Nothing known about "an animal dies". It costs about '
        "$5 to $10 to rent.\n\n"
        '### 2. Salt and Feather (2004)\nFits "banter" (“Every second line is a dig, and every dig is a '
        "compliment.”).\n\n"
        "### 3. Nine Winters (2019)\nBreaks a condition: no animal may die. " + hostile
    )
    return _listed(utterance, state, Action.RECOMMEND, change, reply, hostile=hostile)


def _listed(
    utterance: str, state: DialogueState, action: Action, change: GraphChange, reply: str, hostile: str = ""
) -> TurnView:
    gone = {item.id for item in state.rejected_items}
    items = [item for item in films_for(change.graph, hostile) if item["id"] not in gone][:3]
    shown = tuple(ItemRef(id=item["id"], title=item["title"], year=item["year"]) for item in items)
    usage = Usage(comparisons=61, searches=9, agent_calls=5) if action is Action.RECOMMEND else Usage()
    return TurnView(
        utterance=utterance,
        intents=(Intent.PROVIDE_PREFERENCE,),
        action=action,
        state=state.model_copy(update={"recommended_items": shown}),
        reply=reply,
        items=tuple(items),
        standing=tuple(item.id for item in shown),
        graph=change,
        usage=usage,
        suggestions=("Something lighter", "Is the first one sad?" + hostile, "Show me more"),
        notes=(hostile,) if hostile else (),
    )


def _answered(utterance: str, state: DialogueState, change: GraphChange) -> TurnView:
    source = QuotedSource(
        item="film-0",
        title="The Lantern Road",
        quote="The middle stretch is sadder than the posters promise.",
        source="film-0#4",
    )
    return TurnView(
        utterance=utterance,
        intents=(Intent.INQUIRE,),
        action=Action.ANSWER,
        state=state,
        reply="A little, in the middle, though it ends in good spirits.",
        sources=(source,),
        standing=("film-0", "film-1", "film-2"),
        graph=change,
        suggestions=("I'll take The Lantern Road", "Something lighter"),
    )


class PatientConversations(FakeConversations):
    """Its turns wait until they are bidden to end with what they have."""

    def __init__(self) -> None:
        super().__init__(pace=0)
        self.bidden = asyncio.Event()

    def wind_up(self, thread_id: str) -> bool:
        self.bidden.set()
        return True

    async def turn(self, thread_id: str, utterance: str, **how: Any) -> AsyncIterator[Event]:
        yield ReplyPiece(text="So far")
        await self.bidden.wait()
        async for event in super().turn(thread_id, utterance, **how):
            yield event

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

_NODES: tuple[tuple[str, str, str, str, bool], ...] = (
    ("genre", "fantasy", "want", "The film is a fantasy.", False),
    ("relationship", "romance as a subplot", "want", "Within a fantasy, romance runs beside the main story.", False),
    ("dialogue", "banter", "want", "The romance is shown through banter.", False),
    ("content", "mostly sex", "avoid", "The romance is not told mostly through sex.", False),
    ("tone", "too bleak", "avoid", "The fantasy is not too bleak.", False),
    ("length", "under two hours", "want", "The film is under two hours long.", True),
    ("content", "an animal dies", "avoid", "No animal dies in the film.", True),
)
_EDGES = ((0, 1, "with"), (1, 2, "shown through"), (1, 3, "not"), (0, 4, "nothing"), (0, 5, "it must be"))

_S, _P, _N, _C = "SUPPORT", "PARTIAL", "NOT_ADDRESSED", "CONTRADICTS"
_FILMS: tuple[tuple[str, int, dict[str, Any], dict[int, tuple[str, str]], str | None], ...] = (
    (
        "The Lantern Road",
        2011,
        {"director": ["Ilse Varga"], "length_minutes": 104, "genres": ["fantasy", "comedy"], "suitable_from_age": 10},
        {
            0: (_S, "Talking weather, a river that grants bad wishes and a toll keeper made of paper."),
            1: (_S, "The two of them fall in love at the edge of the story, between errands."),
            2: (_S, "They court by quarrelling over maps, prices and who snores."),
            3: (_S, "One kiss, and the camera looks politely at the rain."),
            4: (_P, "The middle stretch is sadder than the posters promise."),
            5: (_S, "length: 104 minutes"),
        },
        None,
    ),
    (
        "Salt and Feather",
        2004,
        {"director": ["Tomas Quill"], "length_minutes": 117, "genres": ["fantasy", "adventure"], "violence": "mild"},
        {
            0: (_S, "Sea witches, a city on stilts and a very tired dragon."),
            1: (_P, "A love story is there, and sometimes it takes the wheel."),
            2: (_S, "Every second line is a dig, and every dig is a compliment."),
            4: (_S, "It stays buoyant even when the city sinks."),
            5: (_S, "length: 117 minutes"),
        },
        None,
    ),
    (
        "Nine Winters",
        2019,
        {"director": ["Oda Brandt"], "length_minutes": 98, "genres": ["fantasy", "drama"], "suitable_from_age": 15},
        {
            0: (_S, "A valley where winter is counted and paid for."),
            1: (_S, "Their affection is a thread, never the cloth."),
            3: (_P, "One long bedroom scene, otherwise glances."),
            4: (_C, "Bleak from the first frost to the last."),
            6: (_C, "The old dog does not survive the second winter."),
        },
        "an animal dies: “The old dog does not survive the second winter.”",
    ),
    (
        "The Borrowed Crown",
        1998,
        {"director": ["Ilse Varga"], "length_minutes": 111, "genres": ["fantasy"]},
        {
            0: (_S, "A princess rents out her crown and regrets it."),
            2: (_S, "The lawyers flirt in footnotes and insults."),
            5: (_S, "length: 111 minutes"),
        },
        None,
    ),
    (
        "Moth Season",
        2016,
        {"director": ["Anouk Reyes"], "length_minutes": 92, "genres": ["fantasy", "mystery"]},
        {0: (_S, "Moths carry messages between the living and the late."), 4: (_S, "Melancholy, and kind with it.")},
        None,
    ),
    ("Ashes of June", 2008, {"length_minutes": 129}, {0: (_P, "Magic is talked of more than seen.")}, None),
    ("A Kettle for the Giant", 2013, {"length_minutes": 88}, {0: (_S, "A giant, a kettle and a grudge.")}, None),
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
        gone = _ref(utterance.removeprefix("Not for me: "))
        state = before.model_copy(update={"rejected_items": (*before.rejected_items, gone)})
        return _replaced(utterance, state, gone.id, earlier[-1])
    if utterance.startswith("I'll take ") and earlier:
        taken = _ref(utterance.removeprefix("I'll take "))
        state = before.model_copy(update={"accepted_items": (*before.accepted_items, taken)})
        reply = f"Enjoy **{taken.title}**. I have noted that you took it."
        return _listed(utterance, state, Action.RESPOND_TO_ACCEPTANCE, earlier[-1].graph, reply)
    if utterance.startswith("About ") and earlier:
        return _answered(utterance, before, earlier[-1].graph)
    hostile = HOSTILE if "markup" in utterance else ""
    return _recommended(utterance, earlier, hostile)


def _replaced(utterance: str, state: DialogueState, gone: str, before: TurnView) -> TurnView:
    """Another film in the place of the one that was turned down; the others stay."""
    kept = [item for item in before.standing if item != gone]
    out = {item.id for item in state.rejected_items}.union(kept)
    new = next(item for item in _items(before.graph.graph, "") if item["id"] not in out)
    reply = "Understood. Here is another in its place."
    view = _listed(utterance, state, Action.RESPOND_TO_REJECTION, before.graph, reply)
    standing = tuple(new["id"] if item == gone else item for item in before.standing)
    return view.model_copy(update={"items": (new,), "standing": standing})


def _recommended(utterance: str, earlier: Sequence[TurnView], hostile: str) -> TurnView:
    graph, ids = _graph(utterance, more=bool(earlier), hostile=hostile)
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
    items = [item for item in _items(change.graph, hostile) if item["id"] not in gone][:3]
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


def _ref(title: str) -> ItemRef:
    index = next(position for position, film in enumerate(_FILMS) if film[0] == title)
    return ItemRef(id=f"film-{index}", title=title, year=_FILMS[index][1])


def _graph(narrative: str, *, more: bool, hostile: str) -> tuple[dict[str, Any], list[str]]:
    rows = [*_NODES, ("tone", "lighter", "want", "The fantasy has a light tone.", False)] if more else list(_NODES)
    nodes = []
    for index, (perspective, text, polarity, feature, hard) in enumerate(rows):
        start = max(narrative.find(text), 0)
        nodes.append(
            {
                "id": f"n{index}",
                "atom": "a0",
                "perspective": perspective,
                "instantiation": text + hostile,
                "polarity": polarity,
                "feature": feature,
                "hard": hard,
                "span": [start, start + len(text) if narrative[start:].startswith(text) else start],
            }
        )
    edges = [*_EDGES, (0, 7, "lighter")] if more else list(_EDGES)
    graph = {
        "narrative": narrative,
        "language": "en",
        "nodes": nodes,
        "edges": [{"base": f"n{u}", "qualifier": f"n{v}", "span": span} for u, v, span in edges],
        "order": [node["id"] for node in nodes],
    }
    return graph, [node["id"] for node in nodes]


def _items(graph: dict[str, Any], hostile: str) -> list[dict[str, Any]]:
    return [
        {
            "rank": index + 1,
            "id": f"film-{index}",
            "title": title + hostile,
            "year": year,
            "score": 1.0 / (index + 1),
            "demoted": demoted,
            "unknown": [],
            "metadata": metadata,
            "paths": [],
            "evidence": [
                {
                    "node": f"n{node}",
                    "text": quote,
                    "quote": quote + hostile,
                    "label": label,
                    "sources": [{"id": f"film-{index}#{node}", "url": "javascript:globalThis.pwned=1"}],
                }
                for node, (label, quote) in found.items()
            ],
        }
        for index, (title, year, metadata, found, demoted) in enumerate(_FILMS)
    ]


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

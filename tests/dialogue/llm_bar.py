"""What must hold of every turn, whatever the language model did: as complaints, so that a test can show them all."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from dialogue.contract import turn_json
from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.engines.llm import understanding_of
from dialogue.engines.llm_replies import UnderstandReply
from dialogue.events import Note, ReplyPiece
from dialogue.models import Action, Constraints, DialogueState, Intent, TurnView
from dialogue.ports import Utterance
from dialogue.state import apply_edits
from dialogue.wording import sentences
from pdgf.constraints import fact_line
from pdgf.models import Candidate, Label
from pdgf.settings import MethodConfig
from pdgf.texts import collapsed
from pdgf.usage import Budget
from tests.dialogue.llm_cells import CANARY, CONVERSATION, MORE, RETRIES, Beginning, Run, Turn
from tests.dialogue.town import PLACES, WORDS
from tests.fakes import VocabularyAgent
from tests.openai_server import town_model

Places = Sequence[tuple[Candidate, Sequence[str]]]

GAMMA = 0.7
WORTH = {"SUPPORT": 1.0, "PARTIAL": 0.5, "NOT_ADDRESSED": 0.1, "CONTRADICTS": 0.0}
COMPLETIONS = 2  # an ask's: the reply, and one more after one that could not be used (RELIABILITY C04)
STEPS_DOWN = 4  # requests without what a server refuses, besides
_TECHNICAL = re.compile(
    r"Traceback|Exception|\bError\b|\w+Error\b|\bNone\b|\bnull\b|https?:|127\.0\.0\.1|openai|httpx|JSON|[{}\\<>]|\be\d\b"
)
_QUOTED = re.compile(r"“([^”]*)”")


async def readings(turn: Turn) -> list[Constraints]:
    """The constraints that a turn may leave: those before it, with what the model reads, or what the reserve reads."""
    domain = _restaurants()
    number = 1 + (*CONVERSATION, MORE).index(turn.utterance)
    known = {item.id: item.metadata for item, _ in PLACES}
    shown = turn.before.recommended_items[-3:]
    utterance = Utterance(
        text=turn.utterance, turn=number, state=turn.before, shown=shown, focus=shown[:1], metadata=known, domain=domain
    )
    reserve = BuiltinDialogueAgent(preferences=VocabularyAgent(WORDS), config=MethodConfig())
    said = UnderstandReply.model_validate(town_model.understand({"utterance": turn.utterance}))
    read = [(await reserve.understand(utterance, Budget())).edits, understanding_of(said, utterance, ()).edits, ()]
    return [_constraints(apply_edits(turn.before, edits, domain)) for edits in read]


_restaurants = cache(lambda: bundled_domain("restaurants"))


def _constraints(state: DialogueState) -> Constraints:
    return {
        f"{strength} {key}": tuple(sorted(values, key=lambda value: value.span))
        for strength, rows in (("hard", state.hard_constraints), ("soft", state.soft_constraints))
        for key, values in rows.items()
    }


async def told_of(run: Run | BaseException, beginning: Beginning, places: Places = PLACES) -> list[str]:
    """Everything that is wrong with a conversation; a turn is named by its number."""
    if isinstance(run, BaseException):
        return [f"raised {type(run).__name__}: {run}"]
    found: list[str] = []
    same = True
    for number, (turn, good) in enumerate(zip(run.turns, beginning.good.turns, strict=True), start=beginning.done + 1):
        wrong = [*of_turn(turn, places), *_of_state(turn, good, await readings(turn), same=same)]
        if not equal(turn.view, good.view) and same and not added_notes(turn.view, good.view):
            wrong.append(f"another result, and no note: {turn.view.reply[:80]!r}")
        same = same and equal(turn.view, good.view)
        found += [f"turn {number}: {each}" for each in wrong]
    if [view.model_dump() for view in run.kept] != [turn.view.model_dump() for turn in run.turns]:
        found.append("what is kept is not what was shown")
    return found + (["the key is on disk"] if CANARY.encode() in run.stored else [])


def of_turn(turn: Turn, places: Places = PLACES) -> list[str]:
    """What is wrong with one turn by itself."""
    view = turn.view
    wrong = [*_of_shape(view), *_of_arithmetic(view), *_of_quotes(view, places), *_of_requests(turn)]
    pieces = "".join(event.text for event in turn.events if isinstance(event, ReplyPiece))
    if pieces and pieces != view.reply:
        wrong.append("what was streamed is not the reply")
    noted = [event.text for event in turn.events if isinstance(event, Note)]
    titles = [item.title for item, _ in places]
    own = (_without(text, titles) for text in (view.reply, *view.notes, *noted))
    wrong += [f"no plain words: {text[:120]!r}" for text in own if _TECHNICAL.search(text)]
    if CANARY in repr(turn.events):
        wrong.append("the key was told")
    return wrong


def _without(text: str, titles: Iterable[str]) -> str:
    """The words of a reply that are ours or the model's: neither titles nor quotes."""
    for title in titles:
        text = text.replace(title, "")
    return _QUOTED.sub("", text)


def equal(view: TurnView, other: TurnView) -> bool:
    """Whether two turns came to the same in everything but what they used and what they could take over; half a
    character, which is replaced, is no difference."""
    return _whole(view) == _whole(other)


def _whole(view: TurnView) -> Any:
    return json.loads(view.model_dump_json(exclude={"usage": True, "graph": {"reused"}}).replace(" \ufffd", ""))


def added_notes(view: TurnView, good: TurnView) -> list[str]:
    """The notes about what the language model did not do."""
    return [note for note in view.notes if note not in good.notes and is_setback(note)]


def is_setback(note: str) -> bool:
    """Whether a note is one of the sentences about a language model that failed."""
    return any(re.fullmatch(_pattern(key), note) for key in sentences() if key.startswith("setback."))


def _pattern(key: str) -> str:
    """What a sentence of the wording looks like with its fields filled in."""
    return re.sub(r"\\\{\w+\\\}", ".+", re.escape(sentences()[key]))


def _of_state(turn: Turn, good: Turn, read: Sequence[Constraints], *, same: bool) -> Iterator[str]:
    """The state is the good run's, that before the turn, or what the reserve engine reads."""
    before, after = turn.before, turn.view.state
    if _constraints(after) not in read:
        yield f"a state of its own: {_constraints(after)}"
    listed = [item["id"] for item in turn.view.items]
    known = [item.id for item in before.recommended_items]
    if [item.id for item in after.recommended_items] != [*known, *(each for each in listed if each not in known)]:
        yield "recommended items are not those shown"
    feedback = (after.accepted_items, after.rejected_items)
    allowed = [(before.accepted_items, before.rejected_items)]
    allowed += [(good.view.state.accepted_items, good.view.state.rejected_items)] if same else []
    if feedback not in allowed and not _by_cues(turn):
        yield "items accepted or rejected that nobody spoke of"


def _by_cues(turn: Turn) -> bool:
    """Whether the built-in engine has read this turn: then "too loud" turns down what was shown."""
    rejected = set(turn.view.state.rejected_items) - set(turn.before.rejected_items)
    shown = set(turn.before.recommended_items)
    switched = any(re.fullmatch(_pattern("setback.engine"), note) for note in turn.view.notes)
    return switched and not turn.view.state.accepted_items and rejected <= shown


def _of_shape(view: TurnView) -> Iterator[str]:
    printed = turn_json(view)
    try:
        json.loads(json.dumps(printed, ensure_ascii=False).encode().decode())
    except ValueError:
        yield "it cannot be written as JSON"
    if not set(printed["intents"]) <= set(Intent) or printed["action"] not in set(Action):
        yield "an unknown word"
    if not view.reply.strip() or not view.finished:
        yield "no reply"
    nodes = {node["id"] for node in printed["graph"]["nodes"]}
    if any({edge["base"], edge["qualifier"]} - nodes for edge in printed["graph"]["edges"]):
        yield "an edge without its node"
    if [item["rank"] for item in view.items] != list(range(1, len(view.items) + 1)):
        yield "ranks that do not count"
    for item in view.items:
        labelled = [set(path["labels"]) >= set(path["path"]) for path in item["paths"]]
        known = [set(path["labels"].values()) <= set(Label) for path in item["paths"]]
        told = [(collapsed(entry["quote"]), entry) for entry in item["evidence"]]
        borne = [quote in collapsed(entry["text"]) and bool(entry["sources"]) for quote, entry in told]
        if not all([*labelled, *known, *borne]):
            yield f"{item['id']} has labels or evidence out of shape"


def _of_arithmetic(view: TurnView) -> Iterator[str]:
    """S recomputed from the printed labels and edges (METHOD 7.2, 7.3)."""
    bases: dict[str, list[str]] = {}
    for edge in view.graph.graph.get("edges", ()):
        bases.setdefault(edge["qualifier"], []).append(edge["base"])

    def h(node: str, labels: dict[str, str]) -> float:
        return WORTH[labels[node]] + GAMMA * max((h(base, labels) for base in bases.get(node, ())), default=0.0)

    order = [(item["demoted"] is not None, -round(item["score"], 12)) for item in view.items]
    if order != sorted(order):
        yield "items out of order"
    for item in view.items:
        values = [h(path["node"], path["labels"]) for path in item["paths"]]
        printed = [path["score"] for path in item["paths"]]
        if not all(math.isclose(*pair, abs_tol=1e-9) for pair in zip(values, printed, strict=True)):
            yield f"H of {item['id']} is {printed}, by its labels {values}"
        if not math.isclose(item["score"], math.log1p(sum(values)), abs_tol=1e-9):
            yield f"S of {item['id']} is {item['score']}, by its paths {math.log1p(sum(values))}"


def _of_quotes(view: TurnView, places: Places) -> Iterator[str]:
    """Every quote stands word for word in a text or a line of metadata, that of a source in this very source; white
    space is collapsed."""
    lines = {place: collapsed(line) for place, line in _lines(places).items()}
    titles = [item.title for item, _ in places]
    for quote in _QUOTED.findall(view.reply):
        if not any(quote in line for line in [*lines.values(), *titles]):
            yield f"an invented quote: {quote!r}"
    for source in view.sources:
        if collapsed(source.quote) not in lines.get(source.source, ""):
            yield f"{source.source} does not say {source.quote!r}"
    for item in view.items:
        for entry in item["evidence"]:
            if not any(collapsed(entry["quote"]) in lines.get(source["id"], "") for source in entry["sources"]):
                yield f"evidence {entry['quote']!r} stands in none of its sources"


def _lines(places: Places) -> dict[str, str]:
    """Every text and line of metadata by the id of its source."""
    found = {f"{item.id}#r{number}": text for item, texts in places for number, text in enumerate(texts, start=1)}
    return found | {
        f"{item.id}#{key}": fact_line(key, value) for item, _ in places for key, value in item.metadata.items()
    }


def _of_requests(turn: Turn) -> Iterator[str]:
    """No ask makes more than two completions, no completion more tries than the settings allow."""
    tries = Counter(_asked(record.messages) for record in turn.records)
    refused = any(record.fault.startswith(("REFUSES", "BAD_REQUEST")) for record in turn.records)
    most = COMPLETIONS * (RETRIES + 1) + STEPS_DOWN * refused
    for (prompt, _), count in tries.items():
        # What is read ahead of its need is asked for again where it failed.
        if count > most * (2 if prompt == "read_graph" else 1):
            yield f"{count} requests for one {prompt}"


def _asked(messages: Sequence[Any]) -> tuple[str, str]:
    """What a request asks, whichever way it is put: the name of its prompt and the first message of the user."""
    system, user = (
        next((str(each["content"]) for each in messages if each["role"] == role), "") for role in ("system", "user")
    )
    return system.split("\n", 1)[0].removeprefix("# "), user


def no_trace(log: Iterable[str]) -> list[str]:
    """The lines of a log that hold the key, or tell of a task whose failure nobody dealt with."""
    return [line[:300] for line in log if CANARY in line or "never retrieved" in line or "Traceback" in line]


def first_words(turn: Turn) -> tuple[list[str], int]:
    """The notes that came before the first words of the reply, and how many notes came in all."""
    before = []
    for event in turn.events:
        if isinstance(event, ReplyPiece):
            break
        if isinstance(event, Note):
            before.append(event.text)
    return before, sum(isinstance(event, Note) for event in turn.events)


__all__ = ["added_notes", "equal", "first_words", "is_setback", "no_trace", "of_turn", "told_of"]

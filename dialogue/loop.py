"""STORY: one turn of the conversation, as RA-Rec tells it and PDG-F ranks it.

    utterance -> understand        intents, state edits, item references: one agent call     METHOD 9.2, 9.3
              -> select_action     a pure table                                              METHOD 9.4
              -> one action        the node of the same name                                 METHOD 9.5 to 9.7
              -> finish            what every surface shows, stored by its digest

The graph is checkpointed after every step. State is plain JSON; texts, graphs and rankings lie in the content store.
"""

from typing import Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from dialogue import actions, answering, intents, recommendation, state, wording
from dialogue.models import Action
from dialogue.ports import TurnContext

SCHEMA_VERSION = 1


class TurnRecord(TypedDict, total=False):
    """What a thread keeps between steps and turns. Keys above the line live on, those below belong to one turn."""

    schema_version: int
    turn: int
    dialogue: dict[str, Any]  # DialogueState
    requests: list[dict[str, Any]]  # Utterances that carried preferences, in order: {"turn", "text", "question"}
    shown: list[dict[str, Any]]  # ItemRefs of the last list, in the order shown
    seen: list[dict[str, Any]]  # ItemRefs the user knows already
    asked: list[str]  # constraint keys asked for in the last turn
    recommendation: str  # digest of the stored Recommendation
    history: list[str]  # digests of the TurnViews
    # ------------------------------------------------------------------
    utterance: str
    understanding: dict[str, Any]  # Understanding
    changed: bool  # whether the turn changed the constraints
    action: str
    reply: str
    items: list[str]  # ids of the items this turn shows
    sources: list[dict[str, Any]]  # QuotedSources
    graph: dict[str, Any]  # added, removed, kept
    usage: dict[str, Any]
    notes: list[str]


async def understand(turn: TurnRecord, runtime: Runtime[TurnContext]) -> TurnRecord:
    """Read the utterance and bring the state up to date; an unusable reading leaves the state unchanged."""
    reading = await intents.understand(turn, runtime.context)
    return state.revise(turn, reading, runtime.context.domain)


def select_action(turn: TurnRecord, runtime: Runtime[TurnContext]) -> str:
    """Which action answers this turn."""
    return actions.select_action(turn, runtime.context.domain).value

"""The record of a thread as LangGraph checkpoints it: plain JSON, never a value of the dialogue itself.

Values of the dialogue go in and out of it in record.py.
"""

from typing import Any

from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12


class KeptUtterance(TypedDict):
    """An utterance that carried preferences, as a thread keeps it: the narrative is rendered from these (METHOD 10).

    `values` are [start, end, mention] of every wish once read from the text; `plain` says that the turn did nothing
    but state wishes, so that its other sentences are part of the story.
    """

    turn: int
    text: str
    values: list[tuple[int, int, str]]
    plain: bool


class TurnRecord(TypedDict, total=False):
    """What a thread keeps between steps and turns, as plain JSON. Keys above the line live on, those below belong to
    one turn and are set anew when it starts.
    """

    schema_version: int
    turn: int
    dialogue: dict[str, Any]  # DialogueState
    requests: list[KeptUtterance]
    shown: list[dict[str, Any]]  # ItemRefs of the last list, in the order shown
    focus: list[dict[str, Any]]  # ItemRefs that the last turn spoke of
    seen: list[dict[str, Any]]  # ItemRefs the user knows already
    asked: list[str]  # constraint keys asked for in the last turn
    open: list[str]  # an utterance and those of its words that we asked back about, or nothing
    recommendation: str  # digest of the stored Recommendation
    history: list[str]  # digests of the TurnViews
    trail: list[str]  # ids of the checkpoints at which the latest turns ended, this one's start last
    domain: str  # in which the conversation is now
    language: str  # in which this turn is answered
    elicited: dict[str, Any]  # elicitation.Asked: what the conversation was asked of its own accord
    base: str  # digest of what lasted when this turn began
    back: list[str]  # digests of what can be taken back, latest last
    forth: list[str]  # digests of what was taken back and can be brought back, latest last
    # ------------------------------------------------------------------
    finished: bool
    utterance: str
    spoke: str  # the language of the conversation before this turn
    heard: str  # the utterance without words that were said to the system
    undo: str  # what came of words that take a change back, or bring it back
    moved: bool  # whether the turn has gone over to another domain
    carried: bool  # whether it has taken wishes there
    left: str  # digest of the Recommendation that this turn has left behind
    go_to: str  # the domain that the agent has heard the utterance ask for
    preface: str  # what is said before the reply
    own_only: bool  # whether this turn keeps to the catalogue
    edits: list[dict[str, Any]]  # Edits: what was changed by hand instead of by words
    understanding: dict[str, Any]  # Understanding
    notice: str  # key of the sentence that an unreadable utterance gets
    replaced: list[tuple[str, str]]  # wishes that gave way to new ones of this turn: old, new
    changed: bool  # whether the turn changed the constraints
    renews: bool  # whether it finds fault with the list as a whole, which asks for another one
    action: str
    reply: str
    items: list[str]  # ids of the items this turn shows
    reasons: dict[str, str]  # why, by item id
    shown_before: list[str]  # ids among `items` that an earlier list has shown
    cut_off: list[str]  # ids of items of which the words broke off
    sources: list[dict[str, Any]]  # QuotedSources
    comparison: dict[str, Any]  # what the answers of this turn set side by side
    offered: list[str]  # ready sentences that this turn's reply invites
    brought: list[str]  # ids on the list that the user has brought as known since it was shown
    skipped: bool  # whether the utterance leaves a question of ours open
    graph: dict[str, Any]  # ids added and removed
    notes: list[str]

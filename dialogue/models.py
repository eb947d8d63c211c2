"""What flows through a conversation, in RA-Rec's words (METHOD 9).

    utterance -> Understanding (intents, state edits, item references, questions)
              -> DialogueState (five keys, free natural language under fixed sub-keys)
              -> Action -> reply -> TurnView (what every surface shows and `pdgf chat --json` prints)

Everything is frozen and plain JSON in storage.
"""

from enum import StrEnum
from typing import Any

from pydantic import Field

from dialogue.turn_record import KeptUtterance as KeptUtterance
from dialogue.turn_record import TurnRecord as TurnRecord
from pdgf.models import Reused, Usage, Value


class Intent(StrEnum):
    """What the user does; a turn has any number of these, none included (METHOD 9.2)."""

    PROVIDE_PREFERENCE = "provide_preference"
    INQUIRE = "inquire"
    ACCEPT = "accept"
    REJECT = "reject"
    CONTINUE = "continue"
    START_OVER = "start_over"


class Action(StrEnum):
    """What the system does about a turn; each is one node of the loop, of the same name."""

    REQUEST_INFORMATION = "request_information"
    RECOMMEND = "recommend"
    ANSWER = "answer"
    RESPOND_TO_REJECTION = "respond_to_rejection"
    RESPOND_TO_ACCEPTANCE = "respond_to_acceptance"
    GREET = "greet"
    SHOW_MORE = "show_more"
    START_OVER = "start_over"


class ConstraintValue(Value):
    """One wish in the user's own words. `span` is (turn, start, end): where in which utterance it was said. `avoid`:
    it is unwanted by words that stand before it ("gore" of "no violence or gore"), and not by its own."""

    text: str
    span: tuple[int, int, int]
    avoid: bool = Field(default=False, exclude_if=lambda avoid: not avoid)


class ItemRef(Value):
    """An item of the catalogue or the web, as the state names it."""

    id: str
    title: str
    year: int | None = None


Constraints = dict[str, tuple[ConstraintValue, ...]]


class DialogueState(Value):
    """The semi-structured state: five keys; constraint sub-keys come from the domain, with `others` for the rest."""

    hard_constraints: Constraints = Field(default_factory=dict)
    soft_constraints: Constraints = Field(default_factory=dict)
    recommended_items: tuple[ItemRef, ...] = ()
    rejected_items: tuple[ItemRef, ...] = ()
    accepted_items: tuple[ItemRef, ...] = ()

    @property
    def known_keys(self) -> frozenset[str]:
        """The sub-keys under which anything is known, hard or soft."""
        return frozenset({*self.hard_constraints, *self.soft_constraints})


class EditKind(StrEnum):
    """Add a value under a key, or drop one that was said before."""

    ADD = "add"
    DROP = "drop"


class Mention(StrEnum):
    """How a wish was said: as a statement, inside a question ("does it have parking?"), as an objection ("too loud"),
    or as words that leave a key open ("anywhere").

    It decides how the narrative renders it (METHOD 10): words of the last kind are no part of it. Neither a question
    nor an objection replaces what was said before.
    """

    STATED = "stated"
    ASKED = "asked"
    OBJECTED = "objected"
    INDIFFERENT = "indifferent"


class StateEdit(Value):
    """One change of the constraints. A dropped value is found by key and text.

    `avoid` says that the words name something unwanted; the words themselves keep their negation. `replaces` overrules
    the key's own habit of adding or replacing ("also", "instead").
    """

    kind: EditKind
    key: str
    text: str
    hard: bool = False
    span: tuple[int, int, int] = (0, 0, 0)
    mention: Mention = Mention.STATED
    avoid: bool = False
    replaces: bool | None = None


class StatePart(StrEnum):
    """What of the state a user may ask for in words ("what did I turn down?"); what was accepted is asked for often
    enough to have a mark of its own."""

    WISHES = "wishes"
    RECOMMENDED = "recommended"
    REJECTED = "rejected"
    SEEN = "seen"
    EVERYTHING = "me"


class Understanding(Value):
    """What one agent call reads from an utterance: intents, edits of the state, items meant, questions asked.

    `about` are the items that the turn speaks of (asked about, accepted or rejected), resolved against what was
    shown; `seen` are titles the user says to know already, with an empty id where only the title is known;
    `unresolved` are words that point at an item which is not there ("the fifth" of three). `greeting` says that the
    words are courtesy alone, `hello` that their courtesy begins a talk, `about_system` that they ask what the system
    is or can do, `about_accepted` that they ask what was accepted, `about_state` which parts of the state they ask for.

    `implied` are those of `rejected` that no words of the turn point at. `interest` are items that were praised without
    being taken. `liked` and `disliked` are references: items that the
    user tells of having liked or not, shown or not. `candidates` are the items that unresolved words may mean;
    `unclear` are words of a verdict that leave open which item is meant while something else can be answered, and
    `not_known` are titles told of as liked that the catalogue does not have.
    `new_topic` says that a fresh start only begins another request; `domain` names another domain that is asked for,
    and `keeps_wishes` that the wishes so far are to hold there too.
    """

    intents: tuple[Intent, ...] = ()
    edits: tuple[StateEdit, ...] = ()
    about: tuple[ItemRef, ...] = ()
    accepted: tuple[ItemRef, ...] = ()
    rejected: tuple[ItemRef, ...] = ()
    implied: tuple[ItemRef, ...] = ()
    seen: tuple[ItemRef, ...] = ()
    questions: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    greeting: bool = False
    hello: bool = False
    about_system: bool = False
    about_accepted: bool = False
    about_state: tuple[StatePart, ...] = ()
    interest: tuple[ItemRef, ...] = ()
    liked: tuple[ItemRef, ...] = ()
    disliked: tuple[ItemRef, ...] = ()
    candidates: tuple[ItemRef, ...] = ()
    unclear: tuple[str, ...] = ()
    not_known: tuple[str, ...] = ()
    new_topic: bool = False
    domain: str | None = None
    keeps_wishes: bool = False

    @property
    def knows_some(self) -> bool:
        """Whether items are named that the user knows already."""
        return bool(self.seen or self.liked or self.disliked)


class QuotedSource(Value):
    """A quote that stands word for word in its source, and the item it speaks of."""

    item: str
    title: str
    quote: str
    source: str
    url: str | None = None


class Piece(Value):
    """The next words of an explanation or answer, with the sources that they quote or cite. `broken` says that the
    words broke off here before their end; `brief` is the same for the cell of a table, where that is other words."""

    text: str
    sources: tuple[QuotedSource, ...] = ()
    broken: bool = False
    brief: str = ""


class Answer(Value):
    """An answer about one item. `known` is False when nothing supports one; then `text` is empty or says so. `brief` is
    `text` for the cell of a table."""

    item: ItemRef
    question: str
    text: str = ""
    brief: str = ""
    known: bool = False
    quotes: tuple[QuotedSource, ...] = ()


class GraphChange(Value):
    """The whole current graph of a turn, what the turn changed (node ids; `kept` counts) and what it took over from
    earlier turns instead of asking again."""

    graph: dict[str, Any] = Field(default_factory=dict)
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: int = 0
    reused: Reused = Reused()


class TurnView(Value):
    """One turn as every surface shows it and `pdgf chat --json` prints it (DESIGN 6).

    `reasons` gives for each shown item the sentences why, `shown_before` the items that an earlier list has shown,
    `cut_off` those whose words broke off and can be asked for again. `comparison` is what an answer sets side by side:
    `questions`, `items` (ItemRefs) and `cells`, a row a question, each with `text`, `known` and `quotes`.
    `marks` tells for each shown item how it stands to each node of the graph: supports, partly, contradicts or silent.
    `edits` are those of a turn that was made by hand: its utterance describes them and cannot be said again.
    `finished` is False for a turn that was stopped or failed; its state is that before the turn. `domain` is that in
    which the conversation stands after it; empty for turns stored without. `language` is the one it was answered in.
    `standing` are the ids of the whole list as it stands after the turn, in its order: `items` may be but a few new
    ones in it. `seen` are the items that the user has said to know already, `brought` those that a list of theirs
    names, which holds `listed` titles in all. `names` are those by which Chinese readers know items of the state, by
    title.
    """

    utterance: str
    intents: tuple[Intent, ...] = ()
    action: Action
    state: DialogueState
    reply: str
    items: tuple[dict[str, Any], ...] = ()
    sources: tuple[QuotedSource, ...] = ()
    graph: GraphChange = GraphChange()
    usage: Usage = Usage()
    suggestions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reasons: dict[str, str] = Field(default_factory=dict)
    shown_before: tuple[str, ...] = ()
    cut_off: tuple[str, ...] = ()
    comparison: dict[str, Any] | None = None
    marks: dict[str, dict[str, str]] = Field(default_factory=dict)
    edits: tuple[dict[str, Any], ...] = ()
    finished: bool = True
    domain: str = ""
    language: str = "en"
    standing: tuple[str, ...] = ()
    seen: tuple[ItemRef, ...] = ()
    brought: tuple[ItemRef, ...] = ()
    listed: int = 0
    names: dict[str, str] = Field(default_factory=dict)

"""Which action answers a turn: one table, read from the top (METHOD 9.4). Pure."""

from collections.abc import Callable

from dialogue.domain import Domain
from dialogue.elicitation import asked_of
from dialogue.models import Action, Intent, TurnRecord, Understanding
from dialogue.record import reading_of, state_of
from dialogue.undoing import Undo
from pdgf.models import Value


class Situation(Value):
    """What the choice depends on: the reading, what it changed, what was shown, and what is still missing.

    `ranked` says that a ranking is stored, `recommended` that something was ever shown, `notice` that the utterance
    could not be read, `own_only` that the turn keeps to the catalogue, `undone` that its words took a change back,
    `skipped` that they leave a question of ours open. `missing`: what should be known before a list is not, and was not
    asked for yet, or nothing at all is known. `brought`: a list of the user's own names some of what is shown.
    """

    reading: Understanding
    changed: bool = False
    recommended: bool = False
    ranked: bool = False
    missing: bool = False
    notice: bool = False
    own_only: bool = False
    undone: bool = False
    skipped: bool = False
    brought: bool = False

    def intends(self, intent: Intent) -> bool:
        return intent in self.reading.intents


Row = tuple[str, Callable[[Situation], bool], Action]

TABLE: tuple[Row, ...] = (
    ("unreadable words change nothing", lambda s: s.notice, Action.REQUEST_INFORMATION),
    ("what stood before a change is shown again", lambda s: s.undone and s.ranked, Action.RECOMMEND),
    ("where nothing stood before it, a wish is asked for", lambda s: s.undone, Action.REQUEST_INFORMATION),
    ("a question of ours that is left open changes nothing", lambda s: s.skipped, Action.GREET),
    (
        "a fresh start without a wish",
        lambda s: s.intends(Intent.START_OVER) and not s.changed,
        Action.START_OVER,
    ),
    (
        "a question about the system gets what can be said to it",
        lambda s: s.reading.about_system and not s.changed and not s.reading.intents,
        Action.GREET,
    ),
    (
        "a question about the state itself is answered from it",
        lambda s: (s.reading.about_accepted or bool(s.reading.about_state)) and not s.changed and not s.reading.intents,
        Action.ANSWER,
    ),
    (
        "a question about what was shown is answered even while something is missing",
        lambda s: s.intends(Intent.INQUIRE) and s.recommended,
        Action.ANSWER,
    ),
    (
        "a question before anything was recommended is a request if it states a wish",
        lambda s: s.intends(Intent.INQUIRE) and not s.changed,
        Action.ANSWER,
    ),
    (
        "a rejection without a reason gets the next items; one of something never shown is asked about",
        lambda s: s.intends(Intent.REJECT) and s.recommended and not s.changed,
        Action.RESPOND_TO_REJECTION,
    ),
    (
        "an acceptance that asks for more",
        lambda s: s.intends(Intent.ACCEPT) and s.intends(Intent.CONTINUE) and s.ranked and not s.changed,
        Action.SHOW_MORE,
    ),
    (
        "an acceptance without a new wish",
        lambda s: s.intends(Intent.ACCEPT) and s.recommended and not s.changed,
        Action.RESPOND_TO_ACCEPTANCE,
    ),
    (
        "the same wishes over the catalogue alone",
        lambda s: s.own_only and s.ranked and not s.changed and not s.missing,
        Action.RECOMMEND,
    ),
    (
        "more of the same, or something instead of what is known already",
        lambda s: (s.intends(Intent.CONTINUE) or s.reading.knows_some) and s.ranked and not s.changed,
        Action.SHOW_MORE,
    ),
    (
        "words of courtesy",
        lambda s: s.reading.greeting and not s.changed and not s.reading.intents,
        Action.GREET,
    ),
    ("something mandatory is missing", lambda s: s.missing, Action.REQUEST_INFORMATION),
    (
        "a rejection with a reason gets re-ranked alternatives",
        lambda s: s.intends(Intent.REJECT) and s.recommended,
        Action.RESPOND_TO_REJECTION,
    ),
    (
        "a new wish, or enough known and nothing recommended yet",
        lambda s: s.changed or not s.ranked,
        Action.RECOMMEND,
    ),
    ("what a list of theirs names makes room", lambda s: s.brought and s.ranked, Action.SHOW_MORE),
    ("nothing understood", lambda s: True, Action.REQUEST_INFORMATION),
)


def select_action(situation: Situation) -> Action:
    """The action of the first row that fits; the last row fits always."""
    return next(action for _, fits, action in TABLE if fits(situation))


def situation_of(turn: TurnRecord, domain: Domain) -> Situation:
    """The situation of a turn whose state has been revised."""
    state = state_of(turn)
    return Situation(
        reading=reading_of(turn),
        changed=turn.get("changed", False),
        recommended=bool(state.recommended_items),
        ranked=bool(turn.get("recommendation")),
        missing=bool(domain.missing(state.known_keys)) and not (state.known_keys and asked_of(turn).needed),
        notice=bool(turn.get("notice")),
        own_only=turn.get("own_only", False),
        undone=turn.get("undo") in (Undo.BACK, Undo.FORTH),
        skipped=turn.get("skipped", False),
        brought=bool(turn.get("brought")),
    )

"""What the user should know of how the wishes behind a list were taken, in words. Pure."""

from dialogue import room, wording
from dialogue.models import TurnRecord
from dialogue.ports import TurnContext
from dialogue.record import heard_in, state_of
from pdgf.models import NOT_UNDERSTOOD, Recommendation


def told(found: Recommendation, turn: TurnRecord, context: TurnContext) -> list[str]:
    """Wishes that gave way to new ones, wishes that did not fit in, and words of this turn of which no wish could be
    made."""
    notes = [
        wording.say("recommend.replaced", new=wording.wishes([new]), old=wording.wishes([old]))
        for old, new in turn.get("replaced", [])
    ]
    crowded = [value.text for value in room.left_out(state_of(turn), context.config.max_nodes)]
    if left_out := [*crowded, *(dropped.what for dropped in found.dropped if dropped.why == "max_nodes")]:
        words = wording.wishes(left_out)
        notes.append(wording.say("recommend.dropped_wishes", wishes=words, limit=context.config.max_nodes))
    unclear = [dropped.what for dropped in found.dropped if dropped.why == NOT_UNDERSTOOD]
    said = " ".join(heard_in(turn).split())
    if fresh := [words for words in unclear if words.rstrip("…") in said]:
        notes.append(wording.say("recommend.not_understood", wishes=wording.wishes(fresh)))
    return notes

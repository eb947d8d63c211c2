"""Objections of a turn ("too long"): whether they are to the list as a whole, and what limits they come to."""

from dialogue import limits, wording
from dialogue.item_answers import metadata_of
from dialogue.models import ItemRef, Mention, TurnRecord, Understanding
from dialogue.ports import TurnContext
from dialogue.record import heard_in, refs, state_of


def of_the_list(turn: TurnRecord, reading: Understanding) -> bool:
    """Whether an objection is to the list as a whole: to several items, none of which was pointed at but by a question
    beside it."""
    objects = any(edit.mention is Mention.OBJECTED and edit.avoid for edit in reading.edits)
    named = set(reading.rejected) - set(reading.implied)
    whole = not reading.rejected or (bool(reading.implied) and named <= set(reading.about))
    return objects and whole and len(_meant(turn, reading)) > 1


def measured(turn: TurnRecord, reading: Understanding, context: TurnContext) -> limits.Heard:
    """The reading with its objections as limits, where numbers of the items in question are known."""
    known = {item: metadata_of(item, context) for item in _meant(turn, reading)}
    text, state, whole = heard_in(turn), state_of(turn), of_the_list(turn, reading)
    return limits.measured(reading, text, state, known, context.domain, whole=whole)


def told(found: limits.Heard) -> list[str]:
    """What objections were taken for, or which limit goes beyond them."""
    said = [("limit.taken", *words) for words in found.taken] + [("limit.kept", *words) for words in found.kept]
    return [
        wording.say(key, words=wording.wishes([words]), limit=wording.wishes([limit])) for key, words, limit in said
    ]


def _meant(turn: TurnRecord, reading: Understanding) -> tuple[ItemRef, ...]:
    return reading.rejected or refs(turn.get("shown", []))

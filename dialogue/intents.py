"""Understanding a turn: what is dealt with before any agent is asked, and what of a reading can be believed."""

import re
from collections.abc import Iterable

from dialogue import wording
from dialogue.models import EditKind, Intent, ItemRef, StateEdit, TurnRecord, Understanding
from dialogue.ports import TurnContext, Utterance
from dialogue.record import heard_in, refs, state_of
from dialogue.seen import seen_items
from pdgf.errors import BadInput
from pdgf.models import Metadata

# Signs that answer a shown list without a word; other signs say nothing that could be bound to it.
TELLING_SIGNS = re.compile("[👍👎👌❤♥💯✅✔❌✖🙅🤮😍🥰😋]")


def cleaned(text: str) -> str:
    """The utterance with unpaired surrogates and NULs replaced: neither can be stored. Nothing else is touched."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\x00", "\ufffd")


def refusal(text: str, *, limit: int, shown: bool) -> str | None:
    """The sentence for an utterance that no agent needs to read: blank, only signs, or longer than `limit`."""
    if len(text) > limit:
        return wording.say("notice.too_long", length=len(text), limit=limit)
    if not any(character.isalnum() for character in text) and not (shown and TELLING_SIGNS.search(text)):
        return wording.say("notice.blank")
    return None


async def understand(turn: TurnRecord, context: TurnContext) -> tuple[Understanding, str]:
    """What the utterance says and, when it cannot be read, the sentence to answer it with; then the reading is empty.

    One agent call. Raises BudgetSpent, and ServiceFailed when the agent cannot work.
    """
    text, shown = heard_in(turn), refs(turn.get("shown", []))
    if turn.get("own_only") and not any(character.isalnum() for character in text):
        return Understanding(), ""
    notice = refusal(text, limit=context.max_message_chars, shown=bool(shown))
    if notice:
        return Understanding(), notice
    utterance = Utterance(
        text=text,
        turn=turn["turn"],
        state=state_of(turn),
        shown=shown,
        domain=context.domain,
        asked=tuple(turn.get("asked", [])),
        focus=refs(turn.get("focus", [])),
        metadata={item.id: known for item in shown if (known := _metadata(item, context)) is not None},
        current_year=context.current_year,
    )
    try:
        reading = believable(await context.agent.understand(utterance, context.budget), utterance)
    except BadInput as error:
        return Understanding(), wording.sentence_for(error)
    return reading.model_copy(update={"seen": seen_items(reading.seen, context.catalogue.items())}), ""


def believable(reading: Understanding, utterance: Utterance) -> Understanding:
    """What of a reading its utterance bears out: added values are its own words, feedback is on known items."""
    known = {item.id for item in (*utterance.shown, *utterance.focus, *utterance.state.recommended_items)}
    edits = tuple(edit for given in reading.edits if (edit := _grounded(given, utterance)) is not None)
    accepted = tuple(item for item in reading.accepted if item.id in known)
    rejected = tuple(item for item in reading.rejected if item.id in known and item not in accepted)
    return reading.model_copy(
        update={
            "intents": tuple(intent for intent in Intent if intent in reading.intents),
            "edits": edits,
            "about": tuple(item for item in reading.about if item.id in known),
            "accepted": accepted,
            "rejected": rejected,
        }
    )


def _metadata(item: ItemRef, context: TurnContext) -> Metadata | None:
    try:
        return context.catalogue.metadata_of(item.id)
    except KeyError:  # an item of the open web has none
        return None


def _grounded(edit: StateEdit, utterance: Utterance) -> StateEdit | None:
    """The edit with the span at which its words stand; None when the user did not say them."""
    key = edit.key if edit.key in _keys(utterance) else "others"
    if edit.kind is EditKind.DROP:
        return edit.model_copy(update={"key": key}) if edit.text else None
    turn, start, end = edit.span
    text = utterance.text
    if turn == utterance.turn and 0 <= start < end and text[start:end] == edit.text:
        return edit.model_copy(update={"key": key})
    found = text.casefold().find(edit.text.casefold()) if edit.text.strip() else -1
    if found < 0 or len(text.casefold()) != len(text):
        return None
    words = text[found : found + len(edit.text)]
    return edit.model_copy(update={"key": key, "text": words, "span": (utterance.turn, found, found + len(words))})


def _keys(utterance: Utterance) -> Iterable[str]:
    return {row.key for row in utterance.domain.constraint_keys}

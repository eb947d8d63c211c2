"""Understanding a turn: what is dealt with before any agent is asked, and what of a reading can be believed."""

import re
from collections.abc import Iterable

from dialogue import elicitation, mere_questions, resuming, unknown_titles, wording
from dialogue.models import EditKind, Intent, ItemRef, StateEdit, TurnRecord, Understanding
from dialogue.ports import TurnContext, Utterance
from dialogue.record import heard_in, refs, state_of, values_of
from dialogue.seen import seen_items
from pdgf.errors import BadInput
from pdgf.models import Candidate, Metadata

# Signs that answer a shown list without a word; other signs say nothing that could be bound to it.
TELLING_SIGNS = re.compile("[👍👎👌❤♥💯✅✔❌✖🙅🤮😍🥰😋]")
REFUSING_SIGNS = re.compile("[👎❌✖🙅🤮]")  # that answer a question of ours too: nothing of what was offered


LONGEST_RUN = 20  # characters of white space
_ENDLESS = re.compile(rf"\s{{{LONGEST_RUN + 1},}}")


def cleaned(text: str) -> str:
    """The utterance with unpaired surrogates and NULs replaced, for neither can be stored, and with endless runs of
    white space cut, for patterns would walk them again from every place. Nothing else is touched."""
    storable = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\x00", "\ufffd")
    return _ENDLESS.sub(lambda run: run[0][:LONGEST_RUN], storable) if storable.strip() else storable


def refusal(text: str, *, limit: int, shown: bool, asked: bool = False) -> str | None:
    """The sentence for an utterance that no agent needs to read: blank, only signs that answer neither a list that is
    `shown` nor a question that was `asked`, or longer than `limit`."""
    if len(text) > limit:
        return wording.say("notice.too_long", length=len(text), limit=limit)
    tells = (shown and TELLING_SIGNS.search(text)) or (asked and REFUSING_SIGNS.search(text))
    if not any(character.isalnum() for character in text) and not tells:
        return wording.say("notice.blank")
    return None


async def understand(turn: TurnRecord, context: TurnContext) -> tuple[Understanding, str]:
    """What the utterance says and, when it cannot be read, the sentence to answer it with; then the reading is empty.

    One agent call. Raises BudgetSpent, and ServiceFailed when the agent cannot work.
    """
    text, shown = heard_in(turn), refs(turn.get("shown", []))
    if (turn.get("own_only") or turn.get("moved")) and not any(character.isalnum() for character in text):
        return Understanding(), ""
    notice = refusal(text, limit=context.max_message_chars, shown=bool(shown), asked=bool(turn.get("asked")))
    if notice:
        return Understanding(), notice
    state, items = state_of(turn), tuple(context.catalogue.items())
    again = None
    if turn.get("open"):
        again = resuming.said_again(turn, text, _nameable((*shown, *state.recommended_items), items))
    utterance = Utterance(
        text=again or text,
        turn=turn["turn"],
        state=state,
        shown=shown,
        domain=context.domain,
        asked=elicitation.keys_asked(turn, context.domain),
        focus=refs(turn.get("focus", [])),
        metadata=_known((*shown, *state.recommended_items), items),
        current_year=context.current_year,
        catalogue=items,
        domains=tuple(domain for domain in context.domains if domain.name != context.domain.name),
    )
    try:
        reading = believable(await context.agent.understand(utterance, context.budget), utterance)
        reading = resuming.verdict_alone(reading) if again else mere_questions.without(reading, context.domain)
    except BadInput as error:
        return Understanding(), wording.sentence_for(error)
    known = {name: seen_items(getattr(reading, name), items) for name in ("seen", "liked", "disliked")}
    return reading.model_copy(update={**known, "not_known": unknown_titles.of_reading(reading, text, items)}), ""


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
            "interest": tuple(item for item in reading.interest if item.id in known and item not in accepted),
            "candidates": tuple(item for item in reading.candidates if item.id in known),
            "domain": reading.domain if reading.domain in {other.name for other in utterance.domains} else None,
        }
    )


def _known(items: Iterable[ItemRef], catalogue: Iterable[Candidate]) -> dict[str, Metadata]:
    """What the catalogue knows of some items; an item of the open web is not in it."""
    wanted = {item.id for item in items}
    return {known.id: known.metadata for known in catalogue if known.id in wanted}


def _nameable(shown: Iterable[ItemRef], catalogue: Iterable[Candidate]) -> list[Candidate]:
    """What was shown, with all its titles where the catalogue has it."""
    wanted = {item.id: Candidate(id=item.id, title=item.title, year=item.year) for item in shown}
    return list({**wanted, **{known.id: known for known in catalogue if known.id in wanted}}.values())


def _grounded(edit: StateEdit, utterance: Utterance) -> StateEdit | None:
    """The edit with the span at which its words stand; None when the user did not say them."""
    key = edit.key if edit.key in _keys(utterance) else "others"
    if edit.kind is EditKind.DROP:
        return edit.model_copy(update={"key": key}) if edit.text else None
    turn, start, end = edit.span
    text = utterance.text
    if turn != utterance.turn and _stands_in_a_value(edit, utterance):
        return edit
    if turn == utterance.turn and 0 <= start < end and text[start:end] == edit.text:
        return edit.model_copy(update={"key": key})
    found = text.casefold().find(edit.text.casefold()) if edit.text.strip() else -1
    if found < 0 or len(text.casefold()) != len(text):
        return None
    words = text[found : found + len(edit.text)]
    return edit.model_copy(update={"key": key, "text": words, "span": (utterance.turn, found, found + len(words))})


def _stands_in_a_value(edit: StateEdit, utterance: Utterance) -> bool:
    """Whether an edit is what stays of a standing wish: some of its words, where they were said."""
    turn, start, end = edit.span
    return any(
        value.span[0] == turn
        and value.span[1] <= start < end <= value.span[2]
        and value.text[start - value.span[1] : end - value.span[1]] == edit.text
        for _, value, _ in values_of(utterance.state)
    )


def _keys(utterance: Utterance) -> Iterable[str]:
    return {row.key for row in utterance.domain.constraint_keys}

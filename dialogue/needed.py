"""What should be known before a list (METHOD 9.4): asked for once, and told beside the list where it stays open. Pure.

Whoever was asked once and has said anything at all gets a list, over everything that was left open.
"""

from collections.abc import Sequence

from dialogue import elicitation, record, wording
from dialogue.domain import Domain, MandatoryGroup
from dialogue.models import Action, EditKind, Intent, Mention, TurnRecord


def asking(turn: TurnRecord, reply: str, missing: Sequence[MandatoryGroup]) -> TurnRecord:
    """The turn whose reply asks for the first thing that is missing, if anything is."""
    told: TurnRecord = {"action": Action.REQUEST_INFORMATION.value, "reply": reply, "asked": []}
    if not missing:
        return told
    return {**told, "asked": list(missing[0].keys), "elicited": elicitation.after_needing(turn, needed=True)}


def request(turn: TurnRecord, domain: Domain, unresolved: str) -> TurnRecord:
    """Ask for what is missing, behind the wishes that were heard just now, or for words that can be understood;
    `unresolved` is what to say about words that point at nothing."""
    state, reading = record.state_of(turn), record.reading_of(turn)
    missing = domain.missing(state.known_keys)
    if turn["notice"]:
        return asking(turn, turn["notice"], ())
    if turn.get("undo"):
        question = wording.first_question(missing)
        return asking(turn, wording.say(f"undo.{turn['undo']}_to_start", question=question), missing)
    if unresolved:
        reply = unresolved
    elif missing:
        reply = wording.told([_heard(turn), missing[0].question])
    elif Intent.PROVIDE_PREFERENCE in reading.intents and state.known_keys:
        wishes = wording.wishes([value.text for _, value, _ in record.values_of(state)])
        reply = wording.say("notice.nothing_new", wishes=wishes, items=domain.items_word)
    else:
        reply = wording.say("notice.not_understood", items=domain.items_word)
    return asking(turn, reply, missing)


def beside(turn: TurnRecord, domain: Domain) -> TurnRecord:
    """What is told once beside a list that was made without what should be known: what it spans, and what would narrow
    it. Nothing where all is known, or was left open in words."""
    missing = [group for group in domain.missing(record.state_of(turn).known_keys) if group.open]
    if not missing or elicitation.asked_of(turn).narrowed:
        return {}
    return {
        "reply": wording.told([group.open for group in missing]),
        "elicited": elicitation.after_needing(turn, narrowed=True),
        "offered": list(domain.row(missing[0].keys[0]).values),
    }


def answers(turn: TurnRecord, domain: Domain) -> tuple[str, ...]:
    """Ready answers to the question for what is missing: the values that a key offers, and that any will do."""
    rows = [domain.row(key) for key in turn.get("asked", ())]
    open_ = [wording.left_open(domain, row.key) for row in rows if row.anything][:1]
    return (*(value for row in rows for value in row.values), *(words[:1].upper() + words[1:] for words in open_))


def _heard(turn: TurnRecord) -> str:
    """The wishes that the utterance has added, as they were heard."""
    standing = {value.text for _, value, _ in record.values_of(record.state_of(turn))}
    added = [
        edit.text
        for edit in record.reading_of(turn).edits
        if edit.kind is EditKind.ADD and edit.mention is not Mention.INDIFFERENT and edit.text in standing
    ]
    return wording.say("notice.noted", wishes=wording.wishes(added)) if added else ""

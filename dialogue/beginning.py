"""How a turn begins: the record of the last finished one, and everything that belongs to a turn set anew."""

from collections.abc import Sequence
from dataclasses import dataclass

from dialogue import intents, languages, topics, undoing, wording
from dialogue.domain import Domain
from dialogue.edits import Edit
from dialogue.models import TurnRecord
from dialogue.own_evidence import heard
from dialogue.past import Past, readable, unfinished_view
from dialogue.ports import ContentStore
from dialogue.record import ANEW, lasting_of, refs
from dialogue.store import SCHEMA_VERSION
from dialogue.storing import Conversation
from pdgf.contractions import with_apostrophes

UNDO_DEPTH = 20  # turns that can be taken back; older checkpoints are deleted


@dataclass(frozen=True)
class Asked:
    """What a turn is asked: words, whether to keep to the catalogue, what is changed by hand instead of by words, and
    the language of the page."""

    utterance: str
    own_only: bool = False
    edits: Sequence[Edit] = ()
    language: str = wording.ENGLISH


async def begun(
    asked: Asked, row: Conversation, *, past: Past, content: ContentStore, domains: Sequence[Domain]
) -> TurnRecord:
    """The record a turn starts with.

    Words that take a change back, or go over to another domain, have done so before the turn is read.
    """
    utterance = intents.cleaned(asked.utterance)
    latest, checkpoint = await past.latest(row.thread)
    words = with_apostrophes(utterance).text
    before, said = latest, heard(words)
    trail = [*latest.get("trail", []), checkpoint] if latest else []
    history = list(latest.get("history", []))
    if latest and not latest["finished"]:
        before = await past.last_finished(row.thread)
        trail = list(latest["trail"])
        history = [*before.get("history", []), await content.put(unfinished_view(latest, before).model_dump_json())]
    domain, spoke = before.get("domain") or row.domain, before.get("language") or asked.language
    now = await content.put(undoing.snapshot(before, domain))
    back, forth = undoing.piles(before, now)
    shown = [item.title for item in refs(before.get("shown", []))]
    record: TurnRecord = {
        "schema_version": SCHEMA_VERSION,
        **lasting_of(before),
        "domain": domain,
        "base": now,
        "back": back,
        "forth": forth,
        "left": before.get("recommendation", ""),
        "elicited": before.get("elicited", {}),
        "language": languages.language_of_turn(said.text, spoke, shown),
        "spoke": spoke,
        "history": history,
        "trail": trail[-UNDO_DEPTH:],
        "turn": latest.get("turn", 0) + 1,
        "utterance": utterance,
        "heard": said.text,
        "own_only": asked.own_only or said.own_only,
        **ANEW,
    }
    if asked.edits:
        by_hand = [edit.model_dump(mode="json") for edit in asked.edits]
        return {**record, "heard": utterance, "own_only": asked.own_only, "edits": by_hand, "language": spoke}
    undo = undoing.asked_for(words)
    if undo is not None:
        with readable():
            came, lasting, piles = await undoing.restored(undo, back, forth, now, content.get)
        kept = lasting_of(lasting) if lasting else TurnRecord()
        return {**record, **kept, "domain": lasting.get("domain", domain), **piles, "undo": came.value}
    first = not before.get("requests") and not before.get("shown")
    over = topics.asked_for(said.text, domain, domains, first=first)
    return moved({**record, "heard": over.text}, over.domain, domains, keeps=over.keeps) if over else record


def moved(record: TurnRecord, name: str, domains: Sequence[Domain], *, keeps: bool) -> TurnRecord:
    """The record of a turn as it goes on in another domain."""
    known = {domain.name: domain for domain in domains}
    with wording.speaking(record["language"]):
        lasting, sentence = topics.moved(record, known.get(record["domain"]), known[name], keeps=keeps)
    carried = bool(lasting["requests"])
    return {**record, **lasting, "moved": True, "carried": carried, "preface": sentence, "go_to": ""}

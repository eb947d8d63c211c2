"""The dialogue state and how a turn changes it (METHOD 9.3). Pure: a state and edits in, a new state out."""

from collections.abc import Callable, Iterable, Sequence

from dialogue import resuming, unknown_titles
from dialogue.domain import ConstraintKey, Domain
from dialogue.models import (
    Constraints,
    ConstraintValue,
    DialogueState,
    EditKind,
    Intent,
    ItemRef,
    KeptUtterance,
    Mention,
    StateEdit,
    TurnRecord,
    Understanding,
)
from dialogue.quantities import Measure, measures, supersedes
from dialogue.record import dumped, heard_in, merged, refs, state_of, unwanted, values_of
from dialogue.wish_words import denies
from pdgf.models import Value, normalised

JUDGED = ("recommended_items", "rejected_items", "accepted_items")


class Change(Value):
    """One difference of the constraints under a key: `old` is None for a new value, `new` for a removed one."""

    key: str
    old: str | None = None
    new: str | None = None
    hard: bool = False


class StateDiff(Value):
    """What a turn did to the constraints, removals included (METHOD 9.3). A moved or replaced value is `changed`."""

    added: tuple[Change, ...] = ()
    changed: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.added or self.changed or self.removed)


def revise(turn: TurnRecord, reading: Understanding, domain: Domain) -> TurnRecord:
    """Bring the lasting part of a thread up to date with what was read from its utterance."""
    afresh = Intent.START_OVER in reading.intents
    old = DialogueState() if afresh else state_of(turn)
    new = with_feedback(apply_edits(old, reading.edits, domain), reading.accepted, reading.rejected)
    if afresh and reading.new_topic:  # what was judged stays judged; only a fresh start forgets it
        new = new.model_copy(update={name: getattr(state_of(turn), name) for name in JUDGED})
    known = (*reading.seen, *reading.liked, *reading.disliked)
    forgotten = afresh and not reading.new_topic
    lasting: TurnRecord = {
        "dialogue": new.model_dump(mode="json"),
        "requests": requests_after([] if afresh else turn.get("requests", []), turn, reading),
        "seen": dumped(merged(() if forgotten else refs(turn.get("seen", [])), known)),
        "asked": [],
        "open": resuming.left_open(reading, heard_in(turn)),
        "focus": dumped(spoken_of(reading)),
        "understanding": reading.model_dump(mode="json"),
        "replaced": [] if afresh else replacements(old, new, reading),
        "changed": turn.get("carried", False) or not difference(old, new).empty,
    }
    if afresh:
        lasting |= {"shown": [], "recommendation": ""}
    return lasting


def spoken_of(reading: Understanding) -> tuple[ItemRef, ...]:
    """The items that a turn has spoken of: what "it" means in the next one."""
    groups = (reading.about, reading.accepted, reading.interest, reading.candidates, reading.rejected)
    return next((group for group in groups if group), ())


def apply_edits(state: DialogueState, edits: Iterable[StateEdit], domain: Domain) -> DialogueState:
    """Add and drop wishes one after the other; values keep the user's words, unknown keys become `others`."""
    hard, soft = dict(state.hard_constraints), dict(state.soft_constraints)
    for edit in edits:
        if edit.kind is EditKind.DROP:
            _drop(hard, edit)
            _drop(soft, edit)
        elif edit.text.strip():
            _add(hard, soft, edit, domain)
    return state.model_copy(update={"hard_constraints": hard, "soft_constraints": soft})


def with_feedback(state: DialogueState, accepted: Sequence[ItemRef], rejected: Sequence[ItemRef]) -> DialogueState:
    """Note accepted and rejected items, each once; the latest word on an item wins."""
    taken, refused = {item.id for item in accepted}, {item.id for item in rejected}
    return state.model_copy(
        update={
            "accepted_items": merged(tuple(i for i in state.accepted_items if i.id not in refused), accepted),
            "rejected_items": merged(tuple(i for i in state.rejected_items if i.id not in taken), rejected),
        }
    )


def difference(old: DialogueState, new: DialogueState) -> StateDiff:
    """Compare the constraints of two states: what was added, changed (moved or replaced) and removed."""
    before, after = _rows(old), _rows(new)
    gone = [row for row in before if row not in after]
    fresh = [row for row in after if row not in before]
    changed: list[Change] = []
    for key, text, hard in list(fresh):
        partner = next((r for r in gone if r[:2] == (key, text)), None) or next((r for r in gone if r[0] == key), None)
        if partner is not None:
            changed.append(Change(key=key, old=partner[1], new=text, hard=hard))
            gone.remove(partner)
            fresh.remove((key, text, hard))
    return StateDiff(
        added=tuple(Change(key=key, new=text, hard=hard) for key, text, hard in fresh),
        changed=tuple(changed),
        removed=tuple(Change(key=key, old=text, hard=hard) for key, text, hard in gone),
    )


def replacements(old: DialogueState, new: DialogueState, reading: Understanding) -> list[tuple[str, str]]:
    """The values that gave way to new ones, numbers or said to be instead, each as (old, new); not those that were
    taken back in words."""
    taken_back = {normalised(edit.text) for edit in reading.edits if edit.kind is EditKind.DROP}
    stated = {edit.text for edit in reading.edits if edit.mention is Mention.STATED and edit.kind is EditKind.ADD}
    instead = {edit.text for edit in reading.edits if edit.replaces}
    return [
        (change.old, change.new)
        for change in difference(old, new).changed
        if change.old is not None
        and change.new in stated
        and normalised(change.old) not in (normalised(change.new), *taken_back)
        and (measures(change.old) or change.new in instead)
    ]


def requests_after(requests: Sequence[KeptUtterance], turn: TurnRecord, reading: Understanding) -> list[KeptUtterance]:
    """The utterances that the narrative is rendered from, with this one if it carried a preference."""
    added = [edit for edit in reading.edits if edit.kind is EditKind.ADD and edit.span[0] == turn["turn"]]
    requests = [_with_what_stays(request, reading.edits) for request in requests]
    if all(edit.mention is Mention.INDIFFERENT for edit in added):
        return list(requests)
    values = [(edit.span[1], edit.span[2], edit.mention.value) for edit in added]
    values += [(*span, Mention.INDIFFERENT.value) for span in unknown_titles.spans(heard_in(turn), reading.not_known)]
    takes_back = any(edit.kind is EditKind.DROP for edit in reading.edits) or Intent.START_OVER in reading.intents
    plain = set(reading.intents) <= {Intent.PROVIDE_PREFERENCE} and not reading.questions and not takes_back
    return [*requests, {"turn": turn["turn"], "text": heard_in(turn), "values": values, "plain": plain}]


def _with_what_stays(request: KeptUtterance, edits: Sequence[StateEdit]) -> KeptUtterance:
    """An earlier utterance with the words of its own that stay of a wish that was taken back in part."""
    stays = [edit for edit in edits if edit.kind is EditKind.ADD and edit.span[0] == request["turn"]]
    if not stays:
        return request
    return {**request, "values": [*request["values"], *((e.span[1], e.span[2], e.mention.value) for e in stays)]}


def _add(hard: Constraints, soft: Constraints, edit: StateEdit, domain: Domain) -> None:
    row = domain.row(edit.key)
    into, other = (hard, soft) if edit.hard else (soft, hard)
    if _same(into.get(row.key, ()), edit.text):
        return
    if _same(other.get(row.key, ()), edit.text):
        if edit.mention is Mention.ASKED:  # a question about a wish does not weaken it
            return
        _keep(other, row.key, lambda value: normalised(value.text) != normalised(edit.text))
    stated = edit.mention in (Mention.STATED, Mention.INDIFFERENT) and not edit.avoid
    if stated and (edit.replaces if edit.replaces is not None else not row.cumulative):
        for rows in (hard, soft):  # what the same utterance said beside it stays, and what is refused altogether
            _keep(rows, row.key, lambda value: value.span[0] == edit.span[0] or unwanted(value))
    numbers = measures(edit.text, denied=edit.avoid)
    if numbers and edit.mention is Mention.STATED and edit.replaces is not False:
        for rows in (hard, soft):  # a new number is a change of mind, whatever else the key gathers
            _keep(rows, row.key, lambda value: value.span[0] == edit.span[0] or not _outdated(value, numbers, row))
    avoid = edit.avoid and edit.mention is Mention.STATED and not denies(edit.text)
    into[row.key] = (*into.get(row.key, ()), ConstraintValue(text=edit.text, span=edit.span, avoid=avoid))


def _outdated(value: ConstraintValue, numbers: frozenset[Measure], row: ConstraintKey) -> bool:
    """Whether newer numbers under its key take the place of a value."""
    own = measures(value.text, denied=unwanted(value))
    return supersedes(numbers, own, one_column=len(row.metadata) == 1)


def _drop(rows: Constraints, edit: StateEdit) -> None:
    """Remove a value by key and text; under another key when the named one does not hold it."""
    holding = [edit.key] if _same(rows.get(edit.key, ()), edit.text) else list(rows)
    for key in holding:
        _keep(rows, key, lambda value: normalised(value.text) != normalised(edit.text))


def _keep(rows: Constraints, key: str, wanted: Callable[[ConstraintValue], bool]) -> None:
    kept = tuple(value for value in rows.get(key, ()) if wanted(value))
    if kept:
        rows[key] = kept
    else:
        rows.pop(key, None)


def _same(values: Iterable[ConstraintValue], text: str) -> bool:
    return any(normalised(value.text) == normalised(text) for value in values)


def _rows(state: DialogueState) -> list[tuple[str, str, bool]]:
    return [(key, value.text, hard) for key, value, hard in values_of(state)]

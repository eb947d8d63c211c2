"""The action table: each row, and the order of the rows."""

import pytest

from dialogue.actions import TABLE, Situation, select_action, situation_of
from dialogue.domain import bundled_domain
from dialogue.models import (
    Action,
    ConstraintValue,
    DialogueState,
    Intent,
    ItemRef,
    StatePart,
    TurnRecord,
    Understanding,
)

SHOWN = ItemRef(id="a", title="A")


def situation(*intents: Intent, seen: bool = False, says: str = "", **more: bool) -> Situation:
    reading = Understanding.model_validate(
        {"intents": intents, "seen": (SHOWN,) if seen else (), says or "hello": bool(says)}
    )
    return Situation(reading=reading, **more)


LIST = {"recommended": True, "ranked": True}
ROWS = [
    (situation(notice=True, missing=True), Action.REQUEST_INFORMATION),
    (situation(Intent.START_OVER, missing=True), Action.START_OVER),
    (situation(Intent.START_OVER, Intent.PROVIDE_PREFERENCE, changed=True), Action.RECOMMEND),
    (situation(Intent.START_OVER, Intent.PROVIDE_PREFERENCE, changed=True, missing=True), Action.REQUEST_INFORMATION),
    (situation(Intent.INQUIRE, missing=True, **LIST), Action.ANSWER),
    (situation(Intent.INQUIRE, Intent.PROVIDE_PREFERENCE, changed=True, **LIST), Action.ANSWER),
    (situation(Intent.INQUIRE, missing=True), Action.ANSWER),
    (situation(Intent.INQUIRE, Intent.PROVIDE_PREFERENCE, changed=True), Action.RECOMMEND),
    (situation(Intent.INQUIRE, Intent.PROVIDE_PREFERENCE, changed=True, missing=True), Action.REQUEST_INFORMATION),
    (situation(Intent.REJECT, **LIST), Action.RESPOND_TO_REJECTION),
    (situation(Intent.REJECT, missing=True, **LIST), Action.RESPOND_TO_REJECTION),
    (situation(Intent.REJECT, Intent.PROVIDE_PREFERENCE, changed=True, **LIST), Action.RESPOND_TO_REJECTION),
    (situation(Intent.REJECT, changed=True, missing=True, **LIST), Action.REQUEST_INFORMATION),
    (situation(Intent.ACCEPT, **LIST), Action.RESPOND_TO_ACCEPTANCE),
    (situation(Intent.ACCEPT, Intent.CONTINUE, **LIST), Action.SHOW_MORE),
    (situation(Intent.ACCEPT, Intent.PROVIDE_PREFERENCE, changed=True, **LIST), Action.RECOMMEND),
    (situation(Intent.CONTINUE, **LIST), Action.SHOW_MORE),
    (situation(Intent.CONTINUE, Intent.PROVIDE_PREFERENCE, changed=True, **LIST), Action.RECOMMEND),
    (situation(Intent.CONTINUE, missing=True), Action.REQUEST_INFORMATION),
    (situation(seen=True, **LIST), Action.SHOW_MORE),
    (situation(own_only=True, **LIST), Action.RECOMMEND),
    (situation(undone=True, **LIST), Action.RECOMMEND),
    (situation(skipped=True, **LIST), Action.GREET),
    (situation(undone=True, missing=True), Action.REQUEST_INFORMATION),
    (situation(Intent.CONTINUE, own_only=True, **LIST), Action.RECOMMEND),
    (situation(Intent.INQUIRE, own_only=True, **LIST), Action.ANSWER),
    (situation(says="greeting", missing=True), Action.GREET),
    (situation(says="greeting", **LIST), Action.GREET),
    (situation(says="about_system", **LIST), Action.GREET),
    (situation(says="about_accepted", **LIST), Action.ANSWER),
    (Situation(reading=Understanding(about_state=(StatePart.REJECTED,)), **LIST), Action.ANSWER),
    (Situation(reading=Understanding(liked=(SHOWN,)), **LIST), Action.SHOW_MORE),
    (situation(Intent.PROVIDE_PREFERENCE, changed=True, missing=True), Action.REQUEST_INFORMATION),
    (situation(Intent.PROVIDE_PREFERENCE, changed=True, **LIST), Action.RECOMMEND),
    (situation(Intent.PROVIDE_PREFERENCE), Action.RECOMMEND),
    (situation(missing=True), Action.REQUEST_INFORMATION),
    (situation(brought=True, **LIST), Action.SHOW_MORE),
    (situation(**LIST), Action.REQUEST_INFORMATION),
]


@pytest.mark.parametrize(("given", "action"), ROWS)
def test_each_situation_has_its_action(given: Situation, action: Action) -> None:
    assert select_action(given) is action


def test_every_row_of_the_table_decides_some_situation() -> None:
    deciding = {next(name for name, fits, _ in TABLE if fits(given)) for given, _ in ROWS}
    assert deciding == {name for name, _, _ in TABLE}


def test_every_action_is_reachable() -> None:
    assert {action for _, action in ROWS} == set(Action)


def test_a_situation_is_read_from_the_record() -> None:
    state = DialogueState(
        hard_constraints={"location": (ConstraintValue(text="Riverside", span=(1, 0, 9)),)}, recommended_items=(SHOWN,)
    )
    turn: TurnRecord = {
        "dialogue": state.model_dump(mode="json"),
        "understanding": Understanding(intents=(Intent.REJECT,)).model_dump(mode="json"),
        "changed": False,
        "recommendation": "abc",
        "notice": "",
    }
    found = situation_of(turn, bundled_domain("restaurants"))
    assert (found.recommended, found.ranked, found.missing, found.notice) == (True, True, True, False)
    known = {**state.soft_constraints, "dish_type": (ConstraintValue(text="ramen", span=(2, 0, 5)),)}
    turn["dialogue"] = state.model_copy(update={"soft_constraints": known}).model_dump(mode="json")
    assert not situation_of(turn, bundled_domain("restaurants")).missing

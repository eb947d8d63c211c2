"""One utterance through the understanding of a chat."""

from dialogue.evaluation.turns import context_of, items_named, understood
from dialogue.models import ConstraintValue, DialogueState, EditKind, Intent, ItemRef, StateEdit, Understanding
from pdgf.usage import Budget
from tests.dialogue.evaluation.hearing import hearing

SHOWN = (ItemRef(id="p1", title="Lantern Room"),)
BEFORE = DialogueState(soft_constraints={"dish_type": (ConstraintValue(text="ramen", span=(1, 0, 5)),)})


def test_the_items_of_a_system_turn_are_its_titles_with_a_year() -> None:
    said = "Yes, how about Paper Lanterns (1987)? What about 12 Doors (2001)? Paper Lanterns (1987)!"
    assert [(item.title, item.year) for item in items_named(said)] == [
        ("Paper Lanterns", 1987),
        ("12 Doors", 2001),
    ]
    assert items_named("What do you like?") == ()


async def test_what_is_read_changes_the_state_as_in_a_chat() -> None:
    edit = StateEdit(kind=EditKind.ADD, key="atmosphere", text="quiet", span=(2, 0, 5))
    read = Understanding(intents=(Intent.PROVIDE_PREFERENCE,), edits=(edit,))
    context = context_of(hearing(read), Budget())
    reading, state = await understood("quiet, please", before=BEFORE, shown=SHOWN, context=context)
    assert reading.intents == (Intent.PROVIDE_PREFERENCE,)
    assert {value.text for values in state.soft_constraints.values() for value in values} == {"ramen", "quiet"}


async def test_a_value_that_was_not_said_changes_nothing() -> None:
    edit = StateEdit(kind=EditKind.ADD, key="atmosphere", text="loud", span=(2, 0, 4))
    context = context_of(hearing(Understanding(edits=(edit,))), Budget())
    _, state = await understood("quiet, please", before=BEFORE, shown=(), context=context)
    assert state.soft_constraints == BEFORE.soft_constraints


async def test_signs_alone_ask_no_agent_and_leave_the_state() -> None:
    context = context_of(hearing(), Budget())
    reading, state = await understood("...", before=BEFORE, shown=(), context=context)
    assert reading == Understanding()
    assert state.soft_constraints == BEFORE.soft_constraints


async def test_feedback_counts_for_what_was_shown_alone() -> None:
    told = Understanding(intents=(Intent.ACCEPT,), accepted=(SHOWN[0], ItemRef(id="p9", title="Elsewhere")))
    context = context_of(hearing(told), Budget())
    reading, state = await understood("I take it", before=BEFORE, shown=SHOWN, context=context)
    assert reading.accepted == state.accepted_items == SHOWN

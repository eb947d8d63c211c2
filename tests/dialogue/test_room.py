"""Which wishes go where there are more of them than a graph holds."""

from hypothesis import given
from hypothesis import strategies as st

from dialogue.models import ConstraintValue, DialogueState
from dialogue.record import values_of
from dialogue.room import left_out, with_room


def state(*told: tuple[str, int, bool]) -> DialogueState:
    """Wishes as (words, turn, must), in the order said."""
    rows: dict[bool, dict[str, tuple[ConstraintValue, ...]]] = {True: {}, False: {}}
    for place, (words, turn, hard) in enumerate(told):
        value = ConstraintValue(text=words, span=(turn, place, place + 1))
        rows[hard]["others"] = (*rows[hard].get("others", ()), value)
    return DialogueState(hard_constraints=rows[True], soft_constraints=rows[False])


def texts(values: DialogueState) -> set[str]:
    return {value.text for _, value, _ in values_of(values)}


def test_the_oldest_wish_that_is_no_condition_goes_and_the_newest_words_stay() -> None:
    wishes = state(("calm", 1, False), ("for two", 1, True), ("trains", 2, False), ("quick", 3, False))
    assert [value.text for value in left_out(wishes, 3)] == ["calm"]
    assert texts(with_room(wishes, 3)) == {"for two", "trains", "quick"}


def test_nothing_goes_where_there_is_room_or_no_limit() -> None:
    wishes = state(("calm", 1, False), ("quick", 2, False))
    assert with_room(wishes, 2) == wishes == with_room(wishes, None)


@given(
    st.lists(st.tuples(st.integers(1, 5), st.booleans()), min_size=1, max_size=20),
    st.integers(1, 20),
)
def test_conditions_and_the_newest_words_always_stay_and_no_more_go_than_must(
    told: list[tuple[int, bool]], limit: int
) -> None:
    wishes = state(*((f"wish {place}", turn, hard) for place, (turn, hard) in enumerate(told)))
    newest = max(turn for turn, _ in told)
    gone = left_out(wishes, limit)
    assert len(gone) <= max(0, len(told) - limit)
    assert all(value.span[0] < newest for value in gone)
    assert not {value.text for value in gone} & {v.text for v in wishes.hard_constraints.get("others", ())}
    assert texts(with_room(wishes, limit)) == texts(wishes) - {value.text for value in gone}

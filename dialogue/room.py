"""Room among the wishes (METHOD 4.2): a graph holds so many nodes, and the newest words must not be what it leaves out.

The least salient go: wishes that are no conditions, said in earlier turns, the oldest first. What a reading makes of
the rest may still be more nodes than fit; then construction has the last word. Pure.
"""

from dialogue.models import ConstraintValue, DialogueState
from dialogue.record import values_of


def left_out(state: DialogueState, limit: int | None) -> tuple[ConstraintValue, ...]:
    """The wishes for which there is no room, oldest first; those of the newest words and conditions always stay."""
    values = values_of(state)
    over = 0 if limit is None else len(values) - limit
    if over <= 0:
        return ()
    newest = max(value.span[0] for _, value, _ in values)
    old = [value for _, value, hard in values if not hard and value.span[0] < newest]
    return tuple(sorted(old, key=lambda value: value.span)[:over])


def with_room(state: DialogueState, limit: int | None) -> DialogueState:
    """The state without the wishes that are left out."""
    gone = frozenset(left_out(state, limit))
    if not gone:
        return state
    kept = {key: tuple(v for v in row if v not in gone) for key, row in state.soft_constraints.items()}
    return state.model_copy(update={"soft_constraints": {key: row for key, row in kept.items() if row}})

"""Which unit a token belongs to, looked up by place."""

from hypothesis import given
from hypothesis import strategies as st

from pdgf.engines.builtin.cue_units import Unit
from pdgf.engines.builtin.units import _by_place

SPANS = st.tuples(st.integers(0, 30), st.integers(1, 8))


@given(st.lists(SPANS, max_size=12))
def test_over_each_character_stands_the_first_unit_that_covers_it(spans: list[tuple[int, int]]) -> None:
    units = [Unit(role="aside", start=start, end=start + length) for start, length in spans]
    at = _by_place(units)
    for place in range(40):
        assert at.get(place) is next((unit for unit in units if unit.start <= place < unit.end), None)

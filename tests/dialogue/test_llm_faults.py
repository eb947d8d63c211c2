"""The Nth-call sweep: every way in which a model can fail, at every call of a conversation (RELIABILITY 4.2, F1, F9).

A cell is one fault at one call of the first three turns. It passes when nothing leaves a turn, what is shown and kept
is sound, whatever came out otherwise is said, the state is one that the words of the user bear out, and the next turns
work as if nothing had been.
"""

import gc
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.dialogue.llm_bar import added_notes, equal, no_trace, told_of
from tests.dialogue.llm_cells import Beginning, Cell, Run, beginnings, listening, swept
from tests.openai_server import Fault
from tests.variants import every

# Here each fault meets every sixth call, each from another call on, so that every call is met by several; `python -m
# tests.stress model_faults` has every fault at every call. Named are those of RELIABILITY 4.2.
NAMED = (
    Fault.RATE_LIMITED,
    Fault.RATE_LIMITED_LONG,
    Fault.SERVER_ERROR,
    Fault.UNAVAILABLE_TWICE,
    Fault.UNAUTHORIZED,
    Fault.SERVER_DOWN,
    Fault.HANG,
    Fault.LATE,
    Fault.NULL_CHOICES,
    Fault.EMPTY_CHOICES,
    Fault.HTML,
    Fault.NOT_JSON,
    Fault.CHATTER,
    Fault.WRONG_TYPES,
    Fault.EXTRA_KEYS,
    Fault.THINKING,
    Fault.CONTENT_FILTER,
    Fault.CUT,
    Fault.BAD_EVENT,
    Fault.SURROGATE,
    Fault.HUGE,
    Fault.SAME_WRONG,
    Fault.CONTEXT_LENGTH,
)
STEP = 9

# Replies that can be read all the same, and requests that can be put otherwise: nobody notices, however long it lasts.
UNNOTICED = frozenset(
    [
        *(fault for fault in Fault if fault.name.startswith("REFUSES")),
        Fault.CHATTER,
        Fault.FENCED,
        Fault.TRAILING_COMMA,
        Fault.EXTRA_KEYS,
        Fault.THINKING,
        Fault.THINKING_UNOPENED,
        Fault.SURROGATE,
        Fault.TOOLS_IGNORED,
        Fault.NO_USAGE,
    ]
)
# What a second try mends: at every call, or at those alone whose reply is JSON, since of prose something was told.
MENDED_BY_RETRY = (
    Fault.RATE_LIMITED,
    Fault.RATE_LIMITED_UNTIL,
    Fault.SERVER_ERROR,
    Fault.UNAVAILABLE_TWICE,
    Fault.TIMED_OUT,
    Fault.DROPPED,
    Fault.HANG,
    Fault.LATE,
    Fault.NULL_CHOICES,
    Fault.EMPTY_CHOICES,
    Fault.HTML,
    Fault.NOT_JSON,
    Fault.ERROR_IN_200,
)
MENDED_IN_JSON = (
    Fault.CUT,
    Fault.STALL,
    Fault.BAD_EVENT,
    Fault.ERROR_EVENT,
    Fault.NO_FINISH,
    Fault.WRONG_TYPES,
    Fault.EMPTY,
    Fault.REFUSAL,
    Fault.CONTENT_POLICY,
    Fault.LENGTH,
    Fault.HUGE,
    Fault.SAME_WRONG,
)
PROSE = ("explain", "answer")

_good: list[Beginning] = []


@pytest.fixture
async def good(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Beginning]:
    """The good run, made once."""
    if not _good:
        _good.extend(await beginnings(tmp_path_factory.mktemp("good")))
    return _good


def cells_of(good: Sequence[Beginning], *, json_only: bool = False) -> list[Cell]:
    """Every call of the three turns."""
    calls = [(beginning, place) for beginning in good for place in range(beginning.calls)]
    return [
        (beginning, place)
        for beginning, place in calls
        if not (json_only and beginning.good.turns[0].records[place].prompt in PROSE)
    ]


def some(cells: Sequence[Cell], fault: Fault) -> list[Cell]:
    """Every sixth call, each fault from another one on."""
    return list(cells[list(Fault).index(fault) % STEP :: STEP])


async def wrong(found: Mapping[tuple[int, int], Run | BaseException], good: Sequence[Beginning]) -> list[str]:
    """What is wrong with each cell."""
    return [
        f"call {place} of turn {done + 1}: {each}"
        for (done, place), run in found.items()
        for each in await told_of(run, good[done])
    ]


def changed(found: Mapping[tuple[int, int], Run | BaseException], good: Sequence[Beginning]) -> list[str]:
    """The cells with a turn that came out otherwise than in the good run, or with a note that the model failed."""
    return [
        f"call {place} of turn {done + 1}"
        for (done, place), run in found.items()
        if isinstance(run, BaseException)
        or not all(
            equal(turn.view, other.view) and not added_notes(turn.view, other.view)
            for turn, other in zip(run.turns, good[done].good.turns, strict=True)
        )
    ]


async def test_the_good_run_is_sound_and_the_same_from_wherever_it_begins(good: Sequence[Beginning]) -> None:
    assert [beginning.calls >= 2 for beginning in good] == [True, True, True]
    for beginning in good:
        assert await told_of(beginning.good, beginning) == []
        whole = good[0].good.turns[beginning.done :]
        assert all(equal(turn.view, other.view) for turn, other in zip(beginning.good.turns, whole, strict=True))


@pytest.mark.parametrize("fault", every(8, Fault, named=lambda fault: fault.name))
async def test_a_fault_that_lasts_spoils_no_turn_at_whichever_call(
    fault: Fault, good: Sequence[Beginning], tmp_path: Path
) -> None:
    cells = cells_of(good)
    with listening() as log:
        found = await swept(tmp_path, some(cells, fault), fault, lasting=True)
        gc.collect()  # tasks whose failure nobody dealt with tell of it now
    assert await wrong(found, good) == []
    assert no_trace(log) == []
    if fault in UNNOTICED:
        assert changed(found, good) == []


@pytest.mark.parametrize("fault", every(8, (*MENDED_BY_RETRY, *MENDED_IN_JSON), named=lambda fault: fault.name))
async def test_a_fault_that_passes_is_noticed_by_nobody(
    fault: Fault, good: Sequence[Beginning], tmp_path: Path
) -> None:
    cells = cells_of(good, json_only=fault in MENDED_IN_JSON)
    found = await swept(tmp_path, some(cells, fault), fault, lasting=False)
    assert await wrong(found, good) == []
    assert changed(found, good) == []


def test_the_sweep_has_the_cells_that_the_bar_asks_for(good: Sequence[Beginning]) -> None:
    cells = cells_of(good)
    assert len(NAMED) >= 20
    assert len(NAMED) * len(cells) >= 400  # of tests/stress; of these here there are fewer
    met = Counter(place for fault in Fault for place in map(cells.index, some(cells, fault)))
    assert sorted(met) == list(range(len(cells)))
    assert min(met.values()) >= 4

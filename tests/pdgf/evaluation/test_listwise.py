"""List-wise windows (METHOD 13.3)."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.evaluation.listwise import in_full, reranked, shortened, windows


def test_windows_go_from_back_to_front_and_the_last_reaches_the_first_place() -> None:
    assert windows(40) == [(20, 40), (10, 30), (0, 20)]
    assert windows(25) == [(5, 25), (0, 15)]  # the reference code would leave the first five unranked
    assert windows(7) == [(0, 7)]  # and this list altogether
    assert windows(0) == []


@given(st.integers(1, 120), st.integers(2, 25), st.integers(1, 25))
def test_windows_cover_the_list_and_overlap(count: int, size: int, step: int) -> None:
    if step > size:
        with pytest.raises(ValueError, match="at least as long"):
            windows(count, size=size, step=step)
        return
    found = windows(count, size=size, step=step)
    assert found[0][1] == count
    assert found[-1][0] == 0
    assert all(0 < end - start <= size for start, end in found)
    assert all(later_end >= start for (start, _), (_, later_end) in pairwise(found))


@given(st.lists(st.integers(-3, 12)), st.integers(0, 8))
def test_every_reply_becomes_a_whole_order(reply: list[int], count: int) -> None:
    assert sorted(in_full(reply, count)) == list(range(count))


def test_doubles_and_strangers_are_dropped_and_the_missing_appended_in_their_order() -> None:
    assert in_full([3, 3, 9, 0, 1], 5) == [2, 0, 1, 3, 4]


async def test_a_judge_that_knows_the_best_ones_brings_them_to_the_front() -> None:
    async def falling(part: Sequence[int]) -> list[int]:
        return [part.index(value) + 1 for value in sorted(part, reverse=True)]

    ranked = await reranked(list(range(25)), falling)
    assert ranked[:10] == list(range(24, 14, -1))
    assert sorted(ranked) == list(range(25))


async def test_a_list_shorter_than_a_window_is_ranked() -> None:
    async def last_first(part: Sequence[str]) -> list[int]:
        return list(range(len(part), 0, -1))

    assert await reranked(["a", "b", "c"], last_first) == ["c", "b", "a"]


def test_a_passage_keeps_its_first_words() -> None:
    assert shortened("one two  three\nfour", 3) == "one two three"

"""What is remembered: by what it was found for, for a while, and not more than there is room for."""

from hypothesis import given
from hypothesis import strategies as st

from pdgf.memo import Memo


def test_a_value_is_known_by_its_texts_in_their_order() -> None:
    memo = Memo[int](10)
    memo.put(1, "a", "b")
    assert memo.get("a", "b") == 1
    assert [memo.get("b", "a"), memo.get("a"), memo.get("a", "b", "")] == [None] * 3


@given(st.lists(st.text(max_size=3), max_size=3), st.lists(st.text(max_size=3), max_size=3))
def test_texts_that_only_look_alike_when_joined_are_kept_apart(one: list[str], other: list[str]) -> None:
    memo = Memo[str](10)
    memo.put("one", *one)
    assert memo.get(*other) == ("one" if one == other else None)


def test_the_least_recently_used_leaves_first() -> None:
    memo = Memo[int](2)
    memo.put(1, "a")
    memo.put(2, "b")
    assert memo.get("a") == 1
    memo.put(3, "c")
    assert [memo.get("a"), memo.get("b"), memo.get("c")] == [1, None, 3]


def test_a_value_is_given_until_it_is_too_old_and_putting_it_again_makes_it_young() -> None:
    now = [0.0]
    memo = Memo[int](10, max_age=60.0, clock=lambda: now[0])
    memo.put(1, "a")
    now[0] = 59.9
    assert memo.get("a") == 1
    memo.put(2, "a")
    now[0] = 119.8
    assert memo.get("a") == 2
    now[0] = 119.95
    assert memo.get("a") is None


def test_nothing_of_the_texts_is_kept() -> None:
    memo = Memo[int](10)
    memo.put(1, "what somebody asked for")
    assert "somebody" not in repr(vars(memo))


def test_halves_of_surrogate_pairs_are_texts_too() -> None:
    memo = Memo[int](10)
    memo.put(1, "\ud83d")
    assert memo.get("\ud83d") == 1

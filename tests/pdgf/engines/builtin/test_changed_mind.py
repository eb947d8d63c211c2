"""What a later sentence takes back by another wish of its kind, and what it only adds (METHOD 4.2, 12)."""

from collections.abc import Callable

import pytest

from pdgf.engines.builtin.reading import Analysis


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("I want a slow film. Actually, I want a fast film.", ["fast"]),
        ("A warm comedy. No wait, actually make it a western.", ["warm", "western"]),
        ("Something funny and short. On second thought, something long.", ["funny", "long"]),
        ("I want a comedy. I changed my mind, a horror film please.", ["horror"]),
        ("I want a comedy. Actually, I want romance in it too.", ["comedy", "romance"]),
        ("I want a comedy. Actually, I want something warm.", ["comedy", "warm"]),
        ("I want a slow film. I want a fast film.", ["slow", "fast"]),
        ("A film that is actually funny.", ["funny"]),
    ],
)
def test_a_sentence_that_takes_back_leaves_one_wish_of_a_kind(
    text: str, wishes: list[str], read: Callable[[str], Analysis]
) -> None:
    assert [node.instantiation for node in read(text).nodes] == wishes

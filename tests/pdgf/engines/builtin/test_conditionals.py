"""What is said of something in case it is there asks for none of it (METHOD 4.2)."""

from collections.abc import Callable

import pytest

from pdgf.conditionals import conditionals
from pdgf.engines.builtin.features import feature_of, read_feature
from pdgf.engines.builtin.reading import Analysis
from pdgf.models import Polarity
from pdgf.ports import RefinementRequest

Read = Callable[[str], Analysis]


@pytest.mark.parametrize(
    ("text", "thing", "others"),
    [
        ("A heist film, the romance, if there is any, should stay in the background", "romance", ["heist"]),
        ("romance, if any, in the background", "romance", []),
        ("If there is violence, it should be off screen", "violence", []),
        ("violence, it should be off screen", "violence", []),
        ("A comedy; any violence should be mild, and no gore", "violence", ["comedy"]),
        ("A comedy with violence, if any, kept small, and a happy ending", "violence", ["comedy", "happy ending"]),
    ],
)
def test_what_is_to_be_small_if_it_is_there_is_not_to_be_much_and_is_no_wish(
    text: str, thing: str, others: list[str], read: Read
) -> None:
    nodes = read(text).nodes
    assert [node.instantiation for node in nodes if node.polarity is Polarity.WANT] == others
    (unwanted,) = [node for node in nodes if node.instantiation == thing]
    assert unwanted.polarity is Polarity.AVOID
    assert not unwanted.hard
    assert read_feature(feature_of(RefinementRequest(node=unwanted))).tolerant


@pytest.mark.parametrize(
    ("text", "wish", "thing"),
    [("any humour should be dry", "dry", "humour"), ("The music, if there is any, should be loud", "loud", "music")],
)
def test_of_what_is_to_be_of_some_kind_the_kind_alone_is_wished(text: str, wish: str, thing: str, read: Read) -> None:
    assert [node.instantiation for node in read(text).nodes] == [wish]
    assert conditionals(text)[0].small is False
    assert thing in text[slice(*conditionals(text)[0].thing)]


@pytest.mark.parametrize(
    "text", ["a quiet place with parking if there is any", "any time period is fine", "A film that should be funny"]
)
def test_other_words_of_the_kind_set_no_condition(text: str) -> None:
    assert conditionals(text) == ()

"""What of a phrase is looked up in the catalogue's names."""

from collections.abc import Callable
from typing import Any

import pytest

from pdgf.engines.builtin import instantiations
from pdgf.engines.builtin.reading import Analysis


@pytest.mark.parametrize("text", ["x " * 400, "a film with " + "sad " * 400, "no " + "rainy-day " * 200])
def test_a_phrase_of_hundreds_of_words_is_looked_up_in_stretches_no_longer_than_a_name(
    text: str, read: Callable[[str], Analysis], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    known = instantiations._perspective_in

    def counted(phrase: str, span: tuple[int, int], *more: Any) -> str | None:
        looked_up.append(phrase[slice(*span)])
        return known(phrase, span, *more)

    monkeypatch.setattr(instantiations, "_perspective_in", counted)
    read(text)
    assert looked_up
    assert max(len(words.replace("-", " ").split()) for words in looked_up) <= instantiations.MOST_WORDS


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A film set in New York", "New York"),
        ("a drama from New Orleans", "New Orleans"),
    ],
)
def test_a_name_that_begins_with_new_is_named_whole(text: str, named: str, read: Callable[[str], Analysis]) -> None:
    assert named in [node.instantiation for node in read(text).nodes]


def test_new_alone_says_nothing_of_a_thing(read: Callable[[str], Analysis]) -> None:
    assert [node.instantiation for node in read("a new comedy").nodes] == ["comedy"]

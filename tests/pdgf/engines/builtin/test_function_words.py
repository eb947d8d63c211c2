"""Function words alone are never a wish."""

from itertools import pairwise

import pytest

from pdgf.engines.builtin.attachments import Attachment
from pdgf.engines.builtin.function_words import CHINESE, ENGLISH, only_function_words, without_function_words
from pdgf.engines.builtin.reading import Analysis
from pdgf.models import Aspect, Atom, AtomKind, Node


def analysis(*words: str, kind: AtomKind = AtomKind.CRITERION) -> Analysis:
    """A wish of each of these words, each bearing on the one before it."""
    atoms = tuple(Atom(id=f"a-{word}", text=word, span=(0, 1), kind=kind) for word in words)
    nodes = tuple(
        Node(id=word, atom=f"a-{word}", perspective="theme", instantiation=word, order=place)
        for place, word in enumerate(words)
    )
    links = tuple(
        Attachment(base=one, qualifier=other, cue="of", aspect=Aspect.MANNER, confidence=1.0)
        for one, other in pairwise(words)
    )
    return Analysis(atoms=atoms, nodes=nodes, attachments=links)


@pytest.mark.parametrize("word", [*sorted(ENGLISH), *sorted(CHINESE)])
def test_no_function_word_is_a_wish_and_the_wishes_beside_it_stay(word: str) -> None:
    assert only_function_words(word)
    found = without_function_words(analysis("trains", word, "pirates"))
    assert [(node.id, node.order) for node in found.nodes] == [("trains", 0), ("pirates", 1)]
    assert [atom.text for atom in found.atoms] == ["trains", "pirates"]
    assert found.attachments == ()


@pytest.mark.parametrize("words", ["for trains", "over the top", "给孩子", "quick", "上海", "5"])
def test_words_with_something_to_look_for_stay(words: str) -> None:
    assert not only_function_words(words)
    assert without_function_words(analysis(words)) == analysis(words)


def test_a_title_may_be_a_function_word() -> None:
    named = analysis("It", kind=AtomKind.REFERENCE)
    assert without_function_words(named) == named

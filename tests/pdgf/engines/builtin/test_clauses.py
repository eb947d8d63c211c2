"""Every clause of a request that says something becomes a wish or a part of one, whatever its kind (METHOD 4.2, 12)."""

from collections.abc import Callable

import pytest

from pdgf.engines.builtin.reading import Analysis
from pdgf.models import Polarity

Read = Callable[[str], Analysis]

RELATIVE = [
    ("A slow romance between two people who first dislike each other.", "first dislike each other"),
    ("Two sisters who have not spoken for years.", "have not spoken for years"),
    ("A novel in which nobody is who they say they are.", "nobody is who they say they are"),
    ("A story that never tells you who the killer was.", "never tells you who the killer was"),
    ("A teacher who never gives up on her class.", "never gives up on her class"),
    ("A book that makes you think.", "makes you think"),
    ("Anything that does not take itself too seriously.", "does not take itself too seriously"),
    ("Violence that is suggested rather than shown.", "is suggested"),
    ("A story in which the parents are kind.", "kind"),
]
PARTICIPLES = [
    ("A story told by a dying man.", "told by a dying man"),
    ("A soldier returning home after ten years.", "soldier returning home"),
    ("Characters growing old in one house.", "Characters growing old"),
    ("Something about a city flooded by the sea.", "city flooded"),
    ("I want to be surprised by the ending.", "surprised by the ending"),
]
APPOSITIONS = [
    ("A detective, a retired nurse, solves crimes in her village.", "retired nurse"),
    ("A villain, once a hero, who regrets it.", "hero"),
    ("A quiet film, almost a poem, about farming.", "almost a poem"),
    ("A place of canals, a city of masks, and fog.", "masks"),
    ("A love story, tender and slow, about two widowers.", "tender"),
]
WHERE_WHEN_SO_THAT = [
    ("Something light so that I can fall asleep to it.", "fall asleep to it"),
    ("Use simple language so that my grandmother can follow it.", "can follow it"),
    ("A drama when the war is already over and people have to live on.", "people have to live on"),
    ("A cafe where nobody minds if you stay all day.", "stay all day"),
    ("A film where you cannot trust the narrator.", "trust the narrator"),
]


@pytest.mark.parametrize(("text", "wish"), [*RELATIVE, *PARTICIPLES, *APPOSITIONS, *WHERE_WHEN_SO_THAT])
def test_a_clause_that_says_something_is_a_wish(read: Read, text: str, wish: str) -> None:
    assert any(wish in node.instantiation for node in read(text).nodes)


@pytest.mark.parametrize(
    ("text", "more", "less"),
    [
        ("A romance more awkward than sweet.", "awkward", "sweet"),
        ("Funnier than it is sad.", "Funnier", "sad"),
        ("More talk than action.", "talk", "action"),
        ("Something warmer than it is clever.", "warmer", "clever"),
        ("A horror film that is less about blood than about guilt.", "guilt", "blood"),
    ],
)
def test_of_what_is_compared_the_one_is_wanted_and_the_other_less(read: Read, text: str, more: str, less: str) -> None:
    polarity = {node.instantiation: node.polarity for node in read(text).nodes}
    assert (polarity[more], polarity[less]) == (Polarity.WANT, Polarity.AVOID)


@pytest.mark.parametrize(
    "text",
    [
        "A comedy to watch with my girlfriend.",
        "A film that I have not seen.",
        "Something you recommend.",
        "A film I saw.",
    ],
)
def test_what_somebody_does_with_an_item_is_no_wish(read: Read, text: str) -> None:
    assert {node.instantiation for node in read(text).nodes} <= {"comedy"}


@pytest.mark.parametrize(
    ("text", "base", "wish"),
    [
        ("A slow romance between two people who first dislike each other.", "romance", "first dislike each other"),
        ("Neighbours who know each other too well.", "Neighbours", "know each other too well"),
        ("A man who slowly loses his memory.", "man", "loses his memory"),
    ],
)
def test_a_clause_is_said_of_what_it_hangs_on(read: Read, text: str, base: str, wish: str) -> None:
    analysis = read(text)
    named = {node.id: node.instantiation for node in analysis.nodes}
    assert (base, wish) in {(named[link.base], named[link.qualifier]) for link in analysis.attachments}


def test_a_clause_is_no_longer_than_a_description_may_be(read: Read) -> None:
    text = "People who never lie to each other about anything at all in the whole of their long and busy lives in town."
    assert max(len(node.instantiation.split()) for node in read(text).nodes) <= 16


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "I want a comedy. Somewhere we could sit until the rain stops.",
            "Somewhere we could sit until the rain stops",
        ),
        ("A thriller. It ought to breathe.", "It ought to breathe"),
    ],
)
def test_a_sentence_of_which_nothing_was_read_is_named(read: Read, text: str, named: str) -> None:
    analysis = read(text)
    assert analysis.left_out == (named,) or any(named.split()[-1] in node.instantiation for node in analysis.nodes)


@pytest.mark.parametrize(
    "text",
    [
        "Hello! Can you recommend a comedy? Thanks a lot.",
        "My friend and I broke up last week. I want a comedy.",
        "I want a comedy from the 90s. Under two hours.",
        "A comedy. I don't mind violence.",
        "Please help me. I loved Paper Lanterns.",
    ],
)
def test_courtesy_and_the_life_of_whoever_asks_are_not_named(read: Read, text: str) -> None:
    assert read(text).left_out == ()

"""Places and whole clauses that are refused, and what is only said to be little (METHOD 4.2, 7.1, 12)."""

from collections.abc import Callable

import pytest

from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.chinese.judging import label_in_both
from pdgf.engines.builtin.reading import Analysis
from pdgf.models import Label, Polarity
from pdgf.ports import RelationRequest
from tests.local_models import minilm, use

Read = Callable[[str], Analysis]
S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


def of_polarity(analysis: Analysis, polarity: Polarity) -> list[str]:
    return [node.instantiation for node in analysis.nodes if node.polarity is polarity]


@pytest.mark.parametrize(
    "text",
    [
        "A funny story set outside England.",
        "A funny story set outside of England, please.",
        "A funny story that takes place outside England.",
        "A funny story from outside England.",
        "A funny story not set in England.",
        "A funny story that isn't set in England.",
        "A funny story that doesn't take place in England.",
        "A funny story set anywhere but England.",
        "A funny story set anywhere other than England.",
        "A funny film about a detective, set outside England.",
    ],
)
def test_a_place_that_a_story_is_to_be_set_outside_of_is_unwanted(read: Read, text: str) -> None:
    analysis = read(text)
    assert of_polarity(analysis, Polarity.AVOID) == ["England"]
    assert "England" not in " ".join(of_polarity(analysis, Polarity.WANT))


@pytest.mark.parametrize(
    "text",
    [
        "A story set in England.",
        "A story about a village outside Paris.",
        "A place with tables outside.",
        "Set outside.",
    ],
)
def test_outside_a_wish_for_a_place_nothing_is_refused(read: Read, text: str) -> None:
    assert of_polarity(read(text), Polarity.AVOID) == []


@pytest.mark.parametrize(
    ("text", "unwanted", "wanted"),
    [
        ("A comedy, nothing where a parent dies or is ill.", ["parent dies", "ill"], ["comedy"]),
        ("A comedy, nothing where a parent dies, but with music.", ["parent dies"], ["comedy", "music"]),
        ("No film in which a dog dies.", ["dog dies"], []),
        ("No movies where the hero dies. Something warm.", ["hero dies"], ["warm"]),
        ("I don't want a film where someone has cancer or loses a child.", ["cancer", "loses a child"], []),
        ("Avoid stories in which children suffer or die.", ["children suffer", "die"], []),
        ("A comedy but no film in which somebody gets hurt.", ["gets hurt"], ["comedy"]),
        ("Nothing in which people fight, and funny.", ["fight"], ["funny"]),
        ("A comedy with no kids as pilots.", ["kids as pilots"], ["comedy"]),
        ("I usually like horror but tonight I'd rather have romance.", [], ["romance"]),
        ("My wife normally loves westerns, but this time she wants a comedy.", [], ["comedy"]),
        ("A comedy where no parent dies.", ["parent dies"], ["comedy"]),
        ("A comedy, no animals get hurt.", ["animals get hurt"], ["comedy"]),
        ("A film where none of the children is killed.", ["children is killed"], []),
        ("A film where the mother doesn't die.", ["die"], []),
        ("A western in which a horse never suffers, please.", ["suffers"], ["western"]),
        ("A comedy with not more than 15 minutes of fighting.", ["fighting"], ["comedy"]),
        ("A comedy with at most a few scenes of violence.", ["violence"], ["comedy"]),
    ],
)
def test_all_of_a_clause_that_no_item_may_have_is_unwanted(
    read: Read, text: str, unwanted: list[str], wanted: list[str]
) -> None:
    analysis = read(text)
    assert of_polarity(analysis, Polarity.AVOID) == unwanted
    assert [words for words in of_polarity(analysis, Polarity.WANT) if words not in ("film", "movies")] == wanted


@pytest.mark.parametrize("text", ["A film in which a dog saves a boy.", "A town where a dog saves a boy."])
def test_a_clause_that_is_wished_for_stays_wished_for(read: Read, text: str) -> None:
    analysis = read(text)
    assert of_polarity(analysis, Polarity.AVOID) == []
    assert "dog" in " ".join(of_polarity(analysis, Polarity.WANT))


@pytest.mark.parametrize(
    ("feature", "text", "expected"),
    [
        ("no death (theme).", "Deaths are few and not bloody.", P),
        ("no death at all (theme).", "Deaths are few and not bloody.", X),
        ("不要死亡。", "Deaths are few and not bloody.", P),
        ("不要死亡。", "死亡很少。", P),
        ("no violence.", "Violence is rare.", P),
        ("no death (theme).", "Corpses are not dwelt upon.", P),
        ("no death (theme).", "It does not dwell on death.", P),
        ("no death (theme).", "Nobody dies.", S),
        ("no parent dies (theme).", "No animal dies on screen.", N),  # which says nothing of parents
        ("no parent dies (theme).", "No parent dies.", S),
        ("no parent dies (theme).", "Nobody dies.", S),
        ("no parent dies (theme).", "The parents die in a fire.", X),
        ("no death (theme).", "There are few deaths, and no death is shown.", P),
        ("no violence.", "There is no violence.", S),
        ("death (theme).", "Deaths are few.", X),  # who looks for them finds hardly any
        ("not too violent.", "Violence is rare.", S),
    ],
)
async def test_few_is_not_none(feature: str, text: str, expected: Label) -> None:
    encoders = CachedEmbedder(minilm()), CachedEmbedder(use())
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    assert found.label is expected

"""Quotes that say that a thing is missing speak against the wish for it, in both languages (METHOD 7.1, 12)."""

import pytest

from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.chinese.judging import label_in_both
from pdgf.engines.builtin.hedges import sends_away
from pdgf.models import Label
from pdgf.ports import RelationRequest
from tests.local_models import minilm, use

S, N, X = Label.SUPPORT, Label.NOT_ADDRESSED, Label.CONTRADICTS


@pytest.fixture(scope="module")
def encoders() -> tuple[CachedEmbedder, CachedEmbedder]:
    return CachedEmbedder(minilm()), CachedEmbedder(use())


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("A meatless menu with a long tradition.", "must have meat.", X),
        ("A meatless menu with a long tradition.", "vegetarian (diet).", S),
        ("A meatless menu with a long tradition.", "no meat (dish).", S),
        ("Somebody dies early.", "no dies at all (theme).", X),
        ("A single death is told in passing.", "no dies at all (theme).", X),
        ("Nobody dies in it.", "no killed at all (theme).", S),
        ("He was bored to death.", "no dies at all (theme).", N),
        ("Violence: strong", "no dies at all (theme).", X),
        ("Violence: none", "no dies at all (theme).", N),
        ("Little dogs meet accidental deaths.", "no dies at all (theme).", X),
        ("A boneless fish.", "bones.", X),
        ("Hunters may miss game, for only fish is cooked.", "game (dish).", X),
        ("Readers will miss a strong plot.", "strong plot.", X),
        ("You may miss the jokes if you blink.", "jokes.", S),
        ("Adults who need riddles or plot twists will miss them here.", "plot twists.", X),
        ("Adults who need riddles or plot twists will miss them here.", "反转。", X),
        ("Those who need jokes have the wrong film.", "jokes.", X),
        ("Those who need a mystery get three.", "mystery (genre).", S),
        ("Vegans and vegetarians have next to nothing.", "vegan (diet).", X),
        ("Vegans and vegetarians have plenty.", "vegan (diet).", S),
        ("Songs from end to end, and none of it is jazz.", "jazz.", X),
        ("A comedy without a villain.", "villain.", X),
        ("看不到反转。", "反转。", X),
        ("这里少了反转。", "反转。", X),
        ("需要笑料的观众会失望。", "humour.", X),
        ("缺少笑料。", "幽默（基调）。", X),
        ("没有爱情线。", "爱情。", X),
    ],
)
async def test_a_quote_of_absence_speaks_against_the_wish(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, feature: str, expected: Label
) -> None:
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    assert found.label is expected


@pytest.mark.parametrize(
    ("sentence", "away"),
    [
        ("Grown-ups who need riddles will miss them.", True),
        ("Anyone wanting speed has the wrong train.", True),
        ("Those looking for quiet will find little of it.", True),
        ("Those looking for quiet will find plenty of it.", False),
        ("A widow who wants revenge will not rest.", False),
    ],
)
def test_who_is_told_to_look_elsewhere_is_told_apart_from_who_is_served(sentence: str, away: bool) -> None:
    assert sends_away(sentence) is away


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Painful injuries, but little gore.", "no violence at all (content).", N),
        ("It is never gory.", "no killing (content).", N),
        ("A very gory film.", "no violence at all (content).", X),
        ("No violence and no gore.", "no violence (content).", S),
        ("There are no gunfights, but much brawling and fighting.", "no violence (content).", X),
        ("Nobody commits a murder.", "no death (theme).", N),
        ("There is no murder in it.", "no murder (theme).", S),
        ("A murder opens the book.", "no death (theme).", X),
        ("There is no nudity.", "no nudity (content).", S),
        ("There is no nudity.", "no sex (content).", N),
        ("A lot of nudity.", "no sex (content).", X),
        ("There is no gore.", "no gore (content).", S),
    ],
)
async def test_who_denies_a_part_of_a_thing_does_not_deny_the_thing(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, feature: str, expected: Label
) -> None:
    [found] = await label_in_both([RelationRequest(text=text, feature=feature)], *encoders)
    assert found.label is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Small children will be bored.", Label.NOT_ADDRESSED),
        ("It is an idea that children grasp at once.", Label.NOT_ADDRESSED),
        ("A child is murdered in the first minutes.", Label.CONTRADICTS),
        ("The little boy dies.", Label.CONTRADICTS),
        ("His little daughter is murdered.", Label.CONTRADICTS),
        ("Nobody dies.", Label.SUPPORT),
    ],
)
async def test_what_is_said_of_a_child_says_nothing_of_its_death(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, expected: Label
) -> None:
    [found] = await label_in_both([RelationRequest(text=text, feature="no child dies (theme).")], *encoders)
    assert found.label is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog is shot.", Label.CONTRADICTS),
        ("Somebody kills the dog.", Label.CONTRADICTS),
        ("The dog survives.", Label.SUPPORT),
        ("Animal death: no", Label.SUPPORT),
        ("The dog has the best jokes.", Label.NOT_ADDRESSED),
    ],
)
async def test_that_a_dog_dies_is_known_by_how_it_is_told(
    encoders: tuple[CachedEmbedder, CachedEmbedder], text: str, expected: Label
) -> None:
    [found] = await label_in_both([RelationRequest(text=text, feature="no dog dies (theme).")], *encoders)
    assert found.label is expected

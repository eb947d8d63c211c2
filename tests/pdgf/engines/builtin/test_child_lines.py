"""What a child of some age needs of an item besides the age that it is suitable from."""

import pytest

from pdgf.constraints.children import AGE_OF_CHILDREN, age_of_child, keys_for_children
from pdgf.constraints.metadata import schema_of
from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.child_lines import GROWING, LONGEST, PATIENT, SMALL, child_ruling
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Candidate, Label, Node, Polarity
from pdgf.ports import RelationRequest
from pdgf.usage import Budget
from tests.local_models import minilm, parser

S, P, X = Label.SUPPORT, Label.PARTIAL, Label.CONTRADICTS


@pytest.fixture(scope="module")
def agent() -> BuiltinAgent:
    return BuiltinAgent(parser=parser(), embedder=minilm(), vocabulary=Vocabulary())


@pytest.mark.parametrize(
    ("lines", "wish", "expected"),
    [
        ("Suitable from age: 7\nGenres: animation, family", "nine-year-old (audience).", S),
        ("Suitable from age: 7\nGenres: documentary", "nine-year-old (audience).", P),
        ("Suitable from age: 7\nGenres: family\nViolence: strong", "nine-year-old (audience).", X),
        ("Suitable from age: 0\nGenres: family\nFrightening: moderate", "six-year-old (audience).", X),
        ("Suitable from age: 0\nGenres: family\nFrightening: moderate", "eleven-year-old (audience).", S),
        ("Suitable from age: 0\nGenres: family\nLength: 180 minutes", "six-year-old (audience).", P),
        ("Suitable from age: 12\nGenres: family", "nine-year-old (audience).", X),
        ("Suitable from age: 0\nGenres: family", "kids (audience).", S),
        ("Suitable from age: 0\nGenres: documentary", "kids (audience).", P),
        ("Suitable from age: 0\nGenres: family", "family film (audience).", S),
    ],
)
async def test_an_item_for_a_child_is_made_for_children_and_harmless(
    agent: BuiltinAgent, lines: str, wish: str, expected: Label
) -> None:
    label = (await agent.label_relations([RelationRequest(text=lines, feature=wish)], Budget()))[0]
    assert label.label is expected
    assert all(quote in lines for quote in label.quotes)


@pytest.mark.parametrize("wish", ["adults (audience).", "funny (tone).", "no kids (audience)."])
def test_other_wishes_are_left_to_the_other_rules(wish: str) -> None:
    assert child_ruling(read_feature(wish), {"Violence: strong": ("violence", "strong")}) is None


@pytest.mark.parametrize(
    ("age", "level", "expected"),
    [
        (SMALL, "moderate", Finding.AGAINST),
        (SMALL + 1, "moderate", None),
        (GROWING - 1, "strong", Finding.AGAINST),
        (GROWING, "strong", None),
    ],
)
def test_how_much_is_too_much_depends_on_the_age(age: int, level: str, expected: Finding | None) -> None:
    found = child_ruling(read_feature(f"{age}-year-old (audience)."), {f"Gore: {level}": ("gore", level)})
    assert (found and found[0]) is expected


@pytest.mark.parametrize(
    ("age", "minutes", "long"), [(PATIENT - 1, LONGEST + 1, True), (PATIENT, LONGEST + 1, False), (5, LONGEST, False)]
)
def test_a_long_film_is_not_for_a_small_child(age: int, minutes: int, long: bool) -> None:
    line = f"Length: {minutes} minutes"
    found = child_ruling(read_feature(f"{age}-year-old (audience)."), {line: ("length", f"{minutes} minutes")})
    assert (found is not None) is long


def test_children_of_no_stated_age_are_school_children() -> None:
    assert age_of_child("something for the kids") == AGE_OF_CHILDREN
    assert age_of_child("my six-year-old and my ten-year-old") == 6
    assert age_of_child("grown-ups") is None


def node(words: str, perspective: str = "audience", polarity: Polarity = Polarity.WANT) -> Node:
    return Node(
        id="n", atom="a1", perspective=perspective, instantiation=words, polarity=polarity, order=0, span=(0, 1)
    )


def test_a_wish_for_a_child_asks_for_the_lines_that_decide_it() -> None:
    of_age = {"suitable_from_age": 7, "genres": ["family"], "violence": "none", "studio": "Nowhere"}
    films = schema_of([Candidate(id="1", title="A", metadata=of_age)])
    places = schema_of([Candidate(id="1", title="A", metadata={"good_for_children": True, "genres": ["bar"]})])
    assert set(keys_for_children(node("six-year-old"), films)) == {"suitable_from_age", "genres", "violence"}
    assert keys_for_children(node("six-year-old"), places) == ()
    assert keys_for_children(node("six-year-old", "theme"), films) == ()
    assert keys_for_children(node("kids", polarity=Polarity.AVOID), films) == ()

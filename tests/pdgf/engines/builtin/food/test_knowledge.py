"""The lexicon of food: whole, and read in the singular and the plural."""

from hypothesis import given
from hypothesis import strategies as st

from pdgf.engines.builtin.food.judging import PERSPECTIVES
from pdgf.engines.builtin.food.knowledge import food_lexicon, food_mentions, names_food


def test_every_concept_that_another_one_refers_to_is_there() -> None:
    concepts = food_lexicon().concepts
    told = {name for c in concepts.values() for name in (*c.is_of, *c.often, *c.rules_out)}
    told |= {name for names in food_lexicon().shows.values() for name in names}
    assert told <= concepts.keys()


def test_every_concept_has_a_perspective_that_dishes_are_judged_by() -> None:
    assert {concept.perspective for concept in food_lexicon().concepts.values()} <= PERSPECTIVES


def test_no_concept_rules_out_what_it_always_is() -> None:
    lexicon = food_lexicon()
    assert not [name for name, one in lexicon.concepts.items() if lexicon.above(name) & set(one.rules_out)]


def test_a_kind_of_food_is_all_that_its_class_is() -> None:
    assert {"salmon", "fish", "seafood"} <= food_lexicon().above("salmon")


def test_the_plural_names_what_the_singular_names() -> None:
    for one, many in (("tomato", "tomatoes"), ("berry", "berries"), ("peach", "peaches"), ("leek", "leeks")):
        [single], [several] = food_mentions(one), food_mentions(many)
        assert single.concepts == several.concepts, many


def test_the_longest_expression_counts() -> None:
    [mention] = food_mentions("peanut butter")
    assert mention.concepts == ("peanut",)


def test_a_word_about_anything_else_names_no_food() -> None:
    assert not names_food("The Long Goodbye")
    assert names_food("Leek and potato soup")


@given(st.text(max_size=60))
def test_mentions_stand_in_the_text_in_order(text: str) -> None:
    mentions = food_mentions(text)
    assert all(0 <= m.start < m.end <= len(text) for m in mentions)
    assert [m.start for m in mentions] == sorted(m.start for m in mentions)

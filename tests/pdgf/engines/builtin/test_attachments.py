"""Which wishes qualify which, by kinds of wording (METHOD 4.3, 12). The sentences are this file's own."""

from collections.abc import Callable

import pytest

from pdgf.engines.builtin.reading import Analysis

Read = Callable[[str], Analysis]


def links(analysis: Analysis) -> set[tuple[str, str]]:
    named = {node.id: node.instantiation for node in analysis.nodes}
    return {(named[link.base], named[link.qualifier]) for link in analysis.attachments}


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        # by what means
        ("A marriage shown through silence.", {("marriage", "silence")}),
        ("Tension created through silence.", {("Tension", "silence")}),
        ("Loyalty tested by means of small lies.", {("Loyalty", "small lies")}),
        ("Fear built by way of waiting and whispers.", {("Fear", "waiting"), ("Fear", "whispers")}),
        (
            "A rivalry seen from outside, through rumours instead of duels.",
            {("rivalry", "rumours"), ("rivalry", "duels")},
        ),
        # what is said of a noun by a verb
        ("A western in which the sheriff is old and tired.", {("sheriff", "old"), ("sheriff", "tired")}),
        ("A saga in which the battles stay rare and the talk stays witty.", {("battles", "rare"), ("talk", "witty")}),
        ("Dialogue that is quick and is not a lecture.", {("Dialogue", "quick"), ("Dialogue", "lecture")}),
        ("A garden café, and the garden must be shady.", {("garden café", "shady")}),
        # how much of it
        ("A mystery with a little romance on the side, told through letters.", {("romance", "on the side")}),
        ("A heist with friendship in the background.", {("friendship", "in the background")}),
        # but
        ("A curse, but so rare that few believe in it.", {("curse", "rare")}),
        ("A film about revenge, but revenge that is regretted.", {("revenge", "regretted")}),
        # why, and of what kind
        ("A hero who is funny because he misreads everyone.", {("funny", "misreads")}),
        ("Rivalry, the kind that ends in respect.", {("Rivalry", "respect")}),
        ("Humour for grown-ups: dry and sly.", {("Humour", "dry")}),
        ("Spicy food where everyone can choose the heat.", {("Spicy", "choose the heat")}),
    ],
)
def test_what_qualifies_a_wish_is_tied_to_it(read: Read, text: str, drawn: set[tuple[str, str]]) -> None:
    assert drawn <= links(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "A Japanese crime story, gentle.",
        "A comedy, a romance or a western.",
        "A film for small children with cats.",
        "A quiet place with parking.",
        "Humour and friendship.",
        "A romance, sad.",
    ],
)
def test_what_is_said_of_the_item_qualifies_no_other_wish(read: Read, text: str) -> None:
    assert links(read(text)) == set()


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("A mystery where the detective is wrong.", "mystery"),
        ("A fantasy in which the magic is costly.", "fantasy"),
    ],
)
def test_what_a_clause_is_about_is_not_what_it_says(read: Read, text: str, base: str) -> None:
    assert base not in {drawn for drawn, _ in links(read(text))}

"""Something like a named item: what the wish says and what of it a text bears out."""

import pytest

from pdgf.engines.builtin.findings import Finding
from pdgf.engines.builtin.likeness import likeness_finding
from pdgf.likeness import MAX_WORDS, MOST_NODES, likeness_wishes, traits_in

TRAITS = ("drama", "mystery", "Ada Winter", "memory", "lighthouse", "storm", "first love")


def test_one_reference_is_dealt_into_several_wishes_and_many_into_one_each() -> None:
    alone = likeness_wishes("Lantern Hill", 1984, TRAITS, references=1)
    assert alone == [
        "similar to Lantern Hill (1984): drama; memory; first love",
        "similar to Lantern Hill (1984): mystery; lighthouse",
        "similar to Lantern Hill (1984): Ada Winter; storm",
    ]
    [among_many] = likeness_wishes("Lantern Hill", None, TRAITS, references=MOST_NODES)
    assert among_many == f"similar to Lantern Hill: {'; '.join(TRAITS)}"


@pytest.mark.parametrize("references", [0, 1, 2, 3, 5, 40])
def test_wishes_hold_each_trait_once_as_far_as_there_is_room(references: int) -> None:
    traits = [f"trait number {number}" for number in range(60)] + ["Trait number 0", "a;b"]
    wishes = likeness_wishes("X", None, traits, references=references)
    assert len(wishes) <= max(1, MOST_NODES // max(references, 1))
    said = [trait for wish in wishes for trait in traits_in(wish)]
    assert len(said) == len(set(said))
    assert all(sum(len(trait.split()) for trait in traits_in(wish)) <= MAX_WORDS for wish in wishes)


def test_a_feature_is_read_back_and_no_other_text_is() -> None:
    [wish] = likeness_wishes("Alien: Dawn", 1984, TRAITS, references=MOST_NODES)
    assert traits_in(f"{wish}.")[-3:] == TRAITS[-3:]
    assert traits_in("similar to Lantern Hill.") == ()
    assert traits_in("a tense mystery: quiet.") == ()


@pytest.mark.parametrize(
    ("pieces", "finding", "quote"),
    [
        (["Genres: Drama, mystery", "Themes: memory"], Finding.FOR, "Genres: Drama, mystery"),
        (["Genres: drama, comedy"], Finding.PARTLY, "Genres: drama, comedy"),
        (["Nothing of the kind.", "A storm keeps two people and their memory awake."], Finding.FOR,
         "A storm keeps two people and their memory awake."),
        (["Melodramatic, and the stormy kind of lightness."], None, ""),
    ],
)  # fmt: skip
def test_two_traits_make_an_item_like_another_and_one_makes_it_so_in_part(
    pieces: list[str], finding: Finding | None, quote: str
) -> None:
    assert likeness_finding(TRAITS, pieces) == (None if finding is None else (finding, quote))

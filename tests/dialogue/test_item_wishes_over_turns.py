"""Conditions of an item over several turns: ages, forms, makers, countries, permissions, replacements, slips."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines import changes
from dialogue.models import ConstraintValue, DialogueState, EditKind, Mention, StateEdit
from dialogue.state import apply_edits
from dialogue.wish_words import refuses
from tests.dialogue.test_wishes_over_turns import chat

FILMS, EAT = bundled_domain("movies"), bundled_domain("restaurants")


@pytest.mark.parametrize(
    ("domain", "text", "values"),
    [
        ("movies", "It's for my kids, the youngest is six", {"kids", "the youngest is six!"}),
        ("books", "A fantasy. My daughter is ten.", {"fantasy", "daughter is ten!"}),
        ("anime", "An adventure for kids", {"adventure", "kids"}),
        ("anime", "A film, not a series, about sports", {"film!", "not a series!", "sports"}),
        ("books", "A novel, not short stories, about war", {"novel!", "not short stories!", "war"}),
        ("books", "A graphic novel", {"graphic novel"}),
        ("movies", "A documentary about music", {"documentary", "music"}),
        ("movies", "Live action, not animation", {"Live action!", "not animation!"}),
        ("anime", "Fantasy, not from Ghibli", {"Fantasy", "not from Ghibli!"}),
        ("movies", "An adventure, nothing by Spielberg", {"adventure", "nothing by Spielberg!"}),
        ("books", "Something by Le Guin", {"Le Guin"}),
        ("movies", "A horor film", {"horor"}),
        ("restaurants", "Itallian in Old Harbor", {"Itallian!", "Old Harbor!"}),
        ("restaurants", "Parking is a must, in Riversid", {"Parking!", "Riversid!"}),
        ("restaurants", "No stairs, in Riverside", {"No stairs!", "Riverside!"}),
    ],
)
async def test_what_an_item_is_is_heard_in_the_words_of_the_user(domain: str, text: str, values: set[str]) -> None:
    assert (await chat(domain, text)).values == values


async def test_a_permitted_nationality_widens_the_standing_country_to_one_node() -> None:
    told = await chat("movies", "A drama from Japan or France", "British is fine too")
    assert told.values == {"drama", "Japan or France", "British"}
    assert told.nodes == {"drama", "Japan or France or British"}


async def test_a_permitted_form_stands_beside_the_other_and_is_no_longer_refused() -> None:
    told = await chat("anime", "A film, not a series, about friendship", "A series is fine too")
    assert "not a series!" not in told.values
    assert "film or series!" in told.nodes or "film or series" in told.nodes


@pytest.mark.parametrize(
    ("domain", "texts", "stays"),
    [
        ("movies", ("A comedy, no romance", "Make it science fiction instead"), "no romance!"),
        ("anime", ("A film, not from Ghibli", "Make it a series instead"), "not from Ghibli!"),
        ("restaurants", ("Italian, not in Riverside", "Old Harbour"), "not in Riverside!"),
    ],
)
async def test_a_wish_that_replaces_another_leaves_what_is_refused(
    domain: str, texts: tuple[str, ...], stays: str
) -> None:
    assert stays in (await chat(domain, *texts)).values


def test_a_replaced_wish_goes_and_a_refusal_under_its_key_stays() -> None:
    said = {"genre": tuple(ConstraintValue(text=text, span=(1, 0, 1)) for text in ("comedy", "no romance"))}
    edit = StateEdit(
        kind=EditKind.ADD, key="genre", text="western", span=(2, 0, 7), mention=Mention.STATED, replaces=True
    )
    after = apply_edits(DialogueState(soft_constraints=said), [edit], FILMS)
    assert [value.text for value in after.soft_constraints["genre"]] == ["no romance", "western"]


@pytest.mark.parametrize(
    ("words", "is_refusal"),
    [
        ("no romance", True),
        ("not from Ghibli", True),
        ("too sad", True),
        ("less noisy", False),
        ("no longer than two hours", False),
        ("not older than 1990", False),
        ("romance", False),
    ],
)
def test_limits_and_comparisons_give_way_to_what_is_asked_instead(words: str, is_refusal: bool) -> None:
    assert refuses(words) is is_refusal


@pytest.mark.parametrize(
    "said",
    [
        "I don't mind paying more",
        "Money is no object",
        "I'd be happy to pay a bit more",
        "We can spend more",
        "It can be more expensive",
        "The price is not an issue",
    ],
)
async def test_whoever_would_pay_more_takes_the_price_back(said: str) -> None:
    assert (await chat("restaurants", "Cheap ramen in Riverside", said)).values == {"ramen!", "Riverside!"}


def test_paying_takes_back_prices_and_nothing_else() -> None:
    rows = {"price_range": "cheap", "cuisine_type": "Thai"}
    known = DialogueState(
        soft_constraints={key: (ConstraintValue(text=text, span=(1, 0, 1)),) for key, text in rows.items()}
    )
    assert [edit.text for edit in changes.taken_back("paying more", known, EAT)] == ["cheap"]

"""A title said to have been liked that the catalogue does not have is named as unknown and is no wish."""

import pytest

from dialogue.unknown_titles import unknown_liked
from pdgf.models import Candidate
from tests.dialogue.talks import talk, wishes

FILMS = (
    Candidate(id="a", title="Copper Moon", metadata={"directors": ["Ada Quill"], "country": "Norway"}),
    Candidate(id="b", title="The Salt Road", metadata={"genres": ["western"]}),
)


@pytest.mark.parametrize(
    ("text", "titles", "missing"),
    [
        ("I liked Drumfall; something with music", ["Drumfall"], ["Drumfall"]),
        ("I loved Drumfall and Copper Moon", ["Drumfall", "Copper Moon"], ["Drumfall"]),
        ("we enjoyed Salt Road", ["Salt Road"], []),
        ("I loved Ada Quill", ["Ada Quill"], []),
        ("I loved Norway", ["Norway"], []),
        ("I love Tarn Ember", ["Tarn Ember"], []),
        ("my favourite film is Drumfall", ["Drumfall"], ["Drumfall"]),
        ("I hated Drumfall", ["Drumfall"], []),
    ],
)
def test_only_what_is_no_title_and_no_other_value_is_unknown(text: str, titles: list[str], missing: list[str]) -> None:
    assert list(unknown_liked(text, titles, FILMS)) == missing


def test_without_a_catalogue_nothing_is_known_to_be_missing() -> None:
    assert unknown_liked("I liked Drumfall", ["Drumfall"], ()) == ()


async def test_a_liked_title_that_is_not_there_is_named_and_asked_of_no_film() -> None:
    async with talk("movies") as say:
        view = await say("I liked Drumfall and The Piano; something with music, intense")
    assert "I do not know “Drumfall”" in view.reply
    assert view.reply.count("Drumfall") == 1
    assert not any("Drumfall" in wish for wish in wishes(view.state))
    assert not any("Drumfall" in str(node) for node in view.graph.graph["nodes"])
    assert view.items


async def test_it_is_said_too_where_nothing_else_is_wished_for() -> None:
    async with talk("books") as say:
        view = await say("I loved Drumfall")
    assert view.reply.startswith("I do not know “Drumfall”; it is not among the books I have.")

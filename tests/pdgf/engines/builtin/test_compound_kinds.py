"""A kind of a kind is met in full only where what tells it apart is named (METHOD 7.1, 12)."""

import pytest

from pdgf.embedding import MiniLMEmbedder
from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.compound_kinds import compound_kind
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Label
from pdgf.ports import RelationRequest
from pdgf.usage import Budget

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS
QUIET = "He waits for a train."


@pytest.fixture(scope="module")
def agent() -> BuiltinAgent:
    return BuiltinAgent(parser=EnglishParser(), embedder=MiniLMEmbedder(), vocabulary=Vocabulary())


@pytest.mark.parametrize(
    ("text", "feature", "expected", "quote"),
    [
        (f"{QUIET}\nGenres: comedy, drama", "courtroom drama (genre).", P, "Genres: comedy, drama"),
        (f"{QUIET}\nGenres: drama, courtroom", "courtroom drama (genre).", S, "Genres: drama, courtroom"),
        (f"A tense courtroom.\n{QUIET}\nGenres: drama", "courtroom drama (genre).", S, "A tense courtroom."),
        ("He was a lawyer once.\nGenres: drama", "courtroom drama (genre).", P, None),
        (f"{QUIET}\nGenres: comedy, courtroom", "courtroom drama (genre).", P, "Genres: comedy, courtroom"),
        (f"{QUIET}\nGenres: crime, thriller", "legal thriller (genre).", P, "Genres: crime, thriller"),
        (f"{QUIET}\nGenres: drama", "submarine drama (genre).", P, "Genres: drama"),
        (f"Below, the submarine creaks.\n{QUIET}\nGenres: drama", "submarine drama (genre).", S, None),
        ("Her family comes for lunch.\nGenres: comedy", "family saga (genre).", P, None),
        (f"{QUIET}\nGenres: literary, family saga", "family saga (genre).", S, "Genres: literary, family saga"),
        (f"{QUIET}\nGenres: comedy", "romantic comedy (genre).", P, "Genres: comedy"),
        (f"{QUIET}\nGenres: comedy, romance", "romantic comedy (genre).", S, "Genres: comedy, romance"),
        (f"{QUIET}\nGenres: drama", "no courtroom drama (genre).", N, None),
        (f"{QUIET}\nGenres: drama, courtroom", "no courtroom drama (genre).", X, "Genres: drama, courtroom"),
        ("They wander along the coast.", "road movie (genre).", N, None),
        ("Two friends on a road trip.", "road movie (genre).", S, None),
    ],
)
async def test_the_wider_kind_alone_is_a_part_of_a_wish_for_a_narrower_one(
    agent: BuiltinAgent, text: str, feature: str, expected: Label, quote: str | None
) -> None:
    (found,) = await agent.label_relations([RelationRequest(text=text, feature=feature)], Budget())
    assert found.label is expected
    assert quote is None or found.quotes == (quote,)


@pytest.mark.parametrize(
    "words", ["drama", "clever heist", "good thriller", "classic western", "gentle comedy", "science fiction", "saga"]
)
def test_a_plain_kind_and_one_with_a_quality_are_no_compound(words: str) -> None:
    assert compound_kind(words, "genre") is None


def test_only_kinds_are_compounds_and_alternatives_are_none() -> None:
    assert compound_kind("courtroom drama", "genre") is not None
    assert compound_kind("courtroom drama", "tone") is None
    assert compound_kind("science fiction or horror", "genre") is None

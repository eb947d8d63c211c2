"""What genres, graded content and single facts of an item decide before the words of a note do."""

import pytest

from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Label
from pdgf.ports import RelationRequest
from pdgf.usage import Budget
from tests.local_models import minilm, parser

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


@pytest.fixture(scope="module")
def agent() -> BuiltinAgent:
    return BuiltinAgent(parser=parser(), embedder=minilm(), vocabulary=Vocabulary())


@pytest.mark.parametrize(
    ("text", "feature", "expected", "quote"),
    [
        ("The last ghost is scary.\nFrightening: none", "scary.", X, "Frightening: none"),
        ("The last ghost is scary.\nFrightening: mild", "scary.", P, "Frightening: mild"),
        ("A soft film.\nFrightening: strong", "scary.", S, "Frightening: strong"),
        ("Talk of gore abounds.\nGore: none", "no gore, as in “crime gore”, in the context of crime.", S, "Gore: none"),
        ("Two private detectives are kind.\nGenres: drama, romance", "detective (genre).", P, None),
        ("A detective asks around.\nGenres: crime, drama", "detective (genre).", S, None),
        ("Mournful music plays.\nGenres: war, drama", "music (genre).", P, None),
        ("It begins in a bar.\nCountry: United States", "no America.", P, "Country: United States"),
        ("It begins in a bar.\nCountry: France", "no America.", N, None),
        ("It begins in a bar.\nCountry: United States", "not set in America.", P, "Country: United States"),
    ],
)
async def test_what_is_listed_or_graded_decides_and_the_quote_says_so(
    agent: BuiltinAgent, text: str, feature: str, expected: Label, quote: str | None
) -> None:
    (found,) = await agent.label_relations([RelationRequest(text=text, feature=feature)], Budget())
    assert found.label is expected
    if quote is not None:
        assert found.quotes == (quote,)


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("Plastic trays and a music video screen.", "live music (atmosphere)."),
        ("A television with music quizzes.", "live music (atmosphere)."),
        ("Two silent-film stars learn to sing.", "quiet (noise)."),
        ("The horror comes on quietly.", "quiet (tone)."),
        ("A shy boy trains a hawk.", "train."),
        ("An odd new child moves in next door.", "strangers."),
        ("The comic books of his youth.", "funny (tone)."),
    ],
)
async def test_a_word_in_a_compound_or_another_use_is_no_evidence_in_full(
    agent: BuiltinAgent, text: str, feature: str
) -> None:
    (found,) = await agent.label_relations([RelationRequest(text=text, feature=feature)], Budget())
    assert found.label in (N, P)
    (plain,) = await agent.label_relations(
        [RelationRequest(text=f"{text} {PLAINLY[feature]}", feature=feature)], Budget()
    )
    assert plain.label is S


PLAINLY = {
    "live music (atmosphere).": "A band plays live music on Fridays.",
    "quiet (noise).": "It is quiet.",
    "quiet (tone).": "It is a quiet film.",
    "train.": "It happens on a train.",
    "strangers.": "Two strangers meet.",
    "funny (tone).": "It is very funny.",
}


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("The love story is at the centre of it all.", "subplot (prominence), in the context of love story.", X),
        ("没剧情，一口气看完容易犯困。", "no slow (pace).", X),
        ("没剧情，一口气看完容易犯困。", "不要慢（节奏）。", X),
        ("Few romances are this slow.", "slow (pace).", S),
        ("Few romances are this slow.", "no slow (pace).", X),
    ],
)
async def test_a_quote_that_says_the_contrary_counts_against(
    agent: BuiltinAgent, text: str, feature: str, expected: Label
) -> None:
    (found,) = await agent.label_relations([RelationRequest(text=text, feature=feature)], Budget())
    assert found.label is expected

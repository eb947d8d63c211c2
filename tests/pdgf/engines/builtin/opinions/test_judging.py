"""Opinions in labels: praise supports, blame contradicts, of places and of films and books; other wishes keep their
rules."""

import pytest

from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.opinions import judging
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Label
from pdgf.ports import RelationRequest
from pdgf.usage import Budget
from tests.local_models import minilm, parser

GOOD, BAD, SILENT = (Label.SUPPORT, Label.PARTIAL), (Label.CONTRADICTS,), (Label.NOT_ADDRESSED,)


@pytest.fixture(scope="module")
def agent() -> BuiltinAgent:
    return BuiltinAgent(parser=parser(), embedder=minilm(), vocabulary=Vocabulary())


async def labels(agent: BuiltinAgent, *pairs: tuple[str, str]) -> list[Label]:
    requests = [RelationRequest(text=text, feature=feature) for text, feature in pairs]
    return [found.label for found in await agent.label_relations(requests, Budget())]


@pytest.mark.parametrize(
    ("text", "feature", "expected"),
    [
        ("Our waiter was charming and helped us choose.", "friendly staff.", GOOD),
        ("The waitress was rude and rolled her eyes at us.", "friendly staff.", BAD),
        ("The waiter ignored us for half an hour.", "good service.", BAD),
        ("Everything came quickly and the service was excellent.", "good service.", GOOD),
        ("The soup was bland and the fish overcooked.", "really good food.", BAD),
        ("The dumplings are delicious.", "really good food.", GOOD),
        ("It has a lovely, relaxed atmosphere.", "a nice atmosphere.", GOOD),
        ("The acting is wooden throughout.", "great acting.", BAD),
        ("The lead gives a superb, nuanced performance.", "great acting.", GOOD),
        ("The prose is clumsy and overwritten.", "beautiful prose.", BAD),
        ("The prose is crisp and often beautiful.", "beautiful prose.", GOOD),
        ("The plot is predictable and the ending feels contrived.", "a clever plot.", BAD),
        ("The animation is stunning.", "beautiful animation.", GOOD),
    ],
)
async def test_praise_supports_and_blame_contradicts_a_wish_for_something_good(
    agent: BuiltinAgent, text: str, feature: str, expected: tuple[Label, ...]
) -> None:
    assert (await labels(agent, (text, feature)))[0] in expected


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ("There is a cinema across the street.", "friendly staff."),
        ("The camera rarely leaves the kitchen.", "great acting."),
        ("A detective returns to the island of his childhood.", "beautiful prose."),
    ],
)
async def test_a_sentence_about_something_else_says_nothing(agent: BuiltinAgent, text: str, feature: str) -> None:
    assert (await labels(agent, (text, feature)))[0] in SILENT


async def test_in_one_sentence_each_thing_has_its_own_opinion(agent: BuiltinAgent) -> None:
    text = "The cakes were wonderful, but the waiter was rude."
    food, staff = await labels(agent, (text, "really good food."), (text, "friendly staff."))
    assert food in GOOD
    assert staff in BAD


async def test_the_label_of_a_pair_is_the_same_alone_and_among_others(agent: BuiltinAgent) -> None:
    pairs = [
        ("The waitress was rude.", "friendly staff."),
        ("The prose is crisp.", "beautiful prose."),
        ("The acting is wooden.", "great acting."),
    ]
    together = await labels(agent, *pairs)
    assert [(await labels(agent, pair))[0] for pair in pairs] == together


async def test_other_wishes_and_metadata_lines_keep_their_rules(
    agent: BuiltinAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [
        ("A terrible, slow afternoon at the seaside.", "slow (pace)."),
        ("The story of two friends.", "story about friendship."),
        ("Violence: strong", "not too violent."),
        ("The waitress was rude.", "no rude staff."),
        ("The jokes are dull.", "humour (tone), in the context of romance."),
    ]
    heard = await labels(agent, *pairs)
    monkeypatch.setattr(judging, "_head", lambda: None)
    assert await labels(agent, *pairs) == heard


async def test_without_its_weights_the_judge_goes_by_rules_and_says_so(
    agent: BuiltinAgent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def damaged() -> None:
        raise judging.WeightsDamaged("changed")

    judging._head.cache_clear()
    monkeypatch.setattr(judging, "shipped_head", damaged)
    try:
        found = await labels(agent, ("Our waiter was friendly.", "friendly staff."))
        assert found[0] in GOOD
        assert "opinions are not weighed" in caplog.text
    finally:
        judging._head.cache_clear()

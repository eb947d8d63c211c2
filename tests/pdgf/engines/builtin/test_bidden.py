"""What is not to be brought, what is excepted, and what is not to happen in a story (METHOD 4.2)."""

from collections.abc import Callable

import pytest

from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.features import read_feature
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import Label, Polarity
from pdgf.ports import RelationRequest
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.local_models import minilm

Read = Callable[[str], Analysis]
S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


@pytest.fixture(scope="module")
def agent(parser: EnglishParser) -> BuiltinAgent:
    return BuiltinAgent(parser=parser, embedder=minilm(), vocabulary=Vocabulary())


def named(analysis: Analysis, polarity: Polarity) -> list[str]:
    return [node.instantiation.lower() for node in analysis.nodes if node.polarity is polarity]


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("don't give me anything scary", "scary"),
        ("Don't show me horror.", "horror"),
        ("please do not recommend musicals", "musicals"),
        ("don't suggest anything too violent", "violent"),
        ("don't send us slow films", "slow"),
        ("never offer my son horror", "horror"),
        ("don't make it sad", "sad"),
        ("don't let it be too long", "long"),
        ("I refuse to watch horror", "horror"),
        ("spare me the violence", "violence"),
        ("leave out superheroes", "superheroes"),
        ("please skip the gore", "gore"),
        ("go easy on the violence", "violence"),
        ("keep the violence to a minimum", "violence"),
        ("enough with the sequels", "sequels"),
        ("I'm over superhero films", "superhero"),
        ("done with horror", "horror"),
        ("no offence but I find musicals boring", "musicals"),
        ("if there's a jump scare I'm out", "jump scare"),
        ("war films are a no from me", "war"),
    ],
)
def test_what_is_not_to_be_brought_is_unwanted(read: Read, text: str, unwanted: str) -> None:
    assert named(read(text), Polarity.AVOID) == [unwanted]
    assert not named(read(text), Polarity.WANT)


@pytest.mark.parametrize(
    "text", ["give me horror", "show me horror please", "don't you have horror", "include horror", "let it be horror"]
)
def test_what_is_to_be_brought_is_wished_for(read: Read, text: str) -> None:
    assert named(read(text), Polarity.WANT) == ["horror"]


@pytest.mark.parametrize("text", ["a comedy, I don't need romance", "a comedy which does not need romance"])
def test_what_is_not_needed_is_neither_wished_for_nor_refused(read: Read, text: str) -> None:
    assert [node.instantiation for node in read(text).nodes] == ["comedy"]


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("no horror except psychological horror", "horror"),
        ("no violence, except in war films", "violence"),
        ("nothing scary apart from ghosts", "scary"),
        ("no musicals other than old ones", "musicals"),
    ],
)
def test_what_is_excepted_is_not_refused_and_the_refusal_no_condition(read: Read, text: str, unwanted: str) -> None:
    assert [(n.instantiation, n.polarity, n.hard) for n in read(text).nodes] == [(unwanted, Polarity.AVOID, False)]


@pytest.mark.parametrize("text", ["anything except horror", "I like everything except horror"])
def test_the_one_thing_that_is_excepted_is_refused(read: Read, text: str) -> None:
    assert named(read(text), Polarity.AVOID) == ["horror"]


@pytest.mark.parametrize("text", ["nothing except horror", "nothing but horror", "nothing other than horror"])
def test_what_nothing_else_is_wished_beside_is_wished_for(read: Read, text: str) -> None:
    assert named(read(text), Polarity.WANT) == ["horror"]


def test_what_is_not_to_happen_is_one_wish_without_whom_it_is_said_of(read: Read) -> None:
    found = read("a love story in which the couple does not end up together")
    assert [node.instantiation for node in found.nodes] == ["love story", "does not end up together"]


@pytest.mark.parametrize(
    ("feature", "text", "expected"),
    [
        ("do NOT end up together (theme).", "After years they end up together.", X),
        ("do NOT end up together (theme).", "They part and do not end up together.", S),
        ("don't end up together (theme).", "The couple spend nights together.", N),
        ("don't end up together (theme).", "They are not together.", N),
        ("never gives up (theme).", "She never gives up.", S),
        ("never gives up (theme).", "She gives up in the last scene.", X),
        ("never gives up (theme).", "A quiet film about a train.", N),
        ("gives up (theme).", "She never gives up.", X),
    ],
)
async def test_what_does_not_happen_is_met_where_it_is_denied(
    agent: BuiltinAgent, feature: str, text: str, expected: Label
) -> None:
    (found,) = await agent.label_relations([RelationRequest(text=text, feature=feature)], Budget())
    assert found.label is expected


def test_a_limit_that_is_said_by_a_denial_is_a_limit() -> None:
    assert not read_feature("must have won't sit through 3 hours (length).").avoid


def test_not_only_denies_nothing() -> None:
    assert not read_feature("does not only make you laugh.").avoid


async def test_contractions_without_their_apostrophes_are_read_as_with_them(agent: BuiltinAgent) -> None:
    written, right = "i dont want gore, cant stand musicals", "i don't want gore, can't stand musicals"
    found, meant = [await agent.extract_nodes(text, None, MethodConfig(), Budget()) for text in (written, right)]
    assert [node.polarity for node in found.nodes] == [Polarity.AVOID, Polarity.AVOID]
    assert [node.instantiation for node in found.nodes] == [node.instantiation for node in meant.nodes]
    assert [written[slice(*node.span)] for node in found.nodes] == ["gore", "musicals"]
    assert [written[slice(*atom.span)] for atom in found.atoms] == [atom.text for atom in found.atoms]


async def test_conditions_hold_where_they_were_written(agent: BuiltinAgent) -> None:
    written = "Im after a comedy, dont want gore, romance"
    start = written.index("romance")
    found = await agent.extract_nodes(written, [(start, start + 7)], MethodConfig(), Budget())
    assert [node.instantiation for node in found.nodes if node.hard] == ["romance"]

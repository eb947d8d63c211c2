"""What our own words of the narrative are read as: a wish of a question must never become a title to resemble."""

import pytest

from dialogue.models import ConstraintValue, DialogueState, KeptUtterance, Mention
from dialogue.narrative import render
from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.vocabulary import vocabulary_of
from pdgf.models import AtomKind, Candidate
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import HashingEmbedder

KNOWN = vocabulary_of(
    [
        Candidate(id="1", title="Paper Lanterns", metadata={"language": "English", "genres": ["comedy"]}),
        Candidate(id="2", title="Da Remo", metadata={"location": "Riverside", "cuisine": ["Italian"]}),
    ]
)
READER = BuiltinAgent(parser=EnglishParser(), embedder=HashingEmbedder(), vocabulary=KNOWN)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("is it in English?", "English"),
        ("Is the second one Italian?", "Italian"),
        ("are they in Riverside?", "Riverside"),
        ("does it have Robert Hale?", "Robert Hale"),
        ("does it have wifi?", "wifi"),
    ],
)
@pytest.mark.parametrize("mention", [Mention.ASKED, Mention.OBJECTED])
async def test_no_value_of_a_question_or_objection_is_read_as_a_reference(
    question: str, value: str, mention: Mention
) -> None:
    place = question.index(value)
    span = place, place + len(value)
    said = "A quiet comedy"
    requests: list[KeptUtterance] = [
        {"turn": 1, "text": said, "values": [(2, len(said), Mention.STATED.value)], "plain": True},
        {"turn": 2, "text": question, "values": [(*span, mention.value)], "plain": False},
        {"turn": 3, "text": "Not too long.", "values": [(0, 12, Mention.STATED.value)], "plain": True},
    ]
    standing = [(said[2:], (1, 2, len(said))), (value, (2, *span)), ("Not too long", (3, 0, 12))]
    values = tuple(ConstraintValue(text=text, span=where) for text, where in standing)
    told = render(requests, DialogueState(soft_constraints={"others": values})).text
    assert value.casefold() in told.casefold()
    kinds = {atom.kind for atom in (await READER.extract_nodes(told, None, MethodConfig(), Budget())).atoms}
    assert AtomKind.CRITERION in kinds
    assert AtomKind.REFERENCE not in kinds

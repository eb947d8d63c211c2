"""Every answer that a question of a bundled domain offers is a wish that the built-in engine understands."""

from pathlib import Path

import pytest

from dialogue import wording
from dialogue.domain import Domain, KeyQuestion
from dialogue.models import DialogueState, EditKind, ItemRef
from dialogue.ports import Utterance
from pdgf.catalogues.bundled import BUNDLED
from pdgf.settings import MethodConfig
from pdgf.temporal import year_constraint
from pdgf.usage import Budget
from tests.opened import bundled

CUTS = {"year": 1995, "length_minutes": 110, "episodes": 24}
YEAR = 2026


def in_chinese(domain: Domain) -> Domain:
    with wording.speaking("zh", domain):
        return wording.spoken(domain)


@pytest.mark.parametrize("name", BUNDLED)
async def test_each_answer_in_chinese_adds_a_wish_that_the_graph_or_the_year_rule_takes_up(
    name: str, data_dir: Path
) -> None:
    ports = await bundled(data_dir).ports(name)
    domain = ports.domain
    shown = tuple(ItemRef(id=item.id, title=item.title, year=item.year) for item in list(ports.catalogue.items())[:3])
    for question in in_chinese(domain).questions:
        for said in answers(question):
            utterance = Utterance(
                text=said, turn=2, state=DialogueState(recommended_items=shown), shown=shown, domain=domain,
                asked=(key_of(domain, question),), current_year=YEAR,
            )  # fmt: skip
            read = await ports.agent.understand(utterance, Budget())
            assert [edit.kind for edit in read.edits] == [EditKind.ADD], said
            told = f"想要轻松的。{said}。"
            reading = await ports.ports.agent.extract_nodes(told, (), MethodConfig(), Budget())
            taken_up = any(node.instantiation in said for node in reading.nodes)
            assert taken_up or year_constraint(told, mode="explicit", current_year=YEAR) is not None, said


def answers(question: KeyQuestion) -> list[str]:
    says = [answer.say for answer in question.answers]
    return says or [say.format(cut=CUTS[question.metadata]) for say in (question.below, question.above)]


def key_of(domain: Domain, question: KeyQuestion) -> str:
    return next(row.key for row in domain.constraint_keys if question.metadata in row.metadata)


@pytest.mark.parametrize("name", BUNDLED)
async def test_each_answer_adds_a_wish_that_the_graph_or_the_year_rule_takes_up(name: str, data_dir: Path) -> None:
    ports = await bundled(data_dir).ports(name)
    domain = ports.domain
    shown = tuple(ItemRef(id=item.id, title=item.title, year=item.year) for item in list(ports.catalogue.items())[:3])
    for question in domain.questions:
        for said in answers(question):
            utterance = Utterance(
                text=said, turn=2, state=DialogueState(recommended_items=shown), shown=shown, domain=domain,
                asked=(key_of(domain, question),), current_year=YEAR,
            )  # fmt: skip
            read = await ports.agent.understand(utterance, Budget())
            assert [edit.kind for edit in read.edits] == [EditKind.ADD], said
            told = f"Something pleasant. {said[:1].upper()}{said[1:]}."
            reading = await ports.ports.agent.extract_nodes(told, (), MethodConfig(), Budget())
            taken_up = any(node.instantiation.casefold() in said.casefold() for node in reading.nodes)
            assert taken_up or year_constraint(told, mode="explicit", current_year=YEAR) is not None, said

"""Titles that a language model names: what of a reply is taken, and what a failure costs."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue import wording
from pdgf.engines.llm_titles import NAME_CHARS, LLMTitles, TitleRow, titles_of
from pdgf.errors import ModelRefused, ModelUnreachable, PromptTooLong
from pdgf.identity import group_identities
from pdgf.llm.calls import Role
from pdgf.llm.structured import StructuredModel
from pdgf.ports import ProposedTitle
from pdgf.usage import Budget, Setback
from tests.openai_server import FakeOpenAI, Fault
from tests.pdgf.engines.answering import AnsweringModel, Said
from tests.pdgf.llm.asking import connected

NARRATIVE = "A slow mystery set in a small town."


def answering(said: Said) -> AnsweringModel:
    return AnsweringModel(lambda _prompt, _inputs: said)


async def proposed(said: Said, *, limit: int = 10, budget: Budget | None = None) -> list[ProposedTitle]:
    return await LLMTitles(StructuredModel(answering(said))).propose_titles(
        NARRATIVE, "film", limit, budget or Budget()
    )


def rows(*named: str | tuple[str, int | None]) -> list[TitleRow]:
    pairs = [(row, None) if isinstance(row, str) else row for row in named]
    return [TitleRow(name=name, year=year) for name, year in pairs]


def named(*titles: str | tuple[str, int | None]) -> list[tuple[str, int | None]]:
    return [(title.name, title.year) for title in titles_of(rows(*titles), 30)]


async def test_the_model_sees_the_narrative_the_kind_of_item_and_the_limit_and_the_better_one_is_asked() -> None:
    model = answering({"titles": [{"name": "Local Hero", "year": 1983}]})
    found = await LLMTitles(StructuredModel(model)).propose_titles(NARRATIVE, "film", 7, Budget())
    assert found == [ProposedTitle(name="Local Hero", year=1983)]
    assert model.inputs("propose_titles") == [{"narrative": NARRATIVE, "item_word": "film", "limit": 7}]
    assert [ask.role for ask in model.asks] == [Role.MAIN]


def test_one_item_in_several_spellings_is_one_title_with_the_year_that_is_known() -> None:
    assert named("Seven Samurai", ("The Seven Samurai", 1954), "SEVEN  SAMURAI!") == [("The Seven Samurai", 1954)]
    assert named("7 Samurai", "Seven Samurai") == [("7 Samurai", None)]


def test_a_remake_is_a_title_of_its_own() -> None:
    assert named(("Solaris", 1972), ("Solaris", 2002)) == [("Solaris", 1972), ("Solaris", 2002)]


@pytest.mark.parametrize("junk", ["", "   ", "x" * (NAME_CHARS + 1), "Local\nHero", "Local\u2028Hero", '"', "—?!"])
def test_what_is_no_title_is_left_out(junk: str) -> None:
    assert named(junk, "Local Hero") == [("Local Hero", None)]


def test_the_longest_title_stands() -> None:
    assert named("x" * NAME_CHARS) == [("x" * NAME_CHARS, None)]


def test_a_year_in_brackets_behind_a_name_is_its_year_and_an_impossible_year_is_none() -> None:
    assert named("Local Hero (1983)", ("Fargo (1996)", 1995), ("Brick", 20055)) == [
        ("Local Hero", 1983),
        ("Fargo", 1995),
        ("Brick", None),
    ]
    assert named("1984", "Blade Runner 2049") == [("1984", None), ("Blade Runner 2049", None)]


@given(st.lists(st.tuples(st.text(max_size=140), st.none() | st.integers(-10, 10_010))), st.integers(1, 30))
def test_whatever_is_named_titles_are_short_different_and_within_the_limit(
    pairs: list[tuple[str, int | None]], limit: int
) -> None:
    titles = titles_of(rows(*pairs), limit)
    assert len(titles) <= limit
    assert len(set(group_identities([(title.name, title.year) for title in titles]))) == len(titles)
    for title in titles:
        assert 0 < len(title.name) <= NAME_CHARS
        assert "\n" not in title.name
        assert title.name == " ".join(title.name.split())


async def test_the_limit_holds_whatever_the_model_says() -> None:
    said = {"titles": [{"name": f"Title {'x' * n}"} for n in range(1, 13)]}
    assert len(await proposed(said, limit=5)) == 5


async def test_no_title_is_a_good_answer() -> None:
    budget = Budget()
    assert await proposed({"titles": []}, budget=budget) == []
    assert budget.setbacks() == ()


@pytest.mark.parametrize("said", ["no JSON at all", {"films": 3}, {"titles": "many"}, PromptTooLong("long")])
async def test_an_unusable_reply_names_none_and_is_told(said: Said) -> None:
    budget = Budget()
    assert await proposed(said, budget=budget) == []
    assert budget.setbacks() == (Setback(step="propose_titles", why="unreadable"),)
    assert "named no titles" in wording.sentence_of_setback(*budget.setbacks())


@pytest.mark.parametrize("error", [ModelUnreachable("timeout"), ModelRefused("credit")])
async def test_a_model_without_service_names_none_and_the_engine_is_not_given_up_for_it(error: Exception) -> None:
    budget = Budget()
    assert await proposed(error, budget=budget) == []
    assert [(each.step, each.why) for each in budget.setbacks()] == [("propose_titles", vars(error)["why"])]
    assert not budget.gave_up_model()


async def test_a_model_that_was_given_up_in_this_turn_is_not_asked_and_neither_is_one_for_no_title() -> None:
    model, budget = answering({"titles": [{"name": "Local Hero"}]}), Budget()
    proposer = LLMTitles(StructuredModel(model))
    assert await proposer.propose_titles(NARRATIVE, "film", 0, budget) == []
    budget.set_back("engine", "credit")
    assert await proposer.propose_titles(NARRATIVE, "film", 5, budget) == []
    assert model.asks == []
    assert budget.usage().agent_calls == 0


@pytest.mark.parametrize("fault", [Fault.NO_CREDIT, Fault.NULL_CHOICES, Fault.HTML])
async def test_a_server_with_faults_costs_the_proposals_alone(fault: Fault) -> None:
    def script(_request: Any) -> Mapping[str, Any]:
        return {"titles": [{"name": "Local Hero"}]}

    budget = Budget()
    async with FakeOpenAI(script, faults=fault) as server, connected(server, retries=0) as model:
        assert await LLMTitles(StructuredModel(model)).propose_titles(NARRATIVE, "film", 5, budget) == []
    assert [setback.step for setback in budget.setbacks() if setback.step != "price"] == ["propose_titles"]

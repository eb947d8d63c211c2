"""A list in words: what is said before it, what of it is kept, and what happens when words run out."""

from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dialogue import explanation, presenting
from dialogue.domain import bundled_domain
from dialogue.models import DialogueState, ItemRef, Piece, TurnRecord
from dialogue.ports import TurnContext
from pdgf.errors import BudgetSpent
from pdgf.models import Candidate, Label, PreferenceGraph, RankedItem
from pdgf.usage import Budget
from tests.dialogue.test_explanation import graph, item
from tests.dialogue.town import WORDS, town_ports
from tests.fakes import MemoryContent, ScriptedDialogueAgent, Shelf, VocabularyAgent

GRAPH = graph("quiet", "cheap", hard=("cheap",))
FITS = {"quiet": Label.SUPPORT, "cheap": Label.SUPPORT}
DEAR = {"quiet": Label.SUPPORT, "cheap": Label.CONTRADICTS}


def place(number: int, *, demoted: str | None = None) -> RankedItem:
    made = item(DEAR if demoted else FITS, demoted=demoted)
    return made.model_copy(
        update={"candidate": Candidate(id=f"p{number}", title=f"Place {number}", year=1990 + number)}
    )


PLACES = [place(number) for number in range(1, 5)]
MISS = place(9, demoted="not cheap")


class Cut:
    """A DialogueAgent whose explanations say `words` and then reach a cap of the turn."""

    def __init__(self, *words: str) -> None:
        self._words = words

    async def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncIterator[Piece]:
        for words in self._words:
            yield Piece(text=words)
        raise BudgetSpent("tokens")


def context_of(agent: Any, budget: Budget, *, shown: int = 3) -> TurnContext:
    shelf = Shelf(())
    ports = town_ports(VocabularyAgent(WORDS), shelf, agent)
    domain = bundled_domain("restaurants").model_copy(update={"shown": shown})
    return TurnContext(
        ports=ports.ports, agent=agent, reviews=shelf, catalogue=shelf, store=MemoryContent(), domain=domain,
        config=ports.config, budget=budget, current_year=2026, engine="e", embedder="none",
    )  # fmt: skip


async def present(
    items: list[RankedItem],
    agent: Any = None,
    *,
    budget: Budget | None = None,
    by_agent: bool = True,
    before: tuple[ItemRef, ...] = (),
) -> tuple[TurnRecord, list[str]]:
    written: list[str] = []
    context = context_of(agent or ScriptedDialogueAgent(), budget or Budget())
    runtime = cast(Any, SimpleNamespace(context=context, stream_writer=lambda event: written.append(event["piece"])))
    turn: TurnRecord = {"dialogue": DialogueState(recommended_items=before).model_dump(mode="json")}
    found = await presenting.present(turn, runtime, items, graph=GRAPH, lead="Here:", by_agent=by_agent)
    return found, written


async def test_what_is_streamed_is_the_reply_item_after_item() -> None:
    found, written = await present(PLACES[:2], before=(ItemRef(id="p2", title="Place 2"),))
    assert found["reply"] == "".join(written)
    assert found["reply"] == (
        "Here:\n\n### 1. Place 1 (1991)\nBecause of Place 1."
        "\n\n### 2. Place 2 (1992) (shown before)\nBecause of Place 2."
    )
    assert found["items"] == ["p1", "p2"]
    assert found["shown_before"] == ["p2"]
    assert found["reasons"] == {"p1": "Because of Place 1.", "p2": "Because of Place 2."}
    state = DialogueState.model_validate(found["dialogue"])
    assert [shown.id for shown in state.recommended_items] == ["p2", "p1"]


async def test_without_items_the_lead_is_the_reply() -> None:
    found, written = await present([])
    assert (found["reply"], written, found["items"], found["reasons"], found["sources"]) == (
        "Here:",
        ["Here:"],
        [],
        {},
        [],
    )


async def test_the_next_part_of_a_list_is_worded_from_its_labels() -> None:
    agent = ScriptedDialogueAgent()
    found, _ = await present(PLACES[:1], agent, by_agent=False)
    assert agent.explained == []
    assert found["reasons"]["p1"] == " ".join(explanation.reasons(PLACES[0], GRAPH).sentences)


@pytest.mark.parametrize("calls", [0, 2])
async def test_where_the_budget_does_not_last_for_all_items_none_is_worded_by_the_agent(calls: int) -> None:
    agent = ScriptedDialogueAgent()
    found, _ = await present(PLACES[:3], agent, budget=Budget(agent_calls=calls))
    assert agent.explained == []
    assert found["reasons"]["p3"] == " ".join(explanation.reasons(PLACES[2], GRAPH).sentences)


async def test_a_cap_before_the_first_word_leaves_the_labels_and_one_after_it_a_broken_end() -> None:
    found, _ = await present(PLACES[:1], Cut())
    assert found["reasons"]["p1"] == " ".join(explanation.reasons(PLACES[0], GRAPH).sentences)
    assert found["cut_off"] == []
    budget = Budget()
    found, _ = await present(PLACES[:1], Cut("It is quiet."), budget=budget)
    assert found["reasons"]["p1"] == "It is quiet. …"
    assert found["cut_off"] == ["p1"]
    assert [setback.step for setback in budget.setbacks()] == ["explain_cut"]


@pytest.mark.parametrize(
    ("fitting", "said"),
    [
        ([], "I found nothing that speaks for what you describe."),
        ([MISS], 'Nothing I know fits all of that. "cheap" is most often in the way'),
        (PLACES, "These 3 restaurants fit best"),
        (PLACES[:2], "These 2 restaurants fit best"),
        (PLACES[:1], "This restaurant fits best:"),
        ([PLACES[0], MISS, MISS], "Of the first restaurant I know nothing that breaks a condition"),
        ([*PLACES[:2], MISS], "Of the first 2 restaurants I know nothing that breaks a condition"),
    ],
)
def test_the_lead_says_how_many_keep_every_condition(fitting: list[RankedItem], said: str) -> None:
    context = context_of(ScriptedDialogueAgent(), Budget())
    assert presenting.lead(fitting, GRAPH, context, alternatives=False).startswith(said)


def short(number: int) -> RankedItem:
    """An item that meets the must only in part."""
    made = item({"quiet": Label.SUPPORT, "cheap": Label.PARTIAL})
    return made.model_copy(update={"candidate": Candidate(id=f"p{number}", title=f"Place {number}")})


@pytest.mark.parametrize(
    ("fitting", "said"),
    [
        ([short(1), short(2), short(3), PLACES[3]], "None of these 3 restaurants fits all of that; they come closest."),
        ([short(1)], "Nothing I know fits all of that; this restaurant comes closest."),
        ([short(1), *PLACES[1:3]], "These 3 restaurants come closest. Where one falls short of a wish"),
        ([*PLACES[:2], short(3)], "These 3 restaurants come closest. Where one falls short of a wish"),
        ([*PLACES[:3], short(4)], "These 3 restaurants fit best"),
    ],
)
def test_a_list_in_which_something_falls_short_is_called_the_nearest_and_not_the_best(
    fitting: list[RankedItem], said: str
) -> None:
    context = context_of(ScriptedDialogueAgent(), Budget())
    assert presenting.lead(fitting, GRAPH, context, alternatives=False).startswith(said)
    after = presenting.lead(fitting, GRAPH, context, alternatives=True)
    assert after.startswith("Understood. ")
    assert said in after or "fit best" in said


def test_a_list_of_one_is_one_however_many_more_there_are() -> None:
    context = context_of(ScriptedDialogueAgent(), Budget(), shown=1)
    assert presenting.lead(PLACES, GRAPH, context, alternatives=False) == "This restaurant fits best:"
    assert presenting.lead(PLACES, GRAPH, replace(context), alternatives=True) == "Understood. With that in mind:"


def test_where_things_are_only_unwanted_what_is_not_known_to_have_them_follows_and_a_little_comes_last() -> None:
    wishes = graph("death", hard=("death",), avoid=("death",))
    context = context_of(ScriptedDialogueAgent({}), Budget())
    kinds = {"a little": Label.PARTIAL, "kept": Label.SUPPORT, "has it": Label.CONTRADICTS}
    kinds["silent"] = Label.NOT_ADDRESSED
    items = [
        item({"death": label}).model_copy(update={"candidate": Candidate(id=name, title=name)})
        for name, label in kinds.items()
    ]

    def titles(ranked: list[RankedItem], wished: PreferenceGraph) -> list[str]:
        found = cast(Any, SimpleNamespace(items=ranked, graph=wished))
        return [each.candidate.title for each in presenting.fitting(found, context)]

    assert titles(items, wishes) == ["kept", "silent", "a little"]
    assert titles(items, graph("death")) == ["a little", "kept"]  # what is wanted has to be spoken of
    # an allergy is kept by what is not there
    assert titles([items[3]], graph("nut allergy", hard=("nut allergy",))) == ["silent"]
    assert titles([items[1]] * 3 + [items[3]], wishes) == ["kept"] * 3
    (silent,) = presenting.fitting(cast(Any, SimpleNamespace(items=[items[3]], graph=wishes)), context)
    said = presenting.lead([silent], wishes, context, alternatives=False)
    assert "nothing on record" in said
    assert "this restaurant" in said

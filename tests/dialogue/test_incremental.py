"""Incremental turns of whole conversations over a real store: what a rebuild gives, and only what is new is spent."""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pdgf.recommend as pdg_f
from dialogue.contract import turn_json
from dialogue.conversation import Conversations
from dialogue.domain import ConstraintKey, Domain
from dialogue.events import Finished
from dialogue.models import Action, EditKind, Intent, ItemRef, Mention, Piece, StateEdit, TurnView, Understanding
from dialogue.ports import DomainPorts, Question, Utterance
from pdgf.models import PreferenceGraph, RankedItem, Recommendation, Reused
from pdgf.ports import Ports
from pdgf.recommend import Request
from pdgf.settings import MethodConfig, Preset, preset_config
from pdgf.usage import Budget
from tests.declared import WORDS, DeclaredAgent, DrawnShelf, from_scratch
from tests.dialogue.town import always

FILMS = Domain(
    name="films",
    item_word="film",
    items_word="films",
    greeting="Hello.",
    constraint_keys=(ConstraintKey(key="others", description="anything"),),
)
_WISHES = re.compile(rf"\b(?:(?P<must>must have |must not )|(?P<too>too ))?(?P<word>{'|'.join(WORDS)})\b")


class Listener:
    """A DialogueAgent that reads a few commands: "I want x", "must have x", "No more x", "the first is too x", "not the
    first", "take the first"."""

    async def understand(self, utterance: Utterance, budget: Budget) -> Understanding:
        with budget.agent_call():
            return self._read(utterance)

    def _read(self, utterance: Utterance) -> Understanding:
        text, first = utterance.text, utterance.shown[:1]
        edits = [_edit(match, utterance.turn) for match in _WISHES.finditer(text)]
        dropped = text.find("No more ")
        edits = [e.model_copy(update={"kind": EditKind.DROP}) if e.span[1] > dropped > -1 else e for e in edits]
        intents = [Intent.PROVIDE_PREFERENCE] if edits else []
        if text.startswith(("the first is too", "not the first")):
            return Understanding(intents=(*intents, Intent.REJECT), edits=tuple(edits), rejected=first, about=first)
        if text.startswith("take the first"):
            return Understanding(intents=(Intent.ACCEPT,), accepted=first, about=first)
        return Understanding(intents=tuple(intents), edits=tuple(edits))

    async def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncIterator[Piece]:
        yield Piece(text=f"Because of {item.candidate.title}.")

    async def answer(self, question: Question, budget: Budget) -> AsyncIterator[Piece]:
        yield Piece(text="")


def _edit(match: re.Match[str], turn: int) -> StateEdit:
    objected = match["too"] is not None
    start = match.start() if objected else match.start("word")
    return StateEdit(
        kind=EditKind.ADD,
        key="others",
        text=match.string[start : match.end()],
        hard=match["must"] is not None,
        span=(turn, start, match.end()),
        mention=Mention.OBJECTED if objected else Mention.STATED,
        avoid=objected,
    )


@dataclass
class Talk:
    """A conversation, and every ranking that was made in it with the request it was made for."""

    conversations: Conversations
    thread: str
    ports: DomainPorts
    agent: DeclaredAgent
    made: list[tuple[str, Request, Recommendation]] = field(default_factory=list)

    async def say(self, utterance: str) -> TurnView:
        events = [event async for event in self.conversations.turn(self.thread, utterance)]
        assert isinstance(events[-1], Finished)
        return events[-1].view

    async def stored(self) -> Recommendation | None:
        return await self.conversations.recommendation(self.thread)


@asynccontextmanager
async def talk(config: MethodConfig | None = None) -> AsyncIterator[Talk]:
    """A conversation over a store of its own; rankings are noted on their way."""
    agent, shelf = DeclaredAgent(), DrawnShelf()
    ports = DomainPorts(
        ports=Ports(agent=agent, source=shelf),
        agent=Listener(),
        reviews=shelf,
        catalogue=shelf,
        domain=FILMS,
        config=config or MethodConfig(),
        current_year=2026,
        engine="builtin",
        embedder="none",
    )
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        async with Conversations(Path(folder), always(ports)) as conversations:
            opened = Talk(conversations, await conversations.start(FILMS, "someone"), ports, agent)
            for name in ("recommend", "widen"):
                patch.setattr(pdg_f, name, _noting(getattr(pdg_f, name), opened))
            yield opened


def _noting(made: Callable[..., Any], opened: Talk) -> Callable[..., Any]:
    async def noted(told: str | Recommendation, request: Request) -> Recommendation:
        found: Recommendation = await made(told, request)
        opened.made.append((found.graph.narrative, request, found))
        return found

    return noted


ORDERS = ("I want {0}.", "I want {0} and {1}.", "must have {0}.", "No more {0}.", "I want {0}. No more {1}.",
          "the first is too {0}.", "not the first.", "take the first.", "undo")  # fmt: skip
SAID = st.lists(st.tuples(st.sampled_from(ORDERS), st.permutations(WORDS[:7])), min_size=1, max_size=7)


@settings(max_examples=15)
@given(said=SAID)
def test_after_any_talk_the_ranking_is_that_of_a_rebuild_for_the_same_state(
    said: Sequence[tuple[str, Sequence[str]]],
) -> None:
    async def run() -> None:
        async with talk() as opened:
            await opened.say("I want alpha, beta and gamma.")
            stood = [None, await opened.stored()]  # after each turn that still stands, the last one last
            for order, words in said:
                if order == "undo":
                    await opened.conversations.undo(opened.thread)
                    stood = stood[:-1] or [None]
                    assert await opened.stored() == stood[-1]
                    continue
                view = await opened.say(order.format(*words))
                stood.append(known := await opened.stored())
                assert view.graph.graph.get("order", []) == list(known.graph.order if known else ())
                for narrative, request, found in opened.made:
                    alone = await from_scratch(narrative, request)
                    assert (found.graph, found.queries) == (alone.graph, alone.queries)
                    assert (found.items, found.pool, found.dropped) == (alone.items, alone.pool, alone.dropped)
                opened.made.clear()

    asyncio.run(run())


async def test_a_follow_up_says_what_it_kept_added_and_removed_and_spends_what_is_new() -> None:
    async with talk() as opened:
        first = await opened.say("I want alpha, beta, gamma and zeta.")
        assert (len(first.graph.added), first.graph.removed, first.graph.kept) == (4, (), 0)
        assert first.graph.reused == Reused()
        agent = opened.agent
        pairs, described, labelled = len(agent.pairs), len(agent.described), len(agent.labelled)
        assert first.usage.comparisons == pairs + described + labelled
        assert pairs == 4 * 3 // 2

        second = await opened.say("I want kappa.")
        assert (len(second.graph.added), second.graph.removed, second.graph.kept) == (1, (), 4)
        new = (len(opened.agent.pairs) - pairs, len(opened.agent.described) - described)
        assert new[0] == 4
        assert second.graph.reused.pairs == 4 * 3 // 2
        assert second.graph.reused.descriptions == 5 - new[1]
        assert second.usage.comparisons == sum(new) + len(opened.agent.labelled) - labelled
        assert turn_json(second)["graph"]["reused"] == second.graph.reused.model_dump()

        changed = await opened.say("I want lambda. No more kappa.")
        assert (len(changed.graph.added), len(changed.graph.removed), changed.graph.kept) == (1, 1, 4)
        assert changed.graph.removed == second.graph.added

        hardened = await opened.say("must have lambda.")
        assert (hardened.graph.added, hardened.graph.removed, hardened.graph.kept) == ((), (), 5)
        assert [node["hard"] for node in hardened.graph.graph["nodes"] if node["instantiation"] == "lambda"] == [True]


async def test_a_turn_without_a_new_wish_spends_and_reuses_nothing() -> None:
    async with talk() as opened:
        await opened.say("I want alpha, beta and gamma.")
        opened.made.clear()
        view = await opened.say("take the first.")
        assert view.action is Action.RESPOND_TO_ACCEPTANCE
        assert (view.usage.comparisons, view.usage.searches, view.graph.reused, opened.made) == (0, 0, Reused(), [])


async def test_exact_reuse_asks_everything_again_in_every_turn() -> None:
    async with talk(preset_config(Preset.PAPER)) as opened:
        await opened.say("I want alpha, beta and gamma.")
        opened.agent.pairs.clear()
        view = await opened.say("I want zeta.")
        assert len(opened.agent.pairs) == 4 * 3 // 2
        assert view.graph.reused.model_copy(update={"labels": 0}) == Reused()


@pytest.mark.parametrize(
    "change", [{"engine": "llm"}, {"embedder": "another"}, {"config": MethodConfig(skip_same_atom=True)}]
)
async def test_what_another_engine_or_other_numbers_made_is_not_taken_over(change: dict[str, Any]) -> None:
    async with talk() as opened:
        await opened.say("I want alpha, beta and gamma.")
        opened.agent.pairs.clear()
        opened.conversations._context_for = always(replace(opened.ports, **change))
        view = await opened.say("I want zeta.")
        assert len(opened.agent.pairs) == 4 * 3 // 2
        assert (len(view.graph.added), view.graph.kept) == (1, 3)


async def test_what_was_made_while_an_agent_was_stood_in_for_is_made_anew() -> None:
    def stood_in(thread: str) -> Budget:
        budget = Budget(scope=thread)
        budget.set_back("describe", "unreadable")
        return budget

    async with talk() as opened:
        opened.conversations._context_for = always(replace(opened.ports, new_budget=stood_in))
        await opened.say("I want alpha, beta and gamma.")
        opened.conversations._context_for = always(opened.ports)
        opened.agent.described.clear()
        await opened.say("I want zeta.")
        assert len(opened.agent.described) == 4


async def test_a_list_made_of_what_was_shown_costs_no_second_graph() -> None:
    """Turned down with a reason, nothing new may fit: then what was shown is ranked for the same graph and queries."""
    async with talk() as opened:
        await opened.say("I want alpha, beta and gamma.")
        for word in WORDS[5:9]:
            opened.agent.pairs.clear()
            await opened.say(f"the first is too {word}.")
            assert len(opened.agent.pairs) == len(set(opened.agent.pairs))


def refs(view: TurnView) -> list[ItemRef]:
    return [ItemRef(id=item["id"], title=item["title"], year=item["year"]) for item in view.items]


async def test_a_rejected_item_is_gone_from_the_next_list_and_the_rest_is_kept() -> None:
    async with talk() as opened:
        first = refs(await opened.say("I want alpha, beta and gamma."))[0]
        view = await opened.say("the first is too kappa.")
        assert view.action is Action.RESPOND_TO_REJECTION
        assert first in view.state.rejected_items
        assert first not in refs(view)
        assert view.graph.kept == 3

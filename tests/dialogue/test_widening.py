"""A list that is shown from what is at hand and told again when wider evidence has arrived."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dialogue.conversation import Conversations
from dialogue.events import Finished, ReplyPiece, Step
from dialogue.models import TurnView
from pdgf.errors import BudgetSpent
from pdgf.models import Candidate, PreferenceGraph, SearchQuery
from pdgf.ports import Acquired
from pdgf.settings import MethodConfig
from pdgf.sources.combined import CombinedSource
from pdgf.usage import Budget
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent

REQUEST = "quiet ramen with a terrace in Old Harbour"
FOUND = (
    Candidate(id="web:mooncellar:", title="Moon Cellar"),
    ("A quiet room in Old Harbour.", "The ramen is rich.", "A terrace."),
)


class Web(Shelf):
    """A shelf that is reached late, if at all."""

    def __init__(self, pairs: Sequence[tuple[Candidate, Sequence[str]]], error: Exception | None = None) -> None:
        super().__init__(pairs)
        self.error = error

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        await asyncio.sleep(0.05)
        if self.error:
            raise self.error
        return await super().acquire(graph, queries, config, budget)


async def talk(folder: Path, web: Web, *utterances: str) -> tuple[list[TurnView], list[list[object]]]:
    shelf, agent = Shelf(PLACES), VocabularyAgent(WORDS)
    ports = replace(town_ports(agent, shelf), wider=CombinedSource(catalogue=shelf, web=web, items=shelf))
    views, heard = [], []
    async with Conversations(folder, always(ports)) as conversations:
        thread = await conversations.start("restaurants", "someone")
        for utterance in utterances:
            events = [event async for event in conversations.turn(thread, utterance)]
            assert isinstance(events[-1], Finished)
            views.append(events[-1].view)
            heard.append(list(events))
    return views, heard


async def test_the_first_list_is_shown_before_the_web_is_asked_and_told_again_where_it_changes(tmp_path: Path) -> None:
    [view], [events] = await talk(tmp_path, Web([FOUND]), REQUEST)
    steps = [event.name for event in events if isinstance(event, Step)]
    widening = next(place for place, event in enumerate(events) if event == Step(name="widening"))
    said_before = "".join(event.text for event in events[:widening] if isinstance(event, ReplyPiece))
    assert "### 3." in said_before
    assert "Moon Cellar" not in said_before
    assert view.items[0]["title"] == "Moon Cellar"
    assert "With what I found on the web, the list is now:" in view.reply
    assert view.reply.startswith(said_before.strip()[:40])
    assert steps.count("ranking") == 2
    shown = {item.title for item in view.state.recommended_items}
    assert "Moon Cellar" in shown
    assert len(shown) == 4  # the three of the first list, of which two stand in the second, and the new one


async def test_a_web_that_changes_nothing_is_said_in_a_sentence(tmp_path: Path) -> None:
    poor = (Candidate(id="web:x:", title="Plain Plate"), ("The ramen is rich.",))
    [view], _ = await talk(tmp_path, Web([poor]), REQUEST)
    assert view.reply.endswith("What I found on the web leaves the list as it is.")
    assert len(view.items) == 3


async def test_a_web_without_time_left_leaves_the_list_as_it_was(tmp_path: Path) -> None:
    [view], _ = await talk(tmp_path, Web([FOUND], BudgetSpent("seconds")), REQUEST)
    assert len(view.items) == 3
    assert "web" not in view.reply
    assert view.notes == ("There was no time left for the web.",)


async def test_a_question_about_an_item_of_the_web_is_answered_from_its_pages(tmp_path: Path) -> None:
    views, _ = await talk(tmp_path, Web([FOUND]), REQUEST, "does the first have a terrace?", "is the first vegan?")
    assert "“A terrace.”" in views[1].reply
    assert [source.item for source in views[1].sources] == ["web:mooncellar:"]
    assert views[2].reply.startswith("I do not know")

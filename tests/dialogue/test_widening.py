"""A list that is shown from what is at hand and told again when wider evidence has arrived."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dialogue.conversation import Conversations
from dialogue.events import Finished, ReplyPiece, Step
from dialogue.models import TurnView
from pdgf.errors import BudgetSpent, IndexUnavailable
from pdgf.models import Candidate, PreferenceGraph, SearchQuery
from pdgf.ports import Acquired
from pdgf.settings import MethodConfig
from pdgf.sources.combined import CatalogueFirst, CombinedSource
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
    widening = next(place for place, event in enumerate(events) if isinstance(event, Step) and event.name == "widening")
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


class SlowWeb(Web):
    """A web that answers when it is let."""

    def __init__(self) -> None:
        super().__init__([FOUND])
        self.asked = asyncio.Event()
        self.let = asyncio.Event()

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        self.asked.set()
        await self.let.wait()
        return await super().acquire(graph, queries, config, budget)


async def test_a_stop_while_the_web_is_asked_keeps_the_first_list_as_a_finished_turn(tmp_path: Path) -> None:
    shelf, web = Shelf(PLACES), SlowWeb()
    ports = replace(
        town_ports(VocabularyAgent(WORDS), shelf), wider=CombinedSource(catalogue=shelf, web=web, items=shelf)
    )
    async with Conversations(tmp_path, always(ports)) as conversations:
        thread = await conversations.start("restaurants", "someone")
        assert not conversations.wind_up(thread)

        async def stop_once_the_web_is_asked() -> list[bool]:
            await web.asked.wait()
            return [conversations.wind_up(thread), conversations.wind_up(thread)]

        stopping = asyncio.create_task(stop_once_the_web_is_asked())
        events = [event async for event in conversations.turn(thread, REQUEST)]
        assert await stopping == [True, False]  # the second one is for whoever listens to end
        assert isinstance(events[-1], Finished)
        view = events[-1].view
        assert view.finished
        assert [item["title"] for item in view.items] == [item.title for item in view.state.recommended_items]
        assert len(view.items) == 3
        assert view.notes == ("You stopped before the web had answered, so this is from the catalogue alone.",)
        assert not conversations.wind_up(thread)
        assert len(await conversations.history(thread)) == 1
        web.let.set()
        more = [event async for event in conversations.turn(thread, "show me more")]
        assert isinstance(more[-1], Finished)


async def test_a_turn_that_keeps_to_the_catalogue_asks_no_web_and_the_next_one_does(tmp_path: Path) -> None:
    web = Web([FOUND], RuntimeError("asked"))
    shelf = Shelf(PLACES)
    ports = replace(
        town_ports(VocabularyAgent(WORDS), shelf),
        wider=CombinedSource(catalogue=shelf, web=web, items=shelf),
        own=shelf,
    )
    async with Conversations(tmp_path, always(ports)) as conversations:
        thread = await conversations.start("restaurants", "someone")
        said = f"{REQUEST}. Only my catalogue, please."
        [*_, last] = [event async for event in conversations.turn(thread, said)]
        assert isinstance(last, Finished)
        assert last.view.utterance == said
        assert "catalogue" not in str(last.view.state)
        assert len(last.view.items) == 3
        assert "Only my catalogue, please" not in last.view.suggestions
        [*_, by_switch] = [event async for event in conversations.turn(thread, "vegan too", own_only=True)]
        assert isinstance(by_switch, Finished)
        web.error = None
        [*_, wide] = [event async for event in conversations.turn(thread, "and parking")]
        assert isinstance(wide, Finished)
        assert "Only my catalogue, please" in wide.view.suggestions
        assert "web:mooncellar:" in [item["id"] for item in wide.view.items]
        [*_, own] = [event async for event in conversations.turn(thread, "Only my catalogue, please")]
        assert isinstance(own, Finished)
        assert own.view.action == "recommend"
        assert own.view.state.soft_constraints == wide.view.state.soft_constraints
        assert "web:mooncellar:" not in [item["id"] for item in own.view.items]


async def test_a_catalogue_whose_index_fails_leaves_the_turn_to_the_web_and_is_back_in_the_next(tmp_path: Path) -> None:
    web, broken, shelf = Web([FOUND]), Web(PLACES, IndexUnavailable("it is not as it was written")), Shelf(PLACES)
    ports = replace(
        town_ports(VocabularyAgent(WORDS), shelf),
        wider=CombinedSource(catalogue=broken, web=web, items=shelf),
        own=shelf,
    )
    ports = replace(ports, ports=replace(ports.ports, source=CatalogueFirst(catalogue=broken, web=web)))
    async with Conversations(tmp_path, always(ports)) as conversations:
        thread = await conversations.start("restaurants", "someone")
        [*_, last] = [event async for event in conversations.turn(thread, REQUEST)]
        assert isinstance(last, Finished)
        assert [item["id"] for item in last.view.items] == [FOUND[0].id]
        assert "The catalogue could not be read just now, so this is from the web alone." in last.view.notes
        broken.error = None
        [*_, again] = [event async for event in conversations.turn(thread, "and parking")]
        assert isinstance(again, Finished)
        assert len(again.view.items) == 3
        assert not any("could not be read" in note for note in again.view.notes)

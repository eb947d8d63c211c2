"""What the search for proposed titles may cost: caps, time, a stop, and which come first."""

import asyncio

import pytest

from pdgf.models import Dropped
from pdgf.ports import ProposedTitle
from pdgf.usage import Budget
from tests.pdgf.sources.test_web import texts
from tests.pdgf.sources.told_titles import (
    HERO,
    HITS,
    MANY,
    PAGES,
    REVIEW,
    CallingAgent,
    Turn,
    hits_of_many,
    pages_of_many,
    titles,
)


async def test_no_more_titles_are_followed_up_than_the_config_allows() -> None:
    class Talkative:
        async def propose_titles(
            self, narrative: str, item_word: str, limit: int, budget: Budget
        ) -> list[ProposedTitle]:
            return MANY

    turn = Turn(hits=hits_of_many(), pages=pages_of_many(), known_titles=2)
    found = await turn.acquired(Talkative())
    assert titles(found) == {"Salt House", "Film One", "Film Two"}
    assert len(turn.search.asked) == 2 + 2


async def test_the_cap_of_searches_holds_and_the_ordinary_ones_come_first() -> None:
    turn = Turn(*MANY, hits=hits_of_many(), pages=pages_of_many(), known_titles=6, budget=Budget(searches=4))
    found = await turn.acquired()
    assert titles(found) == {"Salt House", "Film One", "Film Two"}
    assert turn.budget.usage().searches == len(turn.search.asked) == 4
    assert turn.steps() == [("searches_cut", "cap", 4)]
    assert [left.what for left in found.dropped] == [title.name for title in MANY[2:]]


async def test_the_cap_of_pages_holds_and_the_ordinary_ones_come_first() -> None:
    turn = Turn(*MANY, hits=hits_of_many(), pages=pages_of_many(), known_titles=6, budget=Budget(pages=3))
    found = await turn.acquired()
    assert "Salt House" in titles(found)
    assert len(titles(found)) == turn.budget.usage().pages == 3
    assert turn.steps() == [("pages_cut", "cap", 4)]


async def test_titles_take_no_more_than_half_of_the_calls_that_are_left() -> None:
    """1 of 8 for the proposals, 1 for the list, and one for each place."""

    turn = Turn(*MANY, hits=hits_of_many(), pages=pages_of_many(), known_titles=6, agent=CallingAgent(),
                budget=Budget(agent_calls=8))  # fmt: skip
    found = await turn.acquired()
    assert titles(found) == {"Salt House", "Film One", "Film Two", "Film Three"}
    assert turn.budget.usage().agent_calls == 1 + 1 + (8 - 2) // 2
    assert turn.steps() == [("titles_cut", "cap", 3)]


async def test_of_long_pages_every_title_has_its_first_chunk_looked_at_before_any_has_its_second() -> None:
    """Two pages of two chunks and room for two calls: 1 for the proposals, and half of the 5 that are left."""
    two = MANY[:2]
    pages = {f"https://h.example/{n}": f"{t.name}: one.\n{'x' * 60}\n{t.name}: two." for n, t in enumerate(two)}
    turn = Turn(*two, hits=hits_of_many() | {"qa": []}, pages=pages, agent=CallingAgent(), chunk_size=60,
                chunk_overlap=20, budget=Budget(agent_calls=6))  # fmt: skip
    assert {text for text in texts(await turn.acquired()).values()} == {"Film One: one.", "Film Two: one."}
    assert turn.steps()[-1] == ("titles_cut", "cap", 2)


async def test_pages_that_take_too_long_are_left_out_and_told_and_the_list_comes_in_time() -> None:
    turn = Turn(HERO, MANY[0], hits={**HITS, **hits_of_many()}, pages={**PAGES, **pages_of_many(), REVIEW: None},
                budget=Budget(seconds=5.0))  # fmt: skip
    found = await turn.acquired()
    assert titles(found) == {"Salt House", "Film One"}
    assert found.dropped == (
        Dropped(what=REVIEW, why="page: timeout"),
        Dropped(what="Local Hero", why="title: no evidence"),
    )
    assert turn.budget.remaining_seconds() > 0.0


async def test_proposals_that_take_too_long_are_not_waited_for() -> None:
    turn = Turn(HERO, budget=Budget(seconds=3.0))
    turn.proposer.gate = asyncio.Event()
    assert titles(await turn.acquired()) == {"Salt House"}
    assert turn.steps() == [("propose_titles", "timeout", 1)]
    assert turn.budget.remaining_seconds() > 0.0


async def test_a_stop_while_titles_are_looked_for_goes_on_with_what_was_read() -> None:
    turn = Turn(HERO, MANY[0], hits={**HITS, **hits_of_many()}, pages={**PAGES, **pages_of_many(), REVIEW: None})
    acquiring = asyncio.create_task(turn.acquired())
    async with asyncio.timeout(5.0):
        while len(turn.reader.read_urls) < 3 or not turn.agent.requests:  # noqa: ASYNC110
            await asyncio.sleep(0)
        while not turn.budget.patience.lose():  # noqa: ASYNC110
            await asyncio.sleep(0)
        found = await acquiring
    assert titles(found) == {"Salt House", "Film One"}
    assert ("titles_stopped", "stopped", 1) in turn.steps()
    assert Dropped(what=REVIEW, why="page: stopped") in found.dropped


async def test_a_cancelled_turn_leaves_nothing_running() -> None:
    turn = Turn(HERO, pages={**PAGES, REVIEW: None})
    acquiring = asyncio.create_task(turn.acquired())
    while len(turn.reader.read_urls) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0)
    acquiring.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acquiring
    assert len([task for task in asyncio.all_tasks() if not task.done()]) == 1  # this test's own

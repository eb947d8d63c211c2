"""A process that is killed in the middle of a turn (F2, C44). The whole sweep is `python -m tests.stress crash`."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from dialogue.conversation import Conversations
from dialogue.ports import DomainPorts
from dialogue.ui.runs import Run
from pdgf.errors import IndexUnavailable
from tests.dialogue.town import PLACES, WORDS, open_town, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.openai_server import FakeOpenAI
from tests.openai_server.town_model import town_reply
from tests.reliability.crashing import (
    UTTERANCES,
    in_the_town,
    killed_after,
    killed_at_write,
    killed_when_shown,
    paid_again,
)

STEP = 17  # every so many writes; `python -m tests.stress crash` tries each
MOMENTS = 2


def test_a_kill_before_a_write_loses_no_message_that_was_taken_and_doubles_no_reply(tmp_path: Path) -> None:
    number, killed = 2, True
    while killed:
        outcome = killed_at_write(in_the_town(), tmp_path / str(number), number)
        assert not outcome.fault, f"at write {number}"
        killed, number = outcome.killed, number + STEP
    assert number > 3 * STEP


def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    chance = random.Random(3)
    for number in range(MOMENTS):
        outcome = killed_after(in_the_town(), tmp_path / str(number), chance.uniform(0.0, 0.6))
        assert not outcome.fault


@pytest.mark.parametrize("number", range(len(UTTERANCES)))
def test_a_message_that_is_shown_as_taken_is_stored_however_slow_the_disk_is(tmp_path: Path, number: int) -> None:
    outcome = killed_when_shown(in_the_town(), tmp_path, number)
    assert outcome.killed
    assert not outcome.fault


def test_a_call_that_was_answered_before_the_kill_is_not_paid_again(tmp_path: Path) -> None:
    with FakeOpenAI(town_reply) as server:
        for number in (44,):
            before = len(server.records)
            outcome = killed_at_write(in_the_town(server.base_url), tmp_path / str(number), number)
            assert outcome.killed
            assert not outcome.fault
            assert len(server.records) > before + 10
            assert paid_again(server.records[before:]) == []


def test_the_sweep_finds_messages_that_are_shown_as_taken_too_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(run: Run) -> bool:
        return True

    monkeypatch.setattr(Run, "taken", at_once)
    assert "lost" in killed_at_write(in_the_town(), tmp_path, 1).fault


@asynccontextmanager
async def opening(folder: Path, error: Exception | None) -> AsyncIterator[Conversations]:
    """Conversations whose domain never opens, or cannot be opened."""
    ports = replace(town_ports(VocabularyAgent(WORDS), Shelf(PLACES)))

    async def context_for(name: str) -> DomainPorts:
        if error is not None:
            raise error
        await asyncio.sleep(60.0)
        return ports

    async with Conversations(folder, context_for) as conversations:
        await conversations.start("restaurants", "someone", "t")
        yield conversations


@pytest.mark.parametrize("error", [None, IndexUnavailable("full")])
async def test_words_are_stored_before_a_domain_is_said_to_be_opening_or_not_to_open(
    tmp_path: Path, error: Exception | None
) -> None:
    async with opening(tmp_path, error) as conversations:
        turn = conversations.turn("t", "ramen")
        with nullcontext() if error is None else pytest.raises(IndexUnavailable):
            await anext(turn)
        assert [view.utterance for view in await conversations.history("t", unfinished=True)] == ["ramen"]
        await turn.aclose()  # type: ignore[attr-defined]
    async with open_town(tmp_path) as town:
        async for _ in town.conversations.turn("t", "ramen in Old Harbour"):
            pass
        said = [view.utterance for view in await town.conversations.history("t", unfinished=True)]
        assert said == ["ramen", "ramen in Old Harbour"]

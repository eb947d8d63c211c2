"""What whoever runs this asks a process: does it live, can it take turns, and its numbers."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from dialogue import observing
from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.observing import ObservedConversations, sign_of
from dialogue.operating import OPENING, READ_ONLY, STORE, TOO_NEW, Operation
from dialogue.storing import UnknownConversation
from pdgf.errors import DatabaseReadOnly, DatabaseTooNew, DatabaseUnavailable, NarrativeTooLong, StoreUnavailable
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent


async def fine() -> None:
    """A store that can be used."""


@asynccontextmanager
async def asked(operation: Operation) -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    app.router.routes += operation.routes()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://t") as client:
        yield client


async def test_a_process_is_healthy_before_it_is_ready_and_ready_once_its_catalogues_are_open() -> None:
    operation = Operation(fine)
    async with asked(operation) as client:
        assert (await client.get("/health")).json() == {"status": "ok"}
        waiting = await client.get("/ready")
        assert (waiting.status_code, waiting.json()) == (503, {"status": "not ready", "why": OPENING})
        operation.warm.set()
        ready = await client.get("/ready")
        assert (ready.status_code, ready.json()) == (200, {"status": "ready"})


@pytest.mark.parametrize(
    ("error", "why"), [(DatabaseUnavailable("secret-host"), STORE), (StoreUnavailable("x"), STORE),
                       (DatabaseTooNew(9, 3), TOO_NEW), (DatabaseReadOnly("no"), READ_ONLY), (TimeoutError(), STORE)],
)  # fmt: skip
async def test_where_turns_cannot_be_kept_it_is_not_ready_and_says_why_in_words(error: Exception, why: str) -> None:
    async def broken() -> None:
        raise error

    operation = Operation(broken)
    operation.warm.set()
    async with asked(operation) as client:
        answer = await client.get("/ready")
        assert (answer.status_code, answer.json()["why"]) == (503, why)
        assert "secret-host" not in answer.text
        assert (await client.get("/health")).status_code == 200


async def test_catalogues_that_could_not_be_opened_are_logged_and_leave_it_ready(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails() -> None:
        raise StoreUnavailable("x")

    operation, task = Operation(fine), asyncio.ensure_future(fails())
    await asyncio.wait([task])
    observing.warmed(task, operation)
    assert operation.warm.is_set()
    assert "could not be opened" in caplog.text


async def test_turns_are_counted_by_their_endings_and_logged_without_their_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dialogue.observing")
    operation = Operation(fine)
    ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    async with (
        ObservedConversations(tmp_path, always(ports), metrics=operation.metrics) as talks,
        asked(operation) as client,
    ):
        thread = await talks.start("restaurants", "ann")
        events = [event async for event in talks.turn(thread, "ramen in Old Harbour")]
        assert isinstance(events[-1], Finished)
        stopped = talks.turn(thread, "quiet please")
        await anext(stopped)
        assert "pdgf_turns_running 1" in (await client.get("/metrics")).text
        await stopped.aclose()  # type: ignore[attr-defined]
        with pytest.raises(UnknownConversation):
            await anext(talks.turn("unknown", "ramen"))
        text = (await client.get("/metrics")).text
    found = {
        (row.name, tuple(row.labels.values())): row.value
        for family in text_string_to_metric_families(text)
        for row in family.samples
    }
    assert {ending: found["pdgf_turns_total", (ending,)] for ending in ("finished", "stopped", "failed")} == {
        "finished": 1.0,
        "stopped": 1.0,
        "failed": 1.0,
    }
    assert found["pdgf_errors_total", ("UnknownConversation",)] == 1.0
    assert found["pdgf_turns_running", ()] == 0.0
    assert found["pdgf_turn_seconds_count", ()] == 3.0
    assert found["process_resident_memory_bytes", ()] > 1e6
    numbers = [record.numbers for record in caplog.records if record.message == "turn"]  # type: ignore[attr-defined]
    assert [row["ending"] for row in numbers] == ["finished", "stopped", "failed"]
    assert numbers[0]["conversation"] == numbers[1]["conversation"] == sign_of(thread)
    assert thread not in str(numbers)
    assert "ramen" not in str(numbers) + text


@pytest.mark.parametrize(
    ("error", "level"),
    [
        (DatabaseUnavailable("secret-host"), logging.ERROR),
        (RuntimeError("secret-host"), logging.ERROR),
        (NarrativeTooLong(9, 3), logging.INFO),
    ],
)
async def test_a_turn_that_fails_is_logged_with_its_kind_and_as_an_error_where_the_service_is_at_fault(
    error: Exception, level: int, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object, **__: object) -> AsyncIterator[object]:
        raise error
        yield

    monkeypatch.setattr(Conversations, "turn", failing)
    caplog.set_level(logging.INFO, "dialogue.observing")
    ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    talks = ObservedConversations(tmp_path, always(ports), metrics=Operation(fine).metrics)
    with pytest.raises(type(error)):
        await anext(talks.turn("t", "ramen"))
    [record] = [record for record in caplog.records if record.message == "turn"]
    assert (record.levelno, record.numbers["error"]) == (level, type(error).__name__)  # type: ignore[attr-defined]
    assert "secret-host" not in caplog.text


async def test_what_keeps_a_turn_from_being_begun_is_counted_and_logged_as_a_turn_that_failed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object, **__: object) -> None:
        raise DatabaseUnavailable("secret-host")

    for name in ("start", "find"):
        monkeypatch.setattr(Conversations, name, failing)
    operation, ports = Operation(fine), town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    talks = ObservedConversations(tmp_path, always(ports), metrics=operation.metrics)
    for call in (talks.start("restaurants", "ann"), talks.find("t")):
        with pytest.raises(DatabaseUnavailable):
            await call
    assert 'pdgf_errors_total{kind="DatabaseUnavailable"} 2' in operation.metrics.text()
    assert [record.levelno for record in caplog.records if record.message == "turn"] == [logging.ERROR] * 2
    assert "secret-host" not in caplog.text


async def test_a_store_that_says_nothing_holds_up_nobody_who_asks_and_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dialogue.operating.PATIENCE", 0.1)
    answers, calls = asyncio.Event(), []

    async def hangs() -> None:
        calls.append(1)
        while not answers.is_set():  # not even to be broken off ends it
            with suppress(asyncio.CancelledError):
                await answers.wait()

    operation = Operation(hangs)
    operation.warm.set()
    async with asyncio.timeout(5.0):
        assert await asyncio.gather(*(operation.missing() for _ in range(3))) == [STORE] * 3
        assert len(calls) == 1
        answers.set()
        assert await operation.missing() == ""
        assert await operation.missing() == ""
    assert len(calls) == 2  # what was asked long ago is no answer for now

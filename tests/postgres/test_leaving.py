"""A process that is told to end, as every new release tells the one before: with pages open, and in mid-turn."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from dialogue import wording
from dialogue.conversation import Conversations
from dialogue.operating import LEAVING
from dialogue.postgres import store as stores
from pdgf.errors import ConversationBusy
from tests.contracts.stores import shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.postgres.replicas import LOOPBACK, Replica
from tests.postgres.serving import fresh_url

SLOW = 4.0  # seconds that the evidence of a turn takes
GONE = 30.0  # seconds: a busy computer takes its time; the stream of a page is held open for good


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[tuple[Replica, httpx.AsyncClient, str]]:
    url = fresh_url()
    replica = Replica({"PDGF_DATABASE_URL": url, "SLOW_EVIDENCE": str(SLOW)}, folder)
    await replica.start()
    try:
        address = f"http://127.0.0.1:{replica.port}"
        async with httpx.AsyncClient(base_url=address, timeout=60.0, trust_env=False, verify=LOOPBACK) as client:
            yield replica, client, url
    finally:
        await replica.kill()


async def opened_page(client: httpx.AsyncClient, beats: asyncio.Event) -> None:
    """What every open page holds, until the process ends it."""
    with suppress(httpx.HTTPError):
        async with client.stream("GET", "/gradio_api/heartbeat/a-page") as stream:
            async for _ in stream.aiter_bytes():
                beats.set()


async def asked(client: httpx.AsyncClient, utterance: str) -> str:
    """What is heard of a turn, to its end."""
    said = {"data": [utterance, "", "restaurants", "ann"]}
    event = (await client.post("/gradio_api/call/chat", json=said)).json()["event_id"]
    return (await client.get(f"/gradio_api/call/chat/{event}")).text


async def ended(replica: Replica, within: float) -> float:
    process = replica.process
    assert process is not None
    begun = time.monotonic()
    async with asyncio.timeout(within):
        await process.wait()
    return time.monotonic() - begun


@pytest.mark.long
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_it_is_gone_soon_although_pages_are_open(tmp_path: Path, sign: signal.Signals) -> None:
    async with serving(tmp_path) as (replica, client, _):
        beats = asyncio.Event()
        page = asyncio.create_task(opened_page(client, beats))
        await beats.wait()
        assert replica.process is not None
        replica.process.send_signal(sign)
        await ended(replica, GONE)
        await page
    log = (tmp_path / "log").read_text()
    assert "ERROR" not in log
    assert "Traceback" not in log


@pytest.mark.long
async def test_a_turn_that_is_running_ends_is_told_and_is_stored_and_whoever_watches_hears_of_it_at_once(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as (replica, client, url):
        beats = asyncio.Event()
        page = asyncio.create_task(opened_page(client, beats))
        turn = asyncio.create_task(asked(client, "ramen in Old Harbour"))
        async with shared(url) as store:
            async with asyncio.timeout(20.0):
                while not await store.of_owner("ann"):  # noqa: ASYNC110  another process
                    await asyncio.sleep(0.05)
            assert replica.process is not None
            replica.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(0.2)
            ready: Any = await client.get("/ready")
            assert (ready.status_code, ready.json()["why"]) == (503, LEAVING)
            assert (await client.get("/health")).status_code == 503
            assert not turn.done()
            told = await turn
            await ended(replica, GONE)
            await page
            assert told.startswith("event: complete")
            [row] = await store.of_owner("ann")
            assert row.title == "ramen in Old Harbour"
            assert await store.newest_checkpoint(row.thread) == await store.noted(row.thread)
    assert (
        '"ending": "finished"' in (tmp_path / "log").read_text() or "ending=finished" in (tmp_path / "log").read_text()
    )


@pytest.mark.long
async def test_where_a_process_hangs_in_mid_turn_others_say_what_is_true_and_go_on_once_it_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "PATIENCE", 1.0)
    async with serving(tmp_path) as (replica, client, url):
        turn = asyncio.create_task(asked(client, "ramen in Old Harbour"))
        ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
        async with shared(url) as store, Conversations(store, always(ports)) as talks:
            async with asyncio.timeout(20.0):
                while not (rows := await store.of_owner("ann")) or not rows[0].title:  # noqa: ASYNC110  another process
                    await asyncio.sleep(0.05)
            assert replica.process is not None
            replica.process.send_signal(signal.SIGSTOP)
            with pytest.raises(ConversationBusy) as raised:
                await anext(talks.turn(rows[0].thread, "quiet please"))
            told = wording.sentence_for(raised.value)
            assert "stopped working" in told
            assert "window" not in told
            await replica.kill()
            async with asyncio.timeout(20.0):
                async for _ in talks.turn(rows[0].thread, "quiet please"):
                    pass
            assert [view.utterance for view in await talks.history(rows[0].thread)] == ["quiet please"]
        turn.cancel()
        await asyncio.wait([turn])

"""Chats a second of one, two and three processes over one database, through the proxy of the test of many processes.

The engine of those processes is scripted and cheap: what is measured is the page's server, the store and the database.
"""

import asyncio
import tempfile
import time
from pathlib import Path

from dialogue.conversation import Conversations
from tests.contracts.stores import shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.postgres.replicas import Visitor, running
from tests.postgres.serving import fresh_url

CHATS = 60
AT_ONCE = 12
UTTERANCES = ("ramen in Old Harbour", "quiet please")


def measure() -> None:
    print(f"{CHATS} chats of {len(UTTERANCES)} turns, {AT_ONCE} at a time, a scripted engine", flush=True)
    for processes in (1, 2, 3):
        seconds = asyncio.run(_seconds(processes))
        turns = CHATS * len(UTTERANCES) / seconds
        print(
            f"  processes: {processes:<35}{CHATS / seconds:>8.2f} chats a second, {turns:.1f} turns a second",
            flush=True,
        )


async def _seconds(processes: int) -> float:
    url = fresh_url()
    ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    with tempfile.TemporaryDirectory() as folder:
        async with (
            running(url, Path(folder), processes) as (_, proxy),
            shared(url) as store,
            Conversations(store, always(ports)) as stored,
        ):
            places = asyncio.Semaphore(AT_ONCE)

            async def chat(visitor: Visitor) -> None:
                async with places:
                    for utterance in UTTERANCES:
                        await visitor.say(utterance)

            await chat(Visitor("first", proxy, stored))
            begun = time.perf_counter()
            await asyncio.gather(*(chat(Visitor(f"visitor-{number}", proxy, stored)) for number in range(CHATS)))
            return time.perf_counter() - begun

"""Messages of every kind to the built-in engine over a bundled catalogue, and to a language model (RELIABILITY 4.5)."""

import tempfile
from collections.abc import AsyncIterator
from itertools import islice
from pathlib import Path

from dialogue.composition import Composition
from dialogue.conversation import Conversations
from pdgf.settings import Settings
from tests.dialogue.llm_cells import plain_model
from tests.dialogue.llm_town import open_llm_town
from tests.fuzz.messages import BY_HAND, messages, mishandled
from tests.openai_server import FakeOpenAI
from tests.stress import Figure

COUNT, BY_MODEL = 2_000, 400
PART = 500  # after so many it is told how it goes
TURNS = 12  # of a conversation


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    bar = "a reply, or a refusal in <= 1 s; stored as shown; no change on a refusal"
    with tempfile.TemporaryDirectory() as folder:
        composition = Composition(settings=Settings(data_dir=Path(folder), engine="builtin"))
        await composition.ports("movies")  # opening a catalogue is no part of reading a message
        async with Conversations(Path(folder), composition.ports, composition.forget) as conversations:
            said, found = messages(COUNT), list[str]()
            for done in range(PART, COUNT + 1, PART):
                found += await mishandled(conversations, "movies", islice(said, PART), turns=TURNS)
                yield Figure(
                    f"{done:,} messages so far: mishandled", "-", "; ".join([str(len(found)), *found[:3]]), True
                )
        await composition.close()
    name = f"{COUNT:,} messages, {len(BY_HAND)} of them by hand, built-in engine: mishandled"
    yield Figure(name, f"0 ({bar})", "; ".join([str(len(found)), *found[:3]]), not found)
    with tempfile.TemporaryDirectory() as folder, FakeOpenAI(plain_model) as server:
        async with open_llm_town(Path(folder), server.base_url) as town:
            said = islice(messages(COUNT), COUNT - BY_MODEL, None)
            found = await mishandled(town.conversations, "restaurants", said, turns=TURNS)
    yield Figure(
        f"{BY_MODEL} messages, a language model: mishandled", "0", "; ".join([str(len(found)), *found[:3]]), not found
    )

"""A conversation of many long messages against a model that refuses long prompts (C48)."""

import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from dialogue.events import Finished
from dialogue.models import TurnView
from tests.dialogue.llm_cells import plain_model
from tests.dialogue.llm_town import open_llm_town
from tests.openai_server import ChatRequest, FakeOpenAI, Fault, Reply
from tests.openai_server.town_model import blocks
from tests.stress import Figure

TURNS, CHARS = 300, 1_000
LONGEST = 120_000  # characters of a prompt that the model takes: about 30,000 tokens
WISH_CHARS = 300  # characters of each message that are a wish of their own


@dataclass
class LongChat:
    """What a long conversation came to."""

    views: list[TurnView] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # of work, whatever else the machine does
    longest: int = 0  # characters of a prompt
    refused: int = 0


async def long_chat(folder: Path, turns: int, chars: int, wish_chars: int = WISH_CHARS) -> LongChat:
    """A conversation of so many messages of so many characters, each with a wish and much beside it."""
    told = LongChat()

    def model(request: ChatRequest) -> Reply:
        length = len(request.system) + len(request.user)
        told.longest = max(told.longest, length)
        if length > LONGEST:
            told.refused += 1
            return Fault.CONTEXT_LENGTH
        if request.prompt != "understand":
            return plain_model(request)
        said = blocks(request.user)["utterance"]
        needed = {"Old Harbour": "location", "ramen": "dish_type"} if "Old Harbour" in said else {}
        place = [{"text": text, "key": key, "hard": True} for text, key in needed.items()]
        own = {"text": said[15 : 15 + wish_chars], "key": "others"}
        return {"intents": ["provide_preference"], "wishes": [own, *place]}

    with FakeOpenAI(model) as server:
        async with open_llm_town(folder, server.base_url, budget_seconds=60.0) as town:
            for turn in range(turns):
                wish = f"ramen number {turn} where "
                words = (
                    ("" if turn else "Old Harbour, ")
                    + wish
                    + "".join(f"the cook of house {turn} times {n} walks by, " for n in range(chars // 30))
                )
                begun = time.process_time()
                async for event in town.conversations.turn(town.thread, words[:chars]):
                    if isinstance(event, Finished):
                        told.views.append(event.view)
                told.seconds.append(time.process_time() - begun)
    return told


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        told = await long_chat(Path(folder), TURNS, CHARS)
    answered = sum(bool(view.items) for view in told.views)
    yield Figure(f"turns of {CHARS} characters that end with a list", f"{TURNS}", f"{answered}", answered == TURNS)
    yield Figure("longest prompt, characters", f"<= {LONGEST}", f"{told.longest}", told.longest <= LONGEST)
    early, late = statistics.median(told.seconds[5:30]), statistics.median(told.seconds[-25:])
    figure = "work of a turn at the end against the start, medians"
    yield Figure(figure, "<= 3 times", f"{late / early:.1f}", late <= 3 * early)

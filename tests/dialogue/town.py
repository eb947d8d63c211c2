"""A small invented town for the tests of the dialogue: eight places to eat, and the words that are known of them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from dialogue.conversation import Conversations
from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.events import Event, Finished
from dialogue.models import ItemRef, TurnView
from dialogue.ports import DialogueAgent, DomainPorts
from pdgf.models import Candidate
from pdgf.ports import Ports
from pdgf.settings import MethodConfig
from tests.fakes import Shelf, VocabularyAgent

WORDS = {
    "old harbour": "location",
    "mill quarter": "location",
    "ramen": "dish",
    "pizza": "dish",
    "quiet": "noise",
    "quieter": "noise",
    "loud": "noise",
    "parking": "parking",
    "terrace": "amenity",
    "vegan": "diet",
    "dragons": "theme",
    "under $5": "price",
}


def place(number: int, title: str, noise: str, spend: int, parking: str, district: str = "Old Harbour") -> Candidate:
    metadata = {
        "location": district,
        "dishes": ["ramen"],
        "noise_level": noise,
        "average_spend": spend,
        "parking": parking,
    }
    return Candidate(id=f"p{number}", title=title, metadata=metadata)


def texts(district: str, *said: str) -> tuple[str, ...]:
    return (f"Location: {district}", "The ramen is rich.", *said)


PLACES = (
    (place(1, "Lantern Room", "quiet", 20, "own car park"), texts("Old Harbour", "A quiet room.", "It has parking.")),
    (
        place(2, "Drum House", "loud", 14, "no parking nearby"),
        texts("Old Harbour", "It is loud.", "The terrace is small."),
    ),
    (place(3, "Noodle Corner", "lively", 11, "street parking only"), texts("Old Harbour", "A terrace at the back.")),
    (place(4, "Salt Kettle", "quiet", 30, "own car park"), texts("Old Harbour", "A quiet and quieter place.")),
    (place(5, "Blue Bowl", "moderate", 16, "no parking nearby"), texts("Old Harbour", "Vegan broth is served.")),
    (place(6, "Copper Pan", "moderate", 18, "own car park"), texts("Old Harbour", "It has parking.")),
    (place(7, "Far Mill", "quiet", 15, "own car park", "Mill Quarter"), texts("Mill Quarter", "A quiet room.")),
    (place(8, "Old Loft", "quiet", 25, "no parking nearby"), texts("Old Harbour", "A quieter room upstairs.")),
)
REFS = tuple(ItemRef(id=item.id, title=item.title) for item, _ in PLACES)


@dataclass
class Town:
    """A conversation in the town, with the fakes behind it."""

    conversations: Conversations
    thread: str
    agent: VocabularyAgent
    shelf: Shelf
    ports: DomainPorts

    async def say(self, utterance: str) -> TurnView:
        """One turn to its end."""
        events = [event async for event in self.conversations.turn(self.thread, utterance)]
        assert isinstance(events[-1], Finished)
        return events[-1].view

    async def events(self, utterance: str) -> list[Event]:
        return [event async for event in self.conversations.turn(self.thread, utterance)]


def town_ports(agent: VocabularyAgent, shelf: Shelf, dialogue: DialogueAgent | None = None) -> DomainPorts:
    return DomainPorts(
        ports=Ports(agent=agent, source=shelf),
        agent=dialogue or BuiltinDialogueAgent(preferences=agent, config=MethodConfig()),
        reviews=shelf,
        catalogue=shelf,
        domain=bundled_domain("restaurants"),
        config=MethodConfig(),
        current_year=2026,
        engine="builtin",
        embedder="none",
    )


def always(ports: DomainPorts) -> Callable[[str], Awaitable[DomainPorts]]:
    async def context_for(name: str) -> DomainPorts:
        return ports

    return context_for


@asynccontextmanager
async def open_town(folder: Path, dialogue: DialogueAgent | None = None) -> AsyncIterator[Town]:
    agent, shelf = VocabularyAgent(WORDS), Shelf(PLACES)
    ports = town_ports(agent, shelf, dialogue)
    async with Conversations(folder, always(ports)) as conversations:
        thread = await conversations.start("restaurants", "someone")
        yield Town(conversations, thread, agent, shelf, ports)

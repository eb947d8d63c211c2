"""A played person with a hidden need, and many of them talked with: how often and how soon they find something.

    opens      with two of the needs
    tells      another one when asked for something, or says that it does not matter
    rejects    what breaks a need, with an objection; where the need was told before, by saying it again
    accepts    the hidden item, or one that fulfils all needs

Nobody names the hidden item, and nobody knows more of an item than its metadata say.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any

from dialogue.conversation import Conversations
from dialogue.evaluation.needs import Need, needs_of
from dialogue.events import Finished
from dialogue.models import TurnView
from dialogue.ports import DomainPorts
from pdgf.catalogues.bundled import BUNDLED
from pdgf.evaluation.statistics import mean_of
from pdgf.models import Candidate, Metadata, Value

NEEDS = 4
TOLD_AT_ONCE = 2
MOST_TURNS = 10
OWNER = "played"

Ports = Callable[[str], Awaitable[DomainPorts]]
Say = Callable[[str], None]


class Outcome(Value):
    """How a conversation ended: accepted or not, after how many turns, and whether it was the hidden item itself."""

    domain: str
    accepted: bool
    turns: int
    itself: bool = False


@dataclass
class Person:
    """Somebody who looks for the hidden item, or for one as good. `told` are the needs that were said."""

    target: str
    needs: Sequence[Need]
    items_word: str
    told: list[Need] = field(default_factory=list)
    chosen: str | None = None

    def opening(self) -> str:
        """The first words."""
        self.told = list(self.needs[:TOLD_AT_ONCE])
        return f"I am looking for {self.items_word}: {', '.join(need.said for need in self.told)}."

    def answer(self, shown: Sequence[tuple[str, str, Metadata]]) -> str:
        """What is said to a turn that shows these items (id, title, metadata), or none; `chosen` is set on a choice."""
        if not shown:
            return self._next_need("I do not mind, show me something.")
        for item, title, metadata in shown:
            if item == self.target or all(need.kept_by(metadata) for need in self.needs):
                self.chosen = item
                return f"I will take {title}."
        _, title, metadata = shown[0]
        broken = [need for need in self.needs if not need.kept_by(metadata)]
        fresh = next((need for need in broken if need not in self.told), None)
        if fresh is None:
            return f"No, {broken[0].said}."
        self.told.append(fresh)
        return f"Not {title}, {fresh.objection}."

    def _next_need(self, otherwise: str) -> str:
        left = next((need for need in self.needs if need not in self.told), None)
        if left is None:
            return otherwise
        self.told.append(left)
        return f"{left.said[0].upper()}{left.said[1:]}."


def played(domain: str, items: Sequence[Candidate], items_word: str, rng: Random) -> Person:
    """A person for a random item of which enough is known. Raises ValueError where there is none."""
    for item in rng.sample(list(items), len(items)):
        needs = needs_of(item.metadata, domain, rng, NEEDS)
        if len(needs) > TOLD_AT_ONCE:
            return Person(target=item.id, needs=needs, items_word=items_word)
    raise ValueError(f"no item of {domain} has enough that one can wish for")


async def simulate(
    ports: Ports, folder: Path, *, conversations: int, seed: int, say: Say, domains: Sequence[str] = BUNDLED
) -> dict[str, Any]:
    """Success rate with its interval and turns until acceptance, in all and by domain; the domains take turns.

    The same seed plays the same people. Raises ServiceFailed as a turn does.
    """
    rng = Random(seed)  # noqa: S311  who is played is no secret
    outcomes: list[Outcome] = []
    async with Conversations(folder, ports) as talks:
        for number in range(conversations):
            name = domains[number % len(domains)]
            found = await ports(name)
            person = played(name, found.catalogue.items(), found.domain.items_word, rng)
            outcomes.append(await _talk(talks, name, person, found))
            say(f"{number + 1} of {conversations} conversations")
    return {
        **_figures(outcomes),
        "domains": {name: _figures([o for o in outcomes if o.domain == name]) for name in domains[:conversations]},
        "config": {"conversations": conversations, "seed": seed, "most_turns": MOST_TURNS, "needs": NEEDS},
    }


async def _talk(talks: Conversations, domain: str, person: Person, ports: DomainPorts) -> Outcome:
    """One conversation, up to the choice or the last turn."""
    thread = await talks.start(domain, OWNER)
    known: Mapping[str, Candidate] = {item.id: item for item in ports.catalogue.items()}
    said = person.opening()
    for turn in range(1, MOST_TURNS + 1):
        view = await _turn(talks, thread, said)
        shown = [(item["id"], item["title"], known[item["id"]].metadata) for item in view.items if item["id"] in known]
        said = person.answer(shown)
        if person.chosen is not None:
            return Outcome(domain=domain, accepted=True, turns=turn, itself=person.chosen == person.target)
    return Outcome(domain=domain, accepted=False, turns=MOST_TURNS)


async def _turn(talks: Conversations, thread: str, said: str) -> TurnView:
    async for event in talks.turn(thread, said):
        if isinstance(event, Finished):
            return event.view
    raise RuntimeError("a turn ends with Finished")


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    found = [outcome for outcome in outcomes if outcome.accepted]
    rate = mean_of([float(outcome.accepted) for outcome in outcomes])
    turns = [outcome.turns for outcome in found]
    return {
        "success": rate.value,
        "interval": [rate.low, rate.high],
        "conversations": len(outcomes),
        "mean_turns": fmean(turns) if turns else None,
        "median_turns": median(turns) if turns else None,
        "itself": sum(outcome.itself for outcome in found),
    }

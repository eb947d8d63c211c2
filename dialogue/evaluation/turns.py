"""One utterance through the understanding of a chat, without a conversation around it.

It goes the way of the loop's first step: what no agent needs to read, the agent, what of its reading can be believed,
and the state that comes of it.
"""

import re
from collections.abc import Sequence

from dialogue import intents, state
from dialogue.domain import Domain
from dialogue.models import DialogueState, ItemRef, TurnRecord, Understanding
from dialogue.ports import ContentStore, DomainPorts, TurnContext
from dialogue.record import dumped
from pdgf.usage import Budget

TURN = 2  # the system has spoken before
UNNAMED = ItemRef(id="shown", title="Zzyzx")  # an item that was shown and of which nothing is known
_LEAD = re.compile(
    r"^(?:(?:yes|ok|okay|well|then|great)\W+)*(?:(?:how|what) about|have you (?:seen|watched)"
    r"|i (?:can )?(?:recommend|suggest)"
    r"|(?:you )?(?:may|might|could|should) (?:like|try|watch)|try)\W+",
    re.IGNORECASE,
)
_TITLE_AND_YEAR = re.compile(r"(?P<title>[A-Z0-9][^.?!()]*?)\s*\((?P<year>\d{4})\)")


class NoStore:
    """A ContentStore of a turn that stores nothing."""

    async def put(self, text: str) -> str:
        return ""

    async def get(self, digest: str) -> str:
        raise KeyError(digest)


def context_of(ports: DomainPorts, budget: Budget, *, domain: Domain | None = None) -> TurnContext:
    """What a turn in a domain needs; `domain` in place of that of the ports."""
    store: ContentStore = NoStore()
    return TurnContext(
        ports=ports.ports,
        agent=ports.agent,
        reviews=ports.reviews,
        catalogue=ports.catalogue,
        store=store,
        domain=domain or ports.domain,
        config=ports.config,
        budget=budget,
        current_year=ports.current_year,
        engine=ports.engine,
        embedder=ports.embedder,
        max_message_chars=ports.max_message_chars,
    )


def items_named(said: str) -> tuple[ItemRef, ...]:
    """The items that a system turn shows: every `Title (YYYY)`."""
    pairs = ((_LEAD.sub("", match["title"]).strip(), int(match["year"])) for match in _TITLE_AND_YEAR.finditer(said))
    found = dict.fromkeys(pair for pair in pairs if pair[0])
    return tuple(ItemRef(id=f"shown{n}", title=title, year=year) for n, (title, year) in enumerate(found))


async def understood(
    text: str,
    *,
    before: DialogueState,
    shown: Sequence[ItemRef],
    context: TurnContext,
    asked: Sequence[str] = (),
) -> tuple[Understanding, DialogueState]:
    """What is read from an utterance, and the state after it. `asked` are the keys that the system asked for before.
    Raises ServiceFailed and BudgetSpent."""
    said = intents.cleaned(text)
    known = before.model_copy(update={"recommended_items": tuple(shown)})
    turn: TurnRecord = {
        "turn": TURN,
        "utterance": said,
        "dialogue": known.model_dump(mode="json"),
        "shown": dumped(shown),
        "focus": [],
        "requests": [],
        "asked": list(asked),
    }
    reading, notice = await intents.understand(turn, context)
    if notice:
        return reading, known
    revised = state.revise(turn, reading, context.domain)
    return reading, DialogueState.model_validate(revised["dialogue"])

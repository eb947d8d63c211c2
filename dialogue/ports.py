"""The seams of the dialogue: what a conversation needs from outside besides the ports of PDG-F."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dialogue.ahead import ReadAhead
from dialogue.domain import Domain
from dialogue.models import DialogueState, ItemRef, Piece, Understanding
from pdgf.identity import Exclusion
from pdgf.models import Candidate, Metadata, PreferenceGraph, RankedItem
from pdgf.ports import EvidenceSource, ItemCatalogue, Ports, ReviewHit, ReviewIndex
from pdgf.ranking import LabelCache
from pdgf.settings import MethodConfig
from pdgf.usage import Budget


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """What DialogueAgent.understand may see: the words, the state before them, what was shown and asked last.

    `focus` are the items that the last turn spoke of, `metadata` is what is known of the shown items by id, `turn` is
    the number that spans of this utterance start with, `current_year` anchors words such as "recent". `catalogue` are
    the items there are, by whose titles references are known; `domains` are the other domains that may be asked for.
    """

    text: str
    turn: int
    state: DialogueState
    shown: tuple[ItemRef, ...]
    domain: Domain
    asked: tuple[str, ...] = ()
    focus: tuple[ItemRef, ...] = ()
    metadata: Mapping[str, Metadata] = field(default_factory=dict)
    current_year: int = 0
    catalogue: Sequence[Candidate] = ()
    domains: Sequence[Domain] = ()


@dataclass(frozen=True, kw_only=True)
class Question:
    """What DialogueAgent.answer may see: one question, one item, its metadata and its nearest passages. `said` is how
    the user asked where `text` puts that into English."""

    text: str
    said: str = ""
    item: ItemRef
    metadata: Metadata
    hits: tuple[ReviewHit, ...]


class DialogueAgent(Protocol):
    """Reads a turn and words what the system says. A reply it cannot use leaves the state unchanged."""

    async def understand(self, utterance: Utterance, budget: Budget) -> Understanding: ...

    def explain(self, item: RankedItem, graph: PreferenceGraph, budget: Budget) -> AsyncIterator[Piece]:
        """The reasons for one item, piece by piece; every quote stands in the item's evidence or metadata."""
        ...

    def answer(self, question: Question, budget: Budget) -> AsyncIterator[Piece]:
        """The answer to one question about one item, piece by piece, with the quotes that bear it out; nothing at all
        when neither its metadata nor its passages answer."""
        ...


class ContentStore(Protocol):
    """Texts by their digest: what is too large for the state of a thread."""

    async def put(self, text: str) -> str:
        """Store a text and return its digest; the same text has the same digest. Raises StoreUnavailable."""
        ...

    async def get(self, digest: str) -> str:
        """The text of a digest. Raises KeyError for an unknown one and StoreUnavailable."""
        ...


@dataclass(frozen=True, kw_only=True)
class DomainPorts:
    """Everything that turns of one domain share; made once a domain by the composition root.

    `labels` outlives a turn: a label depends on its pair alone (METHOD 10). `new_budget` makes the budget of a turn.
    `wider` is the source whose evidence widens a list once it is shown; `own` is the catalogue alone, where the web is
    asked too, for turns that keep to it. `read_ahead`: whether a turn's wishes are read
    for the graph while its message is still being understood.
    """

    ports: Ports
    agent: DialogueAgent
    reviews: ReviewIndex
    catalogue: ItemCatalogue
    domain: Domain
    config: MethodConfig
    current_year: int
    engine: str
    embedder: str
    wider: EvidenceSource | None = None
    own: EvidenceSource | None = None
    read_ahead: bool = False
    labels: LabelCache = field(default_factory=LabelCache)
    new_budget: Callable[[str], Budget] = lambda thread: Budget(scope=thread)
    max_message_chars: int = 20_000


@dataclass(frozen=True, kw_only=True)
class TurnContext:
    """Everything a turn needs, passed to the loop for each run and never checkpointed."""

    ports: Ports
    agent: DialogueAgent
    reviews: ReviewIndex
    catalogue: ItemCatalogue
    store: ContentStore
    domain: Domain
    config: MethodConfig
    budget: Budget
    current_year: int
    engine: str
    embedder: str
    wider: EvidenceSource | None = None
    own: EvidenceSource | None = None
    ahead: ReadAhead | None = None
    domains: Sequence[Domain] = ()  # those that a conversation may go on in
    seen_list: Sequence[Exclusion] = ()  # what the owner of the conversation has brought as known already
    labels: LabelCache = field(default_factory=LabelCache)
    max_message_chars: int = 20_000

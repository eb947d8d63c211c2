"""What every visit is given: what a browser remembers, what this computer offers, and what changes on the page."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeGuard

from dialogue import wording
from dialogue.domain import Domain
from dialogue.owned import LOCAL_OWNER
from dialogue.ui.handlers import Message, Strip
from dialogue.ui.newcomers import Newcomers, unguessable
from dialogue.ui.panels import Panels
from dialogue.ui.runs import Runs
from dialogue.ui.texts import Texts
from pdgf.catalogues.bundled import BUNDLED

if TYPE_CHECKING:
    from dialogue.conversation import Conversations
    from dialogue.own_domains import OwnDomains

LONGEST_KEY = 128  # characters of an id that is believed


class Claimed(dict[str, Any]):
    """What a browser remembers, its owner put in by the server from the login."""


@dataclass(frozen=True, kw_only=True)
class Memory:
    """All that a browser keeps: who it is, an unguessable word; the domain chosen; the conversation of each domain, and
    whether a new one has been asked for that nothing is said in yet; and for the turns to come whether they keep to the
    catalogue and how many seconds they may take."""

    owner: str
    domain: str
    threads: Mapping[str, str] = field(default_factory=dict)
    own_only: bool = False
    seconds: int | None = None
    fresh: bool = False

    @property
    def thread(self) -> str | None:
        """The conversation of the domain chosen; none while a new one is to begin, in whichever domain."""
        return None if self.fresh else self.threads.get(self.domain)

    def moved(self, domain: str) -> "Memory":
        """The same once its conversation has gone on in another domain."""
        threads = {name: kept for name, kept in self.threads.items() if name != self.domain}
        return replace(self, domain=domain, threads={**threads, domain: self.threads[self.domain]})

    def with_thread(self, thread: str | None) -> "Memory":
        """The same with another conversation, or none, in the domain chosen; those of other domains stay."""
        others = {domain: kept for domain, kept in self.threads.items() if domain != self.domain}
        return replace(self, threads=others if thread is None else {**others, self.domain: thread}, fresh=False)


@dataclass(frozen=True, kw_only=True)
class Screen:
    """What changes on the page; None leaves a part as it is. `box` is the text to put into the message box.

    A `quiet` status is for listeners only: who sees the page sees the same in the chat. `live` is what a running turn
    is doing, for who looks at the picks. What `follows` a turn of the conversation that is shown leaves alone what is
    being written on the page. With `stays`, domain and settings are on the page as they are remembered.
    """

    memory: Memory | None = None
    stays: bool | None = None
    chat: list[Message] | None = None
    status: str | None = None
    quiet: bool = False
    running: bool | None = None
    strip: Strip | None = None
    panels: Panels | None = None
    box: str | None = None
    live: str | None = None
    follows: bool = False


@dataclass(frozen=True, kw_only=True)
class Server:
    """What whoever runs this has set: keys under [about] of the texts, the seconds that a turn may take at most, and
    the characters of the `longest` message that is read."""

    engine: str = "builtin"
    evidence: str = "catalogue"
    seconds: float = 90.0
    longest: int = 20_000


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What every visit needs; `own` are the domains that visitors have brought, `owner_of` gives the key of whoever is
    logged in."""

    conversations: "Conversations"
    runs: Runs
    domains: Mapping[str, Domain]
    texts: Texts
    own: "OwnDomains | None" = None
    server: Server = Server()
    owner_of: Callable[[str], str] | None = None
    newcomers: Newcomers = field(default_factory=Newcomers)

    @property
    def language(self) -> str:
        """The language of this page."""
        return str(self.texts["page"]["language"])

    def owner(self, user: str | None) -> str | None:
        """The key of whoever is logged in; None where nobody has to. Somebody unknown gets a key of no use."""
        if self.owner_of is None:
            return None
        return self.owner_of(user) if user else unguessable()

    def claimed(self, stored: Any, user: str | None, tab: str = "") -> Any:
        """What a browser remembers, as far as it is the memory of whoever is logged in there now; where nobody has to
        be and it remembers nothing yet, the owner of the open page `tab`.

        Every event passes its memory through here: `recall` believes no other one where there is a login.
        """
        owner, known = self.owner(user), stored if isinstance(stored, dict) else {}
        if owner is None:
            if not believable(known.get("owner")):
                return {**known, "owner": self.newcomers.owner(tab)}
            self.newcomers.told(tab)
            return stored
        threads = known.get("threads") if known.get("owner") == owner else {}
        return Claimed({**known, "owner": owner, "threads": threads})

    def offered(self, owner: str) -> dict[str, Domain]:
        """The domains that this visitor can choose: everybody's, then their own."""
        return {**self.domains, **(self.own.of(owner) if self.own else {})}

    def gone(self, stored: Any) -> bool:
        """Whether the domain that a browser has chosen is no longer offered to it."""
        known = stored if isinstance(stored, dict) else {}
        domain, owner = known.get("domain"), known.get("owner")
        return believable(domain) and domain not in (self.offered(owner) if believable(owner) else self.domains)

    def domain(self, memory: "Memory") -> Domain:
        """The domain chosen; the first one where it is gone."""
        known = self.domains.get(memory.domain) or self.offered(memory.owner).get(memory.domain)
        return known or next(iter(self.domains.values()))


def recall(desk: Desk, stored: Any) -> Memory:
    """The memory that a browser sent, as far as it can be believed; a new owner where it holds none.

    Where there is a login, only what `Desk.claimed` has checked is believed.
    """
    known = stored if isinstance(stored, dict if desk.owner_of is None else Claimed) else {}
    owner, threads, domain = known.get("owner"), known.get("threads"), known.get("domain")
    kept = threads if isinstance(threads, dict) and believable(owner) else {}
    seconds = known.get("seconds")
    offered = desk.offered(owner) if believable(owner) else desk.domains
    return Memory(
        owner=owner if believable(owner) else unguessable(),
        domain=domain if believable(domain) and domain in offered else next(iter(desk.domains)),
        threads={name: kept[name] for name in offered if believable(kept.get(name))},
        own_only=known.get("own_only") is True,
        seconds=seconds if isinstance(seconds, int) and 0 < seconds < desk.server.seconds else None,
        fresh=known.get("fresh") is True,
    )


def choices(desk: Desk, offered: Mapping[str, Domain]) -> list[tuple[str, str]]:
    """The domains to choose from, as they are called, and their names."""
    called = desk.texts["domains"]
    return [(called.get(row.name, row.title or _called(row)), row.name) for row in offered.values()]


def where_left(desk: Desk, before: Memory, domain: str) -> str:
    """Where the conversation is that was shown before another domain was chosen; nothing where there was none."""
    if before.thread is None or before.domain == domain:
        return ""
    called = {name: label for label, name in choices(desk, desk.offered(before.owner))}
    return str(desk.texts["status"]["turned_to"].format(domain=called.get(before.domain, before.domain)))


def remembered(memory: Memory) -> dict[str, Any]:
    """A memory in the form that the browser keeps."""
    return asdict(memory)


def believable(key: object) -> TypeGuard[str]:
    """Whether something can be an id or a key of a visitor."""
    return isinstance(key, str) and 0 < len(key) <= LONGEST_KEY and key.isprintable() and key != LOCAL_OWNER


def manner(desk: Desk, memory: Memory) -> dict[str, Any]:
    """How the visitor wants turns to be, as far as it differs from what is usual."""
    wanted = {
        "own_only": memory.own_only and desk.server.evidence != "catalogue",
        "seconds": float(memory.seconds) if memory.seconds else None,
        "language": desk.language if desk.language != wording.ENGLISH else None,
    }
    return {name: value for name, value in wanted.items() if value}


def _called(domain: Domain) -> str:
    """What a domain without a title is called: those that come with the program by what is in them."""
    return domain.items_word.capitalize() if domain.name in BUNDLED else domain.name

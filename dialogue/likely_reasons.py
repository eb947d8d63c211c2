"""Which ready reasons fit an item that was turned down: nobody finds too violent what holds no violence. Pure."""

from collections.abc import Sequence

from dialogue import facts, limits
from dialogue.domain import Domain, Scale
from pdgf.models import Metadata

LIKELY, OPEN, UNLIKELY, RULED_OUT = range(4)


def likely(reasons: Sequence[str], metadata: Metadata, others: Sequence[Metadata], domain: Domain) -> tuple[str, ...]:
    """The reasons that what is known of an item makes likely, then those of which nothing is known, then those that
    its own numbers speak against; without those that its facts rule out. `others` are the items listed beside it."""
    fits = {reason: _fits(reason, metadata, others, domain) for reason in reasons}
    kept = [reason for reason in reasons if fits[reason] != RULED_OUT]
    return tuple(sorted(kept, key=fits.__getitem__))


def _fits(reason: str, metadata: Metadata, others: Sequence[Metadata], domain: Domain) -> int:
    """How well a reason fits, by the first scale that it speaks of and that places the item."""
    for scale in domain.scales:
        much = limits.speaks_of(reason, scale, domain, much=True)
        if not much and not limits.speaks_of(reason, scale, domain, much=False):
            continue
        place = _place(scale, metadata, much=much)
        if place is None:
            continue
        if scale.order:
            last = float(len(scale.order) - 1)
            least, middle = (0.0, last / 2) if much else (-last, -last / 2)
            return RULED_OUT if place == least else LIKELY if place > middle else OPEN
        beside = [other for each in others if (other := _place(scale, each, much=much)) is not None]
        if beside:
            return LIKELY if place >= max(beside) else UNLIKELY if place <= min(beside) else OPEN
    return OPEN


def _place(scale: Scale, metadata: Metadata, *, much: bool) -> float | None:
    """Where an item stands on a scale, the more the further it goes the way of the reason; None where nobody says."""
    year = metadata.get("year")
    place = facts.place_on(scale, metadata, year if isinstance(year, int) else None)
    return place if place is None or much else -place

"""The catalogues that a process offers while it runs: one that was removed goes, one that came into the database comes.

Whoever removes a catalogue is another process, so it is looked again every now and then, apart from the event loop. A
catalogue that comes into the data folder is offered from the next start on: its index may not be whole yet.
"""

import asyncio
from collections.abc import Iterator, Mapping

from dialogue.catalogues import Catalogues
from dialogue.domain import Domain, bundled_domain
from pdgf.errors import ConfigInvalid

LOOK_SECONDS = 10.0  # from one look to the next


class Offered(Mapping[str, Domain]):
    """The domains by name, bundled ones first, as the last look has found them. Only `look` changes them.

    Raises ConfigInvalid when made where there is nothing to offer.
    """

    def __init__(self, catalogues: Catalogues) -> None:
        self._catalogues = catalogues
        self._bundled = {name: bundled_domain(name) for name in catalogues.settings.bundled}
        self._kept = {domain.name: domain for domain in catalogues.kept.domains()}
        self._stored = dict(catalogues.stored.domains()) if catalogues.stored is not None else {}
        self._now = {**self._bundled, **self._kept, **self._stored}
        if not self._now:
            said = "PDGF_BUNDLED is none and there is no catalogue of your own"
            raise ConfigInvalid(f"{said}: pdgf index FILE --name NAME")

    async def look(self) -> frozenset[str]:
        """Look again; the names under which there is nothing, or something else, by now. What the database held before
        stays where it cannot be asked."""
        there, stored = await asyncio.to_thread(self._seen)
        gone = self._kept.keys() - there
        changed = {name for name in self._stored.keys() | stored if self._stored.get(name) != stored.get(name)}
        self._kept = {name: domain for name, domain in self._kept.items() if name in there}
        self._stored = stored
        self._now = {**self._bundled, **self._kept, **stored} or self._now  # a page has to name one, though it is gone
        return frozenset(changed | (gone - stored.keys()))

    def _seen(self) -> tuple[set[str], dict[str, Domain]]:
        stored = self._catalogues.stored
        return set(self._catalogues.kept.names()), dict(stored.look()) if stored is not None else {}

    def __getitem__(self, name: str) -> Domain:
        return self._now[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now)

    def __len__(self) -> int:
        return len(self._now)

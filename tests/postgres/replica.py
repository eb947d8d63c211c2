"""One process of the page over a shared database, with the small town in place of a catalogue.

python -m tests.postgres.replica PORT, with the settings of the environment.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI

from dialogue import leaving, logs
from dialogue.allowances import allowances_of
from dialogue.domain import bundled_domain
from dialogue.keeping import Keeping
from dialogue.observing import ObservedConversations
from dialogue.operating import Operation
from dialogue.ui.server import BROWSER_KEY, SERVER_KEY, create_app
from pdgf.models import PreferenceGraph, SearchQuery
from pdgf.ports import Acquired
from pdgf.settings import MethodConfig, Settings
from pdgf.usage import Budget
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent

SLOW = float(os.environ.get("SLOW_EVIDENCE", "0.05"))  # seconds that evidence takes, so that a kill finds turns


class SlowShelf(Shelf):
    """The shelf of the town, as slow as a source that is asked over a network; what it is asked costs a search."""

    async def acquire(
        self, graph: PreferenceGraph, queries: Sequence[SearchQuery], config: MethodConfig, budget: Budget
    ) -> Acquired:
        budget.spend_searches(1)
        await asyncio.sleep(SLOW)
        return await super().acquire(graph, queries, config, budget)


def build(settings: Settings) -> FastAPI:
    """The application of one replica."""
    keeping = Keeping(settings)
    operation = Operation(keeping.check)
    allowances = allowances_of(settings, keeping.ledger())
    ports = town_ports(VocabularyAgent(WORDS), SlowShelf(PLACES))
    conversations = ObservedConversations(
        keeping.conversations(), always(ports), account_for=allowances.account, metrics=operation.metrics
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with conversations:
            operation.warm.set()
            yield
        await allowances.close()
        await keeping.close()

    application = create_app(
        conversations,
        domains=[bundled_domain("restaurants")],
        data_dir=settings.data_dir,
        lifespan=lifespan,
        keys=keeping.keys((BROWSER_KEY, SERVER_KEY)),
        routes=operation.routes(),
    )
    application.state.operation, application.state.conversations = operation, conversations
    return application


async def _opened_once(settings: Settings) -> None:
    keeping = Keeping(settings)
    async with keeping.conversations():
        pass
    await keeping.close()


def main(port: int) -> None:
    """Serve until interrupted."""
    settings = Settings()
    logs.begin(settings)
    asyncio.run(_opened_once(settings))
    application = build(settings)
    leaving.serve(
        application, application.state.operation, application.state.conversations, host="127.0.0.1", port=port
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""Where everything is kept: in files of the data folder, or in a database that many processes share.

The one place that decides between the two. What the database needs is loaded only where PDGF_DATABASE_URL names one.
Indexes and catalogues stay in the data folder either way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dialogue.ledger import Ledger
from dialogue.store import ConversationStore
from dialogue.storing import Store
from pdgf.errors import ConfigInvalid
from pdgf.llm.kept_replies import KeptReplies
from pdgf.llm.limits import CommonPace
from pdgf.settings import Settings
from pdgf.sources.pages import KeptPages

if TYPE_CHECKING:
    from dialogue.postgres.copying import Copied
    from dialogue.postgres.database import Database
    from dialogue.postgres.tries import SharedTries

NEEDED = "PDGF_DATABASE_URL needs the database driver: pip install -e '.[postgres]'"


@dataclass
class Keeping:
    """What the settings say of where things are kept; one a process and event loop. `patience`: seconds that a database
    which is only starting up is waited for, where not as long as usual."""

    settings: Settings
    patience: float | None = None

    @cached_property
    def database(self) -> "Database | None":
        """The database of all processes, None where there is none. Raises ConfigInvalid for an address that is none,
        and where its driver is not installed."""
        if self.settings.database_url is None:
            return None
        try:
            from dialogue.postgres.database import START, Database
        except ImportError as error:
            raise ConfigInvalid(NEEDED) from error
        url, connections = self.settings.database_url.get_secret_value(), self.settings.database_connections
        patience = START if self.patience is None else self.patience
        return Database(url, connections=connections, patience=patience)

    def conversations(self) -> Store:
        """The store of conversations, to be opened."""
        if self.database is None:
            return ConversationStore(self.settings.data_dir)
        from dialogue.postgres.store import SharedStore

        return SharedStore(self.database)

    def ledger(self) -> Ledger | None:
        """Where it is counted what was spent; None for the data folder."""
        if self.database is None:
            return None
        from dialogue.postgres.ledger import SharedLedger

        return SharedLedger(self.database)

    def replies(self) -> KeptReplies | Path:
        """Where replies of language models are kept."""
        if self.database is None:
            return self.settings.data_dir / "replies"
        from dialogue.postgres.replies import SharedReplies

        return SharedReplies(self.database)

    def pages(self) -> KeptPages:
        """Where texts of pages are kept."""
        if self.database is None:
            from pdgf.sources.page_cache import PageCache

            return PageCache(self.settings.data_dir / "pages")
        from dialogue.postgres.pages import SharedPages

        return SharedPages(self.database)

    def pace(self) -> CommonPace | None:
        """How fast a server is asked by all processes together; None where each counts for itself."""
        if self.database is None:
            return None
        from dialogue.postgres.pace import SharedPace

        return SharedPace(self.database)

    def tries(self) -> "SharedTries | None":
        """What all processes together have counted of wrong passwords; None where each counts for itself."""
        if self.database is None:
            return None
        from dialogue.postgres.tries import SharedTries

        return SharedTries(self.database)

    def keys(self, names: Sequence[str]) -> dict[str, str]:
        """The secrets of these names that all processes share; none where each data folder has its own. The store has
        been opened once before. Raises StoreUnavailable."""
        if self.database is None or self.settings.database_url is None:
            return {}
        from dialogue.postgres.keys import shared_keys

        return shared_keys(self.settings.database_url.get_secret_value(), names)

    async def copy_conversations(self) -> "Copied":
        """Copy those of the data folder into the database. Raises ConfigInvalid without one, and StoreUnavailable."""
        if self.database is None:
            raise ConfigInvalid("set PDGF_DATABASE_URL to the database that they are to be copied into")
        from dialogue.postgres.copying import copied

        return await copied(self.settings.data_dir, self.database)

    async def check(self) -> None:
        """Whether turns can be kept now. Raises StoreUnavailable."""
        if self.database is not None:
            await self.database.check()

    async def close(self) -> None:
        """Close the database."""
        if self.database is not None:
            await self.database.close()

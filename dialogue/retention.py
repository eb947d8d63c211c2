"""How long conversations are kept: those that nobody goes on with are deleted after the days that the settings name.

With each go its messages, its checkpoints, its counts and its kept replies. It is looked once an hour, by one of the
processes that share a store.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from dialogue.conversation import Conversations
from dialogue.storing import Store, UnknownConversation
from pdgf.errors import PdgfError

EVERY = 3_600.0  # seconds
DAY = 86_400.0
CHORE = "retention"

log = logging.getLogger(__name__)


async def kept_for(
    days: float | None, store: Store, conversations: Conversations, also: Callable[[], Awaitable[None]]
) -> None:
    """Look every hour, until this is cancelled; `also` is done then, whatever the days. No conversation goes without
    days. `conversations` are those of the store."""
    while True:
        try:
            async with store.chore(CHORE, EVERY) as due:
                if due:
                    await also()
                    if days is not None:
                        await delete_untouched(days * DAY, store, conversations)
        except PdgfError as error:  # a database that is away, a file that is damaged: the next hour may see it
            log.warning("old conversations could not be looked through: %s", type(error).__name__)
        await asyncio.sleep(EVERY)


async def delete_untouched(seconds: float, store: Store, conversations: Conversations) -> int:
    """Delete the conversations whose last turn is that long ago, by the clock of their store; how many that were. One
    that has gone on meanwhile stays, and one that cannot be deleted keeps no other."""
    gone = 0
    for row in await store.untouched(seconds):
        try:
            gone += await conversations.delete(row.thread, as_of=row.updated)
        except UnknownConversation:
            continue
        except PdgfError as error:
            log.warning("an old conversation could not be deleted: %s", type(error).__name__)
    if gone:
        log.info("old conversations were deleted: %s", gone)
    return gone

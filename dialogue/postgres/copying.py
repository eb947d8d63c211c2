"""`pdgf copy-conversations`: those of the data folder into the database, with all that is kept of each.

Nothing is changed in the files. A copy that was stopped goes on where it was: a conversation is given its title and
times last, and one without is copied anew. What the database has under the same name is left as it is.
"""

import logging
from collections.abc import Mapping
from pathlib import Path

from dialogue.past import config_of
from dialogue.postgres.database import Database
from dialogue.postgres.seen import text_of
from dialogue.postgres.store import SharedStore
from dialogue.store import CHATS, FOLDER, ConversationStore, translated
from dialogue.storing import Conversation
from pdgf.errors import ConfigInvalid, StoreDamaged
from pdgf.models import Value

KEY_FILES = ("browser.key", "server.key")  # by which browsers and logins know whose a conversation is
ALL_OF_THEM = -1e12  # seconds: also what was touched in a time that is yet to come

_ORDER = "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY rowid"
_CONTENT = "INSERT INTO content VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_SEEN = "INSERT INTO seen VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
_DONE = "UPDATE conversations SET title = %s, created = %s, updated = %s, noted = %s WHERE thread = %s"
_KEY = "INSERT INTO keys VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET secret = excluded.secret"

log = logging.getLogger(__name__)


class Copied(Value):
    """How many conversations were copied, were there already, and are damaged and stay where they are; how many known
    titles came along; and whether the browsers that began them will find them."""

    copied: int = 0
    there: int = 0
    damaged: int = 0
    seen: int = 0
    found_by_browsers: bool = True


async def copied(data_dir: Path, database: Database) -> Copied:
    """Copy all conversations and known titles of a data folder. Raises ConfigInvalid where it holds none, and
    StoreUnavailable and its kinds."""
    if not (data_dir / FOLDER / CHATS).is_file():
        raise ConfigInvalid(f"The data folder {data_dir} holds no conversations. PDGF_DATA_DIR names another one.")
    counts = dict.fromkeys(("copied", "there", "damaged"), 0)
    async with ConversationStore(data_dir) as source, SharedStore(database) as target:
        same_keys = await _keys(data_dir, database)
        for row in await source.untouched(ALL_OF_THEM):
            counts[await _copied(row, source, target, database)] += 1
        seen = await source._read("SELECT owner, key, year, title FROM seen", ())
        async with database.connection() as connection, connection.transaction(), connection.cursor() as cursor:
            rows = [(owner, text_of(key), year, text_of(title)) for owner, key, year, title in seen]
            await cursor.executemany(_SEEN, rows)
    return Copied(**counts, seen=len(seen), found_by_browsers=same_keys)


async def _copied(row: Conversation, source: ConversationStore, target: SharedStore, database: Database) -> str:
    """Copy one conversation; what became of it, as a count is called."""
    if await target.has(row.thread):
        there = await target.find(row.thread)
        if there.title or await target.noted(row.thread):
            return "there"
        await target.delete(row.thread)  # half a copy
    await target.add(thread=row.thread, owner=row.owner, domain=row.domain)
    try:
        async with source.alone(row.thread), target.alone(row.thread):
            await _steps(row.thread, source, target)
            texts = await source._read("SELECT digest, text FROM content WHERE thread = ?", (row.thread,))
            if not all(isinstance(text, bytes) for _, text in texts):
                raise StoreDamaged("content of another type")
            async with database.connection() as connection, connection.transaction(), connection.cursor() as cursor:
                await cursor.executemany(_CONTENT, [(row.thread, digest, text) for digest, text in texts])
            noted = await source.noted(row.thread)
            await database.run(_DONE, (text_of(row.title), row.created, row.updated, noted, row.thread))
    except StoreDamaged as error:
        log.warning("a conversation is damaged and stays in its file: %s", error)
        await target.delete(row.thread)
        return "damaged"
    return "copied"


async def _steps(thread: str, source: ConversationStore, target: SharedStore) -> None:
    """The checkpoints in the order in which they were written, and what was written after each."""
    with translated():
        async with source.checkpoints.conn.execute(_ORDER, (thread,)) as cursor:
            ids = [str(checkpoint) for (checkpoint,) in await cursor.fetchall()]
    for checkpoint in ids:
        with translated():
            found = await source.checkpoints.aget_tuple(config_of(thread, checkpoint))
        if found is None:
            raise StoreDamaged("a checkpoint is missing")
        before = found.parent_config["configurable"]["checkpoint_id"] if found.parent_config else None
        kept = await target.checkpoints.aput(
            config_of(thread, before), found.checkpoint, found.metadata, found.checkpoint["channel_versions"]
        )
        writes: dict[str, list[tuple[str, object]]] = {}
        for task, channel, value in found.pending_writes or ():
            writes.setdefault(task, []).append((channel, value))
        for task, values in writes.items():
            await target.checkpoints.aput_writes(kept, values, task)


async def _keys(data_dir: Path, database: Database) -> bool:
    """Let the database know browsers and logins as the data folder does, where it knows none by a conversation yet;
    whether it does then."""
    own = _secrets(data_dir)
    known: dict[str, str] = dict(
        await database.rows("SELECT name, secret FROM keys WHERE name = ANY(%s)", (list(KEY_FILES),))
    )
    if own.items() <= known.items():
        return True
    if await database.rows("SELECT 1 FROM conversations LIMIT 1"):
        return False
    for name, secret in own.items():
        await database.run(_KEY, (name, secret))
    return True


def _secrets(data_dir: Path) -> Mapping[str, str]:
    found = {name: data_dir / name for name in KEY_FILES}
    with translated():
        return {name: path.read_text("ascii").strip() for name, path in found.items() if path.is_file()}

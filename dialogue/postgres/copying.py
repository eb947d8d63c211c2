"""`pdgf copy-conversations`: those of the data folder into the database, with all that is kept of each.

Nothing is changed in the files, and no other process may use them meanwhile. A copy that was stopped goes on where it
was: a conversation is given its title and times last, and one without is copied anew. What the database has already is
left as it is, but that it gets the turns which were said in the files after it.
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
from pdgf.errors import BadInput, ConfigInvalid, StoreDamaged
from pdgf.models import Value

KEY_FILES = ("browser.key", "server.key")  # by which browsers and logins know whose a conversation is
ALL_OF_THEM = -1e12  # seconds: also what was touched in a time that is yet to come
IN_USE = (
    "the data folder {folder} is in use. End every page and every `pdgf chat` over it first: what is said there after "
    "its conversations were copied would stay behind"
)

_ORDER = "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' ORDER BY rowid"
_CONTENT = "INSERT INTO content VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_SEEN = "INSERT INTO seen VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
_DONE = "UPDATE conversations SET title = %s, created = %s, updated = %s, noted = %s WHERE thread = %s"
_KEY = "INSERT INTO keys VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET secret = excluded.secret"

log = logging.getLogger(__name__)


class Copied(Value):
    """How many conversations were copied, got new turns, were there already, went on in both places and stay as the
    database has them, and are damaged and stay where they are; how many known titles came along; and whether the
    browsers that began them will find them."""

    copied: int = 0
    renewed: int = 0
    there: int = 0
    apart: int = 0
    damaged: int = 0
    seen: int = 0
    found_by_browsers: bool = True


async def copied(data_dir: Path, database: Database) -> Copied:
    """Copy all conversations and known titles of a data folder. Raises ConfigInvalid where it holds none, BadInput
    where another process uses it, and StoreUnavailable and its kinds."""
    if not (data_dir / FOLDER / CHATS).is_file():
        raise ConfigInvalid(f"The data folder {data_dir} holds no conversations. PDGF_DATA_DIR names another one.")
    counts = dict.fromkeys(("copied", "renewed", "there", "apart", "damaged"), 0)
    async with ConversationStore(data_dir) as source:
        if not source.use_alone():
            raise BadInput(IN_USE.format(folder=data_dir))
        async with SharedStore(database) as target:
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
    whole = False
    if await target.has(row.thread):
        there = await target.find(row.thread)
        whole = bool(there.title or await target.noted(row.thread))
        if not whole:
            await target.delete(row.thread)  # half a copy
    if not whole:
        await target.add(thread=row.thread, owner=row.owner, domain=row.domain)
    try:
        async with source.alone(row.thread), target.alone(row.thread):
            if whole and (stays := await _stays(row, source, target)):
                return stays
            await _texts(row.thread, source, database)
            steps = await _steps(row.thread, source, target)
            noted = await source.noted(row.thread)
            await database.run(_DONE, (text_of(row.title), row.created, row.updated, noted, row.thread))
            if whole:
                await target.forget_checkpoints(row.thread, keep=steps)
    except StoreDamaged as error:
        log.warning("a conversation is damaged and stays in its file: %s", error)
        if not whole:
            await target.delete(row.thread)
        return "damaged"
    return "renewed" if whole else "copied"


async def _stays(row: Conversation, source: ConversationStore, target: SharedStore) -> str:
    """Why the database's state of a conversation stays: it is "there" already, or went "apart" and on in both places.
    Empty where the data folder has the same and new turns after it."""
    thread = row.thread
    if (await target.find(thread)).owner != row.owner:
        return "apart"
    here, newest = await source.newest_checkpoint(thread), await target.newest_checkpoint(thread)
    if here == newest:
        return "there"
    if newest and await source.has_checkpoint(thread, newest):
        return ""
    own, theirs = await _turns(thread, source), await _turns(thread, target)
    if own == theirs[: len(own)]:
        return "there"
    begun = newest != await target.noted(thread)  # words that no turn has answered, in the database alone
    return "apart" if begun or theirs != own[: len(theirs)] else ""


async def _turns(thread: str, store: ConversationStore | SharedStore) -> list[str]:
    """The digests of the turns of a conversation up to the last finished one."""
    if not (noted := await store.noted(thread)):
        return []
    with translated():
        found = await store.checkpoints.aget_tuple(config_of(thread, noted))
    if found is None:
        raise StoreDamaged("a checkpoint is missing")
    return list(found.checkpoint["channel_values"].get("history", ()))


async def _texts(thread: str, source: ConversationStore, database: Database) -> None:
    """What the steps refer to by its digest, before them."""
    texts = await source._read("SELECT digest, text FROM content WHERE thread = ?", (thread,))
    if not all(isinstance(text, bytes) for _, text in texts):
        raise StoreDamaged("content of another type")
    async with database.connection() as connection, connection.transaction(), connection.cursor() as cursor:
        await cursor.executemany(_CONTENT, [(thread, digest, text) for digest, text in texts])


async def _steps(thread: str, source: ConversationStore, target: SharedStore) -> list[str]:
    """The checkpoints in the order in which they were written, and what was written after each; their ids."""
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
    return ids


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

# ruff: noqa: S608  the statements are made of words that stand here
"""Rows of the store that no release has ever written: of other types, of other shapes, some that name code to run."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import ormsgpack

from dialogue.seals import PREFIX, SealedSerializer, _checksum, seal
from dialogue.store import CHATS, FOLDER, TURNS
from tests.reliability.damaging import Do

COLUMNS = {
    (CHATS, "conversations"): ("thread", "owner", "title", "domain", "created", "updated", "noted", "seal"),
    (CHATS, "content"): ("digest", "text"),
    (CHATS, "seen"): ("key", "year", "title"),
    (TURNS, "checkpoints"): (
        "checkpoint_ns",
        "checkpoint_id",
        "parent_checkpoint_id",
        "type",
        "checkpoint",
        "metadata",
    ),
    (TURNS, "writes"): ("checkpoint_id", "task_id", "channel", "type", "value"),
}
VALUES: tuple[Any, ...] = (7, 1.5, b"\xff\x00\xfe", "words", "")
SHAPES: tuple[dict[str, Any], ...] = (
    {"history": "one"},
    {"history": [5]},
    {"turn": "many"},
    {"turn": None},
    {"dialogue": ["a", "list"]},
    {"dialogue": {"hard_constraints": 7}},
    {"shown": [{"id": 5}]},
    {"trail": {"a": 1}},
    {"requests": [{"turn": "x"}]},
    {"recommendation": 12},
    {"finished": "perhaps"},
    {"understanding": "nothing"},
)


def of_another_type(folder: Path, thread: str) -> Iterator[tuple[str, Do]]:
    """Every column of every table with every kind of value that it should not hold, in the rows of one conversation.
    Gives a name and something that does it."""
    for (name, table), columns in COLUMNS.items():
        for column in columns:
            for value in VALUES:
                sql = f"UPDATE OR REPLACE {table} SET {column} = ?"
                sql += "" if table == "seen" else f" WHERE {'thread' if name == CHATS else 'thread_id'} = ?"
                values = (value,) if table == "seen" else (value, thread)
                yield f"{table}.{column} = {value!r}", _doing(name, sql, values)


def of_another_shape(folder: Path, thread: str) -> Iterator[tuple[str, Do]]:
    """Checkpoints that are whole, in which a value is not what it should be."""
    serde = SealedSerializer()
    with closing(sqlite3.connect(folder / FOLDER / TURNS)) as turns:
        sql = "SELECT checkpoint_id, type, checkpoint FROM checkpoints WHERE thread_id = ? ORDER BY 1 DESC LIMIT 1"
        newest, kind, packed = turns.execute(sql, (thread,)).fetchone()
    checkpoint = serde.loads_typed((kind, packed))
    changed = [{**checkpoint, "channel_values": {**checkpoint["channel_values"], **shape}} for shape in SHAPES]
    changed += [{key: value for key, value in checkpoint.items() if key != gone} for gone in checkpoint]
    changed += [{**checkpoint, key: 5} for key in checkpoint]
    for other in [*changed, {}, [], "text", None, 5]:
        sql = "UPDATE checkpoints SET type = ?, checkpoint = ? WHERE checkpoint_id = ?"
        yield (
            f"a checkpoint of another shape: {str(other)[:60]}",
            _doing(TURNS, sql, (*serde.dumps_typed(other), newest)),
        )


def that_name_code(canary: Path, thread: str) -> Iterator[tuple[str, Do]]:
    """Values that would touch a file if whoever reads them did what they ask."""
    command = f"touch {canary}"
    calls = [
        ormsgpack.packb(ormsgpack.Ext(code, ormsgpack.packb(("os", "system", argument))))
        for code in range(8)
        for argument in (command, (command,), {"command": command})
    ]
    lc = {"lc": 2, "type": "constructor", "id": ["os", "system"], "args": [command], "kwargs": {}, "method": None}
    plain = [("msgpack", call) for call in calls]
    plain += [("json", json.dumps(lc).encode()), ("pickle", f"cos\nsystem\n(S'{command}'\ntR.".encode())]
    sealed = [(PREFIX + kind, _checksum(kind, packed) + packed) for kind, packed in plain]
    for kind, packed in [*plain, *sealed]:
        for table, column in (("checkpoints", "checkpoint"), ("writes", "value")):
            sql = f"UPDATE {table} SET type = ?, {column} = ? WHERE thread_id = ?"
            yield f"code in {table} as {kind}", _doing(TURNS, sql, (kind, packed, thread))


def _doing(name: str, sql: str, values: tuple[Any, ...]) -> Do:
    def do(folder: Path) -> None:
        with closing(sqlite3.connect(folder / FOLDER / name)) as connection:
            connection.create_function("seal", -1, seal)
            connection.execute(sql, values)
            connection.commit()

    return do

"""Made-up catalogues, and what the index in the database holds of them."""

import random
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.sources.index import laid_out
from pdgf.sources.pgvector.schema import table
from tests.fakes import HashingEmbedder

WORDS = (
    *("ladle", "drum", "curtain", "parking", "kitchen", "brass", "band", "pumpkin"),
    *("sage", "quiet", "harbour", "lamp", "wool", "river", "oak", "tin"),
)


def shop(count: int, *, seed: int = 0, reviews: int = 3) -> list[CatalogueItem]:
    """Items with some reviews and facts each; some have none, some say a thing twice."""
    chance = random.Random(seed)

    def sentence() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(2, 9))).capitalize() + "."

    return [
        CatalogueItem(
            id=f"i{number}",
            title=f"Thing {number}",
            year=chance.choice([None, 1990 + number % 30]),
            metadata={"colour": chance.choice(["red", "blue"]), "kinds": chance.sample(WORDS, 2), "size": number},
            reviews=tuple(
                Review(text=" ".join(sentence() for _ in range(chance.randint(1, 5))))
                for _ in range(chance.randint(0, reviews))
            ),
        )
        for number in range(count)
    ]


def expected_rows(items: Sequence[CatalogueItem]) -> list[tuple[Any, ...]]:
    """The passages that the index in memory makes of the items."""
    _, rows, _ = laid_out(items)
    return [(row.item, row.passage.text, row.passage.source.id, row.passage.source.url, row.key) for row in rows]


def rows_of(url: str, owner: str, name: str) -> list[tuple[Any, ...]]:
    """The passages that are served of a catalogue."""
    return asked(url, owner, name, "select item, text, source, url, key from {passages} order by row")


def vectors_of(url: str, owner: str, name: str) -> dict[str, bytes]:
    """The vector of each passage that is served, bit for bit."""
    rows = asked(url, owner, name, "select text, vector::real[] from {passages}")
    return {text: np.array(vector, np.float32).tobytes() for text, vector in rows}


def text_vectors_of(url: str, owner: str, name: str) -> dict[UUID, bytes]:
    """The vector of each passage and sentence by its digest, bit for bit."""
    rows = asked(url, owner, name, "select digest, vector::real[] from {texts}")
    return {digest: np.array(vector, np.float32).tobytes() for digest, vector in rows}


def asked(url: str, owner: str, name: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "select current from pdgf_index.catalogues where owner = %s and name = %s", (owner, name)
        ).fetchone()
        assert found is not None
        names = {kind: table(kind, found[0]) for kind in ("passages", "texts")}
        return connection.execute(sql.SQL(query).format(**names)).fetchall()


def tables(url: str) -> set[str]:
    """The kinds of tables in the schema of the index."""
    with psycopg.connect(url, autocommit=True) as connection:
        names = connection.execute("select tablename from pg_tables where schemaname = 'pdgf_index'").fetchall()
    return {name.rstrip("0123456789").rstrip("_") for (name,) in names}


class Failing(HashingEmbedder):
    """Encodes so many texts and then no more."""

    def __init__(self, texts: int) -> None:
        super().__init__()
        self._left = texts

    async def encode(self, texts: Sequence[str]) -> Any:
        self._left -= len(texts)
        if self._left < 0:
            raise EncoderGone
        return await super().encode(texts)


class Losing(HashingEmbedder):
    """Does something once, when it has encoded so many texts."""

    def __init__(self, texts: int, does: Callable[[], object]) -> None:
        super().__init__()
        self._left = texts
        self._does = does

    async def encode(self, texts: Sequence[str]) -> Any:
        before, self._left = self._left, self._left - len(texts)
        if before >= 0 > self._left:
            self._does()
        return await super().encode(texts)


def let_be_written(url: str, writable: bool) -> None:
    """Let a database be written to or only be read from now on, and break all other connections to it off."""
    name = conninfo_to_dict(url)["dbname"]
    with psycopg.connect(url, autocommit=True, options="-c default_transaction_read_only=off") as connection:
        set_it = "alter database {} set default_transaction_read_only = {}"
        connection.execute(sql.SQL(set_it).format(sql.Identifier(str(name)), sql.SQL("off" if writable else "on")))
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s and pid <> pg_backend_pid()",
            (name,),
        )


class EncoderGone(RuntimeError):
    """Raised where an encoder stands for a process that ends."""

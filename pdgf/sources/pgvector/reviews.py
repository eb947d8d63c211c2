"""What is asked of the index: the nearest passages of given items, and the best items by late fusion.

nearest     all passages of the items are scored: exact
best_items  the nearest passages by the graph -> their items -> all passages of those scored, fused; or all, exact
"""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from psycopg import sql
from psycopg.errors import UndefinedTable
from psycopg.types.json import Jsonb
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from pdgf.database_pool import living
from pdgf.errors import CatalogueGone, IndexUnavailable
from pdgf.models import MetadataValue, Passage, Source, Value
from pdgf.ports import Embedder, ReviewHit, Vectors
from pdgf.reviewed_items import FusedItem
from pdgf.sources.pgvector.connection import CONNECT_SECONDS, Connection, failing_in_words, literal
from pdgf.sources.pgvector.schema import table

T = TypeVar("T")

CONNECTIONS = 8  # of one process
NEAREST = 256  # passages sought first, as in pdgf.sources.passage_index
WIDER = 4  # times as many when those do not settle the places
MOST = 1_000  # candidates that the extension looks at in one search
FEW = 16  # to score one passage in so many takes as long as to search among all
FIRST = 4  # times as many items as are wanted are scored first: mostly those settle the places
BEYOND = 2  # times as many passages are looked at as are sought: half precision blurs their order

NEAREST_OF_ITEMS = """
    select asked.id, found.text, found.source, found.url, found.score
    from unnest(%(items)s::text[]) with ordinality as asked (id, place)
    join {items} as i on i.id = asked.id
    cross join lateral (
        select scored.*, row_number() over (partition by scored.same order by score desc, row) as again
        from (select p.row, p.text, p.source, p.url, p.same, -(p.vector <#> %(query)s::vector) as score
              from {passages} as p where p.item = i.position) as scored
    ) as found
    where found.again = 1
    order by asked.place, found.score desc, found.row
"""
FUSED = """
    select i.id, i.position, avg(s.score) as fused
    from (select p.item, -(p.vector <#> %(query)s::vector) as score,
                 row_number() over (partition by p.item order by p.vector <#> %(query)s::vector) as place
          from {passages} as p {where}) as s
    join {items} as i on i.position = s.item
    where s.place <= %(k)s
    group by i.id, i.position order by fused desc, i.position limit %(n)s
"""
NEAR = """
    select p.item, -(p.vector <#> %(query)s::vector) as score
    from (select item, vector from {passages} as p {where}
          order by p.vector::halfvec({dimension}) <#> %(query)s::halfvec limit %(sought)s) as p
"""


class ItemFilter(Value):
    """Which items may be found: some ids, a span of years, metadata that must have each of these values."""

    items: tuple[str, ...] | None = None
    since: int | None = None
    until: int | None = None
    metadata: Mapping[str, MetadataValue] = {}

    def conditions(self) -> sql.Composable | None:
        """What the filter asks of a row of items, None if nothing."""
        parts: list[sql.Composable] = []
        if self.items is not None:
            parts.append(sql.SQL("i.id = any({})").format(sql.Literal(list(self.items))))
        if self.since is not None:
            parts.append(sql.SQL("i.year >= {}").format(sql.Literal(self.since)))
        if self.until is not None:
            parts.append(sql.SQL("i.year <= {}").format(sql.Literal(self.until)))
        for key, value in self.metadata.items():
            has = sql.SQL("(i.metadata::jsonb -> {}) @> {}").format(sql.Literal(key), sql.Literal(Jsonb(value)))
            parts.append(has)
        return sql.SQL(" and ").join(parts) if parts else None


ANY = ItemFilter()


class _Served(Value):
    """The version that is served now."""

    version: int
    encoder: str
    dimension: int
    passages: int


class PgvectorReviews:
    """A ReviewIndex over one owner's catalogue; another owner's rows stand in tables that it never names."""

    def __init__(self, url: str, embedder: Embedder, *, owner: str, name: str) -> None:
        """Nothing is reached before the first question."""
        self._embedder = embedder
        self._owner = owner
        self._name = name
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            url,
            min_size=0,
            max_size=CONNECTIONS,
            timeout=CONNECT_SECONDS,
            open=False,
            kwargs={"autocommit": True, "connect_timeout": CONNECT_SECONDS},
        )

    async def nearest(self, query: str, items: Sequence[str], k: int) -> list[ReviewHit]:
        """At most k different passages an item by inner product with the query, best first; items in the order given.

        Raises IndexUnavailable, EmbedderUnavailable.
        """
        wanted = list(dict.fromkeys(items))
        if not wanted or k < 1:
            return []
        [vector] = await self._embedder.encode([query])
        rows = await self.ask(NEAREST_OF_ITEMS, {"items": wanted, "query": literal(vector)})
        hits: list[ReviewHit] = []
        counts: dict[str, int] = {}
        for item, text, source, url, score in rows:
            counts[item] = counts.get(item, 0) + 1
            if counts[item] <= k:
                passage = Passage(text=text, source=Source(id=source, url=url))
                hits.append(ReviewHit(item=item, passage=passage, score=score))
        return hits

    async def best_items(
        self, query: str | Vectors, *, n: int, k: int = 3, where: ItemFilter = ANY, exact: bool = False
    ) -> tuple[FusedItem, ...]:
        """The n best items by late fusion of their k best passages, ties to the earlier item; scores are exact either
        way. Raises ValueError for k < 1, IndexUnavailable, EmbedderUnavailable."""
        if k < 1:
            raise ValueError("late fusion needs k >= 1")
        vector = (await self._embedder.encode([query]))[0] if isinstance(query, str) else query
        if n < 1 or not np.isfinite(vector).all():
            return ()
        found = await self._over_served(lambda connection: self._best(connection, vector, n, k, where, exact))
        return tuple(FusedItem(item=item, score=score) for item, _, score in found)

    async def near_items(self, vector: Vectors, n: int) -> list[str]:
        """About the n items with the passages nearest to a vector, by their nearest one: quick, and approximate in
        what it finds where there is a graph. Raises IndexUnavailable."""
        return await self._over_served(lambda connection: self._near_items(connection, vector, n))

    async def close(self) -> None:
        """Let go of the connections."""
        await self._pool.close()

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[Connection]:
        try:
            await self._pool.open()
            async with living(self._pool, CONNECT_SECONDS) as connection:
                yield connection
        except PoolTimeout as error:
            raise IndexUnavailable("the database cannot be reached, or all connections to it are taken") from error

    async def version(self) -> int:
        """The number of what is served now. Raises CatalogueGone where nothing is, IndexUnavailable."""
        async with failing_in_words(), self._connection() as connection:
            return (await self._served(connection)).version

    async def ask(self, query: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """The rows of a query of ours over the tables of what is served. Raises IndexUnavailable."""
        return await self._over_served(lambda connection: self._rows(connection, query, values))

    async def _over_served(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """What the work gives over the tables of what is served; done once more where those are gone meanwhile, because
        another version has just taken their place."""
        async with failing_in_words(), self._connection() as connection:
            try:
                return await work(connection)
            except UndefinedTable:
                return await work(connection)

    async def _near_items(self, connection: Connection, vector: Vectors, n: int) -> list[str]:
        names = _names(await self._served(connection))
        bounds = _bounds(await _searched(connection, names, sql.SQL(""), literal(vector), MOST))
        query = sql.SQL("select position, id from {items} where position = any(%s)").format(**names)
        ids = dict(await (await connection.execute(query, (list(bounds)[:n],))).fetchall())
        return [ids[item] for item in bounds if item in ids]

    async def _rows(self, connection: Connection, query: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        served = await self._served(connection)
        found = await connection.execute(sql.SQL(query).format(**_names(served)), values, binary=True)
        return await found.fetchall()

    async def _served(self, connection: Connection) -> _Served:
        try:
            found = await connection.execute(
                "select v.version, v.encoder, v.dimension, v.passages from pdgf_index.catalogues c "
                "join pdgf_index.versions v on v.version = c.current where c.owner = %s and c.name = %s",
                (self._owner, self._name),
            )
            row = await found.fetchone()
        except UndefinedTable:
            row = None
        if row is None:
            raise CatalogueGone(self._name)
        served = _Served(version=row[0], encoder=row[1], dimension=row[2], passages=row[3])
        if served.encoder != self._embedder.id:
            raise IndexUnavailable(
                f"the texts were encoded by {served.encoder}, the query would be by {self._embedder.id}"
            )
        return served

    async def _best(
        self, connection: Connection, vector: Vectors, n: int, k: int, where: ItemFilter, exact: bool
    ) -> list[tuple[str, int, float]]:
        served = await self._served(connection)
        names = _names(served)
        among: sql.Composable = sql.SQL("")
        left = served.passages
        if (conditions := where.conditions()) is not None:
            counting = sql.SQL("select coalesce(sum(passages), 0) from {items} as i where {}")
            counted = await connection.execute(counting.format(conditions, **names))
            left = int((await counted.fetchone() or (0,))[0])
            allowed = sql.SQL("where p.item in (select i.position from {items} as i where {})")
            among = allowed.format(conditions, **names)
        values = {"query": literal(vector), "n": n, "k": k}
        sought = max(NEAREST, n * min(k, 3) * 8)
        while not exact and sought <= MOST and sought * FEW < left:
            found, settled = await self._near(connection, names, among, values, sought)
            if settled:
                return found
            sought *= WIDER
        query = sql.SQL(FUSED).format(**names, where=among)
        return await (await connection.execute(query, values)).fetchall()

    async def _near(
        self,
        connection: Connection,
        names: Mapping[str, sql.Composable],
        among: sql.Composable,
        values: Mapping[str, Any],
        sought: int,
    ) -> tuple[list[tuple[str, int, float]], bool]:
        """The best items of those that the nearest passages belong to, and whether no other could be better.

        An item cannot score more than its best passage: what was not found is no nearer than the last that were.
        """
        rows = await _searched(connection, names, among, values["query"], sought)
        bounds = _bounds(rows)
        items = list(bounds)
        first = items[: FIRST * values["n"]]
        found = await self._fused(connection, names, values, first)
        beaten = len(found) == values["n"] and all(found[-1][2] > bounds[item] for item in items[len(first) :][:1])
        if not beaten:
            found = await self._fused(connection, names, values, items)
        last = sorted((score for _, score in rows), reverse=True)[-(sought // 8) :]
        return found, len(found) == values["n"] and bool(last) and found[-1][2] > last[0]

    async def _fused(
        self,
        connection: Connection,
        names: Mapping[str, sql.Composable],
        values: Mapping[str, Any],
        items: Sequence[int],
    ) -> list[tuple[str, int, float]]:
        """The best of these items, all of their passages scored."""
        query = sql.SQL(FUSED).format(**names, where=sql.SQL("where p.item = any(%(near)s)"))
        return await (await connection.execute(query, {**values, "near": list(items)})).fetchall()


async def _searched(
    connection: Connection, names: Mapping[str, sql.Composable], among: sql.Composable, query: str, sought: int
) -> list[tuple[int, float]]:
    """The item and the score of about the nearest passages."""
    looked_at = sql.Literal(min(MOST, sought * BEYOND))
    options = sql.SQL("set local hnsw.ef_search = {}; set local hnsw.iterative_scan = relaxed_order")
    async with connection.transaction():
        await connection.execute(options.format(looked_at))
        near = sql.SQL(NEAR).format(**names, where=among)
        return await (await connection.execute(near, {"query": query, "sought": sought})).fetchall()


def _bounds(rows: Sequence[tuple[int, float]]) -> dict[int, float]:
    """What each item can score at most, its best passage's score; the best item first, ties to the earlier one."""
    best: dict[int, float] = {}
    for item, score in rows:
        best[item] = max(score, best.get(item, score))
    return {item: best[item] for item in sorted(best, key=lambda item: (-best[item], item))}


def _names(served: _Served) -> dict[str, sql.Composable]:
    return {
        "items": table("items", served.version),
        "passages": table("passages", served.version),
        "texts": table("texts", served.version),
        "dimension": sql.Literal(served.dimension),
    }

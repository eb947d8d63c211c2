# ruff: noqa: S608  the statements are made of words that stand here
"""Caches of pages and replies that were damaged on disk, and what is read from them (RELIABILITY F6)."""

import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

from pdgf.errors import StoreUnavailable
from pdgf.llm import reply_cache
from pdgf.llm.reply_cache import ReplyCache
from pdgf.sources import page_cache
from pdgf.sources.extract import Line, PageText
from pdgf.sources.fetch import Fetched
from pdgf.sources.page_cache import PageCache
from tests.reliability import damaging
from tests.reliability.damaging import RANDOM, WHOLE, Do

PAGES = tuple(f"https://films.example/{number}" for number in range(30))
KEYS = tuple(f"key-{number}" for number in range(40))


@asynccontextmanager
async def _pages(folder: Path) -> AsyncIterator[PageCache]:
    cache = PageCache(folder)
    try:
        yield cache
    finally:
        await cache.close()


@asynccontextmanager
async def _replies(folder: Path) -> AsyncIterator[ReplyCache]:
    cache = ReplyCache(folder)
    try:
        yield cache
    finally:
        await cache.close()


def _page(url: str) -> PageText:
    return PageText(url=url, title="Salt Winter", lines=(Line(text=f"Of {url} alone. " * 8),))


async def built(place: Path) -> None:
    """A cache of pages and one of replies."""
    async with _pages(place / "pages") as pages, _replies(place / "replies") as replies:
        for url in PAGES:
            await pages.put(f"{url}/asked", Fetched(url=url, mime="text/html", body=b"x", may_store=True), _page(url))
        for key in KEYS:
            await replies.put("thread", key, f"The reply to {key}, " * 6)


async def tried(place: Path, copy: Path, do: Do) -> str:
    """What is wrong with what is read from damaged caches, and with how they go on."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(place, copy)
    do(copy)
    async with _pages(copy / "pages") as pages, _replies(copy / "replies") as replies:
        for url in PAGES:
            if await pages.get(f"{url}/asked") not in (None, _page(url)):
                return "another page"
        for key in KEYS:
            if await replies.get("thread", key) not in (None, f"The reply to {key}, " * 6):
                return "another reply"
        await replies.put("thread", "new", "text")
        with suppress(StoreUnavailable):  # by name, where a folder is in the place of the file
            await replies.forget("thread")
        if await replies.get("thread", KEYS[0]) is not None:
            return "a reply that was forgotten"
    return ""


def damages(*, seeds: int) -> Iterator[tuple[str, Do]]:
    """Every kind of damage to both caches, also rows that have changed places."""
    for file in (f"pages/{page_cache.FILE}", f"replies/{reply_cache.FILE}"):
        for kind in (*RANDOM, damaging.shuffled):
            for seed in range(seeds):
                yield f"{file} {kind.__name__} {seed}", damaging.at(kind, file, seed)
        for kind in (*WHOLE, damaging.foreign, damaging.of_the_future):
            yield f"{file} {kind.__name__}", damaging.at(kind, file, 0)
    of_another = "SELECT {} FROM {} other WHERE other.rowid <> {}.rowid LIMIT 1"
    for folder, table, columns in (
        ("pages", "pages", "stored, size, checksum, content"),
        ("pages", "ways", "url"),
        ("replies", "replies", "checksum, text"),
    ):
        sql = f"UPDATE {table} SET ({columns}) = ({of_another.format(columns, table, table)})"
        yield f"{folder}: {table} of one another", _sql(folder, sql)
    for folder, table, columns in (
        ("pages", "pages", ("stored", "size", "checksum", "content")),
        ("pages", "ways", ("url",)),
        ("replies", "replies", ("checksum", "text")),
    ):
        for column in columns:
            for value in ("7", "'words'", "x'ff00'", "1e300", "-1"):
                sql = f"UPDATE {table} SET {column} = {value}"
                yield f"{folder}: {sql}", _sql(folder, sql)


def _sql(folder: str, sql: str) -> Do:
    def do(place: Path) -> None:
        [file] = [path for path in (place / folder).iterdir() if path.suffix == ".sqlite3"]
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(sql)
            connection.commit()

    return do

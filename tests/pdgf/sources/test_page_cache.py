"""Texts of pages on disk."""

import hashlib
import sqlite3
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pdgf.sources.extract import Line, PageText
from pdgf.sources.fetch import Fetched
from pdgf.sources.page_cache import FILE, PageCache

DAY = 86_400.0


class Clock:
    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def cache(tmp_path: Path, clock: Clock) -> AsyncIterator[PageCache]:
    made = PageCache(tmp_path / "pages", clock=clock)
    yield made
    await made.close()


def text(url: str = "https://films.example/a", words: str = "慢而温柔。 Slow and dry.") -> PageText:
    return PageText(url=url, title="Salt Winter", lines=(Line(text="Salt", kind="heading"), Line(text=words)))


def fetched(url: str = "https://films.example/a", *, may_store: bool = True) -> Fetched:
    return Fetched(url=url, mime="text/html", body=b"x", may_store=may_store)


async def keep(cache: PageCache, page: PageText, *, asked: str | None = None, may_store: bool = True) -> None:
    await cache.put(asked or page.url, fetched(page.url, may_store=may_store), page)


async def test_a_text_comes_back_as_it_was_under_every_spelling_of_its_address(cache: PageCache) -> None:
    await keep(cache, text())
    for spelling in ("https://films.example/a", "HTTPS://Films.Example:443/a/#top", "https://films.example/a?utm_id=1"):
        assert await cache.get(spelling) == text()
    assert await cache.get("https://films.example/b") is None
    assert await cache.get("no address") is None


async def test_a_page_is_found_under_the_address_that_led_to_it(cache: PageCache) -> None:
    await keep(cache, text(), asked="https://short.example/1")
    assert await cache.get("https://short.example/1") == text()
    other = text("https://films.example/other")
    await keep(cache, other, asked="https://short.example/1")  # it leads elsewhere now
    assert await cache.get("https://short.example/1") == other
    assert await cache.get("https://films.example/a") == text()


async def test_a_text_is_kept_for_a_day(cache: PageCache, clock: Clock) -> None:
    await keep(cache, text())
    clock.now += DAY - 1
    assert await cache.get(text().url) == text()
    clock.now += 1
    assert await cache.get(text().url) is None


async def test_a_clock_that_was_set_back_makes_no_text_young_for_ever(cache: PageCache, clock: Clock) -> None:
    await keep(cache, text())
    clock.now -= 2 * DAY
    assert await cache.get(text().url) is None


async def test_a_page_whose_server_wants_no_copy_is_not_kept(cache: PageCache) -> None:
    await keep(cache, text(), may_store=False)
    assert await cache.get(text().url) is None
    await keep(cache, text(), asked="https://short.example/1")
    await keep(cache, text(), may_store=False)
    assert await cache.get(text().url) is None
    assert await cache.get("https://short.example/1") is None


async def test_the_oldest_go_when_there_is_too_much(tmp_path: Path, clock: Clock) -> None:
    cache = PageCache(tmp_path, max_bytes=900, clock=clock)
    pages = [text(f"https://films.example/{n}", hashlib.sha512(bytes([n])).hexdigest() * 8) for n in range(6)]
    for page in pages:
        await keep(cache, page, asked=f"{page.url}/short")
        clock.now += 1
    kept = [page for page in pages if await cache.get(page.url) is not None]
    assert kept == pages[-len(kept) :]
    assert 0 < len(kept) < 6
    assert [await cache.get(f"{page.url}/short") is not None for page in pages] == [page in kept for page in pages]
    await cache.close()
    with sqlite3.connect(tmp_path / FILE) as file:
        assert file.execute("SELECT sum(length(content)) FROM pages").fetchone()[0] <= 900
        assert file.execute("SELECT count(*) FROM ways").fetchone()[0] == len(kept)


async def test_only_its_owner_can_read_the_folder_and_its_files(cache: PageCache, tmp_path: Path) -> None:
    await keep(cache, text())
    folder = tmp_path / "pages"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


async def test_texts_outlast_the_process(tmp_path: Path, clock: Clock) -> None:
    first = PageCache(tmp_path, clock=clock)
    await keep(first, text())
    await first.close()
    second = PageCache(tmp_path, clock=clock)
    assert await second.get(text().url) == text()
    await second.close()


async def test_two_processes_may_use_one_file(tmp_path: Path, clock: Clock) -> None:
    one, two = PageCache(tmp_path, clock=clock), PageCache(tmp_path, clock=clock)
    await keep(one, text())
    assert await two.get(text().url) == text()
    await keep(two, text("https://films.example/b"))
    assert await one.get("https://films.example/b") is not None
    await one.close()
    await two.close()


@pytest.mark.parametrize("damage", [b"no database at all", b"SQLite format 3\0" + b"\xff" * 4_000, b""])
async def test_a_damaged_file_is_begun_anew(tmp_path: Path, clock: Clock, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    cache = PageCache(tmp_path, clock=clock)
    assert await cache.get(text().url) is None
    await keep(cache, text())
    assert await cache.get(text().url) == text()
    await cache.close()


async def test_a_file_of_another_version_is_begun_anew(cache: PageCache, tmp_path: Path) -> None:
    await keep(cache, text())
    await cache.close()
    with sqlite3.connect(tmp_path / "pages" / FILE) as file:
        file.execute("PRAGMA user_version = 99")
    assert await cache.get(text().url) is None
    await keep(cache, text())
    assert await cache.get(text().url) == text()


@pytest.mark.parametrize(
    "change", ["content = x'00'", "content = zeroblob(20)", "checksum = checksum + 1", "content = 'text'"]
)
async def test_a_damaged_row_is_a_miss(cache: PageCache, tmp_path: Path, change: str) -> None:
    await keep(cache, text())
    await cache.close()
    with sqlite3.connect(tmp_path / "pages" / FILE) as file:
        file.execute(f"UPDATE pages SET {change}")  # noqa: S608 (the test's own words)
    assert await cache.get(text().url) is None


async def test_a_folder_that_cannot_be_made_fails_no_turn(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = PageCache(tmp_path / "file" / "pages", clock=clock)
    await keep(cache, text())
    assert await cache.get(text().url) is None
    await cache.close()

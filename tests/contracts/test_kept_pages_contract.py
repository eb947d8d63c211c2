"""What every place for texts of pages promises, asked of a file and of PostgreSQL."""

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dialogue.postgres.database import Database
from dialogue.postgres.pages import SharedPages
from pdgf.sources.extract import Line, PageText
from pdgf.sources.fetch import Fetched
from pdgf.sources.page_cache import PageCache
from pdgf.sources.pages import KeptPages
from tests.contracts.stores import KINDS
from tests.postgres.serving import fresh_url

URL, ASKED = "https://a.test/long", "https://a.test/short"


@pytest.fixture(params=KINDS)
async def pages(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[KeptPages]:
    if request.param == "sqlite":
        filed = PageCache(tmp_path / "pages")
        yield filed
        await filed.close()
        return
    database = Database(fresh_url())
    yield SharedPages(database)
    await database.close()


def text(url: str = URL, words: str = "慢而温柔。 Slow and dry.") -> PageText:
    return PageText(url=url, title="Salt Winter", lines=(Line(text="Salt", kind="heading"), Line(text=words)))


async def keep(pages: KeptPages, page: PageText, *, asked: str = "", may_store: bool = True) -> None:
    fetched = Fetched(url=page.url, mime="text/html", body=b"x", may_store=may_store)
    await pages.put(asked or page.url, fetched, page)


async def test_a_text_comes_back_as_it_was_under_every_spelling_of_its_address(pages: KeptPages) -> None:
    await keep(pages, text())
    for spelling in (URL, "HTTPS://A.test:443/long#top", f"{URL}?utm_id=1"):
        assert await pages.get(spelling) == text()
    assert await pages.get("https://a.test/other") is None
    assert await pages.get("no address") is None


async def test_a_page_is_found_under_the_address_that_led_to_it(pages: KeptPages) -> None:
    await keep(pages, text(), asked=ASKED)
    assert await pages.get(ASKED) == await pages.get(URL) == text()
    other = text("https://a.test/other")
    await keep(pages, other, asked=ASKED)  # it leads elsewhere now
    assert await pages.get(ASKED) == other
    assert await pages.get(URL) == text()
    await keep(pages, text(ASKED), asked=ASKED)  # it is a page itself now
    assert await pages.get(ASKED) == text(ASKED)


async def test_a_page_whose_server_wants_no_copy_is_not_kept_and_an_earlier_copy_goes(pages: KeptPages) -> None:
    await keep(pages, text(), asked=ASKED)
    await keep(pages, text(), may_store=False)
    assert await pages.get(URL) is None
    assert await pages.get(ASKED) is None


async def test_in_the_database_a_text_is_kept_for_a_day() -> None:
    database = Database(fresh_url())
    pages = SharedPages(database, sweep=2)
    await keep(pages, text(), asked=ASKED)
    await database.run("UPDATE pages SET stored = stored - interval '86399 seconds'")
    assert await pages.get(ASKED) == text()
    await database.run("UPDATE pages SET stored = stored - interval '1 second'")
    assert await pages.get(ASKED) is None
    await keep(pages, text("https://a.test/new"))
    assert await database.rows("SELECT count(*), (SELECT count(*) FROM ways) FROM pages") == [(1, 0)]
    await database.close()


async def test_in_the_database_the_oldest_texts_go_when_there_is_too_much() -> None:
    database = Database(fresh_url())
    pages = SharedPages(database, max_bytes=1_000, sweep=1)
    noise = [text(f"https://a.test/{n}", hashlib.sha512(bytes([n])).hexdigest() * 4) for n in range(6)]
    for page in noise:
        await keep(pages, page)
    kept = [page for page in noise if await pages.get(page.url) is not None]
    assert kept == noise[-len(kept) :]
    assert 0 < len(kept) < 6
    [[size]] = await database.rows("SELECT sum(length(content)) FROM pages")
    assert size <= 1_000
    await database.close()


async def test_where_the_database_is_gone_a_page_is_a_miss() -> None:
    pages = SharedPages(Database("postgresql://nobody@127.0.0.1:1/none", patience=0.0))
    await keep(pages, text())
    assert await pages.get(URL) is None

"""A database that is down at the start, breaks off in mid-turn, comes back, or has no connection left."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import unquote

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from dialogue import wording
from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.postgres import database as databases
from dialogue.postgres.database import Database, conninfo_of
from dialogue.postgres.pace import SharedPace
from dialogue.postgres.store import SharedStore
from pdgf.errors import ConfigInvalid, DatabaseUnavailable, DatabaseUnusable, StoreUnavailable
from tests.contracts.stores import shared
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent
from tests.postgres.serving import fresh_url
from tests.postgres.wire import wire


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path, as socket files need."""
    with tempfile.TemporaryDirectory(prefix="wire-") as name:
        yield Path(name)


@asynccontextmanager
async def talking(url: str) -> AsyncIterator[Conversations]:
    ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    async with shared(url) as store, Conversations(store, always(ports)) as talks:
        yield talks


async def back(database: Database) -> None:
    """Wait until a database is used again; whoever comes too early is told so."""
    async with asyncio.timeout(30.0):
        while True:
            with suppress(DatabaseUnavailable):
                return await database.check()


async def say(talks: Conversations, utterance: str) -> str:
    events = [event async for event in talks.turn("t", utterance)]
    assert isinstance(events[-1], Finished)
    return events[-1].view.reply


async def test_a_database_that_is_not_there_is_told_in_words_that_hold_no_password() -> None:
    database = Database("postgresql://ann:very-secret@127.0.0.1:1/none", patience=0.0)
    with pytest.raises(DatabaseUnusable) as raised:
        await database.open()
    sentence = wording.sentence_for(raised.value)
    assert "PDGF_DATABASE_URL" in sentence
    assert "refused" in sentence
    assert "very-secret" not in f"{sentence} {raised.value}"


@pytest.mark.parametrize("address", ["", "nonsense", "mysql://a/b", "postgresql://a:secret-word@[::1", "x y=z"])
def test_an_address_that_is_none_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(ConfigInvalid) as raised:
        Database(address)
    assert "postgresql://" in str(raised.value)
    assert "secret-word" not in str(raised.value)


@pytest.mark.parametrize(
    "password", ["sec@ret", "sec@ret/x", "sec/ret", "/secret", "sec/ret@x", "1/sec?ret@y", "se%cret"]
)
@pytest.mark.parametrize(
    "place", ["@database:5432/pdgf", "@/pdgf", "@database/pdgf?sslmode=require", "@[::1]:5432/pdgf"]
)
def test_a_password_that_has_to_be_percent_encoded_is_named_so_and_no_piece_of_it_is_told(
    password: str, place: str
) -> None:
    with pytest.raises(ConfigInvalid, match="Percent-encode") as raised:
        Database(f"postgresql://pdgf:{password}{place}")
    told = wording.sentence_for(raised.value)
    assert not [piece for piece in ("sec", "ret", "cret", "@x", "@y") if piece in told]


@pytest.mark.parametrize("password", ["sec%40ret%2Fx", "a:b", "a%3Ab?c#d", "%25"])
def test_an_address_that_is_encoded_is_taken(password: str) -> None:
    given = conninfo_to_dict(conninfo_of(f"postgresql://pdgf:{password}@one:5432,two:5433/pdgf"))
    assert (given["password"], given["host"], given["port"]) == (unquote(password), "one,two", "5432,5433")


def test_a_forgotten_host_tells_no_password() -> None:
    with pytest.raises(ConfigInvalid) as raised:
        Database("postgresql://pdgf:hush")
    assert "hush" not in str(raised.value)


async def test_a_password_that_stands_apart_needs_no_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "sec@ret/x")
    database = Database(fresh_url())
    async with database.connection() as connection:
        assert connection.info.password == "sec@ret/x"  # noqa: S105
    await database.close()


def test_what_an_address_says_of_itself_is_left_as_it_is() -> None:
    made = conninfo_of("postgresql://a@h/d?connect_timeout=77&options=-c%20search_path%3Dmine")
    assert "connect_timeout=77" in made
    assert made.index("search_path=pdgf") < made.index("search_path=mine")  # the last one counts


async def test_a_database_that_does_not_exist_is_not_waited_for() -> None:
    with pytest.raises(DatabaseUnusable, match="does not exist"):
        async with asyncio.timeout(60.0):
            await Database(fresh_url().replace("/test_", "/no_such_"), patience=3_600.0).open()


async def test_a_database_that_is_only_starting_up_is_waited_for(folder: Path) -> None:
    async with wire(fresh_url(), folder) as way:
        await way.cut()
        database = Database(way.url, patience=20.0)
        opening = asyncio.create_task(database.open())
        await asyncio.sleep(0.2)
        assert not opening.done()
        await way.mend()
        await asyncio.wait_for(opening, 10.0)
        await database.close()


async def test_after_an_outage_between_turns_the_conversation_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "WAIT", 0.5)
    async with wire(fresh_url(), folder) as way, talking(way.url) as talks:
        await talks.start("restaurants", "ann", "t")
        await say(talks, "ramen in Old Harbour")
        await way.cut()
        with pytest.raises(StoreUnavailable) as raised:
            await say(talks, "quiet please")
        assert "was not saved" in wording.sentence_for(raised.value)
        await way.mend()
        await back(talks._store._database)
        await say(talks, "quiet please")
        assert [view.utterance for view in await talks.history("t")] == ["ramen in Old Harbour", "quiet please"]


async def test_the_first_turn_after_the_server_was_restarted_is_answered() -> None:
    url = fresh_url()
    async with talking(url) as talks:
        await talks.start("restaurants", "ann", "t")
        await say(talks, "ramen in Old Harbour")
        with psycopg.connect(url, autocommit=True) as other:
            ended = other.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            ).fetchall()
        assert len(ended) >= 2
        await say(talks, "quiet please")
        assert [view.utterance for view in await talks.history("t")] == ["ramen in Old Harbour", "quiet please"]


@pytest.mark.parametrize("events", [1, 2, 4])
async def test_an_outage_in_mid_turn_loses_nothing_that_was_told_before(
    folder: Path, events: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "WAIT", 0.5)
    async with wire(fresh_url(), folder) as way, talking(way.url) as talks:
        await talks.start("restaurants", "ann", "t")
        await say(talks, "ramen in Old Harbour")
        turn = talks.turn("t", "quiet please")
        for _ in range(events):
            await anext(turn)
        await way.cut()
        with pytest.raises(StoreUnavailable):
            async for _ in turn:
                pass
        await way.mend()
        await back(talks._store._database)
        views = await talks.history("t", unfinished=True)
        assert [(view.utterance, view.finished) for view in views] == [
            ("ramen in Old Harbour", True),
            ("quiet please", False),
        ]
        await say(talks, "quiet please")
        views = await talks.history("t", unfinished=True)
        assert [view.finished for view in views] == [True, False, True]


async def test_where_every_connection_is_taken_it_is_said_so_and_later_works_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(databases, "WAIT", 0.2)
    database = Database(fresh_url(), connections=2)
    async with SharedStore(database) as store:
        await store.add(thread="t", owner="ann", domain="movies")
        async with database.connection(), database.connection():
            with pytest.raises(DatabaseUnavailable) as raised:
                await store.find("t")
            assert database.counts()["free"] == 0
            assert "does not answer" in wording.sentence_for(raised.value)
        assert (await store.find("t")).owner == "ann"
    await database.close()


async def test_readiness_follows_the_database(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "WAIT", 0.3)
    async with wire(fresh_url(), folder) as way:
        database = Database(way.url)
        await database.open()
        await database.check()
        await way.cut()
        with pytest.raises(DatabaseUnavailable):
            await database.check()
        await way.mend()
        await back(database)
        await database.close()


async def test_an_error_of_the_database_tells_no_row() -> None:
    database = Database(fresh_url())
    async with SharedStore(database) as store:
        for _ in range(2):
            try:
                await store.add(thread="a-secret-thread", owner="ann", domain="movies")
            except StoreUnavailable as error:
                told = str(error)
    assert "duplicate key" in told
    assert "a-secret-thread" not in told
    await database.close()


async def test_requests_of_all_processes_are_counted_together() -> None:
    url = fresh_url()
    first, second = Database(url), Database(url)
    one, two = SharedPace(first), SharedPace(second)
    begun = [await pace.wait("https://a.test", 3) for pace in (one, two, one)]
    assert begun == [0.0] * 3
    assert 50.0 < await two.wait("https://a.test", 3) <= 60.0
    assert await two.wait("https://b.test", 3) == 0.0
    await first.run("UPDATE begun SET at = at - interval '1 minute'")
    assert await two.wait("https://a.test", 3) == 0.0
    together = await asyncio.gather(*(pace.wait("https://c.test", 5) for pace in (one, two) * 6))
    assert together.count(0.0) == 5
    await first.close()
    await second.close()


async def test_where_the_common_pace_is_not_known_each_process_keeps_its_own() -> None:
    assert await SharedPace(Database("postgresql://nobody@127.0.0.1:1/none", patience=0.0)).wait("a", 1) == 0.0

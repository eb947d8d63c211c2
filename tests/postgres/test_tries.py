"""Wrong passwords are counted by all processes together."""

import asyncio
from pathlib import Path

import pytest

from dialogue.postgres.database import Database
from dialogue.postgres.tries import SharedTries
from dialogue.ui import login
from dialogue.ui.wrong_passwords import FROM_ONE, TRIES, counted_for
from tests.postgres.pages import a_page
from tests.postgres.serving import fresh_url
from tests.postgres.test_keys import migrated

ANN, BOB, AWAY = counted_for("ann", "10.0.0.1"), counted_for("bob", "10.0.0.1"), counted_for("ann", "10.0.0.2")


async def test_after_ten_wrong_passwords_for_a_name_a_visitor_waits_everywhere_and_others_do_not() -> None:
    url = fresh_url()
    first, second = Database(url), Database(url)
    one, two = SharedTries(first), SharedTries(second)
    for number in range(TRIES):
        assert await two.wait(ANN) == 0.0
        await (one, two)[number % 2].add(ANN)
    assert 800.0 < await one.wait(ANN) <= 900.0
    assert [await two.wait(other) for other in (BOB, AWAY)] == [0.0, 0.0]
    kept = await first.rows("SELECT who FROM wrong_passwords")
    assert len(kept) == 2
    assert not any("10.0.0.1" in who or "ann" in who for (who,) in kept)
    await first.run("UPDATE wrong_passwords SET since = since - interval '15 minutes'")
    assert await one.wait(ANN) == 0.0
    await one.add(ANN)
    assert await first.rows("SELECT count FROM wrong_passwords") == [(1,), (1,)]
    await first.close()
    await second.close()


async def test_guesses_at_many_names_are_bounded_by_their_address_everywhere() -> None:
    database = Database(fresh_url())
    tries = SharedTries(database)
    for number in range(FROM_ONE):
        assert await tries.wait(BOB) == 0.0
        await tries.add(counted_for(f"name {number}", "10.0.0.1"))
    assert 800.0 < await tries.wait(BOB) <= 900.0
    assert await tries.wait(AWAY) == 0.0
    await database.close()


async def test_tries_at_the_same_time_are_all_counted() -> None:
    database = Database(fresh_url())
    tries = SharedTries(database)
    await asyncio.gather(*(tries.add(ANN) for _ in range(12)))
    assert await database.rows("SELECT count FROM wrong_passwords") == [(12,), (12,)]
    await database.close()


async def test_where_the_database_is_gone_nobody_is_kept_out_by_it() -> None:
    tries = SharedTries(Database("postgresql://nobody@127.0.0.1:1/none", patience=0.0))
    await tries.add(ANN)
    assert await tries.wait(ANN) == 0.0


async def test_who_guessed_at_one_process_is_refused_at_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(seconds: float) -> None:
        """The pause after a wrong password is tried elsewhere."""

    monkeypatch.setattr(login, "paused", at_once)
    settings = {"database_url": await migrated(), "auth": "ann:secret"}
    async with (
        a_page(tmp_path / "one", monkeypatch, **settings) as one,
        a_page(tmp_path / "two", monkeypatch, **settings) as two,
    ):
        codes = [(await one.get("/metrics", auth=("ann", f"guess {number}"))).status_code for number in range(TRIES)]
        assert codes == [401] * TRIES
        assert (await two.get("/metrics", auth=("ann", "secret"))).status_code == 429

"""What wrong passwords cost: a pause, and after some of them a while in which none is looked at."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from dialogue.ui import login, wrong_passwords
from dialogue.ui.login import Login
from dialogue.ui.wrong_passwords import FROM_ONE, TRIES, WITHIN, WrongPasswords, counted_for

USERS = {"ann": "s3cret:with colon", "bob": "hunter2"}
HTML = {"accept": "text/html"}


class Behind:
    """What lies behind a login, a clock that is set by hand, and every pause that was made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.pauses: list[float] = []
        self.entered: list[str] = []
        self.wrong = WrongPasswords(lambda: self.now)
        self.login = Login(self.app, USERS, "secret", self.wrong)

        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        monkeypatch.setattr(login, "paused", pause)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        self.entered.append(scope[login.USER])
        await PlainTextResponse("in")(scope, receive, send)

    async def basic(self, name: str, password: str, address: str = "192.0.2.1") -> httpx.Response:
        return await self.sent(address, "GET", "/config", auth=(name, password))

    async def form(self, name: str, password: str, address: str = "192.0.2.1", **more: Any) -> httpx.Response:
        return await self.sent(address, "POST", "/login", data={"username": name, "password": password}, **more)

    async def sent(self, address: str, *request: str, **more: Any) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.login, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
            return await client.request(*request, **more)


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> Behind:
    return Behind(monkeypatch)


async def test_a_wrong_password_costs_the_same_pause_whichever_way_it_comes(behind: Behind) -> None:
    for way in (behind.basic, behind.form):
        assert (await way("ann", "wrong")).status_code == 401
        assert (await way("ann", USERS["ann"])).status_code == 200
    assert behind.pauses == [login.PAUSE] * 2
    assert (await behind.sent("192.0.2.1", "GET", "/config")).status_code == 401
    assert behind.pauses == [login.PAUSE] * 2  # whoever sends no password waits for nothing


async def test_after_some_wrong_passwords_none_is_looked_at_from_that_address_for_a_while(behind: Behind) -> None:
    ways = [behind.basic, behind.form]
    codes = [(await ways[number % 2]("ann", f"guess {number}")).status_code for number in range(TRIES + 5)]
    assert codes == [401] * TRIES + [429] * 5
    refused = await behind.basic("ann", USERS["ann"])
    assert (refused.status_code, refused.headers["retry-after"]) == (429, f"{WITHIN:.0f}")
    told = await behind.form("ann", USERS["ann"], headers=HTML)
    assert (told.status_code, "try again in 15 minutes" in told.text) == (429, True)
    assert behind.entered == []
    assert len(behind.pauses) == TRIES
    assert (await behind.basic("ann", USERS["ann"], "192.0.2.2")).status_code == 200
    cookie = {"cookie": f"{login.COOKIE}={behind.login._signed('ann')}"}
    assert (await behind.sent("192.0.2.1", "GET", "/config", headers=cookie)).status_code == 200
    behind.now = WITHIN
    assert (await behind.basic("ann", USERS["ann"])).status_code == 200


async def test_guesses_that_are_sent_together_are_counted_one_by_one(behind: Behind) -> None:
    answers = await asyncio.gather(*(behind.basic("ann", f"guess {number}") for number in range(50)))
    assert sorted(answer.status_code for answer in answers) == [401] * TRIES + [429] * (50 - TRIES)


async def test_ones_own_account_gives_no_further_guesses_at_another_one(behind: Behind) -> None:
    for number in range(TRIES):
        assert (await behind.basic("ann", f"guess {number}")).status_code == 401
        assert (await behind.basic("bob", USERS["bob"])).status_code == 200
    assert (await behind.basic("ann", USERS["ann"])).status_code == 429


async def test_whoever_mistypes_shuts_nobody_out_who_shares_the_address(behind: Behind) -> None:
    codes = [(await behind.form("ann", f"guess {number}")).status_code for number in range(TRIES + 1)]
    assert codes == [401] * TRIES + [429]
    assert (await behind.form("bob", USERS["bob"])).status_code == 200
    assert (await behind.basic("bob", USERS["bob"])).status_code == 200


async def test_a_name_that_nobody_has_is_counted_as_one_that_somebody_has(behind: Behind) -> None:
    for name in ("ann", "carl", "", "é" * 300):
        codes = [(await behind.basic(name, f"guess {number}")).status_code for number in range(TRIES + 1)]
        assert codes == [401] * TRIES + [429], name


async def test_guesses_at_many_names_from_one_address_are_bounded_too(behind: Behind) -> None:
    codes = [(await behind.basic(f"name {number}", "guess")).status_code for number in range(FROM_ONE + 5)]
    assert codes == [401] * FROM_ONE + [429] * 5
    assert (await behind.basic("bob", USERS["bob"])).status_code == 429
    assert (await behind.basic("bob", USERS["bob"], "192.0.2.2")).status_code == 200
    behind.now = WITHIN
    assert (await behind.basic("bob", USERS["bob"])).status_code == 200


class Elsewhere:
    """What other processes have counted: nothing, and that takes a moment to say."""

    def __init__(self) -> None:
        self.added = 0

    async def wait(self, counted: Mapping[str, int]) -> float:
        await asyncio.sleep(0)
        return 0.0

    async def add(self, counted: Mapping[str, int]) -> None:
        self.added += 1


async def test_guesses_that_are_sent_together_are_counted_one_by_one_also_while_others_are_asked(
    behind: Behind,
) -> None:
    elsewhere = Elsewhere()
    behind.login = Login(behind.app, USERS, "secret", behind.wrong, elsewhere)
    answers = await asyncio.gather(*(behind.basic("ann", f"guess {number}") for number in range(50)))
    assert sorted(answer.status_code for answer in answers) == [401] * TRIES + [429] * (50 - TRIES)
    assert elsewhere.added == TRIES


def test_counts_are_remembered_in_bounded_memory_and_a_network_is_one_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wrong_passwords, "REMEMBERED", 50)
    wrong = WrongPasswords(lambda: 0.0)
    for number in range(200):
        wrong.add(counted_for("ann", f"2001:db8::{number:x}"))
    standing = [wrong.wait(counted_for("ann", address)) for address in ("2001:db8::ffff:1", "2001:db8:0:1::1")]
    assert (len(wrong), standing) == (2, [WITHIN, 0.0])
    for number in range(200):
        wrong.add(counted_for("x" * number, f"192.0.2.{number}" if number % 2 else f"host {number} {'x' * 1000}"))
    assert len(wrong) == 50
    for address in ("198.51.100.7", "::ffff:198.51.100.7"):
        for _ in range(TRIES // 2):
            wrong.add(counted_for("ann", address))
    assert wrong.wait(counted_for("ann", "198.51.100.7")) == WITHIN
    assert wrong.wait(counted_for("bob", "198.51.100.7")) == 0.0


def test_no_name_is_remembered_in_clear() -> None:
    assert not any("ann" in key for key in counted_for("ann", "192.0.2.1"))

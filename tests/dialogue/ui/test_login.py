"""Who is let in: the form, the cookie, HTTP Basic; and that a user is known again elsewhere."""

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from dialogue.ui import login, wrong_passwords
from dialogue.ui.login import Login, owner_of, users_of
from dialogue.ui.server import create_app
from dialogue.ui.wrong_passwords import TRIES, WITHIN, WrongPasswords
from pdgf.errors import ConfigInvalid
from tests.browser.fake_conversations import DOMAINS, FakeConversations

USERS = {"ann": "s3cret:with colon", "bob": "hunter2"}
HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as quicker:
        quicker.setattr(login, "PAUSE", 0.0)
        folder = tmp_path_factory.mktemp("data")
        app = create_app(FakeConversations(), domains=DOMAINS, data_dir=folder, users=USERS)  # type: ignore[arg-type]
        with TestClient(app, follow_redirects=False) as client:
            yield client


@pytest.fixture
def client(served: TestClient, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    served.cookies.clear()
    monkeypatch.setattr(wrong_passwords, "TRIES", 1000)
    return served


def enter(client: TestClient, name: str, password: str) -> int:
    return client.post("/login", data={"username": name, "password": password}).status_code


def test_names_and_passwords_are_read_and_a_password_may_hold_a_colon() -> None:
    assert users_of(" ann:s3cret:with colon, bob:hunter2,") == USERS


@pytest.mark.parametrize("setting", ["ann", "ann:", ":x", "ann:1,ann:2"])
def test_a_setting_that_cannot_be_used_is_refused_without_telling_it(setting: str) -> None:
    with pytest.raises(ConfigInvalid, match="name:password pairs") as refused:
        users_of(setting)
    assert setting not in str(refused.value)


@pytest.mark.parametrize(
    "path", ["/", "/zh/", "/config", "/gradio_api/info", "/theme.css", "/zh/gradio_api/queue/join"]
)
def test_nothing_but_health_and_the_form_is_open(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 401
    assert client.get("/healthz").json() == {"status": "ok"}
    form = client.get("/login", headers=HTML)
    assert form.status_code == 200
    assert 'name="password"' in form.text


def test_a_browser_is_led_to_the_form_and_back_to_the_page(client: TestClient) -> None:
    for path, form in (("/", "login"), ("/zh/", "../login?page=zh")):
        led = client.get(path, headers=HTML)
        assert (led.status_code, led.headers["location"]) == (303, form)
    sent = client.post("/login", data={"username": "bob", "password": "hunter2"}, headers=HTML)
    assert (sent.status_code, sent.headers["location"]) == (303, "./")
    cookie = sent.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert client.get("/", headers=HTML).status_code == 200


@pytest.mark.parametrize(
    ("asked", "form", "tag", "back"),
    [
        ("/zh/", "../login?page=zh", "zh-CN", "./zh/"),
        ("/zh/?lang=zh", "../login?lang=zh", "zh-CN", "./zh/?lang=zh"),
        ("/?lang=en", "login?lang=en", "en", "./?lang=en"),
        ("/?lang=klingon", "login", "en", "./"),
    ],
)
def test_the_form_speaks_the_language_of_the_page_and_leads_back_to_it(
    client: TestClient, asked: str, form: str, tag: str, back: str
) -> None:
    led = client.get(asked, headers=HTML)
    assert led.headers["location"] == form
    shown = client.get(f"/{form.removeprefix('../')}", headers=HTML)
    assert f'<html lang="{tag}">' in shown.text
    (action,) = re.findall(r'<form method="post" action="([^"]+)"', shown.text)
    assert action == form.removeprefix("../")
    wrong = client.post(f"/{action}", data={"username": "bob", "password": "?"}, headers=HTML)
    assert f'<html lang="{tag}">' in wrong.text
    sent = client.post(f"/{action}", data={"username": "bob", "password": "hunter2"}, headers=HTML)
    assert sent.headers["location"] == back


def test_whoever_leaves_the_chinese_page_is_told_so_in_chinese_and_finds_the_way_back(client: TestClient) -> None:
    left = client.get("/logout?page=zh", headers=HTML)
    assert '<html lang="zh-CN">' in left.text
    assert 'href="login?page=zh"' in left.text


def test_a_wrong_password_is_told_in_the_visitors_language(client: TestClient) -> None:
    wrong = {"username": "ann", "password": "hunter2"}
    assert enter(client, "ann", "hunter2") == 401
    assert "Please try again" in client.post("/login", data=wrong, headers=HTML).text
    chinese = client.post("/login", data=wrong, headers={**HTML, "accept-language": "zh-CN,zh;q=0.9,en;q=0.8"})
    assert "请再试一次" in chinese.text
    assert client.get("/").status_code == 401


@pytest.mark.parametrize(
    ("name", "password"), [("", ""), ("carl", "hunter2"), ("ann\x00", "s3cret:with colon"), ("é", "ü")]
)
def test_unknown_names_are_refused(client: TestClient, name: str, password: str) -> None:
    assert enter(client, name, password) == 401


def test_a_setting_that_names_nobody_does_not_let_everybody_in() -> None:
    with pytest.raises(ConfigInvalid, match="names nobody"):
        users_of(" , ")


def test_a_form_too_long_to_be_ours_is_refused(client: TestClient) -> None:
    assert enter(client, "ann", "x" * 5000) == 413


def test_programs_may_send_name_and_password_each_time(client: TestClient) -> None:
    assert client.get("/config", auth=("ann", "s3cret:with colon")).status_code == 200
    assert client.get("/config", auth=("ann", "wrong")).status_code == 401
    assert client.get("/config", headers={"authorization": "Basic !!!"}).status_code == 401


def test_a_cookie_is_believed_only_as_it_was_given(client: TestClient) -> None:
    enter(client, "bob", "hunter2")
    good = client.cookies[login.COOKIE]
    who, until, proof = good.split(".")
    forged = [f"{who}.{int(until) + 1}.{proof}", f"YW5u.{until}.{proof}", "", "a.b", f"{who}.x.{proof}", good[:-1], "é"]
    for cookie in forged:
        client.cookies.clear()
        assert client.get("/config", headers={"cookie": f"{login.COOKIE}={cookie}".encode()}).status_code == 401
    assert client.get("/config", headers={"cookie": f"{login.COOKIE}={good}"}).status_code == 200


def test_a_cookie_ends_with_its_time_and_with_its_password() -> None:
    before = Login(None, USERS, "secret")  # type: ignore[arg-type]
    assert before._checked(before._signed("bob")) == "bob"
    assert before._checked(before._signed("bob", int(time.time()) - 1)) is None
    after = Login(None, {**USERS, "bob": "changed"}, "secret")  # type: ignore[arg-type]
    assert after._checked(before._signed("bob")) is None
    assert Login(None, USERS, "other")._checked(before._signed("bob")) is None  # type: ignore[arg-type]


def test_logging_out_takes_the_cookie_and_the_browsers_key(client: TestClient) -> None:
    enter(client, "bob", "hunter2")
    left = client.get("/logout", headers=HTML)
    assert 'removeItem("pdgf")' in left.text
    assert client.get("/config").status_code == 401


def test_the_key_of_a_user_is_the_same_everywhere_and_cannot_be_guessed_from_the_name() -> None:
    assert owner_of("ann", "secret") == owner_of("ann", "secret")
    assert len({owner_of("ann", "secret"), owner_of("bob", "secret"), owner_of("ann", "other")}) == 3


def test_whoever_logs_in_does_not_find_the_memory_of_whoever_was_there_before(tmp_path: Path) -> None:
    from dataclasses import replace
    from functools import partial

    from tests.dialogue.ui.test_visits import desk_over

    desk = replace(desk_over(FakeConversations()), owner_of=partial(owner_of, secret="secret"))  # noqa: S106
    left = {"owner": owner_of("ann", "secret"), "domain": "books", "threads": {"books": "t"}}
    assert desk.claimed(left, "ann") == left
    claimed = desk.claimed(left, "bob")
    assert (claimed["owner"], claimed["threads"]) == (owner_of("bob", "secret"), {})
    assert desk.claimed("no memory", "bob")["owner"] == owner_of("bob", "secret")
    assert desk_over(FakeConversations()).claimed(left, None) == left


class Behind:
    """What lies behind a login, a clock that is set by hand, and every pause that was made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.pauses, self.entered = 0.0, [], []
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
        await behind.basic("ann", f"guess {number}")
        assert (await behind.basic("bob", USERS["bob"])).status_code == (200 if number < TRIES - 1 else 429)


def test_addresses_are_remembered_in_bounded_memory_and_a_network_is_one_visitor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wrong_passwords, "ADDRESSES", 50)
    wrong = WrongPasswords(lambda: 0.0)
    for number in range(200):
        wrong.add(f"2001:db8::{number:x}")
    assert (len(wrong), wrong.wait("2001:db8::ffff:1"), wrong.wait("2001:db8:0:1::1")) == (1, WITHIN, 0.0)
    for number in range(200):
        wrong.add(f"192.0.2.{number}" if number % 2 else f"host {number} {'x' * 1000}")
    assert len(wrong) == 50
    for address in ("198.51.100.7", "::ffff:198.51.100.7"):
        for _ in range(TRIES // 2):
            wrong.add(address)
    assert wrong.wait("198.51.100.7") == WITHIN

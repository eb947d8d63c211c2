"""Who is let in: the form, the cookie, HTTP Basic; and that a user is known again elsewhere."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from dialogue.ui import login, wrong_passwords
from dialogue.ui.login import Login, owner_of, users_of
from dialogue.ui.server import create_app
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


def test_only_programs_are_asked_for_http_basic_for_a_browser_would_ask_in_a_window_of_its_own(
    client: TestClient,
) -> None:
    for agent, asked in (("Mozilla/5.0 (X11; Linux x86_64)", "Form"), ("python-httpx/0.28", "Basic")):
        refused = client.post("/gradio_api/queue/join", json={}, headers={"user-agent": agent})
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, asked)


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

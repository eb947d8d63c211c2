"""Where the page is served, and which proxies before it are believed; asked of the application as it is started."""

import socket
from pathlib import Path

import httpx
import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from dialogue import serving
from dialogue.ui.wrong_passwords import TRIES
from tests.reliability.started import started


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the environment nor a `.env` says anything."""
    monkeypatch.chdir(tmp_path)
    for name in ("GRADIO_SERVER_NAME", "GRADIO_SERVER_PORT", "FORWARDED_ALLOW_IPS"):
        monkeypatch.delenv(name, raising=False)


def test_the_address_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    monkeypatch.setenv("GRADIO_SERVER_PORT", str(free))
    assert serving.address() == ("127.0.0.1", free)


@pytest.mark.parametrize("port", ["many", "0", "70000", "-1"])
def test_a_port_that_is_none_is_refused_in_words(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADIO_SERVER_PORT", port)
    with pytest.raises(SystemExit, match="GRADIO_SERVER_PORT must be a number"):
        serving.address()


def test_a_port_that_is_taken_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("GRADIO_SERVER_PORT", str(taken.getsockname()[1]))
        with pytest.raises(SystemExit, match="Set GRADIO_SERVER_PORT to a free port"):
            serving.address()


def test_a_host_that_is_none_is_told_apart_from_a_port_that_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADIO_SERVER_NAME", "no host")
    with pytest.raises(SystemExit, match=r"GRADIO_SERVER_NAME 'no host' is not known\."):
        serving.address()


def test_what_the_file_beside_it_says_holds_where_the_environment_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("GRADIO_SERVER_PORT=none\nFORWARDED_ALLOW_IPS=10.0.0.5\n")
    assert serving.believed_proxies() == ["10.0.0.5"]
    with pytest.raises(SystemExit, match="not 'none'"):
        serving.address()
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.6")
    assert serving.believed_proxies() == ["10.0.0.6"]


@pytest.mark.parametrize(
    ("named", "believed"),
    [
        (None, ["127.0.0.1", "::1"]),
        ("", ["127.0.0.1", "::1"]),
        (" 10.0.0.5 , 172.30.78.9/24,", ["10.0.0.5", "172.30.78.0/24"]),
        ("fd00::/8", ["fd00::/8"]),
        ("*", ["*"]),
    ],
)
def test_proxies_of_this_computer_are_believed_and_others_where_they_are_named(
    named: str | None, believed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if named is not None:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", named)
    assert serving.believed_proxies() == believed


@pytest.mark.parametrize("named", ["front", "10.0.0.5 10.0.0.6", "10.0.0.0/99", "*,10.0.0.5"])
def test_a_proxy_that_is_no_address_is_refused_in_words(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", named)
    with pytest.raises(SystemExit, match="FORWARDED_ALLOW_IPS must hold addresses"):
        serving.believed_proxies()


async def test_a_visitor_who_names_another_address_is_not_believed_by_default() -> None:
    seen = []

    async def app(scope: dict[str, object], receive: object, send: object) -> None:
        seen.append((scope["client"], scope["scheme"]))

    headers = [(b"x-forwarded-for", b"203.0.113.9"), (b"x-forwarded-proto", b"https")]
    for client in ("192.0.2.1", "127.0.0.1"):
        scope = {"type": "http", "client": (client, 1), "scheme": "http", "headers": headers}
        await ProxyHeadersMiddleware(app, serving.believed_proxies())(scope, None, None)  # type: ignore[arg-type]
    assert seen == [(("192.0.2.1", 1), "http"), (("203.0.113.9", 0), "https")]


async def _entered(client: httpx.AsyncClient, password: str, visitor: str) -> httpx.Response:
    headers = {"x-forwarded-for": visitor, "x-forwarded-proto": "https"}
    return await client.post("/login", data={"username": "ann", "password": password}, headers=headers)


@pytest.mark.parametrize(("proxy", "believed"), [("127.0.0.0/8", True), ("192.0.2.1", False)])
@pytest.mark.long
async def test_behind_a_proxy_that_is_named_visitors_are_told_apart_and_their_cookies_are_for_https_only(
    proxy: str, believed: bool, tmp_path: Path
) -> None:
    settings = {"PDGF_AUTH": "ann:secret", "FORWARDED_ALLOW_IPS": proxy, "PDGF_BUNDLED": "restaurants"}
    async with (
        started(tmp_path / "data", settings, warm=False) as server,
        httpx.AsyncClient(base_url=server.url, trust_env=False) as client,
    ):
        entered = await _entered(client, "secret", "203.0.113.1")
        assert entered.status_code == 200
        assert ("secure" in entered.headers["set-cookie"].lower()) is believed
        for number in range(TRIES):
            assert (await _entered(client, f"guess {number}", "203.0.113.1")).status_code == 401
        assert (await _entered(client, "secret", "203.0.113.1")).status_code == 429
        assert (await _entered(client, "secret", "203.0.113.2")).status_code == (200 if believed else 429)

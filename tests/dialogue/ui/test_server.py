"""The application around the page: headers, health, what it opens and what it keeps shut."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from dialogue.ui.server import BROWSER_KEY, CONTENT_SECURITY_POLICY, SERVER_KEY, create_app, kept_secret
from tests.browser.fake_conversations import DOMAINS, FakeConversations


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    conversations = FakeConversations()
    app = create_app(conversations, domains=DOMAINS, data_dir=tmp_path_factory.mktemp("data"))  # type: ignore[arg-type]
    with TestClient(app) as client:
        yield client


def test_health_is_open_and_small(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.parametrize("path", ["/", "/healthz", "/config", "/theme.css", "/nowhere"])
def test_every_answer_carries_the_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(("page", "named"), [("/", {"/chat"}), ("/zh/", set())])
def test_only_the_endpoints_for_programs_are_public(client: TestClient, page: str, named: set[str]) -> None:
    info = client.get(f"{page}gradio_api/info").json()
    assert set(info["named_endpoints"]) == named
    assert info["unnamed_endpoints"] == {}
    dependencies = client.get(f"{page}config").json()["dependencies"]
    public = {f"/{row['api_name']}" for row in dependencies if row["api_visibility"] != "private"}
    assert public == named


def test_analytics_and_run_history_are_off_and_errors_are_not_shown(client: TestClient) -> None:
    config = client.get("/config").json()
    assert os.environ["GRADIO_ANALYTICS_ENABLED"] == "False"
    assert config["analytics_enabled"] is False
    assert config.get("run_history") is False
    assert config["show_error"] is False


def test_the_chat_neither_keeps_tags_nor_reads_amounts_as_formulas(client: TestClient) -> None:
    (chat,) = [row["props"] for row in client.get("/config").json()["components"] if row["type"] == "chatbot"]
    assert (chat["allow_tags"], chat["sanitize_html"], chat["latex_delimiters"]) == (False, True, [])
    assert "share" not in chat["buttons"]


def test_the_interactive_documentation_of_the_server_is_shut(client: TestClient) -> None:
    assert client.get("/openapi.json").status_code == 404


@pytest.mark.parametrize("name", [BROWSER_KEY, SERVER_KEY])
def test_a_secret_is_made_once_and_readable_by_its_owner_only(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "data"
    secret = kept_secret(folder, name)
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    assert kept_secret(folder, name) == secret
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept_secret(tmp_path / "other", name) != secret


def test_an_empty_secret_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / BROWSER_KEY).touch(mode=0o644)
    secret = kept_secret(tmp_path, BROWSER_KEY)
    assert len(secret) > 20
    assert kept_secret(tmp_path, BROWSER_KEY) == secret
    assert stat.S_IMODE((tmp_path / BROWSER_KEY).stat().st_mode) == 0o600

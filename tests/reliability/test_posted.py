"""What programs post to the page: files nobody sent, settings that are not theirs, values of any kind (C58, C59)."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from dialogue.composition import Composition
from dialogue.own_domains import OwnDomains
from dialogue.ui.request_guard import MOST_BYTES, NO_FILE, NO_JSON, TOO_LONG, UNKNOWN
from dialogue.ui.server import SENT, create_app
from pdgf.settings import Settings
from tests.browser.fake_conversations import DOMAINS, FakeConversations
from tests.dialogue.llm_cells import plain_model
from tests.dialogue.llm_town import open_llm_town
from tests.openai_server import FakeOpenAI
from tests.reliability.serving import Served, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

CANARY = "kanarienvogel"
META = {"_type": "gradio.FileData"}
REMOTE = "http://203.0.113.9/films.csv"  # an address for documentation: nobody is there
ODD: tuple[Any, ...] = (7, None, True, ["a"], {"a": [1]}, "x" * 50_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page keeps everything."""
    return tmp_path_factory.mktemp("posted")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page(folder: Path) -> AsyncIterator[Served]:
    """A page that takes files, of invented conversations."""

    async def recommend(text: str, domain: str, k: int) -> dict[str, Any]:
        return {"text": text, "domain": domain, "k": k}

    own = OwnDomains(Composition(settings=Settings(data_dir=folder)), folder, 1)
    conversations: Any = FakeConversations(pace=0)
    app = create_app(conversations, domains=DOMAINS, data_dir=folder, own=own, recommend=recommend)
    async with serving(app) as served:
        yield served


@pytest.fixture
def asked_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that Gradio has asked for by itself."""
    asked: list[str] = []

    async def note(url: str) -> None:
        asked.append(url)
        raise OSError("no network")

    monkeypatch.setattr("gradio.processing_utils.async_ssrf_protected_get", note)
    return asked


def kept(folder: Path) -> bytes:
    """Every byte of what was sent."""
    files = (path for path in (folder / SENT).rglob("*") if path.is_file() and not path.is_symlink())
    return b"".join(path.read_bytes() for path in files)


def not_sent(folder: Path) -> list[dict[str, Any]]:
    """Objects that look like files of this page and are none."""
    secret = folder / "secret.csv"
    secret.write_text(f"title,year\n{CANARY},1999\n")
    (folder / SENT / "link.csv").symlink_to(secret)
    places = [REMOTE, "https://203.0.113.9/a", "ftp://203.0.113.9/a", str(secret), f"file://{secret}", "../secret.csv"]
    places += [str(folder / SENT / ".." / "secret.csv"), str(folder / SENT / "link.csv"), "/etc/passwd", "a\0b"]
    places += [str(folder / SENT / "x.svg")]
    return [{"path": place, "url": REMOTE, "orig_name": "films.csv", "meta": META} for place in places]


async def test_c58_no_event_takes_an_address_or_a_path_for_a_file(
    page: Served, folder: Path, asked_for: list[str]
) -> None:
    files = not_sent(folder)
    assert len(page.events()) > 25
    for event in page.events():
        for given, sent in ((files[0], None), (None, {"value": files[3]}), ({"deep": [files]}, None)):
            assert NO_FILE in await page.answer(event, [given] * (1 + len(event["inputs"])), sent), event["api_name"]
    for name in ("chat", "recommend"):
        assert NO_FILE in await page.call(name, files[0], "", "")
    for file in files:
        event = page.event("add_file")
        assert NO_FILE in await page.answer(event, page.filled(event, **{"seen-file": file})), file["path"]
    for path in (REMOTE, str(folder / "secret.csv"), "../secret.csv"):
        assert (await page.client.get(f"/gradio_api/file={path}")).status_code in (403, 404)
    assert asked_for == []
    assert CANARY.encode() not in kept(folder)


async def test_a_file_that_was_sent_is_taken_and_is_kept_from_other_programs(page: Served, folder: Path) -> None:
    upload = {"files": ("films.csv", f"title,year,review\n{CANARY},1999,A quiet film.\n", "text/csv")}
    [path] = (await page.client.post("/gradio_api/upload", files=upload)).json()
    assert Path(path).is_relative_to(folder / SENT)
    assert (folder / SENT).stat().st_mode & 0o077 == 0
    event = page.event("take_in")
    file = {"path": path, "orig_name": "films.csv", "meta": META}
    answer = await page.answer(event, page.filled(event, **{"catalogue-file": file}))
    assert "process_completed" in answer
    assert CANARY in answer
    assert CANARY.encode() not in kept(folder)  # read once and deleted


async def test_what_is_no_request_is_refused_and_nothing_breaks(page: Served) -> None:
    deep = b'{"data":' + b"[" * 100_000
    for body, said in (
        (b"{", NO_JSON), (deep, NO_JSON), (b"[1]", NO_JSON), (b'{"data":[NaN]}', NO_JSON), (b"\xff\xfe", NO_JSON),
        (b'{"data":[' + b"9" * 5_000 + b"]}", NO_JSON), (b'{"data":[],"fn_index":99999}', UNKNOWN),
        (b'{"data":["' + b"x" * MOST_BYTES + b'"]}', TOO_LONG),
    ):  # fmt: skip
        for path in ("queue/join", "call/chat", "run/predict", "api/predict", "reset", "cancel"):
            answer = await page.client.post(
                f"/gradio_api/{path}", content=body, headers={"content-type": "application/json"}
            )
            assert 400 <= answer.status_code < 500, (path, body[:20])
            assert said in answer.text or path in ("reset", "cancel")
    assert (await page.client.get("/healthz")).status_code == 200


async def test_values_of_any_kind_end_an_event_and_break_no_other(page: Served) -> None:
    for place, event in enumerate(page.events()):
        odd = [ODD[(place + shift) % len(ODD)] for shift in range(len(event["inputs"]))]
        assert (await page.post(event, odd, {"say": odd[:1]})).status_code < 500, event["api_name"]
    for odd in ODD[:5]:
        assert "Traceback" not in await page.call("recommend", odd, odd, odd)
    assert "nothing to read" in await page.call("chat", ["a"], "", "", "")
    assert "I know no domain" in await page.call("chat", "hello", "", ["a"], "")
    assert json.loads((await page.call("recommend", "a quiet film", "", "ten")).split("data: ")[1])[0]["k"] == 10
    assert "The Lantern Road" in await page.call("chat", "a quiet film", "", "", "")


async def test_c59_settings_that_a_request_brings_along_are_nobodys(tmp_path: Path) -> None:
    with FakeOpenAI(plain_model) as model, FakeOpenAI(plain_model) as other:
        mine = {
            "base_url": other.base_url, "openai_base_url": other.base_url, "model": "other", "engine": "builtin",
            "command": f"touch {tmp_path}/ran", "path": str(tmp_path), "data_dir": str(tmp_path / "elsewhere"),
            "env": {"OPENAI_BASE_URL": other.base_url}, "settings": {"openai_base_url": other.base_url},
        }  # fmt: skip
        async with open_llm_town(tmp_path, model.base_url) as town:
            app = create_app(town.conversations, domains=[town.ports.domain], data_dir=tmp_path)
            async with serving(app) as page:
                said = await page.call("chat", "quiet ramen in Old Harbour", "", "", "", **mine)
                memory = {"owner": "ann", "domain": "restaurants", "threads": {}, "seconds": 10**9, **mine}
                event = page.event("say")
                data = page.filled(event, browserstate=memory, message="quiet ramen in Old Harbour")
                sent = {name: value for name, value in mine.items() if name != "path"}  # Gradio refuses it there
                shown = await page.answer(event, data, {"say": "", **sent}, **mine)
    assert "Lantern Room" in said
    assert "Lantern Room" in shown
    assert other.records == []
    assert {record.body["model"] for record in model.records} == {"town"}
    assert not (tmp_path / "ran").exists()

"""From settings to a language model: its address, what is said of wrong settings, who is asked, what is closed."""

from pathlib import Path
from typing import Any

import pytest

from dialogue.engines.switching import SwitchingDialogueAgent
from dialogue.language_model import DEFAULT_MODEL, LanguageModel, embedder_of, endpoint_of
from pdgf.engines.switching import SwitchingAgent
from pdgf.errors import ConfigInvalid, ModelRefused
from pdgf.llm.address import OPENAI
from pdgf.ports import RefinementRequest
from pdgf.settings import MethodConfig, Preset, Settings, preset_config
from pdgf.usage import Budget
from tests.dialogue.town import WORDS
from tests.fakes import ScriptedDialogueAgent, VocabularyAgent
from tests.openai_server import FakeOpenAI, Fault
from tests.openai_server.town_model import town_reply
from tests.pdgf.llm.scripted_model import ScriptedModel

KEY = "test-key-canary"
OWN_KEY = "test-key-of-embeddings"


def made(folder: Path = Path("unused"), **settings: Any) -> Settings:
    return Settings.model_validate({"data_dir": folder, **settings})


def test_a_key_alone_means_openai_and_its_default_model() -> None:
    endpoint = endpoint_of(made(openai_api_key=KEY))
    assert (endpoint.base_url, endpoint.model, endpoint.fast_model) == (OPENAI, DEFAULT_MODEL, None)
    assert endpoint.key == KEY


def test_an_address_alone_means_a_server_of_ones_own_without_a_key() -> None:
    endpoint = endpoint_of(made(openai_base_url="http://localhost:1234/v1", model="local"))
    assert (endpoint.base_url, endpoint.model, endpoint.api_key) == ("http://localhost:1234/v1", "local", None)


def test_every_setting_of_the_model_reaches_its_endpoint() -> None:
    endpoint = endpoint_of(
        made(
            openai_api_key=KEY,
            model="big",
            fast_model="small",
            llm_timeout=7.0,
            llm_retries=3,
            llm_requests_per_minute=11,
            llm_concurrency=2,
            llm_json_mode="tools",
            llm_disable_thinking=True,
            llm_prices={"big": (1.0, 2.0)},
        )
    )
    assert (endpoint.model, endpoint.fast_model, endpoint.timeout, endpoint.retries) == ("big", "small", 7.0, 3)
    assert (endpoint.requests_per_minute, endpoint.max_concurrency) == (11, 2)
    assert (endpoint.json_mode, endpoint.disable_thinking, endpoint.prices) == ("tools", True, {"big": (1.0, 2.0)})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "OPENAI_API_KEY, or OPENAI_BASE_URL"),
        ({"openai_base_url": "http://localhost:1"}, "PDGF_MODEL must name"),
        ({"openai_base_url": f"ftp://user:{KEY}@host/v1?code={KEY}", "model": "m"}, "OPENAI_BASE_URL must be an http"),
        ({"openai_base_url": f"http://{KEY}@host:99999999", "model": "m"}, "OPENAI_BASE_URL is not an address"),
        ({"openai_api_key": f"{KEY}é"}, "OPENAI_API_KEY holds characters"),
    ],
)
def test_wrong_settings_are_named_and_never_shown(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigInvalid) as raised:
        endpoint_of(made(**settings))
    assert said in str(raised.value)
    assert KEY not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.__cause__ is None  # pydantic's error is no part of what a log would show


def test_without_a_model_for_them_no_embeddings_are_asked_for() -> None:
    assert embedder_of(made(openai_api_key=KEY)) is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"embeddings_base_url": "ftp://host"}, "PDGF_EMBEDDINGS_BASE_URL must be an http"),
        ({"openai_base_url": "ftp://host"}, "OPENAI_BASE_URL must be an http"),
        ({"embeddings_api_key": "é"}, "PDGF_EMBEDDINGS_API_KEY holds"),
        ({"openai_api_key": "é"}, " OPENAI_API_KEY holds"),
    ],
)
def test_wrong_settings_of_the_embeddings_are_named_too(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigInvalid, match=said):
        embedder_of(made(embeddings_model="embed", **settings))


async def encoded(server: FakeOpenAI, **settings: Any) -> str | None:
    """The key that the server was shown."""
    embedder = embedder_of(made(embeddings_model="embed", **settings))
    assert embedder is not None
    assert (await embedder.encode(["a quiet room", "a quiet room"])).shape[0] == 2
    return server.all_records[-1].headers.get("authorization")


async def test_embeddings_come_from_the_address_of_the_model_with_its_key_or_from_their_own() -> None:
    async with FakeOpenAI(town_reply) as chat, FakeOpenAI(town_reply) as other:
        same = {"openai_base_url": chat.base_url, "openai_api_key": KEY}
        assert await encoded(chat, **same) == f"Bearer {KEY}"
        assert await encoded(chat, **same, embeddings_base_url=f"{chat.base_url}/embeddings") == f"Bearer {KEY}"
        own = {"embeddings_base_url": other.base_url, "embeddings_api_key": OWN_KEY}
        assert await encoded(other, **same, **own) == f"Bearer {OWN_KEY}"
        assert {record.path for record in (*chat.all_records, *other.all_records)} == {"/v1/embeddings"}


async def test_the_key_of_the_model_is_shown_to_no_other_host() -> None:
    async with FakeOpenAI(town_reply) as other:
        shown = await encoded(other, openai_api_key=KEY, embeddings_base_url=other.base_url)
    assert KEY not in str(shown)


def agents(model: LanguageModel, config: MethodConfig) -> tuple[Any, Any]:
    return model.agents(
        config, preferences=VocabularyAgent(WORDS), dialogue=ScriptedDialogueAgent(), titles=lambda: ["Lantern Room"]
    )


@pytest.mark.parametrize(("preset", "calls"), [(Preset.INTERACTIVE, 1), (Preset.PAPER, 3)])
async def test_the_preset_of_the_paper_never_shares_a_call(tmp_path: Path, preset: Preset, calls: int) -> None:
    async with FakeOpenAI(town_reply) as server:
        model = LanguageModel(made(tmp_path, openai_base_url=server.base_url, model="town"))
        preferences, dialogue = agents(model, preset_config(preset))
        assert isinstance(preferences, SwitchingAgent)
        assert isinstance(dialogue, SwitchingDialogueAgent)
        reading = await preferences.extract_nodes("quiet ramen in Old Harbour", (), preset_config(preset), Budget())
        before = len(server.records)
        await preferences.describe("quiet ramen", [RefinementRequest(node=node) for node in reading.nodes], Budget())
        assert len(server.records) - before == calls
        await model.close()


async def test_a_model_in_place_of_the_endpoint_is_asked_and_needs_no_settings(tmp_path: Path) -> None:
    instead = ScriptedModel("nothing", name="instead")
    model = LanguageModel(made(tmp_path), instead=instead)
    assert model.chat_model is instead
    assert await model.probe() == "instead"
    await model.close()


def holding(folder: Path, words: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and words in path.read_bytes()]


async def test_replies_of_a_conversation_are_forgotten_and_the_file_is_closed(tmp_path: Path) -> None:
    async with FakeOpenAI(town_reply) as server:
        model = LanguageModel(made(tmp_path, openai_base_url=server.base_url, model="town"))
        preferences, _ = agents(model, MethodConfig())
        for _ in range(2):
            await preferences.extract_nodes("quiet canarybird", (), MethodConfig(), Budget(scope="thread"))
        assert len(server.records) == 1
        await model.forget("thread")
        await preferences.extract_nodes("quiet canarybird", (), MethodConfig(), Budget(scope="thread"))
        assert len(server.records) == 2
        await model.forget("thread")
        await model.close()
    assert not holding(tmp_path, b"canarybird")


async def test_closing_hangs_up_the_connections_that_are_kept_open(tmp_path: Path) -> None:
    async with FakeOpenAI(town_reply) as server:
        model = LanguageModel(made(tmp_path, openai_base_url=server.base_url, model="town"))
        assert "town" in await model.probe()
        connections = server._connections
        assert len(connections) == 1
        await model.close()
        await server.until(lambda: not connections)
        assert "town" in await model.probe()  # it opens new ones
        await model.close()


async def test_a_probe_says_what_is_wrong(tmp_path: Path) -> None:
    async with FakeOpenAI(town_reply, faults=Fault.UNAUTHORIZED) as server:
        model = LanguageModel(made(tmp_path, openai_base_url=server.base_url, openai_api_key=KEY, model="town"))
        with pytest.raises(ModelRefused) as raised:
            await model.probe()
        await model.close()
    assert raised.value.why == "key"
    assert KEY not in str(raised.value)

"""The part of the composition that a language model needs: the endpoint, its replies on disk, who asks it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import ValidationError

from dialogue.engines.llm import LLMDialogueAgent
from dialogue.engines.switching import SwitchingDialogueAgent
from dialogue.ports import DialogueAgent
from pdgf.engines.llm import ONE_BY_ONE, Batching, LLMAgent
from pdgf.engines.llm_titles import LLMTitles
from pdgf.engines.switching import SwitchingAgent
from pdgf.errors import ConfigInvalid
from pdgf.llm.address import OPENAI
from pdgf.llm.calls import ChatModel
from pdgf.llm.embeddings import EmbeddingSettings, OpenAIEmbedder
from pdgf.llm.endpoint import EndpointSettings, OpenAIModel
from pdgf.llm.kept_prose import KeptProse
from pdgf.llm.kept_replies import KeptReplies
from pdgf.llm.limits import CommonPace
from pdgf.llm.reply_cache import ReplyCache
from pdgf.llm.structured import StructuredModel
from pdgf.ports import Embedder, PreferenceAgent, TitleProposer
from pdgf.settings import MethodConfig, Preset, Settings

DEFAULT_MODEL = "gpt-4.1-mini"  # at OpenAI's own address; elsewhere nobody can know what is served

# What serves a model whose calls cost money and seconds: a smaller pool, whole rounds, fewer items kept (DESIGN 5).
INTERACTIVE = {
    "catalogue_recall": 20,
    "label_rounds": "few_rounds",
    "layers_at_once": True,
    "ranked_ahead": 12,
    "max_evidence_chars": 1_200,
}


@dataclass
class LanguageModel:
    """The model of the settings, or another one in its place, shared by all domains and conversations. Its replies are
    kept in the data folder or in another place; `pace` holds for all processes together."""

    settings: Settings
    instead: ChatModel | None = None
    replies: KeptReplies | Path | None = None
    pace: CommonPace | None = None
    _model: ChatModel | None = field(init=False, default=None)
    _cache: ReplyCache = field(init=False)

    def __post_init__(self) -> None:
        self._cache = ReplyCache(self.replies or self.settings.data_dir / "replies")

    @property
    def chat_model(self) -> ChatModel:
        """Raises ConfigInvalid when address or model are missing or cannot be used."""
        if self._model is None:
            self._model = self.instead or OpenAIModel(endpoint_of(self.settings), common=self.pace)
        return self._model

    def agents(
        self,
        config: MethodConfig,
        *,
        preferences: PreferenceAgent,
        dialogue: DialogueAgent,
        titles: Callable[[], Iterable[str]],
    ) -> tuple[PreferenceAgent, DialogueAgent]:
        """Agents on the model, with those of the built-in engine in reserve. The preset `paper` never batches."""
        structured, prose = self.structured(), KeptProse(self.chat_model, self._cache)
        batching = ONE_BY_ONE if config.preset is Preset.PAPER else Batching()
        return (
            SwitchingAgent(model=LLMAgent(structured, reserve=preferences, batching=batching), reserve=preferences),
            SwitchingDialogueAgent(
                model=LLMDialogueAgent(structured, prose, reserve=dialogue, titles=titles), reserve=dialogue
            ),
        )

    def proposer(self) -> TitleProposer:
        """Who names titles to search the open web for. Raises ConfigInvalid as `chat_model` does."""
        return LLMTitles(self.structured())

    def structured(self) -> StructuredModel:
        """The model with its kept replies. Raises ConfigInvalid as `chat_model` does."""
        return StructuredModel(self.chat_model, self._cache)

    async def probe(self) -> str:
        """Ask the endpoint one small thing and say what it answers with. Raises ModelFailed and ConfigInvalid."""
        model = self.chat_model
        return await model.probe() if isinstance(model, OpenAIModel) else model.id

    async def forget(self, conversation: str) -> None:
        """Delete the replies that a conversation has left on disk."""
        await self._cache.forget(conversation)

    async def close(self) -> None:
        """Close the replies on disk and the connections of this event loop."""
        await self._cache.close()
        if isinstance(self._model, OpenAIModel):
            await self._model.aclose()


def endpoint_of(settings: Settings) -> EndpointSettings:
    """Address and models from the settings. Raises ConfigInvalid, naming what to set."""
    if settings.openai_api_key is None and settings.openai_base_url is None:
        raise ConfigInvalid("the engine llm needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own")
    if settings.model is None and settings.openai_base_url is not None:
        raise ConfigInvalid("PDGF_MODEL must name the model that the server at OPENAI_BASE_URL serves")
    try:
        return EndpointSettings.model_validate(
            {
                "base_url": settings.openai_base_url,
                "api_key": settings.openai_api_key,
                "model": settings.model or DEFAULT_MODEL,
                "fast_model": settings.fast_model,
                "timeout": settings.llm_timeout,
                "retries": settings.llm_retries,
                "requests_per_minute": settings.llm_requests_per_minute,
                "max_concurrency": settings.llm_concurrency,
                "json_mode": settings.llm_json_mode,
                "disable_thinking": settings.llm_disable_thinking,
                "prices": settings.llm_prices,
            }
        )
    except ValidationError as error:
        names = {"base_url": "OPENAI_BASE_URL", "api_key": "OPENAI_API_KEY", "model": "PDGF_MODEL"}
        raise ConfigInvalid(f"the language model cannot be asked: {_told(error, names)}") from None


def embedder_of(settings: Settings) -> Embedder | None:
    """The encoder of an embeddings endpoint; None where none is set. Raises ConfigInvalid.

    The key of the language model is for its own host: another one gets PDGF_EMBEDDINGS_API_KEY or none.
    """
    if settings.embeddings_model is None:
        return None
    address = settings.embeddings_base_url or settings.openai_base_url
    key = settings.embeddings_api_key
    if key is None and _host(address) == _host(settings.openai_base_url):
        key = settings.openai_api_key
    try:
        return OpenAIEmbedder(
            EmbeddingSettings.model_validate({"base_url": address, "api_key": key, "model": settings.embeddings_model})
        )
    except ValidationError as error:
        own = {"base_url": settings.embeddings_base_url, "api_key": settings.embeddings_api_key}
        names = {name: f"{'PDGF_EMBEDDINGS' if value else 'OPENAI'}_{name.upper()}" for name, value in own.items()}
        raise ConfigInvalid(f"the embeddings endpoint cannot be asked: {_told(error, names)}") from None


def _told(error: ValidationError, names: Mapping[str, str]) -> str:
    """What is wrong with which settings, never what they hold: that may be a secret."""
    problems = error.errors(include_input=False, include_url=False, include_context=False)
    told = (": ".join([*map(str, each["loc"]), each["msg"].removeprefix("Value error, ")]) for each in problems)
    return re.sub(rf"\b(?:{'|'.join(names)})\b", lambda field: names[field[0]], "; ".join(told))


def _host(address: str | None) -> str | None:
    """Host and port of an address, which a key belongs to."""
    url = OPENAI if address is None else address.strip()
    try:
        return urlsplit(url if "://" in url else f"http://{url}").netloc.rpartition("@")[2].casefold()
    except ValueError:
        return None

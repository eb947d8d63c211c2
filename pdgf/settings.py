"""The numbers of the method in one frozen object, and the settings of the environment.

`MethodConfig` is METHOD section 3: it is checked when made and printed with every result. `Settings` is what a
person sets in the environment or in `.env`.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pdgf.catalogues.bundled import BUNDLED
from pdgf.models import Label

ScoreMap = dict[Label, float]

DEFAULT_SCORE_MAP: ScoreMap = {
    Label.SUPPORT: 1.0,
    Label.PARTIAL: 0.5,
    Label.NOT_ADDRESSED: 0.1,
    Label.CONTRADICTS: 0.0,
}
MARGIN = 1e-9  # keeps the boundary of the safety condition itself out, whatever floating point does


class Preset(StrEnum):
    """`interactive` for chat; `paper` for faithful evaluation (METHOD 3)."""

    INTERACTIVE = "interactive"
    PAPER = "paper"


class MethodConfig(BaseModel):
    """Every number of the method. Raises ValueError for a map or gamma that fails the assertion of METHOD 3."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: Preset = Preset.INTERACTIVE
    gamma: float = Field(default=0.7, ge=0.0, le=1.0)
    score_map: ScoreMap = Field(default_factory=lambda: dict(DEFAULT_SCORE_MAP))
    allow_unsafe_map: bool = False
    aggregate: Literal["log_of_sum", "sum_of_logs"] = "log_of_sum"
    hard_contradiction: Literal["demote", "keep"] = "demote"
    year_rule: Literal["off", "explicit", "max_mentioned"] = "explicit"
    reuse: Literal["incremental", "exact"] = "incremental"
    lazy_labels: bool = True
    label_rounds: Literal["few_labels", "few_rounds"] = "few_labels"  # the same list; labels cost much or waiting does
    layers_at_once: bool = False  # whether one call may describe all layers, in topological order
    ranked_ahead: int = Field(default=24, ge=1)  # items that a chat ranks and keeps, so that "more" computes nothing
    max_nodes: int | None = Field(default=14, ge=1)
    skip_same_atom: bool = False
    catalogue_recall: int = Field(default=200, ge=1)  # items an edge of E+
    passages_per_record: int = Field(default=6, ge=1)  # pieces of one item that make up x at one node
    max_evidence_chars: int | None = Field(default=2_000, ge=1)  # |x|, cut at a sentence end
    chunk_size: int = Field(default=12_000, ge=1)  # characters
    chunk_overlap: int = Field(default=2_000, ge=0)  # characters
    max_page_chars: int = Field(default=200_000, ge=1)  # characters of extracted text; longer pages are dropped
    pages_per_node: int = Field(default=3, ge=1)
    results_per_query: int = Field(default=10, ge=1)
    page_choice: Literal["length", "rank"] = "length"
    exclude_social: bool = True
    known_titles: int = Field(default=0, ge=0)  # titles a turn that a model may propose to search for; 0: never asked
    verify_name_in_chunk: bool = True
    k_recommend: int = Field(default=10, ge=1)
    evidence_top_k: int = Field(default=3, ge=1)  # texts an item whose similarities are averaged (late fusion)
    qa_evidence: int = Field(default=3, ge=1)  # pieces an answer may quote

    @model_validator(mode="after")
    def _check_score_map(self) -> "MethodConfig":
        if set(self.score_map) != set(Label):
            raise ValueError("score_map needs exactly one value for each label")
        if not self.allow_unsafe_map:
            check_score_map(self.score_map, self.gamma)
        if self.chunk_overlap >= self.chunk_size:
            raise ValueError("chunk_overlap must be smaller than chunk_size")
        return self

    def printed(self) -> dict[str, Any]:
        """The config as JSON, to stand beside every result."""
        return self.model_dump(mode="json")


def check_score_map(score_map: ScoreMap, gamma: float) -> None:
    """Raise ValueError unless an endless chain of unaddressed comparisons stays below one partial match (METHOD 3)."""
    none, partial = score_map[Label.NOT_ADDRESSED], score_map[Label.PARTIAL]
    ordered = 0.0 == score_map[Label.CONTRADICTS] <= none < partial < score_map[Label.SUPPORT] <= 1.0
    if not ordered:
        raise ValueError("score_map must satisfy 0 = CONTRADICTS <= NOT_ADDRESSED < PARTIAL < SUPPORT <= 1")
    if gamma == 1.0 and none != 0.0:
        raise ValueError("gamma = 1 needs NOT_ADDRESSED = 0")
    if gamma < 1.0 and none > (1.0 - gamma) * partial - MARGIN:
        raise ValueError("NOT_ADDRESSED must stay below (1 - gamma) * PARTIAL")


def preset_config(preset: Preset, **overrides: Any) -> MethodConfig:
    """The config of a preset; `paper` turns off caps, demotion, reuse and lazy labelling."""
    paper: dict[str, Any] = {
        "reuse": "exact",
        "hard_contradiction": "keep",
        "year_rule": "off",
        "max_nodes": None,
        "max_evidence_chars": None,
        "verify_name_in_chunk": False,
        "lazy_labels": False,
    }
    return MethodConfig(preset=preset, **{**(paper if preset is Preset.PAPER else {}), **overrides})


def _empty_is_unset(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _default_data_dir() -> Path:
    return Path(platformdirs.user_data_dir("pdgf", appauthor=False))


NONE = "none"  # no bundled catalogue is offered, only what the user has indexed


def _bundled_names(value: Any) -> Any:
    """The names of bundled catalogues from a list with commas. Raises ValueError for a name that is none."""
    if not isinstance(value, str):
        return value
    names = tuple(dict.fromkeys(filter(None, (name.strip().casefold() for name in value.split(",")))))
    if names == (NONE,):
        return ()
    if unknown := [name for name in names if name not in BUNDLED]:
        known = f"there are {', '.join(BUNDLED)}; or {NONE} alone"
        raise ValueError(
            f"{unknown[0]!r} is no bundled catalogue beside others: {known}"
            if unknown == [NONE]
            else f"{unknown[0]!r} is no bundled catalogue: {known}"
        )
    return names or BUNDLED


OptionalText = Annotated[str | None, BeforeValidator(_empty_is_unset)]
OptionalSecret = Annotated[SecretStr | None, BeforeValidator(_empty_is_unset)]


class Allowance(BaseModel):
    """What may be asked for by a conversation, or in a day by a visitor or by all; None: as much as there is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: int | None = Field(default=None, ge=0)
    cost: float | None = Field(default=None, ge=0.0, allow_inf_nan=False)  # US dollars
    searches: int | None = Field(default=None, ge=0)
    pages: int | None = Field(default=None, ge=0)


Price = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]


class Settings(BaseSettings):
    """What the environment or `.env` sets; an empty value counts as unset. `.env.example` documents each."""

    model_config = SettingsConfigDict(
        env_prefix="PDGF_", env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True
    )

    data_dir: Path = Field(default_factory=_default_data_dir)
    database_url: OptionalSecret = None  # of a Postgres that several processes share; default: files of the data folder
    database_connections: int = Field(default=10, ge=2, le=1_000)  # to it at once, of this process
    keep_days: float | None = Field(default=None, gt=0, le=36_500)  # a conversation after its last turn; None: for good
    log_format: Literal["text", "json"] = "text"
    engine: Literal["builtin", "llm"] | None = None  # default: llm where a key or an address is set
    source: Literal["catalogue", "web", "both"] = "catalogue"
    bundled: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_bundled_names)] = BUNDLED  # those that are offered
    embedder: OptionalText = None  # a folder with a sentence-transformers model; default: the packaged MiniLM
    budget_seconds: float = Field(default=90.0, gt=0)  # one catalogue turn
    budget_agent_calls: int = Field(default=400, gt=0)  # one turn
    budget_tokens: int | None = Field(default=None, gt=0)  # one turn, in and out
    budget_cost: float | None = Field(default=None, gt=0)  # one turn, US dollars
    budget_searches: int = Field(default=60, gt=0)  # one turn on the web
    budget_pages: int = Field(default=150, gt=0)  # one turn on the web
    allowance_conversation: Allowance = Allowance(tokens=10_000_000, searches=2_000, pages=5_000)
    allowance_visitor: Allowance = Allowance(tokens=20_000_000, searches=4_000, pages=10_000)  # a day
    allowance_day: Allowance = Allowance(tokens=200_000_000, searches=40_000, pages=100_000)  # of all visitors
    known_titles: int = Field(default=0, ge=0, le=30)  # one turn on the web with a language model; 0: never asked
    serper_api_key: OptionalSecret = Field(default=None, validation_alias="SERPER_API_KEY")
    serper_base_url: OptionalText = Field(default=None, validation_alias="SERPER_BASE_URL")
    searxng_url: OptionalText = Field(default=None, validation_alias="SEARXNG_URL")
    respect_robots: bool = True
    allow_hosts: OptionalText = None  # host:port pairs, with commas, that pages may come from although private
    openai_api_key: OptionalSecret = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_base_url: OptionalText = Field(default=None, validation_alias="OPENAI_BASE_URL")
    model: OptionalText = None
    fast_model: OptionalText = None  # for many small judgements; default: the same model
    llm_timeout: float = Field(default=60.0, gt=0)  # seconds, one request
    llm_retries: int = Field(default=2, ge=0, le=10)
    llm_requests_per_minute: int = Field(default=300, ge=0)  # of all processes together; 0: no limit
    llm_concurrency: int = Field(default=8, ge=1)  # requests at once, of this process
    llm_json_mode: Literal["auto", "json_schema", "json_object", "tools", "prompt"] = "auto"
    llm_disable_thinking: bool = False
    llm_prices: dict[str, tuple[Price, Price]] = Field(default_factory=dict)  # dollars a million tokens, in and out
    embeddings_model: OptionalText = None  # an embeddings endpoint instead of the packaged MiniLM
    embeddings_base_url: OptionalText = None  # default: OPENAI_BASE_URL
    embeddings_api_key: OptionalSecret = None  # default: OPENAI_API_KEY, for the same host
    max_message_chars: int = Field(default=20_000, gt=0)
    auth: OptionalSecret = None  # name:password pairs, with commas: who may use the page; default: everybody
    mcp: bool = False  # whether programs find the page's endpoints as MCP tools too; needs the extra of that name
    max_upload_mb: int = Field(default=20, gt=0, le=1000)  # megabytes of one file sent through the page

    @property
    def engine_name(self) -> Literal["builtin", "llm"]:
        """The engine that is set, or else llm where a key or an address of a model is, or else builtin."""
        named = self.openai_api_key is not None or self.openai_base_url is not None
        return self.engine or ("llm" if named else "builtin")

"""The numbers of the method (METHOD 3)."""

import pytest
from pydantic import ValidationError

from pdgf.models import Label
from pdgf.settings import DEFAULT_SCORE_MAP, MethodConfig, Preset, Settings, preset_config


def config(*, gamma: float = 0.7, **changes: float) -> MethodConfig:
    return MethodConfig(gamma=gamma, score_map=DEFAULT_SCORE_MAP | {Label(name): s for name, s in changes.items()})


def test_the_map_must_keep_irrelevance_below_one_partial_match() -> None:
    """T16: .1 < (1 - .7) * .5 = .15, and .15 itself is out."""
    assert config(NOT_ADDRESSED=0.1, PARTIAL=0.5).gamma == 0.7
    with pytest.raises(ValidationError, match="must stay below"):
        config(NOT_ADDRESSED=0.15)


def test_without_discount_irrelevance_must_be_worth_nothing() -> None:
    """T16."""
    with pytest.raises(ValidationError, match="gamma = 1"):
        config(gamma=1.0, NOT_ADDRESSED=0.1)
    assert config(gamma=1.0, NOT_ADDRESSED=0.0).score_map[Label.NOT_ADDRESSED] == 0


@pytest.mark.parametrize(
    "changes",
    [{"CONTRADICTS": 0.05}, {"PARTIAL": 1.0}, {"SUPPORT": 1.1}, {"NOT_ADDRESSED": -0.1}, {"PARTIAL": 0.1}],
)
def test_the_values_must_stand_in_their_order(changes: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="score_map must satisfy"):
        config(**changes)


def test_an_unsafe_map_needs_to_be_allowed_and_every_map_every_label() -> None:
    binary = {Label.SUPPORT: 1.0, Label.PARTIAL: 1.0, Label.NOT_ADDRESSED: 0.0, Label.CONTRADICTS: 0.0}
    assert MethodConfig(score_map=binary, allow_unsafe_map=True).score_map == binary
    with pytest.raises(ValidationError, match="each label"):
        MethodConfig(score_map={Label.SUPPORT: 1.0}, allow_unsafe_map=True)


@pytest.mark.parametrize("wrong", [{"gamma": 1.1}, {"gamma": -0.1}, {"chunk_overlap": 12_000}, {"no_such": 1}])
def test_settings_outside_their_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        MethodConfig.model_validate(wrong)


def test_the_paper_preset_is_faithful_and_printed() -> None:
    printed = preset_config(Preset.PAPER, year_rule="max_mentioned").printed()
    assert printed["hard_contradiction"] == "keep"
    assert printed["reuse"] == "exact"
    assert printed["year_rule"] == "max_mentioned"
    assert printed["lazy_labels"] is False
    assert printed["score_map"] == {"SUPPORT": 1.0, "PARTIAL": 0.5, "NOT_ADDRESSED": 0.1, "CONTRADICTS": 0.0}
    assert printed["gamma"] == 0.7


@pytest.mark.parametrize(
    ("environment", "engine"),
    [
        ({}, "builtin"),
        ({"OPENAI_API_KEY": "test-key"}, "llm"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, "llm"),
        ({"OPENAI_API_KEY": ""}, "builtin"),
        ({"OPENAI_API_KEY": "test-key", "PDGF_ENGINE": "builtin"}, "builtin"),
        ({"PDGF_ENGINE": "llm"}, "llm"),
    ],
)
def test_a_key_or_an_address_makes_the_model_the_engine_unless_another_is_chosen(
    environment: dict[str, str], engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Settings().engine_name == engine


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key-canary")
    assert "canary" not in f"{Settings()!r} {Settings().model_dump_json()}"

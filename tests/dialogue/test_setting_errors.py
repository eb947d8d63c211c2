"""What is wrong with a setting is said with the name that the environment has for it, and never with its value."""

from pathlib import Path

import pytest

from dialogue.setting_errors import misspelled, setting_error
from pdgf.settings import Settings


def said(monkeypatch: pytest.MonkeyPatch, **variables: str) -> str:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValueError) as refused:  # noqa: PT011 whichever kind it is
        Settings()
    return setting_error(refused.value)


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("PDGF_KEEP_DAYS", "soon", "PDGF_KEEP_DAYS must be a number"),
        ("PDGF_KEEP_DAYS", "-3", "PDGF_KEEP_DAYS must be more than 0"),
        ("PDGF_KEEP_DAYS", "1e9", "PDGF_KEEP_DAYS must be at most 36500"),
        ("PDGF_BUDGET_SEARCHES", "2.5", "PDGF_BUDGET_SEARCHES must be a whole number"),
        ("PDGF_DATABASE_CONNECTIONS", "1", "PDGF_DATABASE_CONNECTIONS must be at least 2"),
        ("PDGF_ENGINE", "gpt", "PDGF_ENGINE must be 'builtin' or 'llm'"),
        ("PDGF_MCP", "perhaps", "PDGF_MCP must be true or false"),
        ("PDGF_LLM_PRICES", "[1]", "PDGF_LLM_PRICES is not in the form it needs: .env.example shows that"),
        ("PDGF_ALLOWANCE_DAY", "ten", "PDGF_ALLOWANCE_DAY is not in the form it needs: .env.example shows that"),
        ("PDGF_ALLOWANCE_DAY", '{"tokens": -1}', "PDGF_ALLOWANCE_DAY (tokens) must be at least 0"),
        ("PDGF_ALLOWANCE_DAY", '{"turns": 1}', "PDGF_ALLOWANCE_DAY (turns) is not known"),
        ("PDGF_BUNDLED", "films", "PDGF_BUNDLED: 'films' is no bundled catalogue: there are movies, books, anime, "
         "restaurants; or none alone"),
    ],
)  # fmt: skip
def test_what_a_setting_must_be_is_said_in_words(
    variable: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(monkeypatch, **{variable: value}) == sentence


NUMBERS = [
    name for name, field in Settings.model_fields.items() if field.annotation in (int, float, bool, float | None)
]


@pytest.mark.parametrize("field", NUMBERS)
def test_no_value_is_repeated(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = said(monkeypatch, **{f"PDGF_{field.upper()}": "sk-secret"})
    assert sentence.startswith(f"PDGF_{field.upper()} must be ")
    assert "secret" not in sentence


def test_a_setting_that_others_know_too_is_called_as_they_call_it() -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 as above
        Settings(SERPER_API_KEY=["one", "two"])
    assert setting_error(refused.value).startswith("SERPER_API_KEY")


def test_a_name_that_is_nearly_a_setting_is_told_with_the_setting_that_is_meant(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PDGF_EMBEDER", "minilm")
    monkeypatch.setenv("PDGF_DATABASE_PASSWORD", "is compose's own")
    monkeypatch.setenv("PDGF_ENGINE", "builtin")
    monkeypatch.setenv("PATH_OF_MINE", "/")
    (tmp_path / ".env").write_text("OPEN_AI_API_KEY=sk-1\nPDGF_SOURCE=catalogue\n")
    assert misspelled() == {"PDGF_EMBEDER": "PDGF_EMBEDDER", "OPEN_AI_API_KEY": "OPENAI_API_KEY"}

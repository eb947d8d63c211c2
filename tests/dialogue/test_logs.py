"""What the log says, and that neither words of users nor secrets are in it."""

import io
import json
import logging
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, SecretStr, ValidationError

from dialogue.logs import HIDDEN, SafeFormatter, secrets_of
from pdgf.errors import StoreUnavailable
from pdgf.settings import Settings

SAID = "my private words"


class Strict(BaseModel):
    number: int


@pytest.fixture(params=["text", "json"])
def logger(request: pytest.FixtureRequest) -> tuple[logging.Logger, io.StringIO]:
    kind: Literal["text", "json"] = request.param
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(SafeFormatter(kind, ("sk-very-secret", "very-secret-too", "abc")))
    made = logging.Logger("pdgf.tried")
    made.addHandler(handler)
    return made, told


def fail(kind: str) -> None:
    if kind == "validation":
        Strict.model_validate({"number": SAID})
    if kind == "chained":
        try:
            fail("validation")
        except ValidationError as error:
            raise StoreUnavailable(f"cannot keep {SAID}") from error
    raise ValueError(SAID)


@pytest.mark.parametrize("kind", ["plain", "validation", "chained"])
def test_an_unforeseen_error_is_told_by_kind_and_place_and_never_by_its_words(
    logger: tuple[logging.Logger, io.StringIO], kind: str
) -> None:
    log, told = logger
    try:
        fail(kind)
    except (ValueError, StoreUnavailable):
        log.exception("a turn ended without a result")
    line = told.getvalue()
    assert "a turn ended without a result" in line
    assert "test_logs.py" in line
    assert {"plain": "ValueError", "validation": "ValidationError", "chained": "StoreUnavailable"}[kind] in line
    assert SAID not in line


def test_what_led_to_an_error_is_told_too(logger: tuple[logging.Logger, io.StringIO]) -> None:
    log, told = logger
    try:
        fail("chained")
    except StoreUnavailable:
        log.exception("no")
    assert "after ValidationError at" in told.getvalue()


def test_secrets_are_left_out_and_short_words_are_none(logger: tuple[logging.Logger, io.StringIO]) -> None:
    log, told = logger
    log.warning("asked with %s and %s by abc", "sk-very-secret", "very-secret-too")
    assert f"asked with {HIDDEN} and {HIDDEN} by abc" in told.getvalue()
    assert "secret" not in told.getvalue()


def test_json_is_one_object_a_line_with_its_numbers() -> None:
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(SafeFormatter("json"))
    log = logging.Logger("pdgf.tried")
    log.addHandler(handler)
    log.info("turn", extra={"numbers": {"seconds": 0.25, "ending": "finished"}})
    log.warning("two\nlines")
    first, second = map(json.loads, told.getvalue().splitlines())
    assert first["message"] == "turn"
    assert (first["seconds"], first["ending"], first["level"]) == (0.25, "finished", "INFO")
    assert second["message"] == "two\nlines"
    assert first["time"].endswith("Z")


def test_every_secret_of_the_settings_is_known_and_the_passwords_within_them(tmp_path: Path) -> None:
    made = Settings.model_validate(
        {
            "data_dir": tmp_path,
            "database_url": "postgresql://ann:db-password@h/d",
            "openai_api_key": "sk-key",
            "auth": "ann:page-password, bob:other-password",
        }
    )
    found = set(secrets_of(made))
    assert {"db-password", "sk-key", "page-password", "other-password"} <= found
    held = [getattr(made, name) for name in Settings.model_fields]
    assert {value.get_secret_value() for value in held if isinstance(value, SecretStr)} <= found

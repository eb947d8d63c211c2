"""What failures mean, from the words of real servers, and that no secret is left in what is told."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.errors import ModelFailed, PromptTooLong, ReplyUnusable
from pdgf.llm.faults import DETAIL_CHARS, CallFault, Kind, judged, redacted, seconds_asked, told


def why(status: int, message: str = "", code: str = "") -> str:
    error = judged(CallFault(Kind.STATUS, message, status=status, code=code), ()).error
    return error.why if isinstance(error, ModelFailed) else type(error).__name__


@pytest.mark.parametrize(
    ("status", "message", "meaning"),
    [
        (401, "Invalid token", "key"),
        (400, "API key not valid. Please pass a valid API key.", "key"),
        (403, "Country, region, or territory not supported", "refused"),
        (402, "This request requires more credits", "credit"),
        (429, "You exceeded your current quota, please check your plan and billing details", "credit"),
        (403, "Your account has insufficient balance", "credit"),
        (429, "Rate limit reached for requests", "busy"),
        (404, "model 'llama9' not found, try pulling it first", "model"),
        (404, "The API deployment for this resource does not exist", "model"),
        (400, "Model Not Exist", "model"),
        (400, "No models loaded. Please load a model in the developer page.", "model"),
        (404, "page not found", "no_api"),
        (405, "", "no_api"),
        (301, "", "no_api"),
        (500, "", "unreachable"),
        (502, "Bad Gateway", "unreachable"),
        (504, "", "timeout"),
        (408, "", "timeout"),
        (409, "", "busy"),
        (529, "Overloaded", "busy"),
        (418, "", "refused"),
        (413, "", "PromptTooLong"),
        (400, "the request exceeds the available context size, try increasing it", "PromptTooLong"),
        (400, "Please reduce the length of the messages or completion.", "PromptTooLong"),
        (400, "'max_tokens' is too large: 9000. This model's maximum context length is 8192 tokens", "PromptTooLong"),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", "PromptTooLong"),
        (400, "The response was filtered due to the prompt triggering content management policy", "ReplyUnusable"),
        (403, "Your input was flagged by moderation", "ReplyUnusable"),
    ],
)
def test_a_status_and_its_words_have_one_meaning(status: int, message: str, meaning: str) -> None:
    assert why(status, message) == meaning


def test_only_what_may_pass_is_tried_again() -> None:
    passing = {status for status in range(300, 600) if judged(CallFault(Kind.STATUS, status=status), ()).retry}
    assert passing == {408, 409, 429} | set(range(500, 600))
    assert all(judged(CallFault(kind), ()).retry for kind in set(Kind) - {Kind.STATUS})


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-4", 0.0), ("soon", None), ("nan", None), ("", None), (None, None)],
)
def test_a_wait_is_read_from_its_header(header: str | None, seconds: float | None) -> None:
    assert seconds_asked(header) == seconds


def test_a_wait_may_be_given_as_a_date() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=100)
    asked = seconds_asked(format_datetime(soon, usegmt=True))
    assert asked is not None
    assert 90.0 < asked <= 100.0
    assert seconds_asked("Mon, 01 Jan 2024 00:00:00 GMT") == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abc***wxyz.",
        "header 'Authorization: Bearer abcDEF123456'",
        "basic dXNlcjpwYXNz was refused",
        "key gsk_0123456789 is no good",
    ],
)
def test_whatever_looks_like_a_key_is_taken_out(text: str) -> None:
    cleaned = redacted(text)
    assert "***" in cleaned
    assert not any(word in cleaned for word in ("wxyz", "abcDEF123456", "dXNlcjpwYXNz", "0123456789"))


@given(st.text(max_size=300), st.text(min_size=4, max_size=20, alphabet="abcdef0123456789"), st.text(max_size=300))
def test_a_known_secret_is_never_told(before: str, secret: str, after: str) -> None:
    detail = redacted(before + secret + after, [secret])
    assert secret not in detail
    assert len(detail) <= DETAIL_CHARS
    assert "\n" not in detail


def test_a_secret_at_the_cut_is_not_told_in_part() -> None:
    assert "canary" not in redacted("x" * (DETAIL_CHARS - 10) + "canary-0123456789", ["canary-0123456789"])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "no", "code": 400}}, "no"),
        ({"error": "no"}, "no"),
        ({"message": "no", "object": "error"}, "no"),
        ({"detail": "no"}, "no"),
        ({"detail": [{"loc": ["body", "n"], "msg": "no", "input": "words of a user"}]}, "body.n: no"),
        ("<html><head><title>x</title></head><body>no</body></html>", "no"),
        (None, ""),
        ([1, 2], ""),
        ({"error": {"message": {"words": "of a user"}}}, ""),
    ],
)
def test_the_message_is_found_in_every_shape_of_error_and_nothing_else_is_told(body: object, message: str) -> None:
    assert told(body)[0].strip() == message


def test_errors_are_of_the_steps_or_of_the_model() -> None:
    assert isinstance(judged(CallFault(Kind.STATUS, "n_ctx", status=400), ()).error, PromptTooLong)
    assert isinstance(judged(CallFault(Kind.STATUS, "content policy", status=400), ()).error, ReplyUnusable)

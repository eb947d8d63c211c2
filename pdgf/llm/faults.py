"""What a failed request means: a plain description of the failure -> a typed error and whether to try again."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from math import isfinite
from typing import Any

from pdgf.errors import ModelRefused, ModelUnreachable, PdgfError, PromptTooLong, ReplyUnusable

DETAIL_CHARS = 200
_READ_CHARS = 4_000  # of what a server says about a failure
_SHORTEST_SECRET = 4  # characters; shorter ones would blot out ordinary words

_TOKEN_LIKE = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|lsv2)[-_][\w\-*.…]{3,}|\b(?:Bearer|Basic)\s+[^\s\"',;]+", re.IGNORECASE
)
_MARKUP = re.compile(r"<(?:style|script|head)\b.*?</(?:style|script|head)>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_CONTEXT = re.compile(
    r"context.?(?:length|window|size)|maximum context|(?:prompt|input).{0,20} too long|too many (?:input )?tokens"
    r"|tokens? exceed|exceeds? .{0,40}context|reduce the length|n_ctx"
)
_POLICY = re.compile(
    r"content.?(?:filter|policy|management)|responsible.?ai|safety (?:system|policy)|moderation|data.?inspection"
    r"|inappropriate content"
)
_CREDIT = re.compile(r"insufficient.{0,3}(?:quota|balance|credit|funds)|credit|billing|payment|arrear|余额|欠费")
_MODEL = re.compile(
    r"model_?not_?found|models?\b.{0,80}?(?:not found|n[o']t exist)"
    r"|(?:unknown|no such|invalid) model\b(?!.{0,3}param)|no models? loaded|模型不存在"
)
_KEY = re.compile(
    r"(?:invalid|incorrect|wrong|missing|expired).{0,30}api.?key|api.?key.{0,30}(?:valid|missing|expired|incorrect)"
)
_PLACE = re.compile(r"country|region|territory|unsupported_country")


class Kind(StrEnum):
    """At what point a request failed."""

    STATUS = "status"  # the server answered with a status of failure, or with an error in place of a reply
    CONNECT = "connect"  # no connection, or it broke
    TIMEOUT = "timeout"
    NOT_API = "not_api"  # an answer that no completion API gives
    CUT = "cut"  # a stream that stopped before its finish mark


class CallFault(Exception):
    """One failed request in plain facts. It never leaves this package: `judged` makes an error of it."""

    def __init__(
        self,
        kind: Kind,
        message: str = "",
        *,
        status: int = 0,
        code: str = "",
        param: str = "",
        retry_after: str | None = None,
    ) -> None:
        super().__init__(kind.value)
        self.kind = kind
        self.message = message
        self.status = status
        self.code = code
        self.param = param
        self.retry_after = retry_after

    @property
    def words(self) -> str:
        """Everything that the server said, in small letters."""
        return f"{self.code} {self.param} {self.message}".casefold()


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The error that a fault is unless a further try succeeds, and the seconds the server asked to wait."""

    error: PdgfError
    retry: bool = False
    wait: float | None = None


def judged(fault: CallFault, secrets: Sequence[str]) -> Verdict:
    """What a fault means to the caller. The detail holds the server's words without secrets, cut short."""
    detail = redacted(fault.message, secrets)
    if fault.kind is Kind.STATUS:
        return _judged_by_status(fault, detail)
    why = {Kind.CONNECT: "unreachable", Kind.CUT: "unreachable", Kind.TIMEOUT: "timeout", Kind.NOT_API: "no_api"}
    return Verdict(error=ModelUnreachable(why[fault.kind], detail), retry=True)


def _judged_by_status(fault: CallFault, detail: str) -> Verdict:
    status, words = fault.status, fault.words
    if status == 413 or (status in (400, 422, 500) and _CONTEXT.search(words)):
        return Verdict(error=PromptTooLong(detail))
    if status in (400, 403, 422) and _POLICY.search(words):
        return Verdict(error=ReplyUnusable(f"refused by the provider's content policy: {detail}"))
    if status == 402 or (status in (403, 429) and _CREDIT.search(words)):
        return Verdict(error=ModelRefused("credit", detail))
    if status in (400, 403, 404, 422) and _names_missing_model(fault):
        return Verdict(error=ModelRefused("model", detail))
    if status == 401 or (status in (400, 403) and _KEY.search(words)):
        return Verdict(error=ModelRefused("key", detail))
    if status == 403:
        return Verdict(error=ModelRefused("refused" if _PLACE.search(words) else "key", detail))
    wait = seconds_asked(fault.retry_after)
    if status in (409, 429, 503, 529):
        return Verdict(error=ModelUnreachable("busy", detail), retry=True, wait=wait)
    if status in (408, 504):
        return Verdict(error=ModelUnreachable("timeout", detail), retry=True, wait=wait)
    if status >= 500:
        told = f"status {status}: {detail}" if detail else f"status {status}"
        return Verdict(error=ModelUnreachable("unreachable", told), retry=True, wait=wait)
    if status in (404, 405) or 300 <= status < 400:  # a wrong path: nothing there speaks this API
        return Verdict(error=ModelUnreachable("no_api", f"status {status}: {detail}" if detail else f"status {status}"))
    return Verdict(error=ModelRefused("refused", detail or f"status {status}"))


def _names_missing_model(fault: CallFault) -> bool:
    """A 404 about a model or deployment names the model; one about a path does not."""
    if fault.status == 404:
        return re.search(r"model|deployment", fault.words) is not None
    return _MODEL.search(fault.words) is not None


def seconds_asked(retry_after: str | None) -> float | None:
    """The seconds of a Retry-After header, given as seconds or as a date; None when there is none to be read."""
    if not retry_after:
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            moment = parsedate_to_datetime(retry_after)
        except ValueError:
            return None
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if isfinite(seconds) else None


def status_in(code: str) -> int:
    """The status that an error states where its answer has none of its own; 500 when it states none."""
    number = re.search(r"\b[45]\d\d\b", code)
    return int(number.group()) if number else 500


def redacted(text: str, secrets: Sequence[str] = ()) -> str:
    """The text on one line without the given secrets and without whatever looks like a key, at most 200 characters."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "***")
    text = " ".join(_TOKEN_LIKE.sub("***", text).encode("utf-8", "replace").decode("utf-8").split())
    return text if len(text) <= DETAIL_CHARS else text[: DETAIL_CHARS - 1] + "…"


def told(body: Any) -> tuple[str, str, str]:
    """Message, code and parameter of an error body, in any of the shapes that servers use. Only what the server says
    is taken, never the request it repeats."""
    if isinstance(body, Mapping) and isinstance(body.get("error"), Mapping | str):
        body = body["error"]
    if isinstance(body, str):  # often a page of HTML from something on the way
        return _MARKUP.sub(" ", body[:_READ_CHARS]), "", ""
    if not isinstance(body, Mapping):
        return "", "", ""
    message = body.get("message") or body.get("msg") or body.get("detail") or ""
    if isinstance(message, list):  # FastAPI: one entry a field, each with what was sent
        entries = [entry for entry in message if isinstance(entry, Mapping)]
        places = [".".join(map(str, entry.get("loc") or ())) for entry in entries]
        message = "; ".join(f"{place}: {entry.get('msg', '')}" for place, entry in zip(places, entries, strict=True))
    codes = [body.get("code"), body.get("type")]
    return (
        message[:_READ_CHARS] if isinstance(message, str) else "",
        " ".join(str(code) for code in codes if isinstance(code, str | int)),
        str(body.get("param") or ""),
    )

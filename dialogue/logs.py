"""What the log says, and what it never does: words of users, and secrets.

An error that nobody foresaw is told by its kind and by the places it went through, without its message: that may hold
what a user has written, or an address with a password.
"""

import json
import logging
import time
import traceback
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Literal

from pydantic import SecretStr

from pdgf.settings import Settings

SHORTEST = 4  # characters of a secret that can be told from ordinary words
HIDDEN = "***"
QUIET = ("httpx", "httpcore", "uvicorn.access")  # they would tell addresses that are asked for


class SafeFormatter(logging.Formatter):
    """One line a record, as text or as JSON; an error adds its kind and places. `secrets` are left out."""

    def __init__(self, style: Literal["text", "json"], secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._json = style == "json"
        self._secrets = sorted((secret for secret in secrets if len(secret) >= SHORTEST), key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        row = {"level": record.levelname, "logger": record.name, "message": self._hidden(record.getMessage())}
        if record.exc_info and record.exc_info[0] is not None:
            row["error"] = self._hidden(told(record.exc_info[1], record.exc_info[0], record.exc_info[2]))
        numbers = getattr(record, "numbers", {})
        if self._json:
            at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
            return json.dumps({"time": at, **row, **numbers}, ensure_ascii=False, default=str)
        more = "".join(f" {name}={value}" for name, value in numbers.items())
        line = f"{row['level']} {row['logger']}: {row['message']}{more}".replace("\n", " ")
        return f"{line}\n  {row['error']}" if "error" in row else line

    def _hidden(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text


def told(error: BaseException | None, kind: type[BaseException], trace: TracebackType | None) -> str:
    """An error without its message: its kind, where it was raised, and the same of what led to it."""
    places = [
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)
    ]
    line = f"{kind.__name__} at {' > '.join(places) or 'an unknown place'}"
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__) if error else None
    return f"{line}; after {told(before, type(before), before.__traceback__)}" if before else line


def secrets_of(settings: Settings) -> Iterator[str]:
    """Every secret that the settings hold, and the passwords within them."""
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            secret = value.get_secret_value()
            yield secret
            if "://" in secret:  # an address: the password alone too
                yield secret.partition("://")[2].rpartition("@")[0].partition(":")[2]
            if name == "auth":
                yield from (pair.partition(":")[2].strip() for pair in secret.split(","))


def begin(settings: Settings) -> None:
    """Let this process log as the settings say."""
    handler = logging.StreamHandler()
    handler.setFormatter(SafeFormatter(settings.log_format, tuple(secrets_of(settings))))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)

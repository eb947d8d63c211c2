"""Where an OpenAI-compatible server answers and what opens it, with every secret kept apart from what is shown."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from pydantic import ConfigDict, SecretStr, model_validator

from pdgf.models import Value

OPENAI = "https://api.openai.com/v1"
NO_KEY = "not-needed"  # local servers take any key, the client demands one
_ENDPOINTS = ("/chat/completions", "/embeddings", "/models")  # pasted with the address by mistake


class Address(Value):
    """A base URL and its key. A login or query inside the URL is moved out of it, so that the URL can be shown.

    Raises pydantic's ValidationError, without the input in its text, for anything but an http or https address.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    base_url: str = OPENAI
    api_key: SecretStr | None = None
    url_login: SecretStr | None = None
    url_query: SecretStr | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_secrets_in_the_url(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        fields = {name: value for name, value in data.items() if value not in ("", None)}
        url = str(fields.get("base_url", OPENAI)).strip()
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            port = f":{parts.port}" if parts.port is not None else ""
        except ValueError:
            raise ValueError("base_url is not an address") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("base_url must be an http:// or https:// address")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        path = parts.path.rstrip("/")
        for endpoint in _ENDPOINTS:
            path = path.removesuffix(endpoint)
        fields["base_url"] = urlunsplit((parts.scheme, host + port, path, "", ""))
        key = fields.get("api_key")
        if key is not None:
            key = (key.get_secret_value() if isinstance(key, SecretStr) else str(key)).strip()
            if not (key.isascii() and key.isprintable()):
                raise ValueError("api_key holds characters that no request can carry")
            fields["api_key"] = key or None
        if parts.username:
            fields["url_login"] = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        if parts.query:
            fields["url_query"] = parts.query
        return fields

    @property
    def place(self) -> str:
        """Host, port and path: what names the server in words and in cache keys."""
        return self.base_url.split("://", 1)[1]

    @property
    def key(self) -> str:
        return self.api_key.get_secret_value() if self.api_key is not None else NO_KEY

    @property
    def login(self) -> tuple[str, str] | None:
        """User and password of the URL."""
        if self.url_login is None:
            return None
        user, _, password = self.url_login.get_secret_value().partition(":")
        return user, password

    @property
    def query(self) -> dict[str, str]:
        """What every request carries in its query, such as a version of the API."""
        return dict(parse_qsl(self.url_query.get_secret_value())) if self.url_query is not None else {}

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every text that must never be shown, as it is and as a URL spells it; the longest first."""
        plain = [self.api_key.get_secret_value()] if self.api_key is not None else []
        plain += [*(self.login or ()), *self.query.values()]
        spelled = {form for secret in plain for form in (secret, quote(secret, safe=""), quote(secret)) if secret}
        return tuple(sorted(spelled, key=len, reverse=True))

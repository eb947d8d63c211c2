"""HTTP to one search server, in whatever event loop it is asked from. Every request has a deadline and a cap."""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from ssl import SSLContext
from typing import Any

import httpx2
from pydantic import SecretStr, ValidationError

from pdgf.errors import ConfigInvalid
from pdgf.llm.address import Address
from pdgf.llm.faults import redacted, told
from pdgf.per_loop import PerLoop
from pdgf.sources.client import tls, version
from pdgf.sources.search.faults import SearchFault, judged

ANSWER_BYTES = 32_000_000  # unpacked; ten results of a megabyte for each of a few queries still fit
_LONG_BYTES = 500_000  # from here on reading the JSON would hold up the event loop
_PATH = "/search"  # Serper's and SearXNG's alike

# At INFO these write addresses with their queries, which hold the words of users.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)


@dataclass(frozen=True)
class Reply:
    """What a server answered: its status, its JSON (`is_json` false where there is none), its words without secrets."""

    status: int
    payload: Any
    is_json: bool
    message: str
    retry_after: str | None = None

    def result(self) -> Any:
        """The JSON of a success. Raises SearchFault for anything else."""
        if not 200 <= self.status < 300:
            raise judged(self.status, self.message, retry_after=self.retry_after, page=not self.is_json)
        if not self.is_json:
            raise SearchFault("no_api", "the answer is not JSON")
        return self.payload


def address_of(setting: str, url: str, key: SecretStr | None = None) -> Address:
    """The address of a search server, a pasted endpoint or not. Raises ConfigInvalid, never with what it holds."""
    try:
        address = Address.model_validate({"base_url": url.strip() or "-://", "api_key": key})
    except ValidationError as error:
        [problem, *_] = error.errors(include_input=False, include_url=False, include_context=False)
        told_of = problem["msg"].removeprefix("Value error, ").replace("base_url", "the address")
        raise ConfigInvalid(f"{setting}: {told_of}") from None
    return address.model_copy(update={"base_url": address.base_url.removesuffix(_PATH)})


class Connection:
    """The connections to one server."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._clients: PerLoop[httpx2.AsyncClient] = PerLoop()

    async def ask(
        self,
        method: str,
        *,
        seconds: float,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> Reply:
        """One request to the endpoint for searches, answered within so many seconds. Raises SearchFault."""
        if seconds <= 0.0:
            raise SearchFault("timeout", "the time for this search is used up")
        request: dict[str, Any] = {"params": {**self._address.query, **(params or {})}, "headers": headers}
        if body is not None:
            request["json"] = body
        try:
            async with asyncio.timeout(seconds):
                return await self._exchanged(method, request)
        except (TimeoutError, httpx2.TimeoutException):
            fault = SearchFault("timeout", f"no answer within {seconds:.0f} s")
        except httpx2.DecodingError:
            fault = SearchFault("no_api", "the answer cannot be unpacked")
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, ValueError) as error:
            detail = redacted(f"{type(error).__name__}: {error}", self._address.secrets)
            fault = SearchFault("unreachable", detail, retry=True)
        # Raised out here, the error carries nothing of the request: its headers hold the key.
        raise fault

    async def aclose(self) -> None:
        """Close those of the running loop; `ask` opens new ones."""
        client = self._clients.pop("client")
        if client is not None:
            await client.aclose()

    async def _exchanged(self, method: str, request: Mapping[str, Any]) -> Reply:
        trusted = await asyncio.to_thread(tls)
        client = self._clients.get("client", lambda: _client(trusted, self._address))
        async with client.stream(method, self._address.base_url + _PATH, **request) as response:
            parts, size = [], 0
            async for part in response.aiter_bytes():
                parts.append(part)
                size += len(part)
                if size > ANSWER_BYTES:
                    raise SearchFault("no_api", "the answer is far longer than a list of results")
        body = b"".join(parts)
        read = _read(body) if len(body) < _LONG_BYTES else await asyncio.to_thread(_read, body)
        said, *_ = told(read[0] if read else body[:4_000].decode("utf-8", "replace"))
        return Reply(
            status=response.status_code,
            payload=read[0] if read else None,
            is_json=bool(read),
            message=redacted(said, self._address.secrets),
            retry_after=response.headers.get("retry-after"),
        )


def _read(body: bytes) -> tuple[Any, ...]:
    """The JSON of a body; empty where it is none."""
    try:
        return (json.loads(body),)
    except (ValueError, RecursionError):
        return ()


def _client(trusted: SSLContext, address: Address) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        verify=trusted,
        trust_env=False,
        follow_redirects=False,
        timeout=None,  # each request has a deadline as a whole
        auth=address.login,
        headers={"User-Agent": f"pdgf/{version()}", "Accept": "application/json"},
    )

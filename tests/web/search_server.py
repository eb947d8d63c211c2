"""A search server on loopback that speaks Serper's and SearXNG's JSON, with the faults that searches have
(RELIABILITY 4.2).

    async with SearchServer({"quiet films": [{"title": "A", "link": "http://a.example/1", "snippet": "b"}]}) as server:
        await Serper(SecretStr("any"), base_url=server.url).search(["quiet films"], language="en", budget=Budget())

Answers are a mapping of queries to hits or a callable; what is not listed is found nowhere. A fault is for every
request, for one by its number, or for whatever a callable of the number says: `faults=from_call(4, Fault.TOO_MANY)`.
Bytes in the place of a fault are sent as the whole answer.
"""

import asyncio
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.loopback import LONG, LoopbackServer, drip, read_head

MEGABYTE = 1_000_000
PAGE = "<!DOCTYPE html><html><head><title>Just a moment</title></head><body>One moment, please.</body></html>"

Hit = Mapping[str, Any]
Found = Sequence[Hit]


class Fault(StrEnum):
    """What a server does instead of answering well."""

    REFUSED = "refused"  # breaks this request off and takes no connection from then on
    HANG = "hang"
    RESET = "reset"
    CUT = "cut"  # half of the answer
    DRIP = "drip"  # a byte at a time
    FORBIDDEN = "403 with text"
    BLOCKED = "403 with a page"
    NO_KEY = "401"
    NO_CREDIT = "400, out of credit"
    PAYMENT = "402"
    BAD_REQUEST = "400"
    NOT_FOUND = "404"
    REDIRECT = "302"
    TOO_MANY = "429"
    TOO_MANY_SOON = "429, soon again"
    TOO_MANY_LONG = "429, much later"
    SPENT = "429, out of credit"
    SERVER_ERROR = "500"
    UNAVAILABLE = "503"
    ECHO = "500 that repeats the headers"
    HTML = "HTML with 200"
    NOT_JSON = "not JSON"
    DEEP = "JSON without end"
    FLOOD = "an answer without end"
    TEXT = "a text in JSON"
    ERROR_IN_200 = "an error with 200"
    WRONG_LENGTH = "an answer too few"
    LIST = "a list around a single answer"
    ODD_ANSWER = "an answer that is no object"
    NO_LIST = "no list"
    NULL_LIST = "null list"
    WRONG_LIST = "a list that is a text"
    NO_LINK = "hit without link"
    NUMBER_LINK = "hit with a number as link"
    EMPTY_LINK = "hit with an empty link"
    NO_HITS = "0 hits"
    SAME_HITS = "100 same hits"
    LONG_SNIPPET = "1 MB snippet"
    SILENT_ENGINES = "no engine behind it answers"


Fate = Fault | bytes
Faults = Fate | Mapping[int, Fate] | Callable[[int], Fate | None] | None

# Status, what it says and further headers.
STATUSES: Mapping[Fault, tuple[int, Any, Mapping[str, str]]] = {
    Fault.FORBIDDEN: (403, {"message": "Unauthorized.", "statusCode": 403}, {}),
    Fault.BLOCKED: (403, PAGE, {}),
    Fault.NO_KEY: (401, {"message": "Unauthorized.", "statusCode": 401}, {}),
    Fault.NO_CREDIT: (400, {"message": "Not enough credits", "statusCode": 400}, {}),
    Fault.PAYMENT: (402, {"message": "Payment Required", "statusCode": 402}, {}),
    Fault.BAD_REQUEST: (400, {"message": "Bad value for parameter", "statusCode": 400}, {}),
    Fault.NOT_FOUND: (404, PAGE, {}),
    Fault.REDIRECT: (302, "", {"Location": "/elsewhere"}),
    Fault.TOO_MANY: (429, {"message": "Too many requests", "statusCode": 429}, {}),
    Fault.TOO_MANY_SOON: (429, {"message": "Too many requests", "statusCode": 429}, {"Retry-After": "0"}),
    Fault.TOO_MANY_LONG: (429, {"message": "Too many requests", "statusCode": 429}, {"Retry-After": "3600"}),
    Fault.SPENT: (429, {"message": "You are out of credits", "statusCode": 429}, {}),
    Fault.SERVER_ERROR: (500, {"message": "Internal error", "statusCode": 500}, {}),
    Fault.UNAVAILABLE: (503, PAGE, {}),
    Fault.HTML: (200, PAGE, {}),
    Fault.NOT_JSON: (200, b'{"organic": [{"title": ', {}),
    Fault.DEEP: (200, b"[" * 100_000, {}),
    Fault.TEXT: (200, "here you are", {"Content-Type": "application/json"}),
    Fault.ERROR_IN_200: (200, {"message": "Unauthorized.", "statusCode": 403}, {}),
}


def from_call(first: int, fault: Fault) -> Callable[[int], Fault | None]:
    """The fault for every request from that number on."""
    return lambda number: fault if number >= first else None


@dataclass(frozen=True)
class Asked:
    """One request: its method, path and headers, and its searches, each with the parameters that it came with."""

    method: str
    path: str
    headers: Mapping[str, str]
    searches: tuple[Mapping[str, Any], ...]

    @property
    def queries(self) -> list[str]:
        return [str(search.get("q")) for search in self.searches]


class SearchServer(LoopbackServer):
    """Serves `POST /search` as Serper does and `GET /search` as SearXNG does, in a thread of its own.

    `key` demands one in X-API-KEY. A request with one of the `barred` queries is answered with 400. `latency` is in
    seconds. `requests` are those that came, numbered from 0; `most_at_once` is how many were being answered at once.
    """

    def __init__(
        self,
        answers: Mapping[str, Found] | Callable[[str], Found],
        *,
        faults: Faults = None,
        key: str | None = None,
        barred: Collection[str] = (),
        latency: float = 0.0,
    ) -> None:
        super().__init__()
        self.answers = answers
        self.faults = faults
        self.requests: list[Asked] = []
        self.most_at_once = 0
        self._key = key
        self._barred = frozenset(barred)
        self._latency = latency
        self._now = 0

    @property
    def url(self) -> str:
        """What SERPER_BASE_URL or SEARXNG_URL is set to."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def queries(self) -> list[str]:
        """Every query that came, in order of arrival."""
        return [query for request in self.requests for query in request.queries]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Searches one after another."""
        while (asked := await _read(reader)) is not None:
            number = len(self.requests)
            self.requests.append(asked)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            try:
                await asyncio.sleep(self._latency)
            finally:
                self._now -= 1
            if not await self._answer(asked, self._fault(number), writer):
                break

    def _fault(self, number: int) -> Fate | None:
        if isinstance(self.faults, Fault | bytes) or self.faults is None:
            return self.faults
        return self.faults.get(number) if isinstance(self.faults, Mapping) else self.faults(number)

    async def _answer(self, asked: Asked, fault: Fate | None, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection can serve another request."""
        if fault is Fault.REFUSED:
            await self._stop_listening()
        elif fault is Fault.RESET:
            writer.transport.abort()
        elif fault is Fault.HANG:
            await asyncio.sleep(LONG)
        elif fault is Fault.FLOOD:
            await _flood(writer)
        else:
            status, body, headers = self._status(asked, fault)
            head, text = _wire(status, body, headers)
            if fault is Fault.CUT:
                writer.write(head + text[: len(text) // 2])
            elif fault is Fault.DRIP:
                writer.write(head)
                await drip(writer, text)
            else:
                writer.write(head + text)
                await writer.drain()
                return True
        with suppress(OSError):
            await writer.drain()
        return False

    def _status(self, asked: Asked, fault: Fate | None) -> tuple[int, Any, Mapping[str, str]]:
        serper = asked.method == "POST"
        if not asked.path.endswith("/search"):
            return STATUSES[Fault.NOT_FOUND]
        if serper and self._key is not None and asked.headers.get("x-api-key") != self._key:
            return STATUSES[Fault.FORBIDDEN]
        if self._barred.intersection(asked.queries):
            return STATUSES[Fault.BAD_REQUEST]
        if isinstance(fault, bytes):
            return 200, fault, {}
        if fault is Fault.ECHO:
            return 500, {"message": f"failed: {dict(asked.headers)}", "statusCode": 500}, {}
        if fault in STATUSES:
            return STATUSES[fault]
        if not serper and asked.searches[0].get("format") != "json":
            return 200, PAGE, {}
        found = [_spoilt(self._found(query), fault) for query in asked.queries]
        if not serper:
            return 200, _searxng(asked.queries[0], found[0], fault), {}
        entries = [_serper(dict(search), hits, fault) for search, hits in zip(asked.searches, found, strict=True)]
        if fault is Fault.ODD_ANSWER:
            entries[0] = None
        if fault is Fault.WRONG_LENGTH:
            return 200, entries[1:], {}
        return 200, entries if len(entries) > 1 or fault is Fault.LIST else entries[0], {}

    def _found(self, query: str) -> list[dict[str, Any]]:
        hits = self.answers(query) if callable(self.answers) else self.answers.get(query, ())
        return [dict(hit) for hit in hits]


def _spoilt(hits: list[dict[str, Any]], fault: Fault | None) -> list[dict[str, Any]]:
    """The hits of one query with a fault in the first of them, or in all."""
    match fault:
        case Fault.NO_HITS | Fault.SILENT_ENGINES:
            return []
        case Fault.SAME_HITS:
            return hits[:1] * 100
        case Fault.NO_LINK:
            del hits[0]["link"]
        case Fault.NUMBER_LINK:
            hits[0]["link"] = 7
        case Fault.EMPTY_LINK:
            hits[0]["link"] = ""
        case Fault.LONG_SNIPPET:
            hits[0]["snippet"] = "dry humour " * (MEGABYTE // 11)
    return hits


def _serper(search: dict[str, Any], hits: list[dict[str, Any]], fault: Fault | None) -> Any:
    """One answer of Serper, with parts that nobody asked for."""
    answer = {
        "searchParameters": {**search, "type": "search", "engine": "google"},
        "knowledgeGraph": {"title": search.get("q"), "attributes": {"Genre": "any"}},
        "organic": [{**hit, "position": position} for position, hit in enumerate(hits, start=1)],
        "peopleAlsoAsk": [{"question": "Is it any good?", "link": "http://elsewhere.example/"}],
        "credits": 1,
    }
    return _with_list(answer, "organic", fault)


def _searxng(query: str, hits: list[dict[str, Any]], fault: Fault | None) -> Any:
    """One answer of SearXNG, with parts that nobody asked for. Its number of results is 0, as it often says."""
    names = {"link": "url", "snippet": "content"}
    answer = {
        "query": query,
        "number_of_results": 0,
        "results": [
            {**{names.get(name, name): value for name, value in hit.items()}, "engine": "any", "score": 1.0}
            for hit in hits
        ],
        "answers": [],
        "infoboxes": [],
        "suggestions": ["something else"],
        "unresponsive_engines": [["brave", "too many requests"]] if fault is Fault.SILENT_ENGINES else [],
    }
    return _with_list(answer, "results", fault)


def _with_list(answer: dict[str, Any], name: str, fault: Fault | None) -> dict[str, Any]:
    if fault is Fault.NO_LIST:
        del answer[name]
    elif fault is Fault.NULL_LIST:
        answer[name] = None
    elif fault is Fault.WRONG_LIST:
        answer[name] = "none"
    return answer


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        first, headers = await read_head(reader)
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return None
    method, target, _ = first.split(" ")
    parts = urlsplit(target)
    sent = json.loads(body) if body else {name: values[0] for name, values in parse_qs(parts.query).items()}
    searches = tuple(sent) if isinstance(sent, list) else (sent,)
    return Asked(method=method, path=parts.path, headers=headers, searches=searches)


def _wire(status: int, body: Any, headers: Mapping[str, str]) -> tuple[bytes, bytes]:
    """Head and body as they go over the wire; a text is a page, unless its headers say that it is JSON."""
    kind = headers.get("Content-Type", "text/html" if isinstance(body, str) else "application/json")
    if not isinstance(body, bytes):
        body = body.encode() if kind == "text/html" else json.dumps(body, ensure_ascii=False).encode()
    fields = {**headers, "Content-Type": kind, "Content-Length": str(len(body))}
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in fields.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode(), body


async def _flood(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\n\r\n[")
    for _ in range(60):
        writer.write(b" " * MEGABYTE)
        await writer.drain()

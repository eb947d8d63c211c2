"""The server: HTTP/1.1 on loopback, in a thread of its own."""

import asyncio
import json
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from tests.loopback import LONG, LoopbackServer, read_head
from tests.openai_server import wire_format
from tests.openai_server.faults import PAGE, REFUSALS, STATUSES, Failure, Fault, spoilt, unauthorized
from tests.openai_server.records import Record, Traffic
from tests.openai_server.requests import Answer, ChatRequest, Script, answered, prompt_name

Faults = Fault | Mapping[int, Fault] | Iterable[Fault] | None


class FakeOpenAI(LoopbackServer):
    """Answers `/v1/chat/completions`, streamed or not, `/v1/embeddings` and `/v1/models`.

    `faults` is a fault for every request, several of which each request gets the first that concerns it, or one by
    the index of the request for a completion. With `lasting` a fault by index meets every later request with the same
    messages too, as retries are. `latency` is in seconds, `late` how long a late reply takes. `key` demands one.
    What a script raises is raised when the server is left.
    """

    def __init__(
        self,
        script: Script,
        *,
        faults: Faults = None,
        lasting: bool = False,
        latency: float = 0.0,
        late: float = 1.0,
        key: str | None = None,
    ) -> None:
        super().__init__()
        self.script = script
        self.faults = faults
        self._lasting = lasting
        self._latency = latency
        self._late = late
        self._key = key
        self._traffic = Traffic()
        self._chats = 0
        self._met: dict[str, Fault] = {}
        self._unavailable: dict[str, int] = {}
        self._script_errors: list[BaseException] = []

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def records(self) -> list[Record]:
        """The requests for completions, in order of arrival."""
        return [record for record in self._traffic.records if record.path.endswith("/chat/completions")]

    @property
    def all_records(self) -> list[Record]:
        return list(self._traffic.records)

    @property
    def most_in_flight(self) -> int:
        """The most requests that were being answered at once."""
        return self._traffic.most

    def __exit__(self, *left: type[BaseException] | BaseException | TracebackType | None) -> None:
        super().__exit__(*left)
        if self._script_errors:
            raise self._script_errors[0]

    def reader(self) -> asyncio.StreamReader:
        """One that sees the client hang up while an answer is being made."""
        return _Reader()

    def forget(self) -> None:
        """Forget how often and by whom faults were met."""
        self._met.clear()
        self._unavailable.clear()

    async def _shut(self) -> None:
        await self._stop_listening()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=LONG)  # each ends with its connection

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Requests one after another."""
        assert isinstance(reader, _Reader)
        while True:
            first, headers = await read_head(reader)
            raw = await reader.readexactly(int(headers.get("content-length", 0)))
            path = urlsplit(first.split(" ")[1]).path
            await self._answer(_Exchange(reader, writer), path, headers, json.loads(raw) if raw else {})

    async def _answer(self, exchange: "_Exchange", path: str, headers: Mapping[str, str], body: dict[str, Any]) -> None:
        """Answer one request, and stop when the client hangs up."""
        chat = path.endswith("/chat/completions")
        index = self._chats
        self._chats += chat
        name = prompt_name(body.get("messages"))
        started = time.perf_counter()
        record = Record(index=index, path=path, prompt=name, body=body, headers=headers, started=started)
        self._traffic.began(record)
        exchange.on_end = lambda: self._traffic.ended(record, time.perf_counter())
        work = asyncio.create_task(
            self._complete(exchange, record) if chat else self._others(exchange, path, body, record)
        )
        hung_up = asyncio.create_task(exchange.reader.ended.wait())
        try:
            await asyncio.wait({work, hung_up}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                record.gone = True
                raise ConnectionResetError
            error = work.exception()
            if isinstance(error, ConnectionError):
                record.gone = True
            elif error is not None:
                self._script_errors.append(error)
                exchange.abort()
        finally:
            work.cancel()
            hung_up.cancel()
            await asyncio.wait({work, hung_up})
            exchange.on_end()

    async def _others(self, exchange: "_Exchange", path: str, body: dict[str, Any], record: Record) -> None:
        await asyncio.sleep(self._latency)
        if path.endswith("/embeddings"):
            fault = self.faults if isinstance(self.faults, Fault) else None
            record.fault = fault.name if fault else ""
            failure = self._failure(fault, record)
            if failure is not None:
                await exchange.send(failure.status, failure.body, failure.headers)
            elif fault is Fault.HANG:
                await asyncio.sleep(LONG)
            elif fault is Fault.HTML:
                await exchange.send(200, PAGE)
            else:
                await exchange.send(200, wire_format.embeddings(body))
        elif path.endswith("/models"):
            await exchange.send(200, {"object": "list", "data": [{"id": "any", "object": "model"}]})
        else:
            await exchange.send(404, {"detail": "Not Found"})

    async def _complete(self, exchange: "_Exchange", record: Record) -> None:
        request = ChatRequest(index=record.index, prompt=record.prompt, body=record.body)
        fault = self._fault_of(request)
        record.fault = fault.name if fault else ""
        if self._key is not None and record.headers.get("authorization") != f"Bearer {self._key}":
            fault = Fault.UNAUTHORIZED
        failure = self._failure(fault, record)
        if failure is not None:
            await exchange.send(failure.status, failure.body, failure.headers)
            return
        answer = answered(self.script(request))
        if fault is not None:
            answer = spoilt(answer, fault)
        await asyncio.sleep(self._latency if answer.latency is None else answer.latency)
        if fault is Fault.SERVER_DOWN:
            await self._stop_listening()
        elif fault is Fault.DROPPED:
            exchange.abort()
        elif fault is Fault.HANG:
            await asyncio.sleep(LONG)
        else:
            await asyncio.sleep(self._late if fault is Fault.LATE else 0.0)
            send = self._send_stream if request.stream else self._send_whole
            await send(exchange, request, answer, fault)

    async def _send_whole(
        self, exchange: "_Exchange", request: ChatRequest, answer: Answer, fault: Fault | None
    ) -> None:
        whole = wire_format.completion(request, answer, refusal="No." if fault is Fault.REFUSAL else None)
        if fault is Fault.REFUSAL:
            whole["choices"][0]["message"]["content"] = None
        elif fault is Fault.NULL_CHOICES:
            whole["choices"] = None
        elif fault is Fault.EMPTY_CHOICES:
            whole["choices"] = []
        elif fault in (Fault.ERROR_IN_200, Fault.ERROR_EVENT):
            whole = {"error": {"message": "Upstream is overloaded", "code": 503}}
        if fault is Fault.HTML:
            await exchange.send(200, PAGE)
        elif fault in (Fault.NOT_JSON, Fault.BAD_EVENT):
            await exchange.send(200, b'{"id": "c-1", "choices": [')
        elif fault in (Fault.CUT, Fault.STALL):
            await exchange.begin(200, "application/json", length=10_000)
            await exchange.write(json.dumps(whole).encode()[:40])
            await self._stop_half_way(exchange, fault)
        else:
            await exchange.send(200, whole)

    async def _send_stream(
        self, exchange: "_Exchange", request: ChatRequest, answer: Answer, fault: Fault | None
    ) -> None:
        if fault is Fault.HTML:
            await exchange.send(200, PAGE)
            return
        if fault is Fault.NOT_JSON:
            await exchange.send(200, b'{"id": "c-1", "choices": [')
            return
        await exchange.begin(200, "text/event-stream")
        events = list(wire_format.events(request, answer))
        if fault in (Fault.NULL_CHOICES, Fault.EMPTY_CHOICES):
            choices = None if fault is Fault.NULL_CHOICES else []
            events = [wire_format.event({"id": "c-1", "object": "chat.completion.chunk", "choices": choices})]
        elif fault is Fault.ERROR_IN_200:
            events = [wire_format.event({"error": {"message": "Upstream is overloaded", "code": 503}})]
        half = len(events) // 2
        if fault is Fault.ERROR_EVENT:
            events[half:] = [wire_format.event({"error": {"message": "Upstream is overloaded", "code": 503}})]
        elif fault is Fault.BAD_EVENT:
            events[half:] = [b'data: {"id": "c-1", "choi\n\n']
        elif fault in (Fault.CUT, Fault.STALL):
            for part in events[:half]:
                await exchange.chunk(part)
            await self._stop_half_way(exchange, fault)
            return
        for part in events:
            await exchange.chunk(part)
        await exchange.end()

    async def _stop_half_way(self, exchange: "_Exchange", fault: Fault) -> None:
        if fault is Fault.CUT:
            await asyncio.sleep(0.02)  # for the client to have read what came before
            exchange.abort()
        else:
            await asyncio.sleep(LONG)

    def _fault_of(self, request: ChatRequest) -> Fault | None:
        """The fault that this request meets."""
        if isinstance(self.faults, Mapping):
            key = json.dumps(request.messages)
            fault = self.faults.get(request.index) or self._met.get(key)
            if fault is not None and self._lasting:
                self._met[key] = fault
            return fault
        several = (self.faults,) if isinstance(self.faults, Fault) else tuple(self.faults or ())
        return next((fault for fault in several if fault not in REFUSALS or REFUSALS[fault][0](request)), None)

    def _failure(self, fault: Fault | None, record: Record) -> Failure | None:
        """The status that a fault answers with; None for faults of another kind, and once it is over."""
        if fault is None:
            return None
        if fault is Fault.UNAUTHORIZED:
            return unauthorized(record.headers.get("authorization", "").removeprefix("Bearer "))
        if fault in REFUSALS:
            concerns, failure = REFUSALS[fault]
            return failure if concerns(ChatRequest(index=0, prompt="", body=record.body)) else None
        if fault is Fault.UNAVAILABLE_TWICE:
            key = json.dumps(record.messages)
            self._unavailable[key] = self._unavailable.get(key, 0) + 1
            return STATUSES[fault] if self._unavailable[key] <= 2 else None
        return STATUSES.get(fault)


class _Reader(asyncio.StreamReader):
    """Tells at once when the client has closed the connection, without reading."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = asyncio.Event()

    def feed_eof(self) -> None:
        self.ended.set()
        super().feed_eof()

    def set_exception(self, exc: Any) -> None:
        self.ended.set()
        super().set_exception(exc)


class _Exchange:
    """One answer on its way. The request counts as ended just before the last bytes go out: the client's next one
    cannot begin earlier."""

    def __init__(self, reader: _Reader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer
        self.on_end: Any = None

    async def send(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        kind = "application/json"
        if isinstance(body, str):
            kind, body = "text/html", body.encode()
        elif not isinstance(body, bytes):
            body = json.dumps(body).encode()
        await self.begin(status, kind, length=len(body), headers=headers)
        self.on_end()
        await self.write(body)

    async def begin(
        self, status: int, kind: str, *, length: int | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        size = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
        lines = [f"HTTP/1.1 {status} .", f"Content-Type: {kind}", size]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        await self.write("\r\n".join([*lines, "", ""]).encode("latin-1"))

    async def chunk(self, data: bytes) -> None:
        await self.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    async def end(self) -> None:
        self.on_end()
        await self.write(b"0\r\n\r\n")

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    def abort(self) -> None:
        self.on_end()
        self._writer.transport.abort()

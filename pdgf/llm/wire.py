"""The only place that knows langchain-openai. Imported when a model is first asked: it costs most of a second."""

import logging
import warnings
from base64 import b64encode
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from functools import cache
from ssl import SSLContext
from typing import Any, TypeVar

import httpx2
import openai
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import OpenAIEmbeddings
from langchain_openai.chat_models.base import BaseChatOpenAI

from pdgf.llm.address import Address
from pdgf.llm.faults import CallFault, Kind, status_in, told

_MESSAGES: Mapping[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
_FAULTS = (
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.StreamError,
    OSError,
    # What the client raises for a body that is no completion: JSONDecodeError, UnicodeDecodeError, missing parts.
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
)
# At DEBUG and INFO these write whole requests, which hold the words of users, and addresses with their queries.
for _name in ("openai", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)
# Advice about `with_structured_output`, which is not used.
warnings.filterwarnings("ignore", message="(This model does not support OpenAI's structured|Invalid schema for OpenAI)")

T = TypeVar("T")


class CompatibleChat(BaseChatOpenAI):
    """The chat model of langchain-openai for servers other than OpenAI's, handing on what they send as it is.

    The base class is the one for such servers; it drops what OpenAI does not define, among it `reasoning_content`.
    Prompts hold the words of users, so calls pass LangChain's callbacks and tracers by.
    """

    def _create_chat_result(
        self, response: dict[str, Any] | openai.BaseModel, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        return ChatResult(generations=[], llm_output={"raw": _plain(response)})

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        return ChatGenerationChunk(message=AIMessageChunk(content=""), generation_info={"raw": chunk})

    async def completed(self, messages: Sequence[Mapping[str, str]], body: Mapping[str, Any]) -> dict[str, Any]:
        """One completion as the server sent it. Raises CallFault."""
        result = await _asked(self._agenerate(_langchain(messages), extra_body=dict(body)))
        raw: dict[str, Any] = (result.llm_output or {})["raw"]
        return raw

    async def streamed(
        self, messages: Sequence[Mapping[str, str]], body: Mapping[str, Any]
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The pieces of a completion as they come. Raises CallFault. Closing it closes the connection."""
        chunks: AsyncIterator[ChatGenerationChunk] = self._astream(_langchain(messages), extra_body=dict(body))
        try:
            while True:
                try:
                    chunk = await _asked(anext(chunks))
                except StopAsyncIteration:
                    return
                yield (chunk.generation_info or {})["raw"]
        finally:
            await chunks.aclose()  # type: ignore[attr-defined]


@cache
def _tls() -> SSLContext:
    """The system's certificates; reading them takes a while, so it is done once."""
    return httpx2.create_ssl_context()


class Wires:
    """The connections to one server, for one event loop."""

    def __init__(self, address: Address, *, timeout: float, connect_timeout: float) -> None:
        timeouts = httpx2.Timeout(timeout, connect=connect_timeout)
        self._http = httpx2.AsyncClient(timeout=timeouts, verify=_tls(), follow_redirects=False)

        async def key() -> str:
            return address.key

        self._shared: dict[str, Any] = {
            "base_url": address.base_url,
            "api_key": key,  # as a coroutine: no client that is not asynchronous is made
            "default_headers": _login_header(address),
            "default_query": address.query or None,
            "http_async_client": self._http,
            "openai_proxy": None,  # proxies of the environment are the HTTP client's matter
            "max_retries": 0,  # retrying is ours: it knows the deadline
        }
        self._chats: dict[str, CompatibleChat] = {}
        self._embeddings: dict[tuple[str, int | None], OpenAIEmbeddings] = {}

    def chat(self, model: str) -> CompatibleChat:
        if model not in self._chats:
            self._chats[model] = CompatibleChat(
                model=model, use_responses_api=False, stream_chunk_timeout=None, **self._shared
            )
        return self._chats[model]

    async def embedded(self, model: str, texts: Sequence[str], dimensions: int | None) -> list[list[float]]:
        """One vector a text, in one request. Raises CallFault."""
        if (model, dimensions) not in self._embeddings:
            self._embeddings[model, dimensions] = OpenAIEmbeddings(
                model=model,
                dimensions=dimensions,
                check_embedding_ctx_length=False,  # it would fetch an encoding and send numbers in place of texts
                **self._shared,
            )
        client = self._embeddings[model, dimensions]
        return await _asked(client.aembed_documents(list(texts), chunk_size=len(texts)))

    async def aclose(self) -> None:
        await self._http.aclose()


def _langchain(messages: Sequence[Mapping[str, str]]) -> list[BaseMessage]:
    return [_MESSAGES[each["role"]](content=each["content"]) for each in messages]


async def _asked(request: Awaitable[T]) -> T:
    """The outcome of one request; every failure of the libraries becomes a CallFault that carries none of them along,
    since their tracebacks and causes hold requests with keys."""
    fault: CallFault
    try:
        return await request
    except _FAULTS as error:
        fault = _fault_of(error)
    raise fault


def _fault_of(error: BaseException) -> CallFault:
    if isinstance(error, openai.APIStatusError):
        message, code, param = told(error.body)
        return CallFault(
            Kind.STATUS,
            message,
            status=error.status_code,
            code=code,
            param=param,
            retry_after=error.response.headers.get("retry-after"),
        )
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException | TimeoutError):
        unconnected = any(isinstance(each, httpx2.ConnectTimeout) for each in _chain(error))
        return CallFault(Kind.CONNECT if unconnected else Kind.TIMEOUT, "no connection in time" if unconnected else "")
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError | OSError):
        said = [str(each) for each in _chain(error) if str(each)]
        return CallFault(Kind.CONNECT, said[-1] if said else type(error).__name__)
    if isinstance(error, openai.APIError):  # an error that came as an event of the stream
        message, code, param = told(error.body)
        return CallFault(Kind.STATUS, message or error.message, status=status_in(code), code=code, param=param)
    return CallFault(Kind.NOT_API, "the answer is no completion")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from, the first cause last."""
    each: BaseException | None = error
    while each is not None:
        yield each
        each = each.__cause__


def _plain(response: Any) -> dict[str, Any]:
    """The completion as a mapping. Raises ValueError when the body was no JSON object."""
    if isinstance(response, openai.BaseModel):
        response = response.model_dump(warnings=False)
    if not isinstance(response, dict):
        raise ValueError("no JSON object")
    return response


def _login_header(address: Address) -> dict[str, str] | None:
    """The login of the URL as the header that an HTTP client would make of it."""
    if address.login is None:
        return None
    return {"Authorization": f"Basic {b64encode(':'.join(address.login).encode()).decode()}"}

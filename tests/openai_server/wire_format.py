"""Completions, streams and embeddings as an OpenAI-compatible server writes them."""

import base64
import hashlib
import json
from array import array
from collections.abc import Iterator
from typing import Any

from tests.openai_server.requests import Answer, ChatRequest

PIECE = 5  # characters of a streamed piece, more in a reply of more than 2,000 pieces
MOST_PIECES = 2_000
DIMENSIONS = 32  # of an embedding


def completion(request: ChatRequest, answer: Answer, *, refusal: str | None = None) -> dict[str, Any]:
    """A whole completion. A forced function is called with the reply as its arguments."""
    message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": refusal}
    if request.tools and answer.tool_call:
        call = {"id": "call_1", "type": "function", "function": {"name": "reply", "arguments": answer.text}}
        message |= {"content": None, "tool_calls": [call]}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    choice = {"index": 0, "message": message, "finish_reason": answer.finish, "logprobs": None}
    return _envelope("chat.completion", request, [choice], answer)


def events(request: ChatRequest, answer: Answer) -> Iterator[bytes]:
    """The events of a stream, the finish mark and the counts in events of their own as real servers have it."""
    silent = Answer(text="", usage=None)
    for name, text in (("reasoning_content", answer.reasoning), ("content", answer.text)):
        size = max(PIECE, len(text) // MOST_PIECES)
        for start in range(0, len(text), size):
            choice = {"index": 0, "delta": {name: text[start : start + size]}, "finish_reason": None}
            yield event(_envelope("chat.completion.chunk", request, [choice], silent))
    if answer.finish is None:
        return
    last = {"index": 0, "delta": {}, "finish_reason": answer.finish}
    yield event(_envelope("chat.completion.chunk", request, [last], silent))
    if (request.body.get("stream_options") or {}).get("include_usage"):
        yield event(_envelope("chat.completion.chunk", request, [], answer))
    yield b"data: [DONE]\n\n"


def event(data: Any) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def embeddings(body: dict[str, Any]) -> dict[str, Any]:
    """One vector a text: counts of its hashed words, so that texts with words in common are near one another."""
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    size = body.get("dimensions") or DIMENSIONS
    data = []
    for index, text in enumerate(texts):
        vector = [0.0] * size
        for word in str(text).casefold().split() or [""]:
            digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
            vector[digest[0] % size] += 1.0 + digest[1] / 256.0
        packed = base64.b64encode(array("f", vector).tobytes()).decode()
        embedding = packed if body.get("encoding_format") == "base64" else vector
        data.append({"object": "embedding", "index": index, "embedding": embedding})
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return {"object": "list", "data": data, "model": body.get("model"), "usage": usage}


def _envelope(kind: str, request: ChatRequest, choices: list[Any], answer: Answer) -> dict[str, Any]:
    envelope = {"id": "c-1", "object": kind, "created": 1, "model": request.body.get("model"), "choices": choices}
    if answer.usage is not None:
        tokens_in, tokens_out = answer.usage
        total = tokens_in + tokens_out
        envelope["usage"] = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": total}
    return envelope

"""A prompt and a reply type -> a checked reply of that type, with one re-ask and a typed failure.

ask -> cache -> complete -> finish mark -> read -> check -> reply
                    ^                                 |
                    +----- once more, with the reason-+
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from pdgf.errors import ReplyUnusable
from pdgf.llm.calls import Ask, ChatModel, Rendered, Role
from pdgf.llm.replies import read_reply
from pdgf.llm.reply_cache import ReplyCache, reply_key
from pdgf.llm.thinking import without_thinking
from pdgf.texts import clean
from pdgf.usage import Budget

REPAIR_CHARS = 2_000  # of a bad reply, shown again to the model
REASON_CHARS = 500  # of what was wrong with it
CUT_MARKS = frozenset(["length", "max_tokens", "model_length"])
FILTER_MARKS = frozenset(["content_filter", "safety"])

R = TypeVar("R", bound=BaseModel)

_NOISE = frozenset(["title", "default", "examples", "discriminator", "$defs"])


class _Try(NamedTuple):
    """A reply as it came, what is wrong with it (empty: nothing), and whether it was cut for length."""

    text: str
    problem: str = ""
    cut: bool = False


class StructuredModel:
    """Asks a model for replies of a given type. With a cache, equal calls of a conversation are paid once."""

    def __init__(self, model: ChatModel, cache: ReplyCache | None = None) -> None:
        self._model = model
        self._cache = cache

    async def ask(
        self,
        rendered: Rendered,
        reply_type: type[R],
        *,
        role: Role,
        max_tokens: int,
        budget: Budget,
        check: Callable[[R], R] | None = None,
    ) -> R:
        """A reply that could be read and that `check` accepts; at most two completions (RELIABILITY C04).

        `check` returns the reply, mended or not, or raises ReplyUnusable with a reason that the model is told; it
        must depend on nothing but the reply and the inputs of the prompt, since a kept reply is checked anew.
        Raises ReplyUnusable after the second failure, and at once when a content filter stopped the reply.
        PromptTooLong, ModelFailed and BudgetSpent pass through.
        """
        ask = Ask(rendered=rendered, role=role, reply_schema=reply_schema(reply_type), max_tokens=max_tokens)
        accepted: dict[str, R] = {}

        def read(text: str) -> R:
            if text not in accepted:
                reply = read_reply(text, reply_type)
                accepted[text] = reply if check is None else check(reply)
            return accepted[text]

        def usable(text: str) -> bool:
            return not _problem(text, read)

        def completed() -> Awaitable[str]:
            return self._completed(ask, read, budget)

        if self._cache is None:
            return read(await completed())
        key = reply_key(self._model.id, ask)
        return read(await self._cache.shared(budget.scope, key, completed, usable=usable))

    async def _completed(self, ask: Ask, read: Callable[[str], BaseModel], budget: Budget) -> str:
        first = await self._tried(ask, read, budget)
        if not first.problem:
            return first.text
        shown = clean(without_thinking(first.text))[:REPAIR_CHARS]
        tokens = ask.max_tokens * 2 if first.cut else ask.max_tokens
        again = ask.model_copy(update={"repair": (shown, first.problem), "max_tokens": tokens})
        second = await self._tried(again, read, budget)
        if second.problem:
            raise ReplyUnusable(second.problem)
        return second.text

    async def _tried(self, ask: Ask, read: Callable[[str], BaseModel], budget: Budget) -> _Try:
        try:
            completion = await self._model.complete(ask, budget)
        except ReplyUnusable as error:
            return _Try("", _told(error))
        finish = (completion.finish or "").casefold()
        if finish in FILTER_MARKS:
            raise ReplyUnusable("the reply was stopped by a content filter")
        if finish in CUT_MARKS:
            # Whatever can still be read may have lost its last items.
            return _Try(completion.text, f"the reply was cut off after {ask.max_tokens} tokens", cut=True)
        return _Try(completion.text, _problem(completion.text, read))


@cache
def reply_schema(reply_type: type[BaseModel]) -> Mapping[str, Any]:
    """The JSON schema of a reply as strict servers want it: no $ref, every property required, no others allowed.

    Titles, defaults and the docstrings of classes are left out, descriptions of fields are kept, and properties keep
    the order of the fields. Raises TypeError for a type that contains itself.
    """
    schema = reply_type.model_json_schema()
    schema.pop("description", None)
    plain: dict[str, Any] = _plain(schema, schema.get("$defs", {}), (reply_type.__name__,))
    return plain


def schema_text(reply_type: type[BaseModel]) -> str:
    """The schema of a reply as compact JSON: what the system text of its prompt ends with."""
    return json.dumps(reply_schema(reply_type), ensure_ascii=False, separators=(",", ":"))


def _plain(node: Any, definitions: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_plain(item, definitions, inside) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        if name in inside:
            raise TypeError(f"{name} contains itself: its schema cannot be written without $ref")
        target = {key: value for key, value in definitions[name].items() if key != "description"}
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _plain({**target, **beside}, definitions, (*inside, name))
    plain = {key: value for key, value in node.items() if key not in _NOISE}
    if "const" in plain:
        plain["enum"] = [plain.pop("const")]
    if "oneOf" in plain:
        plain["anyOf"] = plain.pop("oneOf")
    properties = plain.pop("properties", None)
    plain = {key: _plain(value, definitions, inside) for key, value in plain.items()}
    if properties is not None:
        plain["properties"] = {name: _plain(value, definitions, inside) for name, value in properties.items()}
        plain["required"] = list(properties)
        plain["additionalProperties"] = False
    return plain


def _problem(text: str, read: Callable[[str], BaseModel]) -> str:
    """Why a text is no usable reply; empty if it is one."""
    try:
        read(text)
    except ReplyUnusable as error:
        return _told(error)
    return ""


def _told(error: ReplyUnusable) -> str:
    return clean(str(error))[:REASON_CHARS] or "the reply could not be used"

"""Every fault of the server and what it comes to, for a reply in JSON, one in prose, and a stream (RELIABILITY 4.2)."""

import logging
import traceback
from collections.abc import Iterator
from contextlib import suppress

import pytest

from pdgf.errors import ModelFailed, PdgfError
from pdgf.llm.endpoint import OpenAIModel
from pdgf.usage import Budget
from tests.openai_server import FakeOpenAI, Fault
from tests.pdgf.llm.asking import (
    KEY,
    LABEL_TEXT,
    STORY,
    ask_for_label,
    ask_for_story,
    by_prompt,
    connected,
    settings_for,
)
from tests.variants import every

KINDS = ("json", "prose", "stream")
GOOD = ("good", 1)
TRIES = 3  # two retries


def three(outcome: str, requests: int = 1) -> tuple[tuple[str, int], ...]:
    """The same outcome and number of requests for each kind."""
    return ((outcome, requests),) * 3


def in_json(outcome: str, requests: int = 1) -> tuple[tuple[str, int], ...]:
    """An outcome for JSON; prose is not concerned."""
    return ((outcome, requests), GOOD, GOOD)


BROKEN_STREAM = (("unreachable", TRIES), ("unreachable", TRIES), ("cut off", 1))
STALLED = (("timeout", TRIES), ("timeout", TRIES), ("cut off", 1))

# For JSON, prose and stream: what comes of it, and after how many requests. "changed" is a reply that came as the
# model gave it, for the reader of replies to judge.
OUTCOMES: dict[Fault, tuple[tuple[str, int], ...]] = {
    Fault.RATE_LIMITED: three("busy", TRIES),
    Fault.RATE_LIMITED_LONG: three("busy", 1),
    Fault.RATE_LIMITED_UNTIL: three("busy", TRIES),
    Fault.SERVER_ERROR: three("unreachable", TRIES),
    Fault.UNAVAILABLE_TWICE: three("good", TRIES),
    Fault.TIMED_OUT: three("timeout", TRIES),
    Fault.UNAUTHORIZED: three("key"),
    Fault.FORBIDDEN: three("key"),
    Fault.NO_CREDIT: three("credit"),
    Fault.INSUFFICIENT_QUOTA: three("credit"),
    Fault.UNKNOWN_MODEL: three("model"),
    Fault.WRONG_PATH: three("no_api"),
    Fault.REDIRECT: three("no_api"),
    Fault.CONTEXT_LENGTH: three("too long"),
    Fault.CONTENT_POLICY: three("unusable"),
    Fault.BAD_REQUEST: (("refused", 5), ("refused", 2), ("refused", 2)),
    Fault.REFUSES_JSON_SCHEMA: in_json("good", 2),
    Fault.REFUSES_JSON_OBJECT: in_json("good"),
    Fault.REFUSES_TOOLS: in_json("good"),
    Fault.REFUSES_FORMAT_SILENTLY: in_json("good", 4),
    Fault.REFUSES_MAX_TOKENS: three("good", 2),
    Fault.REFUSES_MAX_COMPLETION_TOKENS: three("good", 2),
    Fault.REFUSES_TEMPERATURE: three("good", 2),
    Fault.REFUSES_STREAM_OPTIONS: (GOOD, GOOD, ("good", 2)),
    Fault.REFUSES_TEMPLATE: three("good", 2),
    Fault.SERVER_DOWN: three("unreachable"),
    Fault.DROPPED: three("unreachable", TRIES),
    Fault.HANG: three("timeout", TRIES),
    Fault.LATE: three("timeout", TRIES),
    Fault.CUT: BROKEN_STREAM,
    Fault.STALL: STALLED,
    Fault.NULL_CHOICES: three("no_api", TRIES),
    Fault.EMPTY_CHOICES: three("no_api", TRIES),
    Fault.HTML: three("no_api", TRIES),
    Fault.NOT_JSON: three("no_api", TRIES),
    Fault.ERROR_IN_200: three("busy", TRIES),
    Fault.ERROR_EVENT: (("busy", TRIES), ("busy", TRIES), ("cut off", 1)),
    Fault.BAD_EVENT: (("no_api", TRIES), ("no_api", TRIES), ("cut off", 1)),
    Fault.NO_FINISH: (("good", 1), ("good", 1), ("cut off", 1)),
    Fault.CHATTER: three("changed"),
    Fault.FENCED: three("changed"),
    Fault.TRAILING_COMMA: in_json("changed"),
    Fault.WRONG_TYPES: in_json("changed"),
    Fault.EXTRA_KEYS: in_json("changed"),
    Fault.THINKING: in_json("changed"),
    Fault.THINKING_UNOPENED: (("changed", 1), GOOD, ("cut off", 1)),
    Fault.REASONING_ONLY: (GOOD, ("unusable", 1), ("unusable", 1)),
    Fault.EMPTY: (("changed", 1), ("unusable", 1), ("unusable", 1)),
    Fault.REFUSAL: (("unusable", 1), ("unusable", 1), GOOD),
    Fault.CONTENT_FILTER: (("changed", 1), ("unusable", 1), ("unusable", 1)),
    Fault.LENGTH: (("changed", 1), ("changed", 1), ("cut off", 1)),
    Fault.SURROGATE: three("changed"),
    Fault.HUGE: (("unusable", 1), ("unusable", 1), ("cut off", 1)),
    Fault.SAME_WRONG: three("changed"),
    Fault.TOOLS_IGNORED: three("good"),
    Fault.NO_USAGE: three("good"),
}
CASES = [(fault, kind) for fault in Fault for kind in KINDS]
NEVER_IN_TIME = (Fault.HANG, Fault.LATE, Fault.STALL)
WORDS = {"PromptTooLong": "too long", "ReplyUnusable": "unusable", "ReplyCutOff": "cut off"}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(by_prompt, late=20.0) as running:
        yield running


async def answered(model: OpenAIModel, kind: str, budget: Budget) -> str:
    """The text of a reply of that kind."""
    if kind == "stream":
        return "".join([text async for text in model.stream(ask_for_story(), budget)])
    ask = ask_for_label() if kind == "json" else ask_for_story()
    return (await model.complete(ask, budget)).text


@pytest.mark.parametrize(("fault", "kind"), CASES, ids=[f"{fault.name}-{kind}" for fault, kind in CASES])
async def test_each_fault_comes_to_a_stated_end(server: FakeOpenAI, fault: Fault, kind: str) -> None:
    expected, requests = OUTCOMES[fault][KINDS.index(kind)]
    server.faults = fault
    server.forget()
    before = len(server.records)
    budget = Budget(seconds=20.0)
    patience = 0.1 if fault in NEVER_IN_TIME else 20.0
    async with connected(server, timeout=patience, chunk_timeout=patience, disable_thinking=True) as model:
        try:
            text = await answered(model, kind, budget)
            outcome = "good" if text == (LABEL_TEXT if kind == "json" else STORY) else "changed"
            text.encode()  # no half of a surrogate pair is left
        except ModelFailed as error:
            outcome = error.why
        except PdgfError as error:
            outcome = WORDS[type(error).__name__]
    sent = len(server.records) - before
    if fault in NEVER_IN_TIME:  # a slow machine may give a request up before the server has seen it
        sent = requests if sent <= requests else sent
    assert (outcome, sent) == (expected, requests)
    assert budget.usage().agent_calls == 1
    if fault is Fault.SERVER_DOWN:
        server.up()


@pytest.mark.parametrize("kind", every(3, KINDS))
async def test_after_any_fault_the_next_call_of_the_same_model_is_good(server: FakeOpenAI, kind: str) -> None:
    async with connected(server, retries=0) as model:
        for fault in Fault:
            server.faults = fault
            server.forget()
            with suppress(PdgfError):
                await answered(model, kind, Budget(seconds=0.2 if fault in NEVER_IN_TIME else 20.0))
            if fault is Fault.SERVER_DOWN:
                server.up()
            server.faults = None
            assert await answered(model, kind, Budget()) == (LABEL_TEXT if kind == "json" else STORY)


@pytest.mark.parametrize(("lasting", "expected"), [(False, (LABEL_TEXT, 1 + 2)), (True, ("no_api", 1 + TRIES))])
async def test_a_fault_of_one_request_is_got_over_and_one_that_lasts_meets_the_retries_too(
    lasting: bool, expected: tuple[str, int]
) -> None:
    async with (
        FakeOpenAI(by_prompt, faults={1: Fault.NULL_CHOICES}, lasting=lasting) as server,
        connected(server) as model,
    ):
        await model.complete(ask_for_story(), Budget())
        try:
            found = (await model.complete(ask_for_label(), Budget())).text
        except ModelFailed as error:
            found = error.why
    assert (found, len(server.records)) == expected


LOGIN_CANARY = "hunter2canary"
QUERY_CANARY = "querycanary77"


@pytest.mark.parametrize("kind", every(3, KINDS))
async def test_no_secret_gets_into_errors_logs_or_representations(
    server: FakeOpenAI, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """C56: a key in every place that takes one, every fault, everything that could be shown."""
    caplog.set_level(logging.DEBUG)
    shown: list[str] = []
    beneath: list[BaseException | None] = []
    settings = settings_for(server, retries=0)
    url = server.base_url.replace("http://", f"http://user:{LOGIN_CANARY}@") + f"?token={QUERY_CANARY}"
    for chosen in (settings, type(settings)(**{**settings.model_dump(), "base_url": url})):
        model = OpenAIModel(chosen)
        shown += [repr(model), str(model), model.id, repr(chosen), str(chosen), str(chosen.model_dump())]
        for fault in Fault:
            server.faults = fault
            server.forget()
            try:
                await answered(model, kind, Budget(seconds=0.1 if fault in NEVER_IN_TIME else 20.0))
            except PdgfError as error:
                shown += [str(error), repr(error), str(vars(error))]
                shown += traceback.format_exception(error)
                beneath += [error.__context__, error.__cause__]
            if fault is Fault.SERVER_DOWN:
                server.up()
        await model.aclose()
    shown += [record.getMessage() + str(record.__dict__) for record in caplog.records]
    assert beneath
    assert set(beneath) == {None}  # whose frames would hold requests
    sent = {record.headers.get("authorization", "") for record in server.records}
    assert f"Bearer {KEY}" in sent  # it was used,
    for canary in (KEY, LOGIN_CANARY, QUERY_CANARY):  # and never shown
        assert [text for text in shown if canary in text] == []
    assert [text for text in shown if STORY in text] == []  # nor were anyone's words

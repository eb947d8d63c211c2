"""A thousand payloads of every shape: good hits are kept, and nothing but SearchFailed is raised."""

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from pdgf.errors import SearchFailed
from pdgf.sources.search.pacing import Tries
from pdgf.sources.search.searxng import SearXNG
from pdgf.sources.search.serper import Serper
from pdgf.usage import Budget
from tests.pdgf.sources.search.servers import KEY
from tests.web.search_server import SearchServer

ONCE = Tries(retries=0)
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1.5,
    10**30,
    "",
    "x" * 600,
    "\ud800\x00",
    [],
    [[]],
    {},
    {"a": [None]},
    "no address",
)
BAD_LINKS: tuple[Any, ...] = (
    *ODD,
    "not an address",
    "ftp://a.example/",
    "//b.example",
    "http://u:p@b.example/",
    "http://[",
)
FIELDS = ("title", "snippet", "content", "date", "position", "sitelinks", "engine", "")

seeds = st.integers(min_value=0, max_value=2**32)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


def examples(number: int) -> settings:
    return settings(max_examples=number)


class Reader(NamedTuple):
    """An adapter at a server that sends what it is told to, and the names of the parts of its answers."""

    runner: asyncio.Runner
    server: SearchServer
    adapter: Serper | SearXNG
    results: str
    link: str

    def read(self, payload: Any, *, queries: int = 1) -> list[list[str]]:
        """The addresses that are found for each of so many queries when the payload answers them."""
        self.server.faults = json.dumps(payload).encode()
        asked = [f"query {number}" for number in range(queries)]
        found = self.runner.run(self.adapter.search(asked, language="en", budget=Budget()))
        return [[hit.url for hit in result.hits] for result in found]

    def answer(self, draw: random.Random) -> tuple[dict[str, Any], list[str]]:
        """An answer as a server might send it, and its good links in order, the first ten."""
        numbers = draw.sample(range(30), k=draw.randint(0, 12))
        results: list[Any] = []
        for number in numbers:
            results += [self._bad_result(draw) for _ in range(draw.randint(0, 2))]
            results.append({**_fields(draw), self.link: f"http://good.example/{number}"})
            results += [results[-1]] * draw.randint(0, 1)
        answer = {**_fields(draw), self.results: results}
        return answer, [f"http://good.example/{number}" for number in numbers[:10]]

    def _bad_result(self, draw: random.Random) -> Any:
        if draw.random() < 0.3:
            return draw.choice(ODD)
        return {**_fields(draw), **({self.link: draw.choice(BAD_LINKS)} if draw.random() < 0.7 else {})}


def _fields(draw: random.Random) -> dict[str, Any]:
    return {draw.choice(FIELDS): draw.choice(ODD) for _ in range(draw.randint(0, 4))}


@pytest.fixture(scope="module", params=["serper", "searxng"])
def reader(request: pytest.FixtureRequest) -> Iterator[Reader]:
    with SearchServer({}) as server, asyncio.Runner() as runner:
        adapter: Serper | SearXNG
        if request.param == "serper":
            adapter = Serper(SecretStr(KEY), base_url=server.url, tries=ONCE)
            reader = Reader(runner, server, adapter, results="organic", link="link")
        else:
            adapter = SearXNG(server.url, pause=0.0, tries=ONCE)
            reader = Reader(runner, server, adapter, results="results", link="url")
        yield reader
        runner.run(adapter.aclose())


@examples(350)
@given(seed=seeds)
def test_good_hits_among_bad_ones_are_kept_in_their_order(reader: Reader, seed: int) -> None:
    answer, good = reader.answer(random.Random(seed))
    assert reader.read(answer) == [good]


@examples(250)
@given(payload=anything, wrapped=st.sampled_from(["bare", "in the list", "as the list", "in a batch"]))
def test_whatever_is_sent_the_search_finds_or_fails(reader: Reader, payload: Any, wrapped: str) -> None:
    sent = {
        "bare": payload,
        "in the list": {reader.results: [payload]},
        "as the list": {reader.results: payload},
        "in a batch": [payload],
    }[wrapped]
    try:
        found: Any = reader.read(sent)
    except SearchFailed as error:
        found = error.why
    assert found in ([[]], "no_api")


@examples(100)
@given(seed=seeds)
@pytest.mark.parametrize("reader", ["serper"], indirect=True)
def test_in_a_batch_an_answer_that_is_none_costs_no_other(reader: Reader, seed: int) -> None:
    draw = random.Random(seed)
    answers, good = zip(*(reader.answer(draw) for _ in range(draw.randint(1, 4))), strict=True)
    odd = draw.choice([odd for odd in ODD if not isinstance(odd, dict)])
    assert reader.read([*answers, odd], queries=len(answers) + 1) == [*good, []]

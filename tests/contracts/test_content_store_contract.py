"""What every ContentStore promises, asked of the fake, of SQLite and of PostgreSQL."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dialogue.ports import ContentStore
from tests.contracts.stores import KINDS, a_store
from tests.fakes import MemoryContent


@pytest.fixture(params=["memory", *KINDS])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ContentStore]:
    if request.param == "memory":
        yield MemoryContent()
        return
    async with a_store(request.param, tmp_path) as opened:
        await opened.add(thread="thread", owner="someone", domain="movies")
        yield opened.content("thread")


@pytest.mark.parametrize("text", ["", "ramen", "日本語 🎉 \u200f", "a\x00b", "x" * 300_000])
async def test_a_text_comes_back_word_for_word(store: ContentStore, text: str) -> None:
    assert await store.get(await store.put(text)) == text


async def test_the_same_text_has_the_same_digest_and_another_text_another(store: ContentStore) -> None:
    assert await store.put("one") == await store.put("one")
    assert await store.put("one") != await store.put("two")
    assert await store.get(await store.put("one")) == "one"


async def test_an_unknown_digest_is_a_key_error(store: ContentStore) -> None:
    with pytest.raises(KeyError):
        await store.get("0" * 64)

"""What every place for kept replies promises, asked of a file and of PostgreSQL."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dialogue.postgres.database import Database
from dialogue.postgres.replies import SharedReplies
from pdgf.errors import StoreUnavailable
from pdgf.llm.kept_replies import FiledReplies, KeptReplies
from pdgf.llm.reply_cache import ReplyCache
from tests.contracts.stores import KINDS
from tests.postgres.serving import fresh_url


@pytest.fixture(params=KINDS)
async def replies(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[KeptReplies]:
    if request.param == "sqlite":
        filed = FiledReplies(tmp_path / "replies")
        yield filed
        await filed.close()
        return
    database = Database(fresh_url())
    yield SharedReplies(database)
    await database.close()


@pytest.mark.parametrize("text", ["", "安静 😀", "half \ud83d a pair", "NUL \x00 inside", "x" * 300_000])
async def test_any_text_comes_back_as_it_was(replies: KeptReplies, text: str) -> None:
    await replies.put("talk", "key", text)
    assert await replies.get("talk", "key") == text


async def test_a_reply_is_found_under_its_scope_and_key_only(replies: KeptReplies) -> None:
    await replies.put("talk", "key", "a reply")
    assert await replies.get("talk", "other") is None
    assert await replies.get("other", "key") is None
    await replies.put("talk", "key", "a better one")
    assert await replies.get("talk", "key") == "a better one"


async def test_a_forgotten_scope_is_gone_and_the_others_stay(replies: KeptReplies) -> None:
    for scope in ("one", "two"):
        await replies.put(scope, "key", scope)
    await replies.forget("one")
    assert await replies.get("one", "key") is None
    assert await replies.get("two", "key") == "two"


async def test_a_cache_over_it_makes_a_reply_once(replies: KeptReplies) -> None:
    made = 0

    async def make() -> str:
        nonlocal made
        made += 1
        return "made"

    cache = ReplyCache(replies)
    assert [await cache.shared("talk", "key", make) for _ in range(3)] == ["made"] * 3
    assert made == 1


async def test_old_replies_are_misses_and_go_with_the_next_sweep() -> None:
    database = Database(fresh_url())
    kept = SharedReplies(database, days=30, sweep=2)
    await kept.put("talk", "old", "x")
    await database.run("UPDATE replies SET stored = stored - interval '31 days'")
    assert await kept.get("talk", "old") is None
    await kept.put("talk", "new", "y")
    assert await database.rows("SELECT key FROM replies") == [("new",)]
    await database.close()


async def test_of_too_many_replies_the_oldest_go() -> None:
    database = Database(fresh_url())
    kept = SharedReplies(database, max_rows=3, sweep=1)
    for number in range(6):
        await kept.put("talk", str(number), "x")
    assert [await kept.get("talk", str(number)) for number in range(6)] == [None] * 3 + ["x"] * 3
    await database.close()


async def test_where_the_database_is_gone_a_reply_is_a_miss_and_only_forgetting_fails() -> None:
    database = Database("postgresql://nobody@127.0.0.1:1/none", patience=0.0)
    kept = SharedReplies(database)
    await kept.put("talk", "key", "x")
    assert await kept.get("talk", "key") is None
    with pytest.raises(StoreUnavailable):
        await kept.forget("talk")

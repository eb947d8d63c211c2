"""What every Store promises, asked of SQLite and of a real PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata, empty_checkpoint

from dialogue.past import config_of
from dialogue.seen_lists import SeenTitle
from dialogue.seen_store import MAX_KEPT
from dialogue.storing import Store, UnknownConversation, check_noted
from pdgf.errors import StoreDamaged, StoreUnavailable, UploadTooLarge
from tests.contracts.stores import KINDS, a_store

STEP: CheckpointMetadata = {"source": "loop", "step": 1, "parents": {}}


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with a_store(request.param, tmp_path) as opened:
        await opened.add(thread="t", owner="ann", domain="movies")
        yield opened


def holding(**values: object) -> Checkpoint:
    """A checkpoint with these values, all of them new."""
    made = empty_checkpoint()
    return {**made, "channel_values": values, "channel_versions": dict.fromkeys(values, f"1.{made['id']}")}


async def kept(store: Store, checkpoint: Checkpoint, thread: str = "t", after: str | None = None) -> str:
    """The id of a checkpoint, written after another one."""
    versions = checkpoint["channel_versions"]
    await store.checkpoints.aput(config_of(thread, after), checkpoint, STEP, versions)
    return checkpoint["id"]


async def test_a_conversation_comes_back_as_it_was_added(store: Store) -> None:
    row = await store.find("t")
    assert (row.thread, row.owner, row.title, row.domain) == ("t", "ann", "", "movies")
    assert row.created == row.updated
    assert await store.has("t")


@pytest.mark.parametrize("unknown", ["u", "", "T", "t ", "t\0", "t' OR '1'='1"])
async def test_what_was_not_added_is_unknown(store: Store, unknown: str) -> None:
    assert not await store.has(unknown)
    with pytest.raises(UnknownConversation):
        await store.find(unknown)
    assert await store.of_owner(unknown) == []


async def test_the_same_conversation_is_not_added_twice(store: Store) -> None:
    with pytest.raises(StoreUnavailable):
        await store.add(thread="t", owner="bob", domain="books")
    assert (await store.find("t")).owner == "ann"


async def test_its_first_words_become_its_title_and_later_ones_only_its_time(store: Store) -> None:
    await store.touch("t", "ramen")
    await store.touch("t", "more")
    row = await store.find("t")
    assert row.title == "ramen"
    assert row.updated > row.created


async def test_another_title_can_be_given_and_taken_away(store: Store) -> None:
    await store.rename("t", "Noodles 🍜")
    assert (await store.find("t")).title == "Noodles 🍜"
    await store.rename("t", "")
    await store.touch("t", "next words")
    assert (await store.find("t")).title == "next words"


async def test_what_is_unknown_cannot_be_changed(store: Store) -> None:
    for change in (store.touch("u", "x"), store.rename("u", "x"), store.note("u", "x"), store.noted("u")):
        with pytest.raises(UnknownConversation):
            await change


async def test_an_owner_finds_their_own_the_latest_first(store: Store) -> None:
    for thread, owner in (("a", "ann"), ("b", "bob"), ("c", "ann")):
        await store.add(thread=thread, owner=owner, domain="books")
    await store.touch("t", "again")
    assert [row.thread for row in await store.of_owner("ann")] == ["t", "c", "a"]


async def test_a_checkpoint_comes_back_with_all_it_holds(store: Store) -> None:
    values = {"words": "NUL \0 and 日本語", "many": ["a", {"b": [1, 2.5, None, True]}], "none": None, "count": 7}
    checkpoint = holding(**values)
    await kept(store, checkpoint)
    found = await store.checkpoints.aget_tuple(config_of("t", checkpoint["id"]))
    assert found is not None
    assert found.checkpoint["channel_values"] == values
    assert found.metadata["step"] == 1
    assert found.parent_config is None


async def test_a_value_that_did_not_change_is_found_at_the_next_checkpoint_too(store: Store) -> None:
    first = holding(one=["x"], other="y")
    await kept(store, first)
    second = holding(one=["x"], other="z")
    second["channel_versions"]["one"] = first["channel_versions"]["one"]
    config = config_of("t", first["id"])
    await store.checkpoints.aput(config, second, STEP, {"other": second["channel_versions"]["other"]})
    found = await store.checkpoints.aget_tuple(config_of("t"))
    assert found is not None
    assert found.checkpoint["channel_values"] == {"one": ["x"], "other": "z"}
    assert found.parent_config == config


async def test_the_newest_checkpoint_is_the_one_written_last_whatever_the_clock_said(store: Store) -> None:
    later, earlier = holding(turn=2), holding(turn=1)
    earlier["id"], later["id"] = sorted([earlier["id"], later["id"]])
    await kept(store, later)
    await kept(store, earlier, after=later["id"])  # by a computer whose clock is behind
    assert await store.newest_checkpoint("t") == earlier["id"]
    found = await store.checkpoints.aget_tuple(config_of("t"))
    assert found is not None
    assert found.checkpoint["channel_values"] == {"turn": 1}
    assert await store.newest_checkpoint("u") == ""
    assert await store.checkpoints.aget_tuple(config_of("u")) is None


async def test_what_was_written_after_a_checkpoint_is_found_with_it(store: Store) -> None:
    checkpoint = holding(turn=1)
    await kept(store, checkpoint)
    config = config_of("t", checkpoint["id"])
    await store.checkpoints.aput_writes(config, [("reply", "Yes."), ("items", ["p1"])], "task")
    found = await store.checkpoints.aget_tuple(config)
    assert found is not None
    assert found.pending_writes == [("task", "reply", "Yes."), ("task", "items", ["p1"])]


async def test_forgotten_checkpoints_are_gone_and_kept_ones_whole(store: Store) -> None:
    ids = []
    for number in range(4):
        checkpoint = holding(turn=number, same="s")
        checkpoint["channel_versions"]["same"] = "1"  # written once, and told of by all four
        ids.append(await kept(store, checkpoint))
    await store.add(thread="other", owner="ann", domain="movies")
    await kept(store, holding(turn=9), "other")
    await store.forget_checkpoints("t", keep=ids[1:3])
    assert [await store.has_checkpoint("t", each) for each in ids] == [False, True, True, False]
    for number in (1, 2):
        found = await store.checkpoints.aget_tuple(config_of("t", ids[number]))
        assert found is not None
        assert found.checkpoint["channel_values"] == {"turn": number, "same": "s"}
    assert await store.newest_checkpoint("other")


async def test_a_noted_checkpoint_that_is_missing_is_told(store: Store) -> None:
    there = await kept(store, holding(turn=1))
    await store.note("t", there)
    await check_noted(store, "t")
    assert await store.noted("t") == there
    await store.forget_checkpoints("t", keep=[])
    with pytest.raises(StoreDamaged):
        await check_noted(store, "t")
    await store.note("t", "")
    await check_noted(store, "t")


async def test_deleting_a_conversation_takes_all_of_it_and_nothing_of_others(store: Store) -> None:
    await store.add(thread="other", owner="ann", domain="movies")
    digests = {}
    for thread in ("t", "other"):
        await kept(store, holding(turn=1), thread)
        digests[thread] = await store.content(thread).put("the same text")
    await store.delete("t")
    assert not await store.has("t")
    assert await store.newest_checkpoint("t") == ""
    with pytest.raises(KeyError):
        await store.content("t").get(digests["t"])
    assert await store.content("other").get(digests["other"]) == "the same text"
    assert await store.newest_checkpoint("other")


async def test_known_titles_are_added_once_counted_and_forgotten(store: Store) -> None:
    heat, zero = SeenTitle(title="Heat", year=1995), SeenTitle(title="a NUL \0 film", year=None)
    first = await store.seen.add("ann", [heat, zero, heat])
    again = await store.seen.add("ann", [heat, SeenTitle(title="Alien", year=1979)])
    assert (first.added, first.known, first.total) == (2, 0, 2)
    assert (again.added, again.known, again.total) == (1, 1, 3)
    assert [(row.year, row.why) for row in await store.seen.of("ann")] == [
        (None, "seen"),
        (1979, "seen"),
        (1995, "seen"),
    ]
    assert await store.seen.of("bob") == ()
    await store.seen.drop("ann", [SeenTitle(title="alien", year=1979), SeenTitle(title="Alien", year=1986)])
    assert [row.title for row in await store.seen.of("ann")].count("Alien") == 0
    await store.seen.drop("bob", [heat])
    assert [row.year for row in await store.seen.of("ann")] == [None, 1995]
    await store.seen.forget("ann")
    assert await store.seen.of("ann") == ()


async def test_too_many_known_titles_are_refused_and_none_is_added(store: Store) -> None:
    many = [SeenTitle(title=f"Film {number}", year=None) for number in range(MAX_KEPT + 1)]
    with pytest.raises(UploadTooLarge):
        await store.seen.add("ann", many)
    assert await store.seen.of("ann") == ()
    assert (await store.seen.add("ann", many[1:])).total == MAX_KEPT


async def test_the_lock_of_a_conversation_is_free_again_after_a_failure(store: Store) -> None:
    with pytest.raises(RuntimeError):
        async with store.alone("t"):
            raise RuntimeError
    async with asyncio.timeout(5), store.alone("t"):
        await store.touch("t", "inside")


async def test_different_conversations_are_held_at_once(store: Store) -> None:
    async with asyncio.timeout(5), store.alone("t"), store.alone("another, not yet stored"):
        await store.touch("t", "inside")

"""What an owner knows already: kept for that owner alone, and in no list of theirs, whatever they ask for."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import TurnView
from dialogue.seen_lists import SeenTitle, read_seen_list
from dialogue.seen_store import MAX_KEPT, SeenCounts
from dialogue.store import FOLDER, ConversationStore
from pdgf.errors import UploadTooLarge
from pdgf.identity import name_key
from tests.dialogue.town import Town
from tests.opened import bundled

ROMANCE = "fantasy with romance as a subplot, shown through banter"
FIRST, SECOND = SeenTitle(title="Lantern Room"), SeenTitle(title="Salt Kettle")


def listed(*titles: str) -> list[SeenTitle]:
    return [SeenTitle(title=title) for title in titles]


def shown(view: TurnView) -> list[str]:
    return [item["title"] for item in view.items]


async def test_titles_are_kept_once_by_key_and_year(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        first = [
            SeenTitle(title="The Lantern", year=1999),
            SeenTitle(title="Moth"),
            SeenTitle(title="lantern", year=1999),
        ]
        assert await store.seen.add("ann", first) == SeenCounts(added=2, known=0, total=2)
        again = [SeenTitle(title="LANTERN", year=1999), SeenTitle(title="Lantern", year=2005)]
        assert await store.seen.add("ann", again) == SeenCounts(added=1, known=1, total=3)
        kept = [(row.title, row.year, row.why) for row in await store.seen.of("ann")]
        assert kept == [("Lantern", 2005, "seen"), ("Moth", None, "seen"), ("The Lantern", 1999, "seen")]
    async with ConversationStore(tmp_path) as store:
        assert len(await store.seen.of("ann")) == 3


async def test_a_list_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        await store.seen.add("ann", [FIRST])
        await store.seen.add("bob", [SECOND])
        assert [row.title for row in await store.seen.of("ann")] == ["Lantern Room"]
        assert await store.seen.of("a' OR '1'='1") == ()
        await store.seen.forget("ann")
        assert await store.seen.of("ann") == ()
        assert [row.title for row in await store.seen.of("bob")] == ["Salt Kettle"]


async def test_a_forgotten_list_leaves_no_byte_behind(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        await store.seen.add("ann", listed("Canarybird Unheardof", "Another"))
        await store.seen.forget("ann")
        found = [path for path in (tmp_path / FOLDER).iterdir() if b"anary" in path.read_bytes()]
    assert found == []


async def test_more_titles_than_an_owner_may_keep_are_refused_as_a_whole(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        await store.seen.add("ann", [FIRST])
        with pytest.raises(UploadTooLarge, match="50,000 titles"):
            await store.seen.add("ann", [SeenTitle(title=f"Film {number}") for number in range(MAX_KEPT)])
        assert [row.title for row in await store.seen.of("ann")] == ["Lantern Room"]


async def test_titles_that_look_like_commands_are_titles(tmp_path: Path) -> None:
    async with ConversationStore(tmp_path) as store:
        odd = listed("'); DROP TABLE seen; --", '{"$": "[0]"}', "=cmd", "null", "ünïcødé ☃")
        await store.seen.add("ann", odd)
        assert {row.title for row in await store.seen.of("ann")} == {title.title for title in odd}


async def test_no_list_of_the_owner_holds_what_is_known(town: Town) -> None:
    before = await town.say("a quiet place for ramen in the old harbour")
    assert {"Lantern Room", "Salt Kettle"} <= set(shown(before))
    await town.conversations.add_seen("someone", listed("the lantern room", "SALT KETTLE"))
    for utterance in ("more", "it should have parking", "too loud", "None of these", "more", "undo that"):
        assert {"Lantern Room", "Salt Kettle"}.isdisjoint(shown(await town.say(utterance))), utterance


async def test_what_was_shown_before_does_not_come_back_by_undoing(town: Town) -> None:
    first = await town.say("a quiet place for ramen in the old harbour")
    await town.say("it should have parking")
    await town.conversations.add_seen("someone", listed(shown(first)[0]))
    again = await town.say("undo that")
    assert shown(again) == shown(first)[1:]


async def test_the_list_of_somebody_else_changes_nothing(town: Town) -> None:
    await town.conversations.add_seen("somebody else", listed("Lantern Room", "Salt Kettle"))
    found = shown(await town.say("a quiet place for ramen in the old harbour"))
    assert {"Lantern Room", "Salt Kettle"} <= set(found)


async def test_why_it_is_not_on_the_list_is_told(town: Town) -> None:
    await town.conversations.add_seen("someone", listed("Lantern Room"))
    await town.say("a quiet place for ramen in the old harbour")
    assert "know" in (await town.say("why not Lantern Room?")).reply


@pytest.fixture
async def films(data_dir: Path, tmp_path: Path) -> AsyncIterator[Conversations]:
    async with Conversations(tmp_path, bundled(data_dir).ports) as conversations:
        yield conversations


async def recommended(conversations: Conversations, owner: str, domain: str = "movies") -> list[tuple[str, int | None]]:
    thread = await conversations.start(domain, owner)
    events = [event async for event in conversations.turn(thread, ROMANCE)]
    assert isinstance(events[-1], Finished)
    ranking = await conversations.recommendation(thread)
    assert ranking is not None
    return [(item.candidate.title, item.candidate.year) for item in ranking.items]


async def test_the_first_film_of_a_real_ranking_is_gone_once_it_is_on_the_list(films: Conversations) -> None:
    title, year = (await recommended(films, "ann"))[0]
    export = f"Date,Name,Year,Letterboxd URI\n2024-01-01,{title.upper()},{year},u\n".encode()
    counts = await films.add_seen("ann", read_seen_list(export, max_bytes=10_000).titles)
    assert counts.total == 1
    after = await recommended(films, "ann")
    assert after
    assert (title, year) not in after
    assert (await recommended(films, "bob"))[0] == (title, year)
    await films.forget_seen("ann")
    assert await films.seen_of("ann") == ()
    assert (await recommended(films, "ann"))[0] == (title, year)


async def test_another_year_is_another_film_and_no_year_is_any(films: Conversations) -> None:
    title, year = (await recommended(films, "ann"))[0]
    assert year is not None
    await films.add_seen("ann", [SeenTitle(title=title, year=year + 1)])
    assert (await recommended(films, "ann"))[0] == (title, year)
    await films.add_seen("ann", [SeenTitle(title=title)])
    assert title not in {found for found, _ in await recommended(films, "ann")}


async def test_a_list_counts_in_every_domain(films: Conversations) -> None:
    title = (await recommended(films, "ann", "books"))[0][0]
    await films.add_seen("ann", listed(title))
    for domain in ("books", "movies"):
        assert name_key(title) not in {name_key(found) for found, _ in await recommended(films, "ann", domain)}

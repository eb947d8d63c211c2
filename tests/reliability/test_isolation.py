"""Whose words turn up where: a small part of what `python -m tests.stress isolation` tries (RELIABILITY 4.6)."""

from pathlib import Path

from dialogue.ui.server import SERVER_KEY, kept_secret
from tests.reliability.crowd import CANARY, canary
from tests.reliability.isolation import intrusions, left_in, line, open_house, stored_words, talk
from tests.stress.isolation import deleted


async def test_nobody_is_shown_or_stored_or_asked_with_the_words_of_another(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        assert await talk(house, 3, 2) == []
        assert {canary(number) for number in range(3)} <= {
            word for row in house.model.records for word in CANARY.findall(row.text)
        }  # so that a crossing would be found


async def test_who_names_the_conversation_of_another_gets_nothing_of_it_and_changes_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        assert await intrusions(house, 18) == []


async def test_a_conversation_deleted_in_the_middle_of_a_turn_leaves_no_byte_of_it(tmp_path: Path) -> None:
    async with open_house(tmp_path, latency=0.1) as house:
        assert await deleted(house) == []


async def test_the_scan_finds_what_is_stored_compressed(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        visitor = house.visitor()
        await visitor.say(line(3, 0))
        thread = visitor.memory["threads"]["restaurants"]
        assert stored_words(house.folder)[thread] == {canary(3)}
        assert {"chats.sqlite3", "turns.sqlite3"} <= {
            name.removesuffix("-wal") for name in left_in(tmp_path, canary(3))
        }


def test_files_with_a_key_are_for_their_owner_alone(tmp_path: Path) -> None:
    kept_secret(tmp_path, SERVER_KEY)
    assert (tmp_path / SERVER_KEY).stat().st_mode & 0o077 == 0

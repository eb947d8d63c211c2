"""Every told conversation, with the built-in engine over the bundled catalogues, turn by turn."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from dialogue.conversation import Conversations
from dialogue.events import Finished
from dialogue.models import TurnView
from pdgf.catalogues.bundled import BUNDLED
from pdgf.catalogues.reading import CatalogueItem
from tests.catalogues import bundled_items
from tests.conversations.expectations import faults, filled, read_told
from tests.opened import bundled

STORIES = sorted(Path(__file__).parent.glob("*.toml"))
Items = Mapping[str, CatalogueItem]


@pytest.fixture(scope="module")
def items() -> Items:
    """Those of every domain, for a talk may change domains."""
    return {item.id: item for name in BUNDLED for item in bundled_items(name)}


@pytest.mark.long
@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
async def test_a_careful_person_would_call_every_turn_sensible(
    path: Path, items: Items, data_dir: Path, tmp_path: Path
) -> None:
    told = read_told(path)
    views: list[TurnView] = []
    shown: list[str] = []
    wrong: list[str] = []
    async with Conversations(tmp_path, bundled(data_dir).ports) as conversations:
        thread = await conversations.start(told.domain, "someone")
        for number, expected in enumerate(told.turns, start=1):
            said = filled(expected.say, shown)
            [*_, last] = [event async for event in conversations.turn(thread, said)]
            assert isinstance(last, Finished)
            wrong += [f"{number} {said!r}: {f}" for f in faults(last.view, expected, views, items, shown)]
            views.append(last.view)
            shown = [items[item].title for item in last.view.standing] or shown
    assert not wrong, "\n".join(wrong)


def test_there_are_twelve_conversations_of_six_turns_and_more_in_every_domain() -> None:
    told = [read_told(path) for path in STORIES]
    assert len(told) >= 12
    assert all(len(conversation.turns) >= 6 for conversation in told)
    assert {conversation.domain for conversation in told} == {"movies", "books", "anime", "restaurants"}

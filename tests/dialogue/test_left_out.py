"""Words of which no wish could be made are named to whoever said them, once (METHOD 4.2)."""

from pathlib import Path

from dialogue.conversation import Conversations
from dialogue.events import Finished
from tests.opened import bundled


async def test_what_was_not_understood_is_named_in_the_turn_that_said_it(data_dir: Path) -> None:
    notes = []
    async with Conversations(data_dir, bundled(data_dir).ports) as conversations:
        thread = await conversations.start("movies", "somebody")
        for text in ("A funny film. People would stay.", "And slow.", "想看轻松的喜剧。父亲，一位老渔夫。"):
            events = [event async for event in conversations.turn(thread, text)]
            assert isinstance(events[-1], Finished)
            notes.append([note for note in events[-1].view.notes if "I left out" in note or "没有用上" in note])
    first, second, third = notes
    assert len(first) == 1
    assert '"People would stay"' in first[0]
    assert second == []
    assert len(third) == 1
    assert "「一位老渔夫」" in third[0]

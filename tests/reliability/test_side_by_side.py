"""Visitors at once: nobody waits for another's turn, and nobody is shown another's words (C37, C40)."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from dialogue.events import Event
from dialogue.ui.server import TURNS_AT_ONCE, create_app
from tests.browser.fake_conversations import DOMAINS, FakeConversations
from tests.reliability.serving import PATIENCE, serving

VISITORS = 6


class Meeting(FakeConversations):
    """Conversations whose turns go on only once as many run side by side as there are visitors."""

    def __init__(self) -> None:
        super().__init__(pace=0)
        self._met = asyncio.Barrier(VISITORS)

    async def turn(self, thread_id: str, utterance: str, **how: Any) -> AsyncIterator[Event]:
        async with asyncio.timeout(PATIENCE):
            await self._met.wait()
        async for event in super().turn(thread_id, utterance, **how):
            yield event


async def test_c37_c40_many_first_messages_run_side_by_side_and_each_shows_its_own_words_alone(tmp_path: Path) -> None:
    assert VISITORS < TURNS_AT_ONCE
    conversations: Any = Meeting()
    app = create_app(conversations, domains=DOMAINS, data_dir=tmp_path)
    async with serving(app) as page:
        event = page.event("say")
        words = [f"canary{number:02d}" for number in range(VISITORS)]
        answers = await asyncio.gather(
            *(page.answer(event, page.filled(event, browserstate=None, message=word)) for word in words)
        )
        owners = [re.findall(r'"owner": ?"([^"]+)"', answer)[0] for answer in answers]
        for word, answer, owner in zip(words, answers, owners, strict=True):
            assert "The Lantern Road" in answer
            assert set(re.findall(r"canary\d\d", answer)) == {word}
            reloaded = page.event("open_page")
            memory = {"owner": owner, "domain": "movies", "threads": {"movies": threads_of(answer)}}
            again = await page.answer(reloaded, page.filled(reloaded, browserstate=memory))
            assert set(re.findall(r"canary\d\d", again)) == {word}
    assert len(set(owners)) == VISITORS
    assert len(conversations.rows) == VISITORS


def threads_of(answer: str) -> str:
    """The conversation that a browser is given to remember."""
    return re.findall(r'"threads": ?\{"movies": ?"([^"]+)"\}', answer)[0]

"""A page that is closed in the middle of a turn: the turn ends with what it has, and is stored."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from dialogue.ui import runs
from tests.browser.conftest import Visitor
from tests.browser.fake_conversations import STORY, PatientConversations

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def conversations() -> Iterator[PatientConversations]:
    with pytest.MonkeyPatch.context() as shorter:
        shorter.setattr(runs, "GRACE", 1.5)
        yield PatientConversations()


async def test_a_closed_page_ends_its_turn_after_a_while_and_the_turn_is_found_again(
    conversations: PatientConversations, visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await visitor.write(STORY)
    await expect(visitor.page.locator("#chat")).to_contain_text("So far")
    await visitor.page.wait_for_timeout(3000)  # twice the grace: somebody watches
    assert not conversations.bidden.is_set()
    await visitor.page.close()
    await asyncio.wait_for(conversations.bidden.wait(), 15)
    again = await visitor.context.new_page()
    await again.goto(served_page)
    await expect(again.locator("article.card")).to_have_count(3)
    await expect(again.locator("#chat .user-row")).to_contain_text(STORY)

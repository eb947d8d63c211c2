"""Nothing that is said, found or read comes alive on the page or in an export (LLM05); all payloads: tests/stress."""

import pytest

from tests.browser.conftest import Visitor
from tests.fuzz.payloads import payloads
from tests.fuzz.shown import HostileConversations, came_alive, ran

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def conversations() -> HostileConversations:
    return HostileConversations()


async def test_no_payload_in_any_place_runs_or_asks_an_outside_host(
    visitor: Visitor, served_page: str, conversations: HostileConversations
) -> None:
    batch = list(payloads())
    assert len(set(batch)) >= 300
    assert await came_alive(visitor, served_page, conversations, batch[::40]) == []
    await visitor.page.set_content(batch[0])  # as it would be without a word of ours
    assert await ran(visitor, "raw") == ["raw: a script ran"]

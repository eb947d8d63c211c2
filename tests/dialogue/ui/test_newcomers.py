"""Whoever opens the page is one visitor from its first event on, whatever comes before the browser is told."""

from dialogue.ui.desk import recall
from dialogue.ui.newcomers import MOST, SECONDS, Newcomers
from tests.browser.fake_conversations import FakeConversations
from tests.dialogue.ui.test_visits import desk_over


def test_events_that_come_before_the_browser_knows_its_owner_have_the_same_one() -> None:
    desk = desk_over(FakeConversations())
    first = recall(desk, desk.claimed(None, None, "tab")).owner
    assert recall(desk, desk.claimed(None, None, "tab")).owner == first
    assert recall(desk, desk.claimed({"domain": "movies"}, None, "tab")).owner == first
    assert recall(desk, desk.claimed(None, None, "another")).owner != first


def test_what_else_a_browser_remembers_is_kept() -> None:
    desk = desk_over(FakeConversations())
    assert recall(desk, desk.claimed({"own_only": True}, None, "tab")).own_only


def test_a_page_names_no_owner_once_its_browser_knows_it() -> None:
    desk = desk_over(FakeConversations())
    first = recall(desk, desk.claimed(None, None, "tab")).owner
    known = {"owner": first}
    assert desk.claimed(known, None, "tab") is known
    assert recall(desk, desk.claimed(None, None, "tab")).owner != first


def test_an_event_of_no_page_is_a_new_visitors() -> None:
    newcomers = Newcomers()
    assert newcomers.owner("") != newcomers.owner("")


def test_pages_that_were_never_heard_of_again_are_forgotten() -> None:
    now = 0.0
    newcomers = Newcomers(lambda: now)
    owners = [newcomers.owner(f"tab {number}") for number in range(MOST + 1)]
    assert newcomers.owner(f"tab {MOST}") == owners[-1]
    assert newcomers.owner("tab 0") != owners[0]  # the oldest made room
    now = SECONDS + 1
    assert newcomers.owner(f"tab {MOST}") != owners[-1]

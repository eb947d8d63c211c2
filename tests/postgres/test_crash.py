"""A process that is killed in mid-turn; another one, over the same database, goes on with the conversation."""

from tests.postgres.killing import killed_at_exchange
from tests.postgres.serving import fresh_url

STEP = 41  # every so many exchanges with the database


def test_a_kill_before_an_exchange_loses_no_message_that_was_taken_and_doubles_no_reply() -> None:
    number, killed = 3, True
    while killed:
        outcome = killed_at_exchange(fresh_url(), number)
        assert not outcome.fault, f"at exchange {number}"
        killed, number = outcome.killed, number + STEP
    assert number > 4 * STEP

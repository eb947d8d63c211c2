"""Three processes over one database, a hundred chats, and one of the processes killed twice."""

from pathlib import Path

import pytest

from tests.postgres.replicas import talked
from tests.postgres.serving import fresh_url

CHATS = 100
UTTERANCES = ("ramen in Old Harbour", "quiet please", "with parking")


@pytest.mark.long
async def test_no_acknowledged_message_is_lost_and_no_reply_doubled_while_processes_are_killed(tmp_path: Path) -> None:
    came = await talked(fresh_url(), tmp_path, chats=CHATS, utterances=UTTERANCES, kills=2, at_once=12)
    assert came.broken > 0  # else the kills have hit nothing
    assert came.answered == [list(UTTERANCES)] * CHATS
    assert came.finished == came.answered
    assert all(came.served)  # the proxy has led somebody to each
    assert sum(came.served) <= CHATS * len(UTTERANCES)  # what the killed ones had counted is gone with them
    assert came.searches >= CHATS  # counted together, by the killed ones too

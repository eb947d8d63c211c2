"""Three processes over one database, up to a hundred chats, and one of the processes killed twice."""

from pathlib import Path

import pytest

from tests.postgres.replicas import talked
from tests.postgres.serving import fresh_url
from tests.variants import every

UTTERANCES = ("ramen in Old Harbour", "quiet please", "with parking")


@pytest.mark.parametrize("chats", every(2, [30, 100]))
async def test_no_acknowledged_message_is_lost_and_no_reply_doubled_while_processes_are_killed(
    tmp_path: Path, chats: int
) -> None:
    came = await talked(fresh_url(), tmp_path, chats=chats, utterances=UTTERANCES, kills=2, at_once=12)
    assert came.broken > 0  # else the kills have hit nothing
    assert came.answered == [list(UTTERANCES)] * chats
    assert came.finished == came.answered
    assert all(came.served)  # the proxy has led somebody to each
    assert sum(came.served) <= chats * len(UTTERANCES)  # what the killed ones had counted is gone with them
    assert came.searches >= chats  # counted together, by the killed ones too

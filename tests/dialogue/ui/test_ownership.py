"""Whose conversations an event touches: decided by the login on the server, whatever the browser says it remembers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest
from starlette.testclient import TestClient

from dialogue.owned import LOCAL_OWNER
from dialogue.ui.desk import Claimed, believable, recall
from dialogue.ui.login import COOKIE, Login, owner_of
from dialogue.ui.server import BROWSER_KEY, SERVER_KEY, create_app
from tests.browser.fake_conversations import DOMAINS, FakeConversations
from tests.dialogue.ui.test_visits import desk_over

USERS = {"ann": "secret", "bob": "other"}
SAID = "a quiet film"
CANARY = "for ann alone"  # in the reply and in the title


@dataclass(frozen=True, kw_only=True)
class Served:
    """A page with a login, and what ann has said there."""

    client: TestClient
    conversations: FakeConversations
    config: dict[str, Any]
    thread: str
    owner: str
    private: str

    def events(self) -> list[dict[str, Any]]:
        """Every event that is sent what the browser remembers."""
        (memory,) = [row["id"] for row in self.parts() if row["type"] == "browserstate"]
        return [row for row in self.config["dependencies"] if memory in row["inputs"] and row["backend_fn"]]

    def parts(self) -> list[dict[str, Any]]:
        """The components of the page."""
        return list(self.config["components"])

    def sent(self, user: str, event: dict[str, Any], data: Any, words: str = "x") -> str:
        """What the server answers to an event with the memory of ann's browser."""
        memory = {"owner": self.owner, "domain": "movies", "threads": {"movies": self.thread}}
        values = {row["id"]: words if row["type"] == "textbox" else row["props"].get("value") for row in self.parts()}
        inputs = [memory, *(values[at] for at in event["inputs"][1:])]
        session = f"{user}-{event['id']}-{abs(hash(json.dumps(data)))}"
        body = {"data": inputs, "event_data": data, "fn_index": event["id"], "session_hash": session}
        auth = (user, USERS[user])
        assert self.client.post("/gradio_api/queue/join", json=body, auth=auth).status_code == 200
        return self.client.get("/gradio_api/queue/data", params={"session_hash": session}, auth=auth).text


@pytest.fixture
def served(tmp_path: Any) -> Iterator[Served]:
    conversations = FakeConversations(pace=0)
    app = create_app(conversations, domains=DOMAINS, data_dir=tmp_path, users=USERS)  # type: ignore[arg-type]
    private = (tmp_path / SERVER_KEY).read_text()
    owner = owner_of("ann", private)
    with TestClient(app) as client:
        auth = ("ann", USERS["ann"])
        call = client.post("/gradio_api/call/chat", json={"data": [SAID, "", "", ""]}, auth=auth).json()
        client.get(f"/gradio_api/call/chat/{call['event_id']}", auth=auth)
        (thread,) = conversations.rows
        assert conversations.rows[thread].owner == owner
        row, (view,) = conversations.rows[thread], conversations.views[thread]
        conversations.rows[thread] = row.model_copy(update={"title": CANARY})
        conversations.views[thread] = [view.model_copy(update={"reply": CANARY})]
        config = client.get("/config", auth=auth).json()
        yield Served(
            client=client, conversations=conversations, config=config, thread=thread, owner=owner, private=private
        )


def datas(thread: str) -> list[dict[str, Any]]:
    """What buttons of the page send: each goes to every event, which takes what it knows."""
    message = {"index": 0, "value": SAID, "previous_value": SAID}
    said = [{"say": f"{verb} {thread}", "text": "stolen"} for verb in ("open", "markdown", "json", "name", "delete")]
    return [{**message, **data} for data in (*said, {}, {"edit": {"act": "drop", "node": "n0"}}, {"node": "n0"})]


def test_no_event_believes_a_browser_that_names_another_owner(served: Served) -> None:
    rows, views = dict(served.conversations.rows), list(served.conversations.views[served.thread])
    assert len(served.events()) > 15
    for event in served.events():
        for data in datas(served.thread):
            answer = served.sent("bob", event, data)
            assert "process_completed" in answer, (event["api_name"], data, answer)
            assert CANARY not in answer, (event["api_name"], data)
            assert served.owner not in answer, (event["api_name"], data)
    assert served.conversations.rows[served.thread] == rows[served.thread]
    assert served.conversations.views[served.thread] == views
    assert {row.owner for row in served.conversations.rows.values()} == {served.owner, owner_of("bob", served.private)}


def test_the_same_events_serve_the_owner_herself(served: Served) -> None:
    events = {event["api_name"]: event for event in served.events()}
    for name in ("open_page", "anew", "act", "say"):
        assert CANARY in served.sent("ann", events[name], datas(served.thread)[0]), name


@pytest.mark.parametrize("owner", ["", "ann's"])
def test_the_endpoint_for_programs_asks_the_login_and_not_the_program(served: Served, owner: str) -> None:
    data = ["more", served.thread, "", owner and served.owner]
    auth = ("bob", USERS["bob"])
    call = served.client.post("/gradio_api/call/chat", json={"data": data}, auth=auth).json()
    answer = served.client.get(f"/gradio_api/call/chat/{call['event_id']}", auth=auth).text
    assert "I do not know this conversation" in answer
    assert len(served.conversations.views[served.thread]) == 1


def test_nothing_that_the_page_tells_its_visitors_proves_who_somebody_is(served: Served, tmp_path: Any) -> None:
    told = [*strings(served.config), (tmp_path / BROWSER_KEY).read_text()]
    assert told[-1] in told[:-1]  # the page does tell the key that seals what browsers remember
    assert not any(served.private in word for word in told)
    assert served.owner not in {owner_of("ann", word) for word in told}
    for word in told:
        forged = Login(None, USERS, word)._signed("ann")  # type: ignore[arg-type]
        headers = {"cookie": f"{COOKIE}={forged}"}
        if word == told[-1]:
            assert served.client.get("/config", headers=headers).status_code == 401
        assert Login(None, USERS, served.private)._checked(forged) is None  # type: ignore[arg-type]


def strings(value: Any) -> list[str]:
    """Every string of a JSON value."""
    if isinstance(value, str):
        return [value]
    rows = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [word for row in rows for word in strings(row)]


def test_where_there_is_a_login_a_memory_that_nobody_checked_is_nobodys() -> None:
    desk = replace(desk_over(FakeConversations()), owner_of=partial(owner_of, secret="secret"))  # noqa: S106
    ann = {"owner": owner_of("ann", "secret"), "domain": "movies", "threads": {"movies": "t"}}
    assert (recall(desk, ann).owner == ann["owner"], recall(desk, ann).threads) == (False, {})
    assert recall(desk, desk.claimed(ann, "ann")).threads == {"movies": "t"}
    unknown = recall(desk, desk.claimed(ann, None))
    assert (unknown.owner == ann["owner"], unknown.threads) == (False, {})
    assert isinstance(desk.claimed(None, "ann"), Claimed)
    assert desk.owner(None) not in (None, desk.owner(None))


@pytest.mark.parametrize("owner", [LOCAL_OWNER, "a\ud800", "a\x00"])
def test_no_visitor_can_be_the_command_line_or_have_a_key_that_cannot_be_stored(owner: str) -> None:
    desk = desk_over(FakeConversations())
    assert recall(desk, {"owner": owner, "domain": "movies", "threads": {}}).owner != owner
    assert not believable(owner)

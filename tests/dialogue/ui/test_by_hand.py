"""What a browser sends about an edit is looked up in the last turn and never believed."""

from typing import Any

import pytest

from dialogue.edits import Act, Edit
from dialogue.events import Finished
from dialogue.models import Action, ConstraintValue, DialogueState, GraphChange, ItemRef, TurnView
from dialogue.ui.by_hand import Refused, read
from dialogue.ui.graph_editor import what_if
from dialogue.ui.panels import graph_after, news_of, picks_of
from dialogue.ui.texts import page_texts
from tests.dialogue.town import Town

TEXTS = page_texts()


def view(*nodes: str, hard: tuple[str, ...] = (), **more: Any) -> TurnView:
    rows = [
        {"id": name, "atom": "a", "perspective": "tone", "instantiation": f"wish {name}", "hard": name in hard}
        for name in nodes
    ]
    change = {"graph": {"nodes": rows, "order": list(nodes)} if nodes else {}, **more.pop("change", {})}
    told = {"utterance": "words", "action": Action.RECOMMEND, "state": DialogueState(), "reply": "reply", **more}
    return TurnView(graph=GraphChange.model_validate(change), **told)


STATE = DialogueState(
    soft_constraints={"others": (ConstraintValue(text="Parking", span=(1, 0, 7)),)},
    rejected_items=(ItemRef(id="p1", title="Lantern Room"),),
)
VIEWS = [view("n0", "n1", state=STATE)]


@pytest.mark.parametrize(
    ("sent", "edit"),
    [
        ({"act": "drop", "node": "n1"}, Edit(act=Act.DROP, node="n1", text="wish n1")),
        ({"act": "avoid", "node": "n0", "text": "lies"}, Edit(act=Act.AVOID, node="n0", text="wish n0")),
        (
            {"act": "reword", "node": "n0", "words": "slow"},
            Edit(act=Act.REWORD, node="n0", text="wish n0", words="slow"),
        ),
        ({"act": "must", "key": "others", "text": "parking"}, Edit(act=Act.MUST, key="others", text="Parking")),
        (
            {"act": "forget", "key": "rejected_items", "item": "p1", "text": "lies"},
            Edit(act=Act.FORGET, key="rejected_items", item="p1", text="Lantern Room"),
        ),
    ],
)
def test_what_was_sent_becomes_an_edit_in_the_words_of_the_turn(sent: dict[str, str], edit: Edit) -> None:
    assert read(sent, VIEWS, TEXTS) == edit


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "drop",
        {},
        {"act": "add", "key": "others", "words": "x"},
        {"act": "explode", "node": "n0"},
        {"act": "drop", "node": "n9"},
        {"act": "drop", "node": ["n0"]},
        {"act": "forget", "node": "n0"},
        {"act": "drop", "key": "others", "text": "dragons"},
        {"act": "avoid", "key": "others", "text": "parking"},
        {"act": "forget", "key": "hard_constraints", "item": "p1"},
        {"act": "forget", "key": "rejected_items", "item": "p9"},
    ],
)
def test_what_names_nothing_of_the_turn_is_refused(sent: Any) -> None:
    with pytest.raises(Refused, match="not among your wishes"):
        read(sent, VIEWS, TEXTS)


@pytest.mark.parametrize(
    ("words", "why"), [("", "few words"), (" . ", "few words"), ("x" * 201, "too long"), (" Wish N0", "different")]
)
def test_other_words_must_be_some_and_other_ones(words: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read({"act": "reword", "node": "n0", "words": words}, VIEWS, TEXTS)


def test_the_first_graph_is_no_news_and_later_ones_say_what_changed() -> None:
    first = view("n0", "n1", change={"added": ("n0", "n1")})
    later = view("n0", "n2", hard=("n0",), change={"added": ("n2",), "removed": ("n1",), "kept": 1})
    asked = view("n0", "n2", hard=("n0",), change={"kept": 2}, action=Action.ANSWER)
    assert news_of([first]).added == ()
    news = news_of([first, later])
    assert (news.added, news.changed, news.gone) == (["n2"], ["n0"], ["wish n1"])
    news = news_of([first, later, asked])
    assert not (*news.added, *news.changed, *news.gone)


def test_once_the_last_wish_is_gone_graph_and_picks_are_empty() -> None:
    emptied = view(change={"removed": ("n0", "n1")}, action=Action.REQUEST_INFORMATION)
    listed = view("n0", "n1", items=({"id": "p1"},))
    assert not graph_after([listed, emptied]).nodes
    assert picks_of([listed, emptied]) == (None, ())
    assert picks_of([listed])[0] is listed


async def test_what_would_be_without_a_wish_is_what_dropping_it_brings(town: Town) -> None:
    before = await town.say("quieter ramen in Old Harbour, with parking, vegan")
    found = await town.conversations.recommendation(town.thread)
    assert found is not None
    changes = []
    for node in before.graph.graph["nodes"]:
        told = what_if(found, node["id"], before.state, first=3)
        edit = Edit(act=Act.DROP, node=node["id"], text=node["instantiation"])
        ended = [event async for event in town.conversations.edit(town.thread, [edit])][-1]
        assert isinstance(ended, Finished)
        old, new = ([item["title"] for item in shown.items] for shown in (before, ended.view))
        assert told is not None
        assert told.certain
        assert list(told.enters) == [title for title in new if title not in old]
        assert list(told.leaves) == [title for title in old if title not in new]
        changes.append(bool(told.enters))
        await town.conversations.undo(town.thread)
    assert set(changes) == {True, False}
    assert what_if(found, "unknown", before.state, first=3) is None

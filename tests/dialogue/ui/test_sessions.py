import copy
import json
import uuid
from functools import cache
from typing import Any

import gradio as gr
import pytest
from gradio.blocks import BlocksConfig
from gradio.state_holder import SessionState
from hypothesis import given
from hypothesis import strategies as some

from dialogue.ui.sessions import SparsePage, share_descriptions


def _page() -> gr.Blocks:
    with gr.Blocks() as page:
        box = gr.Textbox("first", label="Words", elem_id="box")
        shown = gr.HTML("<p>shown</p>")
        gr.Chatbot(label="Talk")
        gr.Button("Send").click(lambda words: words, box, shown)
    return page


def test_a_session_describes_the_parts_as_gradio_does() -> None:
    page = _page()
    theirs = SessionState(page).config_values
    share_descriptions(page)
    assert SessionState(page).config_values == theirs


def test_what_one_session_changes_no_other_sees() -> None:
    page = _page()
    share_descriptions(page)
    one, other = SessionState(page), SessionState(page)
    box = next(number for number, block in page.blocks.items() if block.elem_id == "box")
    one._update_value_in_config(box, "mine")
    one[box] = gr.Textbox(label="Mine", render=False)
    assert other.config_values[box]["props"]["value"] == "first"
    assert other[box].label == "Words"
    assert SessionState(page).config_values[box]["props"]["value"] == "first"


def test_no_session_keeps_what_its_parts_show() -> None:
    page = _page()
    share_descriptions(page)
    session, shown = SessionState(page), "word " * 1_000
    for number in page.blocks:
        session._update_value_in_config(number, shown)
    box = next(number for number, block in page.blocks.items() if block.elem_id == "box")
    session[box] = gr.Textbox(label="Mine", render=False)
    session._update_config(box)
    session._update_value_in_config(box, shown)
    assert shown not in repr(session.config_values)
    assert session.config_values[box]["props"]["label"] == "Mine"


def test_a_part_that_was_replaced_is_described_anew() -> None:
    page = _page()
    share_descriptions(page)
    session = SessionState(page)
    box = next(number for number, block in page.blocks.items() if block.elem_id == "box")
    new = gr.Textbox(label="New", render=False)
    described = session.blocks_config.config_for_block(box, [], new)
    assert described == BlocksConfig.config_for_block(box, [], new)
    assert described["props"]["label"] == "New"


def test_events_and_parts_of_a_copy_are_the_pages_own() -> None:
    page = _page()
    share_descriptions(page)
    copied = copy.copy(page.default_config)
    assert copied.fns == page.fns
    assert copied.blocks == page.blocks
    assert copied.blocks is not page.blocks


CHANGES: list[dict[str, Any]] = [
    {},
    {"box": "new"},
    {"box": gr.skip()},
    {"chat": [{"role": "user", "content": "Hello"}], "go": gr.update(visible="hidden")},
    {"shown": "<p>new</p>", "box": gr.skip(), "choice": gr.update(choices=["b", "c"], value="c")},
]


def _named(page: gr.Blocks) -> dict[str, gr.Blocks]:
    with page:
        parts = {
            "box": gr.Textbox("first"),
            "shown": gr.HTML("<p>shown</p>"),
            "chat": gr.Chatbot(),
            "choice": gr.Radio(["a", "b"]),
            "go": gr.Button("Go"),
        }
        parts["go"].click(lambda: None, None, list(parts.values()))
    return parts


@pytest.mark.parametrize("changes", CHANGES)
async def test_a_mapping_of_changes_comes_to_what_gradio_makes_of_it(changes: dict[str, Any]) -> None:
    made = []
    for page in (gr.Blocks(), SparsePage()):
        parts = _named(page)
        given = {parts[name]: copy.deepcopy(value) for name, value in changes.items()} or {parts["box"]: gr.skip()}
        made.append(await page.postprocess_data(next(iter(page.fns.values())), given, SessionState(page)))
    for row in made[0]:  # Gradio takes the word that a change is none for a property of what is HTML
        if isinstance(row, dict) and row.get("props") == gr.skip():
            del row["props"]
    assert made[0] == made[1]


async def test_parts_that_nobody_has_changed_are_not_built_again() -> None:
    page = SparsePage()
    parts = _named(page)
    session = SessionState(page)
    await page.postprocess_data(next(iter(page.fns.values())), {parts["box"]: gr.update(label="New")}, session)
    built = [name for name, part in parts.items() if session[part._id] is not part]
    assert built == ["box"]


async def test_a_change_of_a_part_that_the_event_does_not_name_is_a_fault() -> None:
    page = SparsePage()
    parts = _named(page)
    with page:
        other = gr.Textbox()
    with pytest.raises(ValueError, match="not specified"):
        await page.postprocess_data(next(iter(page.fns.values())), {other: "x", parts["box"]: "y"}, SessionState(page))


WORDS = some.text("ab", max_size=2)
SENT = some.recursive(
    some.none() | some.booleans() | some.integers(0, 2) | WORDS,
    lambda below: some.lists(below, max_size=3) | some.dictionaries(WORDS, below, max_size=3),
    max_leaves=6,
)


def edited(value: Any, edits: list[list[Any]]) -> Any:
    """What a browser makes of the edits of a value, in the value itself where there is something to edit."""
    for kind, path, new in edits:
        if not path:
            value = value + new if kind == "append" else new
            continue
        *above, last = path
        inner = value
        for step in above:
            inner = inner[step]
        if kind == "delete":
            del inner[last]
        elif kind == "add" and isinstance(inner, list):
            inner.insert(last, new)
        else:
            inner[last] = inner[last] + new if kind == "append" else new
    return value


@cache
def _page_of_three() -> SparsePage:
    with SparsePage() as page:
        parts = [gr.HTML() for _ in range(3)]
        gr.Button().click(lambda: None, None, parts)
    return page


@given(some.lists(some.lists(SENT, min_size=3, max_size=3), min_size=1, max_size=4))
def test_an_object_that_was_sent_is_not_edited_by_what_is_sent_later(updates: list[list[Any]]) -> None:
    page, run = _page_of_three(), uuid.uuid4().hex
    [event] = page.fns.values()
    shown: list[Any] = []
    for number, update in enumerate(updates):
        sent = json.loads(json.dumps(page.handle_streaming_diffs(event, list(update), "tab", run, final=False)))
        before = [part for part in shown if isinstance(part, dict)]
        kept = copy.deepcopy(before)
        shown = [edited(part, edits) for part, edits in zip(shown, sent, strict=True)] if number else sent
        assert shown == update
        assert before == kept
    assert page.handle_streaming_diffs(event, [None] * 3, "tab", run, final=True) == updates[-1]

import copy

import gradio as gr
from gradio.blocks import BlocksConfig
from gradio.state_holder import SessionState

from dialogue.ui.sessions import share_descriptions


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

"""What Gradio makes anew for every visitor or at every change, made once or not at all.

At a visitor's first event Gradio describes each part of the page for a feature that this page does not have (deep
links), about ten milliseconds of work that everybody who comes at the same time waits for in line, and from then on it
keeps what each part shows, some 300 kB for a conversation, long after the visitor has gone. At every change it builds
each part anew that the event might have changed, whether it did or not. And it describes a change by edits of what it
has sent before, which does not hold for objects.
"""

import copy
from collections.abc import Mapping
from typing import Any

import gradio as gr
from gradio.block_function import BlockFunction
from gradio.blocks import Block, BlocksConfig
from gradio.state_holder import SessionState

SESSIONS = 2_000  # tabs of which a process remembers what they have brought; the browser knows all else


class SparsePage(gr.Blocks):  # type: ignore[misc]
    """A page whose events name many parts and change few of them at a time, as a mapping of parts to values."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.state_session_capacity = SESSIONS

    async def postprocess_data(
        self, block_fn: BlockFunction, predictions: Any, state: SessionState | None
    ) -> list[dict[str, Any]]:
        """As Gradio's; the parts that the mapping leaves out, or skips, are not looked at."""
        if not (isinstance(predictions, Mapping) and all(isinstance(part, Block) for part in predictions)):
            whole: list[dict[str, Any]] = await super().postprocess_data(block_fn, predictions, state)
            return whole
        new = {part: value for part, value in predictions.items() if value != gr.skip()}
        narrowed = copy.copy(block_fn)
        narrowed.outputs = [part for part in block_fn.outputs if part in new]
        values = iter(await super().postprocess_data(narrowed, new, state) if new else ())
        return [next(values) if part in new else gr.skip() for part in block_fn.outputs]

    def handle_streaming_diffs(
        self,
        block_fn: BlockFunction,
        data: list[Any],
        session_hash: str | None,
        run: str | None,
        final: bool,
        simple_format: bool = False,
    ) -> list[Any]:
        """As Gradio's, but two things are sent whole. An object: the browser makes the edits of a later update in the
        very object of the one before, perhaps before anybody has read that, and then all that it held is lost. And what
        has become shorter: Gradio counts an inner list's deletions again for the list around it."""
        first = session_hash is None or run is None or run not in self.pending_diff_streams[session_hash]
        whole = list(data)
        edits: list[Any] = super().handle_streaming_diffs(block_fn, data, session_hash, run, final, simple_format)
        if first or final or simple_format:
            return edits
        changed = zip(whole, edits, strict=True)
        return [
            [["replace", [], new]]
            if (isinstance(new, dict) and edit) or any(kind == "delete" for kind, *_ in edit)
            else edit
            for new, edit in changed
        ]


class Fixed(dict[str, Any]):
    """What a part is made with. What is put into it later, the value that the part shows, is not kept."""

    def __setitem__(self, key: str, value: Any) -> None:
        pass


class SharedDescriptions(BlocksConfig):  # type: ignore[misc]
    """The parts and events of a page, with the description of each part that nobody has changed kept. Copies of it, of
    which every session has one, share that, and keep no values.

    Raises nothing of its own; whatever is not one of the page's first parts is described as Gradio does.
    """

    def __init__(self, page: gr.Blocks, first: BlocksConfig, kept: dict[int, tuple[Block, dict[str, Any]]]) -> None:
        super().__init__(page)
        self.blocks, self.fns = copy.copy(first.blocks), copy.copy(first.fns)
        self.fn_id, self.renderables = first.fn_id, copy.copy(first.renderables)
        self._kept = kept
        self._of_session = False

    def __copy__(self) -> "SharedDescriptions":
        copied = SharedDescriptions(self.root_block, self, self._kept)
        copied._of_session = True
        return copied

    def config_for_block(
        self, _id: int, rendered_ids: list[int], block: Block, renderable: Any = None
    ) -> dict[str, Any]:
        """As Gradio's; the caller may change the values of what it gets, unless that is a session."""
        known, row = self._kept.get(_id, (None, {}))
        if known is not block or renderable:
            row = BlocksConfig.config_for_block(_id, rendered_ids, block, renderable)
            return {**row, "props": Fixed(row["props"])} if self._of_session and "props" in row else row
        return row if self._of_session else {**row, "props": dict(row["props"])}


def share_descriptions(page: gr.Blocks) -> None:
    """Let all sessions of a page, once it is whole, share what they do not change."""
    first = page.default_config
    kept = {}
    for name, block in first.blocks.items():
        row = first.config_for_block(name, [], block)
        kept[name] = block, {**row, "props": Fixed(row["props"])}
    page.default_config = SharedDescriptions(page, first, kept)

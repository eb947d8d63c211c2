"""What Gradio makes anew for every visitor, made once.

At a visitor's first event Gradio describes each part of the page for a feature that this page does not have (deep
links), about ten milliseconds of work that everybody who comes at the same time waits for in line.
"""

import copy
from typing import Any

import gradio as gr
from gradio.blocks import Block, BlocksConfig


class SharedDescriptions(BlocksConfig):  # type: ignore[misc]
    """The parts and events of a page, with the description of each part that nobody has changed kept.

    Raises nothing of its own; whatever is not one of the page's first parts is described as Gradio does.
    """

    def __init__(self, page: gr.Blocks, first: BlocksConfig, kept: dict[int, tuple[Block, dict[str, Any]]]) -> None:
        super().__init__(page)
        self.blocks, self.fns = copy.copy(first.blocks), copy.copy(first.fns)
        self.fn_id, self.renderables = first.fn_id, copy.copy(first.renderables)
        self._kept = kept

    def __copy__(self) -> "SharedDescriptions":
        return SharedDescriptions(self.root_block, self, self._kept)

    def config_for_block(
        self, _id: int, rendered_ids: list[int], block: Block, renderable: Any = None
    ) -> dict[str, Any]:
        """As Gradio's; the caller may change the values of what it gets."""
        known, row = self._kept.get(_id, (None, {}))
        if known is not block or renderable:
            described: dict[str, Any] = BlocksConfig.config_for_block(_id, rendered_ids, block, renderable)
            return described
        return {**row, "props": dict(row["props"])}


def share_descriptions(page: gr.Blocks) -> None:
    """Let all sessions of a page, once it is whole, share what they do not change."""
    first = page.default_config
    kept = {name: (block, first.config_for_block(name, [], block)) for name, block in first.blocks.items()}
    page.default_config = SharedDescriptions(page, first, kept)

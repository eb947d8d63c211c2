"""How the page looks: one accent colour on warm neutrals, by day and by night. Colours are data, checked by a test.

`ink` on `page` or `surface` is text; `muted` is for what matters less; `accent` for what can be chosen and what
supports a wish; `against` for what speaks against one. Each pair that meets has a contrast of at least 4.5.
"""

from collections.abc import Mapping
from typing import Any

from dialogue.ui.templates import static

Palette = Mapping[str, str]

SHEETS = ("page.css", "header.css", "talk.css", "cards.css", "graph.css", "results.css", "imports.css", "narrow.css")
DAY: Palette = {
    "page": "#f7f5f1",
    "surface": "#ffffff",
    "sunken": "#f1eee8",
    "line": "#e2ddd4",
    "strong-line": "#8b857b",
    "ink": "#20262a",
    "muted": "#59615f",
    "accent": "#0f6a60",
    "accent-strong": "#0b544c",
    "on-accent": "#ffffff",
    "accent-soft": "#e4f1ee",
    "against": "#9b3a17",
    "against-soft": "#faece5",
}
NIGHT: Palette = {
    "page": "#131719",
    "surface": "#1b2023",
    "sunken": "#232a2d",
    "line": "#323a3e",
    "strong-line": "#7d878b",
    "ink": "#e9ebea",
    "muted": "#a6b0b1",
    "accent": "#6fd3c4",
    "accent-strong": "#8fe0d4",
    "on-accent": "#0c2421",
    "accent-soft": "#18332f",
    "against": "#f2a587",
    "against-soft": "#38231b",
}
TEXT_PAIRS = (
    ("ink", "page"),
    ("ink", "surface"),
    ("ink", "sunken"),
    ("ink", "accent-soft"),
    ("muted", "page"),
    ("muted", "surface"),
    ("muted", "sunken"),
    ("accent", "page"),
    ("accent", "surface"),
    ("accent", "accent-soft"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("against", "surface"),
    ("against", "against-soft"),
)


def style_sheet() -> str:
    """The palette as variables, then the sheets, which name no colour of their own."""
    sheets = "\n".join(map(static, SHEETS))
    return f":root{{{_variables(DAY)}}}\n.dark{{{_variables(NIGHT)}}}\n{sheets}"


def plain_style() -> str:
    """The style of pages without Gradio: the palette by day or night as the system has it."""
    night = f"@media (prefers-color-scheme: dark){{:root{{{_variables(NIGHT)}}}}}"
    return f":root{{{_variables(DAY)}}}\n{night}\n{static('login.css')}"


def theme() -> Any:
    """The Gradio theme in the same palette; its font is served by the page itself."""
    import gradio as gr

    # One of the few fonts in Gradio's bundle whose files hold the Latin letters; its other weights do not.
    sans = (gr.themes.LocalFont("Source Sans Pro", weights=(400, 700)), "system-ui", "Noto Sans", "sans-serif")
    base = gr.themes.Base(
        primary_hue="teal",
        neutral_hue="stone",
        radius_size="lg",
        spacing_size="lg",
        text_size="lg",
        font=sans,
        font_mono=("ui-monospace", "Menlo", "Consolas", "monospace"),
    )
    return base.set(**_both(_GRADIO_COLOURS), block_shadow="none", block_border_width="0px", button_transition="none")


_GRADIO_COLOURS = {
    "body_background_fill": "page",
    "background_fill_primary": "surface",
    "background_fill_secondary": "sunken",
    "body_text_color": "ink",
    "body_text_color_subdued": "muted",
    "block_background_fill": "surface",
    "block_border_color": "line",
    "block_label_background_fill": "surface",
    "block_label_text_color": "muted",
    "block_title_text_color": "muted",
    "block_info_text_color": "muted",
    "border_color_primary": "line",
    "border_color_accent": "accent",
    "color_accent_soft": "accent-soft",
    "input_background_fill": "surface",
    "input_background_fill_focus": "surface",
    "input_border_color": "strong-line",
    "input_border_color_focus": "accent",
    "input_placeholder_color": "muted",
    "link_text_color": "accent",
    "link_text_color_hover": "accent-strong",
    "link_text_color_visited": "accent",
    "link_text_color_active": "accent",
    "button_primary_background_fill": "accent",
    "button_primary_background_fill_hover": "accent-strong",
    "button_primary_text_color": "on-accent",
    "button_primary_border_color": "accent",
    "button_secondary_background_fill": "surface",
    "button_secondary_background_fill_hover": "sunken",
    "button_secondary_text_color": "ink",
    "button_secondary_border_color": "line",
    "checkbox_label_background_fill": "surface",
    "checkbox_label_background_fill_hover": "sunken",
    "checkbox_label_background_fill_selected": "accent-soft",
    "checkbox_label_border_color": "line",
    "checkbox_label_border_color_selected": "accent",
    "checkbox_label_text_color": "ink",
    "checkbox_label_text_color_selected": "accent",
    "checkbox_background_color_selected": "accent",
    "checkbox_border_color_selected": "accent",
    "code_background_fill": "sunken",
    "table_text_color": "ink",
}


def _both(colours: Mapping[str, str]) -> dict[str, str]:
    return {f"{name}{suffix}": f"var(--p-{colour})" for name, colour in colours.items() for suffix in ("", "_dark")}


def _variables(palette: Palette) -> str:
    return "".join(f"--p-{name}:{value};" for name, value in palette.items())

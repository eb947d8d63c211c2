"""The HTML of the page is made here and nowhere else: Jinja2 with autoescape, so that no text becomes markup."""

from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from dialogue.ui.messages import safe_link
from dialogue.ui.texts import Texts


def render(template: str, texts: Texts, **values: Any) -> str:
    """One template of this folder as HTML; every value in it is escaped."""
    return _environment().get_template(f"{template}.j2").render(texts=texts, **values)


def static(name: str) -> str:
    """A style sheet or script of this folder."""
    return resources.files("dialogue.ui").joinpath(name).read_text(encoding="utf-8")


def html(value: str = "", **options: Any) -> Any:
    """HTML made by our own templates: never through Gradio's, which would run what stands in braces (STACK 2.5)."""
    import gradio as gr

    return gr.HTML(value, apply_default_css=False, padding=False, **{"js_on_load": None, **options})


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("dialogue.ui", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["safe_link"] = safe_link
    return environment

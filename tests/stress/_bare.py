"""A page of Gradio that does nothing but show what was said, for scale: run as a program, as app.py is."""

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

import gradio as gr
import uvicorn
from fastapi import FastAPI

SECONDS = 0.5  # from the first change to the last


def bare_app() -> FastAPI:
    """The page, with the settings that let many be served at once."""
    app = FastAPI()

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    async def say(memory: Any, words: str) -> AsyncIterator[tuple[str, str]]:
        yield "working", ""
        await asyncio.sleep(SECONDS)
        yield words, ""

    with gr.Blocks(analytics_enabled=False) as page:
        box, status = gr.Textbox(elem_id="message"), gr.HTML("", elem_id="status")
        memory = gr.BrowserState(None)
        box.submit(say, [memory, box], [status, box], concurrency_limit=1_000, show_progress="hidden")
    page.max_threads = 1_000
    page.queue(max_size=2_000, default_concurrency_limit=1_000)
    gr.mount_gradio_app(app, page, path="/", ssr_mode=False)
    return app


if __name__ == "__main__":
    uvicorn.run(bare_app(), host="127.0.0.1", port=int(os.environ["GRADIO_SERVER_PORT"]), log_level="warning")

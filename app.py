"""STORY: the chat in a browser. Settings -> engine, evidence and store -> conversations -> page.

`make run` starts it on 127.0.0.1:7860; GRADIO_SERVER_NAME and GRADIO_SERVER_PORT change that.
"""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from dialogue import commands, wording
from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.own_domains import OwnDomains
from dialogue.ui.desk import Server
from dialogue.ui.login import users_of
from dialogue.ui.server import create_app
from pdgf.errors import PdgfError
from pdgf.settings import Settings


def build_app(settings: Settings) -> FastAPI:
    """The application: one composition, one store of conversations, one page over them."""
    composition = Composition(settings=settings)
    conversations = Conversations(
        settings.data_dir, composition.ports, composition.forget, domains=composition.domains()
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with conversations:
            warming = asyncio.create_task(composition.warm_up())
            try:
                yield
            finally:
                warming.cancel()
                await composition.close()

    async def recommend(text: str, domain: str, k: int) -> dict[str, Any]:
        narrative = commands.narrative(text, settings.max_message_chars)
        printed, _ = await commands.recommended(narrative, domain, k, composition, lambda done, total: None)
        return printed

    return create_app(
        conversations,
        domains=composition.domains(),
        data_dir=settings.data_dir,
        server=Server(engine=composition.engine, evidence=settings.source, seconds=settings.budget_seconds),
        recommend=recommend,
        users=users_of(settings.auth.get_secret_value()) if settings.auth else None,
        own=OwnDomains(composition, settings.data_dir, settings.max_upload_mb),
        lifespan=lifespan,
    )


def address() -> tuple[str, int]:
    """Host and port from the environment. Ends the program with a plain sentence when they cannot be used."""
    host = os.environ.get("GRADIO_SERVER_NAME") or "127.0.0.1"
    named = os.environ.get("GRADIO_SERVER_PORT") or "7860"
    if not named.isdigit() or not 0 < int(named) < 65_536:
        raise SystemExit(f"GRADIO_SERVER_PORT must be a number from 1 to 65535, not {named!r}.")
    try:
        with socket.create_server((host, int(named))):
            pass
    except OSError as error:
        raise SystemExit(
            f"{host}:{named} cannot be used ({error.strerror}). Set GRADIO_SERVER_PORT to a free port."
        ) from error
    return host, int(named)


def _arrivals(settings: Settings) -> Path:
    """The folder where files from browsers arrive, closed to other users of this computer."""
    folder = settings.data_dir / "arrivals"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def main() -> None:
    """Serve the page until interrupted."""
    import uvicorn

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    host, port = address()
    settings = Settings()
    try:
        application = build_app(settings)
    except PdgfError as error:
        raise SystemExit(wording.sentence_for(error)) from error
    os.environ.setdefault("GRADIO_TEMP_DIR", str(_arrivals(settings)))
    print(f"pdgf is starting: open http://{host}:{port} in a browser (Ctrl+C stops it)", flush=True)
    uvicorn.run(application, host=host, port=port, log_level="warning")


if __name__ == "__main__":
    main()

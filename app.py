"""STORY: the chat in a browser. Settings -> engine, evidence and store -> conversations -> page.

`make run` starts it on 127.0.0.1:7860; GRADIO_SERVER_NAME and GRADIO_SERVER_PORT change that.
"""

import gc

if __name__ == "__main__":
    gc.disable()  # nearly all that a start makes stays: looking through it for garbage would take an eighth of the work

    from dialogue import serving

    serving.address()  # Gradio, once imported, ends with a traceback over a port that is no number

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from dialogue import commands, leaving, logs, observing, retention, serving, wording
from dialogue.composition import Composition
from dialogue.keeping import Keeping
from dialogue.own_domains import OwnDomains
from dialogue.setting_errors import setting_error
from dialogue.ui.desk import Server
from dialogue.ui.login import users_of
from dialogue.ui.server import BROWSER_KEY, SERVER_KEY, create_app
from dialogue.ui.warming import warm_pages
from pdgf.errors import PdgfError
from pdgf.settings import Settings

SWITCH = 0.0005  # seconds until a thread that works lets another go on: the one that serves must not wait long


def build_app(settings: Settings) -> FastAPI:
    """The application: one composition, one store of conversations, one page over them. Raises ConfigInvalid."""
    composition = Composition(settings=settings)
    composition.check_model()
    operation = observing.operation_of(composition)
    store = composition.keeping.conversations()
    conversations = observing.ObservedConversations(
        store,
        composition.ports,
        composition.forget,
        domains=composition.offered.values(),
        at_once=composition.turns_at_once,
        account_for=composition.allowances.account,
        metrics=operation.metrics,
    )

    @asynccontextmanager
    async def lifespan(served: FastAPI) -> AsyncIterator[None]:
        async with conversations:
            warming = asyncio.create_task(_warm_up(served, composition))
            warming.add_done_callback(lambda done: observing.warmed(done, operation))
            keeping = asyncio.create_task(
                retention.kept_for(settings.keep_days, store, conversations, composition.allowances.forget_days)
            )
            following = asyncio.create_task(composition.keep_up())
            try:
                yield
            finally:
                for task in (warming, keeping, following):
                    task.cancel()
                await composition.close()

    async def recommend(text: str, domain: str, k: int) -> dict[str, Any]:
        narrative = commands.narrative(text, settings.max_message_chars)
        with conversations.working():
            printed, _ = await commands.recommended(narrative, domain, k, composition, lambda done, total: None)
        return printed

    application = create_app(
        conversations,
        domains=composition.offered,
        data_dir=settings.data_dir,
        server=Server(
            engine=composition.engine,
            evidence=settings.source,
            seconds=settings.budget_seconds,
            longest=settings.max_message_chars,
        ),
        recommend=recommend,
        users=users_of(settings.auth.get_secret_value()) if settings.auth else None,
        own=OwnDomains(composition, settings.data_dir, settings.max_upload_mb),
        lifespan=lifespan,
        tools=settings.mcp,
        keys=composition.keeping.keys((BROWSER_KEY, SERVER_KEY)),
        routes=operation.routes(),
        tries=composition.keeping.tries(),
    )
    application.state.operation, application.state.conversations = operation, conversations
    return application


async def _warm_up(served: FastAPI, composition: Composition) -> None:
    """Do what the first visitor would wait for. What is there then stays, so that clearing up need not look at it."""
    try:
        await warm_pages(served)
        await composition.warm_up()
    finally:
        gc.freeze()
        gc.enable()


def _arrivals(settings: Settings) -> Path:
    """The folder where files from browsers arrive, closed to other users of this computer."""
    folder = settings.data_dir / "arrivals"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


async def _opened_once(settings: Settings) -> None:
    """Open the store, so that what is wrong with it is said in a sentence before anything is served."""
    keeping = Keeping(settings)
    try:
        async with keeping.conversations():
            pass
    finally:
        await keeping.close()


def main() -> None:
    """Serve the page until interrupted."""
    host, port = serving.address()
    proxies = serving.believed_proxies()
    sys.setswitchinterval(SWITCH)
    try:
        settings = Settings()
    except ValueError as error:
        raise SystemExit(f"{setting_error(error)}.") from error
    logs.begin(settings)
    try:
        asyncio.run(_opened_once(settings))
        application = build_app(settings)
        os.environ.setdefault("GRADIO_TEMP_DIR", str(_arrivals(settings)))
    except PdgfError as error:
        raise SystemExit(wording.sentence_for(error)) from error
    except OSError as error:
        folder = f"The data folder {settings.data_dir} cannot be used ({error.strerror or error})."
        raise SystemExit(f"{folder} Set PDGF_DATA_DIR to a folder that can be written.") from error
    with suppress(OSError):  # nobody has to see it
        print(f"pdgf is starting: open http://{host}:{port} in a browser (Ctrl+C stops it)", flush=True)
    state = application.state
    leaving.serve(application, state.operation, state.conversations, host=host, port=port, proxies=proxies)


if __name__ == "__main__":
    main()

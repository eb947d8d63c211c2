"""The whole application over a database, asked without a server and without its models."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import app
from dialogue.composition import Composition
from pdgf.settings import Settings


@asynccontextmanager
async def a_page(folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor of one process."""
    made: list[Composition] = []

    def composed(**named: Any) -> Composition:
        made.append(Composition(**named))
        return made[-1]

    monkeypatch.setattr(app, "Composition", composed)
    application = app.build_app(Settings.model_validate({"data_dir": folder, **settings}))
    try:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url="http://t") as client:
            yield client
    finally:
        for composition in made:
            await composition.close()

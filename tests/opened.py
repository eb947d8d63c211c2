"""The bundled catalogues with the built-in engine, opened once in a process for the tests that only read them.
Conversations and the stores that keep them stay each test's own."""

from functools import cache
from pathlib import Path
from typing import Any

from dialogue.composition import Composition
from pdgf.embedding import CachedEmbedder
from pdgf.settings import Settings
from tests.local_models import minilm, parser, use


def with_models(*, settings: Settings, **more: Any) -> Composition:
    """A composition of a test's own that need not load the models again, where its settings name no others."""
    made = Composition(settings=settings, _parser=parser(), **more)
    if settings.embedder is None and settings.embeddings_model is None:
        made._embedder = CachedEmbedder(minilm())
        made.chinese_embedder = CachedEmbedder(use())
    return made


@cache
def bundled(data_dir: Path) -> Composition:
    """One for all tests: nothing is indexed into it, and nobody closes it."""
    return with_models(settings=Settings(data_dir=data_dir, engine="builtin", source="catalogue"))

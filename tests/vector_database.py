"""What tests of the index in a database share: an empty database each, and catalogue files."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from pdgf.catalogues.reading import CatalogueItem
from tests.postgres.serving import fresh_url


@pytest.fixture
def database_url() -> str:
    """The address of an empty database of a real PostgreSQL with pgvector."""
    return fresh_url()


def write_items(path: Path, items: Iterable[CatalogueItem]) -> Path:
    """A catalogue file of these items."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{item.model_dump_json()}\n" for item in items)
    return path

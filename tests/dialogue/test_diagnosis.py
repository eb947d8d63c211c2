"""What `pdgf doctor` says of a part that fails: once, and all that is known."""

from pathlib import Path

import psycopg
import pytest

from dialogue import diagnosis
from dialogue.composition import Composition
from pdgf.errors import DatabaseUnavailable, DatabaseUnusable, PdgfError
from pdgf.settings import Settings
from tests.postgres.serving import fresh_url

REFUSED = 'connection to server at "db" failed: FATAL: password authentication failed for user "pdgf"'


@pytest.mark.parametrize("error", [DatabaseUnusable(REFUSED), DatabaseUnavailable(REFUSED)])
async def test_why_a_part_fails_is_said_once(error: PdgfError, tmp_path: Path) -> None:
    async def failing(_: Composition) -> str:
        raise error

    found = await diagnosis._finding("store", failing, Composition(settings=Settings(data_dir=tmp_path)))
    assert (found.ok, found.said.count(REFUSED)) == (False, 1)


async def test_the_store_says_whether_its_database_can_keep_catalogues(tmp_path: Path) -> None:
    url = fresh_url()
    for said, statement in (("CREATE EXTENSION vector", "CREATE EXTENSION vector"), ("(pgvector 0.", "SELECT 1")):
        composition = Composition(settings=Settings.model_validate({"data_dir": tmp_path, "database_url": url}))
        found = await diagnosis._finding("store", diagnosis._store, composition)
        assert (found.ok, said in found.said) == (True, True), found.said
        await composition.close()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement.encode())


async def test_a_store_of_files_says_nothing_of_a_database(tmp_path: Path) -> None:
    found = await diagnosis._finding("store", diagnosis._store, Composition(settings=Settings(data_dir=tmp_path)))
    assert (found.ok, found.said) == (True, f"{tmp_path}, readable")

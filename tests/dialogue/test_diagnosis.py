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


async def store_at(url: str, folder: Path) -> str:
    composition = Composition(settings=Settings.model_validate({"data_dir": folder, "database_url": url}))
    found = await diagnosis._finding("store", diagnosis._store, composition)
    await composition.close()
    assert found.ok, found.said
    return found.said.partition("; ")[2]


async def test_the_store_says_whether_its_database_can_keep_catalogues_and_else_the_one_line_to_run(
    tmp_path: Path,
) -> None:
    url = fresh_url()
    role = f"plain_{url.partition('?')[0].rpartition('/')[2]}"
    theirs = url.replace("//postgres@", f"//{role}@")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN".encode())
        connection.execute(f"GRANT ALL ON DATABASE {connection.info.dbname} TO {role}".encode())
        assert await store_at(theirs, tmp_path) == diagnosis.NOT_PERMITTED.removeprefix("; ")
        assert "CREATE EXTENSION vector" in diagnosis.NOT_PERMITTED
        connection.execute("CREATE EXTENSION vector")
    assert (await store_at(theirs, tmp_path)).startswith("it can keep catalogues (pgvector 0.")


async def test_whoever_may_add_the_extension_need_not_be_told_of_it(tmp_path: Path) -> None:
    assert await store_at(fresh_url(), tmp_path) == "it can keep catalogues"


async def test_a_data_folder_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for folder, said in ((tmp_path / "new" / "one", True), (tmp_path / "file", False), (Path("/proc/none"), False)):
        composition = Composition(settings=Settings.model_validate({"data_dir": folder}))
        found = await diagnosis._finding("data folder", diagnosis._folder, composition)
        assert found.ok is said
        assert (f"{folder} cannot be written" in found.said) is not said
    assert list((tmp_path / "new" / "one").iterdir()) == []


async def test_a_database_that_is_not_there_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fine(_: Composition) -> str:
        return "fine"

    for part in ("_folder", "_engine", "_encoder", "_evidence", "_search"):
        monkeypatch.setattr(diagnosis, part, fine)
    settings = Settings.model_validate({"data_dir": tmp_path, "database_url": "postgresql://ann@127.0.0.1:9/none"})
    composition = Composition(settings=settings)
    *_, store, _ = await diagnosis.examine(composition)
    await composition.close()
    assert (store.what, store.ok) == ("store", False)
    assert "Connection refused" in store.said
    assert "waiting for the database" not in caplog.text


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("SELECT '0.7.4', true", "its pgvector is version 0.7.4"),
        ("SELECT '0.10.0', true", "it can keep catalogues (pgvector 0.10.0)"),
        ("SELECT '', true WHERE false", "its server lacks pgvector"),
    ],
)
async def test_a_pgvector_that_is_missing_or_too_old_is_said_so(
    found: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "EXTENSION", found)
    assert said in await store_at(fresh_url(), tmp_path)


async def test_a_store_of_files_says_nothing_of_a_database(tmp_path: Path) -> None:
    found = await diagnosis._finding("store", diagnosis._store, Composition(settings=Settings(data_dir=tmp_path)))
    assert (found.ok, found.said) == (True, f"{tmp_path}, readable")


async def test_a_setting_that_nothing_reads_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    composition = Composition(settings=Settings(data_dir=tmp_path))
    assert (await diagnosis._finding("settings", diagnosis._settings, composition)).ok
    monkeypatch.setenv("PDGF_MODLE", "mystery")
    found = await diagnosis._finding("settings", diagnosis._settings, composition)
    assert (found.ok, "nothing reads PDGF_MODLE: is PDGF_MODEL meant?" in found.said) == (False, True)

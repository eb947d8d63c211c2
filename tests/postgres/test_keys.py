"""What one process has signed or sealed, another one can read."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dialogue.keeping import NEEDED, Keeping
from dialogue.postgres.database import Database
from dialogue.postgres.keys import shared_keys
from pdgf.errors import ConfigInvalid, DatabaseUnavailable
from pdgf.settings import Settings
from tests.postgres.pages import a_page
from tests.postgres.serving import fresh_url


async def migrated() -> str:
    """The address of a database whose tables are there."""
    url = fresh_url()
    database = Database(url)
    await database.open()
    await database.close()
    return url


async def test_processes_that_begin_together_have_the_same_secrets() -> None:
    url = await migrated()
    with ThreadPoolExecutor(5) as pool:
        made = list(pool.map(lambda _: shared_keys(url, ("browser.key", "server.key")), range(5)))
    assert all(each == made[0] for each in made)
    assert made[0]["browser.key"] != made[0]["server.key"]
    assert min(map(len, made[0].values())) >= 32
    assert shared_keys(await migrated(), ("server.key",))["server.key"] != made[0]["server.key"]


def test_secrets_that_cannot_be_had_are_an_error_and_none_is_made_up() -> None:
    with pytest.raises(DatabaseUnavailable):
        shared_keys("postgresql://nobody@127.0.0.1:1/none", ("server.key",))


async def test_a_login_at_one_process_holds_at_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"database_url": await migrated(), "auth": "ann:secret"}
    async with (
        a_page(tmp_path / "one", monkeypatch, **settings) as one,
        a_page(tmp_path / "two", monkeypatch, **settings) as two,
    ):
        entered = await one.post("/login", data={"username": "ann", "password": "secret"})
        two.cookies.update(entered.cookies)
        assert (await two.get("/metrics")).status_code == 200
        two.cookies.clear()
        assert (await two.get("/metrics")).status_code == 401
        assert (await two.get("/health")).status_code == 200
    assert not (tmp_path / "one" / "server.key").exists()


def test_without_a_database_each_data_folder_has_its_own(tmp_path: Path) -> None:
    keeping = Keeping(Settings(data_dir=tmp_path))
    assert keeping.database is None
    assert keeping.keys(("server.key",)) == {}


def test_an_empty_address_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PDGF_DATABASE_URL", " ")
    assert Keeping(Settings(data_dir=tmp_path)).database is None


def test_a_driver_that_is_not_installed_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dialogue.postgres.database", None)
    settings = Settings.model_validate({"data_dir": tmp_path, "database_url": "postgresql://a@h/d"})
    with pytest.raises(ConfigInvalid, match="pip install") as raised:
        _ = Keeping(settings).database
    assert str(raised.value) == NEEDED


def test_the_address_stands_in_no_printed_settings(tmp_path: Path) -> None:
    settings = Settings.model_validate({"data_dir": tmp_path, "database_url": "postgresql://a:pass-word@h/d"})
    assert "pass-word" not in repr(settings)
    assert settings.database_url is not None
    assert "pass-word" in settings.database_url.get_secret_value()

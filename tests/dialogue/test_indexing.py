"""`pdgf index` into a database: the domain is there for every process, and how far the work has come is said."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dialogue import indexing, printing
from dialogue.cli import app
from dialogue.composition import Composition
from dialogue.indexing import Pace
from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.embedding import CachedEmbedder
from pdgf.errors import ConfigInvalid, UnknownDomain
from pdgf.recommend import Request, recommend
from pdgf.settings import Settings
from tests.fakes import HashingEmbedder
from tests.vector_database import database_url, write_items

__all__ = ["database_url"]

ITEMS = [
    CatalogueItem(
        id=f"i{number}",
        title=f"Film {number}",
        year=1990 + number,
        metadata={"genres": [genre], "length_minutes": 80 + number},
        reviews=(Review(text=f"A {mood} {genre} film."), Review(text=f"It is {mood}.")),
    )
    for number, (genre, mood) in enumerate(
        (genre, mood) for genre in ("comedy", "drama", "fantasy") for mood in ("quiet", "loud", "slow", "warm")
    )
]


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", database_url=database_url, engine="builtin")


@pytest.fixture(autouse=True)
def cheap_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "MiniLMEmbedder", lambda _folder: HashingEmbedder())


def composed(settings: Settings) -> Composition:
    return Composition(settings=settings, _embedder=CachedEmbedder(HashingEmbedder()))


async def index(settings: Settings, path: Path, said: list[str]) -> dict[str, object]:
    composition = composed(settings)
    made = await indexing.index(
        path, name="shop", mapping={}, composition=composition, pace=Pace(said.append), warn=said.append
    )
    await composition.close()
    return made


async def test_what_one_process_has_indexed_another_recommends_from(settings: Settings, tmp_path: Path) -> None:
    said: list[str] = []
    made = await index(settings, write_items(tmp_path / "a.jsonl", ITEMS), said)
    assert (made["items"], made["reviews"], made["refused_rows"]) == (12, 24, 0)
    assert "genres" in made["constraint_keys"]  # type: ignore[operator]
    assert any(line.startswith("12 rows read") for line in said)
    assert not (tmp_path / "data").joinpath("domains").exists()
    other = composed(settings.model_copy(update={"data_dir": tmp_path / "elsewhere"}))
    assert "shop" in [domain.name for domain in other.domains()]
    shared = await other.ports("shop")
    request = Request(ports=shared.ports, config=shared.config, budget=other.budget(), current_year=2026, k=3)
    found = await recommend("A quiet fantasy film.", request)
    assert found.items[0].candidate.id == "i8"
    hits = await shared.reviews.nearest("quiet fantasy", ["i8"], 1)
    assert [hit.passage.text for hit in hits] == ["A quiet fantasy film."]
    await other.close()


async def test_a_catalogue_that_is_not_in_the_database_is_unknown(settings: Settings) -> None:
    composition = composed(settings)
    with pytest.raises(UnknownDomain):
        composition.domain("shop")
    await composition.close()


async def test_a_database_that_is_down_hides_its_catalogues_and_nothing_else(settings: Settings) -> None:
    down = composed(
        settings.model_copy(update={"database_url": Settings(database_url="host=127.0.0.1 port=9").database_url})
    )
    assert [domain.name for domain in down.domains()] == ["movies", "books", "anime", "restaurants"]


def test_a_database_without_its_driver_is_told_in_words(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for name in [
        name for name in sys.modules if name.startswith(("dialogue.stored_catalogues", "pdgf.sources.pgvector"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ConfigInvalid, match=r"pip install -e '\.\[postgres\]'"):
        composed(settings).domain("shop")


def test_the_pace_is_that_of_late_and_the_rest_is_told_in_time() -> None:
    said: list[str] = []
    now = [0.0]
    pace = Pace(said.append, clock=lambda: now[0])
    for second, done in ((0, 0), (10, 1_000), (20, 2_000), (60, 2_400), (70, 2_800)):
        now[0] = second
        pace("texts encoded", done, 10_000)
    assert said[0] == "0 of 10,000 texts encoded"
    assert said[2] == "2,000 of 10,000 texts encoded, 100 a second, 80 s left"
    assert said[4] == "2,800 of 10,000 texts encoded, 40 a second, 3 min left"
    pace("rows read", 5, 0)
    assert said[5] == "5 rows read"


def test_a_cluster_without_its_package_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_address: str) -> None:
        raise ConfigInvalid("--ray needs the package ray: pip install -e '.[ray]'")

    monkeypatch.setattr("pdgf.sources.ray_cluster.connect", missing)
    path = write_items(tmp_path / "a.jsonl", ITEMS)
    shown = CliRunner().invoke(app, ["index", str(path), "--name", "shop", "--ray", "auto"])
    assert shown.exit_code == 2
    assert "pip install -e '.[ray]'" in shown.stderr


async def test_a_large_file_without_a_database_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "LARGE_BYTES", 10)
    said: list[str] = []
    await index(Settings(data_dir=tmp_path / "data", engine="builtin"), write_items(tmp_path / "a.jsonl", ITEMS), said)
    assert any("PDGF_DATABASE_URL" in line for line in said)


def test_the_command_prints_what_it_has_made(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PDGF_DATABASE_URL", database_url)
    path = write_items(tmp_path / "a.jsonl", ITEMS)
    shown = CliRunner().invoke(app, ["index", str(path), "--name", "shop", "--json"])
    assert shown.exit_code == 0, shown.stderr
    assert json.loads(shown.stdout)["items"] == 12


def test_of_many_refused_rows_the_number_of_the_others_is_told() -> None:
    refused = [{"line": 2, "why": "no title"}]
    printed = {"name": "shop", "items": 1, "reviews": 0, "refused": refused, "constraint_keys": []}
    assert "more" not in printing.index_text({**printed, "refused_rows": 1})
    assert "  refused line 2: no title\n  and 1,999 more" in printing.index_text({**printed, "refused_rows": 2_000})

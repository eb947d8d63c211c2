"""A file is indexed as the index in memory would hold it; stopped work goes on, half of an index is never served."""

import asyncio
import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from psycopg import Error, errors
from psycopg.conninfo import make_conninfo

from pdgf.catalogues import reading
from pdgf.catalogues.reading import CatalogueItem, Review, read_items
from pdgf.errors import CatalogueGone, IndexUnavailable
from pdgf.sources.encoding import CHUNK
from pdgf.sources.index import laid_out
from pdgf.sources.pgvector import building
from pdgf.sources.pgvector.building import KEPT_AFTER, index_file
from pdgf.sources.pgvector.connection import reason_of
from pdgf.sources.pgvector.reviews import PgvectorReviews
from pdgf.sources.pgvector.schema import MIGRATIONS
from pdgf.sources.pgvector.staging import digest_of
from pdgf.sources.pgvector.upkeep import BUSY, remove
from tests.fakes import HashingEmbedder
from tests.pdgf.sources.pgvector.made_up import (
    EncoderGone,
    Failing,
    Losing,
    expected_rows,
    let_be_written,
    rows_of,
    shop,
    text_vectors_of,
    vectors_of,
)
from tests.vector_database import write_items

ROOT = Path(__file__).parents[4]
SAMPLE = 1  # text that is encoded to learn the dimension


def distinct_texts(items: list[CatalogueItem]) -> int:
    return len(laid_out(items)[2])


async def indexed(url: str, path: Path, embedder: HashingEmbedder | None = None, **more: object) -> building.Published:
    return await index_file(url, path, owner="ann", name="shop", embedder=embedder or HashingEmbedder(), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
async def test_the_passages_are_those_of_the_index_in_memory_however_the_rows_are_cut_into_batches(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(reading, "BATCH_ROWS", chance.randint(1, 7))
    rows = []
    for item in shop(12, seed=seed):
        for review in item.reviews or (Review(text="Only a drum."),):
            kept = {key: item.metadata[key] for key in chance.sample(list(item.metadata), chance.randint(0, 3))}
            twice = chance.choice([[review.text], [review.text, review.text]])
            said = [{"text": text, "source": "https://example.org/a"} for text in twice]
            rows.append({"id": item.id, "title": item.title, "year": item.year, "metadata": kept, "reviews": said})
    rows += chance.sample(rows, 5)  # said again: once is enough
    rows.append({"id": "i0", "title": "Another thing", "reviews": ["No."]})
    chance.shuffle(rows)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    whole = read_items(path)
    published = await indexed(database_url, path)
    assert rows_of(database_url, "ann", "shop") == expected_rows(list(whole.items))
    assert published.items == len(whole.items)
    assert published.reviews == sum(len(item.reviews) for item in whole.items)
    assert sorted(row.line for row in published.refused) == sorted(row.line for row in whole.refused)


async def test_every_vector_is_the_encoders_bit_for_bit(database_url: str, tmp_path: Path) -> None:
    items, embedder = shop(20), HashingEmbedder()
    await indexed(database_url, write_items(tmp_path / "a.jsonl", items), embedder)
    texts = laid_out(items)[2]
    made = dict(zip(texts, await embedder.encode(texts), strict=True))
    passages = {row[1] for row in expected_rows(items)}
    assert vectors_of(database_url, "ann", "shop") == {text: made[text].tobytes() for text in passages}
    assert text_vectors_of(database_url, "ann", "shop") == {
        digest_of(t): vector.tobytes() for t, vector in made.items()
    }


async def test_what_was_encoded_before_a_stop_is_not_encoded_again(database_url: str, tmp_path: Path) -> None:
    items = shop(150)
    path, total, kept = write_items(tmp_path / "a.jsonl", items), distinct_texts(items), CHUNK * KEPT_AFTER
    assert total > 2 * kept
    with pytest.raises(EncoderGone):
        await indexed(database_url, path, Failing(SAMPLE + kept + 10))
    again = HashingEmbedder()
    assert (await indexed(database_url, path, again)).encoded == total - kept
    assert sum(map(len, again.calls)) == SAMPLE + total - kept
    once = tmp_path / "again.jsonl"
    write_items(once, items)
    await index_file(database_url, once, owner="bob", name="shop", embedder=HashingEmbedder())
    assert rows_of(database_url, "ann", "shop") == rows_of(database_url, "bob", "shop")
    assert vectors_of(database_url, "ann", "shop") == vectors_of(database_url, "bob", "shop")


async def test_a_process_that_is_killed_leaves_what_it_has_encoded_and_nothing_to_serve(
    database_url: str, tmp_path: Path
) -> None:
    items = shop(150)
    path, total, kept = write_items(tmp_path / "a.jsonl", items), distinct_texts(items), CHUNK * KEPT_AFTER
    code = (
        "import asyncio, os, signal, sys; from pathlib import Path; from tests.fakes import HashingEmbedder\n"
        "from pdgf.sources.pgvector.building import index_file\n"
        "class Killed(HashingEmbedder):\n"
        "    async def encode(self, texts):\n"
        f"        if sum(map(len, self.calls)) > {kept}: os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return await super().encode(texts)\n"
        "asyncio.run(index_file(sys.argv[1], Path(sys.argv[2]), owner='ann', name='shop', embedder=Killed()))\n"
    )
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", code, database_url, str(path)], cwd=ROOT, capture_output=True
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    reviews = PgvectorReviews(database_url, HashingEmbedder(), owner="ann", name="shop")
    with pytest.raises(CatalogueGone):
        await reviews.nearest("a drum", ["i1"], 1)
    await reviews.close()
    assert (await indexed(database_url, path)).encoded == total - kept
    assert rows_of(database_url, "ann", "shop") == expected_rows(items)


@pytest.mark.parametrize("read_only", [False, True])
async def test_a_database_that_is_lost_or_can_only_be_read_on_the_way_is_told_in_words_and_the_same_command_goes_on(
    database_url: str, tmp_path: Path, read_only: bool
) -> None:
    items = shop(150)
    path, total, kept = write_items(tmp_path / "a.jsonl", items), distinct_texts(items), CHUNK * KEPT_AFTER
    losing = Losing(SAMPLE + kept + 10, lambda: let_be_written(database_url, not read_only))
    with pytest.raises(IndexUnavailable, match=r"^the database cannot be reached; the same command goes on where it"):
        await indexed(database_url, path, losing)
    if read_only:
        with pytest.raises(IndexUnavailable, match=r"^the database can only be read right now; .*written to again$"):
            await indexed(database_url, path)
        with pytest.raises(IndexUnavailable, match="can only be read right now"):
            await remove(database_url, owner="ann", name="shop")
        let_be_written(database_url, True)
    assert (await indexed(database_url, path)).encoded == total - kept
    assert rows_of(database_url, "ann", "shop") == expected_rows(items)


def test_no_fault_of_a_database_is_told_by_its_code_alone() -> None:
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, Error) and kind.sqlstate is not None:
            assert len(reason_of(kind("password=secret")).split()) > 4, kind.sqlstate
            assert "secret" not in reason_of(kind("password=secret"))


async def test_passages_that_have_not_changed_are_not_encoded_again(database_url: str, tmp_path: Path) -> None:
    items = shop(30)
    await indexed(database_url, write_items(tmp_path / "a.jsonl", items))
    changed = [*items[:-1], items[-1].model_copy(update={"reviews": (Review(text="Nobody wrote this before."),)})]
    path, second = write_items(tmp_path / "b.jsonl", changed), HashingEmbedder()
    assert (await indexed(database_url, path, second)).encoded == 1
    assert [text for call in second.calls for text in call][SAMPLE:] == ["Nobody wrote this before."]
    assert rows_of(database_url, "ann", "shop") == expected_rows(changed)


async def test_the_same_file_is_not_indexed_again(database_url: str, tmp_path: Path) -> None:
    path = write_items(tmp_path / "a.jsonl", shop(10))
    first = await indexed(database_url, path)
    again = HashingEmbedder()
    second = await indexed(database_url, path, again)
    assert (second.version, second.passages, second.encoded) == (first.version, first.passages, 0)
    assert sum(map(len, again.calls)) == SAMPLE


async def test_another_encoder_encodes_everything_anew(database_url: str, tmp_path: Path) -> None:
    class Other(HashingEmbedder):
        id = "another"

    items = shop(10)
    path = write_items(tmp_path / "a.jsonl", items)
    await indexed(database_url, path)
    assert (await indexed(database_url, path, Other())).encoded == distinct_texts(items)
    reviews = PgvectorReviews(database_url, HashingEmbedder(), owner="ann", name="shop")
    with pytest.raises(IndexUnavailable, match="encoded by another"):
        await reviews.nearest("a drum", ["i1"], 1)
    await reviews.close()


@pytest.mark.parametrize("at", ["CREATE TABLE AS", "CREATE INDEX"])
async def test_a_full_disk_is_told_in_words_and_what_was_served_stays(
    database_url: str, tmp_path: Path, at: str
) -> None:
    before = shop(10)
    await indexed(database_url, write_items(tmp_path / "a.jsonl", before))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "create function full_disk() returns event_trigger language plpgsql as $$ begin "
            "raise exception 'could not extend file' using errcode = '53100'; end $$"
        )
        connection.execute(
            f"create event trigger full_disk on ddl_command_end when tag in ('{at}') execute function full_disk()"
        )
    path = write_items(tmp_path / "b.jsonl", shop(12, seed=5))
    with pytest.raises(IndexUnavailable, match="disk of the database is full"):
        await indexed(database_url, path)
    assert rows_of(database_url, "ann", "shop") == expected_rows(before)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("drop event trigger full_disk")
    await indexed(database_url, path)
    assert rows_of(database_url, "ann", "shop") == expected_rows(shop(12, seed=5))


async def test_whoever_asks_while_an_index_is_made_is_answered_from_the_earlier_one(
    database_url: str, tmp_path: Path
) -> None:
    old = [CatalogueItem(id="x", title="X", reviews=(Review(text="A quiet harbour."),))]
    new = [CatalogueItem(id="x", title="X", reviews=(Review(text="A loud brass band."),))]
    await indexed(database_url, write_items(tmp_path / "a.jsonl", old))
    reviews = PgvectorReviews(database_url, HashingEmbedder(), owner="ann", name="shop")
    seen: list[list[str]] = []

    class Asking(HashingEmbedder):
        async def encode(self, texts: object) -> object:  # type: ignore[override]
            seen.append([hit.passage.text for hit in await reviews.nearest("a band", ["x"], 5)])
            return await super().encode(texts)  # type: ignore[arg-type]

    await indexed(database_url, write_items(tmp_path / "b.jsonl", new), Asking())
    assert seen == [["A quiet harbour."]] * 2
    assert [hit.passage.text for hit in await reviews.nearest("a band", ["x"], 5)] == ["A loud brass band."]
    await reviews.close()


async def test_a_row_of_fifty_megabytes_is_refused_in_words_and_the_rest_is_indexed(
    database_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "large.jsonl"
    with path.open("w") as file:
        file.write('{"title": "One", "reviews": ["Before it."]}\n')
        file.write('{"title": "Two", "reviews": ["')
        for _ in range(50):
            file.write("long " * 200_000)
        file.write('"]}\n{"title": "Three", "reviews": ["After it."]}\n')
    published = await indexed(database_url, path)
    assert [(row.line, row.why) for row in published.refused] == [(2, "the line is longer than 1 MB")]
    assert [row[1] for row in rows_of(database_url, "ann", "shop")] == ["Before it.", "After it."]


async def test_of_many_refused_rows_all_are_counted_and_the_first_thousand_kept(
    database_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"title": "One", "reviews": ["A drum."]}\n' + '{"year": 2000}\n' * 2_500)
    published = await indexed(database_url, path)
    assert published.refused_rows == 2_500
    assert [row.line for row in published.refused] == list(range(2, 1_002))


async def test_two_processes_do_not_index_one_catalogue_at_a_time(database_url: str, tmp_path: Path) -> None:
    path = write_items(tmp_path / "a.jsonl", shop(5))
    told: list[str] = []

    class Meanwhile(HashingEmbedder):
        async def encode(self, texts: object) -> object:  # type: ignore[override]
            if self.calls and not told:
                with pytest.raises(IndexUnavailable) as refused:
                    await indexed(database_url, path)
                told.append(str(refused.value))
            return await super().encode(texts)  # type: ignore[arg-type]

    await indexed(database_url, path, Meanwhile())
    assert told == [BUSY]


async def test_many_that_start_at_once_make_the_tables_once(database_url: str, tmp_path: Path) -> None:
    path = write_items(tmp_path / "a.jsonl", shop(3))
    owners = [f"owner {number}" for number in range(6)]
    await asyncio.gather(
        *(index_file(database_url, path, owner=o, name="shop", embedder=HashingEmbedder()) for o in owners)
    )
    assert all(rows_of(database_url, owner, "shop") == expected_rows(shop(3)) for owner in owners)


async def test_a_database_that_a_newer_release_has_written_is_left_as_it_is(database_url: str, tmp_path: Path) -> None:
    path = write_items(tmp_path / "a.jsonl", shop(3))
    await indexed(database_url, path)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("insert into pdgf_index.migrations values (%s)", (len(MIGRATIONS) + 1,))
    with pytest.raises(IndexUnavailable, match="newer release"):
        await indexed(database_url, write_items(tmp_path / "b.jsonl", shop(4)))
    assert rows_of(database_url, "ann", "shop") == expected_rows(shop(3))


async def test_a_database_that_is_not_there_is_told_without_its_address(tmp_path: Path) -> None:
    path = write_items(tmp_path / "a.jsonl", shop(1))
    with pytest.raises(IndexUnavailable, match=r"^the database cannot be reached$"):
        await indexed("postgresql://somebody:secret@127.0.0.1:9/nowhere", path)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"user": "nobody_here"}, "the database refuses the name or the password"),
        ({"dbname": "no_such_place"}, "there is no database of that name"),
    ],
)
async def test_a_database_that_lets_nobody_in_says_why(
    wrong: dict[str, str], said: str, database_url: str, tmp_path: Path
) -> None:
    path = write_items(tmp_path / "a.jsonl", shop(1))
    with pytest.raises(IndexUnavailable, match=f"^{said}$"):
        await indexed(make_conninfo(database_url, **wrong), path)


async def test_the_extension_is_in_no_schema_that_a_backup_puts_back_though_the_user_is_called_like_one(
    database_url: str, tmp_path: Path
) -> None:
    role = f"owner_{database_url.partition('?')[0].rpartition('/')[2]}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"create role {role} superuser login; create schema {role}".encode())
    theirs = database_url.replace("//postgres@", f"//{role}@")
    await indexed(theirs, write_items(tmp_path / "a.jsonl", shop(4)))
    with psycopg.connect(database_url, autocommit=True) as connection:
        query = "select extnamespace::regnamespace::text from pg_extension where extname = 'vector'"
        assert connection.execute(query).fetchall() == [("public",)]


async def test_a_user_who_may_make_no_tables_is_told_what_lets_them(database_url: str, tmp_path: Path) -> None:
    role = f"guest_{database_url.partition('?')[0].rpartition('/')[2]}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"create role {role} login".encode())
    theirs, path = database_url.replace("//postgres@", f"//{role}@"), write_items(tmp_path / "a.jsonl", shop(4))
    with pytest.raises(IndexUnavailable, match="GRANT CREATE ON DATABASE"):
        await indexed(theirs, path)


async def test_a_user_who_may_not_add_the_extension_is_told_which_one_and_how(
    database_url: str, tmp_path: Path
) -> None:
    role = f"modest_{database_url.partition('?')[0].rpartition('/')[2]}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"create role {role} login".encode())
        connection.execute(f"grant all on database {connection.info.dbname} to {role}".encode())
    theirs, path = database_url.replace("//postgres@", f"//{role}@"), write_items(tmp_path / "a.jsonl", shop(4))
    with pytest.raises(IndexUnavailable, match="CREATE EXTENSION vector"):
        await indexed(theirs, path)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("create extension vector")
    await indexed(theirs, path)
    assert rows_of(database_url, "ann", "shop") == expected_rows(shop(4))

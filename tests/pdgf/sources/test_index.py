"""The index on disk: the same after a restart, rebuilt after any damage, never wrong in silence (RELIABILITY F6)."""

import logging
import mmap
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pdgf.catalogues.reading import CatalogueItem, Review, read_items
from pdgf.embedding import CachedEmbedder, MiniLMEmbedder
from pdgf.errors import IndexUnavailable
from pdgf.sources.index import CatalogueIndex, catalogue_digest, index_folder, open_index
from pdgf.texts import sentences
from tests.fakes import HashingEmbedder

VALLEY = Path(__file__).parents[1] / "catalogue_files" / "valley.jsonl"
ITEMS = read_items(VALLEY).items
FILES = ("vectors.npy", "bm25_data.npy", "bm25_indices.npy", "bm25_indptr.npy", "vocabulary.json", "manifest.json")


def same(one: CatalogueIndex, other: CatalogueIndex) -> bool:
    return (
        one.rows == other.rows
        and one.texts == other.texts
        and bool((one.text_vectors == other.text_vectors).all())
        and one.lexical.vocabulary == other.lexical.vocabulary
        and all(
            (getattr(one.lexical, part) == getattr(other.lexical, part)).all() for part in ("data", "indices", "indptr")
        )
    )


async def opened(folder: Path, items: tuple[CatalogueItem, ...] = ITEMS) -> tuple[CatalogueIndex, bool]:
    """The index and whether it had to be built."""
    embedder = HashingEmbedder()
    index = await open_index(items, embedder=embedder, folder=folder)
    return index, bool(embedder.calls)


async def test_a_second_start_reads_what_the_first_one_wrote(tmp_path: Path) -> None:
    first, built = await opened(tmp_path / "valley")
    second, rebuilt = await opened(tmp_path / "valley")
    assert (built, rebuilt) == (True, False)
    assert same(first, second)
    assert sorted(path.name for path in (tmp_path / "valley").iterdir()) == sorted(FILES)


async def test_vectors_that_are_read_back_are_mapped_and_not_copied(tmp_path: Path) -> None:
    await opened(tmp_path / "valley")
    index, _ = await opened(tmp_path / "valley")
    base = index.text_vectors
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    assert isinstance(base, memoryview)
    assert isinstance(base.obj, mmap.mmap)


async def test_passages_are_reviews_in_order_then_facts_with_their_sources(tmp_path: Path) -> None:
    index, _ = await opened(tmp_path / "valley")
    own = [row for row in index.rows if index.candidates[row.item].id == "eat-copper-ladle"]
    assert [row.passage.source.id for row in own[:3]] == [
        "eat-copper-ladle#r1", "eat-copper-ladle#r2", "eat-copper-ladle#location",
    ]  # fmt: skip
    assert own[1].passage.source.url == "https://reviews.example/ladle"
    parking = next(row for row in own if row.key == "parking")
    assert parking.passage.text == "Parking: own free car park"
    assert len(own) == 2 + len(ITEMS[0].metadata)


async def test_every_sentence_of_every_passage_is_known_to_the_cache_afterwards(tmp_path: Path) -> None:
    for _ in range(2):  # once built, once read
        inner = HashingEmbedder()
        cached = CachedEmbedder(inner)
        index = await open_index(ITEMS, embedder=cached, folder=tmp_path / "valley")
        calls = len(inner.calls)
        await cached.encode([s for row in index.rows for s in sentences(row.passage.text)])
        await cached.encode([row.passage.text for row in index.rows])
        assert len(inner.calls) == calls


async def test_vectors_belong_to_their_passages(tmp_path: Path) -> None:
    index, _ = await opened(tmp_path / "valley")
    expected = await HashingEmbedder().encode([row.passage.text for row in index.rows])
    assert (index.vectors == expected).all()
    assert [int(end - start) for start, end in zip(index.starts, index.starts[1:], strict=False)] == [
        sum(row.item == item for row in index.rows) for item in range(len(ITEMS))
    ]


async def test_a_long_review_becomes_several_passages_of_one_source(tmp_path: Path) -> None:
    item = CatalogueItem(id="x", title="X", reviews=(Review(text="One. Two. Three. Four. Five."),))
    index, _ = await opened(tmp_path / "x", (item,))
    assert [(row.passage.text, row.passage.source.id) for row in index.rows] == [
        ("One. Two. Three.", "x#r1"), ("Four. Five.", "x#r1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "items",
    [
        (),
        (CatalogueItem(id="x", title="X"),),
        (CatalogueItem(id="x", title="X", reviews=(Review(text="x" * 100_000),)),),
        (CatalogueItem(id="x", title="X"), CatalogueItem(id="y", title="Y", metadata={"wifi": True})),
    ],
)
async def test_items_with_nothing_or_very_much_to_say_can_be_indexed(
    tmp_path: Path, items: tuple[CatalogueItem, ...]
) -> None:
    first, _ = await opened(tmp_path / "x", items)
    second, rebuilt = await opened(tmp_path / "x", items)
    assert not rebuilt
    assert same(first, second)


async def test_other_data_another_encoder_or_another_dimension_builds_anew(tmp_path: Path) -> None:
    folder = tmp_path / "valley"
    await opened(folder)
    assert (await opened(folder, ITEMS[:-1]))[1]
    changed = ITEMS[0].model_copy(update={"title": "The Copper Spoon"})
    assert (await opened(folder, (changed, *ITEMS[1:])))[1]

    class Renamed(HashingEmbedder):
        id = "hashing-64-b"

    other = Renamed()
    await open_index(ITEMS, embedder=other, folder=folder)
    assert other.calls


def test_the_folder_is_named_by_domain_data_and_encoder(tmp_path: Path) -> None:
    folder = index_folder(tmp_path, "valley", ITEMS, HashingEmbedder())
    assert folder.parent == tmp_path / "index"
    assert folder.name.startswith("valley-")
    assert folder != index_folder(tmp_path, "valley", ITEMS[1:], HashingEmbedder())
    assert catalogue_digest(ITEMS) != catalogue_digest(ITEMS[::-1])


def flip(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 1, 1, 8])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def truncate(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(path.stat().st_size))


def extend(path: Path, chance: random.Random) -> None:
    path.write_bytes(path.read_bytes() + chance.randbytes(chance.randint(1, 64)))


def empty(path: Path, chance: random.Random) -> None:
    path.write_bytes(b"")


def delete(path: Path, chance: random.Random) -> None:
    path.unlink()


def scramble(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(path.stat().st_size))


def swap_halves(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[len(data) // 2 :] + data[: len(data) // 2])


def make_a_folder_of_it(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: tuple[Callable[[Path, random.Random], None], ...] = (
    flip, flip, flip, truncate, extend, empty, delete, scramble, swap_halves, make_a_folder_of_it,
)  # fmt: skip


async def test_every_damage_to_every_file_is_noticed_and_mended(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sound, _ = await opened(tmp_path / "sound")
    chance = random.Random(20)
    for number, (name, damage) in enumerate((name, damage) for name in FILES for damage in DAMAGES):
        folder = tmp_path / f"damaged-{number}"
        shutil.copytree(tmp_path / "sound", folder)
        before = (folder / name).read_bytes()
        damage(folder / name, chance)
        if (folder / name).is_file() and (folder / name).read_bytes() == before:
            continue  # eight flips that undo one another
        caplog.clear()
        index, rebuilt = await opened(folder)
        assert rebuilt, (name, damage.__name__)
        assert same(index, sound)
        assert [record.levelno for record in caplog.records] == [logging.WARNING]
        assert (await opened(folder))[1] is False


async def test_a_file_of_another_index_is_noticed(tmp_path: Path) -> None:
    sound, _ = await opened(tmp_path / "sound")
    await opened(tmp_path / "other", ITEMS[::-1])
    for name in FILES:
        folder = tmp_path / f"swapped-{name}"
        shutil.copytree(tmp_path / "sound", folder)
        shutil.copy(tmp_path / "other" / name, folder / name)
        index, rebuilt = await opened(folder)
        assert rebuilt or (folder / name).read_bytes() == (tmp_path / "sound" / name).read_bytes()
        assert same(index, sound)
    index, rebuilt = await opened(tmp_path / "other")
    assert rebuilt
    assert same(index, sound)


async def test_a_pickle_beside_or_inside_the_index_is_never_opened(tmp_path: Path) -> None:
    folder, trap = tmp_path / "valley", tmp_path / "sprung"
    sound, _ = await opened(folder)
    code = f"cos\nsystem\n(S'touch {trap}'\ntR."
    (folder / "index.pkl").write_text(code)
    assert (await opened(folder))[1] is False
    (folder / "vectors.npy").write_text(code)
    index, rebuilt = await opened(folder)
    assert rebuilt
    assert same(index, sound)
    objects = np.array([{"a": 1}], dtype=object)
    np.save(folder / "vectors.npy", objects, allow_pickle=True)
    assert (await opened(folder))[1]
    assert not trap.exists()


def put_in_the_way(folder: Path) -> None:
    (folder / "file").write_text("not an index")
    (folder / "elsewhere").mkdir()
    (folder / "link").symlink_to(folder / "elsewhere")


async def test_whatever_stands_at_the_name_of_the_folder_is_replaced(tmp_path: Path) -> None:
    put_in_the_way(tmp_path)
    for name in ("file", "link"):
        await opened(tmp_path / name)
        assert (await opened(tmp_path / name))[1] is False
    assert os.listdir(tmp_path / "elsewhere") == []


async def test_nothing_half_written_stays_beside_a_finished_index(tmp_path: Path) -> None:
    left = tmp_path / "valley.unfinished-old"
    left.mkdir()
    os.utime(left, (1, 1))
    await opened(tmp_path / "valley")
    await opened(tmp_path / "valley", ITEMS[1:])
    assert os.listdir(tmp_path) == ["valley"]


async def test_a_folder_that_cannot_be_written_costs_no_index(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "blocked").write_text("a file where a folder should be")
    index, built = await opened(tmp_path / "blocked" / "valley")
    assert built
    assert len(index.candidates) == len(ITEMS)
    assert "cannot be stored" in caplog.text


async def test_an_encoder_that_gives_no_numbers_is_a_named_error(tmp_path: Path) -> None:
    class Broken(HashingEmbedder):
        async def encode(self, texts):  # type: ignore[no-untyped-def]
            return (await super().encode(texts)) * np.nan

    with pytest.raises(IndexUnavailable, match="no usable vectors"):
        await open_index(ITEMS, embedder=Broken(), folder=tmp_path / "valley")
    assert not (tmp_path / "valley").exists()


async def test_progress_counts_up_to_all_texts(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    index = await open_index(
        ITEMS, embedder=HashingEmbedder(), folder=tmp_path / "v", progress=lambda done, of: seen.append((done, of))
    )
    assert seen[-1] == (len(index.texts), len(index.texts))


async def test_the_packaged_model_indexes_and_finds_by_meaning(tmp_path: Path) -> None:
    embedder = CachedEmbedder(MiniLMEmbedder())
    index = await open_index(ITEMS, embedder=embedder, folder=tmp_path / "valley")
    again = await open_index(ITEMS, embedder=embedder, folder=tmp_path / "valley")
    assert same(index, again)
    [query] = await embedder.encode(["a calm restaurant where two people can talk"])
    best = index.rows[int((index.vectors @ query).argmax())]
    assert index.candidates[best.item].id == "eat-copper-ladle"


def test_the_same_index_comes_out_of_another_process(tmp_path: Path) -> None:
    """No order of a set or hash of a string leaks into what is stored."""
    program = (
        "import asyncio, sys; from pathlib import Path; from pdgf.catalogues.reading import read_items;"
        "from pdgf.sources.index import open_index; from tests.fakes import HashingEmbedder;"
        f"asyncio.run(open_index(read_items(Path({str(VALLEY)!r})).items, embedder=HashingEmbedder(),"
        " folder=Path(sys.argv[1])))"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[3])}
        subprocess.run([sys.executable, "-c", program, str(tmp_path / seed)], check=True, env=environment, timeout=120)
    for name in FILES:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()

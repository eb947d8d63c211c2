"""Indexes, and vectors that come with a catalogue, damaged on disk, and what is read from them (RELIABILITY F6)."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.errors import PdgfError
from pdgf.sources import index_store
from pdgf.sources.index import CatalogueIndex, open_index
from pdgf.sources.shipped_vectors import ShippedVectors, ship, shipped
from tests.fakes import HashingEmbedder
from tests.reliability import damaging
from tests.reliability.damaging import RANDOM, WHOLE, Do


def catalogue(places: int) -> tuple[CatalogueItem, ...]:
    """Places with notes in two languages."""
    return tuple(
        CatalogueItem(
            id=f"place-{number}",
            title=f"Place {number}",
            metadata={"district": f"District {number % 3}", "spend": 10 + number},
            reviews=(
                Review(text=f"A quiet room, number {number}. The soup is rich."),
                Review(text=f"安静的第{number}家店。"),
            ),
        )
        for number in range(places)
    )


class Chinese(HashingEmbedder):
    """Another encoder, for the Chinese texts."""

    id = "hashing-zh"


@dataclass(frozen=True)
class Indexes:
    """Two indexes on disk, that of the catalogue and that of another one."""

    place: Path
    items: tuple[CatalogueItem, ...]
    sound: CatalogueIndex

    @classmethod
    async def built(cls, place: Path) -> "Indexes":
        items = catalogue(12)
        await _index(place / "other", catalogue(9))
        sound, _ = await _index(place / "index", items)
        return cls(place, items, sound)

    def damages(self, *, seeds: int) -> Iterator[tuple[str, Do]]:
        """Every kind of damage to every file of both folders of the index."""
        for folder in sorted(path.name for path in self.place.iterdir() if path.name.startswith("index")):
            files = sorted(path.name for path in (self.place / folder).iterdir())
            for file in files:
                at = f"{folder}/{file}"
                for kind in RANDOM:
                    for seed in range(seeds):
                        yield f"{at} {kind.__name__} {seed}", damaging.at(kind, at, seed)
                for kind in WHOLE:
                    yield f"{at} {kind.__name__}", damaging.at(kind, at, 0)
                yield f"{at} gone", _gone(at)
                other = f"{folder.replace('index', 'other')}/{file}"
                yield f"{at} of another index", _replaced(at, other)
                for neighbour in files:
                    if neighbour != file:
                        yield f"{at} is {neighbour}", _replaced(at, f"{folder}/{neighbour}")
            for array in index_store.ARRAYS:
                for name, change in _ARRAYS.items():
                    for signed in (False, True) if _shows(folder, array, name) else (False,):
                        yield f"{folder} {array} {name} signed={signed}", _array(folder, array, change, signed=signed)
            yield f"{folder} is another index", _swapped(folder, folder.replace("index", "other"))
            for changed in ("texts", "encoder", "dimension", "format"):
                yield f"{folder} of another {changed}", _manifest(folder, changed)
            yield f"{folder} is a file", _a_file(folder)
            yield f"{folder} empty", _without_files(folder)

    async def tried(self, copy: Path, do: Do) -> str:
        """What is wrong with what is read from a damaged copy; empty when the damage was noticed and did no harm."""
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.place, copy)
        do(copy)
        changed = _bytes(copy) != _bytes(self.place)
        try:
            index, rebuilt = await _index(copy / "index", self.items)
        except PdgfError:
            return ""
        if not _same(index, self.sound):
            return "reads otherwise"
        if changed and not rebuilt:
            return "not noticed"
        _, again = await _index(copy / "index", self.items)
        return "built at every start" if again else ""


async def _index(folder: Path, items: tuple[CatalogueItem, ...]) -> tuple[CatalogueIndex, bool]:
    embedder, chinese = HashingEmbedder(), Chinese()
    index = await open_index(items, embedder=embedder, folder=folder, chinese=chinese)
    return index, bool(embedder.calls or chinese.calls)


def _same(one: CatalogueIndex, other: CatalogueIndex) -> bool:
    assert one.chinese is not None
    assert other.chinese is not None
    return (
        one.rows == other.rows
        and np.array_equal(one.text_vectors, other.text_vectors)
        and np.array_equal(one.lexical.scores("quiet soup"), other.lexical.scores("quiet soup"))
        and np.array_equal(one.chinese.vectors, other.chinese.vectors)
    )


async def shipped_tried(place: Path, copy: Path, do: Do, texts: list[str]) -> str:
    """What is wrong with what is read from damaged vectors beside a catalogue."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(place, copy)
    do(copy)
    embedder = HashingEmbedder()
    known, found = shipped(copy / "places", embedder).find(texts)
    if not known.any():
        return ""
    right = (await embedder.encode(texts))[known]
    close = np.allclose(found, right, atol=0.02)
    return "" if close else "vectors of something else"


async def shipped_built(place: Path) -> list[str]:
    """Vectors beside a catalogue, and those of another encoder of as many dimensions; gives the texts."""
    texts = [f"A text with the number {number}" for number in range(60)]
    vectors = await HashingEmbedder().encode(texts)
    ship(place / "places", HashingEmbedder(), ShippedVectors.of(texts, vectors))
    ship(place / "places", Chinese(), ShippedVectors.of(texts, np.ascontiguousarray(vectors[:, ::-1])))
    ship(place / "other", HashingEmbedder(), ShippedVectors.of([f"Other {text}" for text in texts], vectors))
    return texts


def shipped_damages(*, seeds: int) -> Iterator[tuple[str, Do]]:
    """Every kind of damage to the vectors beside a catalogue."""
    file = f"places-{HashingEmbedder.id}.npz"
    for kind in RANDOM:
        for seed in range(seeds):
            yield f"{kind.__name__} {seed}", damaging.at(kind, file, seed)
    for kind in WHOLE:
        yield kind.__name__, damaging.at(kind, file, 0)
    for other in (f"places-{Chinese.id}.npz", f"other-{HashingEmbedder.id}.npz"):
        yield f"is {other}", _replaced(file, other)
    yield "gone", _gone(file)


_ARRAYS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "longer": lambda array: np.concatenate([array, array[-1:]]),
    "shorter": lambda array: array[:-1],
    "of another type": lambda array: array.astype(np.float64),
    "of objects": lambda array: array.astype(object),
    "not a number": lambda array: np.full(array.shape, np.nan, np.float32),
    "of more dimensions": lambda array: array[None],
    "negative": lambda array: -1 - np.abs(array),
    "huge": lambda array: np.full(array.shape, np.iinfo(np.int32).max // 2, array.dtype),
}


def _shows(folder: str, array: str, change: str) -> bool:
    """Whether a change shows where the checksums were forged too. Numbers that merely are others do not, nor arrays
    that the Chinese vectors bring along unused."""
    merely = change in ("negative", "huge") and array in ("vectors", "bm25_data")
    return not merely and (folder == "index" or array == "vectors")


def _array(folder: str, name: str, change: Callable[[np.ndarray], np.ndarray], *, signed: bool) -> Do:
    """Another array in the place of one, with or without the checksum that fits it."""

    def do(place: Path) -> None:
        path = place / folder / f"{name}.npy"
        np.save(path, change(np.load(path)), allow_pickle=True)
        if signed:
            data = path.read_bytes()
            manifest = json.loads((path.parent / index_store.MANIFEST).read_bytes())
            manifest.pop("sha256")
            manifest["files"][path.name] = {"bytes": len(data), "sha256": index_store._sha256(data)}
            (path.parent / index_store.MANIFEST).write_bytes(index_store._manifest(manifest))

    return do


def _manifest(folder: str, what: str) -> Do:
    """A manifest that is whole and of another origin."""

    def do(place: Path) -> None:
        path = place / folder / index_store.MANIFEST
        manifest = json.loads(path.read_bytes())
        manifest.pop("sha256")
        path.write_bytes(index_store._manifest({**manifest, what: 99}))

    return do


def _gone(at: str) -> Do:
    return lambda place: (place / at).unlink()


def _replaced(at: str, by: str) -> Do:
    return lambda place: Path(shutil.copy(place / by, place / at)) and None


def _swapped(one: str, other: str) -> Do:
    return lambda place: damaging.swapped(place / one, place / other)


def _a_file(folder: str) -> Do:
    def do(place: Path) -> None:
        shutil.rmtree(place / folder)
        (place / folder).write_text("a file in its place")

    return do


def _without_files(folder: str) -> Do:
    def do(place: Path) -> None:
        for file in (place / folder).iterdir():
            file.unlink()

    return do


def _bytes(place: Path) -> dict[str, bytes]:
    files = [
        path for path in place.rglob("*") if path.is_file() and not path.relative_to(place).parts[0].startswith("oth")
    ]
    return {str(file.relative_to(place)): file.read_bytes() for file in files}

"""An index on disk: plain arrays, a vocabulary and a manifest with checksums. All or nothing, and never a pickle.

    vectors.npy  bm25_data.npy  bm25_indices.npy  bm25_indptr.npy  vocabulary.json  manifest.json

What is used is exactly what was checked: each file is read once, or mapped into memory, and hashed before that.
"""

import hashlib
import io
import json
import mmap
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

FORMAT = 1  # raise it when the files or the way texts are cut change
MANIFEST = "manifest.json"
VOCABULARY = "vocabulary.json"
ARRAYS: Mapping[str, type[np.generic]] = {
    "vectors": np.float32,
    "bm25_data": np.float32,
    "bm25_indices": np.int32,
    "bm25_indptr": np.int32,
}
MAPPED = "vectors"  # the array that is large: the system reads it page by page and may let go of it again
BLOCK = 1 << 22  # bytes that are hashed at once
ABANDONED_SECONDS = 3_600  # a half-written folder that old belongs to no running process
_UNFINISHED = ".unfinished-"


class IndexDamaged(ValueError):
    """Raised when a stored index is absent, incomplete, changed or made from something else; the message says which."""

    def __init__(self, why: str, *, absent: bool = False) -> None:
        super().__init__(why)
        self.absent = absent


@dataclass(frozen=True)
class StoredIndex:
    """The parts of an index as they stand on disk."""

    arrays: Mapping[str, NDArray[Any]]
    vocabulary: tuple[str, ...]


def texts_digest(texts: Iterable[str]) -> str:
    """A digest of the texts that an index was made from, in their order."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def save(folder: Path, stored: StoredIndex, made_from: Mapping[str, Any]) -> None:
    """Write an index beside its place, make it durable, then put it there in one rename. Raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    unfinished = Path(tempfile.mkdtemp(prefix=f"{folder.name}{_UNFINISHED}", dir=folder.parent))
    try:
        sums = {f"{name}.npy": _write_array(unfinished / f"{name}.npy", stored.arrays[name]) for name in ARRAYS}
        vocabulary = json.dumps(list(stored.vocabulary), ensure_ascii=False).encode()
        sums[VOCABULARY] = {"bytes": len(vocabulary), "sha256": _sha256(vocabulary)}
        _write(unfinished / VOCABULARY, vocabulary)
        _write(unfinished / MANIFEST, _manifest({**made_from, "format": FORMAT, "files": sums}))
        _sync_folder(unfinished)
        _put_in_place(unfinished, folder)
        _sync_folder(folder.parent)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def load(folder: Path, made_from: Mapping[str, Any]) -> StoredIndex:
    """Read an index that was made from exactly this. Raises IndexDamaged for any other."""
    if not os.path.lexists(folder):
        raise IndexDamaged("there is none yet", absent=True)
    try:
        sums = _checked_manifest(_read(folder / MANIFEST, None), made_from)
        raw = {a: (_mapped if a == MAPPED else _read)(folder / f"{a}.npy", sums[f"{a}.npy"]) for a in ARRAYS}
        arrays = {name: _array(raw[name], kind) for name, kind in ARRAYS.items()}
        vocabulary = json.loads(_read(folder / VOCABULARY, sums[VOCABULARY]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, IndexDamaged):
            raise
        raise IndexDamaged(f"unreadable ({type(error).__name__})") from error
    if not isinstance(vocabulary, list) or not all(isinstance(word, str) for word in vocabulary):
        raise IndexDamaged("the vocabulary is no list of words")
    return StoredIndex(arrays=arrays, vocabulary=tuple(vocabulary))


def _checked_manifest(raw: bytes, made_from: Mapping[str, Any]) -> dict[str, Any]:
    """The checksums of a manifest that is whole and names exactly this origin."""
    manifest = json.loads(raw)
    if not isinstance(manifest, dict):
        raise IndexDamaged("the manifest is none")
    body = {key: value for key, value in manifest.items() if key != "sha256"}
    if raw != _manifest(body):
        raise IndexDamaged("the manifest was changed")
    if body.get("format") != FORMAT:
        raise IndexDamaged("written in another format")
    for what, value in made_from.items():
        if body.get(what) != value:
            raise IndexDamaged(f"the {what} is not the one it was made from")
    sums: dict[str, Any] = body["files"]
    return sums


def _manifest(body: Mapping[str, Any]) -> bytes:
    """The one way to write a manifest: any changed byte shows."""
    plain = json.dumps(body, sort_keys=True)
    return json.dumps({**body, "sha256": _sha256(plain.encode())}, sort_keys=True).encode()


def _read(path: Path, expected: Mapping[str, Any] | None) -> bytes:
    _check_size(path, expected)
    data = path.read_bytes()
    if expected is not None and _sha256(data) != expected["sha256"]:
        raise IndexDamaged(f"{path.name} was changed")
    return data


def _mapped(path: Path, expected: Mapping[str, Any]) -> memoryview:
    """The bytes of a file, mapped: its pages cost no memory that the system cannot take back."""
    _check_size(path, expected)
    with path.open("rb") as file:
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    digest = hashlib.sha256()
    for start in range(0, len(data), BLOCK):
        digest.update(data[start : start + BLOCK])
    if digest.hexdigest() != expected["sha256"]:
        raise IndexDamaged(f"{path.name} was changed")
    return data


def _check_size(path: Path, expected: Mapping[str, Any] | None) -> None:
    if not path.is_file():
        raise IndexDamaged(f"{path.name} is missing")
    if expected is not None and path.stat().st_size != expected["bytes"]:
        raise IndexDamaged(f"{path.name} has another size")


def _array(data: bytes | memoryview, kind: type[np.generic]) -> NDArray[Any]:
    """The array of an .npy file, as a view of its bytes."""
    head = io.BytesIO(data[:BLOCK])
    version = np.lib.format.read_magic(head)
    if version != (1, 0):
        raise IndexDamaged("an array of another version")
    shape, by_columns, dtype = np.lib.format.read_array_header_1_0(head)
    if dtype != np.dtype(kind) or by_columns:
        raise IndexDamaged("an array of another kind")
    return np.frombuffer(data, dtype, offset=head.tell()).reshape(shape)


class _Hashed:
    """A file that takes note of what is written to it, so that a large array needs no copy to be hashed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._bytes = 0

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self._bytes += len(data)
        return self._file.write(data)

    def sums(self) -> dict[str, Any]:
        return {"bytes": self._bytes, "sha256": self._digest.hexdigest()}


def _write_array(path: Path, array: NDArray[Any]) -> dict[str, Any]:
    """Write an .npy file and make it durable; its size and checksum."""
    with path.open("wb") as file:
        hashed = _Hashed(file)
        np.lib.format.write_array(cast(BinaryIO, hashed), np.ascontiguousarray(array), allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())
    return hashed.sums()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make names durable, where the system can sync a folder."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _put_in_place(unfinished: Path, folder: Path) -> None:
    """Move the finished folder to its name; what stands there goes first, whatever it is."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        old = Path(tempfile.mkdtemp(prefix=f"{folder.name}{_UNFINISHED}", dir=folder.parent))
        folder.rename(old / "old")
        shutil.rmtree(old, ignore_errors=True)
    unfinished.rename(folder)


def _sweep(folder: Path) -> None:
    """Remove what writers that were killed left behind."""
    for left in folder.parent.glob(f"{folder.name}{_UNFINISHED}*"):
        if time.time() - left.stat().st_mtime > ABANDONED_SECONDS:
            shutil.rmtree(left, ignore_errors=True)

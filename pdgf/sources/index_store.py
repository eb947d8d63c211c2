"""An index on disk: plain arrays, a vocabulary and a manifest with checksums. All or nothing, and never a pickle.

    vectors.npy  bm25_data.npy  bm25_indices.npy  bm25_indptr.npy  vocabulary.json  manifest.json

What is read is exactly what was checked: each file is read once and hashed before a byte of it is used.
"""

import hashlib
import io
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
        files = {name: _npy(stored.arrays[name[:-4]]) for name in (f"{array}.npy" for array in ARRAYS)}
        files[VOCABULARY] = json.dumps(list(stored.vocabulary), ensure_ascii=False).encode()
        sums = {name: {"bytes": len(data), "sha256": _sha256(data)} for name, data in files.items()}
        files[MANIFEST] = _manifest({**made_from, "format": FORMAT, "files": sums})
        for name, data in files.items():
            _write(unfinished / name, data)
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
        data = {name: _read(folder / name, sums[name]) for name in (*(f"{a}.npy" for a in ARRAYS), VOCABULARY)}
        arrays = {name: _array(data[f"{name}.npy"], kind) for name, kind in ARRAYS.items()}
        vocabulary = json.loads(data[VOCABULARY])
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
    if not path.is_file():
        raise IndexDamaged(f"{path.name} is missing")
    if expected is not None and path.stat().st_size != expected["bytes"]:
        raise IndexDamaged(f"{path.name} has another size")
    data = path.read_bytes()
    if expected is not None and _sha256(data) != expected["sha256"]:
        raise IndexDamaged(f"{path.name} was changed")
    return data


def _array(data: bytes, kind: type[np.generic]) -> NDArray[Any]:
    array: NDArray[Any] = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    if array.dtype != np.dtype(kind):
        raise IndexDamaged("an array of another kind")
    return array


def _npy(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


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

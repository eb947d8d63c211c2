"""What stands in the folder of indexes: of which catalogue each is, and which of them nothing can use any more.

An index is <name>-<16 hex digits of what it was made from>, with "-zh" for its Chinese texts beside it. A release that
changes a catalogue, and a file that is indexed again, leave the one before behind.
"""

import json
import logging
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdgf.sources.index_store import FORMAT, MANIFEST

KEPT_SECONDS = 7 * 24 * 3_600.0  # since its last use: to go back to the release before costs no time until then
_INDEX = re.compile(r"(?P<name>.+)-(?P<made_from>[0-9a-f]{16})(?P<beside>-zh)?(?:\.encoding)?")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoredFolder:
    """One index with what stands beside it: the digest of its catalogue, its encoder, when it was made and used last
    (seconds since the epoch), and its bytes. Digest and encoder are empty where it is unfinished or damaged."""

    name: str
    folders: tuple[Path, ...]
    catalogue: str
    encoder: str
    made: float
    used: float
    size: int


def stored_of(data_dir: Path, name: str) -> list[StoredFolder]:
    """The indexes of a catalogue, the one that was used last first."""
    groups: dict[str, list[Path]] = {}
    for path in _folders(data_dir / "index"):
        match = _INDEX.fullmatch(path.name)
        if match and match["name"] == name:
            groups.setdefault(match["made_from"], []).append(path)
    return sorted((_described(name, paths) for paths in groups.values()), key=lambda row: -row.used)


def used(folder: Path) -> None:
    """Note that an index is used now."""
    with suppress(OSError):  # a folder that cannot be written loses nothing by it
        os.utime(folder / MANIFEST)


def keep_used(data_dir: Path, folder: Path) -> None:
    """Note that an index is used now, and delete those that nothing can use any more."""
    used(folder)
    prune(data_dir, folder)


def prune(data_dir: Path, current: Path, *, now: float | None = None) -> list[str]:
    """Delete the indexes of the same catalogue as `current` that were made from something else and were not used for a
    week; those of the same items by another encoder stay. What is deleted is logged, and given back."""
    match = _INDEX.fullmatch(current.name)
    if match is None:
        return []
    rows = stored_of(data_dir, match["name"])
    ours = next((row for row in rows if current in row.folders), None)
    if ours is None or not ours.catalogue:  # it could not be stored, so nothing is known of the others
        return []
    since = (time.time() if now is None else now) - KEPT_SECONDS
    gone = [row for row in rows if row is not ours and row.catalogue != ours.catalogue and row.used < since]
    pruned = []
    for row in gone:
        try:
            delete(row)
        except OSError as error:
            log.warning("the index %s of an earlier catalogue stays: %s", row.folders[0].name, error.strerror or error)
            continue
        pruned.append(row.folders[0].name)
        log.info("the index %s, which nothing used any more, was deleted (%s bytes)", pruned[-1], row.size)
    return pruned


def delete(row: StoredFolder) -> None:
    """Delete an index with what stands beside it; whoever has it open reads on. Raises OSError."""
    for folder in row.folders:
        shutil.rmtree(folder)


def _folders(place: Path) -> Iterator[Path]:
    with suppress(FileNotFoundError, NotADirectoryError):
        yield from (path for path in sorted(place.iterdir()) if path.is_dir() and not path.is_symlink())


def _described(name: str, paths: list[Path]) -> StoredFolder:
    files = [file for path in paths for file in path.iterdir() if file.is_file()]
    manifest = next((found for path in paths if not path.name.endswith("-zh") if (found := _manifest(path))), {})
    known = manifest if manifest.get("format") == FORMAT else {}
    return StoredFolder(
        name=name,
        folders=tuple(paths),
        catalogue=str(known.get("catalogue", "")),
        encoder=str(known.get("encoder", "")),
        made=max((file.stat().st_mtime for file in files if file.name != MANIFEST), default=0.0),
        used=max((file.stat().st_mtime for file in files), default=0.0),
        size=sum(file.stat().st_size for file in files),
    )


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}

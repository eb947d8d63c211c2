"""The names and folders of catalogues that belong to one visitor of the page, who alone knows them. Pure.

A name is own-<digest of the owner>-<random>: it cannot be guessed, and its folder follows from it alone.
"""

import hashlib
import re
import secrets
from pathlib import Path

FOLDER = "uploads"
LOCAL_OWNER = "command-line"  # owns the conversations and the kept replies of the command line; no visitor is this one

_OWNED = re.compile(r"own-([0-9a-f]{16})-([0-9a-f]{16})")


def new_name(owner: str) -> str:
    """A new name for a catalogue of this owner."""
    return f"own-{_digest(owner)}-{secrets.token_hex(8)}"


def belongs(name: str, owner: str) -> bool:
    """Whether a catalogue of that name would be this owner's."""
    match = _OWNED.fullmatch(name)
    return match is not None and match[1] == _digest(owner)


def is_owned(name: str) -> bool:
    """Whether a name is that of a visitor's catalogue."""
    return _OWNED.fullmatch(name) is not None


def folder_of_owner(data_dir: Path, owner: str) -> Path:
    """Where the catalogues of an owner are kept."""
    return data_dir / FOLDER / _digest(owner)


def folder_of(data_dir: Path, name: str) -> Path:
    """The folder of a catalogue of a visitor. Raises ValueError for any other name."""
    match = _OWNED.fullmatch(name)
    if match is None:
        raise ValueError(name)
    return data_dir / FOLDER / match[1] / match[2]


def names_in(folder: Path) -> list[str]:
    """The names of the catalogues in an owner's folder, the oldest first."""
    found = sorted(folder.glob("*/domain.json"), key=lambda path: (path.stat().st_mtime, path.parent.name))
    names = (f"own-{folder.name}-{path.parent.name}" for path in found)
    return [name for name in names if is_owned(name)]


def _digest(owner: str) -> str:
    return hashlib.sha256(owner.encode("utf-8", "surrogatepass")).hexdigest()[:16]

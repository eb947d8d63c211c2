"""Catalogues that were indexed here: each a folder with its domain and its items, the user's own and the visitors'."""

import logging
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dialogue import owned
from dialogue.domain import Domain, domain_from_file
from pdgf.catalogues.bundled import BUNDLED
from pdgf.catalogues.reading import CatalogueItem
from pdgf.errors import CatalogueInvalid, ConfigInvalid, IndexUnavailable, UnknownDomain
from pdgf.settings import NONE

_NAME = re.compile(r"(?!(?:con|prn|aux|nul|(?:com|lpt)[0-9])$)[a-z0-9][a-z0-9_-]{0,39}")  # no device of a system

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KeptCatalogues:
    """The folders below the data folder of the settings."""

    data_dir: Path

    def names(self) -> tuple[str, ...]:
        """The user's own catalogues; a visitor's is listed nowhere."""
        return tuple(sorted(path.parent.name for path in self._all().glob("*/domain.json")))

    def domains(self) -> tuple[Domain, ...]:
        """The domains of the user's own catalogues; one that is damaged is left out, and logged."""
        found = []
        for name in self.names():
            try:
                found.append(self.domain(name))
            except CatalogueInvalid as error:
                log.warning("a catalogue is left out: %s", error)
        return tuple(found)

    def domain(self, name: str) -> Domain:
        """The domain of a catalogue. Raises UnknownDomain, and CatalogueInvalid where its file is damaged."""
        path = self._folder(name) / "domain.json"
        if not _NAME.fullmatch(name) or not path.is_file():
            raise UnknownDomain(name, (*BUNDLED, *self.names()))
        try:
            return domain_from_file(path)
        except (OSError, ValueError) as error:
            raise CatalogueInvalid(f"what is kept of {name} is damaged. Please index its file again.") from error

    def items_of(self, domain: Domain) -> Path:
        """The file of a catalogue's items."""
        return self._folder(domain.name) / "items.jsonl"

    def keep(self, domain: Domain, items: Iterable[CatalogueItem]) -> None:
        """Write a catalogue down, over one of the same name. Raises IndexUnavailable when that cannot be done."""
        folder = self._folder(domain.name)
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lines = (item.model_dump_json(exclude_none=True) for item in items)
            _replace(self.items_of(domain), "".join(f"{line}\n" for line in lines))
            _replace(folder / "domain.json", domain.model_dump_json(indent=1))
        except OSError as error:
            raise IndexUnavailable(f"{folder}: {error.strerror or error}") from error

    def remove(self, name: str) -> None:
        """Delete a visitor's catalogue with its index. Raises IndexUnavailable when its files cannot be deleted."""
        folder = owned.folder_of(self.data_dir, name)
        try:
            for gone in (folder, *(self.data_dir / "index").glob(f"{name}-*")):
                if gone.exists():
                    shutil.rmtree(gone)
        except OSError as error:
            raise IndexUnavailable(f"{folder.name}: {error.strerror or error}") from error

    def remove_own(self, name: str) -> None:
        """Delete a catalogue of the user's own; its indexes stay. Raises IndexUnavailable when that cannot be done."""
        if not _NAME.fullmatch(name):
            return
        folder = self._folder(name)
        try:
            (folder / "domain.json").unlink(missing_ok=True)  # first, so that half of it is no catalogue
            shutil.rmtree(folder)
        except OSError as error:
            raise IndexUnavailable(f"{folder.name}: {error.strerror or error}") from error

    def _all(self) -> Path:
        return self.data_dir / "domains"

    def _folder(self, name: str) -> Path:
        """A visitor's catalogue has a folder that only its name leads to."""
        return owned.folder_of(self.data_dir, name) if owned.is_owned(name) else self._all() / name


def _replace(path: Path, text: str) -> None:
    """Write a file, all of it or nothing. Raises OSError."""
    written = path.with_name(f"{path.name}.new")
    with written.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(written, path)


def usable(name: str) -> str:
    """A name for a catalogue of the user's own. Raises ConfigInvalid for one that cannot be used."""
    if not _NAME.fullmatch(name) or name in (*BUNDLED, NONE):
        raise ConfigInvalid(
            f"the name {name!r} cannot be used: take lower-case letters, digits, - and _, and no bundled name or {NONE}"
        )
    return name

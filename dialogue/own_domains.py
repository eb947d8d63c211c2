"""What visitors of the page bring along: catalogues of their own, each seen by its owner alone.

    take_in   a file is laid down and shown
    check     what would be made of it with the columns chosen
    build     it becomes a domain while the visitor watches, or goes elsewhere
    remove    it goes, with its index

Nobody learns of another's: every name holds a random part and is looked up in the folder of its owner only.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from dialogue import owned
from dialogue.domain import Domain, domain_from_file
from dialogue.own_catalogue import Checked, Chosen, Preview, checked, laid_down, preview, reader_mapping
from dialogue.seen import by_any_title, known_here
from dialogue.seen_lists import SeenTitle
from dialogue.uploads import MEGABYTE
from pdgf.catalogues.reading import CatalogueItem
from pdgf.errors import IndexUnavailable, PdgfError, ServiceFailed, UploadGone, UploadRefused
from pdgf.identity import Exclusion
from pdgf.models import Candidate
from pdgf.texts import clean, collapsed

MAX_DOMAINS = 5  # catalogues of one owner
LONGEST_TITLE = 40  # characters of the name that a visitor gives
STALE_SECONDS = 24 * 3600  # after that a file that nothing was made of is deleted
BEAT = 0.5  # seconds between two signs of progress

log = logging.getLogger(__name__)
_DRAFT = re.compile(r"draft-[0-9a-f]{32}\.(?:csv|jsonl)")


class Indexer(Protocol):
    """What the composition root can do with catalogues."""

    async def index(
        self,
        file: Path,
        *,
        name: str,
        mapping: Mapping[str, str] | None = None,
        progress: Callable[[int, int], None] | None = None,
        title: str = "",
    ) -> Any: ...

    async def remove(self, name: str) -> None: ...

    async def items(self, name: str) -> Sequence[CatalogueItem]: ...


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A file that was taken in: the name it was given here, what it was called, and what it holds."""

    file: str
    called: str
    preview: Preview


@dataclass(kw_only=True)
class Build:
    """A catalogue on its way to become a domain; `waiting` while another one is being built."""

    name: str
    title: str
    waiting: bool = True
    done: int = 0
    total: int = 0
    checked: Checked = field(default_factory=Checked)
    trouble: PdgfError | None = None
    over: bool = False
    task: "asyncio.Task[None] | None" = None

    def progress(self, done: int, total: int) -> None:
        """Take note of how many of the texts have been read."""
        self.done, self.total = done, total

    async def watch(self) -> AsyncIterator["Build"]:
        """The build, every now and then until it is over, and once more then. Any number may watch."""
        while not self.over and self.task is not None:
            yield self
            await asyncio.wait([self.task], timeout=BEAT)
        yield self


@dataclass
class OwnDomains:
    """The catalogues of all visitors. One catalogue is built at a time, since they share one encoder."""

    indexer: Indexer
    data_dir: Path
    max_upload_mb: int
    _builds: dict[str, Build] = field(default_factory=dict)
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def max_bytes(self) -> int:
        """The largest file that is taken."""
        return self.max_upload_mb * MEGABYTE

    def of(self, owner: str) -> dict[str, Domain]:
        """The domains of an owner by name, the oldest first; one whose file cannot be read is left out."""
        found: dict[str, Domain] = {}
        for name in owned.names_in(owned.folder_of_owner(self.data_dir, owner)):
            try:
                found[name] = domain_from_file(owned.folder_of(self.data_dir, name) / "domain.json")
            except (OSError, ValueError) as error:
                log.warning("domain %s cannot be read: %s", name, type(error).__name__)
        build = self._builds.get(owner)
        return {name: domain for name, domain in found.items() if build is None or name != build.name}

    def building(self, owner: str) -> Build | None:
        """The build of an owner that is still running."""
        return self._builds.get(owner)

    async def take_in(self, owner: str, data: bytes, called: str) -> Draft:
        """Lay a file down and look into it; an earlier one of this owner that nothing was made of is deleted.

        Raises UploadRefused, CatalogueInvalid and IndexUnavailable.
        """
        folder = owned.folder_of_owner(self.data_dir, owner)
        try:
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True, mode=0o700)
            path = await asyncio.to_thread(laid_down, data, folder, max_bytes=self.max_bytes)
            found = await asyncio.to_thread(_shown, path)
            await asyncio.to_thread(self._sweep, path, busy=owner in self._builds)
        except OSError as error:
            raise IndexUnavailable(f"{owned.FOLDER}: {error.strerror or error}") from error
        return Draft(file=path.name, called=called_plainly(called), preview=found)

    async def check(self, owner: str, draft: Draft, chosen: Chosen) -> Checked:
        """What would be made of a file with these columns. Raises UploadGone."""
        return await asyncio.to_thread(checked, self._path(owner, draft), draft.preview.columns, chosen)

    async def build(self, owner: str, draft: Draft, chosen: Chosen, title: str) -> Build:
        """Begin to make a domain of a file; it goes on when nobody watches, and the file is deleted at its end.

        Raises UploadRefused for a name or columns that cannot be used, or too many catalogues; the file stays then.
        """
        if self.building(owner):
            raise UploadRefused("your last catalogue is still being built")
        if len(self.of(owner)) >= MAX_DOMAINS:
            raise UploadRefused(f"you have {MAX_DOMAINS} catalogues already; delete one first")
        named = called_plainly(title)
        if not named:
            raise UploadRefused("it needs a name")
        path = self._path(owner, draft)
        build = self._builds[owner] = Build(name=owned.new_name(owner), title=named)
        build.task = asyncio.create_task(self._run(build, path, draft.preview.columns, chosen))
        build.task.add_done_callback(lambda done: self._ended(owner, build, done))
        return build

    async def remove(self, owner: str, name: str) -> None:
        """Delete a domain of this owner with its index; another's is none. Raises IndexUnavailable."""
        if owned.belongs(name, owner):
            await self.indexer.remove(name)

    async def known(self, names: Sequence[str], titles: Sequence[SeenTitle]) -> dict[str, int]:
        """How many items of each domain are among these titles (METHOD 6.4)."""
        listed = [Exclusion(title=title.title, year=title.year, why="seen") for title in titles]
        counts: dict[str, int] = {}
        for name in names:
            items = await self.indexer.items(name)
            counts[name] = await asyncio.to_thread(_among, items, listed)
        return counts

    async def _run(self, build: Build, path: Path, columns: Sequence[str], chosen: Chosen) -> None:
        done = False
        try:
            async with self._one_at_a_time:
                build.waiting = False
                build.checked = await asyncio.to_thread(checked, path, columns, chosen)
                if build.checked.problem:
                    raise UploadRefused(build.checked.problem)
                mapping = reader_mapping(columns, chosen)
                await self.indexer.index(
                    path, name=build.name, mapping=mapping, progress=build.progress, title=build.title
                )
            done = True
        except PdgfError as error:
            build.trouble = error
        finally:
            if not done:
                await self.indexer.remove(build.name)
            if not isinstance(build.trouble, UploadRefused):  # what can be mended is worth another try
                await asyncio.to_thread(path.unlink, missing_ok=True)

    def _ended(self, owner: str, build: Build, done: "asyncio.Task[None]") -> None:
        build.over = True
        del self._builds[owner]
        if done.cancelled():
            build.trouble = ServiceFailed("it was stopped")
        elif (error := done.exception()) is not None:
            log.error("building %s failed", build.name, exc_info=error)
            build.trouble = error if isinstance(error, PdgfError) else ServiceFailed(type(error).__name__)

    def _path(self, owner: str, draft: Draft) -> Path:
        path = owned.folder_of_owner(self.data_dir, owner) / draft.file
        if not _DRAFT.fullmatch(draft.file) or not path.is_file():
            raise UploadGone("it was used, replaced, or too old")
        return path

    def _sweep(self, new: Path, *, busy: bool) -> None:
        """Delete files that nothing was made of: those that a new one takes the place of, unless one is being built,
        and every stale one."""
        for path in (self.data_dir / owned.FOLDER).glob("*/draft-*"):
            with suppress(FileNotFoundError):  # another visit may sweep too
                old = time.time() - path.stat().st_mtime > STALE_SECONDS
                if (path.parent == new.parent and path != new and not busy) or old:
                    path.unlink()


def _shown(path: Path) -> Preview:
    """The preview of a file, which is deleted when there is nothing to show."""
    try:
        return preview(path)
    except PdgfError:
        path.unlink(missing_ok=True)
        raise


def called_plainly(name: str) -> str:
    """A name that a visitor gives, on one line, without its path and ending, cut where it is too long."""
    text = collapsed(clean(name)).replace("\\", "/").rsplit("/", 1)[-1]
    return re.sub(r"\.(?:csv|tsv|txt|jsonl?|ndjson)$", "", text, flags=re.IGNORECASE)[:LONGEST_TITLE].strip()


def _among(items: Sequence[CatalogueItem], listed: Sequence[Exclusion]) -> int:
    named = [Candidate(id=item.id, title=item.title, year=item.year, metadata=item.metadata) for item in items]
    return len(known_here(named, by_any_title(listed, lambda: named)))

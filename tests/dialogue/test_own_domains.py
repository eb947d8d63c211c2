"""Catalogues that visitors bring: each seen by its owner alone, built one at a time, gone when deleted."""

import asyncio
import stat
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from dialogue import owned
from dialogue.composition import OWNED_OPEN, Composition
from dialogue.domain import Domain
from dialogue.own_domains import MAX_DOMAINS, STALE_SECONDS, Build, Draft, OwnDomains, called_plainly
from dialogue.seen_lists import SeenTitle
from pdgf.catalogues.reading import CatalogueItem, read_items
from pdgf.errors import BadInput, IndexUnavailable, UnknownDomain, UploadGone, UploadRefused, UploadTooLarge
from pdgf.settings import Settings

TABLE = b"title,year,notes\nSalt Roads,1974,A quiet road.\nMoth Season,2016,A loud moth.\n,2000,nameless\n"


class Shelves:
    """An indexer that writes what the real one writes and encodes nothing; `gate` holds it back."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.gate = asyncio.Event()
        self.gate.set()
        self.running = 0
        self.most = 0
        self.failure: Exception | None = None

    async def index(
        self,
        file: Path,
        *,
        name: str,
        mapping: Mapping[str, str] | None = None,
        progress: Callable[[int, int], None] | None = None,
        title: str = "",
    ) -> None:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await self.gate.wait()
            assert read_items(file, mapping=mapping).items
            folder = owned.folder_of(self.data_dir, name)
            folder.mkdir(parents=True)
            made = Domain(name=name, title=title, item_word="i", items_word="is", greeting="", constraint_keys=())
            (folder / "domain.json").write_text(made.model_dump_json())
            if self.failure is not None:
                raise self.failure
            if progress is not None:
                progress(2, 2)
        finally:
            self.running -= 1

    async def remove(self, name: str) -> None:
        import shutil

        shutil.rmtree(owned.folder_of(self.data_dir, name), ignore_errors=True)

    async def items(self, name: str) -> tuple[CatalogueItem, ...]:
        return (CatalogueItem(id="1", title="Salt Roads", year=1974), CatalogueItem(id="2", title="Moth Season"))


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


@pytest.fixture
def own(shelves: Shelves, tmp_path: Path) -> OwnDomains:
    return OwnDomains(shelves, tmp_path, 1)


async def brought(own: OwnDomains, owner: str, title: str = "Mine") -> Build:
    draft = await own.take_in(owner, TABLE, "mine.csv")
    return await ended(await own.build(owner, draft, draft.preview.proposed, title))


async def ended(build: Build) -> Build:
    assert build.task is not None
    await asyncio.wait([build.task])
    await asyncio.sleep(0)
    return build


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


async def test_a_file_becomes_a_domain_of_its_owner_and_is_deleted(own: OwnDomains, tmp_path: Path) -> None:
    build = await brought(own, "ann")
    assert build.over
    assert build.trouble is None
    assert (build.checked.items, build.checked.texts) == (2, 2)
    assert [row.line for row in build.checked.refused] == [4]
    assert {name: domain.title for name, domain in own.of("ann").items()} == {build.name: "Mine"}
    assert files(tmp_path) == ["domain.json"]
    assert stat.S_IMODE(owned.folder_of_owner(tmp_path, "ann").stat().st_mode) == 0o700


async def test_nobody_sees_or_deletes_what_another_brought(own: OwnDomains) -> None:
    ann, bob = await brought(own, "ann", "Same name"), await brought(own, "bob", "Same name")
    assert (set(own.of("ann")), set(own.of("bob")), own.of("cid")) == ({ann.name}, {bob.name}, {})
    await own.remove("bob", ann.name)
    await own.remove("bob", "../../ann")
    assert set(own.of("ann")) == {ann.name}
    await own.remove("ann", ann.name)
    assert own.of("ann") == {}
    assert set(own.of("bob")) == {bob.name}


async def test_a_draft_of_another_cannot_be_built(own: OwnDomains) -> None:
    draft = await own.take_in("ann", TABLE, "mine.csv")
    with pytest.raises(UploadGone):
        await own.build("bob", draft, draft.preview.proposed, "Mine")
    with pytest.raises(UploadGone):
        await own.check("ann", Draft(file="../x.csv", called="x", preview=draft.preview), {})


async def test_a_name_cannot_be_guessed_and_leads_to_its_folder_alone(tmp_path: Path) -> None:
    names = {owned.new_name("ann") for _ in range(100)}
    assert len(names) == 100
    for name in names:
        assert owned.belongs(name, "ann")
        assert not owned.belongs(name, "bob")
        assert owned.folder_of(tmp_path, name).parent == owned.folder_of_owner(tmp_path, "ann")
    for other in ("movies", "own-", "own-../../x-0123456789abcdef", f"{min(names)}/.."):
        assert not owned.is_owned(other)
        with pytest.raises(ValueError, match=r".*"):
            owned.folder_of(tmp_path, other)


async def test_one_catalogue_is_built_at_a_time_and_the_next_one_waits(own: OwnDomains, shelves: Shelves) -> None:
    shelves.gate.clear()
    drafts = {owner: await own.take_in(owner, TABLE, "x.csv") for owner in ("ann", "bob")}
    builds = [await own.build(owner, draft, draft.preview.proposed, "Mine") for owner, draft in drafts.items()]
    await asyncio.sleep(0.05)
    assert [build.waiting for build in builds] == [False, True]
    assert own.building("ann") is builds[0]
    with pytest.raises(UploadRefused, match="still being built"):
        await own.build("ann", drafts["ann"], drafts["ann"].preview.proposed, "Again")
    shelves.gate.set()
    for build in builds:
        await ended(build)
    assert (shelves.most, own.building("ann")) == (1, None)


async def test_a_build_is_watched_to_its_end(own: OwnDomains) -> None:
    draft = await own.take_in("ann", TABLE, "x.csv")
    build = await own.build("ann", draft, draft.preview.proposed, "Mine")
    seen = [(now.over, now.done, now.total) async for now in build.watch()]
    assert seen[0] == (False, 0, 0)
    assert seen[-1] == (True, 2, 2)


async def test_a_build_that_fails_leaves_nothing_and_says_why(
    own: OwnDomains, shelves: Shelves, tmp_path: Path
) -> None:
    kept = await brought(own, "ann", "Kept")
    for failure in (IndexUnavailable("no room"), ValueError("unheard of")):
        shelves.failure = failure
        build = await brought(own, "ann", "Lost")
        assert build.over
        assert build.trouble is not None
        assert set(own.of("ann")) == {kept.name}
    assert files(tmp_path) == ["domain.json"]


async def test_columns_that_give_nothing_leave_the_file_for_another_try(own: OwnDomains) -> None:
    draft = await own.take_in("ann", TABLE, "x.csv")
    build = await ended(await own.build("ann", draft, {}, "Mine"))
    assert isinstance(build.trouble, UploadRefused)
    assert (await own.check("ann", draft, draft.preview.proposed)).items == 2


async def test_a_name_is_needed_and_catalogues_are_counted(own: OwnDomains) -> None:
    draft = await own.take_in("ann", TABLE, "x.csv")
    with pytest.raises(UploadRefused, match="needs a name"):
        await own.build("ann", draft, draft.preview.proposed, " \u202e ")
    for _ in range(MAX_DOMAINS):
        await brought(own, "ann")
    draft = await own.take_in("ann", TABLE, "x.csv")
    with pytest.raises(UploadRefused, match="delete one first"):
        await own.build("ann", draft, draft.preview.proposed, "One more")


async def test_files_that_nothing_was_made_of_go(own: OwnDomains, tmp_path: Path) -> None:
    import os

    first = await own.take_in("ann", TABLE, "x.csv")
    old = await own.take_in("bob", TABLE, "x.csv")
    before = time.time() - STALE_SECONDS - 60
    os.utime(owned.folder_of_owner(tmp_path, "bob") / old.file, (before, before))
    second = await own.take_in("ann", TABLE, "x.csv")
    assert first.file != second.file
    assert files(tmp_path) == [second.file]
    with pytest.raises(UploadTooLarge):
        await own.take_in("cid", b"a" * (2 * 1024 * 1024), "x.csv")
    assert files(tmp_path) == [second.file]


async def test_a_file_that_cannot_be_taken_leaves_the_one_before(own: OwnDomains, tmp_path: Path) -> None:
    good = await own.take_in("ann", TABLE, "x.csv")
    for bad in (b"PK\x03\x04", b"only\nlines\n", b'{"a":', b""):
        with pytest.raises(BadInput):
            await own.take_in("ann", bad, "y.csv")
    assert files(tmp_path) == [good.file]
    assert (await own.check("ann", good, good.preview.proposed)).items == 2


@pytest.mark.parametrize(
    ("sent", "called"),
    [
        ("my films.csv", "my films"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\Liste.TSV", "Liste"),
        ("a\nb\u202e\0.json", "a b"),
        ("x" * 300, "x" * 40),
        ("..", ".."),
        ("CON", "CON"),
    ],
)
def test_what_a_file_was_called_is_words_only(sent: str, called: str) -> None:
    assert called_plainly(sent) == called


async def test_titles_known_are_counted_by_key_and_year(own: OwnDomains) -> None:
    titles = [SeenTitle(title="the SALT roads", year=1974), SeenTitle(title="Moth Season", year=1999)]
    assert await own.known(["any"], titles) == {"any": 2}
    assert await own.known(["any"], [SeenTitle(title="Salt Roads", year=1975)]) == {"any": 0}


async def test_the_composition_keeps_owned_domains_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    composition = Composition(settings=Settings(data_dir=tmp_path))
    opened: list[str] = []

    async def open_(name: str, progress: Any) -> Any:
        opened.append(name)
        return object()

    monkeypatch.setattr(composition, "_open", open_)
    file = tmp_path / "x.csv"
    file.write_bytes(TABLE)
    mapping = {"title": "title", "year": "year", "reviews": "notes"}
    name = owned.new_name("ann")
    made = await composition.index(file, name=name, mapping=mapping, title="Ann's")
    assert made.domain.title == "Ann's"
    assert "Ann's" in made.domain.greeting
    assert composition.domain(name) == made.domain
    assert len(await composition.items(name)) == 2
    assert name not in {domain.name for domain in composition.domains()}
    await composition.index(file, name="ours", mapping=mapping)
    assert "ours" in {domain.name for domain in composition.domains()}
    for _ in range(OWNED_OPEN + 3):
        await composition.ports(owned.new_name("bob"))
    assert len([held for held in composition._ready if owned.is_owned(held)]) == OWNED_OPEN
    assert "ours" in composition._ready
    index = tmp_path / "index" / f"{name}-0123"
    index.mkdir(parents=True)
    await composition.remove(name)
    with pytest.raises(UnknownDomain):
        composition.domain(name)
    assert not index.exists()
    assert composition.domain("ours").name == "ours"


async def test_a_domain_that_is_being_built_keeps_no_other_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    composition = Composition(settings=Settings(data_dir=tmp_path))
    gate, opened = asyncio.Event(), []

    async def open_(name: str, progress: Any) -> Any:
        opened.append(name)
        if name == "slow":
            await gate.wait()
        return name

    monkeypatch.setattr(composition, "_open", open_)
    slow = [asyncio.ensure_future(composition.ports("slow")) for _ in range(3)]
    assert await asyncio.wait_for(composition.ports("quick"), 5) == "quick"
    gate.set()
    assert await asyncio.gather(*slow) == ["slow"] * 3
    assert opened.count("slow") == 1

"""The tab "Your data" without a browser: whose it is, what is reported, what a file leaves behind."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dialogue import owned
from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.domain import Domain
from dialogue.own_catalogue import FIELDS
from dialogue.own_domains import OwnDomains
from dialogue.ui.brought import Data
from dialogue.ui.desk import Desk, Memory, choices, recall, remembered
from dialogue.ui.page import build_page
from dialogue.ui.reports import LINES_LISTED, Reason, reasons_of
from dialogue.ui.runs import Runs
from dialogue.ui.texts import page_texts
from dialogue.ui.visits import say, turn_to
from pdgf.catalogues.reading import RefusedRow
from pdgf.settings import Settings
from tests.browser.fake_conversations import DOMAINS

TEXTS = page_texts()
ANN, BOB = Memory(owner="ann", domain="movies"), Memory(owner="bob", domain="movies")


class Named(dict[str, Any]):
    """Components by name: each is its own name."""

    def __getattr__(self, name: str) -> Any:
        return {field: field for field in FIELDS} if name == "columns" else name


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    composition = Composition(settings=Settings(data_dir=tmp_path))
    async with Conversations(tmp_path, composition.ports) as conversations:
        own = OwnDomains(composition, tmp_path, 1)
        domains = {domain.name: domain for domain in DOMAINS}
        runs = Runs(conversations, at_once=8)
        yield Desk(conversations=conversations, runs=runs, domains=domains, texts=TEXTS, own=own)


def data_of(desk: Desk) -> Data:
    return Data(desk, Named())  # type: ignore[arg-type]


def bring(desk: Desk, folder: Path, owner: str, title: str) -> str:
    """A domain of an owner, as a build leaves it."""
    name = owned.new_name(owner)
    place = owned.folder_of(folder, name)
    place.mkdir(parents=True)
    domain = Domain(name=name, title=title, item_word="item", items_word="items", greeting="", constraint_keys=())
    (place / "domain.json").write_text(domain.model_dump_json())
    return name


async def test_a_domain_is_offered_to_its_owner_alone(desk: Desk, tmp_path: Path) -> None:
    name = bring(desk, tmp_path, "ann", "Ann's <b>reels</b>")
    assert list(desk.offered("ann")) == [*desk.domains, name]
    assert choices(desk, desk.offered("ann"))[-1] == ("Ann's <b>reels</b>", name)
    assert list(desk.offered("bob")) == list(desk.domains)
    stolen = {"owner": "bob", "domain": name, "threads": {name: "thread"}}
    assert recall(desk, stolen) == BOB
    assert recall(desk, {**stolen, "owner": "ann"}).thread == "thread"
    last = [screen async for screen in turn_to(desk, remembered(BOB), name, "tab")][-1]
    assert last.memory == BOB


async def test_a_domain_that_is_gone_leaves_its_visitor_at_the_first_one(desk: Desk, tmp_path: Path) -> None:
    memory = Memory(owner="ann", domain=owned.new_name("ann"))
    assert desk.domain(memory).name == "movies"
    assert recall(desk, remembered(memory)).domain == "movies"


async def test_of_a_deleted_catalogue_of_their_own_visitors_are_told_only_where_they_would_say_something_in_it(
    desk: Desk,
) -> None:
    memory = Memory(owner="ann", domain=owned.new_name("ann"))
    [turned] = [screen async for screen in turn_to(desk, remembered(memory), memory.domain, "tab")]
    assert (turned.status, turned.memory and turned.memory.domain) == ("", "movies")
    [said] = [screen async for screen in say(desk, remembered(memory), "a quiet one", "another tab")]
    assert (said.status, said.box) == (TEXTS["status"]["gone_box"], "a quiet one")
    assert await desk.conversations.list("ann") == []


async def test_a_file_is_read_once_and_is_gone(desk: Desk, tmp_path: Path) -> None:
    sent = tmp_path / "arrivals" / "digest" / "my films.csv"
    sent.parent.mkdir(parents=True)
    sent.write_bytes(b"title;year\nA<i>;1999\nB;soon\n")
    new = await data_of(desk).take_in(remembered(ANN), str(sent))
    assert not sent.exists()
    assert new["name"] == "my films"
    assert "A&lt;i&gt;" in new["preview"]
    assert "This gives 2 items with 0 texts about them." in new["checked"]
    again = await data_of(desk).take_in(remembered(ANN), str(sent))
    assert set(again) == {"file", "status"}
    assert "no longer here" in again["status"]


async def test_a_list_is_added_shown_and_forgotten_for_one_owner(desk: Desk) -> None:
    data = data_of(desk)
    new = await data.add_text(remembered(ANN), "Howl's Moving Castle (2004)\nNobody <u>knows</u> this\n***")
    assert new["seen_text"] == ""
    assert "Read line by line: 2 titles." in new["seen_status"]
    assert "no title" in new["seen_status"]
    assert "Known here: Films (1)" in new["seen"]
    assert "Nobody &lt;u&gt;knows" in new["seen"]
    assert (await data.forget(remembered(BOB)))["seen"] == ""
    assert len(await desk.conversations.seen_of("ann")) == 2
    assert (await data.forget(remembered(ANN)))["seen"] == ""
    assert await desk.conversations.seen_of("ann") == ()


async def test_a_list_that_cannot_be_read_changes_nothing(desk: Desk) -> None:
    await data_of(desk).add_text(remembered(ANN), "Lamplight")
    for typed in ("", "***", None):
        assert set(await data_of(desk).add_text(remembered(ANN), typed)) == {"seen_status"}
    assert [title.title for title in await desk.conversations.seen_of("ann")] == ["Lamplight"]


def test_refused_rows_are_told_by_reason_with_their_lines() -> None:
    refused = [*(RefusedRow(line=line, why="no title") for line in range(2, 22)), RefusedRow(line=30, why="x")]
    found, others = reasons_of(TEXTS, refused)
    assert found == [
        Reason(why="it has no title", lines=list(range(2, 2 + LINES_LISTED)), more=20 - LINES_LISTED),
        Reason(why="x", lines=[30]),
    ]
    assert others == ""
    many = [RefusedRow(line=line, why=f"reason {line}") for line in range(15)]
    assert reasons_of(TEXTS, many)[1] == "and for 3 reasons more"


async def test_the_tab_is_there_only_where_data_can_be_brought(desk: Desk) -> None:
    def ids(own: OwnDomains | None) -> set[str]:
        page = build_page(replace(desk, own=own), secret="s")  # noqa: S106
        return {str(block.elem_id) for block in page.blocks.values()}

    assert "catalogue-file" in ids(desk.own)
    assert "catalogue-file" not in ids(None)

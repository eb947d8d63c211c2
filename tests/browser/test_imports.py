"""One's own data in the page: `python app.py` with the built-in engine, a catalogue brought along, a list of what is
known, and a second browser that must see nothing of either."""

import asyncio
import csv
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Route, expect

from tests.browser.conftest import Visitor
from tests.browser.test_story import FIRST_TURN, ROMANCE, Served

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MARKUP = "<img src=x onerror=globalThis.pwned=1>${globalThis.pwned=1}{{1+1}}"
ROWS, UNUSABLE = 200, 3
PLOTS = ("two thieves who distrust each other", "a lighthouse keeper and her dog", "a train that never arrives")


def catalogue() -> bytes:
    """A table of invented films under odd headers, some of its years unusable, its cells hostile."""
    out = io.StringIO()
    table = csv.writer(out, delimiter=";")
    table.writerow(["Werk", "Jahr", "Meinung", f"Spule {MARKUP}"])
    for number in range(ROWS):
        year = "unbekannt" if number % 90 == 7 else 1950 + number % 70
        opinion = f"A slow and tender film about {PLOTS[number % 3]}, told with patience, number {number}. {MARKUP}"
        table.writerow([f"Reel {number} of the Harbour", year, opinion, number])
    return out.getvalue().encode("utf-8-sig")


WATCHED = """(status) => {
    globalThis.progress = [];  // what is seen too shortly to be waited for
    new MutationObserver(() => {
        const bar = status.querySelector("progress");
        if (bar) globalThis.progress.push(bar.parentElement.textContent.trim());
    }).observe(status, { childList: true, subtree: true });
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def program(data_dir: Path) -> AsyncIterator[Served]:
    served = Served(data_dir)
    await served.start()
    yield served
    await served.kill()


async def opened(visitor: Visitor, program: Served) -> None:
    visitor.page.set_default_timeout(FIRST_TURN)
    expect.set_options(timeout=FIRST_TURN)
    await visitor.open(program.url)
    await visitor.page.get_by_role("tab", name="Your data").click()


async def send(visitor: Visitor, part: str, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    await visitor.page.locator(f"#{part} input[type=file]").set_input_files(files=[file])  # type: ignore[list-item]


async def chosen(visitor: Visitor) -> str:
    return await visitor.page.locator("#domain label.selected").inner_text()


async def build(visitor: Visitor, name: str) -> None:
    await send(visitor, "catalogue-file", f"{name}.csv", catalogue())
    await expect(visitor.page.locator("#catalogue-checked")).to_contain_text("197 items")
    await visitor.page.get_by_role("button", name="Chat with it now").click()
    await expect(visitor.page.locator("#catalogue-status")).to_contain_text(f"“{name}” is ready")
    await expect(visitor.page.get_by_role("radio", name=name)).to_be_checked()


GAMES = b"Name,Released,Type,Players,Minutes,Price EUR,Review,Second opinion\n" + b"".join(
    b"Game %d,%d,card,2-4,30,19,Quick to learn and warm to play for everyone who likes cards.,Our children loved it.\n"
    % (number, 1990 + number)
    for number in range(12)
)
LINES = """heads => heads.map(head => {
    const text = document.createRange();
    text.selectNodeContents(head);
    return [head.textContent, new Set([...text.getClientRects()].map(line => Math.round(line.top))).size];
})"""
TOPS = """ids => ids.map(id => {
    const label = document.querySelector(`#column-${id} [data-testid="block-info"]`);
    return label.getBoundingClientRect().top;
})"""


async def test_heads_keep_their_words_whole_and_labels_stand_level(program: Served, visitor: Visitor) -> None:
    page = visitor.page
    await page.set_viewport_size({"width": 1400, "height": 900})
    await opened(visitor, program)
    await send(visitor, "catalogue-file", "games.csv", GAMES)
    await expect(page.get_by_label("Title", exact=True)).to_have_value("Name")
    lines = await page.locator("#catalogue-preview th").evaluate_all(LINES)
    assert len(lines) == 8
    assert all(count <= len(head.split()) for head, count in lines)
    title, year, texts = await page.evaluate(TOPS, ["title", "year", "texts"])
    assert abs(title - year) < 1
    assert abs(title - texts) < 1


async def test_a_catalogue_is_shown_understood_built_and_talked_about(program: Served, visitor: Visitor) -> None:
    page = visitor.page
    await opened(visitor, program)
    await send(visitor, "catalogue-file", "Harbour reels.csv", catalogue())
    preview = page.locator("#catalogue-preview")
    await expect(preview).to_contain_text("The first rows of “Harbour reels”")
    assert await preview.locator("th").count() == 4
    assert await preview.locator("img").count() == 0
    await expect(page.get_by_label("Title", exact=True)).to_have_value("Werk")
    await expect(page.get_by_label("Year", exact=True)).to_have_value("Jahr")
    report = page.locator("#catalogue-checked")
    await expect(report).to_contain_text(f"{ROWS - UNUSABLE} items with {ROWS - UNUSABLE} texts")
    await expect(report).to_contain_text("year is not a number lines 9, 99, 189")

    await page.get_by_label("Year", exact=True).click()
    await page.get_by_role("option", name="None").click()
    await expect(report).to_contain_text(f"{ROWS} items")
    await page.get_by_label("Year", exact=True).click()
    await page.get_by_role("option", name="Jahr").click()
    await expect(report).to_contain_text(f"{ROWS - UNUSABLE} items")

    await page.get_by_label("What shall I call it?").fill("Harbour")
    status = page.locator("#catalogue-status")
    await status.evaluate(WATCHED)
    await page.get_by_role("button", name="Chat with it now").click()
    await expect(status).to_contain_text("“Harbour” is ready: 197 items with 197 texts about them.")
    seen = await page.evaluate("progress")
    assert seen
    assert all(re.match(r"Reading (the rows|\d+ of \d+ texts)\.", said) for said in seen)
    await expect(status).to_contain_text("year is not a number lines 9, 99, 189")
    await expect(page.get_by_role("radio", name="Harbour")).to_be_checked()
    await expect(page.get_by_role("textbox", name="Your message")).to_be_focused()  # on to the chat about it
    await expect(page.get_by_role("tab", name="Picks")).to_have_attribute("aria-selected", "true")
    await visitor.say("a tender film about a lighthouse keeper")
    await page.get_by_role("tab", name="Picks").click()
    assert len(await visitor.titles()) == 3
    assert all("of the Harbour" in title for title in await visitor.titles())
    assert "lighthouse keeper" in await visitor.chat()

    await page.reload()
    await page.wait_for_selector("#picks section")
    await expect(page.get_by_role("radio", name="Harbour")).to_be_checked()
    await expect(page.locator("#chat .user-row")).to_have_count(1)

    await page.get_by_role("tab", name="Your data").click()
    await page.get_by_role("button", name="Delete Harbour").click()
    await expect(page.locator("#catalogue-mine")).to_contain_text("and every conversation about it?")
    await page.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_role("radio", name="Harbour")).to_have_count(0)
    await expect(page.get_by_role("radio", name="Films")).to_be_checked()
    await expect(page.locator("#chat .user-row")).to_have_count(0)

    assert await page.evaluate("globalThis.pwned") is None
    assert visitor.errors == []
    assert [url for url in visitor.requests if not url.startswith((program.url, "data:", "blob:"))] == []


async def test_a_list_of_what_is_known_keeps_the_first_film_away(program: Served, visitor: Visitor) -> None:
    page = visitor.page
    await opened(visitor, program)
    await visitor.say(ROMANCE)
    await page.get_by_role("tab", name="Picks").click()
    [first, *_] = await visitor.titles()
    title, _, year = first.rpartition(" ")
    await page.get_by_role("tab", name="Your data").click()
    rows = f"2024-01-01,{title},{year},u\n2024-01-02,{MARKUP},1999,u\n,,,\nx,,1,\n"
    watched = f"Date,Name,Year,Letterboxd URI\n{rows}"
    await send(visitor, "seen-file", "watched.csv", watched.encode())
    await expect(page.locator("#seen-status")).to_contain_text("Read as a file of Letterboxd: 2 titles.")
    await expect(page.locator("#seen-status")).to_contain_text("no title line 5")
    await expect(page.locator("#seen-list")).to_contain_text("Known here: Films (1)")
    await page.locator("#seen-text textarea").fill("The Paper Tide (1999)\n***")
    await page.get_by_role("button", name="Leave these out").click()
    await expect(page.locator("#seen-list")).to_contain_text("Your list holds 3 titles")
    await page.get_by_text("Show the titles").click()
    await expect(page.locator("#seen-list .titles")).to_contain_text(MARKUP)

    await page.get_by_role("button", name="New conversation").click()
    await expect(page.locator("#chat .user-row")).to_have_count(0)
    await visitor.say(ROMANCE)
    await page.get_by_role("tab", name="Picks").click()
    assert len(await visitor.titles()) == 3
    assert first not in await visitor.titles()

    await page.get_by_role("tab", name="Your data").click()
    await page.get_by_role("button", name="Forget my list").click()
    await expect(page.locator("#seen-status")).to_contain_text("Your list is forgotten.")
    await page.get_by_role("button", name="New conversation").click()
    await expect(page.locator("#chat .user-row")).to_have_count(0)
    await visitor.say(ROMANCE)
    await page.get_by_role("tab", name="Picks").click()
    assert (await visitor.titles())[0] == first
    assert await page.evaluate("globalThis.pwned") is None


async def test_a_broken_file_says_why_and_loses_nothing(program: Served, visitor: Visitor, data_dir: Path) -> None:
    page = visitor.page
    await opened(visitor, program)
    await send(visitor, "catalogue-file", "good.csv", b"title;notes\nA;good\nB;better\n")
    await expect(page.locator("#catalogue-checked")).to_contain_text("2 items")
    status = page.locator("#catalogue-status")
    await send(visitor, "catalogue-file", "bad.csv", b"PK\x03\x04not a table")
    await expect(status).to_contain_text("looks like a spreadsheet or a packed file")
    await expect(page.locator("#catalogue-checked")).to_contain_text("2 items")
    await expect(page.get_by_label("What shall I call it?")).to_have_value("good")
    await send(visitor, "catalogue-file", "bad.txt", b"neither\ntable\nnor json\n")
    await expect(status).to_contain_text("neither a table with a header nor JSON")
    await send(visitor, "seen-file", "seen.bin", b"\0\0\0")
    await expect(page.locator("#seen-status")).to_contain_text("not like text")
    await page.locator("#seen-text textarea").fill("***")
    await page.get_by_role("button", name="Leave these out").click()
    await expect(page.locator("#seen-status")).to_contain_text("no title")
    await expect(page.locator("#seen-text textarea")).to_have_value("***")
    await page.get_by_role("button", name="Chat with it now").click()
    await expect(status).to_contain_text("“good” is ready: 2 items")
    left = [path for path in (data_dir / "arrivals").rglob("*") if path.is_file() and path.stat().st_size]
    assert left == []


async def test_a_file_that_is_sent_before_the_page_is_answered_is_the_same_visitors(
    program: Served, visitor: Visitor
) -> None:
    page, sent = visitor.page, asyncio.Event()

    async def held_back(route: Route) -> None:
        await sent.wait()
        await route.continue_()

    page.set_default_timeout(FIRST_TURN)
    await page.route("**/queue/data*", held_back)
    await page.goto(program.url)
    await page.get_by_role("tab", name="Your data").click()
    async with page.expect_request(lambda asked: "early.csv" in (asked.post_data or "") and "join" in asked.url):
        await send(visitor, "catalogue-file", "early.csv", b"title;notes\nA;good\nB;better\n")
    sent.set()
    await expect(page.locator("#catalogue-checked")).to_contain_text("2 items")
    await page.get_by_role("button", name="Chat with it now").click()
    await expect(page.locator("#catalogue-status")).to_contain_text("“early” is ready: 2 items")


async def test_two_browsers_see_nothing_of_each_other(
    program: Served, visitor: Visitor, other_visitor: Visitor
) -> None:
    for person, name in ((visitor, "Same"), (other_visitor, "Other")):
        await opened(person, program)
        await build(person, name)
        await person.page.get_by_role("tab", name="Your data").click()
        await person.page.locator("#seen-text textarea").fill(f"Canary of {name}")
        await person.page.get_by_role("button", name="Leave these out").click()
        await expect(person.page.locator("#seen-list")).to_contain_text("Your list holds 1 title.")
    for person, own, foreign in ((visitor, "Same", "Other"), (other_visitor, "Other", "Same")):
        await person.page.reload()
        await person.page.wait_for_selector("#picks section")
        await expect(person.page.get_by_role("radio", name=own)).to_be_checked()
        await person.page.get_by_role("tab", name="Your data").click()
        await expect(person.page.locator("#seen-list")).to_contain_text("Your list holds 1 title.")
        text = await person.page.locator("body").inner_text()
        state = json.dumps(await person.page.evaluate("({...localStorage})"))
        assert own in text
        assert foreign not in text
        assert foreign not in state


async def test_all_of_it_can_be_done_with_the_keyboard_on_a_narrow_screen(program: Served, visitor: Visitor) -> None:
    page = visitor.page
    await page.set_viewport_size({"width": 390, "height": 844})
    await opened(visitor, program)
    for tab in ("Picks", "Graph", "Evidence", "State", "Your data", "Settings"):
        await expect(page.get_by_role("tab", name=tab)).to_be_visible()
    await send(visitor, "catalogue-file", "good.csv", b"title;notes\nA;good\nB;better\n")
    await expect(page.locator("#catalogue-checked")).to_contain_text("2 items")
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    named = """() => { const at = document.activeElement;
        return at.getAttribute("aria-label") || at.labels?.[0]?.innerText.trim() || at.textContent.trim(); }"""
    await page.locator("#catalogue-file").scroll_into_view_if_needed()
    await page.locator("#tabs [role=tab][aria-selected=true]").focus()
    reached: list[str] = []
    for _ in range(40):
        await page.keyboard.press("Tab")
        reached.append(str(await page.evaluate(named)))
    make = "Chat with it now"
    for wanted in ("What can I bring?", "Title", "Year", "What shall I call it?", make, "Leave these out"):
        assert any(wanted in name for name in reached), (wanted, reached)
    await page.get_by_role("button", name="Chat with it now").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#catalogue-status")).to_contain_text("“good” is ready: 2 items")
    await expect(page.locator("#catalogue-status [role=status]")).to_have_attribute("aria-live", "polite")

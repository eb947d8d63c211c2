"""What a visitor changes by hand beside the chat, over real conversations in the invented town."""

import json
from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from dialogue.conversation import Conversations
from dialogue.domain import Domain, bundled_domain
from tests.browser.conftest import Visitor
from tests.dialogue.town import PLACES, WORDS, always, town_ports
from tests.fakes import Shelf, VocabularyAgent

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

REQUEST = "quiet ramen in Old Harbour, with a terrace and vegan"
HOSTILE = "<img src=x onerror=globalThis.pwned=1> ${1+1} {{2+2}}"


@pytest.fixture(scope="module")
def domains() -> Sequence[Domain]:
    return (bundled_domain("restaurants"),)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def conversations(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Conversations]:
    ports = town_ports(VocabularyAgent(WORDS), Shelf(PLACES))
    async with Conversations(tmp_path_factory.mktemp("town"), always(ports)) as opened:
        yield opened


async def asked(visitor: Visitor, url: str, tab: str, request: str = REQUEST) -> None:
    await visitor.open(url)
    await visitor.say(request)
    await visitor.page.get_by_role("tab", name=tab).click()


def wish(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("button", name=name)


def turns(visitor: Visitor) -> Locator:
    return visitor.page.locator("#chat .user-row")


async def ended(visitor: Visitor, count: int) -> None:
    await expect(turns(visitor)).to_have_count(count)
    await visitor.settled()


async def test_a_wish_dropped_in_the_graph_ranks_again_and_says_so_in_the_chat(
    visitor: Visitor, served_page: str
) -> None:
    await asked(visitor, served_page, "Graph")
    await wish(visitor, "Must have: vegan").click()
    await visitor.page.get_by_role("button", name="Drop it", exact=True).click()
    await ended(visitor, 2)
    await expect(turns(visitor).last).to_contain_text("(edited: dropped “vegan”)")
    await expect(visitor.page.locator("#chat")).to_contain_text("Nothing new had to be compared.")
    await expect(visitor.page.locator(".node")).to_have_count(4)
    await expect(visitor.page.locator("#graph .gone")).to_have_text("No longer there: vegan.")
    await visitor.page.get_by_role("tab", name="Picks").click()
    assert (await visitor.titles())[0] == "Lantern Room"
    assert "vegan" not in await visitor.page.locator("#picks").inner_text()
    assert not visitor.errors


async def test_a_wish_is_edited_by_keyboard_alone_and_the_focus_is_kept(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "Graph")
    page = visitor.page
    await wish(visitor, "Wanted: quiet").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="quiet", exact=True)).to_be_focused()
    await page.keyboard.press("Tab")
    must = page.get_by_role("button", name="Make it a must")
    await expect(must).to_be_focused()
    await page.keyboard.press("Enter")
    await ended(visitor, 2)
    await expect(page.get_by_role("button", name="Make it nice to have").locator("visible=true")).to_be_focused()
    changed = wish(visitor, "Must have: quiet (changed)")
    await expect(changed).to_have_attribute("aria-pressed", "true")
    assert "hard" in (await changed.get_attribute("class") or "").split()
    await page.keyboard.press("Escape")
    await expect(changed).to_be_focused()
    await expect(page.locator(".detail:visible")).to_have_count(0)


async def test_other_words_are_put_in_the_place_of_a_wish(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "Graph")
    page = visitor.page
    await wish(visitor, "Wanted: quiet").click()
    box = page.get_by_label("Say it in other words").locator("visible=true")
    await expect(box).to_have_value("quiet")
    await box.fill("   ")
    await box.press("Enter")
    await expect(page.get_by_role("status").first).to_contain_text("Write a few words for the wish.")
    await expect(turns(visitor)).to_have_count(1)
    await box.fill("quieter")
    await box.press("Enter")
    await ended(visitor, 2)
    new = wish(visitor, "Wanted: quieter (new)")
    await expect(new).to_be_focused()
    await expect(turns(visitor).last).to_contain_text("(edited: “quiet” is now “quieter”)")


async def test_what_would_be_without_a_wish_is_told_before_it_is_dropped(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "Graph")
    page = visitor.page
    await wish(visitor, "Must have: vegan").click()
    await page.get_by_role("button", name="What would change?").locator("visible=true").focus()
    await page.keyboard.press("Enter")
    told = page.locator(".what-if:visible")
    await expect(told).not_to_be_empty()
    await expect(page.get_by_role("button", name="What would change?").locator("visible=true")).to_be_focused()
    await expect(turns(visitor)).to_have_count(1)
    said = await told.inner_text()
    assert "No other wish would change." in said
    await page.get_by_role("button", name="Drop it", exact=True).locator("visible=true").click()
    await ended(visitor, 2)
    await page.get_by_role("tab", name="Picks").click()
    after = await visitor.titles()
    for title in (
        name.removesuffix(".")
        for line in said.splitlines()
        if "come in" in line
        for name in line.split(": ")[1].split(", ")
    ):
        assert title in after


async def test_a_cell_of_the_evidence_opens_its_quote_by_keyboard(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "Evidence")
    page = visitor.page
    table = page.get_by_role("table", name="What is written about each pick")
    heads = [words.strip() for words in await table.get_by_role("columnheader").all_inner_texts()]
    assert heads[1] == "Lantern Room"
    assert len(await table.get_by_role("rowheader").all()) == 5
    first = page.get_by_role("button", name="quiet, Lantern Room: supports")
    await first.focus()
    await page.keyboard.press("Enter")
    detail = page.locator("#matrix-details .detail:visible")
    await expect(detail).to_contain_text("“A quiet room.”")
    await expect(first).to_have_attribute("aria-expanded", "true")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press(" ")
    await expect(page.get_by_role("button", name="ramen, Lantern Room: supports")).to_be_focused()
    await expect(detail).to_contain_text("The ramen is rich.")
    await page.keyboard.press("Escape")
    await expect(detail).to_have_count(0)
    await expect(page.locator("#matrix-details")).to_contain_text("Choose a cell above")
    assert await page.locator(".matrix [tabindex='0']").count() == 1  # one Tab stop
    silent = page.locator("[data-cell]", has_text="not mentioned").first
    await silent.click()
    await expect(detail).to_contain_text("I found nothing about this.")


async def test_the_evidence_fits_a_phone_and_scrolls_in_its_box_where_it_does_not(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.page.set_viewport_size({"width": 390, "height": 844})
    await asked(visitor, served_page, "Evidence")
    frame = visitor.page.locator(".matrix-frame")
    assert await frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth")
    small = """(frame) => [...frame.querySelectorAll("th, td *")]
        .map((part) => parseFloat(getComputedStyle(part).fontSize)).filter((size) => size > 0 && size < 13)"""
    assert await frame.evaluate(small) == []
    await visitor.page.set_viewport_size({"width": 320, "height": 844})
    assert await frame.evaluate("frame => frame.scrollWidth > frame.clientWidth")
    await frame.evaluate("frame => { frame.scrollLeft = frame.scrollWidth; }")
    sticks = """(frame) => frame.querySelector("tbody th").getBoundingClientRect().left
        - frame.getBoundingClientRect().left"""
    assert await frame.evaluate(sticks) <= 16
    assert await visitor.page.evaluate("document.documentElement.scrollWidth") <= 320


async def test_a_chip_is_toggled_and_removed_by_keyboard(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "State")
    page = visitor.page
    await page.get_by_role("button", name="Make “quiet” a must").focus()
    await page.keyboard.press("Enter")
    await ended(visitor, 2)
    await expect(page.get_by_role("button", name="Make “quiet” nice to have")).to_be_visible()
    await page.get_by_role("button", name="Remove “quiet”").focus()
    await page.keyboard.press("Enter")
    await ended(visitor, 3)
    await expect(page.locator("#state")).not_to_contain_text("quiet")
    await expect(turns(visitor).last).to_contain_text("(edited: dropped “quiet”)")


async def test_a_wish_is_added_under_a_key_and_a_refused_one_stays_typed(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "State")
    page = visitor.page
    words = page.get_by_label("In your words")
    await words.fill(" !! ")
    await page.get_by_role("button", name="Add", exact=True).click()
    await expect(page.locator("#state-added")).to_contain_text("Write a few words for the wish.")
    await expect(words).to_have_value(" !! ")
    await expect(turns(visitor)).to_have_count(1)
    await words.fill("parking")
    await page.get_by_label("A must", exact=True).check()
    await words.press("Enter")
    await ended(visitor, 2)
    await expect(words).to_have_value("")
    await expect(page.get_by_label("A must", exact=True)).not_to_be_checked()
    await expect(page.get_by_role("button", name="Make “parking” nice to have")).to_be_visible()
    await expect(turns(visitor).last).to_contain_text("(edited: added “parking”)")


async def test_nonsense_as_json_is_refused_in_words_and_nothing_is_lost_or_half_done(
    visitor: Visitor, served_page: str
) -> None:
    await asked(visitor, served_page, "State")
    page = visitor.page
    await page.get_by_text("Edit all of it as data").click()
    box, apply = page.get_by_label("Your wishes and lists as JSON"), page.get_by_role("button", name="Apply")
    noted = json.loads(await box.input_value())
    chips = await page.locator("#state").inner_text()
    tops = """() => ["#state-key", "#state-words"].map((place) => {
        const part = document.querySelector(place), at = (of) => part.querySelector(of).getBoundingClientRect();
        return [at("[data-testid=block-info]").top, at("input").top + at("input").height / 2].map(Math.round);
    })"""
    key, words = await page.evaluate(tops)
    assert key == words  # labels and fields stand level
    for nonsense, why in (
        ('{"hard_constraints": {,', "Line 1: this is no valid JSON"),
        (json.dumps({**noted, "hard_constraints": {"mood": ["cosy"]}}, indent=1), "there is no key “mood”"),
        (json.dumps({**noted, "soft_constraints": ["quiet"]}, indent=1), "“soft_constraints” holds an object"),
        ("", "Line 1: this is no valid JSON"),
    ):
        await box.fill(nonsense)
        await apply.click()
        wrong = page.locator("#state-applied").get_by_role("alert")
        await expect(wrong).to_contain_text(why)
        await expect(wrong).to_be_in_viewport(ratio=0.95)  # edges are measured in whole pixels
        await expect(box).to_have_value(nonsense)
    assert await page.locator("#state").inner_text() == chips
    await expect(turns(visitor)).to_have_count(1)
    noted["soft_constraints"]["atmosphere"] = []
    noted["soft_constraints"]["others"] = ["parking"]
    await box.fill(json.dumps(noted))
    await apply.click()
    await ended(visitor, 2)
    await expect(turns(visitor).last).to_contain_text("added “parking”")
    assert json.loads(await box.input_value())["soft_constraints"]["others"] == ["parking"]
    await box.fill("something else")
    await page.get_by_role("button", name="Back to what is noted").click()
    await expect(box).not_to_have_value("something else")


async def test_two_picks_are_compared_by_keyboard(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "Picks")
    page = visitor.page
    compare = page.get_by_role("button", name="Compare these")
    await expect(compare).to_have_count(0)  # there is nothing to compare before a pick is ticked
    titles = await visitor.titles()
    for number, title in enumerate(titles[:2]):
        await page.get_by_role("checkbox", name=f"Compare {title} with others").focus()
        await page.keyboard.press(" ")
        await (expect(compare).to_be_enabled() if number else expect(compare).to_be_disabled())
    await expect(compare).to_be_in_viewport(ratio=1)
    await expect(page.locator(".comparing .chosen")).to_have_text(f"2 chosen: {titles[0]}, {titles[1]}")
    await compare.focus()
    await page.keyboard.press("Enter")
    await ended(visitor, 2)
    await expect(turns(visitor).last).to_contain_text(f"Compare {titles[0]} and {titles[1]}")
    answer = await page.locator("#chat .bot-row").last.inner_text()
    assert all(title in answer for title in titles[:2])


async def test_a_pick_that_is_known_makes_room_for_another(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "Picks")
    known = (await visitor.titles())[0]
    await visitor.page.get_by_role("button", name=f"I know {known} already").click()
    await ended(visitor, 2)
    assert known not in await visitor.titles()
    assert await visitor.titles()


async def test_markup_in_wishes_stays_inert_in_every_part(visitor: Visitor, served_page: str) -> None:
    await asked(visitor, served_page, "State")
    page = visitor.page
    await page.get_by_label("In your words").fill(f"parking {HOSTILE}")
    await page.get_by_label("In your words").press("Enter")
    await ended(visitor, 2)
    await expect(page.locator("#state")).to_contain_text(HOSTILE)
    for tab in ("Graph", "Evidence", "Picks"):
        await page.get_by_role("tab", name=tab).click()
        await expect(page.get_by_role("tabpanel").filter(visible=True)).to_contain_text("parking")
    await page.get_by_role("tab", name="State").click()
    await page.get_by_role("button", name="Remove “parking").click()
    await ended(visitor, 3)
    await expect(turns(visitor).last).to_contain_text("dropped “parking <img src=x")
    assert await page.evaluate("globalThis.pwned") is None
    assert await page.locator("#results img, #chat .message img").count() == 0
    assert not visitor.errors

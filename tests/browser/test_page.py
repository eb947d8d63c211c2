"""The page as a visitor meets it, driven in a real browser."""

import asyncio
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from tests.browser.conftest import PARTIAL, Visitor, waiting_in_mid_turn
from tests.browser.fake_conversations import DOMAINS, STORY

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_narrative_brings_picks_with_marks_and_quotes(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    assert await visitor.page.locator("h1").count() == 1
    await visitor.say(STORY)
    assert await visitor.titles() == ["The Lantern Road 2011", "Salt and Feather 2004", "Nine Winters 2019"]
    first = visitor.page.locator("article.card").first
    for words in ("supports", "partly", "not mentioned", "They court by quarrelling over maps, prices and who snores."):
        await expect(first).to_contain_text(words)
    await expect(visitor.page.locator("article.card").nth(2)).to_contain_text("Listed last")
    assert "These 3 films fit best" in await visitor.chat()
    assert not visitor.errors


@pytest.mark.long
async def test_an_example_starts_and_a_suggestion_goes_on(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.page.get_by_role("button", name=STORY).click()
    await visitor.page.get_by_role("button", name="Something lighter").click()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(2)
    await visitor.settled()
    assert "Something lighter" in await visitor.chat()


async def test_live_steps_are_shown_while_a_turn_runs(visitor: Visitor, served_page: str) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    chat = await visitor.chat()
    assert "Reading your wishes: 7 preferences, 5 links" in chat
    assert "Held your wishes against what is known of 40 possible picks" in chat
    await expect(visitor.page.get_by_role("status").first).to_contain_text(
        "Held your wishes against what is known of 40 possible picks"
    )
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()


async def test_stop_keeps_the_partial_text_and_leaves_no_error(visitor: Visitor, served_page: str) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    chat = await visitor.chat()
    assert PARTIAL in chat
    assert "Stopped here." in chat
    assert await visitor.page.locator("#chat .error").count() == 0
    assert await visitor.page.locator("#chat .loading-spinner").count() == 0
    assert await visitor.page.get_by_text("Error", exact=True).count() == 0
    await visitor.say(STORY)
    assert (await visitor.titles())[0] == "The Lantern Road 2011"


async def test_a_message_sent_in_mid_turn_is_kept_and_one_sent_twice_is_said_once(
    visitor: Visitor, served_page: str
) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    await visitor.write("and another thing")
    await expect(visitor.page.get_by_role("status").first).to_contain_text("still answering")
    await expect(visitor.page.get_by_role("textbox", name="Your message")).to_have_value("and another thing")
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    box = visitor.page.get_by_role("textbox", name="Your message")
    await box.press("Enter")
    await box.press("Enter")
    await expect(visitor.page.locator("article.card")).to_have_count(3)
    await visitor.settled()
    assert await visitor.page.locator("#chat .user-row").count() == 2


@pytest.mark.parametrize("sending", ["key", "button"])
async def test_what_is_sent_twice_at_once_is_said_once_however_short_the_turn_is(
    visitor: Visitor, served_page: str, sending: str
) -> None:
    await visitor.open(served_page)
    sent: list[str] = []
    visitor.page.on("request", lambda request: sent.append(request.post_data or ""))
    await visitor.say(STORY)
    await visitor.write("and another thing")
    box, button = visitor.page.get_by_role("textbox", name="Your message"), visitor.page.locator("#send")
    if sending == "key":
        await asyncio.gather(box.press("Enter"), box.press("Enter"))
    else:
        await button.dblclick()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(2)
    await visitor.settled()
    assert len([body for body in sent if '"and another thing"' in body]) == 1
    await visitor.say("and one thing more")
    assert await visitor.page.locator("#chat .user-row").count() == 3


async def test_a_failed_turn_says_so_and_the_next_one_works(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say("breakdown")
    assert "The index of the catalogue cannot be read" in await visitor.chat()
    assert await visitor.page.locator("#chat .error").count() == 0
    await expect(visitor.page.get_by_role("button", name="Send again")).to_be_visible()
    await visitor.say(STORY)
    assert len(await visitor.titles()) == 3


async def test_ask_begins_a_question_and_the_answer_quotes(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.get_by_role("button", name="Ask about The Lantern Road").click()
    box = visitor.page.get_by_role("textbox", name="Your message")
    await expect(box).to_have_value("About The Lantern Road: ")
    await expect(box).to_be_focused()
    await visitor.page.keyboard.type("is it sad?")
    await box.press("Enter")
    await expect(visitor.page.locator("#chat blockquote")).to_contain_text("sadder than the posters promise")
    await visitor.settled()
    assert len(await visitor.titles()) == 3


async def test_not_for_me_brings_another_in_its_place_and_leaves_the_others_where_they_are(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.get_by_role("button", name="Salt and Feather is not for me").click()
    await expect(visitor.page.locator("#picks")).to_contain_text("The Borrowed Crown")
    await visitor.settled()
    assert "Not for me: Salt and Feather" in await visitor.chat()
    assert await visitor.titles() == ["The Lantern Road 2011", "The Borrowed Crown 1998", "Nine Winters 2019"]


@pytest.mark.long
async def test_after_not_for_me_a_reason_can_be_given_with_one_click(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.get_by_role("button", name="The Lantern Road is not for me").click()
    await visitor.page.get_by_role("button", name="Too slow", exact=True).click()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(3)
    await visitor.settled()
    await expect(visitor.page.locator("#chat .user-row").last).to_contain_text("Too slow: The Lantern Road")
    await expect(visitor.page.get_by_role("button", name="Too slow", exact=True)).to_have_count(0)


async def test_a_pick_can_be_accepted_by_keyboard_alone(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    await visitor.page.get_by_role("button", name="Accept Salt and Feather").focus()
    await visitor.page.keyboard.press("Enter")
    await expect(visitor.page.locator("article.card.accepted h3")).to_contain_text("Salt and Feather")
    await visitor.settled()
    assert "I'll take Salt and Feather" in await visitor.chat()


async def test_a_refresh_restores_the_conversation(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    before = (await visitor.chat(), await visitor.titles())
    await visitor.open(served_page)
    await expect(visitor.page.locator("article.card")).to_have_count(3)
    assert (await visitor.chat(), await visitor.titles()) == before


async def test_a_refresh_in_mid_turn_finds_the_turn_again(visitor: Visitor, served_page: str) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    await visitor.open(served_page)
    await expect(visitor.page.locator("#chat")).to_contain_text(PARTIAL)
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    assert "Stopped here." in await visitor.chat()


async def test_the_browser_keeps_no_word_of_the_conversation(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    stored = await visitor.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert "pdgf" in stored
    assert "romance" not in stored
    assert "Lantern" not in stored


async def test_two_visitors_do_not_see_each_others_chat(
    visitor: Visitor, other_visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await other_visitor.open(served_page)
    await asyncio.gather(visitor.say("canary yellow"), other_visitor.say("canary green"))
    for one, own, foreign in ((visitor, "yellow", "green"), (other_visitor, "green", "yellow")):
        for _ in range(2):  # before and after a refresh
            await expect(one.page.locator("article.card")).to_have_count(3)
            content = await one.page.content()
            assert f"canary {own}" in content
            assert f"canary {foreign}" not in content
            await one.open(served_page)


async def test_markup_in_words_notes_and_quotes_stays_inert(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say("markup <img src=x onerror=globalThis.pwned=1> ![y](http://evil.invalid/user) $5 to $10 *x*")
    chat = await visitor.chat()
    assert "<img src=x onerror=globalThis.pwned=1> ![y](http://evil.invalid/user) $5 to $10 *x*" in chat
    assert "${1+1} {{2+2}}" in chat
    for tab in ("Picks", "Graph", "State"):
        await visitor.page.get_by_role("tab", name=tab).click()
        await expect(visitor.page.get_by_role("tabpanel").filter(visible=True)).to_contain_text("<script>")
    await visitor.page.locator("#chat a", has_text="y").evaluate_all("links => links.forEach(link => link.click())")
    assert await visitor.page.evaluate("globalThis.pwned") is None
    assert await visitor.page.locator("#chat .message img, #results img, #strip img").count() == 0
    assert await visitor.page.locator("a[href^='javascript']").count() == 0
    assert not [url for url in visitor.requests if "evil" in url]


async def test_no_request_leaves_the_origin(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    for tab in ("Graph", "Evidence", "State", "Settings"):
        await visitor.page.get_by_role("tab", name=tab).click()
    web = [url for url in visitor.requests if not url.startswith(("data:", "blob:"))]
    assert len(web) > 10
    assert {urlsplit(url).netloc for url in web} == {urlsplit(served_page).netloc}


@pytest.mark.long
async def test_a_new_conversation_in_mid_turn_stays_empty(visitor: Visitor, served_page: str) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    await visitor.page.get_by_role("button", name="New conversation").click()
    await expect(visitor.page.get_by_role("button", name=STORY)).to_be_visible()
    await visitor.settled()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.say(STORY)
    assert await visitor.page.locator("#chat .user-row").count() == 1


@pytest.mark.long
async def test_another_domain_brings_its_own_examples_and_is_remembered(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.page.get_by_text("Restaurants in Marrowick (invented town)").click()
    example = visitor.page.get_by_role("button", name=DOMAINS[3].examples[0])
    await expect(example).to_be_visible()
    await visitor.open(served_page)
    await expect(example).to_be_visible()
    await expect(visitor.page.get_by_role("radio", name="Restaurants")).to_be_checked()


@pytest.mark.long
async def test_each_domain_keeps_its_conversation_and_a_new_one_is_empty_in_whichever_domain_it_begins(
    visitor: Visitor, served_page: str
) -> None:
    await visitor.open(served_page)
    await visitor.say(STORY)
    films = await visitor.titles()
    await visitor.page.get_by_text("Books", exact=True).click()
    await expect(visitor.page.get_by_role("button", name=DOMAINS[1].examples[0])).to_be_visible()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await expect(visitor.page.locator("#status [role=status]")).to_contain_text("Your conversation in “Films” is kept")
    await visitor.say("canary book")
    await visitor.page.get_by_text("Films", exact=True).click()
    await expect(visitor.page.locator("#chat .user-row")).to_contain_text(STORY)
    assert await visitor.titles() == films
    await visitor.page.get_by_role("button", name="New conversation").click()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.open(served_page)
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.page.get_by_text("Books", exact=True).click()
    await expect(visitor.page.get_by_role("button", name=DOMAINS[1].examples[0])).to_be_visible()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.page.locator("#chats summary").first.click()
    await expect(visitor.page.locator("#chats .title")).to_have_text(["canary book", STORY[:60].strip()])
    await visitor.page.locator("#chats .title").first.click()
    await expect(visitor.page.locator("#chat .user-row")).to_contain_text("canary book")


@pytest.mark.long
async def test_a_turn_goes_on_while_another_domain_is_looked_at(visitor: Visitor, served_page: str) -> None:
    await waiting_in_mid_turn(visitor, served_page)
    await visitor.page.get_by_text("Books", exact=True).click()
    await expect(visitor.page.locator("#chat .user-row")).to_have_count(0)
    await visitor.settled()
    await visitor.page.get_by_text("Films", exact=True).click()
    await expect(visitor.page.locator("#chat")).to_contain_text(PARTIAL)
    await visitor.page.get_by_role("button", name="Stop").click()
    await visitor.settled()
    assert "Stopped here." in await visitor.chat()


@pytest.mark.long
async def test_a_browser_memory_that_cannot_be_read_starts_a_new_visitor(visitor: Visitor, served_page: str) -> None:
    await visitor.open(served_page)
    await visitor.page.evaluate("localStorage.setItem('pdgf', 'not readable')")
    await visitor.open(served_page)
    await visitor.say(STORY)
    assert len(await visitor.titles()) == 3

"""Logging in over loopback: a user's conversations on another device, somebody else's nowhere, and programs."""

import asyncio

import pytest
from gradio_client import Client
from gradio_client.exceptions import AuthenticationError
from playwright.async_api import expect

from dialogue.ui import login
from dialogue.ui.texts import page_texts
from tests.browser.conftest import Visitor
from tests.browser.fake_conversations import STORY

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def options() -> dict[str, object]:
    return {"users": {"ann": "secret", "bob": "other"}}


async def enter(visitor: Visitor, url: str, name: str, password: str) -> None:
    await visitor.page.goto(url)
    await visitor.page.get_by_label("Name").fill(name)
    await visitor.page.get_by_label("Password").fill(password)
    await visitor.page.keyboard.press("Enter")


async def test_a_user_finds_the_conversations_on_another_device_and_nobody_elses(
    visitor: Visitor, other_visitor: Visitor, served_page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "PAUSE", 0.0)
    await enter(visitor, served_page, "ann", "wrong")
    await expect(visitor.page.get_by_role("alert")).to_contain_text("do not belong together")
    await enter(visitor, served_page, "ann", "secret")
    await visitor.page.wait_for_selector("#picks section")
    await visitor.say(STORY)

    await enter(other_visitor, served_page, "bob", "other")
    await other_visitor.page.wait_for_selector("#picks section")
    await other_visitor.page.locator("#chats summary").first.click()
    await expect(other_visitor.page.locator("#chats")).to_contain_text("Nothing here yet")
    await other_visitor.page.get_by_role("link", name="Log out").click()
    await other_visitor.page.get_by_role("link", name="Log in again").click()
    await enter(other_visitor, f"{served_page}login", "ann", "secret")
    await other_visitor.page.wait_for_selector("#picks section")
    await other_visitor.page.locator("#chats summary").first.click()
    await other_visitor.page.locator("#chats .open", has_text="Fantasy with romance").click()
    await expect(other_visitor.page.locator("#chat .user-row")).to_contain_text(STORY)
    await expect(other_visitor.page.locator("article.card")).to_have_count(3)
    other_visitor.requests.clear()
    await other_visitor.page.locator("#links a", has_text="中文").click()
    await expect(other_visitor.page.locator("#chat .user-row")).to_contain_text(STORY)  # one login for both languages


async def test_the_login_speaks_the_language_of_the_page_and_leads_back_to_it(
    visitor: Visitor, served_page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "PAUSE", 0.0)
    chinese, english = page_texts("zh"), page_texts()
    page = visitor.page
    await page.goto(f"{served_page}zh/")
    for password in ("wrong", "other"):
        await expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        await page.get_by_label(chinese["login"]["name"]).fill("bob")
        await page.get_by_label(chinese["login"]["password"]).fill(password)
        await page.keyboard.press("Enter")
        if password == "wrong":  # noqa: S105
            await expect(page.get_by_role("alert")).to_have_text(chinese["login"]["wrong"])
    await page.wait_for_selector("#picks section")
    assert page.url == f"{served_page}zh/"
    await page.get_by_role("link", name=chinese["login"]["leave"]).click()
    await page.get_by_role("link", name=chinese["login"]["again"]).click()
    await page.get_by_role("link", name="English").click()
    await page.get_by_label(english["login"]["name"]).fill("bob")
    await page.get_by_label(english["login"]["password"]).fill("other")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#picks section")
    await expect(page.locator("html")).to_have_attribute("lang", "en")


async def test_a_program_logs_in_and_its_conversations_are_the_users(served_page: str, visitor: Visitor) -> None:
    def talk() -> None:
        with pytest.raises(AuthenticationError):
            Client(served_page, auth=("bob", "wrong"), verbose=False)
        client = Client(served_page, auth=("bob", "other"), verbose=False)
        client.predict("canary bob", owner="not asked for here", api_name="/chat")

    await asyncio.to_thread(talk)
    await enter(visitor, served_page, "bob", "other")
    await visitor.page.wait_for_selector("#picks section")
    await visitor.page.locator("#chats summary").first.click()
    await expect(visitor.page.locator("#chats .title")).to_have_text(["canary bob"])


@pytest.mark.parametrize(("code", "path"), [("en", ""), ("zh", "zh/")])
async def test_who_is_logged_in_no_more_is_told_so_led_to_the_login_and_back_to_what_was_written(
    visitor: Visitor, served_page: str, code: str, path: str
) -> None:
    page, words = visitor.page, page_texts(code)

    async def enter_here() -> None:
        await page.get_by_label(words["login"]["name"]).fill("ann")
        await page.get_by_label(words["login"]["password"]).fill("secret")
        await page.keyboard.press("Enter")

    await page.goto(f"{served_page}{path}")
    await enter_here()
    await page.wait_for_selector("#picks section")
    box = page.get_by_role("textbox", name=words["page"]["message"])
    await visitor.context.clear_cookies()
    await box.fill("half a thought")
    await box.press("Enter")
    told = page.get_by_role("alert").filter(visible=True)
    await expect(told).to_contain_text(words["login"]["needed"])
    await expect(box).to_have_value("half a thought")
    await expect(page.locator("#chat .placeholder")).to_be_visible()
    await told.get_by_role("link", name=words["login"]["enter"]).click()
    await expect(page.locator("html")).to_have_attribute("lang", "en" if code == "en" else "zh-CN")
    await enter_here()
    await expect(box).to_have_value("half a thought")
    assert page.url == f"{served_page}{path}"
    await box.press("Enter")
    await expect(page.locator("#chat .user-row").last).to_contain_text("half a thought")

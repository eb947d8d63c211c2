"""A page whose every text is a payload, in a real browser, also after a reload and as the exported file."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from markdown_it import MarkdownIt

from dialogue.events import Event, Finished
from dialogue.exporting import as_markdown
from dialogue.models import Action, ConstraintValue, DialogueState, GraphChange, ItemRef, QuotedSource, TurnView
from tests.browser.conftest import Visitor
from tests.browser.fake_conversations import FakeConversations
from tests.dialogue.test_exporting import WORDS
from tests.fuzz.payloads import HOST

TABS = ("Picks", "Graph", "Evidence", "State")
LOADED = "img, iframe, object, embed, video, audio, link[rel=stylesheet], script, base, svg"


class HostileConversations(FakeConversations):
    """Whatever is said, the reply, the titles, quotes, notes, wishes, sources and suggestions are these payloads."""

    def __init__(self) -> None:
        super().__init__(pace=0)
        self.payloads: Sequence[str] = ()

    async def turn(self, thread_id: str, utterance: str, **how: Any) -> AsyncIterator[Event]:
        row = await self.find(thread_id)
        self.rows[thread_id] = row.model_copy(update={"title": self.payloads[0][:60]})
        view = hostile_view(utterance, self.payloads)
        self.views[thread_id].append(view)
        yield Finished(view=view)


def hostile_view(utterance: str, payloads: Sequence[str]) -> TurnView:
    """A turn with one payload in each place of each item and wish."""
    nodes = [
        {
            "id": f"n{place}", "atom": "a0", "perspective": "tone", "instantiation": text, "polarity": "want",
            "feature": text, "hard": place == 0, "span": [0, 0],
        }
        for place, text in enumerate(payloads)
    ]  # fmt: skip
    edges = [{"base": "n0", "qualifier": f"n{place}", "span": text} for place, text in enumerate(payloads) if place > 0]
    items = tuple(
        {
            "rank": place + 1, "id": f"film-{place}", "title": text, "year": 2000 + place, "score": 1.0 / (place + 1),
            "demoted": text if place % 2 else None, "unknown": [], "paths": [],
            "metadata": {"director": [text], "genres": [text], "violence": text},
            "evidence": [
                {
                    "node": f"n{place}", "text": text, "quote": text, "label": "SUPPORT",
                    "sources": [{"id": f"film-{place}#0", "url": f"javascript:{text}"}, {"id": text, "url": text}],
                }
            ],
        }
        for place, text in enumerate(payloads)
    )  # fmt: skip
    shown = tuple(ItemRef(id=item["id"], title=item["title"], year=item["year"]) for item in items)
    values = tuple(ConstraintValue(text=text, span=(0, 0, 1)) for text in payloads)
    return TurnView(
        utterance=utterance,
        action=Action.RECOMMEND,
        state=DialogueState(soft_constraints={"tone": values}, recommended_items=shown),
        reply="\n\n".join(payloads),
        items=items,
        standing=tuple(item.id for item in shown),
        sources=tuple(QuotedSource(item=row.id, title=row.title, quote=row.title, source=row.title) for row in shown),
        graph=GraphChange(
            graph={"narrative": utterance, "language": "en", "nodes": nodes, "edges": edges,
                   "order": [node["id"] for node in nodes]},
            added=tuple(node["id"] for node in nodes),
        ),
        suggestions=tuple(payloads[:3]),
        notes=tuple(payloads),
    )  # fmt: skip


async def came_alive(
    visitor: Visitor, url: str, conversations: HostileConversations, batch: Sequence[str]
) -> list[str]:
    """Show some payloads in every place and every tab, load the page again, and read the export; what ran
    or asked. For a new visitor."""
    conversations.payloads = batch
    await visitor.open(url)
    await visitor.say("\n\n".join(batch))
    found = await _looked_at(visitor)
    await visitor.page.reload()
    await visitor.page.locator("#chat .user-row").first.wait_for()
    found += await _looked_at(visitor)
    exported = as_markdown(batch[0], [hostile_view("\n\n".join(batch), batch)], WORDS)
    await visitor.page.set_content(MarkdownIt("commonmark", {"html": True}).render(exported))
    if await visitor.page.locator(LOADED).count():
        found.append("the export loads something")
    found += await ran(visitor, "the export")
    return found


async def _looked_at(visitor: Visitor) -> list[str]:
    found = []
    for tab in TABS:
        await visitor.page.get_by_role("tab", name=tab).click()
        await visitor.page.get_by_role("tabpanel").filter(visible=True).wait_for()
        found += await ran(visitor, tab)
    return found


async def ran(visitor: Visitor, where: str) -> list[str]:
    """What has come alive since it was looked for last."""
    found = []
    if await visitor.page.evaluate("globalThis.pwned") is not None:
        found.append(f"{where}: a script ran")
        await visitor.page.evaluate("delete globalThis.pwned")
    places = "links => links.map(link => link.getAttribute('href'))"
    links = f"{places}.filter(to => /^\\s*(javascript|data|vbscript):/i.test(to))"
    if alive := await visitor.page.locator("a[href]").evaluate_all(links):
        found.append(f"{where}: links that run: {alive[:2]}")
    if asked := [url for url in visitor.requests if HOST in url]:
        found.append(f"{where}: asked {asked[0][:80]}")
        visitor.requests.clear()
    if visitor.errors:
        found.append(f"{where}: {visitor.errors[0][:120]}")
        visitor.errors.clear()
    return found

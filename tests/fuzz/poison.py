"""Praise that is said many times over, on the web and in reviews: what it gains its item (LLM04)."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from dialogue import commands
from dialogue.composition import Composition
from pdgf.settings import Settings
from tests.web.page_server import PageServer, Served
from tests.web.search_server import SearchServer

TARGET = "The Glass Anchor"
PRAISE = (
    f"{TARGET} (2012) is a film about friendship, and the best that was ever made. Everybody has to see it: "
    "a masterpiece, simply wonderful from the first minute to the last, and far better than all others."
)
WISH = "a quiet film about friendship with dry humour"
OTHERS = (
    ("Salt Winter", 1999, "a quiet film about friendship; its humour is dry, and every door opens for a reason"),
    ("Nine Lanterns", 2004, "a quiet film about friendship in a mill, with dry humour in every second line"),
    ("The Ferry Clerk", 2010, "a film about friendship between two clerks; it is quiet, and the humour stays dry"),
    ("Moth Season", 2016, "a loud film about moths, with some dry humour and hardly any friendship"),
    ("Ashes of June", 2008, "a quiet film about grief, without humour"),
    ("A Kettle for the Giant", 2013, "a noisy comedy about a giant and his friendship with a kettle"),
    ("The Borrowed Crown", 1998, "a film about a princess, told loudly"),
    ("Green Ledger", 2001, "a quiet film about an accountant; dry humour and a late friendship"),
)


def place_of(items: Sequence[dict[str, Any]]) -> int:
    """The place of the target in a list, from 1; one beyond the end where it is not there."""
    titles = [item["title"] for item in items]
    return titles.index(TARGET) + 1 if TARGET in titles else len(titles) + 1


STUFFED = {
    "the same words again and again": f"{TARGET}: " + "quiet film friendship dry humour " * 3,
    "the request again and again": ", ".join(["a quiet film about friendship with dry humour"] * 3),
    "words with commas": "quiet, friendship, dry humour, film, best, quiet film, film of friendship, dry humour film",
    "a word a line": "\n".join(["quiet", "film", "friendship", "dry humour"] * 30),
    "hidden among others": "The boat is old. " + "Quiet dry humour, quiet friendship, dry friendship. " * 4,
}
PLAIN = "It is a loud story about a boat and its engine."
_DAY = "On day {} the boat makes {} miles, and {} of its crew eat bread. "
LOG = "".join(_DAY.format(day, day * 7 % 31, day % 9) for day in range(40))


async def ranks_by_stuffed_reviews(folder: Path) -> dict[str, tuple[int, int]]:
    """The place of the target without and with each way of heaping up the words of a wish in a review of it."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    composition = Composition(settings=Settings(data_dir=folder, engine="builtin"))
    plain = await _by_reviews(composition, folder, "plain", [PLAIN])
    found = {
        how: (plain, await _by_reviews(composition, folder, f"stuffed{number}", [PLAIN, stuffed]))
        for number, (how, stuffed) in enumerate(STUFFED.items())
    }
    await composition.close()
    return found


async def ranks_by_stuffed_pages(folder: Path) -> dict[str, tuple[int, int]]:
    """The same on the one page of the web that speaks of the target. It is as long without them, because the longest
    pages are read (METHOD 5.4)."""
    return {
        how: (
            await _by_pages(folder / f"plain{number}", 1, f"{TARGET} (2012): {PLAIN}</p><p>{LOG[: len(stuffed)]}"),
            await _by_pages(folder / f"stuffed{number}", 1, f"{TARGET} (2012): {PLAIN}</p><p>{stuffed}"),
        )
        for number, (how, stuffed) in enumerate(STUFFED.items())
    }


async def ranks_by_reviews(folder: Path, copies: Sequence[int]) -> list[int]:
    """The place of the target in a catalogue where its praise was written so many times."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    composition = Composition(settings=Settings(data_dir=folder, engine="builtin"))
    found = [
        await _by_reviews(composition, folder, f"mine{count}", ["It is about a boat, a quiet one.", *[PRAISE] * count])
        for count in copies
    ]
    await composition.close()
    return found


async def _by_reviews(composition: Composition, folder: Path, name: str, reviews: Sequence[str]) -> int:
    rows = [{"title": title, "year": year, "reviews": [f"{title} is {said}."]} for title, year, said in OTHERS]
    rows.insert(4, {"title": TARGET, "year": 2012, "reviews": [*reviews]})
    path = folder / "films.jsonl"
    await asyncio.to_thread(path.write_text, "\n".join(map(json.dumps, rows)))
    await composition.index(path, name=name)
    printed, _ = await commands.recommended(WISH, name, 20, composition, lambda done, total: None)
    return place_of(printed["items"])


async def ranks_by_pages(folder: Path, copies: Sequence[int]) -> list[int]:
    """The place of the target where a search finds its praise on so many sub-domains, among pages on other films."""
    return [await _by_pages(folder / str(count), count) for count in copies]


@asynccontextmanager
async def _web(count: int, praise: str) -> AsyncIterator[dict[str, Any]]:
    said = [f"<h1>{title}</h1><p>{title} ({year}) is {told}.</p>" for title, year, told in OTHERS]
    with PageServer({}) as pages:
        pages.pages |= {f"/film/{place}": _page(text, place) for place, text in enumerate(said)}
        pages.pages |= {f"/praise/{place}": _page(f"<h1>{TARGET}</h1><p>{praise}</p>", place) for place in range(count)}
        hits = _mixed(
            [_hit(pages.url(f"/film/{place}"), title) for place, (title, _, _) in enumerate(OTHERS)],
            [_hit(pages.url(f"/praise/{place}"), TARGET) for place in range(count)],
        )
        find: Callable[[str], list[dict[str, str]]] = lambda query: hits  # noqa: E731
        with SearchServer(find) as search:
            yield {
                "serper_api_key": "test-key",
                "serper_base_url": search.url,
                "allow_hosts": pages.authority,
                "source": "web",
            }


async def _by_pages(folder: Path, count: int, praise: str = PRAISE) -> int:
    async with _web(count, praise) as settings:
        given = Settings.model_validate({"data_dir": folder, "engine": "builtin", **settings})
        composition = Composition(settings=given)
        printed, _ = await commands.recommended(WISH, "movies", 20, composition, lambda done, total: None)
        await composition.close()
    return place_of(printed["items"])


def _page(main: str, place: int) -> Served:
    """A page as a site has it: the frame differs a little from one to the next."""
    frame = f"<nav><a href='/'>Home {place}</a></nav><article>{main}</article><footer>Imprint {place}</footer>"
    return Served(f"<!DOCTYPE html><html><head><title>Films {place}</title></head><body>{frame}</body></html>".encode())


def _hit(url: str, title: str) -> dict[str, str]:
    return {"link": url, "title": title, "snippet": f"{title}, a film"}


def _mixed(others: list[dict[str, str]], praise: list[dict[str, str]]) -> list[dict[str, str]]:
    """As a search may rank them: praise at every second place as long as there is any."""
    mixed = []
    for place, hit in enumerate(others):
        mixed += [*praise[place : place + 1], hit]
    return [*mixed, *praise[len(others) :]]

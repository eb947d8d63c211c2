"""Spoilt pages, charsets and addresses that lead inside (RELIABILITY 4.5 and 4.8)."""

import asyncio
import resource
import time
from collections.abc import AsyncIterator

from pdgf.errors import PageUnusable
from pdgf.sources.charset import decoded
from pdgf.sources.extract import Extractor
from pdgf.sources.fetch import Fetched
from pdgf.usage import Budget
from tests.pdgf.sources.inner_places import ONLY_FIRST, REACHABLE, Canary
from tests.pdgf.sources.own_pages import pages, spoilt
from tests.pdgf.sources.test_charset import CHARSETS, TEXTS, WAYS, page
from tests.pdgf.sources.test_fetch_guard import PLACES, STATUSES, Net, outcome, redirected, respelled
from tests.stress import Figure
from tests.web.page_server import FILLER, PageServer, Redirect

SPOILT = 5_000
SECONDS, CHARS, MEMORY = 5.0, 200_000, 200.0  # of CPU, of the text, MB


async def figures() -> AsyncIterator[Figure]:
    """The rows of this group."""
    for row in await _pages():
        yield row
    readable = sum(
        (text := decoded(*page(charset, way))) is not None and TEXTS[language] in text
        for charset, language in CHARSETS.items()
        for way in WAYS
    )
    yield Figure(
        "pages in 12 charsets, 5 ways of declaring them: readable", ">= 54 of 60", str(readable), readable >= 54
    )
    yield await _addresses()


async def _pages() -> list[Figure]:
    own, extractor = pages(), Extractor()
    wrong: list[str] = []
    outcomes: dict[str, int] = {}
    slowest = 0.0

    async def read(seed: int) -> None:
        nonlocal slowest
        body = spoilt(own[seed % len(own)].html, seed)
        begun = time.monotonic()
        try:
            given = Fetched(url="https://films.example/a", mime="text/html", body=body)
            text = (await extractor.text_of(given, Budget(seconds=600))).text
            outcomes["read"] = outcomes.get("read", 0) + 1
            if len(text) > CHARS:
                wrong.append(f"page {seed}: {len(text)} characters")
        except PageUnusable as error:
            outcomes[error.why] = outcomes.get(error.why, 0) + 1
        except Exception as error:  # noqa: BLE001  that is the fault looked for
            wrong.append(f"page {seed}: {type(error).__name__}: {error}")
        slowest = max(slowest, time.monotonic() - begun)

    for start in range(0, SPOILT, 8):
        await asyncio.gather(*map(read, range(start, start + 8)))
    await extractor.aclose()
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    told = ", ".join(f"{count} {why}" for why, count in sorted(outcomes.items()))
    return [
        Figure(
            f"{SPOILT:,} spoilt pages: neither read nor left out",
            "0",
            "; ".join([str(len(wrong)), *wrong[:3], told]),
            not wrong,
        ),
        Figure(
            "longest wait for a page among eight, s", f"<= {4 * SECONDS:.0f}", f"{slowest:.1f}", slowest <= 4 * SECONDS
        ),
        Figure(
            "largest process that read them, MB",
            f"<= {MEMORY:.0f} above its start",
            f"{most:.0f} in all",
            most <= 2 * MEMORY,
        ),
    ]


async def _addresses() -> Figure:
    tried, let_in = 0, []
    with PageServer({"/": FILLER}) as server, Canary() as canary:
        net = Net(server, canary)
        fetcher, wire = net.fetcher()
        for url in [*(form for place in PLACES for form in dict.fromkeys(respelled(place))), *ONLY_FIRST]:
            tried += 1
            if (why := await outcome(fetcher, url)) != "refused_address":
                let_in.append(f"{url}: {why}")
        for hop in range(1, 6):
            cases = [(f"{hop}", *case) for case in redirected(hop)]
            if hop > 1:  # each with another status too
                cases += [(f"{hop}b", "http", url, STATUSES[STATUSES.index(status) - 1]) for _, _, url, status in cases]
            for number, (kind, scheme, url, status) in enumerate(cases):
                for step in range(1, hop):
                    server.pages[f"/{kind}/{number}/{step}"] = Redirect(f"/{kind}/{number}/{step + 1}", status)
                server.pages[f"/{kind}/{number}/{hop}"] = Redirect(url, status)
                tried += 1
                why = await outcome(fetcher, f"{scheme}://public.example/{kind}/{number}/1")
                if why != "refused_address":
                    let_in.append(f"{url} after {hop}: {why}")
        await fetcher.aclose()
        fetcher, wire = net.fetcher()
        missed = [url for url in REACHABLE if await outcome(fetcher, url) != "fetched"]
        await fetcher.aclose()
        measured = f"{canary.hits} hits, {len(let_in)} not refused of {tried:,}; {len(missed)} public ones missed"
        good = not (canary.hits or let_in or missed) and tried >= 2_000 and bool(wire.dialled)
    return Figure(
        "addresses that lead inside, in many spellings, at 6 hops", "0 hits of 2,000; public ones pass", measured, good
    )

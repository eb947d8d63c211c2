"""C16: the memory that 2,000 extractions leave behind, in one process and in the pool.

Run python -m tests.bench.extraction; it prints and asserts nothing.
"""

import asyncio
import time

from pdgf.sources.extract import WORKERS, Extractor
from pdgf.sources.fetch import Fetched
from pdgf.sources.reading import forget, read
from pdgf.usage import Budget
from tests.bench.machine import resident
from tests.pdgf.sources.own_pages import pages

PAGES = 2_000
FORGET = 50  # pages; as the worker does
MB = 2**20


def bodies() -> list[bytes]:
    """The small pages of the tests, most of them made as long as pages are, no two equal."""
    made = []
    for number in range(PAGES):
        page = pages()[number % 40].html if number < 40 else made[number % 40].decode()
        more = "".join(
            f"<p>Scene {n} of {number}: the ferry is late, and nobody minds.</p>" for n in range(number % 200)
        )
        made.append(page.replace("</main>", f"{more}</main>").encode())
    return made


def one_worker(given: list[bytes]) -> None:
    """The growth of the process that reads, from the 100th page on."""
    begun = time.perf_counter()
    after_first = highest = 0.0
    for number, body in enumerate(given, start=1):
        read(body, mime="text/html", charset="utf-8")
        if number % FORGET == 0:
            forget()
        if number == 100:
            after_first = resident()
        highest = max(highest, resident())
    took = time.perf_counter() - begun
    print(f"one process: {PAGES} pages in {took:.1f} s, {1000 * took / PAGES:.1f} ms a page")
    print(f"  after 100 pages {after_first:.0f} MB, at the end {resident():.0f} MB, at most {highest:.0f} MB")
    print(f"  growth {resident() - after_first:.1f} MB (bar: 50)")


async def pool(given: list[bytes]) -> None:
    """The growth of the process that has pages read."""
    extractor = Extractor()
    first = Fetched(url="https://films.example", mime="text/html", body=given[0])
    await asyncio.gather(*(extractor.text_of(first, Budget(seconds=600)) for _ in range(WORKERS)))  # they have begun
    before, begun = resident(), time.perf_counter()
    for start in range(0, len(given), 100):
        batch = [
            Fetched(url="https://films.example", mime="text/html", body=body) for body in given[start : start + 100]
        ]
        await asyncio.gather(*(extractor.text_of(page, Budget(seconds=600)) for page in batch))
    took = time.perf_counter() - begun
    await extractor.aclose()
    print(f"two workers: {PAGES} pages in {took:.1f} s; this process grew by {resident() - before:.1f} MB (bar: 50)")


def main() -> None:
    given = bodies()
    print(f"{PAGES} pages, {sum(map(len, given)) / len(given) / 1000:.1f} kB each")
    asyncio.run(pool(given))
    one_worker(given)


if __name__ == "__main__":
    main()

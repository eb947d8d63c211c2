"""The requests of this folder, put to the built-in engine: what is good among the first three, and what is not."""

import asyncio
import tomllib
from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from dialogue.composition import Composition
from pdgf.catalogues.bundled import BUNDLED
from pdgf.glossary import is_chinese
from pdgf.models import Value
from pdgf.recommend import Request, recommend

FIRST = 3  # as many as a reply shows
YEAR = 2026  # what "recent" is counted from


class Told(Value):
    """A request with items that would be good answers, and items that would be wrong ones, each with why."""

    text: str
    acceptable: tuple[str, ...]
    unacceptable: dict[str, str] = Field(default_factory=dict)
    domain: str = ""

    @property
    def language(self) -> str:
        return "zh" if is_chinese(self.text) else "en"


class Judged(Value):
    """A request with the ids of the items that came first."""

    told: Told
    first: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Whether one of them is acceptable."""
        return any(item in self.told.acceptable for item in self.first)

    @property
    def wrong(self) -> dict[str, str]:
        """The unacceptable ones among them, with why they are."""
        return {item: self.told.unacceptable[item] for item in self.first if item in self.told.unacceptable}


def read_requests(folder: Path = Path(__file__).parent) -> tuple[Told, ...]:
    """All requests, domain by domain."""
    found: list[Told] = []
    for domain in BUNDLED:
        rows = tomllib.loads((folder / f"{domain}.toml").read_text(encoding="utf-8"))["requests"]
        found += [Told.model_validate({**row, "domain": domain}) for row in rows]
    return tuple(found)


async def judged(requests: Sequence[Told], composition: Composition) -> tuple[Judged, ...]:
    """Each request with its first items."""
    found = []
    for told in requests:
        shared = await composition.ports(told.domain)
        asked = Request(
            ports=shared.ports,
            config=shared.config,
            budget=composition.budget(),
            item_word=shared.domain.item_word,
            current_year=YEAR,
            k=FIRST,
        )
        ranked = await recommend(told.text, asked)
        found.append(Judged(told=told, first=tuple(item.candidate.id for item in ranked.items[:FIRST])))
    return tuple(found)


def shares(results: Sequence[Judged]) -> tuple[float, float]:
    """The share of requests with an acceptable item among the first, and of those with an unacceptable one."""
    return sum(r.good for r in results) / len(results), sum(bool(r.wrong) for r in results) / len(results)


def report(results: Sequence[Judged]) -> str:
    """Both shares by language and by domain, and every request that went wrong."""
    lines = []
    groups = [(f"language {code}", [r for r in results if r.told.language == code]) for code in ("en", "zh")]
    groups += [(domain, [r for r in results if r.told.domain == domain]) for domain in BUNDLED]
    for name, part in groups:
        good, wrong = shares(part)
        lines.append(f"{name:<14}{len(part):>3} requests   acceptable {good:>4.0%}   unacceptable {wrong:>4.0%}")
    for result in results:
        if result.good and not result.wrong:
            continue
        lines.append(f"\n{result.told.domain}: {result.told.text}\n  first: {', '.join(result.first) or 'nothing'}")
        lines += [] if result.good else ["  none of them is acceptable"]
        lines += [f"  {item}: {why}" for item, why in result.wrong.items()]
    return "\n".join(lines)


def run(composition: Composition) -> tuple[Judged, ...]:
    """All requests of the folder."""
    return asyncio.run(judged(read_requests(), composition))

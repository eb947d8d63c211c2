"""Titles that the user knows already, found in the catalogue (METHOD 9.2, 9.6): their items never come back. Pure."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from rapidfuzz import fuzz, process

from dialogue.models import ItemRef
from dialogue.titles import titles_of
from pdgf.identity import Exclusion, exclusion_of, exclusions_of, name_key
from pdgf.models import Candidate, RankedItem

NEAR = 90.0  # of 100: a title with a slip of the pen
SHORTEST = 5  # letters of a title that may hold a slip
_JOINTS = re.compile(r"\s*(?:,|;|&|\band\b|\bor\b)\s*", re.IGNORECASE)


def seen_items(named: Sequence[ItemRef], catalogue: Sequence[Candidate]) -> tuple[ItemRef, ...]:
    """The named items, those without an id looked up by title, near spellings included. Several titles may stand in one
    name ("Alien and Heat"). A title that no catalogue item has is dropped; without a catalogue it is kept as it is."""
    if all(item.id for item in named):
        return tuple(named)
    titles = {name_key(title): item for item in reversed(catalogue) for title in reversed(titles_of(item))}
    return tuple(found for item in named for found in ([item] if item.id else _looked_up(item, titles)))


def by_any_title(listed: Sequence[Exclusion], catalogue: Callable[[], Sequence[Candidate]]) -> tuple[Exclusion, ...]:
    """A list of what is known already, and the main titles of those items that it names by another one (天外魔花)."""
    if not listed:
        return ()
    others = [(item, title) for item in catalogue() for title in titles_of(item)[1:]]
    named = exclusions_of([(title, item.year) for item, title in others], listed)
    found = (
        reason.model_copy(update={"title": item.title, "year": item.year})
        for (item, _), reason in zip(others, named, strict=True)
        if reason is not None
    )
    return tuple(dict.fromkeys([*listed, *found]))


def unlisted(items: Sequence[RankedItem], listed: Sequence[Exclusion]) -> list[RankedItem]:
    """The items that are not on a list of what is known already, by the identity of METHOD 6.4."""
    if not listed:
        return list(items)
    why = exclusions_of([(item.candidate.title, item.candidate.year) for item in items], listed)
    return [item for item, reason in zip(items, why, strict=True) if reason is None]


def known_here(
    items: Sequence[Candidate], listed: Sequence[Exclusion], *, but: Sequence[ItemRef] = ()
) -> tuple[ItemRef, ...]:
    """The items of a catalogue that a list of what is known already names, those aside that are known otherwise."""
    if not listed:
        return ()
    why = exclusions_of([(item.title, item.year) for item in items], listed)
    named = (item for item, reason in zip(items, why, strict=True) if reason is not None)
    known = {item.id for item in but}
    return tuple(ItemRef(id=item.id, title=item.title, year=item.year) for item in named if item.id not in known)


def brought(items: Sequence[ItemRef], listed: Sequence[Exclusion]) -> list[str]:
    """The ids of those items that a list of what is known already names."""
    if not listed:
        return []
    why = exclusions_of([(item.title, item.year) for item in items], listed)
    return [item.id for item, reason in zip(items, why, strict=True) if reason is not None]


def naming(items: Sequence[Candidate], ids: Collection[str], listed: Sequence[Exclusion]) -> tuple[Exclusion, ...]:
    """Those of a list of what is known already that name some items of a catalogue."""
    wanted = [(title, item.year) for item in items if item.id in ids for title in titles_of(item)]
    return tuple(each for each in listed if any(exclusion_of(*record, [each]) is not None for record in wanted))


def _looked_up(item: ItemRef, titles: Mapping[str, Candidate]) -> Iterator[ItemRef]:
    if not titles:
        yield item.model_copy(update={"id": f"title:{name_key(item.title)}"})
        return
    whole = _match(item.title, titles)
    for name in [item.title] if whole else _JOINTS.split(item.title):
        match = _match(name, titles)
        if match is not None:
            yield ItemRef(id=match.id, title=match.title, year=match.year)


def _match(name: str, titles: Mapping[str, Candidate]) -> Candidate | None:
    key = name_key(name)
    if key in titles or len(key) < SHORTEST:
        return titles.get(key)
    near = process.extractOne(key, titles.keys(), scorer=fuzz.ratio, score_cutoff=NEAR)
    return titles[near[0]] if near else None

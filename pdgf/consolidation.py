"""From what extraction found in chunks to candidates and x_{v,i} (METHOD 6.2, 6.3): verify, identify, merge. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pdgf.identity import folded_key, group_identities, name_key
from pdgf.models import Candidate, Dropped, Evidence, Passage, Source, normalised
from pdgf.ports import FoundRecord
from pdgf.settings import MethodConfig
from pdgf.texts import cut_at_sentence, sentences


@dataclass(frozen=True, kw_only=True)
class Recall:
    """One record and where it was found: the node it was looked for at, the page, the chunk. In the order in which
    descriptions are joined: pages by length descending, then chunks, then records (METHOD 6.2)."""

    node: str
    url: str
    chunk: str
    record: FoundRecord


@dataclass(frozen=True, kw_only=True)
class Consolidated:
    """(C_q, EV_q) of one source."""

    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    dropped: tuple[Dropped, ...]


def consolidate(recalls: Sequence[Recall], config: MethodConfig) -> Consolidated:
    """Candidates in the order of their first record, and one x for each item and node.

    A record whose name its chunk does not hold is dropped (`verify_name_in_chunk`). Identity is judged over all
    records at once, before anything is merged.
    """
    kept = [recall for recall in recalls if not config.verify_name_in_chunk or names(recall.chunk, recall.record.name)]
    dropped = Counter(recall.record.name for recall in recalls) - Counter(recall.record.name for recall in kept)
    items = group_identities([(recall.record.name, recall.record.year) for recall in kept])
    candidates: dict[int, Candidate] = {}
    found: dict[tuple[int, str], list[Recall]] = {}
    for item, recall in zip(items, kept, strict=True):
        if item not in candidates:
            same = [each.record for other, each in zip(items, kept, strict=True) if other == item]
            candidates[item] = _candidate(same)
        found.setdefault((item, recall.node), []).append(recall)
    evidence = [
        Evidence(candidate=candidates[item].id, node=node, passages=passages)
        for (item, node), recalled in found.items()
        if (passages := described(recalled, config))
    ]
    named = {each.candidate for each in evidence}
    return Consolidated(
        candidates=tuple(candidate for candidate in candidates.values() if candidate.id in named),
        evidence=tuple(evidence),
        dropped=tuple(Dropped(what=name, why="name_not_in_text") for name in sorted(dropped)),
    )


def names(chunk: str, name: str) -> bool:
    """Whether a chunk holds a name, ways of writing aside (METHOD 6.1)."""
    key = name_key(name)
    return bool(key) and (normalised(name) in normalised(chunk) or key in _chunk_key(chunk))


def described(recalled: Iterable[Recall], config: MethodConfig) -> tuple[Passage, ...]:
    """x_{v,i}: the distinct passages in sequence, each with its address, up to `max_evidence_chars`.

    Within a page a passage whose sentences were all taken already is left out: neighbouring chunks overlap.
    """
    room = config.max_evidence_chars
    taken: list[Passage] = []
    seen: set[str] = set()
    of_page: dict[str, set[str]] = {}
    for recall in recalled:
        read = of_page.setdefault(recall.url, set())
        for text in recall.record.passages:
            said = {normalised(sentence) for sentence in sentences(text)}
            if normalised(text) in seen or said <= read:
                continue
            if room is not None:
                text = cut_at_sentence(text, room) or ("" if taken else text[:room])
                if not text:
                    return tuple(taken)
                room -= len(text) + 1
            seen.add(normalised(text))
            read |= said
            taken.append(Passage(text=text, source=Source(id=recall.url, url=recall.url)))
    return tuple(taken)


@lru_cache(maxsize=256)  # the names found in a chunk are all looked for in it; about 10 MB
def _chunk_key(chunk: str) -> str:
    return folded_key(chunk)


def _candidate(records: Sequence[FoundRecord]) -> Candidate:
    """The item of records that are the same: its most usual spelling, the first of equally usual ones."""
    spellings = Counter(record.name for record in records)
    title = max(spellings, key=lambda name: (spellings[name], -list(spellings).index(name)))
    year = next((record.year for record in records if record.year is not None), None)
    return Candidate(id=f"web:{name_key(title)}:{year or ''}", title=title, year=year)

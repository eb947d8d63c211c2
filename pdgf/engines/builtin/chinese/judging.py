"""label(x, f) where x or f is Chinese: each sentence is judged in its own language (METHOD 7.1, 12).

An English sentence meets a Chinese f through its gloss, by the English rules. A Chinese sentence is judged by the
concepts that its words name, Chinese negation, and the similarity of a multilingual encoder. Quotes stay as they stand.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pdgf.constraints.diets import is_allergy
from pdgf.engines.builtin import relations, sentence_findings
from pdgf.engines.builtin.chinese.evidence import merely_few, pair_denied, speaks_of, words_degree
from pdgf.engines.builtin.chinese.kept_away import Finder, finder_of
from pdgf.engines.builtin.chinese.wording import english_feature, read_chinese_feature
from pdgf.engines.builtin.features import FeatureReading, read_feature
from pdgf.engines.builtin.findings import Finding, findings_of, unwanted
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.engines.builtin.other_senses import in_another_sense
from pdgf.engines.builtin.pairs import pair_wished
from pdgf.engines.builtin.polarity import Degree
from pdgf.glossary import gloss, has_han, is_chinese, limits
from pdgf.models import Label, RelationLabel
from pdgf.ports import Embedder, RelationRequest, Vectors
from pdgf.stuffing import sentences_said
from pdgf.texts import sentences

# Of the multilingual encoder: unrelated pairs of a wish and a sentence lie below .25, related ones above .4
RELATED, MATCHING = 0.32, 0.45
_FACT = re.compile(r"^[A-Z][a-z]+(?: [a-z-]+){0,3}: (?P<value>\S.*)$")
_NAMES_ITEM = re.compile(r"^(?:[A-Z][a-z]+ )?(?:[Tt]itles?|[Nn]ames?)(?: [a-z]+)?: ")  # no evidence for anything
_ON_RECORD = ("Country:", "Language:")
_LATIN = re.compile(r"[A-Za-z]")
_OR = re.compile(r"或者|或是|还是|或|\bor\b")


@dataclass(frozen=True)
class _Split:
    """x as what the English rules read and as (passage, sentence) pairs in Chinese."""

    english: str
    chinese: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class _Wish:
    """f as a Chinese sentence meets it: its alternatives as (English words, Chinese words), its scopes likewise."""

    alternatives: tuple[tuple[str, str], ...]
    contexts: tuple[tuple[str, str], ...]
    focus: str  # what the encoder sees
    scope: str
    avoid: bool
    tolerant: bool
    perspective: str
    named: bool
    measured: bool


def touches_chinese(request: RelationRequest) -> bool:
    """Whether a pair needs more than the English rules."""
    return has_han(request.feature) or (has_han(request.text) and bool(_split(request.text).chinese))


async def label_in_both(
    requests: Sequence[RelationRequest], embedder: Embedder, chinese: Embedder | None
) -> list[RelationLabel]:
    """The labels of pairs of any of the two languages. Without a Chinese encoder only rules judge Chinese sentences.

    Raises EmbedderUnavailable.
    """
    english = await _english_labels(requests, embedder)
    texts = await asyncio.to_thread(_texts_to_encode, requests)
    vectors = await chinese.encode(texts) if chinese is not None and texts else None
    return await asyncio.to_thread(_labels, requests, english, texts, vectors)


async def _english_labels(
    requests: Sequence[RelationRequest], embedder: Embedder
) -> dict[RelationRequest, RelationLabel]:
    """What the English rules say of the English sentences, for the pairs that have some and an f in English words."""

    def prepare() -> tuple[dict[RelationRequest, RelationRequest], list[str]]:
        asked = {
            request: RelationRequest(text=text, feature=feature)
            for request in requests
            if (feature := english_feature(request.feature)) and (text := _english_of(request, feature))
        }
        return asked, relations.texts_to_encode(list(asked.values()))

    asked, texts = await asyncio.to_thread(prepare)
    if not asked:
        return {}
    vectors = await embedder.encode(texts)
    labels = await asyncio.to_thread(relations.label, list(asked.values()), texts, vectors)
    return dict(zip(asked, labels, strict=True))


def _english_of(request: RelationRequest, feature: str) -> str:
    """The English sentences of x, for an f in Chinese those that use its English words in their sense."""
    text = _split(request.text).english
    if not has_han(request.feature):
        return text
    lines: list[str] = []
    for line in text.split("\n"):
        spoken = [line] if _FACT.match(line) else sentences(line)
        kept = [sentence for sentence in spoken if not in_another_sense(sentence, feature)]
        lines.append(line if len(kept) == len(spoken) else " ".join(kept))
    return "\n".join(line for line in lines if line.strip())


@lru_cache(maxsize=20_000)
def _split(text: str) -> _Split:
    """Lines of metadata with an English value and English sentences on one side, Chinese sentences on the other."""
    english: list[str] = []
    chinese: list[tuple[str, str]] = []
    for passage in text.split("\n"):
        fact = _FACT.match(passage)
        if _NAMES_ITEM.match(passage):
            continue
        if not has_han(passage) or (fact and (not has_han(fact["value"]) or _LATIN.search(fact["value"]))):
            english.append(passage)
        elif fact:
            chinese.append((passage, passage))
        else:
            spoken = sentences_said(passage)
            foreign = [sentence for sentence in spoken if is_chinese(sentence)]
            chinese += [(passage, sentence) for sentence in foreign]
            if len(foreign) < len(spoken):
                rest = [sentence for sentence in spoken if sentence not in foreign]
                english.append(" ".join(rest) if foreign else passage)
    return _Split("\n".join(line for line in english if line.strip()), tuple(chinese))


@lru_cache(maxsize=4_096)
def _wish(feature: str) -> _Wish:
    if not has_han(feature):
        return _of_english(read_feature(feature))
    read = read_chinese_feature(feature)
    parts = [part for part in _OR.split(read.focus) if part.strip()] or [read.focus]
    return _Wish(
        alternatives=tuple((gloss(part), part) for part in parts),
        contexts=tuple((gloss(context), context) for context in read.contexts),
        focus=read.focus,
        scope=read.gloss or "，".join((read.focus, *read.contexts[-1:])),
        avoid=read.avoid,
        tolerant=read.tolerant,
        perspective=read.perspective,
        named=bool(concept_mentions(gloss(read.focus))),
        measured=bool(limits(read.focus)),
    )


def _of_english(read: FeatureReading) -> _Wish:
    return _Wish(
        alternatives=tuple((part, "") for part in read.alternatives),
        contexts=tuple((context, "") for context in read.contexts),
        focus=read.focus,
        scope=relations.scope_text(read),
        avoid=read.avoid,
        tolerant=read.tolerant,
        perspective=read.perspective,
        named=sentence_findings.is_named(read),
        measured=sentence_findings.is_measured(read.focus),
    )


def _texts_to_encode(requests: Sequence[RelationRequest]) -> list[str]:
    """The Chinese sentences and what of a wish is compared with them, in a stable order."""
    wanted: dict[str, None] = {}
    for request in requests:
        found = _split(request.text).chinese
        if found:
            wish = _wish(request.feature)
            wanted.update(dict.fromkeys((*(sentence for _, sentence in found), wish.focus, wish.scope)))
    return list(wanted)


def _labels(
    requests: Sequence[RelationRequest],
    english: dict[RelationRequest, RelationLabel],
    texts: Sequence[str],
    vectors: Vectors | None,
) -> list[RelationLabel]:
    rows = {text: vectors[row] for row, text in enumerate(texts)} if vectors is not None else {}
    found: list[RelationLabel] = []
    for request in requests:
        wish = _wish(request.feature)
        finder = finder_of(request.feature)
        if finder is not None:
            beside = None if finder.alone else english.get(request)
            found.append(_label_kept_away(request.text, finder, beside))
            continue
        own = _chinese_findings(wish, _split(request.text).chinese, rows)
        found.append(_merged(english.get(request), own, wish, prefer_chinese=has_han(request.feature)))
    return found


def _label_kept_away(text: str, finder: Finder, english: RelationLabel | None) -> RelationLabel:
    """The label of a wish that keeps away from a thing: who warns of it never speaks for it."""
    own: dict[Finding, str] = {}
    told = _split(text)
    for sentence in [*(s for line in told.english.split("\n") for s in _told(line)), *(s for _, s in told.chinese)]:
        finding = finder.find(sentence)
        if finding is not None:
            own.setdefault(finding, sentence)
    if english is not None and english.label is not Label.NOT_ADDRESSED:
        settled = set(own.values())
        own = {**{f: quote for f, quote in findings_of(english).items() if quote not in settled}, **own}
    return relations.weighed(own)


def _told(line: str) -> list[str]:
    """A line of metadata that is no list of diets, or the sentences of a note."""
    fact = _FACT.match(line)
    if fact is None:
        return list(sentences_said(line))
    return [] if line.startswith("Diets:") else [line]


def _chinese_findings(
    wish: _Wish, pieces: Sequence[tuple[str, str]], rows: dict[str, Vectors]
) -> dict[Finding, tuple[float, str]]:
    """For each finding the sentence that says it most plainly."""
    best: dict[Finding, tuple[float, str]] = {}
    for passage, sentence in pieces:
        focus, scope = _similarity(rows, sentence, wish.focus), _similarity(rows, sentence, wish.scope)
        finding = _finding(wish, passage, sentence, focus, scope)
        if finding is not None and max(focus, scope) > best.get(finding, (-2.0, ""))[0]:
            best[finding] = (max(focus, scope), sentence)
    return best


def _similarity(rows: dict[str, Vectors], one: str, other: str) -> float:
    return float(np.dot(rows[one], rows[other])) if one in rows and other in rows else 0.0


def _finding(wish: _Wish, passage: str, sentence: str, focus: float, scope: float) -> Finding | None:
    """What one Chinese sentence says of a wish: the English rules' decisions with Chinese words and their encoder."""
    if wish.measured:
        return None  # a wish in numbers is settled by numbers, which stand in the metadata
    if (pair := pair_wished(wish.focus, wish.perspective)) is not None:
        denied = pair_denied(sentence, pair)
        return None if denied is None else Finding.AGAINST if denied != wish.avoid else Finding.FOR
    spoken = [words_degree(sentence, english, chinese) for english, chinese in wish.alternatives]
    said = [(degree, whole) for degree, whole in spoken if degree is not None]
    degree, whole = max(said, key=lambda pair: (pair[1], pair[0]), default=(None, False))
    near = wish.contexts[-2:]
    inside = not near or scope >= MATCHING or any(speaks_of(*context, passage) for context in near)
    if degree is None:
        return None if wish.avoid else _by_similarity(wish, focus, scope, inside=inside)
    if degree is Degree.NONE and not inside:
        return None
    if wish.avoid:
        few = degree is Degree.NONE and any(merely_few(sentence, *words) for words in wish.alternatives)
        return unwanted(_as_reading(wish), Degree.MILD if few else degree)
    if degree is Degree.NONE:
        return Finding.AGAINST if whole else None
    if not inside or not whole:
        return Finding.PARTLY
    return Finding.FOR if degree >= Degree.PLAIN or wish.perspective == "prominence" else Finding.PARTLY


def _by_similarity(wish: _Wish, focus: float, scope: float, *, inside: bool) -> Finding | None:
    if is_allergy(wish.focus):
        return None  # what only sounds near says nothing of an allergy
    similarity = max(focus, scope if inside else 0.0)
    if similarity < RELATED or (wish.contexts and focus < RELATED / 2):
        return None
    return Finding.FOR if similarity >= MATCHING and inside and not wish.named else Finding.PARTLY


def _as_reading(wish: _Wish) -> FeatureReading:
    return FeatureReading(
        focus=wish.focus,
        alternatives=(wish.focus,),
        avoid=wish.avoid,
        tolerant=wish.tolerant,
        perspective=wish.perspective,
        gloss="",
        contexts=(),
    )


def _merged(
    english: RelationLabel | None, own: dict[Finding, tuple[float, str]], wish: _Wish, *, prefer_chinese: bool
) -> RelationLabel:
    """One label of what both languages say; support and contradiction make PARTIAL with both quotes (METHOD 7.1)."""
    found: dict[Finding, str] = {finding: quote for finding, (_, quote) in own.items()}
    if english is not None and english.label is not Label.NOT_ADDRESSED:
        other = findings_of(english)
        listed = wish.perspective == "genre" and other.get(Finding.FOR, "").startswith("Genres:")
        if listed:  # an item that is listed under a genre is of it, whatever a note says that it is not
            found.pop(Finding.AGAINST, None)
        recorded = {finding: quote for finding, quote in other.items() if quote.startswith(_ON_RECORD)}
        if wish.perspective in ("country", "language") and recorded:
            return relations.weighed(recorded)  # where an item is from, and what is spoken, stands on record
        found = {**other, **found} if prefer_chinese else {**found, **other}
    return relations.weighed(found)

"""A search engine over the small web: BM25 on the words of titles and visible texts, pairs of characters in Chinese.

`search(port)` gives the callable that a search server asks: query -> [{"title", "link", "snippet"}, ...].
Of the operators it understands "phrases" (pages with one come first), site:, -site: and -word; OR, AND and brackets
are ignored, and so are intitle:, inurl: and their like, whose words count as words.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from pdgf.sources.lexical import LexicalIndex, tokens
from pdgf.texts import sentences
from tests.web.content import Source, sources
from tests.web.site import REDIRECTS, SITE, address
from tests.web.visible import visible

HITS = 10
SNIPPET_CHARS = 160
TITLE_WEIGHT = 2  # a word of the title counts as often as two of the text
PHRASE_BONUS = 0.25  # of the score, for each quoted phrase that the page has

_OPERATOR = re.compile(r"(?P<minus>-)?(?:(?P<name>\w+):)?(?:[\"“](?P<phrase>[^\"“”]*)[\"”]|(?P<word>[^\s\"“”()]+))")
_FIELDS = frozenset({"intitle", "allintitle", "inurl", "intext", "allintext"})


class Asked(NamedTuple):
    """A query taken apart."""

    words: str
    phrases: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    barred_sites: tuple[str, ...] = ()
    barred_words: tuple[str, ...] = ()


class Listed(NamedTuple):
    """What the engine knows of an address: where it belongs, its title and its text, and both for finding words."""

    path: str
    host: str
    title: str
    text: str
    folded: str


def search(port: int, *, limit: int = HITS) -> Callable[[str], list[dict[str, str]]]:
    """The answers of the engine with links to a page server at that port."""

    def answer(query: str) -> list[dict[str, str]]:
        asked = read_query(query)
        return [
            {"title": hit.title, "link": address(hit.path, port), "snippet": snippet(hit.text, asked.words)}
            for hit in ranked(asked)[:limit]
        ]

    return answer


def ranked(asked: Asked) -> list[Listed]:
    """The addresses with a word of the query, best first; ties by path."""
    scores = _index().scores(asked.words)
    found: list[tuple[float, Listed]] = []
    for listed, score in zip(_listed(), scores.tolist(), strict=True):
        if score > 0 and not _is_barred(listed, asked):
            phrases = sum(phrase.casefold() in listed.folded for phrase in asked.phrases)
            found.append((score * (1 + PHRASE_BONUS * phrases), listed))
    return [listed for _, listed in sorted(found, key=lambda pair: (-pair[0], pair[1].path))]


def read_query(query: str) -> Asked:
    """A query taken apart at its operators; anything is a query."""
    parts: dict[str, list[str]] = {"words": [], "phrases": [], "sites": [], "barred_sites": [], "barred_words": []}
    for match in _OPERATOR.finditer(query):
        minus, name, phrase = match["minus"], (match["name"] or "").lower(), match["phrase"]
        text = (phrase if phrase is not None else match["word"] or "").strip()
        if name == "site":
            parts["barred_sites" if minus else "sites"].append(text.lower())
        elif minus:
            parts["barred_words"].append(text)
        elif text not in ("OR", "AND", "|"):
            parts["words"].append(text if not name or name in _FIELDS else f"{name} {text}")
            parts["phrases"].extend([text] if phrase and text else [])
    words = " ".join(parts.pop("words"))
    return Asked(words, **{name: tuple(texts) for name, texts in parts.items()})


def snippet(text: str, words: str) -> str:
    """The sentence with most words of the query, cut to the length that search engines show."""
    wanted = set(tokens(words))
    pieces = sentences(text) or ("",)
    best = max(pieces, key=lambda piece: len(wanted & set(tokens(piece))))
    if len(best) <= SNIPPET_CHARS:
        return best
    cut = best[:SNIPPET_CHARS]
    return f"{cut.rpartition(' ')[0] or cut} …"


@cache
def visible_text(path: str) -> str:
    """The text of a page without what stands around it, as read from the bytes that are served."""
    source = sources()[path]
    return visible(SITE[path].body.decode(source.charset), source.mime).text


@cache
def _listed() -> tuple[Listed, ...]:
    pages = [_of_page(source, path=path) for path, source in sources().items()]
    moved = [_of_page(sources()[move.remembered], path=path) for path, move in REDIRECTS.items() if move.remembered]
    return (*pages, *moved)


def _of_page(source: Source, *, path: str) -> Listed:
    host = address(path, 80).removeprefix("http://").partition(":")[0]
    text = "\n".join(line for line in visible_text(source.path).split("\n") if line != source.title)
    text = source.indexed or text
    return Listed(path, host, source.title, text, f"{source.title}\n{text}".casefold())


@cache
def _index() -> LexicalIndex:
    return LexicalIndex.build([f"{listed.title}\n" * TITLE_WEIGHT + listed.text for listed in _listed()])


def _is_barred(listed: Listed, asked: Asked) -> bool:
    return (
        any(_is_under(listed.host, site) for site in asked.barred_sites)
        or (bool(asked.sites) and not any(_is_under(listed.host, site) for site in asked.sites))
        or any(word.casefold() in listed.folded for word in asked.barred_words)
    )


def _is_under(host: str, site: str) -> bool:
    site = site.partition("/")[0]
    return host == site or host.endswith(f".{site}")

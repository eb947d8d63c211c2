"""The content files of the small web: a head of "key: value" lines, an empty line, then the text in a short notation.

    ## heading     - item     1. item     | cell | cell |     @ writer | date (a forum post begins)     *emphasis*

A cell that begins with ";;" is a list. `raw: yes`: the text is served as it stands. `copy_of: /path`: the text is that
of another page with the changes "old => new", one a line.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

PAGES = Path(__file__).parent / "pages"

BlockKind = Literal["heading", "paragraph", "item", "number", "row", "post"]
_MARKS: tuple[tuple[str, BlockKind], ...] = (
    (r"(#{2,3}) (.+)", "heading"),
    (r"(-) (.+)", "item"),
    (r"(\d+)\. (.+)", "number"),
    (r"(\|) (.+) \|", "row"),
    (r"(@) (.+)", "post"),
)


class Block(NamedTuple):
    """One block of a page: `mark` is what stood before the text (the number of a list item, ## or ###)."""

    kind: BlockKind
    mark: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Source:
    """A page as written: its address, what is known of it, and its text in the notation above.

    `indexed` is what a search engine remembers of a page that shows it nothing today. `says` is the charset that the
    page claims where it declares one; `ascii_head` the ASCII characters of scripts before the first word.
    """

    host: str
    path: str
    kind: str
    topic: str
    title: str
    text: str = field(repr=False)
    lang: str = "en"
    by: str = ""
    date: str = ""
    board: str = ""
    charset: str = "utf-8"
    declared: Literal["both", "header", "meta", "none"] = "both"
    says: str = ""
    ascii_head: int = 0
    mime: str = "text/html"
    raw: bool = False
    copy_of: str = ""
    generate: str = ""
    indexed: str = ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(_blocks(self.text))


class Host(NamedTuple):
    """What stands around the text on every page of a host."""

    name: str
    style: str
    nav: list[str]
    next: str
    cookies: str
    advert: str
    footer: str


@cache
def sources() -> Mapping[str, Source]:
    """Every page by its path, in the order of the files. Raises ValueError for a file that does not fit."""
    found: dict[str, Source] = {}
    for file in sorted(PAGES.glob("*/*.page")):
        source = _source(file.read_text(encoding="utf-8"))
        if source.path in found:
            raise ValueError(f"{file.name}: {source.path} is taken")
        found[source.path] = source
    return {path: _copied(source, found) if source.copy_of else source for path, source in found.items()}


@cache
def hosts() -> Mapping[str, Host]:
    """Every host by its name; a host below one of them looks like that one (`host_of`)."""
    table = tomllib.loads((PAGES / "sites.toml").read_text(encoding="utf-8"))
    return {name: Host(**fields) for name, fields in table.items()}


def host_of(source: Source) -> Host:
    return hosts()[".".join(source.host.split(".")[-2:])]


def _source(written: str) -> Source:
    head, _, text = written.partition("\n\n")
    fields: dict[str, Any] = dict(line.split(": ", 1) for line in head.strip().splitlines())
    fields["raw"] = fields.get("raw") == "yes"
    fields["ascii_head"] = int(fields.get("ascii_head", 0))
    return Source(text=text, **fields)


def _copied(source: Source, pages: Mapping[str, Source]) -> Source:
    text = pages[source.copy_of].text
    for change in source.text.strip().splitlines():
        old, new = change.split(" => ")
        if text.count(old) != 1:
            raise ValueError(f"{source.path}: {old!r} stands {text.count(old)} times in {source.copy_of}")
        text = text.replace(old, new)
    return replace(source, text=text)


def _blocks(text: str) -> Iterator[Block]:
    for line in text.splitlines():
        if not line.strip():
            continue
        for pattern, kind in _MARKS:
            if match := re.fullmatch(pattern, line):
                yield Block(kind, match.group(1), match.group(2))
                break
        else:
            yield Block("paragraph", "", line)

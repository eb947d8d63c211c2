"""What a page shows, block by block, and which of it is content. Pure, over a parsed tree.

trafilatura says which text of a page is content; the words are taken from the page itself, so that every line is
contiguous in one block or table cell, whatever was left out or joined on the way.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from lxml import etree, html  # type: ignore[import-untyped]

from pdgf.texts import clean, collapsed

KINDS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("li", "dt", "dd"), "item"),
    **dict.fromkeys(("td", "th"), "cell"),
    "blockquote": "quote",
}
INLINE = frozenset(
    {
        *(
            "a",
            "abbr",
            "acronym",
            "b",
            "bdi",
            "bdo",
            "big",
            "cite",
            "code",
            "data",
            "del",
            "dfn",
            "em",
            "font",
            "i",
            "img",
        ),
        *("ins", "kbd", "label", "mark", "nobr", "output", "q", "rb", "rt", "ruby", "s", "samp", "small", "span"),
        *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    }
)
# Not part of the text: what is never shown leaves no gap, what is shown otherwise than as text ends a block.
NOT_SHOWN = frozenset({"script", "style", "noscript", "template", "head", "title", "meta", "link", "rp"})
NOT_TEXT = frozenset(
    {
        *("button", "select", "textarea", "input", "iframe", "object", "embed", "svg", "math", "canvas", "audio"),
        *("video", "picture", "map", "datalist", "progress", "meter"),
    }
)


class Tags(NamedTuple):
    """How the elements of a kind of document are shown."""

    inline: frozenset[str]
    not_shown: frozenset[str] = frozenset()
    not_text: frozenset[str] = frozenset()


HTML = Tags(INLINE, NOT_SHOWN, NOT_TEXT)
EXTRACT = Tags(frozenset({"hi", "ref", "del", "code"}))  # the tree that trafilatura makes

SURE = 20  # characters without white space by which a line is known again when it is not equal

_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0(?:\.0+)?(?![.\d])", re.I
)
_SENTENCE_END = re.compile(r"""[.!?…。！？]["'”’」』）)]*$""")


class Block(NamedTuple):
    """Visible text of one block, white space collapsed: a heading, item, cell, quote or paragraph."""

    kind: str
    text: str


def parsed(text: str) -> Any:
    """The root of a page; None for one without any element. Comments and instructions are no part of it."""
    # As UTF-8 with the parser told so: no declaration in the page changes what was decoded.
    source = clean(text).encode("utf-8")
    try:
        parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
        return html.document_fromstring(source, parser=parser) if source else None
    except etree.ParserError:
        return None


def visible_blocks(root: Any, tags: Tags = HTML) -> list[Block]:
    """The blocks of an element of a `parsed` page in order."""
    walk = _Walk(tags)
    events = etree.iterwalk(root, events=("start", "end"))  # no recursion: pages nest as deep as they like
    left_out = None
    for event, element in events:
        if event == "start":
            if walk.is_left_out(element):
                left_out = element
                events.skip_subtree()
            else:
                walk.enter(element)
            continue
        if element is left_out:
            left_out = None
        else:
            walk.leave(element)
        if element is not root:
            walk.add(element.tail)
    walk.end_block()
    return walk.blocks


def content(blocks: Sequence[Block], extracted: Collection[str]) -> list[Block]:
    """The blocks whose text was extracted, word for word or nearly: a block counts too when an extracted line holds
    it, is held by it, or begins or ends like it.

    With them come what an extractor takes for furniture: the headings that such blocks stand under, which often name
    what they speak of, and single short sentences among them.
    """
    lines = {_key(line) for line in extracted} - {""}
    keys = [_key(block.text) for block in blocks]
    strays = [line for line in lines.difference(keys) if len(line) >= SURE]
    joined = "\n".join(strays)
    kept = [key in lines or _is_near(key, strays, joined) for key in keys]
    return [
        block
        for place, block in enumerate(blocks)
        if kept[place] or (_heads(blocks, kept, place) if block.kind == "heading" else _is_between(blocks, kept, place))
    ]


def _heads(blocks: Sequence[Block], kept: Sequence[bool], place: int) -> bool:
    """Whether content stands between a heading and the next."""
    for below in range(place + 1, len(blocks)):
        if blocks[below].kind == "heading":
            return False
        if kept[below]:
            return True
    return False


def _is_between(blocks: Sequence[Block], kept: Sequence[bool], place: int) -> bool:
    """Whether a sentence stands alone between two blocks of content."""
    among = 0 < place < len(blocks) - 1 and kept[place - 1] and kept[place + 1]
    return among and _SENTENCE_END.search(blocks[place].text) is not None


def _is_near(key: str, strays: list[str], joined: str) -> bool:
    if len(key) < SURE:
        return False
    return key in joined or any(
        line in key or key.startswith(line[:SURE]) or key.endswith(line[-SURE:]) for line in strays
    )


def _key(text: str) -> str:
    return "".join(clean(text).split())


class _Walk:
    """The blocks found so far, and the text of the one that is being read."""

    def __init__(self, tags: Tags) -> None:
        self.blocks: list[Block] = []
        self._tags = tags
        self._kinds = ["paragraph"]
        self._text: list[str] = []
        self._preformatted = 0

    def is_left_out(self, element: Any) -> bool:
        if element.tag in self._tags.not_text:
            self.end_block()
            return True
        return element.tag in self._tags.not_shown or _is_hidden(element)

    def enter(self, element: Any) -> None:
        if self._is_block(element.tag):
            self.end_block()
            self._kinds.append(KINDS.get(element.tag, self._kinds[-1]))
        self._preformatted += element.tag == "pre"
        self.add(element.text)

    def leave(self, element: Any) -> None:
        if self._is_block(element.tag):
            self.end_block()
            self._kinds.pop()
        self._preformatted -= element.tag == "pre"

    def add(self, text: str | None) -> None:
        first, *others = (text or "").split("\n") if self._preformatted else (text or "",)
        self._text.append(first)
        for other in others:
            self.end_block()
            self._text.append(other)

    def end_block(self) -> None:
        text = collapsed(clean("".join(self._text)))
        self._text.clear()
        if text:
            self.blocks.append(Block(self._kinds[-1], text))

    def _is_block(self, tag: str) -> bool:
        return tag not in self._tags.inline and "-" not in tag


def _is_hidden(element: Any) -> bool:
    style = element.get("style")
    if style and _HIDDEN_STYLE.search(style):
        return True
    return element.get("hidden") is not None or (element.tag == "dialog" and element.get("open") is None)

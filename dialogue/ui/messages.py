"""What may stand in a chat message: words, emphasis and plain web links. Never an image, raw HTML or another scheme.

Markdown is made harmless by writing its dangerous signs as character entities, which are text and never syntax.
The browser shows them as the signs they stand for.
"""

import re
from urllib.parse import urlsplit

_LINK = re.compile(r"!*\[(?P<text>[^\[\]\n]{1,300})\]\((?P<url>https?://[^\s()<>\"]{1,2000})\)")
_ANYWHERE = re.compile(r"[\\`*_\[<|~]|&(?=#?\w+;)")
_AT_LINE_START = re.compile(r"^(\s*)([#>+=-]|\d+[.)])", re.MULTILINE)
_BEFORE_A_SIGN = re.compile(r"\\+(?=[\[<])")
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def safe_markdown(text: str) -> str:
    """A reply or quote that keeps its emphasis and its http(s) links, and nothing that could load or run.

    An image becomes its description, a link of another scheme its source text, a tag the text of the tag.
    """
    pieces, end = [], 0
    for link in _LINK.finditer(text):
        pieces.append(_without_syntax(text[end : link.start()]))
        label = _without_syntax(link["text"])
        url = safe_link(link["url"]) if not link[0].startswith("!") else None
        pieces.append(f"[{label}]({url})" if url else label)
        end = link.end()
    return "".join([*pieces, _without_syntax(text[end:])])


def plain(text: str) -> str:
    """What a person typed, shown as typed: no sign of it is read as Markdown."""
    escaped = _ANYWHERE.sub(lambda sign: f"&#{ord(sign[0])};", _INDENT.sub("", text))
    return _AT_LINE_START.sub(lambda start: f"{start[1]}{start[2][:-1]}&#{ord(start[2][-1])};", escaped)


def safe_link(url: str | None) -> str | None:
    """The address if it leads to a web page, else None; any other scheme could run code or reach into the machine."""
    try:
        parts = urlsplit((url or "").strip())
    except ValueError:
        return None
    return parts.geturl() if parts.scheme in ("http", "https") and parts.netloc else None


def _without_syntax(text: str) -> str:
    """Brackets and tags as plain signs, so that outside a checked link no link, image or element can begin. A backslash
    before one is a sign too: it would make letters of the entity."""
    text = _BEFORE_A_SIGN.sub(lambda run: "&#92;" * len(run[0]), text)
    return text.replace("[", "&#91;").replace("<", "&lt;")

"""Content files become the pages of a web site: markup around the text as sites have it, then bytes in a charset."""

import html
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from tests.web.content import Block, Host, Source, host_of
from tests.web.ledger import ledger

ADVERT_AFTER = 3  # blocks of the text
_STYLE = "body{margin:0;font:17px/1.5 serif}.cookie-banner{position:fixed;bottom:0}.ad-slot{background:#eee}"
_TAGS = {"item": "ul", "number": "ol", "row": "table"}


def page(source: Source, related: Sequence[Source]) -> tuple[bytes, str]:
    """The bytes of a page and its content type; `related` are pages of the same host that it links to."""
    text = source.text if source.raw else _document(source, host_of(source), related)
    declares = source.declared in ("both", "header") and source.text
    says = source.says or source.charset
    return text.encode(source.charset), f"{source.mime}; charset={says}" if declares else source.mime


def _document(source: Source, host: Host, related: Sequence[Source]) -> str:
    frame = {"magazine": _magazine, "forum": _forum, "wiki": _wiki, "blog": _blog}[host.style]
    return "\n".join([*_head(source, host), *_banner(host), *frame(source, host, related), "</body>", "</html>", ""])


def _head(source: Source, host: Host) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield f'<html lang="{source.lang}">'
    yield "<head>"
    if source.declared in ("both", "meta"):
        yield f'<meta charset="{source.says or source.charset}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    if source.ascii_head:
        steps = source.ascii_head // 40
        yield "<script>" + "\n".join(f'window.q.push(["slot", {step}, "lazy", {step % 7}]);' for step in range(steps))
        yield "</script>"
    yield f"<title>{_escaped(source.title)} | {_escaped(host.name)}</title>"
    yield f"<style>{_STYLE}</style>"
    yield "<script>window.dataLayer=window.dataLayer||[];function track(){dataLayer.push(arguments)}</script>"
    yield "</head>"
    yield f'<body class="{source.kind}">'


def _banner(host: Host) -> Iterator[str]:
    if host.cookies:
        yield '<div class="cookie-banner" role="dialog">'
        yield f"<p>{_escaped(host.cookies)}</p><button>OK</button>"
        yield "</div>"


def _magazine(source: Source, host: Host, related: Sequence[Source]) -> Iterator[str]:
    yield f'<header class="site-header"><a class="logo" href="/">{_escaped(host.name)}</a>'
    yield from _nav(host)
    yield "</header>"
    yield "<main>"
    yield "<article>"
    yield from _opening(source)
    yield from _blocks(source, _body(source), host.advert)
    yield "</article>"
    yield from _links("aside", host, related)
    yield "</main>"
    yield f"<footer><p>{_escaped(host.footer)}</p></footer>"


def _blog(source: Source, host: Host, related: Sequence[Source]) -> Iterator[str]:
    yield f'<div id="masthead" class="site-header"><h2>{_escaped(host.name)}</h2></div>'
    yield '<div id="wrapper"><div class="entry">'
    yield from _opening(source)
    yield from _blocks(source, _body(source), host.advert)
    yield "</div>"
    yield '<div class="sidebar">'
    yield from _nav(host)
    yield from _links("div", host, related)
    yield "</div></div>"
    yield f"<footer><p>{_escaped(host.footer)}</p></footer>"


def _wiki(source: Source, host: Host, related: Sequence[Source]) -> Iterator[str]:
    yield from _nav(host)
    yield '<div id="content" role="main">'
    yield f"<h1>{_escaped(source.title)}</h1>"
    yield from _blocks(source, _body(source), host.advert)
    yield "</div>"
    yield from _links("aside", host, related)
    yield f"<footer><p>{_escaped(host.footer)}</p></footer>"


def _forum(source: Source, host: Host, related: Sequence[Source]) -> Iterator[str]:
    yield f'<header class="site-header"><a href="/">{_escaped(host.name)}</a>'
    yield from _nav(host)
    yield f'<nav class="breadcrumb"><a href="/">{_escaped(host.name)}</a> &raquo; {_escaped(source.board)}</nav>'
    yield "</header>"
    yield f'<main><h1 class="topic">{_escaped(source.title)}</h1>'
    number = 0
    for block in _body(source):
        if block.kind == "post":
            yield "</div></div>" if number else ""
            number += 1
            writer, _, date = block.text.partition(" | ")
            yield f'<div class="post" id="p{number}">'
            yield f'<div class="post-head"><b>{_escaped(writer)}</b> {date} #{number}</div>'
            yield '<div class="post-body">'
        else:
            yield from _blocks(source, [block], "")
    yield "</div></div>" if number else ""
    yield "</main>"
    yield from _advert(host.advert)
    yield from _links("aside", host, related)
    yield f"<footer><p>{_escaped(host.footer)}</p></footer>"


def _nav(host: Host) -> Iterator[str]:
    entries = "".join(f'<li><a href="/{number}">{_escaped(entry)}</a></li>' for number, entry in enumerate(host.nav))
    yield f"<nav><ul>{entries}</ul></nav>"


def _links(tag: str, host: Host, related: Sequence[Source]) -> Iterator[str]:
    if related:
        yield f'<{tag} class="related"><h3>{_escaped(host.next)}</h3><ul>'
        yield from (f'<li><a href="{page.path}">{_escaped(page.title)}</a></li>' for page in related)
        yield f"</ul></{tag}>"


def _advert(advert: str) -> Iterator[str]:
    if advert:
        yield f'<div class="ad-slot"><a href="/out?ad=1" rel="sponsored">{_escaped(advert)}</a></div>'


def _opening(source: Source) -> Iterator[str]:
    yield f"<h1>{_escaped(source.title)}</h1>"
    yield f'<p class="byline"><span class="author">{_escaped(source.by)}</span> <time>{source.date}</time></p>'


def _body(source: Source) -> tuple[Block, ...]:
    return (*source.blocks, *(ledger() if source.generate == "ledger" else ()))


def _blocks(source: Source, blocks: Sequence[Block], advert: str) -> Iterator[str]:
    shown = 0
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        if kind in _TAGS:
            yield f"<{_TAGS[kind]}>"
            yield from (_row(block, head=not number) if kind == "row" else f"<li>{_inline(block.text)}</li>"
                        for number, block in enumerate(group))  # fmt: skip
            yield f"</{_TAGS[kind]}>"
            shown += 1
            continue
        for block in group:
            yield from _advert(advert if shown == ADVERT_AFTER else "")
            shown += 1
            if kind == "heading":
                yield f"<h{len(block.mark)}>{_inline(block.text)}</h{len(block.mark)}>"
            else:
                yield f"<p>{_wrapped(_inline(block.text), source.lang)}</p>"


def _row(block: Block, *, head: bool) -> str:
    tag = "th" if head else "td"
    cells = (cell.strip() for cell in block.text.split(" | "))
    return "<tr>" + "".join(f"<{tag}>{_cell(cell)}</{tag}>" for cell in cells) + "</tr>"


def _cell(cell: str) -> str:
    if not cell.startswith(";;"):
        return _inline(cell)
    return "<ul>" + "".join(f"<li>{_inline(item.strip())}</li>" for item in cell.split(";;")[1:]) + "</ul>"


def _wrapped(text: str, lang: str) -> str:
    """Lines of a source file, as an editor breaks them; not where no spaces stand between words."""
    return text if lang in ("zh", "ja") else "\n".join(textwrap.wrap(text, 100, break_long_words=False))


def _inline(text: str) -> str:
    bold = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", _escaped(text))
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", bold)


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)

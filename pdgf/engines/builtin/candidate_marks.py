"""Titles in marks: 《 》, 〈 〉, 『 』, 「 」, quotation marks of all kinds, asterisks and underscores."""

import re

from pdgf.engines.builtin.candidate_cues import cue, words
from pdgf.engines.builtin.candidate_lines import Line, Span
from pdgf.engines.builtin.candidate_mentions import Mention, Mentions, ends_with, opens_line
from pdgf.engines.builtin.candidate_shapes import has_cjk, never_title, title_like, trimmed
from pdgf.engines.builtin.candidate_years import bracket_at

_MARKED = re.compile(
    "《(?P<work>[^《》\n]{1,60})》|〈(?P<part>[^〈〉\n]{1,60})〉|『(?P<double>[^『』\n]{1,60})』|「(?P<single>[^「」\n]{1,60})」"
)
_QUOTED = re.compile(
    "“(?P<a>[^“”\n]{1,80})”|„(?P<b>[^„“”\n]{1,80})[“”]|«\\s?(?P<c>[^«»\n]{1,80})»"
    '|(?<![\\w"])"(?P<d>[^\\s"][^"\n]{0,79})(?<!\\s)"(?!\\w)|(?<!\\w)‘(?P<e>(?:[^‘’\n]|’(?=\\w)){1,80})’(?!\\w)'
    "|(?<!\\w)'(?P<h>(?:[^'\n]|'(?=\\w)){1,80})'(?!\\w)"
    "|(?<![\\w*])\\*(?P<f>[^\\s*][^*\n]{0,79})(?<!\\s)\\*(?![\\w*])|(?<!\\w)_(?P<g>[^\\s_][^_\n]{0,79})(?<!\\s)_(?!\\w)"
)
_SAID = re.compile(r",?\s(?:(?:he|she|they|I|we)\s)?(?:said|says|asks|asked|replied|wrote|writes|told|explained)\b")
_SPEECH = re.compile("[。！？!?，,；;、…]")
_DEFINES = re.compile("(?:（[^（）\n]{0,60}）)?(?:是|は)[^。；\n]{2,60}")
_APPOSED = re.compile(r",?\s(?:the|a)\s")
_BESIDE = 24  # characters beside a mark in which a word may say what is marked


def marked_mentions(mentions: Mentions, line: Line) -> None:
    """Add 《 》 and 〈 〉, which always hold a work, and 『 』 and 「 」 where the words around or the place say so."""
    page = mentions.page
    for match in _MARKED.finditer(page.chunk, line.body, line.end):
        mark = match.lastgroup or ""
        span = trimmed(page.chunk, *match.span(mark))
        if span is None:
            continue
        name = page.chunk[slice(*span)]
        bracket = bracket_at(page.chunk, match.end(), page.cues)
        reach = bracket.end if bracket else match.end()
        before = page.chunk[max(line.body, match.start() - _BESIDE) : match.start()].rstrip()
        after = page.chunk[match.end() : match.end() + _BESIDE]
        sure = bracket is not None or ends_with(page.cues.words, before) or mentions.titles.knows(name)
        quiet = _SPEECH.search(name) is None
        opens = quiet and opens_line(page, line, match.start(), reach)
        fits = sure or opens or mark in ("work", "part") or (mark == "double" and quiet)
        if fits and _other_work(name, before, after):
            _set_aside(mentions, span, reach, opens=opens)
        elif fits:
            defined = _DEFINES.match(page.chunk, match.end(), line.end)
            owns = bool(defined and match.start() == line.body and page.cues.words.search(defined[0]))
            mentions.add_name(line, span, year=bracket.year if bracket else None, reach=reach, owns=owns)


def quoted_mentions(mentions: Mentions, line: Line) -> None:
    """Add words in quotes or asterisks that are written like a title, not like speech."""
    page = mentions.page
    for match in _QUOTED.finditer(page.chunk, line.body, line.end):
        span = trimmed(page.chunk, *match.span(match.lastgroup or "a"))
        if span is None:
            continue
        name = page.chunk[slice(*span)].rstrip(".")
        if not name:
            continue
        bracket = bracket_at(page.chunk, match.end(), page.cues)
        start, end = mentions.sentence(match.start())
        before = page.chunk[max(start, match.start() - _BESIDE) : match.start()].rstrip()
        after = page.chunk[match.end() : min(match.end() + _BESIDE, max(end, match.end()))]
        written = title_like(name) and not never_title(name) and not _SAID.match(after)
        if " " not in name or has_cjk(name):
            written = written and _called(mentions, name, f"{before} {after}")
        known = bracket is not None or mentions.titles.knows(name)
        if (known or written) and not _other_work(name, before, after):
            reach = bracket.end if bracket else match.end()
            mentions.add_name(line, (span[0], span[0] + len(name)), year=bracket.year if bracket else None, reach=reach)


def _set_aside(mentions: Mentions, span: Span, reach: int, *, opens: bool) -> None:
    """Take the place of a song or a newspaper, so that no weaker source reads it as an item."""
    mentions.add(Mention(start=span[0], end=span[1], reach=reach, owns=opens, other=opens, refers=not opens))


def _called(mentions: Mentions, name: str, beside: str) -> bool:
    """Whether the words beside a short quote say that it is an item: its kind, or that somebody watched or read it."""
    verbs = not has_cjk(name) and cue("around.verbs").search(beside) is not None
    return verbs or mentions.page.cues.words.search(beside) is not None


def _other_work(name: str, before: str, after: str) -> bool:
    """Whether the words around a name say that it is a song, a paper, a chapter."""
    if ends_with(cue("works.other"), before) or cue("works.reports").match(after):
        return True
    apposed = _APPOSED.match(after)
    called = apposed is not None and cue("works.other").match(after, apposed.end()) is not None
    return called or any(name.endswith(word) for word in words("works.press"))

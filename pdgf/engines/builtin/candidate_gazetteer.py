"""Titles that are known: from a catalogue, or because the chunk has identified them elsewhere (METHOD 12)."""

import re

from pdgf.engines.builtin.candidate_cues import cue, is_line, words
from pdgf.engines.builtin.candidate_lines import Line
from pdgf.engines.builtin.candidate_mentions import Mention, Mentions, ends_with, opens_line
from pdgf.engines.builtin.candidate_shapes import has_cjk, is_capital, is_small
from pdgf.engines.builtin.title_index import KnownMatch, title_index

# What follows a known title that is only the beginning of a longer one ("Blade Runner 2049")
_LONGER = re.compile(
    r" (?:of|from|the|in|and|for|with|to|on) (?:the )?[A-Z][a-z]| \d| [IVX]{1,4}\b"
    r"|: (?:Part|Vol|Chapter|Episode|Book|The)\b| [A-Z][a-z]| ?[2-9２-９ⅡⅢ]"
)
_DISTINCT = 6  # letters of a word from which it is a name when it is written with a capital within a sentence


def known_mentions(mentions: Mentions, matches: list[KnownMatch]) -> None:
    """Add titles of the gazetteer where their words stand like a title and not like words."""
    chunk = mentions.page.chunk
    for match in matches:
        number = mentions.line_of(match.start, match.end)
        if number is not None and not _LONGER.match(chunk, match.end) and _fits(mentions, number, match):
            mentions.add_name(mentions.lines[number], (match.start, match.end))


def repeated_mentions(mentions: Mentions) -> None:
    """Add where a name that the chunk has identified stands again."""
    chunk = mentions.page.chunk
    names = sorted({chunk[m.start : m.end] for m in mentions.found()})
    for match in title_index((name, None) for name in names).matches(chunk):
        number = mentions.line_of(match.start, match.end)
        name = chunk[match.start : match.end]
        if number is None or _LONGER.match(chunk, match.end):
            continue
        if has_cjk(name):
            fits = len(name) > 2
        elif match.tokens > 1:
            fits = is_capital(name) or name in names
        else:
            first = match.start in (mentions.sentence(match.start)[0], mentions.lines[number].body)
            headed = number == 0 and mentions.lines[0].heading
            common = name.isdigit() or name.casefold() in words("names.function_words")
            fits = is_capital(name) and not common and (not first or headed or _is_subject(chunk, match.end))
        if fits:
            mentions.add(Mention(start=match.start, end=match.end, reach=match.end))


def _fits(mentions: Mentions, number: int, match: KnownMatch) -> bool:
    """Whether a known title is meant: by capitals, by a place of its own, by the words beside it."""
    page, line = mentions.page, mentions.lines[number]
    name = page.chunk[match.start : match.end]
    if any(is_line(name, f"lines.{kind}") for kind in ("links", "ends", "chrome")):
        return False
    opens = opens_line(page, line, match.start, match.end)
    start, end = mentions.sentence(match.start)
    around = f"{page.chunk[start : match.start]} {page.chunk[match.end : end]}"
    if has_cjk(name):
        letters = sum(character.isalnum() for character in name)
        return opens or letters > 3 or (letters == 3 and page.cues.speaks.search(around) is not None)
    if match.tokens == 1:
        alone = opens and is_capital(name) and (bool(line.mark) or _over_prose(mentions, number))
        return alone or _single_word(mentions, match, around)
    parts = name.split()
    written = is_capital(name) and all(is_capital(part) or is_small(part) for part in parts)
    loud = sum(part.casefold() not in words("unread.empty") for part in parts) > 1
    before = page.chunk[max(start, match.start - 30) : match.start]
    called = any(pattern.search(before) for pattern in (cue("around.verbs"), page.cues.words, cue("refers.liked")))
    return (written and sum(map(is_capital, parts)) > 1) or (loud and called) or (opens and is_capital(name))


def _single_word(mentions: Mentions, match: KnownMatch, around: str) -> bool:
    """One-word titles need title case and a word about items beside them, and are no part of a longer name or a place.

    A word that is written with a capital within a sentence, and never small in the chunk, is no common word.
    """
    chunk, start = mentions.page.chunk, mentions.sentence(match.start)[0]
    name, before = chunk[match.start : match.end], chunk[max(start, match.start - 30) : match.start].rstrip()
    if not is_capital(name) or name.isdigit() or name.casefold() in words("names.function_words"):
        return False
    last = before.split()[-1] if before else ""
    if is_capital(last) and last[-1:].isalnum() and last.casefold() not in words("names.openers"):
        return False
    if ends_with(cue("around.places"), before):
        return False
    inner = not name.isupper() and any(character.isupper() for character in name[1:])
    unusual = inner or not name.isascii() or any(character.isdigit() for character in name)
    led = last.casefold() in words("names.prepositions")
    distinct = bool(before) and not led and len(name) >= _DISTINCT and name.casefold() not in chunk
    return unusual or distinct or mentions.page.cues.speaks.search(around) is not None


def _over_prose(mentions: Mentions, number: int) -> bool:
    following: tuple[Line, ...] = mentions.lines[number + 1 : number + 2]
    return any(not line.heading or line.end - line.start > 40 for line in following)


def _is_subject(chunk: str, end: int) -> bool:
    return cue("around.verbs_of_being").match(chunk[end : end + 20].lstrip()) is not None

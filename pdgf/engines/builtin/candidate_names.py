"""Names in running text that are only written like titles: before brackets with a year, defined, or called for."""

import re

from pdgf.engines.builtin.candidate_cues import CJK, cue, is_line, words
from pdgf.engines.builtin.candidate_edges import (
    with_earlier_part,
    without_author,
    without_setting,
    without_surname,
)
from pdgf.engines.builtin.candidate_lines import Line, Span, announces
from pdgf.engines.builtin.candidate_mentions import JOINED, Mention, Mentions, ends_with, is_set_off
from pdgf.engines.builtin.candidate_shapes import (
    cjk_before,
    has_cjk,
    is_capital,
    is_small,
    never_title,
    person_like,
    run_after,
    run_before,
    stripped,
    title_like,
    trimmed,
    without_maker,
    without_opener,
)
from pdgf.engines.builtin.candidate_years import BRACKET, Bracket, read_bracket, year_before, year_in_words

_DEFINES = re.compile(r"\s(?:is|was)\s(?:an?|the|one of the)\s(?P<what>[^.;:()\n]{3,110})")
_APPOSED = re.compile(r",\s(?:an?|the|his|her|their)\s(?P<what>[^.;:()\n]{3,110})")
_HEAD_NOUN_ENDS = re.compile(
    r",|\s(?:of|by|about|that|who|which|whose|from|in|on|at|and|with|where|when|for|set|written|directed|produced|based"
    r"|starring|published|made|created|released|adapted|but|so|is|was)\b"
)
_DEFINES_CJK = re.compile(
    f"(?P<name>[{CJK}A-Za-z0-9·\\s]{{2,24}}?)(?:（[^（）\n]{{0,80}}）)?是(?P<what>[^。；，：《\n]{{2,60}})"
)
_ANAPHORS = frozenset({"this", "that", "he", "she"})
_LONGEST_POST = 60  # characters of a sentence that is nothing but a title


def bracketed_mentions(mentions: Mentions, line: Line, known_ends: dict[int, int]) -> None:
    """Add `Title (YYYY)` and `Title (film)`; `known_ends` are the ends of known titles with their starts."""
    page = mentions.page
    for match in BRACKET.finditer(page.chunk, line.body, line.end):
        bracket = read_bracket(match, page.cues)
        if bracket is None or not mentions.free(*match.span()):
            continue
        end = _before_brackets(page.chunk, line.body, stripped(page.chunk, line.body, match.start()))
        span = _title_before(mentions, line, end, bracket, known_ends)
        if span is None or _is_cited(mentions, span, bracket.end) or _is_place(mentions, span):
            continue
        name = page.chunk[slice(*span)]
        if mentions.titles.knows(name) or not (
            never_title(name, dated=bracket.year is not None) or announces(name, page.cues)
        ):
            mentions.add_name(line, span, year=bracket.year, reach=bracket.end)


def defined_mentions(mentions: Mentions, line: Line) -> None:
    """Add "Alien is a 1979 film ...", "Alien, a 1979 film ...", X是1999年的电影."""
    chunk, cues = mentions.page.chunk, mentions.page.cues
    for pattern in (_DEFINES, _APPOSED):
        for match in pattern.finditer(chunk, line.body, line.end):
            noun = _HEAD_NOUN_ENDS.split(match["what"], maxsplit=1)[0].rstrip()
            own, other = ends_with(cues.words, noun), ends_with(cues.others, noun)
            if not (own or other) or cue("around.persons").match(match["what"][len(noun) :].lstrip()):
                continue
            end = _before_brackets(chunk, line.body, match.start())
            span = run_before(chunk, mentions.last_taken(line.body, end), end, whole=False)
            year = year_in_words(noun)
            if span is not None and _is_definition(mentions, line, span, year, apposed=pattern is _APPOSED):
                owns = pattern is _DEFINES and span[0] == line.body and own
                mentions.add(Mention(start=span[0], end=span[1], reach=end, year=year, owns=owns, other=not own))
    match_cjk = _DEFINES_CJK.match(chunk, line.body, line.end)
    year = year_in_words(match_cjk["what"]) if match_cjk and cues.words.search(match_cjk["what"]) else None
    span = trimmed(chunk, *match_cjk.span("name")) if match_cjk and year else None
    if span is not None and has_cjk(chunk[slice(*span)]) and not never_title(chunk[slice(*span)]):
        mentions.add(Mention(start=span[0], end=span[1], reach=span[1], year=year, owns=True))


def lone_mentions(mentions: Mentions, line: Line) -> None:
    """Add a sentence of a post that is nothing but a title: "The Trouble with Harry. It is ...", "Mr. Holmes! ..."."""
    chunk = mentions.page.chunk
    if line.heading or not mentions.page.speaks:
        return
    for number, (start, end) in enumerate(line.sentences):
        comma = chunk.find(", and ", start, min(end, start + _LONGEST_POST)) if number == 0 else -1
        span = trimmed(chunk, start, end if comma < 0 else comma)
        name = chunk[slice(*span)].rstrip(".!?…") if span else ""
        if span is None or not name or len(name) > _LONGEST_POST:
            continue
        person = len(name.split()) == 2 and person_like(name)
        listed = announces(name, mentions.page.cues)
        shaped = sum(map(is_capital, name.split())) > 1 and title_like(name)
        if shaped and not person and not listed and not never_title(name):
            mentions.add_name(line, (span[0], span[0] + len(name)))


def called_mentions(mentions: Mentions, line: Line) -> None:
    """Add names that people tell each other to read or watch, and those right after the word for an item."""
    chunk, cues = mentions.page.chunk, mentions.page.cues
    for verb in cue("around.verbs").finditer(chunk, line.body, line.end):
        place = verb.end()
        while span := run_after(chunk, place + 1, line.end):
            if not _link_text(chunk, span) or not _add(mentions, line, span):
                break
            joined = JOINED.match(chunk, span[1])
            place = joined.end() - 1 if joined and joined.end() > span[1] else line.end
    for noun in cues.words.finditer(chunk, line.body, line.end):
        calls = cue("around.calls").match(chunk, noun.end() + 1)
        span = run_after(chunk, (calls.end() if calls else noun.end()) + 1, line.end)
        if span is None or chunk[noun.end()] != " ":
            continue
        named = calls is not None and calls[0].casefold() not in ("is", "was") and chunk[calls.end()] == " "
        if named or (calls is None and _link_text(chunk, span)) or year_before(chunk, span[0], cues) is not None:
            _add(mentions, line, span)


def _title_before(
    mentions: Mentions, line: Line, end: int, bracket: Bracket, known_ends: dict[int, int]
) -> Span | None:
    """The title that ends where its brackets begin."""
    chunk = mentions.page.chunk
    low, rest, head = mentions.last_taken(line.body, end), chunk[bracket.end : line.end], chunk[line.body : end]
    whole = low == line.body and is_set_off(line, rest) and (title_like(head) or _sentence_case(line, head, rest))
    if whole:
        label, colon, name = head.partition(":")
        span = trimmed(chunk, end - len(name) if colon and is_line(label, "labels.picks") else line.body, end)
        if span is None or has_cjk(head):
            return span
        return without_maker(chunk, without_surname(chunk, without_author(mentions, line, span)))
    run = cjk_before(chunk, low, end) if has_cjk(chunk[end - 1 : end]) else run_before(chunk, low, end, whole=False)
    if run and not has_cjk(chunk[slice(*run)]):
        begins = run[0] in (line.body, mentions.sentence(run[0])[0])
        longer = with_earlier_part(mentions, low, run)
        run = longer if longer != run else without_opener(chunk, run, rest, begins=begins)
        run = without_maker(chunk, without_surname(chunk, without_setting(chunk, run)))
    if run is None or chunk[slice(*run)].isdigit():
        run = _small_letters(mentions, low, end) or run
    start = known_ends.get(end, -1)
    if start >= low and (run is None or start <= run[0] or mentions.titles.knows(chunk[start:end], bracket.year)):
        return start, end
    return run


def _small_letters(mentions: Mentions, low: int, end: int) -> Span | None:
    """A title before its year in a post without capitals: all of its sentence, or what follows "watched"."""
    chunk = mentions.page.chunk
    low = max(low, mentions.sentence(end - 1)[0], end - _LONGEST_POST)
    if any(character.isupper() for character in chunk[low:end]):
        return None
    start = max((match.end() for match in cue("around.verbs").finditer(chunk, low, end)), default=low)
    span = trimmed(chunk, start, end)
    return span if span and len(chunk[slice(*span)].split()) <= 6 and chunk[span[0]].isalpha() else None


def _sentence_case(line: Line, head: str, rest: str) -> bool:
    """Whether a list line starts with a title of which only the first word has a capital ("The thing (1982)")."""
    parts = head.split()
    if not 0 < len(parts) <= 8 or not (line.mark or not rest.strip()) or ":" in head:
        return False
    opener = parts[0].casefold() in words("names.openers") | _ANAPHORS
    plain = not any(part.casefold() in words("around.verbs_of_being") for part in parts)
    return is_capital(parts[0]) and plain and not opener


def _is_cited(mentions: Mentions, span: Span, reach: int) -> bool:
    """Whether a short name with a year is an author of a study ("Keller (2009) argues")."""
    chunk = mentions.page.chunk
    short = len(chunk[slice(*span)].split()) < 4
    return short and cue("names.scholarly").match(chunk[reach : reach + 30].lstrip()) is not None


def _is_place(mentions: Mentions, span: Span) -> bool:
    """Whether one word with a year is rather where and when something was ("in Leipzig (2011)")."""
    chunk = mentions.page.chunk
    start, end = mentions.sentence(span[0])
    name, before = chunk[slice(*span)], chunk[max(start, span[0] - 6) : span[0]].split()
    if " " in name or not before or before[-1] not in ("in", "at", "from"):
        return False
    told = mentions.page.cues.speaks.search(chunk, start, end) is not None or chunk.count(name) > 1
    return not told and not mentions.titles.knows(name)


def _is_definition(mentions: Mentions, line: Line, span: Span, year: int | None, *, apposed: bool) -> bool:
    """Whether a name that is said to be a film is one: no pronoun, and without a year a name of several words."""
    name = mentions.page.chunk[slice(*span)]
    if never_title(name) or name.casefold() in words("names.function_words"):
        return False
    if name.split()[0].casefold() in _ANAPHORS:
        return False
    begins = span[0] in (line.body, mentions.sentence(span[0])[0])
    return year is not None or (" " in name and begins and not (apposed and person_like(name)))


def _before_brackets(chunk: str, low: int, end: int) -> int:
    """Where a name ends that is followed by brackets of any content (an original title)."""
    if chunk[end - 1 : end] not in (")", "）"):
        return end
    low = max(low, end - 200)
    opened = max(chunk.rfind("(", low, end), chunk.rfind("（", low, end))
    return stripped(chunk, low, opened) if opened > low else end


def _link_text(chunk: str, span: Span) -> bool:
    """Whether words with capitals are rather a title than a person or a place: an article, small words, or many."""
    name = chunk[slice(*span)]
    parts = name.split()
    sure = (
        parts[0] in ("The", "A", "An")
        or parts[0].endswith(("'s", "’s"))
        or any(is_small(part) for part in parts[1:])
        or len(parts) > 2
    )
    return len(parts) > 1 and sure and not person_like(name) and not chunk.startswith(("'s", "’s"), span[1])


def _add(mentions: Mentions, line: Line, span: Span) -> bool:
    name = mentions.page.chunk[slice(*span)]
    return not never_title(name) and not announces(name, mentions.page.cues) and mentions.add_name(line, span)

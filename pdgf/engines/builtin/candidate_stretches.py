"""Which sentences of a chunk speak of which of its items: from a mention to the next, under a heading to the next."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pdgf.engines.builtin.candidate_cues import cue
from pdgf.engines.builtin.candidate_lines import Line, Page, Span, announces
from pdgf.engines.builtin.candidate_mentions import Mention, Mentions
from pdgf.engines.builtin.candidate_shapes import has_cjk

TOGETHER = 4  # items named in one breath that share what is said of them; a longer row is a list of names
TAIL = 20  # characters after the name of a list line from which the line itself says something
_PARAGRAPH = 90  # characters from which a line under another is a paragraph under a heading

_BETWEEN = re.compile(
    r"[\s,，、/&;]{0,3}(?:(?:and|or|both|plus|as well as|和|与|及|跟|以及)\s{0,2})?(?:the\s)?[“\"‘«《『〈*_(\[]{0,2}"
)
_LEADS = re.compile(r"(?:[\s,;，、；“\"‘«《『〈(\[–—-]|\b(?:and|but|while|whereas|or)\b|[而但和与]){1,12}$")
_LEAD = 24  # characters before a name in which the words that lead to it stand


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A sentence, or the part of one, that speaks of an item: its span and the number of its line."""

    start: int
    end: int
    line: int


@dataclass(kw_only=True)
class Stretch:
    """What one line says of an item from one mention of it, or of its heading, to the next mention of any."""

    mention: Mention
    pieces: list[Piece] = field(default_factory=list)


def stretches(mentions: Mentions, judged: Sequence[Mention]) -> list[Stretch]:
    """The text about each item, in order. `judged` are all mentions; those that only refer to an item end nothing.

    Neighbouring list lines that say something themselves own no line below them.
    """
    page, lines = mentions.page, mentions.lines
    found: list[Stretch] = []
    named = [mention for mention in judged if not mention.refers]
    section: Mention | None = None
    local: Mention | None = None
    tailed: list[bool] = [False, False]  # of the lines so far: a list line that says something itself
    place = 0
    for number, line in enumerate(lines):
        here: list[Mention] = []
        while place < len(named) and named[place].start < line.end:
            here.append(named[place])
            place += 1
        owner = next((mention for mention in here if mention.owns), None)
        if owner is not None:
            section = local = owner
        else:
            listed = all(tailed[-2:]) and not _continues(page, line)
            if listed or line.start in mentions.breaks or _ends_section(mentions, number, section, here):
                section = local = None
            local = section or (local if local and _continues(page, line) else None)
        tailed.append(owner is not None and line.end - owner.reach > TAIL)
        if line.start in mentions.values:
            continue
        for start, end, inside in _sentences(line, here):
            for mention, (left, right) in _pieces(page, start, end, inside, local):
                last = found[-1] if found else None
                if last is None or last.mention is not mention or inside or last.pieces[-1].line != number:
                    last = Stretch(mention=mention)
                    found.append(last)
                last.pieces.append(Piece(start=left, end=right, line=number))
            if inside:
                local = section if section and section not in inside else inside[-1]
    return found


def _sentences(line: Line, mentions: Sequence[Mention]) -> list[tuple[int, int, list[Mention]]]:
    """The sentences of a line with the mentions in each; one that would cut a name goes on to the next end."""
    found: list[tuple[int, int, list[Mention]]] = []
    place = 0
    begun: int | None = None
    for start, end in line.sentences:
        begun = start if begun is None else begun
        after = place
        while after < len(mentions) and mentions[after].start < end:
            after += 1
        if after > place and mentions[after - 1].reach > end:
            continue
        found.append((begun, end, list(mentions[place:after])))
        place, begun = after, None
    return found


def _pieces(
    page: Page, start: int, end: int, inside: Sequence[Mention], local: Mention | None
) -> list[tuple[Mention, Span]]:
    """Whom a sentence speaks of: the item before it, the one item it names, or several in parts or together."""
    if not inside:
        return [(local, (start, end))] if local is not None else []
    groups: list[list[Mention]] = [[inside[0]]]
    for mention in inside[1:]:
        if _BETWEEN.fullmatch(page.chunk, groups[-1][-1].reach, mention.start):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    found: list[tuple[Mention, Span]] = []
    for number, group in enumerate(groups):
        left = start if number == 0 else group[0].start
        right = end
        if number + 1 < len(groups):
            right = groups[number + 1][0].start
            lead = _LEADS.search(page.chunk, max(left, right - _LEAD), right)
            right = max(group[-1].reach, lead.start() if lead else right)
        if len(group) <= TOGETHER:
            found += [(mention, (left, right)) for mention in group]
    return found


def _ends_section(mentions: Mentions, number: int, section: Mention | None, here: Sequence[Mention]) -> bool:
    """Whether a line ends what its heading's title has been told about: a closing heading, in a list any other one."""
    page, line = mentions.page, mentions.lines[number]
    if line.part in ("ends", "links"):
        return True
    if section is None or here or line.part == "inside" or line.mark or not (page.lists_items and line.heading):
        return False
    text = page.text(line)
    over = any(not other.heading and other.end - other.start > _PARAGRAPH for other in mentions.lines[number + 1 :][:1])
    several = len(text) > 3 if has_cjk(text) else " " in text
    return announces(text, page.cues) or (over and several and text[0].isalpha() and text[-1].isalnum())


def _continues(page: Page, line: Line) -> bool:
    """Whether a paragraph goes on about what the one before it named ("It ...", "The film ...", 这部...)."""
    return not line.mark and cue("around.continues").match(page.chunk, line.body, line.end) is not None

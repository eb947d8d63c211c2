"""The mentions of items in a chunk: where, of which year, whether the lines below are about the item too.

Sources add what they see, sure ones first; a place belongs to the first that takes it, so that a weaker source never
cuts a name that a stronger one has read.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pdgf.engines.builtin.candidate_cues import cue, is_line
from pdgf.engines.builtin.candidate_lines import Line, Page, Span
from pdgf.engines.builtin.candidate_years import year_after, year_before
from pdgf.engines.builtin.title_index import TitleIndex

JOINED = re.compile(r"[\s,，、/&]{0,3}(?:(?:and|or|和|与|及|跟)\s?)?[“\"‘《『*_]?")  # between names in one breath
_OPENING = "“\"'‘«《『〈「*_([ "
_SET_OFF = re.compile(r"\s?[:：]\s|\s[–—-]\s|——")
_SEPARATED = re.compile(r"\s{0,2}(?:[-–—:：|,，(（·]|by\s[A-Z]|$)")
_LEADS = re.compile(r"\s(?:the|both|either|a|an|film|movie|book|novel|电影|小说|动画)$")
_READ_AGAIN = 160  # characters of a paragraph after which a list of links is over


@dataclass(frozen=True, kw_only=True)
class Mention:
    """A place where an item is named: offsets of the name, the end of its brackets or marks, the year stated there.

    `owns`: the lines below are about it too (a heading, a list line, a row). `refers`: the sentence only points at it.
    `other`: the sentence is about it, but it is of another kind (the book behind a film).
    """

    start: int
    end: int
    reach: int
    year: int | None = None
    owns: bool = False
    refers: bool = False
    other: bool = False


class Mentions:
    """The mentions found so far in the lines of a page that are read.

    `breaks` are starts of lines at which a table ends, `values` those of cells that tell nothing of an item's nature,
    `told` the columns of a row with its cells, by the start of its title cell.
    """

    def __init__(self, page: Page, titles: TitleIndex) -> None:
        self.page, self.titles = page, titles
        self.lines = tuple(_outside_links(page))
        self.breaks: set[int] = set()
        self.values: set[int] = set()
        self.told: dict[int, tuple[tuple[str, str], ...]] = {}
        self._found: dict[int, Mention] = {}
        self._of_the_site: dict[Span, bool] = {}
        self._taken = bytearray(len(page.chunk))
        self._sentences = [span for line in page.lines for span in line.sentences]
        self._starts = [start for start, _ in self._sentences]
        self._lines = [line.start for line in self.lines]

    def add(self, mention: Mention) -> bool:
        """Take a place for a mention, unless some of it is taken or its sentence belongs to the site."""
        if not self.free(mention.start, mention.reach) or self._is_of_the_site(self.sentence(mention.start)):
            return False
        self._taken[mention.start : mention.reach] = b"\1" * (mention.reach - mention.start)
        self._found[mention.start] = mention
        return True

    def add_name(
        self, line: Line, span: Span, *, year: int | None = None, reach: int | None = None, owns: bool = False
    ) -> bool:
        """Add a name of a line with the year that it or the words beside it state, `reach` the end of its brackets."""
        chunk, end = self.page.chunk, span[1] if reach is None else reach
        if year is None:
            year = year_after(chunk, end) or year_before(chunk, span[0], self.page.cues)
        owns = owns or opens_line(self.page, line, span[0], end)
        return self.add(Mention(start=span[0], end=span[1], reach=max(end, span[1]), year=year, owns=owns))

    def change(self, mention: Mention) -> None:
        """Put a mention in the place of the one that starts where it does."""
        self._found[mention.start] = mention

    def free(self, start: int, end: int) -> bool:
        """Whether no mention has a character of a span."""
        return self._taken.find(1, start, end) == -1

    def first_in(self, start: int, end: int) -> Mention | None:
        """The first mention that starts within a span."""
        place = self._taken.find(1, start, end)
        return self._found.get(place) if place >= 0 else None

    def last_taken(self, low: int, end: int) -> int:
        """Where the last mention between two places ends, `low` where there is none."""
        return max(low, self._taken.rfind(1, low, end) + 1)

    def without_names(self, start: int, end: int) -> str:
        """The text of a span with every mention, its brackets and marks as spaces."""
        taken = self._taken[start:end]
        return "".join(
            " " if hidden else letter for letter, hidden in zip(self.page.chunk[start:end], taken, strict=True)
        )

    def sentence(self, place: int) -> Span:
        """The sentence in which a place lies."""
        return self._sentences[max(0, bisect_right(self._starts, place) - 1)]

    def _is_of_the_site(self, sentence: Span) -> bool:
        if sentence not in self._of_the_site:
            self._of_the_site[sentence] = cue("unread.boilerplate").search(self.page.chunk, *sentence) is not None
        return self._of_the_site[sentence]

    def line_of(self, start: int, end: int) -> int | None:
        """The number of the line that holds a span, None where no line that is read does."""
        number = bisect_right(self._lines, start) - 1
        return number if number >= 0 and end <= self.lines[number].end else None

    def found(self) -> list[Mention]:
        """The mentions in order."""
        return [self._found[start] for start in sorted(self._found)]

    def judged(self) -> list[Mention]:
        """The mentions in order, those marked that only refer to an item."""
        judged: list[Mention] = []
        for mention in self.found():
            if not mention.owns:
                refers = mention.refers or _refers(self, mention, judged[-1] if judged else None)
                mention = replace(mention, refers=refers and not mention.other)
            judged.append(mention)
        return judged


def opens_line(page: Page, line: Line, start: int, reach: int) -> bool:
    """Whether a name is what a list line, a heading or a cell is about: it comes first and is set off."""
    return not page.chunk[line.body : start].strip(_OPENING) and is_set_off(line, page.chunk[reach : line.end])


def is_set_off(line: Line, rest: str) -> bool:
    """Whether what stands at the start of a line is set off from the rest of it: by a list mark, a colon, a dash, or in
    a heading by any separator or a word such as "review"."""
    if line.mark or _SET_OFF.match(rest):
        return True
    announced = is_line(rest, "lines.inside") or cue("labels.picks").match(rest.strip()) is not None
    return line.heading and (announced or _SEPARATED.match(rest) is not None)


def ends_with(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the last match of a pattern in a text ends where the text does."""
    return any(match.end() == len(text) for match in pattern.finditer(text))


def _refers(mentions: Mentions, mention: Mention, before: Mention | None) -> bool:
    """Whether the words before or after a name make it only a point of comparison."""
    chunk = mentions.page.chunk
    start = mentions.sentence(mention.start)[0]
    beside = before is not None and before.refers and before.reach > start
    if before is not None and beside and JOINED.fullmatch(chunk, before.reach, mention.start):
        return True
    lead = _LEADS.sub("", chunk[max(start, mention.start - 40) : mention.start].rstrip(_OPENING))
    if ends_with(cue("refers.before"), lead) or cue("refers.after").match(chunk, mention.reach):
        return True
    liked = ends_with(cue("refers.liked"), lead)
    return liked and cue("refers.conditions").search(chunk, start, mention.start) is not None


def _outside_links(page: Page) -> Iterator[Line]:
    """The lines that are read: not those of the site, no orders, none under a heading over links up to a paragraph."""
    reading = True
    for line in page.lines:
        if line.part == "links":
            reading = False
        elif not reading and line.end - line.start >= _READ_AGAIN and not line.heading:
            reading = True
        if reading and line.part not in ("chrome", "order"):
            yield line

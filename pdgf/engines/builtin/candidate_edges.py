"""Where a title in running text begins, when capitals alone do not tell: "Murder, She Said", "the Paris of Amélie".

A title is longer than its last run of capitals where a comma, an exclamation or a question is part of it, and shorter
where a place, a maker or an author stands right before it.
"""

import re
from functools import lru_cache

from pdgf.engines.builtin.candidate_cues import words
from pdgf.engines.builtin.candidate_lines import Line, Span
from pdgf.engines.builtin.candidate_mentions import Mentions
from pdgf.engines.builtin.candidate_shapes import REACH, is_abbreviation, never_title, person_like, run_before, stripped

_LONGEST_PART = 5  # words before a comma of a title
_SETTING = re.compile(r"\s(?:of|in)\s(?=(?P<article>(?:The|An?)\s)?[A-Z0-9])")
_DETERMINED = re.compile(r"\b(?:the|a|that|this|its|his|her|their|whose)\s(?:[a-z-]{2,20}\s){0,2}$")
_SURNAME = re.compile(r"(?P<name>[A-Z][\w-]{2,20})(?:['’]s|(?<=s)['’])\s(?=[A-Z0-9])")
_DESCRIBES = re.compile(r"\w{2,20}(?:ly|ous|ful|ing|ive|less|able|ible|ic)")
_SMALL_WORD = re.compile(r"[a-z][a-z’'-]{0,20}")
_INNER = frozenset({"in", "of", "from", "at", "by", "with", "for"})
_LEAD = 40  # characters before a part of a title


def with_earlier_part(mentions: Mentions, low: int, span: Span) -> Span:
    """A run of capitals with the part of its title that a comma, `!` or `?` separates from it."""
    chunk = mentions.page.chunk
    start, end = span
    while low < start and end - start < REACH:
        mark = stripped(chunk, low, start)
        if mark == start or mark - 1 <= low:
            break
        part = _earlier(mentions, low, mark, (start, end))
        if part is None:
            break
        start = part
    return start, end


def without_setting(chunk: str, span: Span) -> Span:
    """A title without the place in which it is set: "the New Mexico of The Vast of Night", "Japan in Lost in ..."."""
    start, end = span
    for match in _SETTING.finditer(chunk, start, end):
        left = chunk[start : match.start()].casefold()
        place = any(left == name or left.endswith(f" {name}") for name in _last_words(left) & words("names.places"))
        told = (
            match["article"]
            and chunk[match.start() + 1] == "o"
            and _DETERMINED.search(chunk, max(0, start - 50), start)
        )
        if (place or told) and chunk.count(chunk[start:end]) == 1:
            return match.end(), end
    return span


def without_surname(chunk: str, span: Span) -> Span:
    """A title without the name of its maker, whom the chunk names in full elsewhere: "Kurosawa's Ikiru"."""
    owner = _SURNAME.match(chunk, *span)
    return span if owner is None or not _is_maker(chunk, owner["name"]) else (owner.end(), span[1])


def without_author(mentions: Mentions, line: Line, span: Span) -> Span:
    """The title of a line that begins with a person, on a page whose lines all do: "Toni Morrison – Beloved (1987)"."""
    page = mentions.page
    head = page.makers.get(line.start)
    return (head, span[1]) if head is not None and span[0] < head < span[1] else span


def _earlier(mentions: Mentions, low: int, mark: int, span: Span) -> int | None:
    """Where the part before a mark begins, None where it is no part of the title."""
    chunk, kind = mentions.page.chunk, mentions.page.chunk[mark - 1]
    name = run_before(chunk, low, mark - 1 if kind == "," else mark, whole=False) if kind in ",!?" else None
    part = chunk[name[0] : mark - 1].strip() if name is not None else ""
    if name is None or not part or not mentions.free(name[0], mark):
        return None
    right = chunk[slice(*span)]
    lead = chunk[max(low, name[0] - _LEAD) : name[0]]
    last = lead.split()[-1] if lead.strip() else ""
    if kind != ",":
        again = part.split()[-1].rstrip("!?") == right.split()[0].rstrip("!?")
        object_of = " " in part and " " in right and _SMALL_WORD.fullmatch(last) is not None
        return name[0] if again or object_of else None
    begins = name[0] in (mentions.sentence(name[0])[0], low)
    if _only_leads(part, begins=begins) or mentions.titles.knows(part):
        return None
    in_row = low > mentions.sentence(name[0])[0] and not lead.strip(" ,;")  # of titles, each with its year
    if begins or in_row or part == right or chunk.count(f"{part}, {right}") > 1:
        return name[0]
    person = person_like(part) and last in words("names.before_persons")
    fits = _SMALL_WORD.fullmatch(last) is not None and last not in _INNER and not person
    return name[0] if fits else None


def _only_leads(part: str, *, begins: bool) -> bool:
    """Whether words before a comma only lead to a title: an adverb, a preposition with its place, a day, a person."""
    parts = part.casefold().split()
    if len(parts) > _LONGEST_PART or never_title(part) or part.casefold() in words("names.leads"):
        return True
    if any(small in _INNER for small in parts[1:]) or is_abbreviation(part):
        return True
    opens = begins and parts[0] in (words("names.openers") | words("names.leads")) - {
        "what",
        "who",
        "where",
        "when",
        "how",
    }
    return opens or (begins and len(parts) == 1 and _DESCRIBES.fullmatch(part) is not None)


@lru_cache(maxsize=256)  # a text may name one maker before each of its titles
def _is_maker(chunk: str, surname: str) -> bool:
    """Whether a text has a surname with a first name before it, or after "by"."""
    full = re.compile(rf"(?P<first>[A-Z][\w.-]{{1,20}}|\b(?:by|director|author))\s{re.escape(surname)}\b(?!['’]s)")
    return any(
        m["first"].casefold() not in words("names.openers") - {"by", "director", "author"} | {"the"}
        for m in full.finditer(chunk)
    )


def _last_words(text: str) -> set[str]:
    parts = text.split()
    return {" ".join(parts[-count:]) for count in (1, 2) if len(parts) >= count}

"""Items by the names that stand for them: titles whole, shortened, misspelt or in another language (METHOD 9.6). Pure.

Titles that several items bear are told apart by a year; where nothing tells them apart, all of them are candidates.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rapidfuzz import fuzz

from dialogue.models import ItemRef
from dialogue.spans import Span, overlaps
from pdgf.identity import name_key
from pdgf.models import Metadata

TYPO_RATIO = 85.0  # of 100: two slips in a title of a dozen letters
TYPO_LETTERS = 5  # shorter names are too easily something else
PARTIAL_LETTERS = 4  # letters of a word of a title that may stand for it
PARTIAL_TITLE = 8  # letters of the first words of a title in another language that may stand for it

Named = tuple[Span, tuple[ItemRef, ...]]

_WORD = re.compile(r"\w+(?:['’&.-]\w+)*")
_COMMON = frozenset({"the", "and", "with", "from", "house", "room", "place", "cafe", "kitchen", "little", "great"})
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ARTICLE = re.compile(r"^(?:the|an?|la|le|el|il)\s+")
_YEAR_AFTER = re.compile(r"\s*(?:,?\s*(?:from|of|the one from|made in)\s+)?\(?((?:18|19|20)\d\d)\b\)?")
_YEAR_BEFORE = re.compile(r"\b(?:the\s+)?((?:18|19|20)\d\d)\s+(?:version of\s+)?$")
_NEWER = re.compile(
    r"\b(?:newer|newest|latest|recent|remake|new|modern)\s+(?:version of\s+|one of\s+)?$", re.IGNORECASE
)
_OLDER = re.compile(r"\b(?:older|oldest|original|earlier|first|old|classic)\s+(?:version of\s+)?$", re.IGNORECASE)


def masked(text: str, items: Iterable[ItemRef]) -> str:
    """The text with every whole title of an item, as it is written, as one word that says nothing, at the same places:
    what stands in a title ("It's a Wonderful Life", "Where Is the Friend's House?") is not what the text says. A title
    of one plain word ("Up") may be the word itself."""
    titles = {item.title for item in items if not item.title.isalnum()}
    for title in sorted(titles, key=len, reverse=True):
        whole = rf"(?<!\w){re.escape(title)}(?!\w)"
        text = re.sub(whole, lambda found: f"X{'x' * (len(found[0]) - 1)}", text)
    return text


def named(text: str, items: Sequence[ItemRef], known: Mapping[str, Metadata]) -> list[Named]:
    """Where the text names an item, each with those it may be: one, or several that bear one name."""
    words = [(match.span(), match[0]) for match in _WORD.finditer(text)]
    found: list[Named] = []
    for group in _namesakes(items):
        item = group[0]
        others = [other for other in items if other not in group]
        span = (
            _whole_title(text, words, item)
            or _other_title(text, words, known.get(item.id, {}))
            or _short_or_misspelt(text, words, item, others)
        )
        if span and not any(overlaps(span, other) for other, _ in found):
            found.append(_of_its_year(text, span, group))
    return found


def folded(words: str) -> str:
    """Words for comparison over ways of writing long vowels: no accents, "ou" and "oo" as "o", "uu" as "u"."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", words.casefold()) if not unicodedata.combining(c))
    return re.sub(r"ou|oo", "o", bare).replace("uu", "u")


def _namesakes(items: Sequence[ItemRef]) -> list[tuple[ItemRef, ...]]:
    groups: dict[str, list[ItemRef]] = {}
    for item in dict.fromkeys(items):
        groups.setdefault(name_key(item.title), []).append(item)
    return [tuple(group) for group in groups.values()]


def _of_its_year(text: str, span: Span, group: tuple[ItemRef, ...]) -> Named:
    """The name with those of its bearers that the words around it leave: a year, "the newer", "the original"."""
    after, before = _YEAR_AFTER.match(text, span[1]), _YEAR_BEFORE.search(text, 0, span[0])
    year = after or before
    if year and any(item.year == int(year[1]) for item in group):
        group = tuple(item for item in group if item.year == int(year[1]))
        return (min(span[0], year.start()), max(span[1], year.end())), group
    years = sorted({item.year for item in group if item.year is not None})
    for pattern, wanted in ((_NEWER, years[-1:]), (_OLDER, years[:1])):
        match = pattern.search(text, 0, span[0])
        if match and len(group) > 1 and wanted:
            return (match.start(), span[1]), tuple(item for item in group if item.year in wanted)
    return span, group


def _runs(words: Sequence[tuple[Span, str]], size: int) -> list[Span]:
    return [(words[i][0][0], words[i + size - 1][0][1]) for i in range(len(words) - size + 1)] if size > 0 else []


def _whole_title(text: str, words: Sequence[tuple[Span, str]], item: ItemRef) -> Span | None:
    key, length = name_key(item.title), len(item.title.split())
    for span in (span for size in (length, length - 1, length + 1) for span in _runs(words, size)):
        if name_key(text[slice(*span)]) == key and (len(key) > 3 or text[span[0]].isupper()):
            return span
    return None


def _other_title(text: str, words: Sequence[tuple[Span, str]], metadata: Metadata) -> Span | None:
    """A title in another language: as it stands where it is of a script without spaces; else whole, its first words,
    or with another way of writing its long vowels."""
    given = metadata.get("other_titles")
    for title in [str(entry) for entry in given] if isinstance(given, list) else []:
        if _CJK.search(title):
            place = text.find(title)
            if place >= 0 and len(title) > 1:
                return place, place + len(title)
        elif span := next(_written_like(text, words, title), None):
            return span
    return None


def _written_like(text: str, words: Sequence[tuple[Span, str]], title: str) -> Iterator[Span]:
    parts = [folded(match[0]) for match in _WORD.finditer(title)]
    for size in range(len(parts), 0, -1):
        wanted = " ".join(parts[:size])
        if len(wanted) < PARTIAL_TITLE or (size == 1 and len(parts) > 1):
            return
        for span in _runs(words, size):
            if fuzz.ratio(" ".join(_WORD.findall(folded(text[slice(*span)]))), wanted) >= TYPO_RATIO:
                yield span


def _short_or_misspelt(
    text: str, words: Sequence[tuple[Span, str]], item: ItemRef, others: Sequence[ItemRef]
) -> Span | None:
    """A word that stands for the title, or the whole title with a slip: one of its words may be right all the same."""
    word, whole = _own_word(words, item, others), _misspelt(text, words, item)
    return whole if word is None or (whole and overlaps(word, whole)) else word


def _own_word(words: Sequence[tuple[Span, str]], item: ItemRef, others: Sequence[ItemRef]) -> Span | None:
    """A capitalised word of the title that no other title has ("the Lantern" for "The Lantern Room")."""
    taken = {word for other in others for word in _title_words(other)}
    own = {word for word in _title_words(item) if len(word) >= PARTIAL_LETTERS} - taken - _COMMON
    return next((span for span, word in words if word[0].isupper() and word.casefold() in own), None)


def _title_words(item: ItemRef) -> list[str]:
    return re.findall(r"\w+", item.title.casefold())


def _misspelt(text: str, words: Sequence[tuple[Span, str]], item: ItemRef) -> Span | None:
    title = item.title.casefold()
    wanted = {len(name.split()): name for name in (_ARTICLE.sub("", title), title) if len(name) >= TYPO_LETTERS}
    runs = [(name, span) for size, name in wanted.items() for span in _runs(words, size)]
    rated = ((fuzz.ratio(text[slice(*span)].casefold(), name), span) for name, span in runs)
    best = max(rated, key=lambda run: run[0], default=(0.0, None))
    return best[1] if best[0] >= TYPO_RATIO else None

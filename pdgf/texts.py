"""Text from outside made safe and cut into pieces: cleaning, sentences, passages.

The index embeds the sentences found here and a relation judge that splits x_{v,i} with the same `sentences` meets
only texts whose vectors are known already. Pure and deterministic.
"""

import re
from collections.abc import Iterator

PASSAGE_SENTENCES = 3  # what a reader takes in as one remark
PASSAGE_CHARS = 500  # about 110 tokens, well inside the 256 that the packaged encoder reads
SENTENCE_CHARS = 500  # a "sentence" longer than that is a text without full stops

_LINE_BREAKS = re.compile(r"\r\n?|[\x85\u2028\u2029]")
# Controls other than tab and newline, and marks that are invisible or turn the reading direction.
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_SENTENCE_END = re.compile(r"""(?P<latin>[.!?…]+["'”’)\]]*)(?=\s)|(?P<cjk>[。！？]+["”’」』）]*)|(?P<line>\s*\n\s*)""")
_LAST_WORD = re.compile(r"[\w.&]{1,40}$")  # bounded: a long run without a space would be read again and again
_ABBREVIATIONS = frozenset(
    ["mr", "mrs", "ms", "dr", "prof", "st", "mt", "rev", "sr", "jr", "vs", "cf", "approx", "ca", "e.g", "i.e"]
)
_BEFORE_NUMBERS = frozenset(["no", "nos", "vol", "pt", "fig", "ch", "p", "pp"])
_BEFORE_SMALL_LETTERS = frozenset(["etc", "al", "min", "max", "est", "inc", "co"])


def clean(text: str) -> str:
    """The visible text: control characters, direction marks and unpaired surrogates gone, ends stripped."""
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return _UNSEEN.sub("", _LINE_BREAKS.sub("\n", paired)).strip()


def collapsed(text: str) -> str:
    """The text with every run of white space as one space."""
    return " ".join(text.split())


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text in order, white space collapsed; a line break ends a sentence. Empty in, empty out."""
    return tuple(text_of_span for start, end in _spans(text) if (text_of_span := collapsed(text[start:end])))


def passages(text: str) -> tuple[str, ...]:
    """Consecutive sentences of a text, at most PASSAGE_SENTENCES and about PASSAGE_CHARS characters each.

    Each passage is contiguous in the text, white space aside, and all of them together are the whole text.
    """
    found: list[str] = []
    group: list[tuple[int, int]] = []
    for start, end in _spans(text):
        if group and (len(group) == PASSAGE_SENTENCES or end - group[0][0] > PASSAGE_CHARS):
            found.append(collapsed(text[group[0][0] : group[-1][1]]))
            group = []
        group.append((start, end))
    if group:
        found.append(collapsed(text[group[0][0] : group[-1][1]]))
    return tuple(found)


def cut_at_sentence(text: str, limit: int) -> str:
    """The longest prefix of whole sentences with at most `limit` characters; empty if the first is too long."""
    if len(text) <= limit:
        return text
    kept = 0
    for _, end in _spans(text):
        if end > limit:
            break
        kept = end
    return text[:kept]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Half-open spans of the sentences, without surrounding white space, none longer than SENTENCE_CHARS."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match.group("latin") and not _ends_sentence(text, start, match):
            continue
        end = match.start() if match.group("line") else match.end()
        yield from _short_spans(text, start, end)
        start = match.end()
    yield from _short_spans(text, start, len(text))


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether these stops end a sentence rather than an abbreviation, an initial or a list number."""
    if match.group().rstrip("\"'”’)]") != ".":
        return True
    last = _LAST_WORD.search(text, start, match.start())
    if last is None:
        return True
    word = last.group().casefold().strip(".")
    initial = len(word) == 1 and word.isalpha() and last.group().isupper() and word != "i"
    number_at_start = word.isdigit() and last.start() == start
    following = text[match.end() : match.end() + 8].lstrip()[:1]
    if initial or number_at_start or word in _ABBREVIATIONS or (word in _BEFORE_NUMBERS and following.isdigit()):
        return False
    return not (following.islower() and ("." in word or word in _BEFORE_SMALL_LETTERS))


def _short_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """One span stripped of white space, cut at white space (or hard) where it is too long."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > SENTENCE_CHARS:
        cut = text.rfind(" ", start + SENTENCE_CHARS // 2, start + SENTENCE_CHARS)
        cut = cut if cut > 0 else start + SENTENCE_CHARS
        yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end

"""Words that are heaped up instead of saying something (RELIABILITY LLM04): whoever writes all that anybody could wish
for into a text, again and again, says nothing of an item.

A stretch is stuffed where so many words in a row are so few different ones. Plain text comes nowhere near that. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pdgf.texts import passages, sentences

WORDS, DIFFERENT = 12, 6  # of three letters or more in a row; at most so many different ones
SIGNS, DIFFERENT_SIGNS = 24, 12  # the same for Han characters
AGAIN = 3  # different ones that come again: "good tea, good rice, good, good!" has one

_WORD = re.compile(r"[^\W\d_\u3400-\u9fff][\w'’-]{2,}")
_SIGN = re.compile(r"[\u3400-\u9fff]")
# Words that anybody needs again and again to make a sentence.
_JOINING = re.compile(
    "the|and|but|for|nor|you|your|she|her|his|him|they|them|their|its|our|was|were|are|has|had|have|not|with|from|that"
    "|this|these|those|there|who|which|what|when|where|than|then|very|too|can|will|would|could|should|all|one|about",
    re.IGNORECASE,
)


def passages_said(text: str) -> tuple[str, ...]:
    """The passages of a text as `pdgf.texts.passages` cuts them, without what is stuffed."""
    return tuple(passage for stretch in unstuffed(text) for passage in passages(stretch))


def sentences_said(text: str) -> tuple[str, ...]:
    """The sentences of a text as `pdgf.texts.sentences` cuts them, without what is stuffed."""
    return tuple(sentence for stretch in unstuffed(text) for sentence in sentences(stretch))


def unstuffed(text: str) -> Iterator[str]:
    """The stretches of a text that are not stuffed, in order; most texts are one such stretch. What is left between
    stuffed ones without a word of its own ("a", "of") is none."""
    found = _stuffed(text)
    if not found:
        if text.strip():
            yield text
        return
    end = 0
    for start, stop in [*found, (len(text), len(text))]:
        if _WORD.search(text, end, start) or _SIGN.search(text, end, start):
            yield text[end:start]
        end = stop


def _stuffed(text: str) -> list[tuple[int, int]]:
    """The stuffed stretches, in order and apart from one another."""
    words = [match for match in _WORD.finditer(text) if not _JOINING.fullmatch(match[0])]
    found = [*_heaped(words, WORDS, DIFFERENT), *_heaped(list(_SIGN.finditer(text)), SIGNS, DIFFERENT_SIGNS)]
    apart: list[tuple[int, int]] = []
    for start, stop in sorted(found):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(apart[-1][1], stop))
        else:
            apart.append((start, stop))
    return apart


def _heaped(rows: Sequence[re.Match[str]], length: int, different: int) -> Iterator[tuple[int, int]]:
    said = [row[0].casefold() for row in rows]
    for first in range(len(rows) - length + 1):
        counts = Counter(said[first : first + length])
        if len(counts) <= different and sum(count > 1 for count in counts.values()) >= AGAIN:
            yield rows[first].start(), rows[first + length - 1].end()

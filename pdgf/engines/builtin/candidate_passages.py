"""Which sentences about an item become its passages (METHOD 6.1, 12).

What a sentence says is not judged: where some must be left out, those near the preference stay, and first of them
those that speak against it.
"""

import re
from collections.abc import Callable, Sequence

from pdgf.engines.builtin.candidate_cues import CJK, cue, is_line, words
from pdgf.engines.builtin.candidate_lines import Page
from pdgf.engines.builtin.candidate_mentions import Mentions
from pdgf.engines.builtin.candidate_shapes import has_cjk, is_abbreviation, title_like
from pdgf.engines.builtin.candidate_stretches import Piece, Stretch
from pdgf.engines.builtin.findings import content_words
from pdgf.engines.builtin.lexicon import concept_mentions
from pdgf.engines.builtin.polarity import stem

SENTENCES = 5  # of one mention, or of one paragraph under a heading (METHOD 12)
ITEM_SENTENCES = 15  # of one item in one chunk: about what a judge is shown of an item (`max_evidence_chars`)
_HEADING = 12  # words below which a line over a paragraph is its heading
_PARAGRAPH = 60  # characters from which a line is a paragraph
_FEATURE = 500  # characters of f_v that are read for concepts

_WORD = re.compile(rf"(?:(?![{CJK}])[^\W\d_]){{1,40}}(?:['’-](?:(?![{CJK}])[^\W\d_]){{1,40}}){{0,3}}")
_RUN_OF_CJK = re.compile(f"[{CJK}]{{1,100}}")

Relevance = Callable[[str], tuple[bool, int]]  # (speaks against the preference, how much it has in common with it)


def passages_of(mentions: Mentions, stretch: Stretch, bears: Relevance) -> list[Piece]:
    """The sentences of one stretch that say something, at most `SENTENCES`; a line of metadata only where it bears on
    the preference."""
    chunk = mentions.page.chunk
    kept = [
        piece
        for piece in stretch.pieces
        if _says_something(text := chunk[piece.start : piece.end], mentions.without_names(piece.start, piece.end))
        or (_is_metadata(text) and bears(text)[1] > 0)
        if not _over_paragraph(mentions, piece.line)
    ]
    return chosen(mentions.page, kept, bears, SENTENCES)


def chosen(page: Page, pieces: Sequence[Piece], bears: Relevance, limit: int) -> list[Piece]:
    """At most `limit` pieces, in order: those against the preference, then those nearest to it, then the first."""
    if len(pieces) <= limit:
        return list(pieces)
    ranks = [bears(page.chunk[piece.start : piece.end]) for piece in pieces]
    order = sorted(range(len(pieces)), key=lambda n: (not ranks[n][0], -ranks[n][1], n))
    return [pieces[n] for n in sorted(order[:limit])]


def joined(page: Page, pieces: Sequence[Piece]) -> list[str]:
    """The texts of pieces in order, neighbouring sentences of one line as one passage, none twice."""
    spans: list[list[int]] = []
    for piece in sorted(set(pieces), key=lambda p: (p.start, p.end)):
        if spans and spans[-1][2] == piece.line and not page.chunk[spans[-1][1] : piece.start].strip():
            spans[-1][1] = max(spans[-1][1], piece.end)
        else:
            spans.append([piece.start, piece.end, piece.line])
    return list(dict.fromkeys(page.chunk[start:end] for start, end, _ in spans))


def relevance(feature: str) -> Relevance:
    """How a sentence bears on f_v: by its words, its pairs of Chinese characters and the concepts it names."""
    stems = {stem(word) for word in content_words(feature)}
    pairs = _pairs(feature)
    concepts = [mention.concept for mention in concept_mentions(feature[:_FEATURE])]

    def bears(sentence: str) -> tuple[bool, int]:
        common = len(stems & {stem(word) for word in content_words(sentence)}) + len(pairs & _pairs(sentence))
        common += sum(concept.asserting.search(sentence) is not None for concept in concepts)
        opposed = sum(c.denying is not None and c.denying.search(sentence) is not None for c in concepts)
        denied = common > 0 and cue("unread.denials").search(sentence) is not None
        return opposed > 0 or denied, common + opposed

    return bears


def _is_metadata(text: str) -> bool:
    """Whether a line is a bibliographic label with its value ("Running time: 96 min")."""
    label, colon, value = text.replace("：", ":").partition(":")
    return bool(colon and value.strip()) and is_line(label, "lines.columns")


def _over_paragraph(mentions: Mentions, number: int) -> bool:
    """Whether a line is a short heading over a paragraph, in which a name stands among other words."""
    line, text = mentions.lines[number], mentions.page.text(mentions.lines[number])
    short = line.heading and not line.mark and text[:1].isupper() and len(text.split()) < _HEADING
    below = mentions.lines[number + 1 : number + 2]
    return short and text[-1:].isalnum() and any(other.end - other.start > _PARAGRAPH for other in below)


def _says_something(text: str, rest: str) -> bool:
    """Whether a sentence, `rest` without the items it names, has a word of content: no name, number, label or empty
    word."""
    if cue("unread.boilerplate").search(text) or any(is_line(text, f"lines.{kind}") for kind in ("inside", "remarks")):
        return False
    if is_line(text.replace("：", ":").partition(":")[0], "lines.columns"):
        return False
    if not has_cjk(text) and text[-1:].isalnum() and title_like(text):
        return False
    bare = cue("unread.empty_cjk").sub(" ", rest)
    return _has_content(rest) or any(len(match[0]) > 1 for match in _RUN_OF_CJK.finditer(bare))


def _has_content(text: str) -> bool:
    """Whether a text in letters of an alphabet has a word that is neither a name nor empty."""
    for match in _WORD.finditer(text):
        word = match[0].casefold().replace("’", "'")
        before = text[max(0, match.start() - 12) : match.start()].split()[-1:]
        begins = not before or (before[0][-1] in ".!?:–—-" and not is_abbreviation(before[0]))
        name = match[0][0].isupper() and not begins
        if len(word) > 2 and not name and word not in words("unread.empty"):
            return True
    return False


def _pairs(text: str) -> set[str]:
    """Neighbouring pairs of Chinese or Japanese characters, the only words that need no segmentation."""
    return {run[0][n : n + 2] for run in _RUN_OF_CJK.finditer(text) for n in range(len(run[0]) - 1)}

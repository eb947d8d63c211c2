"""Answers without an LLM: the sentence of a review that speaks of the question, quoted, or "I do not know". Pure."""

import re

from dialogue import wording
from dialogue.models import Piece, QuotedSource
from dialogue.ports import Question
from pdgf.models import normalised
from pdgf.ports import ReviewHit
from pdgf.texts import sentences

SCORE = 0.45  # similarity of question and passage from which the passage answers by itself
SHARED_SCORE = 0.25  # enough when the two also share a content word

_LINE = re.compile(r"[A-Z][\w ]{0,40}: \S")  # a line of metadata, not prose
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and any are at be by can could did do does for from good got has have he her his how i if in is it its"
        " like many me more much my of on one or our she so some that the their them there these they this those to too"
        " very was we were what when where which who why will with would you your about really kind sort first second"
        " third last place film movie book restaurant anime",
    )
)


def quoted_answer(question: Question) -> Piece | None:
    """The best sentence among the nearest passages; None where none is near enough. A question without a content
    word of its own ("what is it about?") asks for a whole passage, of prose where there is one."""
    asked = content_stems(question.text) - content_stems(question.item.title)
    if not asked and question.hits:
        hit = min(question.hits, key=lambda hit: (bool(_LINE.match(hit.passage.text)), -hit.score))
        return _answer(question, hit, hit.passage.text)
    for hit in sorted(question.hits, key=lambda hit: -hit.score):
        sentence, shared = _best_sentence(hit, asked)
        if hit.score >= SCORE or (hit.score >= SHARED_SCORE and shared):
            return _answer(question, hit, sentence)
    return None


def content_stems(text: str) -> frozenset[str]:
    """The content words of a text without the endings of number, tense and manner."""
    words = re.findall(r"[^\W\d_]{2,}|\d+", normalised(text))
    content = (word for word in words if word not in _FUNCTION_WORDS)
    return frozenset(re.sub(r"(?:ing|ed|es|s|ly|y|e)$", "", word) or word for word in content)


def _best_sentence(hit: ReviewHit, asked: frozenset[str]) -> tuple[str, int]:
    """The sentence that shares most with the question, the first of equals, and how many words it shares."""
    found = sentences(hit.passage.text) or (hit.passage.text,)
    return max(((sentence, len(content_stems(sentence) & asked)) for sentence in found), key=lambda pair: pair[1])


def _answer(question: Question, hit: ReviewHit, sentence: str) -> Piece:
    source = QuotedSource(
        item=question.item.id,
        title=question.item.title,
        quote=sentence,
        source=hit.passage.source.id,
        url=hit.passage.source.url,
    )
    return Piece(text=wording.say("answer.quoted", quote=sentence), sources=(source,))

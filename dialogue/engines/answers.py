"""Answers without an LLM: the sentence of a review that speaks of the question, quoted, or "I do not know". Pure.

A sentence answers only if it shares what the question asks for: more than half of its content words, those that any
review holds ("story", "scene") aside. Nearness alone answers nothing: the nearest passage always exists.
"""

import re
from collections.abc import Iterator, Sequence

from dialogue import questions, wording
from dialogue.models import Piece, QuotedSource
from dialogue.ports import Question
from pdgf.glossary import in_english
from pdgf.models import Label, RelationLabel, normalised
from pdgf.ports import ReviewHit
from pdgf.texts import sentences

SHARED_SCORE = 0.15  # similarity of question and passage from which a shared word counts
SHARE = 0.6  # of the question's content words that a sentence must hold
LABELLED_WORDS = 2  # content words of a question that a label can be asked about

_LINE = re.compile(r"[A-Z][\w ]{0,40}: \S.*(?<![.!?])$", re.DOTALL)  # a line of metadata, not prose
_GENERAL = re.compile(r"\W*(?:(?:and|so|but|ok)\W+)*(?:what|how|tell|describe|summari[sz]e|about)\b", re.IGNORECASE)
_OF_A_PART = re.compile(r"\b(?:chapters?|episodes?|scenes?|sentences?)\b", re.IGNORECASE)  # whose end is not the end
_NEARNESS = re.compile(r"\b(?:near|nearby|close|far|next|walk|walking|around)\b", re.IGNORECASE)  # no note is a map
_AVAILABLE = re.compile(  # what can be had where changes, and no note says it
    r"^(?:on|at|via|through)\s"
    r"|\b(?:available|availability|stream(?:ing|ed)?|download\w*|for sale|in stock|in print|online|sold)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[^.!?\s] )[A-Z]\w|^[A-Z]\w")  # nearness knows no names
_DOING = re.compile(r"^(?:bring|take|come with)\s+(?:(?:along|in|my|our|a|an|the|some)\s+)*", re.IGNORECASE)
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about all also am an and any are at be been being but by can could d did do does doesn don ever first"
        " for from get give go good got had has have he her here hers him his how i if in into is isn it its just"
        " kind last like ll lot lots m many me more most much my need no not of on one or our out own place quite"
        " re really s say second she should so some sort t tell than that the their them then there these they"
        " thing think third this those to too up us ve very was way we well were what when where which while who"
        " whom why will with would you your"
        " bring brought come take"
        " bad best better nice worse worst anime book film films movie movies novel restaurant series show",
    )
)
_COMMON_STEMS = frozenset({"stor", "scen", "part", "plot", "character", "reader", "viewer", "people", "time", "work"})
_SAME = {
    **dict.fromkeys(("ending", "endings", "ends", "closing", "finale", "conclusion", "concludes"), "end"),
    **dict.fromkeys(("soundtrack", "soundtracks", "songs", "song", "tunes"), "music"),
}


def quoted_answer(question: Question, labels: Sequence[RelationLabel] = ()) -> Piece | None:
    """The best sentence among the nearest passages; None where none speaks of the question. A question without a
    content word of its own ("what is it about?") asks for a whole passage, of prose where there is one. `labels` are
    those of the passages for what the question asks about, where it is short enough for one: their quotes answer where
    no sentence shares its words."""
    asked = content_stems(question.text) - content_stems(question.item.title)
    prose = [hit for hit in question.hits if not _LINE.match(hit.passage.text)]
    if not asked and question.hits and _GENERAL.match(question.text):
        hit = max(prose or question.hits, key=lambda hit: hit.score)
        return _answer(question, hit, hit.passage.text)
    wanted = asked - _COMMON_STEMS or asked
    if not wanted:
        return None  # every sentence shares all of nothing
    found = [
        (shared, hit.score, sentence, hit)
        for hit in prose
        if hit.score >= SHARED_SCORE
        for sentence, shared in _sharing(hit, wanted)
    ]
    if found:
        _, _, sentence, hit = max(found, key=lambda each: each[:2])
        return _answer(question, hit, sentence)
    return _labelled(question, labels)


def labelled_words(question: str) -> str | None:
    """What a question of yes or no asks about, where it is so little that a label can be asked for it."""
    asked = questions.polar(question)
    body = re.sub(r"\s+(?:in|on|at|by|from|of|for|to|about)\b.*", "", asked.body) if asked else ""
    body = _DOING.sub("", body)
    stems = content_stems(body)
    short = 0 < len(stems) <= LABELLED_WORDS and stems.isdisjoint(_COMMON_STEMS)
    whole = asked.body if asked else ""
    elsewhere = _NEARNESS.search(whole) or _AVAILABLE.search(whole) or _NAME.search(whole)
    return body if short and "end" not in stems and not elsewhere else None


def content_stems(text: str) -> frozenset[str]:
    """The content words of a text without the endings of number, tense, degree and manner."""
    words = re.findall(r"[^\W\d_]{2,}|\d+", normalised(in_english(text)))
    return frozenset(_stem(word) for word in words if word not in _FUNCTION_WORDS)


def _stem(word: str) -> str:
    word = _SAME.get(word, word)
    if len(word) < 4:
        return word
    bare = re.sub(r"(?:ings?|ed|est|ers?|ly|es|s)$", "", word)
    return re.sub(r"[eyi]$", "", bare if len(bare) > 2 else word)


def _sharing(hit: ReviewHit, wanted: frozenset[str]) -> Iterator[tuple[str, float]]:
    """The sentences of a passage that share enough with a question, each with the share."""
    for sentence in sentences(hit.passage.text) or (hit.passage.text,):
        if wanted == {"end"} and _OF_A_PART.search(sentence):
            continue
        share = len(content_stems(sentence) & wanted) / len(wanted)
        if share >= SHARE:
            yield sentence, share


def _labelled(question: Question, labels: Sequence[RelationLabel]) -> Piece | None:
    """The first quote of the best label that says anything."""
    for hit, label in zip(question.hits, labels, strict=False):
        if label.label is not Label.NOT_ADDRESSED and label.quotes and not _LINE.match(hit.passage.text):
            return _answer(question, hit, label.quotes[0])
    return None


def _answer(question: Question, hit: ReviewHit, sentence: str) -> Piece:
    source = QuotedSource(
        item=question.item.id,
        title=question.item.title,
        quote=sentence,
        source=hit.passage.source.id,
        url=hit.passage.source.url,
    )
    return Piece(text=wording.say("answer.quoted", quote=sentence), sources=(source,))

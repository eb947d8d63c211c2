"""The scene of an outing: words that tell why somebody goes somewhere and ask nothing that a place could be judged by.

"Meeting my sister after work. I need somewhere quiet." asks for quiet; so does "quiet, so we can catch up".
"""

import re
from collections.abc import Sequence

from pdgf.constraints.diets import is_food
from pdgf.constraints.places import place_mentions
from pdgf.constraints.words import ITEM_WORDS
from pdgf.engines.builtin.instantiations import perspective_of
from pdgf.engines.builtin.phrases import Phrase
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.models import normalised

_WISH = re.compile(
    r"\b(?:needs?|needed|wants?|wanted|wanting|looking|look for|searching|seeking|after something|must|should"
    r"|ha(?:s|ve) to|would (?:like|love|be|prefer)|['’]d (?:like|love|prefer)|prefer\w*|either|in the mood|craving"
    r"|hop(?:e|ing)|love|like|enjoy|hate|avoid|dislike|can['’]?t stand|fancy|recommend\w*|suggest\w*|find|ideally"
    r"|preferably|somewhere|anywhere|please|without|only)\b"
    r"|^\s*\w[\w ]{2,30}:",  # "cuisine: Thai"
    re.IGNORECASE,
)
# What an outing is told by: somebody who does something, a participle, a noun for going out or for who does
_OUTING = re.compile(
    r"^\s*(?:\w+ing|caught|stuck|back|off|out)\b|\b(?:i|we|she|he|they)\b|\b(?:i|we|she|he|they)['’]\w+"
    r"|\b(?:walk|outing|run|crawl|hunt|hopping|hunting|scouting|search|session|trip|stop|visit|ritual|hangout|errands?"
    r"|date|day|night|morning|afternoon|weekend|planned|here|lover|fan)\b\W*$",
    re.IGNORECASE,
)
_COMPANY = re.compile(r"\bwith (?:my|our|the)\s+[\w'’-]+", re.IGNORECASE)
# A sentence, which a full stop inside a number or a word does not end
SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]+)*")
_REASON = re.compile(
    r"\b(?:so (?:that )?(?:we|i|they|he|she)\b|since (?:i|we|it|there|my|our|the)\b|because\b|in case\b"
    r"|if (?:i|we|she|he|they|it)\b|as (?:i|we) (?:am|are|will|have|need)\b|while (?:i|we)\b"
    r"|for (?:my|our)\b(?! (?:dog|kid|child|son|daughter)))",
    re.IGNORECASE,
)
_OF_REVIEWS = re.compile(r"\b(?:reviews?|reviewers?|raters?|ratings?|critics?|praised|acclaimed)\b", re.IGNORECASE)

_REPUTATION = re.compile(
    r"\b(?:where|with|that|whose)\b(?=[^.;]*\b(?:reviews?|reviewers?|raters?|critics)\b)(?![^.;]*\b(?:mention|say|talk|speak)\w*)"
    r"[^.;]*",
    re.IGNORECASE,
)
_TELLER = re.compile(r"^\s*[^,.;:]{3,40}?(?=\s+(?:looking|searching|hunting) for\b)")  # "Bookworm looking for"


def scene_of(narrative: str) -> tuple[tuple[int, int], ...]:
    """The stretches of a narrative that set a scene: sentences about an outing before the first wish, and what follows
    a reason up to the end of its clause, who is looking for something, and what reviewers are to think of it."""
    found = [(match.start(), match.end(), match[0]) for match in SENTENCE.finditer(narrative)]
    first = next((place for place, (_, _, text) in enumerate(found) if _WISH.search(text)), 0)
    spans = [(start, end) for start, end, text in found[:first] if _OUTING.search(text)]
    for start, _, text in found[:first]:
        spans += [(start + match.start(), start + match.end()) for match in _COMPANY.finditer(text)]
    for start, end, text in found[first:]:
        for reason in _REASON.finditer(text):
            stop = re.search(r"[,;:–—]|\s-\s", text[reason.end() :])
            spans.append((start + reason.start(), start + reason.end() + stop.start() if stop else end))
        about = [*_REPUTATION.finditer(text), *_TELLER.finditer(text)]
        spans += [(start + match.start(), start + match.end()) for match in about]
    return tuple(sorted(spans))


def of_the_scene(phrase: Phrase, narrative: str, vocabulary: Vocabulary, scene: Sequence[tuple[int, int]]) -> bool:
    """Whether a phrase names nothing that people ask of places and stands in the scene, or says what a place is anyway
    or what reviewers are like."""
    words = narrative[phrase.start : phrase.end]
    if phrase.reference is not None or phrase.quantity is not None:
        return False
    if _OF_REVIEWS.search(words):
        return True
    named = place_mentions(words) or is_food(words)
    inside = any(start <= phrase.start < end for start, end in scene) and not named
    if not inside and normalised(words) not in ITEM_WORDS:
        return False
    return perspective_of(words, phrase, vocabulary) is None

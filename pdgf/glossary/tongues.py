"""Other languages in Latin letters, told by the small words that bind their sentences. Pure.

A text is taken for one of them only when such words outnumber the English ones: names and titles ("La Dolce Vita") and
single borrowed words leave a text as it is.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from pdgf.constraints.words import either

_WORD = re.compile(r"[^\W\d_]+")
_SMALL: Mapping[str, frozenset[str]] = {
    "de": either(
        "ich|nicht|ein|eine|einen|einem|einer|mit|ohne|über|ueber|für|und|möchte|suche|etwas|bitte|keine|keinen|kein|auch"
        "|sehr|gerne|lieber|oder|aber|wenn|wie|dass|mir|mich|uns|ist|sind|haben|gibt|zum|zur|aus|nach|bei|wo|wer|wir|nur"
    ),
    "fr": either(
        "je|un|une|avec|sans|pour|pas|voudrais|veux|cherche|qui|que|mais|est|sont|sur|dans|quelque|chose|les|des|et|où"
        "|plutôt|très|moi|nous|mon|ma|trop|peu|vous|aime|aimerais|ne|au|aux|ou"
    ),
    "es": either(
        "quiero|busco|un|una|con|sin|para|película|sobre|pero|muy|que|algo|por|los|las|gusta|donde|más|y|unos|quisiera"
        "|puede|ni|como|es|mi|nada"
    ),
    "it": either(
        "voglio|vorrei|cerco|un|una|senza|con|che|qualcosa|sul|sulla|sono|molto|ma|di|della|gli|non|qualche|per|mi|piace"
        "|è|del|e"
    ),
    "pt": either("quero|procuro|um|uma|sem|com|filme|sobre|mas|muito|não|que|algo|os|gosto|onde|e|gostaria|para"),
    "nl": either("een|het|met|zonder|voor|ik|wil|zoek|niet|geen|maar|iets|graag|van|naar|ook|zou|mij|en"),
    "sv": either("en|ett|och|med|utan|jag|vill|inte|om|som|något|för|skulle|att|är|på"),
    "da": either("en|et|og|med|uden|uten|jeg|vil|ikke|om|som|noget|noe|til|på|gerne|er"),
    "pl": either("nie|bez|chcę|szukam|coś|dla|jest|ale|się|albo|lub|i|z|o|w|na|który|bardzo"),
    "tr": either("bir|ve|için|istiyorum|ile|çok|olmayan|ama|gibi|daha|bana"),
    "id": either("yang|dan|tanpa|dengan|untuk|saya|ingin|buku|tentang|tidak|ada|mau"),
}
_ENGLISH = either(
    "the|a|an|and|or|of|for|with|without|in|on|to|is|are|i|we|my|want|like|something|not|but|that|which|about|please|from"
    "|by|at|it|film|movie|book|any|some|more|less|similar|as|this|was|you|have|been|very|would|show|what|why"
)
SHORTEST = 3  # words of a sentence
SHARE = 0.25  # of the words that bind it
_LONGEST_NAME = 6


@lru_cache(maxsize=4_096)
def other_tongue(text: str) -> str | None:
    """The language of a text in Latin letters that is not English; None where nothing shows one."""
    words = _WORD.findall(text)
    said = [word.casefold() for word in words]
    if len(said) < SHORTEST or (len(said) <= _LONGEST_NAME and _is_a_name(words)):
        return None
    found = {language: [word for word in said if word in small] for language, small in _SMALL.items()}
    language = max(found, key=lambda each: (len(found[each]), each))
    english = sum(word in _ENGLISH for word in said)
    bound = found[language]
    plainly = len(set(bound)) >= 2 and len(bound) > english and len(bound) >= SHARE * len(said)
    return language if plainly else None


def _is_a_name(words: list[str]) -> bool:
    """Whether words are written as names are."""
    return all(word[0].isupper() for word in words if len(word) > 3)

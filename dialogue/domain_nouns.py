"""The English words for what a bundled domain holds, and those around them. Data of going over to another domain."""

from typing import Final

NOUNS: Final = {  # one and several, besides the names of the domains themselves
    "movies": (r"film|movie", r"films|movies"),
    "books": (r"book|novel", r"books|novels"),
    "anime": (r"anime(?! (?:films?|movies?))", r"animes?(?! (?:films?|movies?))"),
    "restaurants": (r"restaurant|cafe|place to eat", r"restaurants|cafes|places to eat"),
}
WORDS: Final = {  # that stand for one without a noun
    "movies": r"(?:something|anything)(?: good)? to watch",
    "books": r"(?:something|anything)(?: good)? to read",
    "restaurants": r"(?:somewhere|a place)(?: nice| good)? (?:to eat|(?:for|to have) (?:dinner|lunch|breakfast"
    r"|brunch))",
}
LEAD: Final = (
    r"(?:(?:and|but|so|also|well|ok|okay|hmm+|oh|then|great|nice|cool|thanks|thank you|please|perfect|good|yes|no"
    r"|actually)"
    r"[,.!\s]+)*"
)
NO_KIND: Final = (  # the noun is no part of another one
    r"(?!\s*(?:adaptations?|versions?|series|shops?|stores?|clubs?|lovers?|buffs?|nights?|stars?|sets?|critics?"
    r"|makers?|scenes?"
    r"|settings?|kitchens?|dramas?|comed(?:y|ies)|films?|movies?|books?|owners?|titles?)\b|[-\w])"
)

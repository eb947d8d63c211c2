"""Whether a word of a sentence is used as the noun that a wish names, and not as the verb of the same letters: "trains
a kestrel" has no train (METHOD 12). By the words beside it, without a parse. Pure."""

import re

_OBJECT = re.compile(
    r"^ (?:an?|the|his|her|its|their|my|our|your|him|them|it|us|me|you|himself|herself|themselves|this|that|these|those"
    r"|every|each|one another|each other)\b",
    re.IGNORECASE,
)
# Before a noun; a verb of the third person has its subject there
_OF_A_NOUN = re.compile(
    r"(?:^|[,;:.(–—-]\s*|\b(?:the|an?|of|by|in|on|with|and|or|no|his|her|its|their|my|our|your|some|many|all|two|three"
    r"|from|for|about|to|between|as|than|like|into|aboard|through|which|these|those|such)\s+)$",
    re.IGNORECASE,
)
_OF_A_VERB = re.compile(
    r"\b(?:to|will|would|can|could|must|may|might|should|they|we|you|who|not|and)\s+$", re.IGNORECASE
)
_SHORT = 5  # letters up to which a noun and the action of the same stem are seldom one thing ("train", "training")


def is_the_verb(sentence: str, start: int, end: int, word: str) -> bool:
    """Whether the mention [start, end) of a wish's plain word is a verb with its object."""
    form, wished = sentence[start:end].casefold(), word.casefold()
    if wished.endswith(("ing", "ed")) or not _OBJECT.match(sentence[end:]):
        return False
    before = sentence[:start]
    if form == f"{wished}s" or form == f"{wished}es":
        return not _OF_A_NOUN.search(before)
    return form == wished and bool(_OF_A_VERB.search(before))


def is_the_action(form: str, word: str) -> bool:
    """Whether a form is what is done, where the wish names a short noun: "training" for "train"."""
    said, wished = form.casefold(), word.casefold()
    return len(wished) <= _SHORT and said in (f"{wished}ing", f"{wished}ed", f"{wished}er", f"{wished}ers")

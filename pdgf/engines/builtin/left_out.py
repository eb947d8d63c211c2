"""What of a narrative no wish was made of although it may ask for something, so that the user is told (METHOD 4.2).

Who somebody is with, what happened to them, thanks and talk to the system ask for nothing and are not named.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pdgf.constraints.words import either
from pdgf.engines.builtin.asides import Told, asides, told_of_teller
from pdgf.engines.builtin.lexicon import cues
from pdgf.ports import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
    from spacy.tokens import Span as Sentence

MAX_WORDS = 12  # of what is named to the user
# Verbs that only ask in most requests, but say something of an item where nothing else is read
_TELLING = either(
    "sit|stay|walk|fall|meet|happen|end|turn|cook|drive|attend|belong|follow|leave|become|start|bring|dine"
)
_HELPING = either("would|could|can|should|will|might|may")


def left_out(doc: "Doc", narrative: str, read: Sequence[Span]) -> tuple[str, ...]:
    """The sentences in which nothing was read and that say something, shortened; `read` are the spans that were."""
    beside = [*read, *asides(doc.text)]
    found = []
    for sentence in doc.sents:
        begin, stop = sentence.start_char, sentence.end_char
        if any(start < stop and begin < end for start, end in read) or not _says_something(doc, sentence, beside):
            continue
        words = narrative[begin:stop].strip(" \n\t.!?,;…").split()
        found.append(re.sub(r"\s+", " ", " ".join(words[:MAX_WORDS])) + ("…" if len(words) > MAX_WORDS else ""))
    return tuple(found)


def _says_something(doc: "Doc", sentence: "Sentence", beside: Sequence[Span]) -> bool:
    said = [token for token in sentence if not any(start <= token.idx < end for start, end in beside)]
    return any(_tells(token) and told_of_teller(doc, [token.i]) is not Told.LIFE for token in said)


def _tells(token: "Token") -> bool:
    """Whether a verb says something of an item: no frame, or one that "we can" stands before."""
    if token.pos_ != "VERB":
        return False
    lemma = token.lemma_.lower()
    if lemma not in cues().frame_verbs:
        return token.dep_ in ("ROOT", "relcl", "conj", "ccomp", "xcomp", "advcl", "acl")
    return lemma in _TELLING and any(child.lower_ in _HELPING for child in token.children if child.dep_ == "aux")

"""The units of a narrative, and those that are cues: the longest expression of the cue lists that starts at a word."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pdgf.engines.builtin.lexicon import cues
from pdgf.engines.builtin.mentions import Quantity, Reference

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


_SPEAKERS = frozenset(
    {"i", "we", "she", "he", "they", "you"}
)  # whose dislikes are wishes; "who dislike each other" is none


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A stretch of the narrative with one part to play: content, a cue, a reference, a quantity, a frame or an end."""

    role: str
    start: int
    end: int
    kinds: tuple[str, ...] = ()
    tokens: tuple[int, ...] = ()
    reference: Reference | None = None
    quantity: Quantity | None = None
    headless: bool = False
    of_a_thing: bool = False
    form: tuple[int, int] | None = None
    said: int | None = None  # where the words of a cue begin that belong to the wish, if not at its start


def longest_cue(doc: "Doc", position: int) -> tuple[tuple[str, ...], int]:
    """The kinds of the longest cue that starts here and how many tokens it takes."""
    words = [t.lower_ for t in doc[position : position + cues().longest + 3]]
    for length in range(len(words), 0, -1):
        for candidate in (tuple(words[:length]), tuple(_joined(words[:length]))):
            kinds = cues().kinds.get(candidate)
            if kinds and _cue_fits(doc[position], length, kinds):
                return kinds, length
    return (), 0


def _joined(words: list[str]) -> list[str]:
    """Tokens as the cue lists write them: "I 'd" is "i'd", "ca n't" is "can't"."""
    joined: list[str] = []
    for word in words:
        if joined and (word.startswith("'") or word == "n't"):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _cue_fits(token: "Token", length: int, kinds: tuple[str, ...]) -> bool:
    """Rule out a cue word in another part of speech: "that" as a determiner, "like" as a verb."""
    if length == 1 and token.lower_ in ("that", "which", "who", "where", "when"):
        return token.tag_ in ("WDT", "WP", "WRB") or token.dep_ == "nsubj"
    if token.lower_ == "little" or (length == 2 and token.nbor(1).lower_ == "little"):
        return _of_no_size(token.doc[token.i + length - 1])
    last = token.doc[token.i + length - 1]
    if last.lower_ in ("few", "fewer") and "avoids.negation" in kinds:
        return _counts_hardly_any(last)
    if length == 1 and "references.disliked" in kinds:
        return all(child.lower_ in _SPEAKERS for child in token.children if child.dep_ == "nsubj")
    if token.lower_ in ("apart", "aside") and token.head.pos_ == "VERB" and token.dep_ != "prep":
        return False  # "kept apart from wheat"
    return not (length == 1 and token.lower_ in ("like", "so"))


def _of_no_size(little: "Token") -> bool:
    """Whether "little" says how much there is ("little blood") and not how big somebody is ("a little girl")."""
    before = little.nbor(-1) if little.i else None
    if before is not None and before.lower_ in ("very", "too"):
        before = before.nbor(-1) if before.i else None
    sized = before is not None and (before.pos_ in ("DET", "ADJ", "PRON", "NUM") or before.tag_ == "POS")
    after = next((token for token in little.doc[little.i + 1 : little.i + 3] if token.pos_ in ("NOUN", "PROPN")), None)
    return not sized and after is not None and after.tag_ == "NN"


def _counts_hardly_any(few: "Token") -> bool:
    """Whether "few" says that there is hardly any of something ("few jokes"), and not that there are some ("a few
    jokes", "the few friends he has"), nor how many things of its own sort there are ("few of these")."""
    before = few.nbor(-1) if few.i else None
    if before is not None and before.lower_ in ("very", "too", "as", "so"):
        before = before.nbor(-1) if before.i else None
    some = before is not None and (before.pos_ in ("DET", "ADJ", "PRON", "NUM") or before.tag_ in ("POS", "PRP$"))
    after = few.doc[few.i + 1 : few.i + 4]
    return not some and any(token.tag_ == "NNS" for token in after) and few.nbor(1).lower_ != "of"


def cue_unit(doc: "Doc", position: int, length: int, kinds: tuple[str, ...]) -> Unit:
    last = doc[position + length - 1]
    if "references.disliked" in kinds:
        kinds = (*kinds, "avoids.negation")  # "I hated Paper Lanterns" names a title, "I hate seafood" what to avoid
    role = (
        "frame"
        if all(
            k.startswith(("frames", "references", "joins.turn")) or k in ("strength.hard", "strength.soft")
            for k in kinds
        )
        and any(k.startswith(("frames", "references", "joins.turn")) for k in kinds)
        else "cue"
    )
    if kinds == ("strength.hard",) and doc[position].pos_ in ("VERB", "AUX"):
        role = "frame"
    return Unit(
        role=role,
        start=doc[position].idx,
        end=last.idx + len(last),
        kinds=kinds,
        tokens=tuple(range(position, position + length)),
    )

"""What words mean of items of one kind: 意大利 is a kitchen where items are places to eat, and else a country."""

import re
from dataclasses import replace

from pdgf.engines.builtin.chinese.animals import HERE, is_animal
from pdgf.engines.builtin.chinese.mentions import MEDIA
from pdgf.engines.builtin.chinese.wishes import Piece, Wish
from pdgf.engines.builtin.vocabulary import Vocabulary
from pdgf.glossary import entries, folded

_SET_THERE = re.compile(r"(?:背景|设定|故事|发生)(?:地|就|都)?(?:是|在|于|为|设)*(?:在)?$")


def meant_here(piece: Piece, wish: Wish, narrative: str, vocabulary: Vocabulary) -> Piece:
    """A piece of a wish as it is meant of the items of this catalogue."""
    if piece.text:
        return piece
    words = folded(narrative[piece.start : piece.end])
    if piece.perspective == "format" and words in MEDIA:
        return replace(piece, text=MEDIA[words][1])
    kitchen, setting = f"{words}菜", f"{words}背景"
    if piece.perspective == "country":
        if vocabulary.places and kitchen in entries():
            return replace(piece, perspective="cuisine", text=kitchen)
        if _SET_THERE.search(folded(narrative[: piece.start])) and setting in entries():
            return replace(piece, perspective="setting", text=setting)
    if vocabulary.places and wish.avoid and piece.perspective == "theme" and is_animal(words):
        return replace(piece, perspective="amenity", text=f"{HERE}{words}")
    return piece

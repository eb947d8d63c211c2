"""The phrases of a narrative as what is said of them under a condition makes of them (METHOD 4.2)."""

from dataclasses import replace
from typing import TYPE_CHECKING

from pdgf.conditionals import conditionals

if TYPE_CHECKING:
    from pdgf.engines.builtin.phrases import Phrase

_NOT_MOSTLY = "not mostly"  # the strength under which a little of a thing is as it should be


def with_conditionals(text: str, found: tuple["Phrase", ...]) -> tuple["Phrase", ...]:
    """The phrases with those that stand under a condition read as what it makes of them."""
    result = list(found)
    for each in conditionals(text):
        things = [i for i, p in enumerate(result) if each.thing[0] <= p.start < each.thing[1] and not p.generic]
        if not things or any(result[i].avoid or result[i].reference for i in things):
            continue
        for index in things:
            phrase = result[index]
            result[index] = (
                replace(
                    phrase, avoid=True, strength=_NOT_MOSTLY, hard_cue=False, soft=True, link=None, said_to=each.how[1]
                )
                if each.small and index == things[-1]
                else replace(phrase, generic=True)
            )
        for index, phrase in enumerate(result):
            if each.how[0] <= phrase.start < each.how[1] and index not in things:
                result[index] = replace(phrase, generic=True) if each.small else replace(phrase, link=None)
    return tuple(result)

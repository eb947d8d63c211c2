"""What a part of an utterance does in view of the wishes that stand: it permits something, or refuses what nobody has
wished for (METHOD 9.2)."""

from dataclasses import replace

from dialogue.engines import changes
from dialogue.engines.chinese import parts as chinese_parts
from dialogue.engines.cues import Act, Part, allowed
from dialogue.ports import Utterance
from dialogue.record import unwanted, values_of
from pdgf.constraints.refusals import refusals
from pdgf.glossary import has_han


def refusing(text: str, part: Part, utterance: Utterance) -> Part:
    """The part as a wish where it takes back what nobody has wished for: "leave out the war films" refuses them."""
    words = text[slice(*part.span)]
    if part.acts != {Act.FORGET} or not refusals(words):
        return part
    drops = changes.taken_back(text[slice(*part.focus)], utterance.state, utterance.domain)
    wished = {value.text for _, value, _ in values_of(utterance.state) if not unwanted(value)}
    if any(drop.text in wished for drop in drops):
        return part
    return replace(part, acts=frozenset({Act.WISH}), focus=(0, 0), bare=False)


def allowing(text: str, part: Part, utterance: Utterance) -> Part:
    """The part as one that permits something, where its words say so. In answer to our question it names a wish."""
    words = text[slice(*part.span)]
    span = None if Act.QUESTION in part.acts else (chinese_parts.allowed if has_han(words) else allowed)(words)
    if span is None or not changes.allowed(words[slice(*span)], utterance.state):
        span = changes.permitted(words) if part.acts == {Act.WISH} else None
        if span is None:
            return part
    focus = part.span[0] + span[0], part.span[0] + span[1]
    if utterance.asked and not changes.allowed(text[slice(*focus)], utterance.state):
        return replace(part, span=focus)
    return replace(part, acts=frozenset({Act.ALLOW}), focus=focus, bare=False)

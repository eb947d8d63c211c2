"""Wishes that no node of the PreferenceAgent gives: years, objections, what a question asks for, what is left open.
Pure."""

from collections.abc import Sequence

from dialogue import facts
from dialogue.engines import wishes
from dialogue.engines.chinese import parts as chinese_parts
from dialogue.engines.cues import Act, Part
from dialogue.models import StateEdit
from dialogue.ports import Utterance
from dialogue.record import values_of
from dialogue.spans import overlaps
from pdgf.glossary import has_han, in_english
from pdgf.temporal import year_constraint

READ = frozenset({Act.WISH, Act.REJECT, Act.CONTINUE, Act.START_OVER})  # parts that may state a wish


def era(utterance: Utterance, parts: Sequence[Part]) -> list[StateEdit]:
    """The year rule's own wording (METHOD 7.6), as a hard constraint where the domain has a key for it."""
    if all(row.key != "era_year" for row in utterance.domain.constraint_keys):
        return []
    found = year_constraint(utterance.text, mode="explicit", current_year=utterance.current_year)
    said_in = [part for part in parts if found is not None and overlaps(found.span, part.span)]
    if found is None or not said_in or not all(part.acts & READ for part in said_in):
        return []
    return [wishes.stated(utterance.text, found.span, turn=utterance.turn, key="era_year", hard=True)]


def opened(utterance: Utterance, parts: Sequence[Part], drops: Sequence[StateEdit]) -> list[StateEdit]:
    """不用意大利菜也行: what has to be known and is taken back so is left open, and need not be asked for again."""
    text, domain, known = utterance.text, utterance.domain, utterance.state.known_keys
    standing = {key for key, value, _ in values_of(utterance.state) if all(d.text != value.text for d in drops)}
    gone = [drop.key for drop in drops if domain.missing(standing) != domain.missing(known)]
    spans = [part.span for part in parts if Act.FORGET in part.acts and has_han(text[slice(*part.span)])]
    return [
        wishes.left_open(text, span, turn=utterance.turn, key=key)
        for span in spans[:1]
        for key in dict.fromkeys(gone)
        if domain.row(key).anything
    ]


def objection(utterance: Utterance, part: Part) -> StateEdit:
    """What "too loud" or "not quiet enough" says to be unwanted, or wanted."""
    words = utterance.text[slice(*part.focus)]
    key = _key_by_facts(words, utterance)
    lacking = not words.lower().startswith("too")
    if has_han(words):
        lacking = chinese_parts.lacks(utterance.text[part.span[0] : part.focus[0]])
    return wishes.objection(utterance.text, part.focus, turn=utterance.turn, key=key, lacking=lacking)


def named_alone(utterance: Utterance, parts: Sequence[Part], found: Sequence[StateEdit]) -> list[StateEdit]:
    """Names and words in Latin letters that are all a Chinese clause asks for, where no wish was read in it."""
    text, keys = utterance.text, {row.key for row in utterance.domain.constraint_keys}
    edits = []
    for part in parts:
        words = text[slice(*part.span)]
        span = chinese_parts.named_alone(words) if part.acts == {Act.WISH} and has_han(words) else None
        if span is None or any(overlaps(part.span, (edit.span[1], edit.span[2])) for edit in found):
            continue
        person = has_han(words[slice(*span)]) and "creators" in keys
        key = "creators" if person else _key_by_facts(words[slice(*span)], utterance)
        place = part.span[0] + span[0], part.span[0] + span[1]
        edits.append(wishes.stated(text, place, turn=utterance.turn, key=key, hard=False))
    return edits


def asked_for(utterance: Utterance, part: Part) -> StateEdit:
    """What a question asks for, as the words stand."""
    key = _key_by_facts(utterance.text[slice(*part.focus)], utterance)
    return wishes.asked_for(utterance.text, part.focus, turn=utterance.turn, key=key)


def _key_by_facts(words: str, utterance: Utterance) -> str:
    """The sub-key whose metadata the words ask for; `others` where no fact of the shown items is named."""
    words = in_english(words)
    for item in utterance.shown:
        fact = facts.key_asked(words, utterance.metadata.get(item.id, {}), utterance.domain)
        key = utterance.domain.key_of_fact(fact) if fact is not None else None
        if key:
            return key
    return "others"

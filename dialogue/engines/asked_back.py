"""Answers to a question of ours: words that leave a key open, and those in which no wish can be read. Pure."""

import re
from collections.abc import Sequence

from dialogue.domain import ConstraintKey, Domain, MandatoryGroup
from dialogue.engines import wishes
from dialogue.engines.cues import Act, Part
from dialogue.models import StateEdit
from dialogue.ports import Utterance
from dialogue.spans import inside
from pdgf.engines.builtin.system_talk import system_talk
from pdgf.glossary import has_han

ANSWERED = 2  # keys of a question of ours that an answer without a readable wish is still bound to
LONGEST_ANSWER = 80  # characters
_EXCEPT = (
    r"\s*,?\s+(?:but|bar|except|save|besides|other than|apart from|aside from|not)\b(?! (?:i|we|it|please|ideally)\b)"
)


def open_words(utterance: Utterance, parts: Sequence[Part]) -> list[StateEdit]:
    """Words that leave a key open: "anywhere" wherever it stands, "anything goes" as the answer to a question."""
    text, turn = utterance.text, utterance.turn
    edits: list[StateEdit] = []
    for row in utterance.domain.constraint_keys:
        names = sorted(row.anything, key=len, reverse=True)
        said = rf"\b(?:{'|'.join(map(re.escape, names))})\b(?!{_EXCEPT})"
        match = re.search(said, text, re.IGNORECASE) if names else None
        match = match or _in_chinese(text, row.key, utterance.domain)
        if match:
            edits.append(wishes.left_open(text, match.span(), turn=turn, key=row.key))
    named = [(edit.span[1], edit.span[2]) for edit in edits]  # "anywhere" says nothing of what to eat
    indifferent = (
        part for part in parts if Act.INDIFFERENT in part.acts and not any(inside(part.focus, own) for own in named)
    )
    answered = next((part for part in indifferent if not re.match(_EXCEPT, text[part.focus[1] :], re.IGNORECASE)), None)
    known = utterance.state.known_keys.union(edit.key for edit in edits)
    if answered and 1 <= len(utterance.asked) <= ANSWERED and utterance.asked[0] not in known:
        edits.append(wishes.left_open(text, answered.focus, turn=turn, key=utterance.asked[0]))
    elif answered and not utterance.shown:  # 随便推荐, "just show me something": whatever should be known is left open
        edits += [
            wishes.left_open(text, answered.focus, turn=turn, key=_left_open(group, utterance.domain))
            for group in utterance.domain.missing(known)
        ]
    return edits


def _left_open(group: MandatoryGroup, domain: Domain) -> str:
    """The key of a group that is open once somebody has no preference: one that can be, or else the last."""
    return next((key for key in group.keys if domain.row(key).anything), group.keys[-1])


def _in_chinese(text: str, key: str, domain: Domain) -> re.Match[str] | None:
    """The Chinese words that leave a key open, where they stand in the text."""
    names = sorted(domain.chinese.anything.get(key, ()) if domain.chinese else (), key=len, reverse=True)
    return re.search("|".join(map(re.escape, names)), text) if names and has_han(text) else None


def answering(utterance: Utterance, parts: Sequence[Part], found: list[StateEdit]) -> list[StateEdit]:
    """Wishes of no kind of their own, said in answer to our question, belong under the key that was asked for."""
    asked = utterance.asked
    if not 1 <= len(asked) <= ANSWERED or len(parts) != 1 or any(edit.key != "others" for edit in found):
        return found
    row = utterance.domain.row(asked[0])
    return [
        edit.model_copy(update={"key": row.key, "hard": row.hard and not edit.avoid})
        if _can_be(edit.text, row)
        else edit
        for edit in found
    ]


def _can_be(words: str, row: ConstraintKey) -> bool:
    """Whether words can be a value of a key: one of those that it offers, where it offers some; else any words."""
    values = " ".join(row.values).casefold()
    return not values or has_han(words) or any(word in values for word in re.findall(r"\w{4,}", words.casefold()))


def _says_nothing(words: str) -> bool:
    """Whether words are talk to the system or keyboard junk, and no answer."""
    for start, end in sorted(system_talk(words), reverse=True):
        words = f"{words[:start]} {words[end:]}"
    return not any(character.isalnum() for character in words)


def bare_answer(utterance: Utterance, parts: Sequence[Part]) -> list[StateEdit]:
    """An answer to our question in which no wish could be read: taken as it stands, where one key was asked for."""
    if not 1 <= len(utterance.asked) <= ANSWERED or len(parts) != 1 or parts[0].acts != {Act.WISH}:
        return []
    start, end = parts[0].span
    words = utterance.text[start:end].rstrip(" .!")
    if len(words) > LONGEST_ANSWER or words.endswith("?") or _says_nothing(words):
        return []
    key = utterance.asked[0]
    span = start, start + len(words)
    return [wishes.stated(utterance.text, span, turn=utterance.turn, key=key, hard=utterance.domain.row(key).hard)]

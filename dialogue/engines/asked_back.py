"""Answers to a question of ours: words that leave a key open, and those in which no wish can be read. Pure."""

import re
from collections.abc import Sequence

from dialogue.engines import wishes
from dialogue.engines.cues import Act, Part
from dialogue.models import StateEdit
from dialogue.ports import Utterance

ANSWERED = 2  # keys of a question of ours that an answer without a readable wish is still bound to
LONGEST_ANSWER = 80  # characters


def open_words(utterance: Utterance, parts: Sequence[Part]) -> list[StateEdit]:
    """Words that leave a key open: "anywhere" wherever it stands, "anything goes" as the answer to a question."""
    text, turn = utterance.text, utterance.turn
    edits: list[StateEdit] = []
    for row in utterance.domain.constraint_keys:
        names = sorted(row.anything, key=len, reverse=True)
        match = re.search(rf"\b(?:{'|'.join(map(re.escape, names))})\b", text, re.IGNORECASE) if names else None
        if match:
            edits.append(wishes.left_open(text, match.span(), turn=turn, key=row.key))
    answered = next((part for part in parts if Act.INDIFFERENT in part.acts), None)
    if answered and utterance.asked and len(utterance.asked) <= ANSWERED and not edits:
        edits.append(wishes.left_open(text, answered.focus, turn=turn, key=utterance.asked[0]))
    return edits


def answering(utterance: Utterance, parts: Sequence[Part], found: list[StateEdit]) -> list[StateEdit]:
    """Wishes of no kind of their own, said in answer to our question, belong under the key that was asked for."""
    asked = utterance.asked
    if not 1 <= len(asked) <= ANSWERED or len(parts) != 1 or any(edit.key != "others" for edit in found):
        return found
    hard = utterance.domain.row(asked[0]).hard
    return [edit.model_copy(update={"key": asked[0], "hard": hard and not edit.avoid}) for edit in found]


def bare_answer(utterance: Utterance, parts: Sequence[Part]) -> list[StateEdit]:
    """An answer to our question in which no wish could be read: taken as it stands, where one key was asked for."""
    if not 1 <= len(utterance.asked) <= ANSWERED or len(parts) != 1 or parts[0].acts != {Act.WISH}:
        return []
    start, end = parts[0].span
    words = utterance.text[start:end].rstrip(" .!")
    if len(words) > LONGEST_ANSWER or words.endswith("?"):
        return []
    key = utterance.asked[0]
    span = start, start + len(words)
    return [wishes.stated(utterance.text, span, turn=utterance.turn, key=key, hard=utterance.domain.row(key).hard)]

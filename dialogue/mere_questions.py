"""Questions that only ask (METHOD 9.2): "does it have parking?" states a wish too, "does it have any violence?" does
not. Pure; the words are the domain's, so that both engines read alike."""

from collections.abc import Sequence

from dialogue.domain import Domain
from dialogue.facts import asks_of_the_showing, words_of
from dialogue.models import EditKind, Intent, Mention, StateEdit, Understanding
from dialogue.wish_words import denied, named_by
from pdgf.glossary import has_han, in_english


def without(reading: Understanding, domain: Domain) -> Understanding:
    """The reading without wishes from questions about what few want, or most only want to know; without the intent to
    state one where no edit is left."""
    if Intent.INQUIRE not in reading.intents:
        return reading
    asked = [words_of(question) for question in reading.questions]
    edits = _without_avoided(reading.edits)
    kept = tuple(edit for edit in edits if not _only_asks(edit, asked, domain))
    if len(kept) == len(reading.edits):
        return reading
    intents = tuple(intent for intent in reading.intents if kept or intent is not Intent.PROVIDE_PREFERENCE)
    return reading.model_copy(update={"edits": kept, "intents": intents})


def _without_avoided(edits: Sequence[StateEdit]) -> list[StateEdit]:
    """The edits without those by which a question whether something occurs turns round that it is unwanted."""
    left = list(edits)
    for asked in edits:
        if asked.kind is EditKind.ADD and asked.mention is Mention.ASKED and not asked.avoid:
            named = named_by(asked.text)
            turned = [e for e in left if e.kind is EditKind.DROP and denied(e.text) and named & named_by(e.text)]
            if turned:
                left = [edit for edit in left if edit is not asked and edit not in turned]
    return left


def _only_asks(edit: StateEdit, asked: Sequence[str], domain: Domain) -> bool:
    """Whether a question's words name what is no wish: such a word, or an end of a scale. "Not dark enough" is no
    question, though it is read like one."""
    if edit.kind is not EditKind.ADD or edit.mention is not Mention.ASKED:
        return False
    words = words_of(in_english(edit.text))
    said = edit.text if has_han(edit.text) else words
    if asked and not any(said in question for question in asked):
        return False
    if any(said in question and asks_of_the_showing(question) for question in asked):
        return True
    compared = (name for scale in domain.scales for name in (*scale.less, *scale.more))
    return any(f" {word} " in words for word in (*domain.asked_nothing, *compared))

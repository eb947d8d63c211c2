"""Everyday words after a list: taking, preferring something else, changes of mind, winning time, asking for help."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.engines.cues import cue
from dialogue.engines.references import Shown, resolve
from dialogue.models import ConstraintValue, DialogueState, EditKind, Intent, Understanding
from dialogue.ports import Utterance
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.dialogue.town import REFS
from tests.fakes import VocabularyAgent

FILMS = bundled_domain("movies")
WORDS = {
    "horror": "genre",
    "comedy": "genre",
    "funny": "tone",
    "lighter": "tone",
    "violence": "content",
    "gore": "content",
    "wait": "other",
    "accept": "other",
    "hold": "other",
}


async def read(text: str, *wishes: tuple[str, str]) -> Understanding:
    """Read a text after a list of three, with the (key, text) wishes as they stand."""
    soft = {key: (ConstraintValue(text=words, span=(1, 0, len(words))),) for key, words in wishes}
    utterance = Utterance(
        text=text,
        turn=5,
        state=DialogueState(recommended_items=REFS[:3], soft_constraints=soft),
        shown=REFS[:3],
        domain=FILMS,
        current_year=2026,
    )
    return await BuiltinDialogueAgent(preferences=VocabularyAgent(WORDS), config=MethodConfig()).understand(
        utterance, Budget()
    )


def edits(reading: Understanding) -> list[str]:
    """The edits with + or - for what they do."""
    return [("+" if edit.kind is EditKind.ADD else "-") + edit.text for edit in reading.edits]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("take the first", 0),
        ("Accept the first one", 0),
        ("accept the second", 1),
        ("the second, please", 1),
        ("go for the last", 2),
        ("Go with number two", 1),
        ("ok, choose the third one", 2),
        ("pick the 2nd", 1),
        ("Take Lantern Room", 0),
        ("book Drum House please", 1),
        ("I'd rather take the first", 0),
    ],
)
async def test_naming_an_item_after_a_word_of_taking_accepts_it_and_wishes_nothing(text: str, place: int) -> None:
    reading = await read(text)
    assert reading.accepted == (REFS[place],)
    assert (reading.intents, reading.edits) == ((Intent.ACCEPT,), ())


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("I'd rather have something funny", "funny"),
        ("I would rather something lighter", "lighter"),
        ("we'd rather watch a comedy", "comedy"),
        ("I'd watch something funny", "funny"),
        ("I'll go with something lighter", "lighter"),
        ("let's take something funny instead", "funny"),
        ("I'd prefer to see a comedy", "comedy"),
    ],
)
async def test_preferring_something_else_is_a_wish_and_never_an_acceptance(text: str, wish: str) -> None:
    reading = await read(text)
    assert Intent.ACCEPT not in reading.intents
    assert (edits(reading), reading.accepted, reading.rejected) == ([f"+{wish}"], (), ())


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("Is the first violent?", 0),
        ("does the second have wifi", 1),
        ("and is the last scary?", 2),
        ("how long is the second roughly?", 1),
        ("has the third got subtitles?", 2),
        ("Isn't the first sad?", 0),
    ],
)
async def test_a_question_whose_subject_is_an_ordinal_is_about_that_item_alone(question: str, place: int) -> None:
    reading = await read(question)
    assert (reading.about, reading.intents[-1]) == ((REFS[place],), Intent.INQUIRE)


@pytest.mark.parametrize("question", ["is the first half boring?", "was the second world war in it?"])
def test_an_ordinal_of_something_else_points_at_no_item(question: str) -> None:
    found = resolve(question, Shown(items=REFS[:3], focus=(), metadata={}, domain=FILMS))
    assert found.vague or not found.items


def test_an_ordinal_beyond_the_list_stays_unresolved_in_a_question_too() -> None:
    found = resolve("is the fifth violent?", Shown(items=REFS[:3], focus=(), metadata={}, domain=FILMS))
    assert (found.items, found.unresolved) == ((), ("the fifth",))


@pytest.mark.parametrize(
    "text",
    [
        "Actually, violence is fine",
        "violence is ok with me",
        "some violence is fine after all",
        "I'm fine with violence",
        "I don't mind violence",
        "it can have some violence",
    ],
)
async def test_what_is_fine_after_all_takes_back_the_wish_against_it_and_adds_none(text: str) -> None:
    assert edits(await read(text, ("content_limits", "no violence"))) == ["-no violence"]
    assert edits(await read(text, ("content_limits", "not too much violence"))) == ["-not too much violence"]


async def test_what_is_fine_takes_back_no_wish_for_it_nor_one_against_something_else() -> None:
    assert "-violence" not in edits(await read("violence is fine", ("content_limits", "violence")))
    assert "-no gore" not in edits(await read("violence is fine", ("content_limits", "no gore")))


async def test_a_change_of_mind_drops_the_opposite_and_keeps_the_hesitation_out() -> None:
    assert edits(await read("no wait, I do want horror", ("genre", "not horror"))) == ["-not horror", "+horror"]
    assert edits(await read("actually not horror", ("genre", "horror"))) == ["-horror", "+not horror"]
    assert edits(await read("Hold on, no horror", ("genre", "horror"))) == ["-horror", "+no horror"]


@pytest.mark.parametrize(
    "text", ["no wait", "hold on", "Wait a minute...", "hmm, let me think", "actually", "one moment"]
)
async def test_words_that_only_win_time_are_neither_wish_nor_verdict(text: str) -> None:
    assert await read(text) == Understanding()


async def test_an_objection_after_a_hesitation_adds_its_own_words_alone() -> None:
    assert edits(await read("hold on, that's too childish")) == ["+too childish"]


@pytest.mark.parametrize(
    "text",
    [
        "what can you do?",
        "help",
        "who are you?",
        "How does this work?",
        "what can I say here",
        "who are you and what can you do?",
        "Tell me about yourself, please",
        "what is this, and how does it work?",
        "你是谁？你能做什么？",
        "你是谁，能做什么？",
        "介绍一下你自己",
    ],
)
async def test_a_question_about_the_system_is_no_question_about_the_list(text: str) -> None:
    assert await read(text) == Understanding(about_system=True)


@pytest.mark.parametrize(
    "text", ["What did I choose?", "what have I accepted?", "what's on my list?", "which films have I picked so far?"]
)
async def test_a_question_about_what_was_taken_is_no_question_about_the_list(text: str) -> None:
    assert await read(text) == Understanding(about_accepted=True)


@pytest.mark.parametrize("text", ["what can the second offer?", "who directed it?", "what do you recommend?"])
def test_other_questions_are_not_about_the_system(text: str) -> None:
    assert not cue("about_system").search(text)
    assert not cue("about_accepted").search(text)

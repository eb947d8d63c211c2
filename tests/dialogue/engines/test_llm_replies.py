"""The reading of an utterance: what is left out is not said, and fixed words are read in any writing."""

import pytest
from pydantic import ValidationError

from dialogue.engines.llm_replies import UnderstandReply
from dialogue.models import Intent, Mention, StatePart


def test_an_utterance_may_say_nothing_at_all() -> None:
    reply = UnderstandReply.model_validate({"intents": [], "wishes": []})
    assert reply == UnderstandReply(intents=(), wishes=())
    lists = (
        reply.about,
        reply.accepted,
        reply.rejected,
        reply.seen,
        reply.taken_back,
        reply.questions,
        reply.unresolved,
    )
    assert set(lists) == {()}
    assert {reply.greeting, reply.hello, reply.about_system, reply.about_accepted} == {False}


def test_another_object_is_no_reading_of_an_utterance() -> None:
    for other in ({}, {"error": "overloaded"}, {"intents": []}, {"intents": ["buy"], "wishes": []}):
        with pytest.raises(ValidationError):
            UnderstandReply.model_validate(other)


def test_single_values_and_null_stand_for_lists() -> None:
    reply = UnderstandReply.model_validate(
        {"intents": "Reject", "wishes": [], "rejected": 2, "about": None, "questions": None, "unresolved": "the fifth"}
    )
    assert (reply.intents, reply.rejected, reply.about) == ((Intent.REJECT,), (2,), ())
    assert (reply.questions, reply.unresolved) == ((), ("the fifth",))


def test_a_wish_is_stated_and_soft_unless_said_otherwise() -> None:
    [wish] = UnderstandReply.model_validate({"intents": [], "wishes": [{"text": " dry ", "key": "tone"}]}).wishes
    assert (wish.text, wish.hard, wish.avoid, wish.mention, wish.replaces) == (
        "dry",
        False,
        False,
        Mention.STATED,
        None,
    )


@pytest.mark.parametrize(
    "malformed",
    [
        {"about_state": ["weather", 3, None]},
        {"about_state": 7},
        {"domain": 5},
        {"domain": None},
        {"liked": [{"name": "no title"}, 4]},
        {"disliked": 3},
        {"liked": None},
        {"interest": None},
    ],
)
def test_what_is_malformed_among_the_optional_fields_says_nothing(malformed: dict[str, object]) -> None:
    assert UnderstandReply.model_validate({"intents": [], "wishes": [], **malformed}) == UnderstandReply(
        intents=(), wishes=()
    )


def test_titles_by_themselves_and_parts_of_the_state_in_any_case_are_read() -> None:
    reply = UnderstandReply.model_validate(
        {"intents": [], "wishes": [], "liked": ["Alien", {"title": "Heat", "year": 1995}], "about_state": "Rejected"}
    )
    assert [(row.title, row.year) for row in reply.liked] == [("Alien", None), ("Heat", 1995)]
    assert reply.about_state == (StatePart.REJECTED,)

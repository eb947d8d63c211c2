"""A question states a wish only where what it names is one."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.mere_questions import without
from dialogue.models import EditKind, Intent, Mention, StateEdit, Understanding

BOTH = (Intent.PROVIDE_PREFERENCE, Intent.INQUIRE)


def reading(
    question: str, words: str, *, mention: Mention = Mention.ASKED, more: tuple[StateEdit, ...] = ()
) -> Understanding:
    start = question.index(words)
    edit = StateEdit(kind=EditKind.ADD, key="others", text=words, span=(2, start, start + len(words)), mention=mention)
    return Understanding(intents=BOTH, edits=(edit, *more), questions=(question,))


@pytest.mark.parametrize(
    ("domain", "question", "words"),
    [
        ("movies", "Does the first one have any violence?", "violence"),
        ("movies", "is there gore?", "gore"),
        ("movies", "is it scary at night?", "scary at night"),
        ("movies", "is it the longest?", "longest"),
        ("books", "is it sad?", "sad"),
        ("books", "is it part of a series?", "part of a series"),
        ("anime", "does it have fan service?", "fan service"),
        ("anime", "does the second one have a happy ending?", "happy ending"),
        ("restaurants", "is the second one loud?", "loud"),
        ("restaurants", "is there a queue?", "queue"),
        ("restaurants", "is it expensive?", "expensive"),
    ],
)
def test_what_few_people_want_is_only_asked_about(domain: str, question: str, words: str) -> None:
    kept = without(reading(question, words), bundled_domain(domain))
    assert kept.edits == ()
    assert kept.intents == (Intent.INQUIRE,)
    assert kept.questions == (question,)


@pytest.mark.parametrize(
    ("domain", "question", "words"),
    [
        ("restaurants", "does it have parking?", "parking"),
        ("restaurants", "is it good for groups?", "good for groups"),
        ("restaurants", "is it quiet?", "quiet"),
        ("movies", "is it funny?", "funny"),
        ("movies", "is it good for children?", "good for children"),
        ("books", "does it have a brave girl in it?", "a brave girl"),
        ("anime", "is it about friendship?", "friendship"),
    ],
)
def test_what_people_want_is_a_wish_too(domain: str, question: str, words: str) -> None:
    asked = reading(question, words)
    assert without(asked, bundled_domain(domain)) == asked


def test_a_wish_that_is_stated_beside_the_question_stays_and_so_does_the_intent() -> None:
    stated = StateEdit(kind=EditKind.ADD, key="tone", text="gory", span=(2, 40, 44))
    kept = without(reading("is there any gore?", "gore", more=(stated,)), bundled_domain("movies"))
    assert kept.edits == (stated,)
    assert kept.intents == BOTH


def test_words_outside_the_question_are_no_question() -> None:
    """ "Not dark enough" is read like a question for dark, and is none."""
    edit = StateEdit(kind=EditKind.ADD, key="tone", text="dark", span=(2, 4, 8), mention=Mention.ASKED)
    asked = Understanding(intents=(*BOTH, Intent.REJECT), edits=(edit,), questions=("what else is there?",))
    assert without(asked, bundled_domain("movies")) == asked
    silent = Understanding(intents=(Intent.REJECT,), edits=(edit,))
    assert without(silent, bundled_domain("movies")) == silent


@pytest.mark.parametrize(("words", "standing"), [("romance", "no romance"), ("恋爱", "不要爱情")])
def test_asking_whether_the_unwanted_occurs_leaves_it_unwanted(words: str, standing: str) -> None:
    taken_back = StateEdit(kind=EditKind.DROP, key="content_limits", text=standing)
    asked = reading(f"{words}?", words, more=(taken_back,))
    assert without(asked, bundled_domain("movies")).edits == ()


def test_a_question_leaves_alone_what_is_taken_back_beside_it() -> None:
    taken_back = StateEdit(kind=EditKind.DROP, key="content_limits", text="no gore")
    asked = reading("does it have parking?", "parking", more=(taken_back,))
    assert len(without(asked, bundled_domain("restaurants")).edits) == 2

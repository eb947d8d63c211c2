"""What the state holds, in plain words."""

import pytest

from dialogue.domain import bundled_domain
from dialogue.models import Action, ConstraintValue, DialogueState, ItemRef, StatePart
from dialogue.recall import told
from tests.dialogue.town import REFS, Town

FILMS = bundled_domain("movies")
OLD, NEW = ItemRef(id="o", title="Dune", year=1984), ItemRef(id="n", title="Dune", year=2021)
STATE = DialogueState(
    hard_constraints={"era_year": (ConstraintValue(text="before 1990", span=(1, 0, 11)),)},
    soft_constraints={"tone": (ConstraintValue(text="slow", span=(1, 12, 16)),)},
    recommended_items=(OLD, NEW),
    rejected_items=(NEW,),
)


def test_wishes_are_told_by_their_strength_and_items_with_their_years() -> None:
    assert (
        told((StatePart.WISHES,), STATE, (), FILMS)[0] == 'What must hold: "before 1990". What you would like: "slow".'
    )
    assert told((StatePart.RECOMMENDED,), STATE, (), FILMS) == (
        "So far I have recommended Dune (1984) and Dune (2021).",
        (OLD, NEW),
    )
    assert told((StatePart.REJECTED,), STATE, (), FILMS) == ("You have turned down Dune (2021).", (NEW,))


@pytest.mark.parametrize("part", [part for part in StatePart if part is not StatePart.EVERYTHING])
def test_what_is_not_there_is_said_not_to_be(part: StatePart) -> None:
    reply, items = told((part,), DialogueState(), (), FILMS)
    assert any(word in reply for word in ("no ", "nothing", "not"))
    assert items == ()


def test_everything_holds_only_what_there_is() -> None:
    reply, _ = told((StatePart.EVERYTHING,), STATE, (OLD,), FILMS)
    assert all(
        words in reply for words in ("before 1990", "slow", "recommended", "turned down", "You know Dune (1984)")
    )
    assert told((StatePart.EVERYTHING,), DialogueState(), (), FILMS)[0] == "You have told me no wishes so far."


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What did I say I wanted?", ["quiet", "ramen", "Old Harbour"]),
        ("what are my wishes?", ["quiet"]),
        ("What do you know about me?", ["quiet", "Drum House"]),
        ("what have you recommended so far?", [REFS[0].title, REFS[1].title]),
        ("which ones did you suggest?", [REFS[0].title]),
        ("what did I reject?", ["Drum House"]),
        ("What did I turn down so far?", ["Drum House"]),
        ("which ones have I seen?", ["not told"]),
    ],
)
async def test_a_question_about_the_state_is_answered_from_it(town: Town, question: str, words: list[str]) -> None:
    await town.say("quiet ramen in Old Harbour")
    before = await town.say("not Drum House")
    view = await town.say(question)
    assert (view.intents, view.action, view.state) == ((), Action.ANSWER, before.state)
    assert all(word in view.reply for word in words)


def test_what_is_not_wanted_is_told_apart_and_not_denied_twice() -> None:
    values = {text: (ConstraintValue(text=text, span=(1, 0, 1)),) for text in ("no gore", "too long", "slow")}
    state = DialogueState(
        hard_constraints={"content_limits": values["no gore"]},
        soft_constraints={"length_format": values["too long"], "tone": values["slow"]},
    )
    reply, _ = told((StatePart.WISHES,), state, (), FILMS)
    assert reply == 'What you would like: "slow". What must not be: "gore". What you do not want: "too long".'

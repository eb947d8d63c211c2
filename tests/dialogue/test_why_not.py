"""Why something is not on the list: unknown, on it after all, judged, shown before, or ranked lower and why."""

import pytest

from dialogue.models import Action, Intent, TurnView
from dialogue.titles import find
from dialogue.why_not import kind_asked, title_asked
from pdgf.models import Candidate
from tests.dialogue.town import Town

REQUEST = "ramen in Old Harbour, quiet, with a terrace and parking"


@pytest.mark.parametrize(
    "question",
    [
        "why not The Long Quay?",
        "Why not “The Long Quay”?",
        "And why not The Long Quay?",
        "why isn't The Long Quay here?",
        "why is The Long Quay not on the list?",
        "why was The Long Quay left out?",
        "why didn't you recommend The Long Quay?",
        "why did you not suggest The Long Quay?",
        "how come The Long Quay isn't listed?",
        "how come you didn't show me The Long Quay?",
        "what's wrong with The Long Quay?",
        "what is wrong with The Long Quay?",
        "why no The Long Quay?",
    ],
)
def test_what_a_question_misses_on_the_list(question: str) -> None:
    assert title_asked(question) == "The Long Quay"


@pytest.mark.parametrize(
    "question",
    [
        "why not?",
        "why the first?",
        "why this one?",
        "is it The Long Quay?",
        "how long is it?",
        "why not something else?",
    ],
)
def test_other_questions_miss_nothing(question: str) -> None:
    assert title_asked(question) is None


def test_a_kind_of_item_is_no_title() -> None:
    assert kind_asked("why not something shorter?") == "something shorter"
    assert kind_asked("why not a comedy?") == "a comedy"
    assert title_asked("why not a comedy?") is None
    assert title_asked("why not A Separation?") == "A Separation"
    assert kind_asked("why not The Long Quay?") is None


FILMS = (
    Candidate(id="1", title="Dune", year=1984),
    Candidate(id="2", title="Dune", year=2021),
    Candidate(id="3", title="Princess Mononoke", year=1997, metadata={"other_titles": ["Mononoke-hime", "もののけ姫"]}),
    Candidate(id="4", title="The Lord of the Rings: The Return of the King", year=2003),
    Candidate(id="5", title="Alien", year=1979),
)


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("Dune", "12"),
        ("Dune (2021)", "2"),
        ("Dune from 1984", "1"),
        ("Dune (1990)", ""),
        ("mononoke-hime", "3"),
        ("もののけ姫", "3"),
        ("Princes Mononoke", "3"),
        ("The Lord of the Rings", "4"),
        ("Aliens of London", ""),
        ("alien", "5"),
        ("Ran", ""),
    ],
)
def test_an_item_is_named_by_any_title_with_a_slip_or_by_its_year(words: str, ids: str) -> None:
    assert "".join(item.id for item in find(words, FILMS)) == ids


async def asked(town: Town, question: str) -> TurnView:
    view = await town.say(question)
    assert view.action is Action.ANSWER
    assert view.intents == (Intent.INQUIRE,)
    return view


async def test_an_item_on_the_list_is_said_to_be_there_with_its_reasons(town: Town) -> None:
    await town.say(REQUEST)
    view = await asked(town, "why not Drum House?")
    assert view.reply.startswith("“Drum House” is on the list, at place 2.")
    assert "The terrace is small." in [source.quote for source in view.sources]


@pytest.mark.parametrize("title", ["Old Loft", "old loft", "Old Lofft"])
async def test_a_lower_item_is_told_with_its_place_and_what_it_lacks(town: Town, title: str) -> None:
    await town.say(REQUEST)
    found = await town.conversations.recommendation(town.thread)
    assert found is not None
    place = [item.candidate.title for item in found.items].index("Old Loft") + 1
    view = await asked(town, f"why not {title}?")
    assert f"“Old Loft” came at place {place} of the {len(found.items)} that I ranked." in view.reply
    assert '"terrace"' in view.reply
    assert "not on the list" not in view.reply


async def test_a_broken_condition_is_told_with_what_the_item_has(town: Town) -> None:
    await town.say(REQUEST)
    view = await asked(town, "why isn't Far Mill on the list?")
    assert "It breaks a condition: Location: Mill Quarter (you asked for Old Harbour)." in view.reply


async def test_what_nobody_knows_is_said_to_be_unknown_without_reasons_for_others(town: Town) -> None:
    await town.say(REQUEST)
    view = await asked(town, "why not Copper Rain?")
    assert view.reply == "I do not know “Copper Rain”; it is not among the restaurants I have."
    assert view.sources == ()


async def test_what_was_turned_down_taken_or_shown_before_is_said_to_be_so(town: Town) -> None:
    first = [item["title"] for item in (await town.say(REQUEST)).items]
    await town.say("not the first")
    second = [item["title"] for item in (await town.say("more")).items]
    assert (await asked(town, f"why not {first[0]}?")).reply == f"You turned “{first[0]}” down, so I leave it out."
    assert f"I have shown you “{first[1]}” already" in (await asked(town, f"why not {first[1]}?")).reply
    await town.say("I'll take the second")
    assert f"You have taken “{second[1]}” already" in (await asked(town, f"why not {second[1]}?")).reply


async def test_an_item_that_was_not_ranked_is_labelled_for_the_same_wishes_in_one_call(town: Town) -> None:
    await town.say("vegan, anywhere in town")
    listed = await town.say("anything goes")
    assert [item["title"] for item in listed.items] == ["Blue Bowl"]  # nothing else has vegan broth
    calls = town.agent.calls["label_relations"]
    view = await asked(town, "why not Drum House?")
    assert view.reply == (
        "“Drum House” is not among the best that I found for these wishes. "
        'Nothing I know of it speaks of "vegan", as something does for Blue Bowl.'
    )
    assert town.agent.calls["label_relations"] == calls + 1


async def test_a_kind_can_be_had_for_the_asking(town: Town) -> None:
    await town.say(REQUEST)
    assert "say that you want something quieter" in (await town.say("why not something quieter?")).reply


async def test_before_any_list_nothing_has_been_left_out(town: Town) -> None:
    view = await town.say("why not Drum House?")
    assert "have not ranked anything yet" in view.reply


async def test_downsides_are_what_speaks_against(town: Town) -> None:
    await town.say(REQUEST)
    view = await asked(town, "what's wrong with the first?")
    assert view.reply == f"{view.state.recommended_items[0].title} – nothing I know of it speaks against your wishes."

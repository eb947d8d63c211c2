"""What tells of the teller makes no wish: company, courtesy, time, talk to the system. What can be judged stays."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from pdgf.engines.builtin.asides import asides
from pdgf.engines.builtin.reading import Analysis
from pdgf.models import Polarity

Read = Callable[[str], Analysis]


def wishes(analysis: Analysis) -> list[str]:
    return [("-" if node.polarity is Polarity.AVOID else "") + node.instantiation for node in analysis.nodes]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Dinner with my parents, Italian or Thai, somewhere with parking.", ["Dinner", "Italian or Thai", "parking"]),
        ("For my mum it must be wheelchair accessible.", ["wheelchair accessible"]),
        ("Lunch with a friend, vegetarian.", ["Lunch", "vegetarian"]),
        ("Brunch with two old friends and my sister, with a terrace.", ["Brunch", "terrace"]),
        ("Dinner for my parents and my brother in North Quay.", ["Dinner", "North Quay"]),
        ("A comedy to watch with my girlfriend.", ["comedy"]),
        ("With colleagues, quiet.", ["quiet"]),
        ("It's my dad's birthday, ravioli please.", ["ravioli"]),
        ("A mystery for my older sister's birthday.", ["mystery"]),
        ("A slow mystery for someone special.", ["slow", "mystery"]),
        ("Something warm for a rainy weekend.", ["warm"]),
        ("A table for two friends of mine, quiet.", ["quiet"]),
    ],
)
def test_company_and_circumstances_are_no_wishes_and_swallow_none(read: Read, text: str, found: list[str]) -> None:
    said = [wish for wish in wishes(read(text)) if wish != "special"]
    assert said == found


@pytest.mark.parametrize(
    ("text", "wish", "perspective"),
    [
        ("For my kids.", "kids", "audience"),
        ("Something for the children.", "children", "audience"),
        ("For my six-year-old nephew.", "six-year-old", "audience"),
        ("For my daughter, who is seven.", "daughter, who is seven", "audience"),
        ("Somewhere for a date.", "a date", "atmosphere"),
        ("For our anniversary.", "anniversary", "atmosphere"),
        ("A place for six people.", "six people", "audience"),
        ("A table for eight.", "table for eight", "audience"),
        ("For a big group of friends.", "group", "audience"),
        ("For my teenage son.", "teenage", "audience"),
        ("My wife is vegan.", "vegan", "diet"),
        ("I'm a vegetarian.", "vegetarian", "diet"),
    ],
)
def test_company_that_says_something_of_the_item_is_a_wish(read: Read, text: str, wish: str, perspective: str) -> None:
    assert [(node.instantiation, node.perspective) for node in read(text).nodes] == [(wish, perspective)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A comedy about a family.", ["comedy", "family"]),
        ("Two sisters and their mother.", ["sisters", "mother"]),
        ("A mystery about friends.", ["mystery", "friends"]),
    ],
)
def test_the_people_of_a_story_stay(read: Read, text: str, found: list[str]) -> None:
    assert wishes(read(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("No romance at all, sorry.", ["-romance"]),
        ("Sorry, something funny, please, thanks.", ["funny"]),
        ("Hmm, I guess something slow, you know.", ["slow"]),
        ("To be honest, a super funny film, kind of sad.", ["funny", "sad"]),
        ("Something warm, if you don't mind.", ["warm"]),
    ],
)
def test_courtesy_hesitation_and_degrees_are_no_wishes(read: Read, text: str, found: list[str]) -> None:
    assert wishes(read(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "thanks!",
        "ok cool",
        "Great, perfect.",
        "what else can you do",
        "undo that",
        "take that back",
        "Let's talk about films instead",
        "Can we talk about books?",
        "I'd like to talk about anime now",
        "hmm, you know",
    ],
)
def test_talk_to_the_system_has_no_wish(read: Read, text: str) -> None:
    assert read(text).nodes == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "I had three days off and the other night my sister said I never watch anything new. Something slow.",
            ["slow"],
        ),
        ("I work long shifts as a nurse and I'm tired. Something gentle.", ["gentle"]),
        ("We moved to a small town last year and I was lonely. A comedy.", ["comedy"]),
        ("I'm sad today. I want something funny.", ["funny"]),
        ("My boss talked for hours about his yacht. A mystery, please.", ["mystery"]),
        ("Not older than me (I'm 30), funny.", ["funny"]),
        ("My book club meets on Thursday and we read a thing last month. Something short.", ["short"]),
        ("A few weeks ago my brother went to the mountains. Something about music.", ["music"]),
        ("After my father's death I'd like something gentle.", ["gentle"]),
        ("Something gentle after my father's death.", ["gentle"]),
        ("During our honeymoon in Paris we want a comedy.", ["comedy"]),
        ("We got divorced last year. A film that cheers me up.", ["cheers"]),
        ("My dog died last week and I need something warm.", ["warm"]),
        ("I lost my job, so something uplifting.", ["uplifting"]),
        ("I broke up with my boyfriend and want a comedy.", ["comedy"]),
        ("After my father's death I can't read anything heavy.", ["-heavy"]),
    ],
)
def test_what_tells_of_the_tellers_life_makes_no_node(read: Read, text: str, found: list[str]) -> None:
    assert wishes(read(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I watched a documentary last week and liked the slow pace.", ["documentary", "slow pace"]),
        ("I'm a huge fan of westerns.", ["westerns"]),
        ("I am in the mood for horror.", ["horror"]),
        ("Two people who talk through one night.", ["talk", "night"]),
        ("We would go to a quiet place.", ["quiet"]),
        ("A story about grief after a father's death.", ["grief", "father's death"]),
        ("Something for after my kids are in bed.", ["kids", "bed"]),
    ],
)
def test_what_the_teller_likes_or_asks_for_stays(read: Read, text: str, found: list[str]) -> None:
    assert wishes(read(text)) == found


def test_asides_are_in_order_and_apart() -> None:
    found = asides(
        "Thanks, dinner with my mum and dad please, sorry, undo that. With a friend of mine, the other night."
    )
    assert found == sorted(found)
    assert all(before[1] <= after[0] for before, after in pairwise(found))

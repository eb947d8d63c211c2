"""What is taken, what is only a remark, and what is neither."""

import pytest

from dialogue.engines.cues import Act, Part, parts_of, states_a_wish
from dialogue.engines.remarks import with_remarks


def acts(text: str) -> set[Act]:
    return {act for part in parts_of(text, shown=True, asked=False) for act in part.acts}


@pytest.mark.parametrize(
    "text",
    [
        "I will have to check Paddington out",
        "we've been meaning to go there",
        "let me try that one",
        "I'll read that soon",
        "looking forward to seeing it",
        "sounds like a plan",
        "looks like something we would enjoy",
        "I'm very interested",
        "I bet I will, thanks",
    ],
)
def test_somebody_means_to_have_what_was_shown(text: str) -> None:
    assert Act.ACCEPT in acts(text)


@pytest.mark.parametrize(
    "text", ["I want to buy a green kettle", "we'd order some dumplings", "I'm interested in a western"]
)
def test_a_thing_of_any_kind_that_is_sought_is_not_taken(text: str) -> None:
    assert acts(text) == {Act.WISH}


@pytest.mark.parametrize("text", ["I'll order that", "I will book a table", "we'll rent the second"])
def test_what_is_pointed_at_is_taken(text: str) -> None:
    assert Act.ACCEPT in acts(text)


@pytest.mark.parametrize(
    "text",
    [
        "I have never heard of that one",
        "we haven't seen either of them",
        "did you like it",
        "have you seen the new one",
        "the soundtrack was lovely",
        "that place is always packed",
        "no worries",
        "sadly I haven't",
        "oooh",
        "very interesting",
        "overrated",
    ],
)
def test_a_remark_holds_no_wish(text: str) -> None:
    assert Act.WISH not in acts(text)


@pytest.mark.parametrize(
    "text",
    [
        "I haven't seen a good western in ages",
        "do you know any quiet places",
        "I would love a funny one",
        "something cosy",
        "the food is important to me",
    ],
)
def test_a_wish_that_opens_like_a_remark_is_a_wish(text: str) -> None:
    assert Act.WISH in acts(text)


def test_to_watch_what_was_shown_states_no_taste() -> None:
    assert not states_a_wish("I want to watch that")
    assert not states_a_wish("we need to see Paddington")
    assert states_a_wish("we want to see a western")


def told(text: str, *named: str) -> list[Part]:
    whole = Part(span=(0, len(text)), acts=frozenset({Act.WISH}))
    return with_remarks(text, [whole], [(text.index(name), text.index(name) + len(name)) for name in named])


@pytest.mark.parametrize("text", ["Paddington was charming", "Yes, Paddington (2014) looks sweet"])
def test_what_an_item_is_like_is_a_remark(text: str) -> None:
    assert [part.acts for part in told(text, "Paddington")] == [{Act.REMARK}]


@pytest.mark.parametrize(
    "text", ["Paddington is more what I want", "something like Paddington", "I love that Paddington is charming"]
)
def test_an_item_that_tells_what_is_wanted_is_no_remark(text: str) -> None:
    assert [part.acts for part in told(text, "Paddington")] == [{Act.WISH}]
    assert [part.acts for part in told("Paddington was charming")] == [{Act.WISH}]

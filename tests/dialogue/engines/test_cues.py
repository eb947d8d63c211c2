"""What the parts of an utterance do, by cue rules."""

import pytest

from dialogue.engines.cues import Act, parts_of, states_a_wish

ACCEPT, REJECT, OBJECT, WISH = Act.ACCEPT, Act.REJECT, Act.OBJECT, Act.WISH


def acts(text: str, *, shown: bool = True, asked: bool = False) -> set[Act]:
    return set().union(*(part.acts for part in parts_of(text, shown=shown, asked=asked)), set())


def focus(text: str, *, shown: bool = True) -> list[str]:
    return [text[slice(*part.focus)] for part in parts_of(text, shown=shown, asked=False) if part.focus != (0, 0)]


@pytest.mark.parametrize(
    "text",
    [
        "I'll take the first",
        "sounds great, thanks",
        "ok, adding it to my list",
        "that works for us",
        "perfect!",
        "👍",
        "let's go with that one",
        "I will definitely check it out",
        "great choice",
        "yes",
        "ok, sure",
        "We'll book a table there",
        "the second looks lovely",
        "I'd love to try that",
        "count me in",
    ],
)
def test_taking(text: str) -> None:
    found = acts(text)
    assert Act.ACCEPT in found
    assert not found & {REJECT, OBJECT}


@pytest.mark.parametrize(
    "text",
    [
        "nah",
        "no",
        "No thanks.",
        "none of these",
        "👎",
        "not my thing",
        "I don't like the third one",
        "pass",
        "not really into that",
        "that looks terrible",
        "it doesn't appeal to me",
        "I'm not a fan of this one",
        "we'd rather not",
        "get rid of the second",
    ],
)
def test_turning_down(text: str) -> None:
    found = acts(text)
    assert REJECT in found
    assert Act.ACCEPT not in found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("too loud", ["too loud"]),
        ("Probably too expensive, what else?", ["too expensive"]),
        ("that one is far too long for me", ["too long"]),
        ("not quiet enough", ["quiet"]),
        ("it isn't funny enough", ["funny"]),
    ],
)
def test_objecting_names_what_is_too_much_or_too_little(text: str, words: list[str]) -> None:
    assert {REJECT, OBJECT} <= acts(text)
    assert focus(text) == words


@pytest.mark.parametrize(
    "text", ["nothing too scary", "it shouldn't be too long", "not too loud please", "I like pizza too"]
)
def test_a_wish_against_too_much_objects_to_nothing(text: str) -> None:
    assert OBJECT not in acts(text)


def test_nothing_can_be_objected_to_before_a_list() -> None:
    assert acts("too loud", shown=False) == {WISH}


@pytest.mark.parametrize(
    ("text", "asked_for"),
    [
        ("does the second have parking?", ["parking"]),
        ("Do any of them have vegan options?", ["vegan options"]),
        ("is it romantic?", ["romantic"]),
        ("is there outdoor seating there?", ["outdoor seating"]),
        ("is it expensive?", []),
        ("is it too sad for a ten-year-old?", []),
        ("how much is it?", []),
        ("which is quieter?", []),
        ("tell me more about the second", []),
        ("I wonder if they take cards", []),
    ],
)
def test_asking_about_what_was_shown_and_what_is_wished_with_it(text: str, asked_for: list[str]) -> None:
    assert acts(text) == {Act.QUESTION}
    assert focus(text) == asked_for


@pytest.mark.parametrize(
    "text",
    [
        "can you recommend a comedy?",
        "do you have anything cheaper?",
        "what about something in Riverside?",
        "any good thrillers?",
        "how are you?",
        "have you seen it?",
        "I'm looking for a quiet place?",
    ],
)
def test_requests_and_small_talk_are_no_questions_about_the_list(text: str) -> None:
    assert Act.QUESTION not in acts(text)


def test_the_question_of_a_longer_sentence_is_its_last_clause() -> None:
    parts = parts_of("maybe the last one, but does it have wifi?", shown=True, asked=False)
    assert [part.acts for part in parts] == [{WISH}, {Act.QUESTION}]


@pytest.mark.parametrize(
    "text", ["more", "show me more", "what else?", "any other options?", "another one please", "next"]
)
def test_asking_for_more(text: str) -> None:
    assert Act.CONTINUE in acts(text) or acts(text) == {REJECT}


@pytest.mark.parametrize("text", ["start over", "forget everything", "let's start from scratch", "reset", "new search"])
def test_starting_over(text: str) -> None:
    assert acts(text) == {Act.START_OVER}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("forget the romance", "romance"),
        ("I don't care about the price anymore", "price anymore"),
        ("never mind the parking", "parking"),
        ("parking doesn't matter", "parking"),
        ("no need for parking", "parking"),
        ("I'm fine even if it has no patio", "it has no patio"),
    ],
)
def test_taking_a_wish_back(text: str, what: str) -> None:
    assert acts(text) == {Act.FORGET}
    assert focus(text) == [what]


def test_a_list_is_taken_back_whole_and_what_comes_instead_is_a_wish() -> None:
    text = "forget the opera, the bagpipes and the haggis. Seafood"
    parts = parts_of(text, shown=True, asked=False)
    assert [part.acts for part in parts] == [{Act.FORGET}, {Act.FORGET}, {WISH}]
    assert focus(text) == ["opera", "the bagpipes and the haggis."]
    assert [part.acts for part in parts_of("forget the pizza, ramen instead", shown=True, asked=False)] == [
        {Act.FORGET},
        {WISH},
    ]


@pytest.mark.parametrize("text", ["forget the second", "skip that one", "drop it"])
def test_dropping_an_item_is_turning_it_down(text: str) -> None:
    assert acts(text) == {REJECT}


@pytest.mark.parametrize(
    "text", ["I've seen that", "I already know the first", "seen it", "we have been there already"]
)
def test_knowing_already(text: str) -> None:
    assert acts(text) == {Act.SEEN}


def test_not_knowing_yet_turns_nothing_down() -> None:
    assert REJECT not in acts("No, I haven't seen that one")
    assert Act.SEEN not in acts("I haven't seen that one")


@pytest.mark.parametrize("text", ["anything", "I don't mind", "no", "whatever", "you choose", "no preference"])
def test_leaving_our_question_open(text: str) -> None:
    assert acts(text, shown=False, asked=True) == {Act.INDIFFERENT}


@pytest.mark.parametrize("text", ["hi", "Hello!", "thanks", "Thank you so much, bye!", "Hi, how are you?"])
def test_courtesy(text: str) -> None:
    assert acts(text) == {Act.COURTESY}


@pytest.mark.parametrize("text", ["that was okay", "you've been great", "It's a classic"])
def test_a_remark_states_no_wish(text: str) -> None:
    assert acts(text) == {Act.REMARK}
    assert acts("It's for my mother") == {WISH}


@pytest.mark.parametrize(
    "text", ["quiet ramen in Old Harbour", "something quieter", "it must be under two hours", "less violent"]
)
def test_all_else_is_a_wish(text: str) -> None:
    assert acts(text) == {WISH}


def test_several_acts_stand_side_by_side() -> None:
    assert acts("The first looks good but I don't like the second") == {ACCEPT, REJECT}
    assert acts("Not for me. Does the third have parking?") == {REJECT, Act.QUESTION}
    assert acts("That sounds good. Can you suggest one more?") == {ACCEPT, Act.CONTINUE}


def test_a_part_of_cue_words_only_is_bare() -> None:
    def bare(text: str) -> list[bool]:
        return [part.bare for part in parts_of(text, shown=True, asked=False)]

    assert bare("none of these, thanks") == [True, False]
    assert bare("I don't like horror") == [False]
    assert bare("what else?") == [True]


def test_words_that_state_a_wish() -> None:
    assert states_a_wish("I'm looking for something")
    assert states_a_wish("can you recommend a film")
    assert not states_a_wish("that was fun")

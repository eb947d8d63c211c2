"""The state written by hand: what it changes, and every way in which it is refused, with the line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.domain import bundled_domain
from dialogue.edits import LONGEST, MOST, Act, Edit
from dialogue.models import ConstraintValue, DialogueState, ItemRef
from dialogue.ui.state_text import LISTS, LONGEST_TEXT, STRENGTHS, TOLD, choices_of, edits_of, keys_of, refusal, written
from dialogue.ui.texts import page_texts

TEXTS = page_texts()
DOMAIN = bundled_domain("restaurants")


def value(text: str) -> ConstraintValue:
    return ConstraintValue(text=text, span=(1, 0, len(text)))


STATE = DialogueState(
    hard_constraints={"location": (value("Old Harbour"),), "others": (value("parking"),)},
    soft_constraints={"atmosphere": (value("quiet"),)},
    recommended_items=(ItemRef(id="p1", title="Lantern Room"), ItemRef(id="p2", title="Drum House", year=2001)),
    rejected_items=(ItemRef(id="p2", title="Drum House", year=2001),),
)


def changed(**rows: Any) -> str:
    return json.dumps({**json.loads(written(STATE)), **rows}, indent=2, ensure_ascii=False)


def edits(text: str) -> list[Edit]:
    found, problems = edits_of(text, STATE, DOMAIN, TEXTS)
    assert problems == []
    return found


def problems(text: str) -> list[str]:
    found, why = edits_of(text, STATE, DOMAIN, TEXTS)
    assert found == []
    return why


def test_what_is_shown_changes_nothing_when_it_is_applied() -> None:
    assert edits(written(STATE)) == []
    assert set(json.loads(written(STATE))) == set(DialogueState.model_fields)


def test_the_state_as_the_commands_print_it_is_read_as_well() -> None:
    assert edits(json.dumps(STATE.model_dump(mode="json"))) == []


def test_a_value_that_is_gone_is_dropped_a_new_one_added_a_moved_one_weighed() -> None:
    text = changed(
        hard_constraints={"others": ["Parking", "a terrace."], "location": []},
        soft_constraints={"location": ["Old  Harbour"]},
    )
    assert edits(text) == [
        Edit(act=Act.DROP, key="atmosphere", text="quiet"),
        Edit(act=Act.NICE, key="location", text="Old  Harbour"),
        Edit(act=Act.ADD, key="others", words="a terrace", hard=True),
    ]


def test_an_item_can_leave_a_list_and_none_can_enter() -> None:
    assert edits(changed(rejected_items=[])) == [
        Edit(act=Act.FORGET, key="rejected_items", item="p2", text="Drum House")
    ]
    assert problems(changed(accepted_items=[{"id": "p9", "title": "Invented"}])) == [
        "Line 34: from “accepted_items” you can only take items out."
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Line 1: this is no valid JSON (Expecting value)."),
        ('{\n "hard_constraints": {},,\n}', "Line 2: this is no valid JSON"),
        ("[]", "Line 1: write one object, in braces, with the five keys."),
        ('"words"', "Line 1: write one object, in braces, with the five keys."),
        (changed(wishes={}), "there is no “wishes” here. The keys are: hard_constraints, soft_constraints"),
        (changed(hard_constraints=[]), "Line 2: “hard_constraints” holds an object"),
        (changed(hard_constraints={"location": "Old Harbour"}), "Line 3: “location” holds a list of wishes"),
        (changed(hard_constraints={"others": [7]}), "Line 3: “others” holds a list of wishes"),
        (changed(hard_constraints={"mood": ["cosy"]}), "Line 3: there is no key “mood”. The keys are: location"),
        (changed(hard_constraints={"others": [" . "]}), "Line 3: write a few words for the wish."),
        (
            changed(hard_constraints={"others": ["x" * (LONGEST + 1)]}),
            "Line 3: a wish of 201 characters is too long; 200",
        ),
        (changed(soft_constraints={"others": ["Parking"]}), "a wish under “others” stands there twice."),
        (changed(soft_constraints={"location": ["Mill Quarter"]}), "“location” holds one wish at a time."),
        (changed(rejected_items={}), "from “rejected_items” you can only take items out."),
    ],
)
def test_what_cannot_be_read_is_refused_in_words_with_its_line(text: str, why: str) -> None:
    assert any(why in problem and problem.startswith("Line ") for problem in problems(text))


def test_what_is_missing_is_named_and_no_line_that_it_does_not_stand_in() -> None:
    found = problems('{\n"hard_constraints": {}}')
    assert found[0] == "“soft_constraints” is missing. To empty it, leave it there with nothing in it."
    assert len(found) == 4
    assert not any("Line" in problem for problem in found)


def test_all_problems_are_named_at_once() -> None:
    found = problems(changed(hard_constraints={"mood": ["cosy"], "others": [""]}, soft_constraints=[], wishes={}))
    assert len(found) == 4


def test_two_values_that_stand_under_a_key_of_one_may_stay() -> None:
    state = STATE.model_copy(
        update={"hard_constraints": {"location": (value("Old Harbour"), value("not Mill Quarter"))}}
    )
    assert edits_of(written(state), state, DOMAIN, TEXTS) == ([], [])


SIGNS = ["p1", "\ud83d", "\x00", "id", "text", *keys_of(DOMAIN)]
ANY_TEXT = st.text(st.characters(), max_size=20) | st.sampled_from(SIGNS)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**4000) | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)
STATES = st.fixed_dictionaries(
    {name: st.dictionaries(ANY_TEXT, ANY_JSON | st.lists(ANY_TEXT, max_size=3), max_size=3) for name in STRENGTHS}
    | {name: st.lists(st.dictionaries(ANY_TEXT, ANY_JSON, max_size=2) | ANY_JSON, max_size=3) for name in LISTS}
)


def as_json(value: Any, *, ascii_only: bool) -> str:
    """JSON with numbers of any length."""
    text = json.dumps(value, ensure_ascii=ascii_only, default=str)
    return text.replace(f"1{'0' * 4000}", "1" * 5000)


@given(st.text(st.characters(), max_size=60) | st.builds(as_json, ANY_JSON | STATES, ascii_only=st.booleans()))
def test_any_text_is_either_taken_or_refused_in_words_that_can_be_shown_and_stored(text: str) -> None:
    found, why = edits_of(text, STATE, DOMAIN, TEXTS)
    assert not (found and why)
    for words in [*why, *(edit.model_dump_json() for edit in found)]:
        words.encode()
        assert "\x00" not in words


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("9" * 5000, "Line 1: write one object"),
        (changed(recommended_items=[{"id": []}]), "from “recommended_items” you can only take items out."),
        (changed(accepted_items=[{"id": {}}, 3]), "from “accepted_items” you can only take items out."),
        (changed(hard_constraints={"location": [10**4000]}), "“location” holds a list of wishes"),
        ("[" * 100_000, "Line 1: write one object"),
    ],
)
def test_what_only_a_program_would_write_is_refused_in_words_too(text: str, why: str) -> None:
    assert why in problems(text)[0]


def test_half_a_sign_is_replaced_and_nothing_of_the_wish_is_lost() -> None:
    text = changed(hard_constraints={"location": ["Old Harbour"], "others": ["parking", "a \ud83d terrace"]})
    assert edits(text) == [Edit(act=Act.ADD, key="others", words="a \ufffd terrace", hard=True)]
    assert (
        Edit(act=Act.REWORD, words="a\ud800", text="b\udc00", key="\x00").model_dump_json()
        == Edit(act=Act.REWORD, words="a\ufffd", text="b\ufffd", key="\ufffd").model_dump_json()
    )


def test_neither_endless_text_nor_endless_wishes_are_read() -> None:
    assert problems(" " * (LONGEST_TEXT + 1)) == [
        f"This text has {LONGEST_TEXT + 1} characters; {LONGEST_TEXT} are the most that I read."
    ]
    wishes = [f"wish {number}" for number in range(MOST + 1)]
    assert problems(changed(soft_constraints={"others": wishes}, hard_constraints={})) == [
        f"{MOST + 1} wishes are too many; {MOST} are the most."
    ]
    assert len(edits(changed(soft_constraints={"others": wishes[: MOST - 4]}))) == MOST - 4 + 1
    anew = changed(soft_constraints={"others": wishes[:MOST]}, hard_constraints={})
    assert problems(anew) == [f"{MOST + 3} changes are too many at once; {MOST} are the most. Make some of them first."]
    assert len(problems(changed(**{f"name {number}": [] for number in range(20_000 // 10)}))) == TOLD


def test_whoever_has_more_wishes_than_can_be_written_at_once_can_still_take_some_away() -> None:
    many = tuple(value(f"wish {number}") for number in range(MOST + 20))
    state = DialogueState(soft_constraints={"others": many})
    rows = json.loads(written(state))
    rows["soft_constraints"]["others"].pop()
    found, why = edits_of(json.dumps(rows), state, DOMAIN, TEXTS)
    assert (found, why) == ([Edit(act=Act.DROP, key="others", text=f"wish {MOST + 19}")], [])


def test_keys_are_offered_by_name_and_the_kind_of_item_is_none_of_them() -> None:
    assert choices_of(DOMAIN, TEXTS)[0] == ("Location", "location")
    assert choices_of(DOMAIN, TEXTS)[-1] == ("Other", "others")
    films = bundled_domain("movies")
    assert "domain" in keys_of(films)
    assert "domain" not in [key for _, key in choices_of(films, TEXTS)]
    named = set(TEXTS["state"]["keys"])
    assert named >= {
        key for name in ("movies", "books", "anime", "restaurants") for key in keys_of(bundled_domain(name))
    }


def test_a_wish_to_add_is_checked_by_key_and_words() -> None:
    assert refusal("others", "parking", DOMAIN, TEXTS) == ""
    assert "no key “mood”" in refusal("mood", "cosy", DOMAIN, TEXTS)
    assert refusal("others", " ", DOMAIN, TEXTS) == "write a few words for the wish."

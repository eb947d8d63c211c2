"""The tab of the state: which wish stands under which heading, what can be done to it, and that none is left out."""

import json
import re
from html import unescape
from typing import Any

import pytest

from dialogue.models import ConstraintValue, DialogueState, ItemRef
from dialogue.ui.state_view import Brought, render_state
from dialogue.ui.texts import page_texts

TEXTS = page_texts()


def state(hard: tuple[str, ...] = (), soft: tuple[str, ...] = (), **lists: Any) -> DialogueState:
    values = {
        name: {"others": tuple(ConstraintValue(text=text, span=(1, 0, 1)) for text in texts)}
        for name, texts in (("hard_constraints", hard), ("soft_constraints", soft))
    }
    return DialogueState(**values, **lists)


def rows_of(html: str) -> dict[str, list[str]]:
    """The entries under each heading."""
    rows = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", html, re.DOTALL)
    return {heading: re.findall(r"<li>\s*<span>(.*?)(?: <small>.*?)?</span>", held) for heading, held in rows}


@pytest.mark.parametrize(
    ("refused", "named"),
    [
        ("too long", "too long"),
        ("Too violent", "Too violent"),
        ("no gore", "gore"),
        ("not romance", "romance"),
        ("not too bleak", "too bleak"),
        ("太长", "太长"),
        ("不要血腥", "血腥"),
        ("不爱情", "爱情"),
    ],
)
@pytest.mark.parametrize("hard", [False, True])
def test_what_is_refused_stands_under_what_is_not_wanted_and_is_not_denied_twice(
    refused: str, named: str, hard: bool
) -> None:
    held = state(hard=("under two hours", refused), soft=("banter",)) if hard else state(soft=("banter", refused))
    rows = rows_of(render_state(held, TEXTS))
    assert rows["You do not want"] == [named]
    assert rows["You would like"] == ["banter"]
    assert rows["You must have"] == (["under two hours"] if hard else [])


@pytest.mark.parametrize("kept", ["less noisy", "not longer than 120 minutes", "quiet", "安静"])
def test_a_limit_or_a_comparison_is_something_that_is_wanted(kept: str) -> None:
    assert rows_of(render_state(state(soft=(kept,)), TEXTS))["You would like"] == [kept]


def test_beside_a_wish_stands_only_a_column_of_a_catalogue_of_ones_own_or_that_it_is_a_must() -> None:
    values = {
        "tone": (ConstraintValue(text="by the sea", span=(1, 0, 1)),),
        "difficulty": (ConstraintValue(text="hard", span=(1, 0, 1)), ConstraintValue(text="no luck", span=(1, 0, 1))),
    }
    html = render_state(DialogueState(hard_constraints=values), TEXTS)
    assert re.findall(r"<span>(.*?)</span>", html) == [
        "by the sea",
        "hard <small>difficulty</small>",
        "luck <small>difficulty, a must</small>",
    ]


def test_every_wish_and_every_item_stands_there_once_and_can_be_taken_out() -> None:
    wishes = {"hard": ("a", "no b", "安静"), "soft": ("c", "too d", "less e")}
    taken, refused, known = (ItemRef(id=name, title=name) for name in ("taken", "refused", "known"))
    held = state(**wishes, accepted_items=(taken,), rejected_items=(refused,))
    html = render_state(held, TEXTS, [known])
    listed = [entry for entries in rows_of(html).values() for entry in entries]
    assert sorted(listed) == sorted(("a", "b", "安静", "c", "too d", "less e", "taken", "refused", "known"))
    edits = [json.loads(unescape(edit)) for edit in re.findall(r'data-edit="(.*?)"', html)]
    removed = {edit["text"] for edit in edits if edit["act"] in ("drop", "forget")}
    assert removed == {*wishes["hard"], *wishes["soft"], "taken", "refused", "known"}
    assert {(edit["key"], edit["item"]) for edit in edits if edit["text"] == "known"} == {("seen", "known")}


def test_a_list_of_ones_own_stands_there_with_how_many_are_known_here_and_each_can_be_taken_off() -> None:
    html = render_state(state(), TEXTS, (), Brought([ItemRef(id="m1", title="Heat", year=1995)], 340))
    heading = "You know already, by your list of 340 (known here: 1)"
    assert rows_of(html)[heading] == ["Heat"]
    [edit] = [json.loads(unescape(edit)) for edit in re.findall(r'data-edit="(.*?)"', html)]
    assert edit == {"key": "brought", "text": "Heat", "item": "m1", "act": "forget"}
    assert not any("by your list" in heading for heading in rows_of(render_state(state(), TEXTS)))


def test_a_chinese_page_calls_items_by_the_names_its_readers_know() -> None:
    held, names = state(accepted_items=(ItemRef(id="m1", title="Alien", year=1979),)), {"Alien": "异形"}
    assert rows_of(render_state(held, page_texts("zh"), names=names))["你选了"] == ["异形"]
    assert rows_of(render_state(held, TEXTS, names=names))["You took"] == ["Alien"]

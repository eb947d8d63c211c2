"""JSON values moved towards the type that was asked for, and no further."""

import json
from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError

from pdgf.errors import ReplyUnusable
from pdgf.llm.fitting import fitted, sole_list
from pdgf.llm.replies import read_reply
from pdgf.models import Label, Value

SILENT = Label.NOT_ADDRESSED


class Stars(IntEnum):
    ONE = 1
    TWO = 2


class Part(Value):
    pair_number: int
    label: Label = Label.PARTIAL


class Whole(Value):
    parts: list[Part] = Field(default_factory=list)
    name: str = ""
    share: float = 0.0
    hard: bool = False
    year: int | None = None
    kind: Literal["book", "TV series"] = "book"
    stars: Stars = Stars.ONE
    span: tuple[int, int] = (0, 0)
    words: tuple[str, ...] = ()
    either: int | Part | None = None
    marks: dict[Label, float] = Field(default_factory=dict)
    noted: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=3)] = Field(default_factory=list)


def read(**fields: Any) -> Whole:
    return read_reply(json.dumps(fields), Whole)


@pytest.mark.parametrize(
    ("given_fields", "wanted"),
    [
        ({"PARTS": [], "Name": "x"}, {"name": "x"}),
        ({"parts": [{"Pair Number": 1}]}, {"parts": [Part(pair_number=1)]}),
        ({"parts": [{"pairNumber": 1}]}, {"parts": [Part(pair_number=1)]}),
        ({"parts": [{"pair-number": "2"}]}, {"parts": [Part(pair_number=2)]}),
        ({"parts": {"pair_number": 1, "why": "extra"}}, {"parts": [Part(pair_number=1)]}),
        ({"parts": None, "words": None, "noted": None}, {}),
        ({"parts": [{"pair_number": 1.0}]}, {"parts": [Part(pair_number=1)]}),
        ({"parts": [{"pair_number": 1, "label": "support"}]}, {"parts": [Part(pair_number=1, label="SUPPORT")]}),
        ({"parts": [{"pair_number": 1, "label": "Not addressed."}]}, {"parts": [Part(pair_number=1, label=SILENT)]}),
        ({"name": 7}, {"name": "7"}),
        ({"name": 7.5}, {"name": "7.5"}),
        ({"share": "0.25"}, {"share": 0.25}),
        ({"share": 1}, {"share": 1.0}),
        ({"year": " 1995 "}, {"year": 1995}),
        ({"year": "-3.0"}, {"year": -3}),
        ({"year": None}, {}),
        ({"kind": "tv-series"}, {"kind": "TV series"}),
        ({"stars": "2"}, {"stars": Stars.TWO}),
        ({"span": ["1", 2.0]}, {"span": (1, 2)}),
        ({"words": ["a", 1]}, {"words": ("a", "1")}),
        ({"either": "4"}, {"either": 4}),
        ({"either": {"PAIR_NUMBER": "4"}}, {"either": Part(pair_number=4)}),
        ({"marks": {"support": "1", "Not Addressed": 0}}, {"marks": {Label.SUPPORT: 1.0, Label.NOT_ADDRESSED: 0.0}}),
        ({"noted": ["1", 2]}, {"noted": [1, 2]}),
        ({"unknown": {"deep": [1]}}, {}),
        ({"hard": "True"}, {"hard": True}),
        ({"name": None}, {}),
        ({"span": None}, {}),
    ],
    ids=str,
)
def test_what_is_meant_beyond_doubt_is_mended(given_fields: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert read(**given_fields) == Whole(**wanted)


@pytest.mark.parametrize(
    ("given_fields", "at_fault"),
    [
        ({"hard": 1}, "hard"),
        ({"year": True}, "year"),
        ({"year": 1.5}, "year"),
        ({"year": "about 1995"}, "year"),
        ({"year": "9" * 30}, "year"),
        ({"name": ["x"]}, "name"),
        ({"name": True}, "name"),
        ({"words": "a"}, "words"),
        ({"parts": "none"}, "parts"),
        ({"parts": [None]}, "parts[0]"),
        ({"parts": [{}]}, "parts[0].pair_number"),
        ({"parts": [{"pair_number": 1, "label": "SUPPORTS"}]}, "parts[0].label"),
        ({"parts": [{"pair_number": 1, "label": ""}]}, "parts[0].label"),
        ({"share": "25 %"}, "share"),
        ({"share": "1_0"}, "share"),
        ({"span": [1]}, "span"),
        ({"noted": [-1]}, "noted[0]"),
        ({"noted": [1, 2, 3, 4]}, "noted"),
        ({"stars": 3}, "stars"),
        ({"either": "x"}, "either"),
    ],
    ids=str,
)
def test_everything_else_is_refused(given_fields: dict[str, Any], at_fault: str) -> None:
    with pytest.raises(ReplyUnusable) as raised:
        read(**given_fields)
    assert str(raised.value).startswith(at_fault)


def test_the_exact_key_wins_over_a_re_cased_one() -> None:
    assert read(name="exact", Name="other").name == "exact"


def test_two_re_cased_keys_with_different_values_are_refused() -> None:
    assert read(NAME="same", Name="same").name == "same"
    with pytest.raises(ReplyUnusable, match="name is given twice"):
        read(NAME="one", Name="another")


class Twins(Value):
    pair_no: int
    pairno: int


class Aliased(Value):
    text: str = Field(alias="Text of it")


def test_a_folded_key_that_two_fields_share_is_no_key() -> None:
    assert fitted({"pair_no": "1", "pairno": "2", "PAIR NO": 3}, Twins) == {"pair_no": 1, "pairno": 2}


def test_an_alias_is_the_key() -> None:
    assert fitted({"text_of_it": 1}, Aliased) == {"Text of it": "1"}


@pytest.mark.parametrize(
    ("value", "wanted", "fit"),
    [
        ({"a": "1"}, Mapping[str, int], {"a": 1}),
        ({"x": 1}, list[dict[str, str]], [{"x": "1"}]),
        ({"pair_number": 1}, list[Part | None], [{"pair_number": 1}]),
        ({"x": 1}, list[str], {"x": 1}),
        ("3", Any, "3"),
        (None, list, []),
        (["1"], set[int], [1]),
    ],
)
def test_annotations_of_every_kind_are_followed(value: Any, wanted: Any, fit: Any) -> None:
    assert fitted(value, wanted) == fit


def test_the_sole_list_is_the_one_a_bare_list_can_stand_for() -> None:
    class Lists(Value):
        parts: list[Part]
        note: str = ""

    class NeedsMore(Value):
        parts: list[Part]
        note: str

    assert sole_list(Lists) == "parts"
    assert sole_list(NeedsMore) is None
    assert sole_list(Whole) is None


VALID = st.builds(
    Whole,
    parts=st.lists(st.builds(Part, pair_number=st.integers(-(10**9), 10**9), label=st.sampled_from(Label)), max_size=3),
    name=st.text(alphabet="abc 12.é"),
    share=st.floats(0, 1),
    year=st.none() | st.integers(0, 3000),
    kind=st.sampled_from(["book", "TV series"]),
    stars=st.sampled_from(Stars),
    words=st.lists(st.text(alphabet="xyz")).map(tuple),
    either=st.none() | st.integers(0, 9) | st.builds(Part, pair_number=st.integers(0, 9)),
    marks=st.dictionaries(st.sampled_from(Label), st.floats(0, 1)),
)


@given(VALID)
def test_a_valid_reply_is_left_as_it_is(reply: Whole) -> None:
    value = reply.model_dump(mode="json")
    assert Whole.model_validate_json(json.dumps(fitted(value, Whole)), strict=True) == reply


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(Whole.model_fields)), inner),
    max_leaves=10,
)


@given(JSON)
def test_fitting_never_fails_and_fitting_twice_changes_nothing(value: Any) -> None:
    once = fitted(value, Whole)
    assert fitted(once, Whole) == once
    try:
        reply = Whole.model_validate_json(json.dumps(once), strict=True)
    except ValidationError:
        return
    assert isinstance(reply, Whole)

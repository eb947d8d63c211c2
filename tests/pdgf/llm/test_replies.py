"""Texts of models -> JSON objects -> checked replies (RELIABILITY 4.5 and 6.1)."""

import json
import random
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator

from pdgf.errors import ReplyUnusable
from pdgf.llm.replies import MAX_CHARS, MAX_DEPTH, MAX_REPAIR_CHARS, read_object, read_reply
from pdgf.models import Label, Value
from tests.pdgf.llm.mutations import SAMPLES, LabelsReply, Sample, cut, harmless, mutated

GOOD = '{"pairs": [{"pair_number": 1, "label": "SUPPORT", "quote": "slow"}]}'
DECOY = '{"pairs": [{"pair_number": 9, "label": "CONTRADICTS", "quote": "decoy"}]}'
WANTED = LabelsReply.model_validate_json(GOOD)

MUTATED = 10_000


def reason_for(text: str, reply_type: type[BaseModel] = LabelsReply) -> str:
    with pytest.raises(ReplyUnusable) as raised:
        read_reply(text, reply_type)
    return str(raised.value)


def test_ten_thousand_mutated_replies_are_read_as_what_was_asked_for_or_refused() -> None:
    outcomes: Counter[str] = Counter()
    reasons: set[str] = set()
    for number in range(MUTATED):
        sample = SAMPLES[number % len(SAMPLES)]
        text = mutated(sample, random.Random(number))
        try:
            reply = read_reply(text, sample[0])
        except ReplyUnusable as error:
            outcomes["refused"] += 1
            reasons.add(str(error))
        else:
            outcomes["read"] += 1
            assert sample[0].model_validate_json(reply.model_dump_json(), strict=True) == reply
            reply.model_dump_json().encode()
    assert sum(outcomes.values()) == MUTATED
    assert all(0 < len(reason) < 1_500 for reason in reasons)
    assert min(outcomes["read"], outcomes["refused"]) > MUTATED / 10


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample[0].__name__)
def test_a_reply_in_another_order_case_and_wrapping_is_the_same_reply(sample: Sample) -> None:
    wanted = sample[0].model_validate_json(json.dumps(sample[1]))
    for number in range(200):
        assert read_reply(harmless(sample, random.Random(number)), sample[0]) == wanted


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample[0].__name__)
def test_a_reply_cut_anywhere_is_refused(sample: Sample) -> None:
    text = json.dumps(sample[1])
    for length in range(len(text)):
        with pytest.raises(ReplyUnusable):
            read_reply(text[:length], sample[0])


@pytest.mark.parametrize("broken", [GOOD.replace("}]", "},]"), GOOD[:-1] + ",}"])
@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "{}"])
def test_c01_json_in_a_friendly_sentence_a_fence_and_with_a_trailing_comma_is_recovered(
    broken: str, fence: str
) -> None:
    text = f"Of course, happy to help!\n{fence.replace('{}', broken)}\nLet me know if you need more."
    assert read_reply(text, LabelsReply) == WANTED


@pytest.mark.parametrize(
    "text",
    [
        f"<think>perhaps {DECOY}</think>{GOOD}",
        f"<thinking>\n{DECOY}\n</thinking>\n\n```json\n{GOOD}\n```",
        f"<Reasoning>{DECOY}</Reasoning> {GOOD}",
        f"◁think▷{DECOY}◁/think▷{GOOD}",
        f"[THINK]{DECOY}[/THINK]{GOOD}",
        f"<|channel|>analysis<|message|>{DECOY}<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}",
        f"{DECOY} was my first idea.</think>{GOOD}",
        f'it could be {{"pairs": "unfinished </think>{GOOD}',
        f"<think>I may write <think> again</think> {DECOY}</think>{GOOD}",
        f"{GOOD}<think>or rather {DECOY}",
        f"{GOOD}\n<think>or rather {DECOY}</think>",
    ],
)
def test_c03_the_decoy_in_a_thinking_block_is_never_used(text: str) -> None:
    assert read_reply(text, LabelsReply) == WANTED


@pytest.mark.parametrize("text", [f"<think>{DECOY}", f"{DECOY}</think>", f"<think>{DECOY}</think> Done."])
def test_c03_thinking_alone_is_no_reply(text: str) -> None:
    assert reason_for(text) == "the reply holds no JSON object"


@pytest.mark.parametrize("half", ["\\ud83d", "\ud83d", "\\u0000", "\x00"])
def test_c05_half_a_surrogate_pair_and_nul_are_taken_out_and_the_rest_is_kept(half: str) -> None:
    reply = read_reply(GOOD.replace("slow", f"sl{half}ow 😀 \\ud83d\\ude00"), LabelsReply)
    assert reply.pairs[0].quote == "slow 😀 😀"
    assert reply.model_dump_json().encode()


def test_the_last_of_several_objects_is_the_reply() -> None:
    assert read_object(f"The shape is {DECOY}, so:\n{GOOD}") == json.loads(GOOD)


def test_an_empty_object_in_a_remark_is_not_the_reply() -> None:
    assert read_object(f"{GOOD}\nAn empty {{}} would have been wrong.") == json.loads(GOOD)


def test_an_example_is_not_used_when_the_reply_after_it_is_cut() -> None:
    assert "not complete" in reason_for(f"The shape is {DECOY}, so:\n{GOOD[:-4]}")


def test_the_items_of_a_cut_reply_are_not_taken_for_the_reply() -> None:
    two = '{"pairs": [{"pair_number": 1, "label": "SUPPORT"}, {"pair_number": 2, '
    with pytest.raises(ReplyUnusable, match="not complete"):
        read_object(two)


@pytest.mark.parametrize("inner", [DECOY, "} ] {", "```", "</think>", "<think>", "\\", '"'])
def test_an_object_or_a_mark_inside_a_string_is_text(inner: str) -> None:
    assert read_object(f"Here: {json.dumps({'quote': inner})} Done.") == {"quote": inner}


@pytest.mark.parametrize("text", [f"{{{GOOD}}}", f"[{GOOD}]", f"{{curly}} [1] {GOOD} [2] {{x}}"])
def test_brackets_around_and_beside_the_reply_do_no_harm(text: str) -> None:
    assert read_object(text) == json.loads(GOOD)


def test_a_bare_list_is_wrapped_only_under_a_key_that_was_given() -> None:
    items = [{"a": 1}, {"a": 2}]
    assert read_object(f"Here: {json.dumps(items)}", wrap_key="pairs") == {"pairs": items}
    assert read_object("[1, 2]", wrap_key="order") == {"order": [1, 2]}
    with pytest.raises(ReplyUnusable, match="one JSON object was asked for"):
        read_object(json.dumps(items))


def test_a_bare_list_is_taken_for_the_only_list_of_a_reply() -> None:
    assert read_reply(json.dumps(json.loads(GOOD)["pairs"]), LabelsReply) == WANTED


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{'a': 'it\\'s', 'b': True, 'c': None}", {"a": "it's", "b": True, "c": None}),
        ('{"a": 1, "b": [1, 2}', {"a": 1, "b": [1, 2]}),
        ('{"a": {"b": 0.50},}', {"a": {"b": 0.5}}),
        ('{"a": "so "quick" and slow",}', {"a": 'so "quick" and slow'}),
        ('{"a": "line\nline"}', {"a": "line\nline"}),
        ('{"a": "caf\\u00e9 \\n",}', {"a": "café"}),
        ('{a: 1, "b": 2}', {"a": 1, "b": 2}),
    ],
)
def test_what_is_nearly_json_is_mended(text: str, wanted: dict[str, Any]) -> None:
    assert read_object(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"b": 1}, {"b": 2}]}',  # json_repair would merge the second item into the reply
        '{"a": [{"b": 1}, ...]}',  # the model itself left items out
        '{"a": "quick, and "sharp\\"", "b": 0.5,}',  # json_repair would drop words and the second key
        '{"a": 1, "a": 2,}',  # and the first of two equal keys
    ],
)
def test_a_repair_that_would_lose_something_is_refused(text: str) -> None:
    with pytest.raises(ReplyUnusable):
        read_object(text)


def test_a_key_with_two_values_is_refused_and_one_given_twice_alike_is_not() -> None:
    with pytest.raises(ReplyUnusable, match='"a" is given twice'):
        read_object('{"a": 1, "a": 2}')
    assert read_object('{"a": 1, "a": 1}') == {"a": 1}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5_000, str(2**63)])
@pytest.mark.parametrize("after", ["", ","])
def test_a_number_that_no_store_can_hold_is_refused(number: str, after: str) -> None:
    with pytest.raises(ReplyUnusable):
        read_reply(f'{{"pairs": [{{"pair_number": {number}, "label": "SUPPORT"}}{after}]}}', LabelsReply)


def test_the_largest_number_that_can_be_kept_is_read() -> None:
    assert read_object(f'{{"a": {2**63 - 1}}}') == {"a": 2**63 - 1}


@pytest.mark.parametrize("opener", ['{"a":', "[", '{"a":['])
def test_nesting_beyond_the_limit_is_refused(opener: str) -> None:
    for depth in (MAX_DEPTH + 1, 1_000, 100_000):
        with pytest.raises(ReplyUnusable):
            read_object('{"a":' + opener * depth)
    deepest = MAX_DEPTH - 1
    assert read_object('{"a":' + "[" * deepest + "]" * deepest + "}")


def test_a_reply_longer_than_a_million_characters_is_refused_and_one_below_is_read() -> None:
    assert "longer than 1,000,000" in reason_for(GOOD + " " * MAX_CHARS)
    text = json.dumps({"a": "x" * (MAX_CHARS - 100)})
    assert len(read_object(text)["a"]) == MAX_CHARS - 100


def test_a_long_reply_is_mended_of_trailing_commas_only() -> None:
    items = ", ".join(["1"] * MAX_REPAIR_CHARS)
    assert len(read_object(f'{{"a": [{items},]}}')["a"]) == MAX_REPAIR_CHARS
    with pytest.raises(ReplyUnusable, match="cannot be parsed"):
        read_object(f'{{"a": [{items} 1]}}')
    assert read_object('{"a": [1, 1 1]}') == {"a": [1, 1, 1]}


@pytest.mark.parametrize("text", ["", "  \n", "\ufeff"])
def test_an_empty_reply_says_so(text: str) -> None:
    assert reason_for(text) == "the reply is empty"


def test_the_reason_lists_the_fields_and_not_what_was_given() -> None:
    private = "I live in Gower Street"
    text = json.dumps({"pairs": [{"pair_number": private, "label": private}, {"pair_number": 2}]})
    reason = reason_for(text)
    assert reason.startswith("pairs[0].pair_number: Input should be a valid integer; pairs[0].label: Input should be ")
    assert reason.endswith("pairs[1].label: Field required")
    assert "Gower" not in reason


def test_the_reason_names_five_fields_and_counts_the_rest() -> None:
    reason = reason_for(json.dumps({"pairs": [{"pair_number": 1, "label": "?"}] * 12}))
    assert reason.count("label") == 5
    assert reason.endswith("and 7 more")


class Quoting(Value):
    title: str

    @field_validator("title")
    @classmethod
    def no_title_at_all(cls, title: str) -> str:
        raise ValueError(f"{title} is no title")


def test_a_validator_that_quotes_the_input_is_cut_to_eighty_characters() -> None:
    assert reason_for(json.dumps({"title": "x" * 500}), Quoting) == "title: Value error, " + "x" * (80 - 13)


class Open(Value):
    by_key: dict[str, Label]


def test_a_long_key_in_a_path_is_cut() -> None:
    assert len(reason_for(json.dumps({"by_key": {"k" * 500: "?"}}), Open)) < 250


@given(st.text(max_size=300) | st.text(alphabet="{}[]\":,\\'` a1<>/think\n", max_size=300))
def test_any_text_is_an_object_or_refused(text: str) -> None:
    try:
        found = read_object(text, wrap_key="items")
    except ReplyUnusable:
        return
    assert json.loads(json.dumps(found)) == found


WORDS = st.text(alphabet='abcé安{}[]":,\\/<>think` ', max_size=12).map(str.strip)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(WORDS, VALUES, min_size=1, max_size=4)


@given(OBJECTS, st.sampled_from(["", "Here: ", "```json\n", "<think>{}</think>"]), st.sampled_from(["", "\n```"]))
def test_any_object_is_read_as_it_was_written(wanted: dict[str, Any], before: str, after: str) -> None:
    assert read_object(before + json.dumps(wanted) + after) == wanted
    assert read_object(before + json.dumps(wanted, ensure_ascii=False, indent=2) + after) == wanted


@given(OBJECTS, OBJECTS)
def test_no_object_inside_thinking_is_ever_read(thought: dict[str, Any], said: dict[str, Any]) -> None:
    assert read_object(f"<think>{json.dumps(thought)}</think>{json.dumps(said)}") == said


@given(OBJECTS, st.randoms(use_true_random=False))
def test_a_cut_object_is_refused(wanted: dict[str, Any], draw: random.Random) -> None:
    text = cut(json.dumps(wanted)[:-1], draw)
    with pytest.raises(ReplyUnusable):
        read_object(text)


@given(OBJECTS)
def test_trailing_commas_change_nothing(wanted: dict[str, Any]) -> None:
    closers = re.compile(r'("(?:[^"\\]|\\.)*")|(?<=[^{\[])(?=[}\]])')
    loose = closers.sub(lambda found: found[1] or ",", json.dumps(wanted))
    assert read_object(loose) == wanted

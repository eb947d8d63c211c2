"""Thinking is taken out of prose, however its pieces are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.llm.thinking import ThinkingFilter, thinks_unopened, without_thinking

TAGS = ["<think>", "</think>", "<Thinking>", "</THINKING>", "[THINK]", "[/THINK]", "◁think▷", "◁/think▷"]
CHANNELS = ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>"]
PARTS = st.sampled_from([*TAGS, *CHANNELS, "< think", "<", "[", "◁", "b<c", "a", " ", "\n"])


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Plain.", "Plain."),
        ("<think>no</think>\n\nYes.", "Yes."),
        ("<think>no</think>Yes.<think>again</think> And yes.", "Yes. And yes."),
        ("no, no</think>Yes.", "Yes."),
        ("Yes.<think>never closed", "Yes."),
        ("<think>only thinking", ""),
        ("[THINK]no[/THINK]Yes.", "Yes."),
        ("<|channel|>analysis<|message|>no<|channel|>final<|message|>Yes.", "Yes."),
        ("1 < 2 and <b>bold</b>", "1 < 2 and <b>bold</b>"),
        ("ends with <thin", "ends with <thin"),
        ("", ""),
    ],
)
def test_what_is_shown_of_a_reply(said: str, shown: str) -> None:
    assert without_thinking(said) == shown


@given(st.lists(PARTS, max_size=12), st.data())
def test_a_reply_in_pieces_is_shown_as_the_whole_reply_is(parts: list[str], data: st.DataObject) -> None:
    said = "".join(parts)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(said)), max_size=6)))
    pieces = [said[start:end] for start, end in zip([0, *cuts], [*cuts, len(said)], strict=True)]
    seen = ThinkingFilter(unopened=thinks_unopened(said))
    assert "".join([seen.feed(piece) for piece in pieces]) + seen.close() == without_thinking(said)


@given(st.text(alphabet=st.characters(exclude_characters="<[◁")))
def test_a_reply_without_tags_loses_only_white_space_at_its_beginning(said: str) -> None:
    assert without_thinking(said) == said.lstrip()


@given(st.lists(PARTS, max_size=12))
def test_nothing_between_tags_of_thinking_is_shown(parts: list[str]) -> None:
    said = "".join(f"<think>{part.replace('</', '').replace('[/', '').replace('◁/', '')}" for part in parts)
    shown = without_thinking(said.replace("<|channel|>final<|message|>", "") + "</think>end")
    assert shown == "end"


def test_pieces_are_given_as_soon_as_they_are_certain() -> None:
    seen = ThinkingFilter()
    assert [seen.feed(piece) for piece in ("Yes", " <", "b", "> no", "<thi", "nk>x</", "think>!")] == [
        "Yes",
        " ",
        "",
        "<b> no",
        "",
        "",
        "!",
    ]


def test_an_unmarked_beginning_is_noticed_when_it_was_shown_already() -> None:
    seen = ThinkingFilter()
    assert seen.feed("Hmm, decoy") == "Hmm, decoy"
    assert not seen.unopened_seen
    seen.feed("</think>Yes.")
    assert seen.unopened_seen


def test_held_back_thinking_is_given_in_the_end_if_there_was_none() -> None:
    seen = ThinkingFilter(unopened=True)
    assert seen.feed("Yes, ") == ""
    assert seen.feed("all of it.") == ""
    assert seen.close() == "Yes, all of it."

"""What an edit by hand brings along: told as it is, before and after, and nothing where no other wish changes."""

from typing import Any

import pytest

from dialogue import wording
from dialogue.edits import Act, Edit
from dialogue.side_effects import TOLD, brought_along, stands, told
from pdgf.models import Node, Polarity, PreferenceGraph, QualificationEdge
from tests.dialogue.test_editing import REQUEST, edit, nodes, on
from tests.dialogue.town import Town


def node(words: str, *, id: str = "", **more: Any) -> Node:
    return Node(id=id or words, atom="a", perspective="tone", instantiation=words, **more)


def graph(*wishes: Node, edges: tuple[tuple[str, str], ...] = ()) -> PreferenceGraph:
    return PreferenceGraph(
        narrative="",
        nodes=wishes,
        edges=tuple(QualificationEdge(base=base, qualifier=qualifier) for base, qualifier in edges),
        order=tuple(wish.id for wish in wishes),
    )


SLOW, ROMANCE, THREAD = node("slow"), node("romance"), node("side thread", hard=True)
EDGES = (("romance", "slow"), ("romance", "side thread"))
BEFORE = graph(SLOW, ROMANCE, THREAD, edges=EDGES)
DROP = Edit(act=Act.DROP, node="romance", text="romance")


@pytest.mark.parametrize(
    ("after", "act", "said"),
    [
        (BEFORE, Act.MUST, []),
        (graph(node("slow", hard=True), ROMANCE, THREAD, edges=EDGES), Act.MUST, ["“slow” is a must"]),
        (graph(SLOW, ROMANCE, node("side thread"), edges=EDGES), Act.NICE, ["“side thread” is nice to have"]),
        (
            graph(node("slow", id="other", polarity=Polarity.AVOID), THREAD),
            Act.AVOID,
            ["“slow” is to be avoided", "no wish is narrowed by “slow” or “side thread” any more"],
        ),
        (graph(SLOW), Act.DROP, ["“side thread” is gone", "no wish is narrowed by “slow” any more"]),
        (
            graph(node("slow", id="other"), THREAD, edges=(("other", "side thread"),)),
            Act.DROP,
            ["“slow” is narrowed by “side thread”"],
        ),
        (
            graph(SLOW, THREAD, node("short"), edges=()),
            Act.DROP,
            ["“short” is there now", "no wish is narrowed by “slow” or “side thread” any more"],
        ),
    ],
)
def test_other_wishes_are_told_as_they_stand_otherwise(after: PreferenceGraph, act: Act, said: list[str]) -> None:
    assert sorted(brought_along(BEFORE, after, [Edit(act=act, node="romance", text="romance")])) == sorted(said)


def test_the_wish_that_was_edited_is_no_side_effect_under_whatever_id_it_comes_back() -> None:
    turned = graph(node("romance", id="new", polarity=Polarity.AVOID), SLOW, THREAD, edges=())
    clauses = brought_along(graph(SLOW, ROMANCE, THREAD), turned, [Edit(act=Act.AVOID, node="romance")])
    assert clauses == []


def test_a_value_edited_in_the_state_is_no_side_effect_of_itself() -> None:
    after = graph(SLOW, node("romance", hard=True))
    edited = Edit(act=Act.MUST, key="genre", text="Romance")
    assert brought_along(graph(SLOW, ROMANCE), after, [edited]) == []


def test_many_changes_are_told_as_far_as_they_can_be_read() -> None:
    wishes = [node(f"wish {number}") for number in range(TOLD + 3)]
    clauses = brought_along(graph(ROMANCE, *wishes), graph(), [DROP])
    assert told("edit.along", clauses).endswith("“wish 5” is gone and 3 more changes.")
    assert told("edit.along", []) == ""


def test_it_is_told_in_chinese_too() -> None:
    with wording.speaking("zh"):
        clauses = brought_along(BEFORE, graph(node("slow", hard=True)), [DROP])
        assert told("edit.along", clauses).startswith("其他要求也有变化：「side thread」没有了、「slow」改为必须")


async def test_what_was_foreseen_is_what_comes(town: Town) -> None:
    """For every wish and every button: nothing is said before that does not happen, and nothing happens unsaid."""
    first = await town.say(REQUEST)
    found = await town.conversations.recommendation(town.thread)
    assert found is not None
    for row in first.graph.graph["nodes"]:
        for act in (Act.DROP, Act.NICE if row["hard"] else Act.MUST, Act.AVOID):
            made = on(first, act, row["instantiation"].lower())
            foreseen = await town.conversations.foreseen(town.thread, [made])
            assert foreseen is not None
            view = await edit(town, made)
            came = {(n["id"], n["hard"], n["polarity"]) for n in nodes(view).values()}
            assert {(n.id, n.hard, n.polarity.value) for n in foreseen.nodes} == came
            await town.conversations.undo(town.thread)
    assert (await town.conversations.history(town.thread))[-1] == first


async def test_before_anything_was_recommended_nothing_is_foreseen(town: Town) -> None:
    assert await town.conversations.foreseen(town.thread, [DROP]) is None


@pytest.mark.parametrize(
    ("after", "act", "holds"),
    [
        (graph(node("slow", polarity=Polarity.AVOID)), Act.AVOID, True),
        (graph(node("too slow", polarity=Polarity.AVOID)), Act.AVOID, True),
        (graph(SLOW), Act.AVOID, False),
        (graph(ROMANCE), Act.AVOID, False),
        (graph(SLOW), Act.WANT, True),
        (graph(node("slow", hard=True)), Act.MUST, True),
        (graph(SLOW), Act.MUST, False),
        (graph(ROMANCE), Act.DROP, True),
    ],
)
def test_a_wish_stands_as_it_was_made_only_where_it_is_read_so_afterwards(
    after: PreferenceGraph, act: Act, holds: bool
) -> None:
    assert stands(BEFORE, after, Edit(act=act, node="slow", text="slow")) is holds

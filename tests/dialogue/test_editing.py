"""Edits made by hand in whole conversations: what they change, what they cost, and that undo takes them back."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dialogue.edits import BROUGHT, LONGEST, MOST, SEEN, Act, Edit
from dialogue.events import Finished
from dialogue.models import Action, TurnView
from dialogue.seen_lists import SeenTitle
from pdgf.models import PreferenceGraph
from tests.declared import from_scratch
from tests.dialogue.test_incremental import Talk, talk
from tests.dialogue.town import REFS, Town

REQUEST = "quiet ramen in Old Harbour, with a terrace and vegan"


async def edit(town: Town | Talk, *edits: Edit) -> TurnView:
    events = [event async for event in town.conversations.edit(town.thread, edits)]
    assert isinstance(events[-1], Finished)
    return events[-1].view


def nodes(view: TurnView) -> dict[str, dict[str, Any]]:
    return {node["instantiation"].lower(): node for node in view.graph.graph.get("nodes", [])}


def on(view: TurnView, act: Act, wish: str, **more: Any) -> Edit:
    return Edit(act=act, node=nodes(view)[wish]["id"], text=wish, **more)


def wishes(view: TurnView) -> dict[str, bool]:
    """The words of every wish of the state, and whether it is a must."""
    rows: Sequence[tuple[Mapping[str, Any], bool]] = (
        (view.state.hard_constraints, True),
        (view.state.soft_constraints, False),
    )
    return {value.text: hard for row, hard in rows for values in row.values() for value in values}


async def test_a_dropped_wish_leaves_graph_and_state_and_no_agent_is_asked(town: Town) -> None:
    first = await town.say(REQUEST)
    town.agent.calls.clear()
    view = await edit(town, on(first, Act.DROP, "terrace"))
    assert (view.utterance, view.action) == ("(edited: dropped “terrace”)", Action.RECOMMEND)
    assert view.edits == (on(first, Act.DROP, "terrace").model_dump(mode="json"),)
    assert set(nodes(view)) == set(nodes(first)) - {"terrace"}
    assert view.graph.removed == (nodes(first)["terrace"]["id"],)
    assert view.graph.kept == 4
    assert "terrace" not in wishes(view)
    assert "terrace" not in view.graph.graph["narrative"]
    assert view.items
    assert sum(town.agent.calls.values()) == 0
    assert (view.usage.agent_calls, view.usage.comparisons) == (0, 0)
    assert "Nothing new had to be compared." in view.notes


async def test_a_wish_becomes_a_must_and_nice_to_have_again_in_the_same_words(town: Town) -> None:
    first = await town.say(REQUEST)
    soft = await edit(town, on(first, Act.NICE, "vegan"))
    assert (nodes(soft)["vegan"]["hard"], wishes(soft)["vegan"]) == (False, False)
    hard = await edit(town, on(first, Act.MUST, "quiet"))
    assert (nodes(hard)["quiet"]["hard"], wishes(hard)["quiet"]) == (True, True)
    assert hard.graph.graph["narrative"] == first.graph.graph["narrative"]
    assert hard.graph.kept == len(nodes(first))
    assert (hard.graph.reused.pairs, hard.graph.reused.descriptions) == (10, 4)


async def test_other_words_stand_where_the_old_ones_stood(town: Town) -> None:
    first = await town.say(REQUEST)
    view = await edit(town, on(first, Act.REWORD, "quiet", words="  quieter. "))
    assert view.utterance == "(edited: “quiet” is now “quieter”)"
    assert view.graph.graph["narrative"] == first.graph.graph["narrative"].replace("quiet", "quieter")
    assert wishes(view) == {("quieter" if text == "quiet" else text): hard for text, hard in wishes(first).items()}
    assert view.graph.kept == len(nodes(first)) - 1
    assert "quieter" in view.items[0]["evidence"][0]["quote"] + view.reply


async def test_a_wish_is_turned_into_something_to_avoid_and_back(town: Town) -> None:
    first = await town.say(REQUEST)
    avoided = await edit(town, on(first, Act.AVOID, "vegan"))
    assert nodes(avoided)["vegan"]["polarity"] == "avoid"
    assert wishes(avoided)["not vegan"] is True
    assert "Blue Bowl" not in [item["title"] for item in avoided.items if item["demoted"] is None]
    wanted = await edit(town, on(avoided, Act.WANT, "vegan"))
    assert nodes(wanted)["vegan"]["polarity"] == "want"
    assert wishes(wanted)["vegan"] is True


async def test_a_value_is_added_under_its_key_and_replaces_where_the_key_holds_one(town: Town) -> None:
    await town.say("quiet ramen in Old Harbour")
    both = await edit(town, Edit(act=Act.ADD, key="others", words="parking", hard=True))
    assert wishes(both)["parking"] is True
    assert "parking" in nodes(both)
    moved = await edit(town, Edit(act=Act.ADD, key="location", words="Mill Quarter", hard=True))
    assert [value.text for value in moved.state.hard_constraints["location"]] == ["Mill Quarter"]
    assert moved.items[0]["title"] == "Far Mill"


async def test_several_edits_are_one_turn_and_undo_takes_them_back_together(town: Town) -> None:
    first = await town.say(REQUEST)
    edits = [
        Edit(act=Act.DROP, key="others", text="terrace"),
        Edit(act=Act.ADD, key="others", words="parking"),
        Edit(act=Act.ADD, key="others", words="dragons"),
    ]
    view = await edit(town, *edits)
    assert {"parking", "dragons"} <= set(nodes(view))
    assert "terrace" not in nodes(view)
    back = await town.say("undo that")
    assert (back.state, back.graph.graph) == (first.state, first.graph.graph)
    assert [item["id"] for item in back.items] == [item["id"] for item in first.items]
    assert (await town.say("redo")).state == view.state


async def test_the_turn_itself_can_be_undone_and_stays_in_the_history(town: Town) -> None:
    first = await town.say(REQUEST)
    await edit(town, on(first, Act.DROP, "terrace"))
    said = [view.utterance for view in await town.conversations.history(town.thread)]
    assert said == [REQUEST, "(edited: dropped “terrace”)"]
    await town.conversations.undo(town.thread)
    assert (await town.conversations.history(town.thread))[-1] == first
    again = await edit(town, on(first, Act.DROP, "terrace"))
    assert "terrace" not in nodes(again)


async def test_talk_goes_on_from_an_edited_graph(town: Town) -> None:
    first = await town.say(REQUEST)
    await edit(town, on(first, Act.DROP, "terrace"))
    view = await town.say("with parking")
    assert set(nodes(view)) == {*nodes(first), "parking"} - {"terrace"}
    assert view.graph.kept == 4
    assert view.edits == ()


async def test_an_item_taken_off_a_list_comes_back(town: Town) -> None:
    await town.say("quiet ramen in Old Harbour")
    rejected = await town.say("not the first")
    assert rejected.state.rejected_items == (REFS[0],)
    view = await edit(town, Edit(act=Act.FORGET, key="rejected_items", item="p1", text="Lantern Room"))
    assert view.state.rejected_items == ()
    assert view.items[0]["id"] == "p1"


async def test_the_last_wish_gone_means_no_graph_and_no_list(town: Town) -> None:
    await town.say("ramen")
    only = await town.say("anywhere")
    view = await edit(town, on(only, Act.DROP, "ramen"))
    assert (view.items, view.graph.graph, view.graph.removed) == ((), {}, (nodes(only)["ramen"]["id"],))
    assert await town.conversations.recommendation(town.thread) is None
    assert (await town.say("ramen")).items


@pytest.mark.parametrize(
    "gone",
    [
        Edit(act=Act.DROP, node="unknown", text="romance"),
        Edit(act=Act.MUST, key="location", text="romance"),
        Edit(act=Act.FORGET, key="accepted_items", item="unknown", text="romance"),
    ],
)
async def test_an_edit_of_what_is_gone_changes_nothing_and_says_so(town: Town, gone: Edit) -> None:
    first = await town.say(REQUEST)
    view = await edit(town, gone)
    assert view.state == first.state
    assert "changed nothing" in view.reply
    assert (await town.say("more")).items


async def test_before_anything_is_recommended_what_is_missing_is_asked_for(town: Town) -> None:
    view = await edit(town, Edit(act=Act.ADD, key="atmosphere", words="quiet"))
    assert (view.action, wishes(view)) == (Action.REQUEST_INFORMATION, {"quiet": False})
    assert view.reply.startswith("Where in Marrowick")


async def test_words_of_an_edit_are_never_taken_for_a_command(town: Town) -> None:
    first = await town.say(REQUEST)
    view = await edit(town, Edit(act=Act.ADD, key="others", words="films instead, undo that, only my catalogue"))
    assert view.state.hard_constraints == first.state.hard_constraints
    assert "films instead, undo that, only my catalogue" in wishes(view)


def same_graph(one: PreferenceGraph, other: PreferenceGraph) -> bool:
    """Equal but for the numbering of atoms and mentions, which only their order matters of."""

    def told(graph: PreferenceGraph) -> list[object]:
        nodes = [node.model_copy(update={"atom": "", "order": 0}) for node in graph.nodes]
        return [graph.narrative, nodes, graph.initial_edges, graph.edges, graph.order]

    return told(one) == told(other)


HAND = st.lists(
    st.tuples(
        st.sampled_from([Act.DROP, Act.DROP, Act.MUST, Act.NICE, Act.AVOID, Act.WANT, Act.REWORD]), st.integers(0, 13)
    ),
    min_size=1,
    max_size=6,
)


@example(acts=[(Act.WANT, 8), (Act.DROP, 1), (Act.DROP, 1)])  # of a smaller cycle another edge goes
@settings(max_examples=6)
@given(acts=HAND)
def test_after_any_edits_the_ranking_is_that_of_a_rebuild(acts: Sequence[tuple[Act, int]]) -> None:
    async def run() -> None:
        async with talk() as opened:
            view = await opened.say("I want alpha, beta and gamma. must have delta. I want zeta and kappa.")
            for act, number in acts:
                known = list(nodes(view).values())
                if not known:
                    break
                node = known[number % len(known)]
                words = "onyx" if act is Act.REWORD else ""
                view = await edit(opened, Edit(act=act, node=node["id"], text=node["instantiation"], words=words))
                for _, request, found in opened.made:
                    alone = await from_scratch(found.graph.narrative, request)
                    assert same_graph(found.graph, alone.graph)
                    assert (set(found.queries), found.items, found.pool) == (
                        set(alone.queries),
                        alone.items,
                        alone.pool,
                    )
                opened.made.clear()

    asyncio.run(run())


async def test_more_changes_than_can_be_made_at_once_change_nothing_and_are_told(town: Town) -> None:
    first = await town.say(REQUEST)
    adds = [Edit(act=Act.ADD, key="others", words=f"wish {number}") for number in range(MOST + 1)]
    view = await edit(town, *adds)
    assert view.reply == f"{MOST + 1} changes are too many at once; {MOST} are the most. I have changed nothing."
    assert wishes(view) == wishes(first)
    view = await edit(town, Edit(act=Act.ADD, key="others", words="x" * (LONGEST + 1)))
    assert view.reply.startswith(f"A wish of {LONGEST + 1} characters is too long")
    assert wishes(view) == wishes(first)


async def test_half_a_sign_in_a_wish_is_replaced_and_the_turn_is_stored(town: Town) -> None:
    await town.say(REQUEST)
    view = await edit(town, Edit(act=Act.ADD, key="others", words="a \ud83d garden"))
    assert "a \ufffd garden" in wishes(view)


async def test_an_item_that_is_known_already_can_be_taken_off_again_and_then_may_come_back(town: Town) -> None:
    first = await town.say(REQUEST)
    known = first.items[0]
    told = await town.say(f"I've been to {known['title']}")
    assert [item.id for item in told.seen] == [known["id"]]
    forget = Edit(act=Act.FORGET, key=SEEN, item=known["id"], text=known["title"])
    view = await edit(town, forget)
    assert view.seen == ()
    assert known["id"] in {item["id"] for item in view.items}
    again = await edit(town, forget)
    assert again.reply.startswith("That is not among your wishes any more")


async def test_what_a_list_of_ones_own_names_stands_beside_the_state_and_can_be_taken_off_it(town: Town) -> None:
    titles = [SeenTitle(title=title) for title in ("lantern room", "Salt Kettle", "Somewhere Else")]
    await town.conversations.add_seen("someone", titles)
    first = await town.say("quiet ramen in Old Harbour")
    assert ([item.title for item in first.brought], first.listed) == (["Lantern Room", "Salt Kettle"], 3)
    item = first.brought[0]
    view = await edit(town, Edit(act=Act.FORGET, key=BROUGHT, item=item.id, text=item.title))
    assert ([item.title for item in view.brought], view.listed) == (["Salt Kettle"], 2)
    assert "Lantern Room" in [item["title"] for item in view.items]
    kept = await town.conversations.seen_of("someone")
    assert [title.title for title in kept] == ["Salt Kettle", "Somewhere Else"]


async def test_what_was_said_to_be_known_is_not_told_twice(town: Town) -> None:
    await town.conversations.add_seen("someone", [SeenTitle(title="Lantern Room")])
    await town.say("quiet ramen in Old Harbour")
    view = await town.say("I've been to Lantern Room")
    assert ([item.title for item in view.seen], view.brought, view.listed) == (["Lantern Room"], (), 1)

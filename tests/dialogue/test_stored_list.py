"""A list of which some is turned down or known already: the rest stays where it is, and the free places are filled from
the stored ranking without any PDG-F call (DESIGN 4, METHOD 9.6, 10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.models import ItemRef
from dialogue.presenting import filled
from dialogue.ui.panels import picks_of
from tests.dialogue.town import Town

REQUEST = "ramen in Old Harbour"


def ref(name: str) -> ItemRef:
    return ItemRef(id=name, title=name)


async def picks(town: Town) -> list[str]:
    """The titles of the cards as they stand on the page."""
    return [item["title"] for item in picks_of(await town.conversations.history(town.thread))[1]]


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("said", ["Not for me: {title}", "not the {nth} one", "I've been to {title}"])
async def test_in_the_place_of_one_item_comes_the_next_of_the_ranking_and_the_others_stay(
    town: Town, said: str, place: int
) -> None:
    first = await town.say(REQUEST)
    before, calls, searches = await picks(town), dict(town.agent.calls), town.shelf.acquired
    view = await town.say(said.format(title=before[place], nth=("first", "second", "third")[place]))
    assert (dict(town.agent.calls), town.shelf.acquired) == (calls, searches)
    [new] = view.items
    assert new["title"] not in before
    assert await picks(town) == [*before[:place], new["title"], *before[place + 1 :]]
    lead = view.reply.partition("###")[0]
    assert before[place] in lead
    assert "next in the ranking" in lead
    assert "best" not in lead  # the place is that of what went, not its own
    assert f"### {place + 1}. {new['title']}" in view.reply
    assert [item["title"] for item in first.items] == before


async def test_what_was_put_in_is_the_one_that_its_place_names_from_then_on(town: Town) -> None:
    await town.say(REQUEST)
    [new] = (await town.say("not the second one")).items
    taken = await town.say("I'll take the second one")
    assert [item.title for item in taken.state.accepted_items] == [new["title"]]
    assert new["title"] in await picks(town)


async def test_two_of_three_are_replaced_in_order(town: Town) -> None:
    await town.say(REQUEST)
    before = await picks(town)
    view = await town.say("not the first and not the third")
    new = [item["title"] for item in view.items]
    assert len(new) == 2
    assert await picks(town) == [new[0], before[1], new[1]]


async def test_where_other_ones_are_asked_for_beside_it_a_whole_list_comes(town: Town) -> None:
    await town.say(REQUEST)
    before = await picks(town)
    view = await town.say("I've been to the second one, show me more")
    assert len(view.items) == 3
    assert {item["title"] for item in view.items}.isdisjoint(before)


async def test_a_reason_that_changes_the_wishes_brings_the_list_ranked_anew(town: Town) -> None:
    await town.say(REQUEST)
    view = await town.say("the second one is too loud, something quieter")
    assert len(view.items) > 1
    assert [item["id"] for item in view.items] == list(view.standing)


async def test_where_nothing_is_left_to_fill_a_place_the_others_stay_alone(town: Town) -> None:
    await town.say(REQUEST)
    seen: list[str] = await picks(town)
    for _ in range(8):
        view = await town.say(f"Not for me: {(await picks(town))[0]}")
        seen += [item["title"] for item in view.items]
    stands = await picks(town)
    assert not view.items or len(stands) == 1
    assert len(seen) == len(set(seen))


@given(st.lists(st.booleans(), max_size=6), st.integers(0, 6))
def test_what_stays_keeps_its_order_and_its_place_while_there_are_enough_new_ones(stay: list[bool], new: int) -> None:
    places = tuple(ref(f"old {at}") if stays else None for at, stays in enumerate(stay))
    items = [ref(f"new {at}") for at in range(new)]
    told = filled(places, items)
    assert [item for item in told if item in places] == [item for item in places if item]
    assert len(told) == min(len(places), len(places) - places.count(None) + new)
    if new >= places.count(None):
        assert all(place is None or told[at] == place for at, place in enumerate(places))

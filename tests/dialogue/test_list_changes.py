"""What a rejection with a reason changes in the list, and why each item went (METHOD 9.6)."""

from collections.abc import Mapping

import pytest

from dialogue import list_changes, wording
from dialogue.list_changes import Change
from dialogue.models import ItemRef
from pdgf.models import (
    Candidate,
    Evidence,
    Label,
    Node,
    Passage,
    Polarity,
    PreferenceGraph,
    RankedItem,
    RelationLabel,
    Source,
)
from tests.dialogue.town import Town

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS
GRAPH = PreferenceGraph(
    narrative="quiet ramen not loud",
    nodes=(
        Node(id="ramen", atom="ramen", perspective="dish", instantiation="ramen", order=0),
        Node(id="loud", atom="loud", perspective="noise", instantiation="loud", polarity=Polarity.AVOID, order=1),
    ),
    order=("ramen", "loud"),
)


def ranked(name: str, labels: Mapping[str, Label]) -> RankedItem:
    """An item whose quote for a wish is its own name and that of the wish."""
    judged = {
        node: {node: RelationLabel(label=label, quotes=() if label is N else (f"{name} {node}",))}
        for node, label in labels.items()
    }
    evidence = tuple(
        Evidence(candidate=name, node=node, passages=(Passage(text=f"{name} {node}", source=Source(id=f"{name}#r1")),))
        for node in labels
    )
    return RankedItem(candidate=Candidate(id=name, title=name), score=1.0, judged=judged, evidence=evidence)


def ref(name: str) -> ItemRef:
    return ItemRef(id=name, title=name)


A, B, C, D = map(ref, "ABCD")
NEW = ranked("D", {"ramen": S, "loud": S})


def told(change: Change, fresh: tuple[str, ...] = ("loud",)) -> str:
    return list_changes.told(change, GRAPH, fresh)[0]


def test_what_stayed_what_was_turned_down_and_what_came_are_said_with_the_quote_against_the_new_wish() -> None:
    change = Change([A, B], {"B"}, [ranked("A", {"ramen": S}), NEW], {"B": ranked("B", {"ramen": S, "loud": X})})
    sentence, sources = list_changes.told(change, GRAPH, ("loud",))
    assert sentence == 'What changed: A stays. B goes, as you asked. Against “B”: "not loud" (“B loud”). New: D.'
    assert [(source.item, source.quote, source.source) for source in sources] == [("B", "B loud", "B#r1")]


@pytest.mark.parametrize(
    ("label", "why"),
    [
        (X, 'against it is "not loud" (“C loud”)'),
        (P, 'it meets "not loud" (“C loud”) only in part'),
        (N, 'nothing I know of it speaks of "not loud"'),
        (S, "all in all, others fit better"),
    ],
)
def test_an_item_that_was_not_turned_down_goes_for_the_wish_that_puts_it_lower(label: Label, why: str) -> None:
    change = Change([A, B, C], {"B"}, [ranked("A", {}), NEW], {"C": ranked("C", {"ramen": S, "loud": label})})
    assert told(change) == f"What changed: A stays. B goes, as you asked. “C” makes room: {why}. New: D."


def test_the_wishes_of_this_turn_come_first() -> None:
    change = Change([A, B, C], {"B"}, [ranked("A", {}), NEW], {"C": ranked("C", {"ramen": P, "loud": P})})
    assert '"not loud" (“C loud”) and "ramen" (“C ramen”) only in part' in told(change)
    assert '"ramen" (“C ramen”) and "not loud" (“C loud”) only in part' in told(change, fresh=("ramen",))


def test_of_what_was_turned_down_only_the_wishes_of_this_turn_are_held_against_it() -> None:
    change = Change([A, B], {"B"}, [ranked("A", {}), NEW], {"B": ranked("B", {"ramen": X, "loud": S})})
    assert told(change) == "What changed: A stays. B goes, as you asked. New: D."


def test_nothing_is_said_where_the_whole_list_was_turned_down_and_nothing_known_says_why() -> None:
    assert told(Change([A, B], {"A", "B"}, [NEW], {})) == ""
    against = Change([A, B], {"A", "B"}, [NEW], {"B": ranked("B", {"loud": X})})
    assert told(against) == 'What changed: A and B go, as you asked. Against “B”: "not loud" (“B loud”). New: D.'


def test_several_of_each_are_told_together_in_the_language_of_the_turn() -> None:
    change = Change([A, B, C], {"B"}, [ranked("A", {}), ranked("C", {})], {})
    assert told(change) == "What changed: A and C stay. B goes, as you asked."
    with wording.speaking("zh"):
        assert told(change) == "有变化的是：A和C留下了。B按你说的去掉了。"


async def test_items_that_were_not_turned_down_stay_where_they_still_fit_and_the_reply_says_so(town: Town) -> None:
    before = await town.say("ramen in Old Harbour")
    gone = before.items[1]["title"]
    view = await town.say(f"not {gone}, too loud")
    titles = [item["title"] for item in view.items]
    assert gone not in titles
    kept = [item["title"] for item in before.items if item["title"] in titles]
    assert kept
    changed = view.reply.rpartition("What changed: ")[2]
    assert all(title in changed for title in (*kept, gone, *titles))


async def test_the_reason_for_one_that_was_turned_down_before_leaves_the_rest_of_the_list_to_stay(town: Town) -> None:
    before = await town.say("ramen in Old Harbour")
    gone = before.items[1]["title"]
    after = await town.say(f"Not for me: {gone}")
    listed = [item for item in after.standing if item != before.items[1]["id"]]
    view = await town.say(f"Too loud: {gone}")
    assert [item.title for item in view.state.rejected_items] == [gone]
    assert {item["id"] for item in view.items} & set(listed)
    assert f"{gone} goes, as you asked." in view.reply


async def test_after_a_rejection_of_the_whole_list_nothing_of_it_comes_again(town: Town) -> None:
    before = await town.say("ramen in Old Harbour")
    view = await town.say("none of these, too loud")
    assert not {item["id"] for item in before.items} & {item["id"] for item in view.items}


async def test_an_item_that_is_only_implied_lets_nothing_of_the_list_stay(town: Town) -> None:
    before = await town.say("ramen in Old Harbour")
    await town.say("does the second have parking?")
    view = await town.say("too loud, something quieter")
    assert not {item["id"] for item in before.items} & {item["id"] for item in view.items}

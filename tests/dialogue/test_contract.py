"""The JSON of a turn, held against the contract."""

import json

from dialogue.contract import turn_json
from pdgf.contract import item_json
from tests.dialogue.town import Town

ITEM_KEYS = {"rank", "id", "title", "year", "score", "demoted", "paths", "evidence"}
NODE_KEYS = {"id", "atom", "perspective", "instantiation", "polarity", "feature", "hard"}


async def test_a_turn_has_exactly_the_keys_of_the_contract(town: Town) -> None:
    printed = turn_json(await town.say("quiet ramen in Old Harbour"))
    assert list(printed) == [
        "utterance",
        "intents",
        "action",
        "state",
        "reply",
        "items",
        "sources",
        "graph",
        "comparison",
        "usage",
        "notes",
        "marks",
    ]
    assert list(printed["state"]) == [
        "hard_constraints",
        "soft_constraints",
        "recommended_items",
        "rejected_items",
        "accepted_items",
    ]
    assert list(printed["graph"]) == ["nodes", "edges", "added", "removed", "kept", "reused"]
    assert set(printed["graph"]["reused"]) == {"pairs", "descriptions", "queries", "searches", "labels"}
    assert set(printed["usage"]) == {
        "agent_calls",
        "waves",
        "comparisons",
        "tokens_in",
        "tokens_out",
        "searches",
        "pages",
        "seconds",
        "cost",
    }


async def test_values_items_and_nodes_have_the_shapes_of_the_contract(town: Town) -> None:
    printed = json.loads(json.dumps(turn_json(await town.say("quiet ramen in Old Harbour"))))
    assert printed["intents"] == ["provide_preference"]
    assert printed["action"] == "recommend"
    assert printed["state"]["soft_constraints"]["atmosphere"] == [{"text": "quiet", "span": [1, 0, 5]}]
    assert printed["state"]["hard_constraints"]["location"] == [{"text": "Old Harbour", "span": [1, 15, 26]}]
    assert set(printed["state"]["recommended_items"][0]) == {"id", "title", "year"}
    assert [item["rank"] for item in printed["items"]] == [1, 2, 3]
    for item in printed["items"]:
        assert set(item) >= ITEM_KEYS
        for path in item["paths"]:
            assert set(path["labels"]) >= set(path["path"])
        for evidence in item["evidence"]:
            assert evidence["sources"]
            assert evidence["quote"] in evidence["text"]
    assert all(set(node) >= NODE_KEYS for node in printed["graph"]["nodes"])
    assert printed["graph"]["added"] == [node["id"] for node in printed["graph"]["nodes"]]


async def test_items_are_those_of_the_recommendation(town: Town) -> None:
    printed = turn_json(await town.say("ramen in Old Harbour"))
    found = await town.conversations.recommendation(town.thread)
    assert found is not None
    assert printed["items"] == [item_json(item, rank) for rank, item in enumerate(found.items[:3], start=1)]


async def test_the_graph_is_whole_at_every_turn_and_empty_before_the_first_list(town: Town) -> None:
    hello = turn_json(await town.say("hello"))
    nothing = dict.fromkeys(("pairs", "descriptions", "queries", "searches", "labels"), 0)
    assert hello["graph"] == {"nodes": [], "edges": [], "added": [], "removed": [], "kept": 0, "reused": nothing}
    first = turn_json(await town.say("ramen in Old Harbour"))
    blank = turn_json(await town.say(""))
    assert blank["graph"]["nodes"] == first["graph"]["nodes"]
    assert (blank["graph"]["added"], blank["graph"]["kept"]) == ([], 2)
    changed = turn_json(await town.say("forget the ramen. With a terrace and pizza"))["graph"]
    gone = next(node["id"] for node in first["graph"]["nodes"] if node["instantiation"] == "ramen")
    assert changed["removed"] == [gone]
    assert changed["kept"] == 1
    assert len(changed["added"]) == 2


async def test_starting_over_empties_the_graph_and_lists_what_went(town: Town) -> None:
    first = turn_json(await town.say("ramen in Old Harbour"))
    again = turn_json(await town.say("start over"))
    assert again["action"] == "start_over"
    assert again["graph"]["nodes"] == []
    assert again["graph"]["removed"] == first["graph"]["added"]
    assert again["state"]["hard_constraints"] == {}
    assert again["state"]["recommended_items"] == []


async def test_every_shown_item_has_a_mark_for_every_node_of_the_graph(town: Town) -> None:
    printed = turn_json(await town.say("quiet ramen in Old Harbour"))
    nodes = {node["id"] for node in printed["graph"]["nodes"]}
    assert {item: set(marks) for item, marks in printed["marks"].items()} == {
        item["id"]: nodes for item in printed["items"]
    }
    said = {mark for marks in printed["marks"].values() for mark in marks.values()}
    assert said <= {"supports", "partly", "contradicts", "silent"}
    assert turn_json(await town.say("thanks"))["marks"] == {}

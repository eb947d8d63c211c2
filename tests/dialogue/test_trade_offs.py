"""What there would be without one or two hard wishes: counted over the pool, against counting by hand."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.domain import bundled_domain
from dialogue.models import ConstraintValue, DialogueState, ItemRef
from dialogue.trade_offs import NOTHING_ELSE, Alternative, offer, pulling, told, trade_offs
from pdgf.graph import assemble
from pdgf.models import Dropped, Label, Node, PoolEntry, PreferenceGraph, RankedItem, Recommendation
from pdgf.settings import MethodConfig
from tests.dialogue.test_explanation import graph as wishes_of
from tests.dialogue.test_explanation import item
from tests.dialogue.town import Town

S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS
HARD = ("cheap", "near", "vegan")


def graph(*hard: str, soft: tuple[str, ...] = ("quiet",)) -> PreferenceGraph:
    nodes = [
        Node(id=name, atom="a", perspective="other", instantiation=name, feature=name, hard=name in hard, order=order)
        for order, name in enumerate((*hard, *soft))
    ]
    return assemble(narrative="", language="en", atoms=(), nodes=nodes, initial_edges=(), cycle_edges=())


def entry(name: str, *, broken: str = "", labels: dict[str, Label | None]) -> PoolEntry:
    """An item that breaks some wishes by metadata; a label of None is one that was not needed."""
    return PoolEntry(
        id=name,
        title=name.capitalize(),
        broken=dict.fromkeys(broken.split(), "because"),
        records={node: (f"{name}/{node}",) for node in labels},
        labels={node: {node: label} for node, label in labels.items() if label is not None},
    )


def found(wishes: PreferenceGraph, *entries: PoolEntry) -> Recommendation:
    return Recommendation(
        graph=wishes, queries=(), items=(), pool=len(entries), config=MethodConfig().printed(), entries=entries
    )


def counts(recommendation: Recommendation) -> dict[tuple[str, ...], tuple[int, bool]]:
    alternatives = trade_offs(recommendation, recommendation.graph).alternatives
    return {each.wishes: (len(each.items), each.exact) for each in alternatives}


def test_each_wish_without_which_something_fits_is_counted_the_most_useful_first() -> None:
    wishes = graph("cheap", "near")
    pool = found(
        wishes,
        entry("a", broken="cheap", labels={"quiet": S}),
        entry("b", broken="near", labels={"quiet": P}),
        entry("c", broken="near", labels={"quiet": S}),
        entry("d", broken="cheap near", labels={"quiet": S}),
    )
    assert counts(pool) == {("near",): (2, True), ("cheap",): (1, True)}
    [first, second] = trade_offs(pool, wishes).alternatives
    assert [item.title for item in first.items] == ["C", "B"]  # S and P: the order of the list without the wish
    assert told(first, more=False) == 'Without "near" there are 2: C and B.'
    assert told(second, more=True) == 'Without "cheap" there is one more: A.'


def test_a_label_of_the_own_record_breaks_a_hard_wish_as_metadata_do() -> None:
    pool = found(graph("cheap", "near"), entry("a", labels={"cheap": X, "quiet": S}))
    assert counts(pool) == {("cheap",): (1, True)}


def test_an_item_of_which_nothing_speaks_for_another_wish_is_no_alternative() -> None:
    pool = found(
        graph("cheap", "near"),
        entry("a", broken="cheap", labels={"quiet": N}),
        entry("b", broken="cheap", labels={"cheap": S}),  # it speaks for the dropped wish alone
    )
    assert counts(pool) == {}


def test_two_wishes_go_together_only_where_no_single_one_helps() -> None:
    both = entry("d", broken="cheap near", labels={"quiet": S})
    assert counts(found(graph(*HARD), both)) == {("cheap", "near"): (1, True)}
    single = entry("a", broken="vegan", labels={"quiet": S})
    assert counts(found(graph(*HARD), both, single)) == {("vegan",): (1, True)}


def test_where_a_label_is_missing_the_number_is_the_least_that_it_can_be() -> None:
    sure = entry("a", broken="cheap", labels={"quiet": S})
    open_ = entry("b", broken="cheap", labels={"near": None, "quiet": S})
    assert counts(found(graph("cheap", "near"), sure, open_)) == {("cheap",): (1, False)}
    unheard = entry("c", broken="cheap", labels={"quiet": None})
    assert counts(found(graph("cheap", "near"), sure, unheard)) == {("cheap",): (1, False)}
    [alternative] = trade_offs(found(graph("cheap", "near"), sure, open_), graph("cheap", "near")).alternatives
    assert told(alternative, more=False) == 'Without "cheap" there would be at least 1: A.'


def test_two_wishes_that_nothing_keeps_both_of_are_a_conflict() -> None:
    wishes = graph("cheap", "near")
    pool = found(
        wishes, entry("a", broken="cheap", labels={"quiet": S}), entry("b", broken="near", labels={"quiet": S})
    )
    assert trade_offs(pool, wishes).conflict == ("cheap", "near")
    left_out = pool.model_copy(update={"dropped": (Dropped(what="C", why="year"),)})
    assert trade_offs(left_out, wishes).conflict is None  # what the years keep out may be cheap and near
    kept = found(wishes, *pool.entries, entry("c", labels={"quiet": S}))
    assert trade_offs(kept, wishes).conflict is None
    alone = found(wishes, entry("a", broken="cheap", labels={"quiet": S}))  # cheap is kept by nothing at all
    assert trade_offs(alone, wishes).conflict is None


def test_nothing_is_offered_where_nothing_was_kept_of_the_pool() -> None:
    assert trade_offs(found(graph("cheap")), graph("cheap")) == NOTHING_ELSE


@st.composite
def pools(draw: st.DrawFn) -> Recommendation:
    """Three hard wishes and a soft one; each item breaks some, and all, some or none of its labels are known."""
    entries = []
    for number in range(draw(st.integers(1, 9))):
        labels = draw(
            st.dictionaries(st.sampled_from([*HARD, "quiet"]), st.sampled_from([S, P, N, X, None]), min_size=1)
        )
        broken = " ".join(sorted(draw(st.sets(st.sampled_from(HARD)))))
        entries.append(entry(f"i{number}", broken=broken, labels=labels))
    return found(graph(*HARD), *entries)


def by_hand(recommendation: Recommendation, gone: tuple[str, ...]) -> set[str]:
    """The items that break one of these wishes, keep the others and have something that speaks for what stays."""
    chosen = set()
    for each in recommendation.entries:
        labels = {node: found[node] for node, found in each.labels.items()}
        broken = {*each.broken, *(node for node in HARD if labels.get(node) is X)}
        stays = {node: label for node, label in labels.items() if node not in gone}
        if broken and broken <= set(gone) and any(label in (S, P) for label in stays.values()):
            chosen.add(each.id)
    return chosen


@settings(max_examples=150)
@given(pool=pools(), truth=st.sampled_from([S, P, N, X]))
def test_numbers_are_exact_where_they_say_so_and_never_more_than_the_truth(pool: Recommendation, truth: Label) -> None:
    """The truth is the pool with every missing label given; whatever those labels are, what is told holds."""
    whole = [
        each.model_copy(update={"labels": {node: each.labels.get(node, {node: truth}) for node in each.records}})
        for each in pool.entries
    ]
    complete = pool.model_copy(update={"entries": tuple(whole)})
    for alternative in trade_offs(pool, pool.graph).alternatives:
        true = by_hand(complete, alternative.wishes)
        known = {item.id for item in alternative.items}
        assert known <= true
        if alternative.exact:
            assert known == true


@settings(max_examples=100)
@given(pool=pools())
def test_with_every_label_known_no_better_alternative_is_left_out(pool: Recommendation) -> None:
    labels = {each.id: {node: each.labels.get(node, {node: N}) for node in each.records} for each in pool.entries}
    complete = pool.model_copy(
        update={"entries": tuple(each.model_copy(update={"labels": labels[each.id]}) for each in pool.entries)}
    )
    singles = {(wish,): len(by_hand(complete, (wish,))) for wish in HARD}
    choices = (
        singles if any(singles.values()) else {pair: len(by_hand(complete, pair)) for pair in combinations(HARD, 2)}
    )
    best = sorted(filter(None, choices.values()), reverse=True)[:2]
    alternatives = trade_offs(complete, complete.graph).alternatives
    assert [len(each.items) for each in alternatives] == best
    assert all(choices[each.wishes] == len(each.items) and each.exact for each in alternatives)


def state(**hard: str) -> DialogueState:
    hard = {"location": "Riverside", "dish_type": "ramen", **hard} if "cuisine_type" not in hard else hard
    return DialogueState(
        hard_constraints={key: (ConstraintValue(text=text, span=(1, 0, 1)),) for key, text in hard.items()}
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"price_range": "Cheap"}, "Never mind Cheap"),
        ({"price_range": "must be cheap"}, "Never mind must be cheap"),
        ({"price_range": "cheap, under $20"}, "Never mind the price range"),
        ({"others": "cheap (!)"}, None),
        ({"location": "Riverside"}, None),
        ({"location": "cheap streets"}, "Anywhere"),
        ({"location": "Riverside", "cuisine_type": "cheap and cheerful"}, "Any cuisine"),
        ({"location": "Riverside", "cuisine_type": "cheap eats", "dish_type": "ramen"}, "Never mind cheap eats"),
    ],
)
def test_a_drop_is_offered_in_the_users_words_where_they_can_be_said(values: dict[str, str], said: str | None) -> None:
    alternative = Alternative(wishes=("cheap",), nodes=("cheap",), items=(ItemRef(id="a", title="A"),), exact=True)
    domain = bundled_domain("restaurants")
    assert offer(alternative, found(graph("cheap")), state(**values), domain) == said


@pytest.mark.parametrize(
    "said",
    ["quiet ramen in Mill Quarter", "ramen under $5 in Old Harbour", "must be vegan ramen in Mill Quarter"],
)
async def test_every_offer_is_understood_and_brings_what_was_promised(town: Town, said: str) -> None:
    view = await town.say(said)
    before = {value.text for values in view.state.hard_constraints.values() for value in values}
    after = await town.say(view.suggestions[0])
    kept = {value.text for values in after.state.hard_constraints.values() for value in values}
    assert kept < before
    assert [item["demoted"] for item in after.items[:2]] == [None, None]


def test_wishes_that_the_shown_items_have_one_of_each_pull_against_each_other() -> None:
    wishes = wishes_of("scary", "gentle", "short")

    def named(title: str, labels: dict[str, Label]) -> RankedItem:
        made = item(labels)
        return made.model_copy(update={"candidate": made.candidate.model_copy(update={"title": title})})

    one, other = named("Alien", {"scary": S, "gentle": X}), named("Totoro", {"scary": X, "gentle": S})
    assert pulling([one, other], wishes) == (
        'In these, "scary" and "gentle" pull against each other: Alien has the one, Totoro the other.'
    )
    both = named("Coraline", {"scary": S, "gentle": S})
    assert pulling([one, other, both], wishes) == ""
    assert pulling([one], wishes) == pulling([one, one], wishes) == ""

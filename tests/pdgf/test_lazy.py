"""What to label next (METHOD 11.2), without anybody who labels."""

from pdgf.lazy import Labelling, next_wave, next_wide_wave, open_queue, put_back
from pdgf.models import Candidate, Evidence, Label, PreferenceGraph, RelationLabel
from pdgf.ports import Acquired
from pdgf.settings import MethodConfig
from tests.pdgf.graphs import DIAMOND, LETTERS, graph_of, item, record


def labelling(graph: PreferenceGraph, *records: Evidence, **config: object) -> Labelling:
    names = dict.fromkeys(found.candidate for found in records)
    pool = Acquired(candidates=tuple(item(name) for name in names), evidence=records)
    return Labelling(graph, pool, config=MethodConfig.model_validate(config), violated=[False] * len(names))


def learn(state: Labelling, record_: int, labels: str) -> None:
    """`learn(state, 0, "D=S B=N")`."""
    state.learn({(record_, pair[0]): RelationLabel(label=LETTERS[pair[2]]) for pair in labels.split()})


def test_the_own_label_comes_first_then_the_nearest_on_the_path_that_carries_the_bound() -> None:
    state = labelling(graph_of(DIAMOND), record("i", "D"))
    assert state.wanted(0) == ((0, "D"),)
    learn(state, 0, "D=P")
    assert state.wanted(0) == ((0, "B"),)  # B and C may both be worth 1: the first in order pi carries
    learn(state, 0, "B=N")
    assert state.wanted(0) == ((0, "C"),)  # through C up to 1 + .7, through B at most .1 + .7
    learn(state, 0, "C=S")
    assert state.wanted(0) == ((0, "A"),)
    learn(state, 0, "A=S")
    assert state.wanted(0) == ()


def test_an_ancestor_that_cannot_matter_any_more_is_not_asked_for() -> None:
    """r -> v and a -> b -> v: with r = S the upper bound through b = X is .7 a, at most .7 < 1."""
    state = labelling(graph_of("r>v a>b b>v"), record("i", "v"))
    learn(state, 0, "v=S r=S b=X")
    assert state.wanted(0) == ()
    assert [u for _, u in state.missing([0])] == ["a"]
    assert (state.compared(), state.all_comparisons()) == (3, 4)


def test_without_its_own_label_no_record_is_settled_although_its_bounds_meet() -> None:
    """gamma = 0 makes ancestors worthless: the own label is all that counts, and it may demote."""
    state = labelling(graph_of("A>B"), record("i", "B"), gamma=0.0)
    learn(state, 0, "A=S")
    assert state.wanted(0) == ((0, "B"),)
    learn(state, 0, "B=X")
    assert state.wanted(0) == ()
    assert not labelling(graph_of("A>B"), record("i", "B"), gamma=0.0).missing([])


def test_what_is_unknown_makes_no_key_worse() -> None:
    state = labelling(graph_of(DIAMOND, hard="D"), record("i", "D"), record("i", "B"))
    keys = [state.optimistic_key(0)]
    for record_, labels in ((1, "D=S"), (0, "B=P"), (1, "A=N"), (1, "B=P"), (0, "A=S"), (1, "C=X")):
        learn(state, record_, labels)
        keys.append(state.optimistic_key(0))
    assert keys == sorted(keys)
    assert keys[0].demoted == keys[-1].demoted == 0
    learn(state, 1, "D=X")
    assert state.optimistic_key(0).demoted == 1


def test_records_lie_in_the_order_of_the_graph_and_items_without_a_record_do_not_count() -> None:
    pool = Acquired(candidates=(item("none"), item("i")), evidence=(record("i", "B"), record("i", "A")))
    state = Labelling(graph_of("A>B"), pool, config=MethodConfig(), violated=[False, False])
    assert [found.node for found in state.records] == ["A", "B"]
    assert dict(state.records_of) == {1: (0, 1)}


def test_sources_are_counted_once_and_by_address_where_they_have_one() -> None:
    graph = graph_of("A>B")
    same_page = labelling(graph, record("i", "A", url="https://a.example"), record("i", "B", url="https://a.example"))
    two_notes = labelling(graph, record("i", "A"), record("i", "B"))
    assert same_page.optimistic_key(0).minus_sources == -1
    assert two_notes.optimistic_key(0).minus_sources == -2


def test_a_wave_emits_what_is_surely_best_and_holds_what_a_better_one_may_still_pass() -> None:
    state = labelling(graph_of("A>B"), record("best", "B"), record("open", "A"), record("low", "A"))
    learn(state, 1, "A=N")  # records lie in order pi: open, low, best
    learn(state, 2, "A=S B=S")
    queue = open_queue(state)
    wave = next_wave(state, queue, room=3, size=24)
    assert (wave.emitted, wave.held, wave.pairs) == ((0,), (1, 2), ((0, "A"),))
    learn(state, 0, "A=X")
    put_back(state, queue, wave.held)
    assert next_wave(state, queue, room=2, size=24).emitted == (2, 1)
    assert not queue


def test_a_wave_takes_no_more_pairs_than_its_size_nor_looks_past_what_is_wanted() -> None:
    graph = graph_of("", names="A")
    state = labelling(graph, *(record(f"i{number}", "A") for number in range(9)))
    wave = next_wave(state, open_queue(state), room=3, size=4)
    assert wave.pairs == ((0, "A"), (1, "A"), (2, "A"), (3, "A"))
    for number in range(1, 9):
        learn(state, number, "A=S")
    wave = next_wave(state, open_queue(state), room=2, size=4)
    assert (wave.emitted, wave.held, wave.pairs) == ((), (0, 1, 2), ((0, "A"),))


def test_the_best_item_whose_own_labels_are_known_gets_all_it_lacks() -> None:
    state = labelling(graph_of("A>B B>C"), record("deep", "C"), record("next", "C"), record("root", "A"))
    assert next_wave(state, open_queue(state), room=9, size=24).pairs == ((1, "C"), (2, "C"), (0, "A"))
    learn(state, 2, "C=P")
    wave = next_wave(state, open_queue(state), room=9, size=24)
    assert wave.pairs == ((1, "C"), (2, "B"), (0, "A"), (2, "A"))


def test_the_true_key_lies_between_the_pessimistic_and_the_optimistic_one() -> None:
    state = labelling(graph_of(DIAMOND, hard="D"), record("i", "D"), record("i", "B"))
    assert state.pessimistic_key(0).demoted == 1  # D may yet be contradicted
    keys = [(state.optimistic_key(0), state.pessimistic_key(0))]
    for record_, labels in ((1, "D=S"), (0, "B=P"), (1, "A=N"), (1, "B=P"), (0, "A=S"), (1, "C=X")):
        learn(state, record_, labels)
        keys.append((state.optimistic_key(0), state.pessimistic_key(0)))
    true = keys[-1][0]
    assert keys[-1] == (true, true)
    assert all(best <= true <= worst for best, worst in keys)


def test_a_wide_wave_asks_for_all_that_the_contenders_lack_or_first_for_their_own_labels() -> None:
    state = labelling(graph_of("A>B"), record("i", "B"), record("j", "B"), record("k", "A"))
    learn(state, 2, "A=S B=S")  # j is fully known: S = ln(1 + 1.7)
    queue = open_queue(state)
    wave = next_wide_wave(state, queue, room=1, size=10)
    assert (wave.emitted, wave.pairs) == ((), ((1, "A"), (1, "B")))  # k has at most ln 2 and is no contender
    put_back(state, queue, wave.held)
    assert next_wide_wave(state, queue, room=1, size=1).pairs == ((1, "B"),)


def test_keep_demotes_nothing() -> None:
    contradicted = RelationLabel(label=Label.CONTRADICTS)
    for policy, demoted in (("demote", True), ("keep", False)):
        state = labelling(graph_of("", names="A", hard="A"), record("i", "A"), hard_contradiction=policy)
        state.learn({(0, "A"): contradicted})
        assert state.demoted(0) is demoted
        pool = Acquired(candidates=(Candidate(id="i", title="I"),), evidence=(record("i", "A"),))
        config = MethodConfig.model_validate({"hard_contradiction": policy})
        assert Labelling(graph_of("", names="A"), pool, config=config, violated=[True]).demoted(0) is demoted

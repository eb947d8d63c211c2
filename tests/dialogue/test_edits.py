"""Edits by hand as changes of the wishes and of their words, apart from any conversation."""

import pytest

from dialogue.domain import ConstraintKey, Domain
from dialogue.edits import Act, Edit, cleaned, described
from dialogue.models import ConstraintValue, DialogueState, KeptUtterance
from dialogue.narrative import render
from dialogue.rewriting import Wishes, applied, located
from pdgf.models import Node, Polarity, PreferenceGraph

STORY = "A fantasy with romance shown through banter, not mostly sex."
DOMAIN = Domain(
    name="films",
    item_word="film",
    items_word="films",
    greeting="",
    constraint_keys=(
        ConstraintKey(key="genre", description="", perspectives=("genre",)),
        ConstraintKey(key="era", description="", cumulative=False),
        ConstraintKey(key="others", description=""),
    ),
)


def value(words: str, text: str = STORY) -> ConstraintValue:
    start = text.index(words)
    return ConstraintValue(text=words, span=(1, start, start + len(words)))


def node(words: str, order: int, **more: object) -> Node:
    start = STORY.index(words)
    told = {"perspective": "genre", "instantiation": words, "span": (start, start + len(words)), "order": order}
    return Node.model_validate({"id": words, "atom": f"a{order}", **told, **more})


NODES = (
    node("fantasy", 0),
    node("romance", 1),
    node("banter", 2),
    node("sex", 3, polarity=Polarity.AVOID, span=(STORY.index("sex"), STORY.index("sex") + 3)),
)
GRAPH = PreferenceGraph(narrative=STORY, nodes=NODES, order=tuple(made.id for made in NODES))


def wishes(*hard: str, soft: tuple[str, ...]) -> Wishes:
    state = DialogueState(
        hard_constraints={"genre": tuple(map(value, hard))} if hard else {},
        soft_constraints={"genre": tuple(map(value, soft))} if soft else {},
    )
    spans = [(found.span[1], found.span[2], "stated") for found in map(value, (*hard, *soft))]
    requests: tuple[KeptUtterance, ...] = ({"turn": 1, "text": STORY, "values": spans, "plain": True},)
    return Wishes(state=state, requests=requests, located=located(GRAPH, render(requests, state), requests))


FINE = wishes("fantasy", soft=("romance", "banter", "not mostly sex"))
COARSE = wishes(soft=("fantasy", "romance shown through banter", "not mostly sex"))


def after(start: Wishes, *edits: Edit) -> tuple[str, list[str], list[str]]:
    """The narrative, the musts and the other wishes after the edits."""
    done = applied(start, edits, graph=GRAPH, domain=DOMAIN, turn=2)
    rows = (done.state.hard_constraints, done.state.soft_constraints)
    hard, soft = ([found.text for values in row.values() for found in values] for row in rows)
    for rows_of in rows:  # each value stands where it says
        for found in (found for values in rows_of.values() for found in values):
            text = next(request["text"] for request in done.requests if request["turn"] == found.span[0])
            assert text[found.span[1] : found.span[2]] == found.text
    return render(done.requests, done.state).text, hard, soft


def of(act: Act, name: str, words: str = "") -> Edit:
    return Edit(act=act, node=name, text=name, words=words)


def test_every_node_is_found_where_its_words_were_said() -> None:
    assert {name: STORY[start:end] for name, (_, start, end) in FINE.located.items()} == {n.id: n.id for n in NODES}


def test_a_dropped_node_takes_its_words_and_nothing_else() -> None:
    said, hard, soft = after(FINE, of(Act.DROP, "banter"))
    assert said == "A fantasy with romance, not mostly sex."
    assert (hard, soft) == (["fantasy"], ["romance", "not mostly sex"])


def test_of_a_value_that_names_two_wishes_the_other_one_stays() -> None:
    said, _, soft = after(COARSE, of(Act.DROP, "banter"))
    assert said == "A fantasy with romance, not mostly sex."
    assert soft == ["fantasy", "not mostly sex", "romance"]


def test_a_value_is_dropped_as_a_whole_by_its_words() -> None:
    said, _, soft = after(COARSE, Edit(act=Act.DROP, key="genre", text="Romance  shown through banter"))
    assert said == "A fantasy, not mostly sex."
    assert soft == ["fantasy", "not mostly sex"]


def test_a_negation_goes_with_what_it_denies() -> None:
    assert after(FINE, of(Act.DROP, "sex"))[0] == "A fantasy with romance shown through banter."


@pytest.mark.parametrize("start", [FINE, COARSE])
def test_a_must_changes_no_word_of_the_narrative(start: Wishes) -> None:
    said, hard, soft = after(start, of(Act.MUST, "banter"))
    assert said == STORY
    assert "banter" in hard
    assert "romance" in soft
    assert "banter" not in soft


def test_must_and_back_leaves_the_wishes_as_they_were() -> None:
    assert after(FINE, of(Act.MUST, "banter"), of(Act.NICE, "banter"), of(Act.NICE, "fantasy"))[1] == []


@pytest.mark.parametrize("start", [FINE, COARSE])
def test_other_words_keep_their_place_and_all_later_ones_move_along(start: Wishes) -> None:
    said, *rows = after(start, of(Act.REWORD, "romance", " slow-burn  love. "), of(Act.REWORD, "banter", "quarrels"))
    assert said == "A fantasy with slow-burn love shown through quarrels, not mostly sex."
    assert "not mostly sex" in rows[1]
    assert not [text for row in rows for text in row if "banter" in text or "romance" in text]


def test_what_is_to_be_avoided_is_said_in_a_sentence_of_its_own_and_can_be_wanted_again() -> None:
    said, hard, _ = after(FINE, of(Act.AVOID, "fantasy"))
    assert said == "With romance shown through banter, not mostly sex. not fantasy" or said.endswith("not fantasy")
    assert hard == ["not fantasy"]
    said, _, soft = after(FINE, of(Act.WANT, "sex"))
    assert said == "A fantasy with romance shown through banter. sex"
    assert soft == ["romance", "banter", "sex"]


def test_chinese_words_are_denied_in_chinese() -> None:
    text = "想看爱情片"
    made = Node(id="n", atom="a", perspective="genre", instantiation="爱情片", span=(2, 5))
    graph = PreferenceGraph(narrative=text, nodes=(made,), order=("n",))
    state = DialogueState(soft_constraints={"genre": (ConstraintValue(text="爱情片", span=(1, 2, 5)),)})
    requests: tuple[KeptUtterance, ...] = ({"turn": 1, "text": text, "values": [(2, 5, "stated")], "plain": True},)
    start = Wishes(state=state, requests=requests, located=located(graph, render(requests, state), requests))
    done = applied(start, [of(Act.AVOID, "n")], graph=graph, domain=DOMAIN, turn=2)
    assert [found.text for found in done.state.soft_constraints["genre"]] == ["不要爱情片"]


def test_added_wishes_share_an_utterance_and_heed_their_keys() -> None:
    adds = [Edit(act=Act.ADD, key="era", words=words) for words in ("the nineties", "the eighties.")]
    said, _, soft = after(FINE, *adds, Edit(act=Act.ADD, key="nonsense", words="dragons", hard=True))
    assert soft == ["romance", "banter", "not mostly sex", "the nineties", "the eighties"]  # said in one breath
    assert said == f"{STORY} the nineties. the eighties. dragons"
    later = applied(FINE, adds[:1], graph=GRAPH, domain=DOMAIN, turn=2)
    replaced = applied(later, adds[1:], graph=GRAPH, domain=DOMAIN, turn=3)
    assert [found.text for found in replaced.state.soft_constraints["era"]] == ["the eighties"]


def test_a_dropped_wish_that_is_added_again_is_told_once() -> None:
    said, _, soft = after(FINE, of(Act.DROP, "banter"), Edit(act=Act.ADD, key="genre", words="banter"))
    assert said == "A fantasy with romance, not mostly sex. banter"
    assert soft == ["romance", "not mostly sex", "banter"]


def test_a_node_that_no_value_names_can_be_edited_too() -> None:
    bare = wishes("fantasy", soft=("not mostly sex",))
    assert "banter" in after(bare, of(Act.MUST, "banter"))[1]
    assert after(bare, of(Act.REWORD, "banter", "letters"))[2] == ["not mostly sex", "letters"]
    assert "banter" not in after(bare, of(Act.DROP, "banter"))[0]


@pytest.mark.parametrize(
    "edit",
    [
        of(Act.DROP, "unknown"),
        Edit(act=Act.NICE, key="genre", text="dragons"),
        Edit(act=Act.FORGET, key="accepted_items"),
    ],
)
def test_what_is_gone_cannot_be_edited(edit: Edit) -> None:
    with pytest.raises(LookupError):
        applied(FINE, [edit], graph=GRAPH, domain=DOMAIN, turn=2)


def test_a_turn_is_described_by_what_it_does_in_few_words() -> None:
    edits = [of(Act.DROP, "romance"), of(Act.REWORD, "banter", "w" * 100), Edit(act=Act.ADD, key="genre", words=" a. ")]
    assert described(edits) == f"(edited: dropped “romance”, “banter” is now “{'w' * 59}…” and added “a”)"


@pytest.mark.parametrize(("words", "kept"), [("  two\nlines ", "two lines"), ("end. ", "end"), ("安静。", "安静")])
def test_words_are_kept_on_one_line_without_a_mark_at_the_end(words: str, kept: str) -> None:
    assert cleaned(words) == kept

"""The dialogue state: edits, differences, feedback, and what a thread keeps of an utterance."""

from hypothesis import given
from hypothesis import strategies as st

from dialogue.domain import bundled_domain
from dialogue.models import (
    ConstraintValue,
    DialogueState,
    EditKind,
    Intent,
    ItemRef,
    Mention,
    StateEdit,
    TurnRecord,
    Understanding,
)
from dialogue.record import merged, state_of
from dialogue.state import Change, apply_edits, difference, replacements, requests_after, revise, with_feedback
from pdgf.models import normalised

EAT, FILMS = bundled_domain("restaurants"), bundled_domain("movies")
A, B, C = (ItemRef(id=name, title=name.upper()) for name in "abc")


def add(key: str, text: str, turn: int = 1, **more: object) -> StateEdit:
    return StateEdit(kind=EditKind.ADD, key=key, text=text, span=(turn, 0, len(text)), **more)


def drop(key: str, text: str) -> StateEdit:
    return StateEdit(kind=EditKind.DROP, key=key, text=text)


def texts(state: DialogueState, key: str) -> list[str]:
    rows = (*state.hard_constraints.get(key, ()), *state.soft_constraints.get(key, ()))
    return [value.text for value in rows]


def test_a_cumulative_key_keeps_what_was_said_before() -> None:
    state = apply_edits(DialogueState(), [add("genre", "comedy"), add("genre", "horror", 2)], FILMS)
    assert texts(state, "genre") == ["comedy", "horror"]


def test_a_replacing_key_takes_the_latest_value_twice_in_a_row() -> None:
    state = DialogueState()
    for turn, era in enumerate(("the 90s", "the 70s", "the 60s"), start=1):
        state = apply_edits(state, [add("era_year", era, turn, hard=True)], FILMS)
        assert texts(state, "era_year") == [era]


def test_two_values_of_one_utterance_stay_together_under_a_replacing_key() -> None:
    state = apply_edits(DialogueState(), [add("location", "Old Harbour"), add("location", "Riverside")], EAT)
    assert texts(state, "location") == ["Old Harbour", "Riverside"]


def test_also_adds_under_a_replacing_key_and_instead_replaces_under_a_cumulative_one() -> None:
    romantic = apply_edits(DialogueState(), [add("atmosphere", "romantic")], EAT)
    assert texts(apply_edits(romantic, [add("atmosphere", "quiet", 2)], EAT), "atmosphere") == ["quiet"]
    assert texts(apply_edits(romantic, [add("atmosphere", "quiet", 2, replaces=False)], EAT), "atmosphere") == [
        "romantic",
        "quiet",
    ]
    pasta = apply_edits(DialogueState(), [add("dish_type", "pasta")], EAT)
    assert texts(apply_edits(pasta, [add("dish_type", "pizza", 2, replaces=True)], EAT), "dish_type") == ["pizza"]


def test_a_new_number_takes_the_place_of_the_older_one_of_the_same_measure_though_the_key_gathers() -> None:
    for old, new in (("5 players", "two players"), ("5 players", "2 to 4 players"), ("一个人", "两个人")):
        state = apply_edits(DialogueState(), [add("others", old, hard=True)], FILMS)
        assert texts(apply_edits(state, [add("others", new, 2)], FILMS), "others") == [new]
    under = apply_edits(DialogueState(), [add("price_range", "under $20")], EAT)
    assert texts(apply_edits(under, [add("price_range", "at most $35", 2)], EAT), "price_range") == ["at most $35"]


def test_a_number_that_is_added_or_asked_about_or_measures_something_else_replaces_nothing() -> None:
    five = apply_edits(DialogueState(), [add("others", "5 players")], FILMS)
    for more in ({"replaces": False}, {"mention": Mention.ASKED}):
        assert texts(apply_edits(five, [add("others", "two players", 2, **more)], FILMS), "others") == [
            "5 players",
            "two players",
        ]
    for new in ("under 45 minutes", "bluffing", "a story about 2 people"):
        assert texts(apply_edits(five, [add("others", new, 2)], FILMS), "others") == ["5 players", new]


def test_times_of_different_things_stand_beside_each_other() -> None:
    walk = apply_edits(DialogueState(), [add("others", "within 10 minutes' walk")], EAT)
    assert len(texts(apply_edits(walk, [add("others", "wait under 30 minutes", 2)], EAT), "others")) == 2


def test_what_a_new_number_took_the_place_of_is_told_unless_it_was_taken_back_in_words() -> None:
    old = apply_edits(DialogueState(), [add("others", "5 players"), add("genre", "comedy")], FILMS)
    edits = (add("others", "two players", 2), add("genre", "horror", 2))
    new = apply_edits(old, edits, FILMS)
    assert replacements(old, new, Understanding(edits=edits)) == [("5 players", "two players")]
    taken = (drop("others", "5 players"), *edits)
    assert replacements(old, apply_edits(old, taken, FILMS), Understanding(edits=taken)) == []


def test_neither_an_objection_nor_a_question_nor_an_unwanted_thing_replaces_a_wish() -> None:
    romantic = apply_edits(DialogueState(), [add("atmosphere", "romantic")], EAT)
    for more in ({"mention": Mention.OBJECTED, "avoid": True}, {"mention": Mention.ASKED}, {"avoid": True}):
        assert "romantic" in texts(apply_edits(romantic, [add("atmosphere", "too loud", 2, **more)], EAT), "atmosphere")


def test_a_change_of_mind_drops_the_wish_and_keeps_the_negation() -> None:
    state = apply_edits(DialogueState(), [add("genre", "horror")], FILMS)
    state = apply_edits(state, [drop("genre", "horror"), add("genre", "not horror", 2, avoid=True)], FILMS)
    assert texts(state, "genre") == ["not horror"]


def test_a_dropped_value_is_found_under_another_key_too_and_case_does_not_matter() -> None:
    state = apply_edits(DialogueState(), [add("theme", "Dragons"), add("genre", "comedy")], FILMS)
    assert texts(apply_edits(state, [drop("genre", "dragons")], FILMS), "theme") == []
    assert texts(apply_edits(state, [drop("genre", "dragons")], FILMS), "genre") == ["comedy"]


def test_hard_becomes_soft_and_soft_becomes_hard_but_a_question_weakens_nothing() -> None:
    hard = apply_edits(DialogueState(), [add("dish_type", "ramen", hard=True)], EAT)
    asked = apply_edits(hard, [add("dish_type", "ramen", 2, mention=Mention.ASKED)], EAT)
    assert asked == hard
    soft = apply_edits(hard, [add("dish_type", "ramen", 2)], EAT)
    assert not soft.hard_constraints
    assert texts(soft, "dish_type") == ["ramen"]
    assert apply_edits(soft, [add("dish_type", "ramen", 3, hard=True)], EAT).hard_constraints["dish_type"]


def test_an_unknown_key_counts_as_others_and_blank_text_as_nothing() -> None:
    state = apply_edits(DialogueState(), [add("colour", "blue"), add("genre", "   ")], FILMS)
    assert texts(state, "others") == ["blue"]
    assert state.known_keys == {"others"}


@given(st.lists(st.tuples(st.sampled_from(["genre", "tone", "others"]), st.text(min_size=1, max_size=30)), max_size=8))
def test_added_words_stay_word_for_word(pairs: list[tuple[str, str]]) -> None:
    state = apply_edits(DialogueState(), [add(key, text) for key, text in pairs], FILMS)
    for key, text in pairs:
        values = state.soft_constraints.get(key, ())
        assert not text.strip() or any(normalised(value.text) == normalised(text) for value in values)
        assert all((key, value.text) in pairs for value in values)


def test_the_difference_names_what_was_added_changed_and_removed() -> None:
    old = apply_edits(DialogueState(), [add("location", "Riverside", hard=True), add("dish_type", "pizza")], EAT)
    edits = [add("location", "Old Harbour", 2, hard=True), drop("dish_type", "pizza"), add("others", "parking", 2)]
    found = difference(old, apply_edits(old, edits, EAT))
    assert found.added == (Change(key="others", new="parking"),)
    assert found.changed == (Change(key="location", old="Riverside", new="Old Harbour", hard=True),)
    assert found.removed == (Change(key="dish_type", old="pizza"),)


def test_moving_a_value_between_hard_and_soft_is_a_change() -> None:
    soft = apply_edits(DialogueState(), [add("dish_type", "ramen")], EAT)
    hard = apply_edits(soft, [add("dish_type", "ramen", 2, hard=True)], EAT)
    assert difference(soft, hard).changed == (Change(key="dish_type", old="ramen", new="ramen", hard=True),)
    assert difference(soft, soft).empty


def test_feedback_is_kept_once_an_item_by_its_id_and_the_latest_word_wins() -> None:
    renamed = A.model_copy(update={"title": "Another name"})
    state = with_feedback(DialogueState(), [A], [B])
    state = with_feedback(state, [renamed], [B, C])
    assert state.accepted_items == (A,)
    assert state.rejected_items == (B, C)
    state = with_feedback(state, [C], [A])
    assert state.accepted_items == (C,)
    assert state.rejected_items == (B, A)


def test_items_of_equal_names_are_two_items() -> None:
    twin = ItemRef(id="z", title=A.title)
    assert merged([A], [twin, twin]) == (A, twin)


def record(utterance: str, turn: int = 2, **more: object) -> TurnRecord:
    return {"turn": turn, "utterance": utterance, "dialogue": {}, "requests": [], "seen": [], **more}


def test_start_over_forgets_everything_but_what_the_same_words_ask_for() -> None:
    old = apply_edits(DialogueState(), [add("genre", "horror")], FILMS)
    turn = record(
        "start over, comedy", dialogue=old.model_dump(mode="json"), seen=[A.model_dump()], shown=[A.model_dump()]
    )
    reading = Understanding(intents=(Intent.START_OVER,), edits=(add("genre", "comedy", 2),))
    after = revise(turn, reading, FILMS)
    assert texts(state_of(after), "genre") == ["comedy"]
    assert (after["seen"], after["shown"], after["recommendation"]) == ([], [], "")
    assert after["changed"]


def test_a_reading_without_edits_changes_nothing() -> None:
    old = apply_edits(DialogueState(), [add("genre", "horror")], FILMS)
    after = revise(record("thanks", dialogue=old.model_dump(mode="json")), Understanding(greeting=True), FILMS)
    assert state_of(after) == old
    assert not after["changed"]
    assert after["requests"] == []


def test_only_utterances_that_carry_a_wish_are_kept_and_open_words_are_none() -> None:
    turn = record("anywhere is fine, ramen")
    edits = (
        StateEdit(kind=EditKind.ADD, key="location", text="anywhere", span=(2, 0, 8), mention=Mention.INDIFFERENT),
        StateEdit(kind=EditKind.ADD, key="dish_type", text="ramen", span=(2, 18, 23)),
    )
    kept = requests_after([], turn, Understanding(intents=(Intent.PROVIDE_PREFERENCE,), edits=edits))
    values = [(0, 8, "indifferent"), (18, 23, "stated")]
    assert kept == [{"turn": 2, "text": turn["utterance"], "values": values, "plain": True}]
    assert requests_after([], turn, Understanding(edits=edits[:1])) == []
    assert requests_after(kept, record("nah", 3), Understanding(intents=(Intent.REJECT,))) == kept


def test_an_utterance_that_also_takes_something_back_is_no_plain_story() -> None:
    turn = record("forget the pizza. ramen")
    added = StateEdit(kind=EditKind.ADD, key="dish_type", text="ramen", span=(2, 18, 23))
    reading = Understanding(intents=(Intent.PROVIDE_PREFERENCE,), edits=(drop("dish_type", "pizza"), added))
    assert [request["plain"] for request in requests_after([], turn, reading)] == [False]


def test_a_value_is_its_words_and_where_they_stand() -> None:
    state = apply_edits(DialogueState(), [add("genre", "Slow-Burn MYSTERY", 7)], FILMS)
    assert state.soft_constraints["genre"] == (ConstraintValue(text="Slow-Burn MYSTERY", span=(7, 0, 17)),)

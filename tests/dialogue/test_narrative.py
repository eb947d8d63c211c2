"""The narrative: the user's words, edited by the state, and where its hard wishes stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.models import ConstraintValue, DialogueState, KeptUtterance, Mention
from dialogue.narrative import render

Said = str | tuple[str, Mention]


def request(text: str, *said: Said, turn: int = 1, plain: bool = True) -> KeptUtterance:
    values = []
    for entry in said:
        words, mention = entry if isinstance(entry, tuple) else (entry, Mention.STATED)
        start = text.index(words)
        values.append((start, start + len(words), mention.value))
    return {"turn": turn, "text": text, "values": values, "plain": plain}


def standing(requests: list[KeptUtterance], *kept: str, hard: tuple[str, ...] = ()) -> DialogueState:
    values = {
        kept_text["text"][a:b]: ConstraintValue(text=kept_text["text"][a:b], span=(kept_text["turn"], a, b))
        for kept_text in requests
        for a, b, _ in kept_text["values"]
    }
    return DialogueState(
        hard_constraints={"others": tuple(values[words] for words in hard)},
        soft_constraints={"others": tuple(values[words] for words in kept)},
    )


def told(requests: list[KeptUtterance], *kept: str, hard: tuple[str, ...] = ()) -> str:
    return render(requests, standing(requests, *kept, hard=hard)).text


def test_untouched_wishes_are_told_in_the_users_own_words() -> None:
    text = "Fantasy with romance as a subplot, shown through banter. Not mostly sex."
    assert told([request(text, "romance", "banter")], "romance", "banter") == text


@pytest.mark.parametrize(
    ("text", "dropped", "rest"),
    [
        ("I want horror and romance.", "horror", "I want romance."),
        ("I want romance and horror.", "horror", "I want romance."),
        ("A film with banter, set in the past.", "banter", "set in the past."),
        ("I love horror, romance and banter.", "romance", "I love horror, banter."),
        ("A fantasy with romance at heart.", "fantasy", "with romance at heart."),
        ("A horror film with banter.", "horror", "A film with banter."),
        ("It has romance, but no gore.", "no gore", "It has romance."),
        ("We are two. I want horror. And romance.", "horror", "We are two. And romance."),
    ],
)
def test_a_dropped_wish_is_cut_out_with_the_words_that_would_hang(text: str, dropped: str, rest: str) -> None:
    names = [name for name in ("horror", "romance", "banter", "fantasy", "past", "no gore") if name in text]
    kept = [name for name in names if name != dropped]
    assert told([request(text, *names)], *kept) == rest


def test_a_sentence_of_dropped_wishes_disappears_and_an_utterance_of_them_too() -> None:
    first = request("I want horror.", "horror")
    second = request("Romance, please.", "Romance", turn=2)
    assert told([first, second], "Romance") == "Romance, please."
    assert told([first, second]) == ""


def test_the_wish_of_a_question_and_of_an_objection_are_put_in_our_words() -> None:
    asked = request("Does the second have parking?", ("parking", Mention.ASKED), plain=False)
    objected = request("Too loud, something quieter", ("Too loud", Mention.OBJECTED), "quieter", turn=2, plain=False)
    assert told([asked], "parking") == "I want parking."
    assert told([objected], "Too loud", "quieter") == "something quieter. Not too loud."


def test_words_that_only_win_time_are_not_told() -> None:
    assert told([request("No wait, I do want horror.", "horror")], "horror") == "I do want horror."
    assert told([request("Horror, please. Hold on.", "Horror")], "Horror") == "Horror, please."
    assert told([request("The wait staff must be kind.", "kind")], "kind") == "The wait staff must be kind."


def test_words_that_leave_something_open_are_not_told() -> None:
    text = "ramen anywhere in town, cheap"
    open_words = ("anywhere in town", Mention.INDIFFERENT)
    assert told([request(text, "ramen", open_words, "cheap")], "ramen", "cheap", "anywhere in town") == "ramen, cheap."
    beside = request("Ramen. Anywhere is fine.", "Ramen", ("Anywhere", Mention.INDIFFERENT))
    assert told([beside], "Ramen", "Anywhere") == "Ramen."


def test_utterances_are_told_in_order_each_closed() -> None:
    requests = [
        request("ramen", "ramen"),
        request("in Old Harbour!", "Old Harbour", turn=2),
        request("cheap", "cheap", turn=3),
    ]
    assert told(requests, "ramen", "Old Harbour", "cheap") == "ramen. in Old Harbour! cheap"


def test_sentences_beside_the_wishes_belong_to_a_story_but_not_to_an_answer_or_a_question() -> None:
    text = "My friend is shy. I want banter. What do you think?"
    assert told([request(text, "banter")], "banter") == "My friend is shy. I want banter."
    assert told([request(text, "banter", plain=False)], "banter") == "I want banter."


def test_hard_spans_stand_at_the_hard_words_also_behind_a_cut() -> None:
    requests = [request("Horror and ramen in Old Harbour", "Horror", "ramen", "Old Harbour")]
    found = render(requests, standing(requests, "ramen", hard=("Old Harbour",)))
    assert [found.text[a:b] for a, b in found.hard_spans] == ["Old Harbour"]
    asked = [request("Is it vegan?", ("vegan", Mention.ASKED), plain=False)]
    found = render(asked, standing(asked, hard=("vegan",)))
    assert [found.text[a:b] for a, b in found.hard_spans] == ["vegan"]


def test_a_long_chat_keeps_its_hard_wishes_and_its_newest_words() -> None:
    must = request("It must be vegan. " + "x" * 80, "vegan")
    chats = [request(f"wish{n} " + "y" * 80, f"wish{n}", turn=n) for n in range(2, 12)]
    requests = [must, *chats]
    state = standing(requests, *(f"wish{n}" for n in range(2, 12)), hard=("vegan",))
    found = render(requests, state, limit=300)
    assert len(found.text) <= 300
    assert "vegan" in found.text
    assert "wish11" in found.text
    assert "wish2 " not in found.text


def test_one_message_is_never_cut_whatever_its_length() -> None:
    requests = [request("ramen " * 100, "ramen")]
    assert len(render(requests, standing(requests, "ramen"), limit=10).text) == 599


WORDS = st.sampled_from(["horror", "romance", "banter", "dragons", "heists"])


@given(st.lists(WORDS, min_size=1, max_size=5, unique=True), st.data())
def test_every_standing_wish_is_told_and_no_dropped_one(words: list[str], data: st.DataObject) -> None:
    joints = data.draw(st.lists(st.sampled_from([", ", " and ", " or ", ". I want "]), min_size=5, max_size=5))
    text = "I want " + "".join(
        f"{joint if place else ''}{word}" for place, (word, joint) in enumerate(zip(words, joints, strict=False))
    )
    kept = data.draw(st.lists(st.sampled_from(words), unique=True))
    requests = [request(text, *words)]
    found = render(requests, standing(requests, hard=tuple(kept)))
    assert [word for word in words if word in found.text] == [word for word in words if word in kept]
    assert {found.text[a:b] for a, b in found.hard_spans} == set(kept)
    assert render(requests, standing(requests, hard=tuple(kept))) == found


def test_chinese_questions_and_objections_are_told_as_wishes_in_chinese() -> None:
    state = DialogueState(
        soft_constraints={
            "others": (ConstraintValue(text="停车", span=(2, 1, 3)),),
            "price_range": (
                ConstraintValue(text="太贵", span=(3, 0, 2)),
                ConstraintValue(text="有点远", span=(4, 0, 3)),
            ),
        }
    )
    requests: list[KeptUtterance] = [
        {"turn": 1, "text": "安静的餐厅，靠近河边", "values": [], "plain": True},
        {"turn": 2, "text": "能停车吗？", "values": [(1, 3, "asked")], "plain": False},
        {"turn": 3, "text": "太贵了", "values": [(0, 2, "objected")], "plain": False},
        {"turn": 4, "text": "有点远", "values": [(0, 3, "objected")], "plain": False},
    ]
    assert render(requests, state).text == "想要停车。 不要太贵。 不要太远。"


def test_a_chinese_clause_whose_wish_was_dropped_is_cut_at_its_comma() -> None:
    state = DialogueState(soft_constraints={"noise": (ConstraintValue(text="安静", span=(1, 0, 2)),)})
    requests: list[KeptUtterance] = [
        {"turn": 1, "text": "安静的餐厅，最好能停车", "values": [(0, 2, "stated"), (8, 11, "stated")], "plain": True}
    ]
    assert render(requests, state).text.rstrip(".。") == "安静的餐厅"

"""One question after a list: the tied pool, what an answer tells, what was asked before, and what an utterance does."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.domain import Domain, KeyAnswer, KeyQuestion, bundled_domain
from dialogue.elicitation import (
    MOST_ASKED,
    Asked,
    after_asking,
    after_hearing,
    asked_of,
    information,
    keys_asked,
    may_ask,
    question_for,
    skips,
    spoken_of,
    tied,
)
from dialogue.models import ConstraintValue, DialogueState, TurnRecord
from pdgf.catalogues.bundled import BUNDLED
from pdgf.models import Candidate, Label, PathScore, RankedItem
from pdgf.settings import DEFAULT_SCORE_MAP

NOISE = KeyQuestion(
    metadata="noise_level",
    text="would you rather sit somewhere {answers}?",
    answers=(KeyAnswer(say="quiet", values=("quiet",)), KeyAnswer(say="lively", values=("lively", "loud"))),
)
SPEND = KeyQuestion(
    metadata="average_spend", text="under {cut}?", below="under {cut} dollars", above="at least {cut} dollars", step=10
)


def place(number: int, total: float = 1.0, *, demoted: str | None = None, **metadata: Any) -> RankedItem:
    return RankedItem(
        candidate=Candidate(id=f"p{number}", title=f"Place {number}", metadata=metadata),
        score=math.log1p(total),
        demoted=demoted,
        paths=(PathScore(node="n", score=total, path=("n",), labels={"n": Label.SUPPORT}),),
    )


def domain(*questions: KeyQuestion) -> Domain:
    return bundled_domain("restaurants").model_copy(update={"questions": questions})


def asks(items: list[RankedItem], *questions: KeyQuestion, spoken: frozenset[str] = frozenset()) -> Any:
    return question_for(items, domain(*questions), spoken=spoken, score_map=DEFAULT_SCORE_MAP)


def test_the_band_is_one_label_step_below_the_first() -> None:
    """SUPPORT - PARTIAL = 0.5 of the sum of H."""
    items = [place(1, 2.0), place(2, 1.6), place(3, 1.5), place(4, 1.0)]
    assert [item.candidate.id for item in tied(items, DEFAULT_SCORE_MAP)] == ["p1", "p2"]
    assert tied([place(1), place(2, demoted="dear")], DEFAULT_SCORE_MAP) == (place(1),)
    assert tied([place(1, demoted="dear"), place(2)], DEFAULT_SCORE_MAP) == ()
    assert tied([], DEFAULT_SCORE_MAP) == ()


@pytest.mark.parametrize(
    ("counts", "total", "bits"),
    [
        ([2, 2], 4, 1.0),
        ([1, 1, 1, 1], 4, 2.0),
        ([4], 4, 0.0),
        ([3, 1], 4, 0.811278),  # -(3/4 log2 3/4 + 1/4 log2 1/4)
        ([2, 2], 8, 0.5),  # half of the items say nothing
        ([3, 1], 8, 0.405639),
        ([1, 2, 5], 8, 1.298795),
        ([], 3, 0.0),
    ],
)
def test_what_an_answer_tells_is_the_entropy_of_its_groups_weighed_by_what_is_known(
    counts: list[int], total: int, bits: float
) -> None:
    assert information(counts, total) == pytest.approx(bits, abs=1e-6)


def test_the_question_that_splits_the_pool_best_is_asked() -> None:
    """Noise parts 3 from 1 (.811 bits), the spend 2 from 2 (1 bit)."""
    noises, spends = ("quiet", "quiet", "quiet", "loud"), (10, 12, 25, 40)
    items = [place(n, noise_level=noises[n], average_spend=spends[n]) for n in range(4)]
    found = asks(items, NOISE, SPEND)
    assert (found.metadata, found.key, found.bits, found.text) == ("average_spend", "price_range", 1.0, "under 20?")
    assert [(choice.say, choice.items) for choice in found.choices] == [
        ("under 20 dollars", ("p0", "p1")),
        ("at least 20 dollars", ("p2", "p3")),
    ]
    found = asks(items, NOISE, SPEND, spoken=frozenset({"average_spend"}))
    assert found.text == "would you rather sit somewhere quiet or lively?"
    assert [(choice.say, choice.items) for choice in found.choices] == [
        ("quiet", ("p0", "p1", "p2")),
        ("lively", ("p3",)),
    ]
    assert found.bits == pytest.approx(0.811278, abs=1e-6)


def test_nothing_is_asked_where_no_more_are_tied_than_shown_or_nothing_splits() -> None:
    halves = [place(n, noise_level="quiet" if n % 2 else "loud") for n in range(4)]
    assert asks(halves, NOISE) is not None
    assert asks(halves[:3], NOISE) is None
    assert asks([*halves[:3], place(9, 0.2, noise_level="quiet")], NOISE) is None
    assert asks([place(n, noise_level="quiet") for n in range(9)], NOISE) is None
    assert asks([place(n, noise_level="moderate") for n in range(9)], NOISE) is None
    assert asks([place(n) for n in range(9)], NOISE, SPEND) is None
    one_of_many = [place(n, noise_level="loud" if n else "quiet") for n in range(20)]
    assert asks(one_of_many, NOISE) is None  # .29 bits are not worth an answer


def test_a_key_with_more_than_six_values_in_the_pool_is_no_question() -> None:
    kinds = [*"abcdefg", "quiet", "lively"]
    assert asks([place(n, noise_level=kind) for n, kind in enumerate(kinds)], NOISE) is None


def test_a_scale_is_cut_at_a_round_number_near_the_median_and_at_the_median_where_that_parts_nothing() -> None:
    assert asks([place(n, average_spend=v) for n, v in enumerate((11, 12, 38, 44))], SPEND).text == "under 40?"
    assert asks([place(n, average_spend=v) for n, v in enumerate((11, 12, 13, 14))], SPEND).text == "under 13?"
    skewed = [place(n, average_spend=v) for n, v in enumerate((11, 11, 11, 14, 14))]
    assert asks(skewed, SPEND).text == "under 14?"


@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["quiet", "loud", "lively", "moderate", None]),
            st.one_of(st.none(), st.integers(0, 60)),
            st.sampled_from([1.0, 0.9, 0.2]),
        ),
        max_size=12,
    ),
    spoken=st.frozensets(st.sampled_from(["noise_level", "average_spend"])),
)
def test_a_question_always_splits_the_tied_pool_and_never_asks_what_is_spoken_of(
    rows: list[tuple[str | None, int | None, float]], spoken: frozenset[str]
) -> None:
    given_ = [
        place(n, total, **{k: v for k, v in (("noise_level", noise), ("average_spend", spend)) if v is not None})
        for n, (noise, spend, total) in enumerate(rows)
    ]
    items = sorted(given_, key=lambda item: -item.score)
    found = asks(items, NOISE, SPEND, spoken=spoken)
    if found is None:
        return
    pool = {item.candidate.id for item in tied(items, DEFAULT_SCORE_MAP)}
    assert found.metadata not in spoken
    assert len(pool) > 3
    groups = [set(choice.items) for choice in found.choices]
    assert len(groups) >= 2
    assert all(group and group < pool for group in groups)
    assert len(set.union(*groups)) == sum(map(len, groups))
    assert found.bits == pytest.approx(information([len(group) for group in groups], len(pool)))


def turn(said: str = "", elicited: Asked | None = None, **more: Any) -> TurnRecord:
    record: TurnRecord = {"utterance": said, "elicited": (elicited or Asked()).model_dump()}
    return {**record, **more}  # type: ignore[typeddict-item]  # keys of the record


def state(**soft: str) -> DialogueState:
    return DialogueState(
        soft_constraints={key: (ConstraintValue(text=text, span=(1, 0, 1)),) for key, text in soft.items()}
    )


def test_what_was_spoken_of_or_asked_is_not_asked() -> None:
    restaurants = bundled_domain("restaurants")
    assert "noise_level" in spoken_of(restaurants, state(atmosphere="cosy"), [], Asked())
    assert "noise_level" in spoken_of(restaurants, state(), ["How loud may it be?"], Asked())
    assert "noise_level" in spoken_of(restaurants, state(), [], Asked(keys=("noise_level",)))
    assert "noise_level" not in spoken_of(restaurants, state(others="parking"), ["with parking"], Asked())
    assert "parking" in spoken_of(restaurants, state(others="parking"), ["with parking"], Asked())
    assert "bike_parking" not in spoken_of(restaurants, state(others="a terrace"), ["a terrace"], Asked())


@given(st.lists(st.booleans(), max_size=12))
def test_no_key_is_asked_twice_and_no_conversation_is_asked_too_often(skipping: list[bool]) -> None:
    items = [place(n, noise_level=("quiet", "loud")[n % 2], average_spend=(10, 30)[n // 2 % 2]) for n in range(8)]
    third = KeyQuestion(
        metadata="waits", text="?", answers=(KeyAnswer(say="a", values=("a",)), KeyAnswer(say="b", values=("b",)))
    )
    fourth = third.model_copy(update={"metadata": "kind"})
    items = [
        item.model_copy(
            update={
                "candidate": item.candidate.model_copy(
                    update={"metadata": {**item.candidate.metadata, "waits": w, "kind": w}}
                )
            }
        )
        for item, w in zip(items, "abababab", strict=True)
    ]
    here, record, asked = domain(NOISE, SPEND, third, fourth), turn("hello"), []
    for skip in skipping:
        record = turn("no preference" if skip else "ramen", elicited=Asked.model_validate(after_hearing(record)))
        spoken = spoken_of(here, state(), [], asked_of(record))
        found = question_for(items, here, spoken=spoken, score_map=DEFAULT_SCORE_MAP)
        if found is not None and may_ask(record):
            asked.append(found.metadata)
            record = turn(record["utterance"], elicited=Asked.model_validate(after_asking(record, found)))
            record["utterance"] = "no preference" if skip else "ramen"
    assert len(asked) == len(set(asked)) <= MOST_ASKED
    if True in skipping and asked:
        assert len(asked) <= skipping.index(True) + 1


OPEN = Asked(keys=("noise_level",), open="noise_level")


@pytest.mark.parametrize(
    "said",
    [
        "no preference", "No preference.", "I don't mind", "either is fine", "doesn't matter", "surprise me",
        "you choose", "Whatever!", "skip that", "no strong preference, thanks", "up to you", "both are fine", "随便",
    ],
)  # fmt: skip
def test_words_that_leave_the_question_open_are_heard_only_while_it_is_open(said: str) -> None:
    assert skips(turn(said, OPEN))
    assert not skips(turn(said, Asked(keys=("noise_level",))))
    after = Asked.model_validate(after_hearing(turn(said, OPEN)))
    assert (after.open, after.over) == ("", True)


@pytest.mark.parametrize(
    "said", ["quiet", "no", "none of these", "I'll take the first", "no preference for quiet", "more"]
)
def test_other_words_are_no_skip(said: str) -> None:
    assert not skips(turn(said, OPEN))
    assert Asked.model_validate(after_hearing(turn(said, OPEN))) == Asked(keys=("noise_level",))


def test_who_leaves_the_choice_to_us_is_not_asked() -> None:
    assert may_ask(turn("quiet ramen"))
    assert not may_ask(turn("ramen, surprise me"))
    after = Asked.model_validate(after_hearing(turn("ramen, surprise me")))
    assert not may_ask(turn("quiet", after))
    assert not may_ask(turn("quiet", Asked(keys=("a", "b", "c"))))


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("quiet", ("atmosphere",)),
        ("Rather lively, please", ("atmosphere",)),
        ("the loud kind", ("atmosphere",)),
        ("tell me a joke", ()),
        ("the first sounds good", ()),
    ],
)
def test_an_utterance_is_bound_to_the_question_only_where_it_shares_a_word_with_its_answers(
    said: str, keys: tuple[str, ...]
) -> None:
    assert keys_asked(turn(said, OPEN, asked=["atmosphere"]), domain(NOISE)) == keys
    assert keys_asked(turn(said, asked=["location"]), domain(NOISE)) == ("location",)  # a mandatory question


@pytest.mark.parametrize("name", BUNDLED)
def test_questions_of_the_domains_are_short_and_about_keys_that_wishes_have(name: str) -> None:
    here = bundled_domain(name)
    metadata = {key for row in here.constraint_keys for key in row.metadata}
    assert here.questions
    assert len({question.metadata for question in here.questions}) == len(here.questions)
    for question in here.questions:
        assert question.metadata in metadata
        assert question.text.endswith("?")
        assert len(question.text) <= 80
        assert bool(question.answers) is not bool(question.below and question.above)
        values = [value for answer in question.answers for value in answer.values]
        assert len(values) == len(set(values)) <= 6


def test_a_chinese_answer_is_bound_to_the_question_and_other_chinese_words_are_not() -> None:
    domain = bundled_domain("movies")
    asked = {"elicited": {"keys": ["format"], "open": "format"}, "asked": ["length_format"]}
    assert keys_asked({**asked, "utterance": "动画片吧"}, domain) == ("length_format",)
    assert keys_asked({**asked, "utterance": "想看轻松的"}, domain) == ()


@pytest.mark.parametrize("said", ["没有偏好", "随便", "都行", "无所谓啦", "你定吧"])
def test_chinese_words_leave_a_question_open(said: str) -> None:
    assert skips({"elicited": {"keys": ["format"], "open": "format"}, "utterance": said})

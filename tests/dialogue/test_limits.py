"""An objection that numbers can measure is the limit that the item in question breaks."""

import pytest

from dialogue import limits, wording
from dialogue.domain import bundled_domain
from dialogue.models import (
    ConstraintValue,
    DialogueState,
    EditKind,
    ItemRef,
    Mention,
    StateEdit,
    Understanding,
)
from dialogue.record import values_of
from tests.dialogue.talks import talk

FILMS = bundled_domain("movies")
LONG = ItemRef(id="a", title="Long", year=1987)
LONGER = ItemRef(id="b", title="Longer", year=1999)
KNOWN = {LONG: {"length_minutes": 127}, LONGER: {"length_minutes": 150}}


def objecting(words: str) -> Understanding:
    edit = StateEdit(
        kind=EditKind.ADD, key="others", text=words, span=(2, 0, len(words)), mention=Mention.OBJECTED, avoid=True
    )
    return Understanding(edits=(edit,))


@pytest.mark.parametrize(
    ("words", "limit", "key"),
    [
        ("Too long", "shorter than 127 minutes", "length_format"),
        ("too short", "longer than 150 minutes", "length_format"),
        ("too old", "from 2000 or later", "era_year"),
        ("too new", "from before 1987", "era_year"),
    ],
)
def test_of_several_items_the_limit_is_one_that_all_of_them_break(words: str, limit: str, key: str) -> None:
    heard = limits.measured(objecting(words), f"{words}.", DialogueState(), KNOWN, FILMS)
    [edit] = heard.reading.edits
    assert (edit.key, edit.text, edit.hard, edit.avoid) == (key, limit, True, False)
    assert heard.text[slice(*edit.span[1:])] == limit
    assert heard.taken == ((words, limit),)


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("Too long", "shorter than 127 minutes"),
        ("too short", "longer than 127 minutes"),
        ("too old", "from 2000 or later"),
    ],
)
def test_a_list_as_a_whole_is_measured_against_its_middle_and_that_is_no_condition(words: str, limit: str) -> None:
    known = {**KNOWN, ItemRef(id="c", title="Short", year=2010): {"length_minutes": 80}}
    [edit] = limits.measured(objecting(words), words, DialogueState(), known, FILMS, whole=True).reading.edits
    assert (edit.text, edit.hard) == (limit, False)


@pytest.mark.parametrize(("words", "limit"), [("Too long", "150"), ("too short", "127")])
def test_of_two_that_make_the_list_the_looser_one_measures(words: str, limit: str) -> None:
    [edit] = limits.measured(objecting(words), words, DialogueState(), KNOWN, FILMS, whole=True).reading.edits
    assert limit in edit.text


@pytest.mark.parametrize("hard", [True, False])
def test_of_a_limit_that_stands_and_the_middle_of_the_list_the_tighter_is_kept_and_said(hard: bool) -> None:
    tight = ConstraintValue(text="under two hours", span=(1, 0, 15))
    state = DialogueState(**{"hard_constraints" if hard else "soft_constraints": {"length_format": (tight,)}})
    kept = limits.measured(objecting("too long"), "too long", state, KNOWN, FILMS, whole=True)
    assert (kept.reading.edits, kept.kept) == ((), (("too long", "under two hours"),))
    shorter = {item: {"length_minutes": 90} for item in KNOWN}
    heard = limits.measured(objecting("too long"), "too long", state, shorter, FILMS, whole=True)
    [edit] = heard.reading.edits
    assert (edit.text, edit.hard) == ("shorter than 90 minutes", False)
    assert edit.replaces is (False if hard else None)  # a wish replaces no condition


@pytest.mark.parametrize(
    ("words", "limit"), [("太长", "短于127分钟"), ("有点长", "短于127分钟"), ("太老", "2000年以后的")]
)
def test_a_chinese_objection_is_measured_likewise(words: str, limit: str) -> None:
    with wording.speaking(wording.CHINESE):
        heard = limits.measured(objecting(words), words, DialogueState(), KNOWN, FILMS)
    assert [edit.text for edit in heard.reading.edits] == [limit]


@pytest.mark.parametrize("words", ["too slow", "too bleak", "too violent", "Too long"])
def test_what_no_number_measures_stays_as_it_was_said(words: str) -> None:
    reading = objecting(words)
    known = KNOWN if words != "Too long" else {ItemRef(id="c", title="Of no known length"): {}}
    assert limits.measured(reading, words, DialogueState(), known, FILMS) == limits.Heard(reading, words)


def test_a_limit_that_stands_already_and_rules_out_more_is_kept() -> None:
    standing = ConstraintValue(text="under 100 minutes", span=(1, 0, 17))
    state = DialogueState(hard_constraints={"length_format": (standing,)})
    heard = limits.measured(objecting("too long"), "too long", state, KNOWN, FILMS)
    assert (heard.reading.edits, heard.kept) == ((), (("too long", "under 100 minutes"),))


def test_an_objection_that_could_not_be_measured_goes_once_it_can() -> None:
    standing = ConstraintValue(text="too long", span=(1, 0, 8))
    state = DialogueState(soft_constraints={"length_format": (standing,)})
    dropped, added = limits.measured(objecting("Too long"), "Too long", state, KNOWN, FILMS).reading.edits
    assert (dropped.kind, dropped.text) == (EditKind.DROP, "too long")
    assert added.text == "shorter than 127 minutes"


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize(
    ("domain", "wish", "key", "objection"),
    [
        ("movies", "a fantasy film", "length_minutes", "Not for me: the first. Too long."),
        ("movies", "想看奇幻片", "length_minutes", "不要第一部，太长"),
        ("restaurants", "Italian food, anywhere", "average_spend", "Not for me: the first. Too expensive."),
        ("restaurants", "哪里都行，想吃意大利菜", "average_spend", "不要第一家，太贵"),
    ],
)
async def test_after_an_objection_nothing_is_listed_that_breaks_the_limit_and_a_smaller_one_replaces_it(
    domain: str, wish: str, key: str, objection: str
) -> None:
    async with talk(domain) as say:
        before = await say(wish)
        first = before.items[0]["metadata"][key]
        after = await say(objection)
        kept = [item for item in after.items if item["demoted"] is None]
        assert kept
        assert all(item["metadata"][key] < first for item in kept)
        again = await say(objection)
    bounds = [v.text for _, v, hard in values_of(again.state) if hard and any(letter.isdigit() for letter in v.text)]
    assert len(bounds) == 1
    assert str(kept[0]["metadata"][key]) in bounds[0]


@pytest.mark.usefixtures("data_dir")
@pytest.mark.parametrize(
    ("domain", "wish", "objection"),
    [
        ("movies", "a fantasy film", "Too long. And is the second one funny?"),
        ("movies", "想看奇幻片", "太长了。第二部好笑吗？"),
        ("restaurants", "Italian food, anywhere", "Too expensive"),
        ("restaurants", "哪里都行，想吃意大利菜", "太贵了"),
    ],
)
async def test_an_objection_to_the_whole_list_renews_it_at_once_and_sets_no_condition(
    domain: str, wish: str, objection: str
) -> None:
    async with talk(domain) as say:
        before = await say(wish)
        after = await say(objection)
    assert after.items
    assert {item["id"] for item in after.items}.isdisjoint(item["id"] for item in before.items)
    limits_said = [
        (v.text, hard) for _, v, hard in values_of(after.state) if any(letter.isdigit() for letter in v.text)
    ]
    assert [hard for _, hard in limits_said] == [False]
    assert after.action == "respond_to_rejection"
    if "second" in objection:
        assert before.items[1]["title"] in after.reply.split(after.items[0]["title"])[0]


def wishing(words: str, *, key: str = "length_format") -> Understanding:
    edit = StateEdit(
        kind=EditKind.ADD, key=key, text=words, span=(2, 0, len(words)), mention=Mention.STATED, avoid=False
    )
    return Understanding(edits=(edit,))


@pytest.mark.parametrize(
    ("message", "word", "limit"),
    [
        ("Something shorter", "shorter", "shorter than 127 minutes"),
        ("a bit longer, please", "longer", "longer than 127 minutes"),
        ("Can you show me something newer?", "newer", "from 2000 or later"),
        ("older ones", "older", "from before 1999"),
        ("短一点的", "短一点", "shorter than 127 minutes"),
    ],
)
def test_a_bare_comparison_is_measured_at_the_middle_of_the_list_as_an_objection_is(
    message: str, word: str, limit: str
) -> None:
    known = {**KNOWN, ItemRef(id="c", title="Short", year=2010): {"length_minutes": 80}}
    heard = limits.measured(wishing(word), message, DialogueState(), known, FILMS)
    [edit] = heard.reading.edits
    assert (edit.text, edit.hard, edit.avoid) == (limit, False, False)
    assert heard.text[slice(*edit.span[1:])] == limit
    assert heard.taken == ((word, limit),)


@pytest.mark.parametrize(
    "message",
    ["something shorter and funnier", "the shortest", "a short film", "shorter than Jaws", "something gentler"],
)
def test_what_says_more_or_compares_with_something_else_stays_as_it_was_said(message: str) -> None:
    assert limits.compared(message, FILMS) is None


def test_a_bare_comparison_without_a_list_stays_a_wish() -> None:
    reading = wishing("shorter")
    assert limits.measured(reading, "Something shorter", DialogueState(), {}, FILMS).reading == reading


def test_a_long_message_is_no_bare_comparison() -> None:
    assert limits.compared("a " * limits.LONGEST + "shorter", FILMS) is None

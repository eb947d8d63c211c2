"""Verdicts and tastes in many words, after a list of three in each domain: what they are on, what they leave open."""

from collections.abc import Sequence

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.models import DialogueState, EditKind, Intent, ItemRef, Understanding
from dialogue.ports import Utterance
from pdgf.models import Candidate
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import VocabularyAgent

I = Intent  # noqa: E741 - the tables below are read by its first letters
WORDS = {
    "sad": "tone",
    "lighter": "tone",
    "long": "length",
    "violent": "content",
    "expensive": "price",
    "gentle": "tone",
}
LISTS: dict[str, tuple[Candidate, ...]] = {
    "movies": (
        Candidate(id="a", title="Copper Moon", year=1954, metadata={"director": ["Ida Vahl"], "length_minutes": 90}),
        Candidate(
            id="b", title="The Tin Whistle", year=2003, metadata={"director": ["Lars Brun"], "length_minutes": 140}
        ),
        Candidate(
            id="c", title="Harbour Lights", year=1994, metadata={"director": ["Ida Vahl"], "length_minutes": 100}
        ),
    ),
    "books": (
        Candidate(id="a", title="Copper Moon", year=1954, metadata={"author": ["Ida Vahl"], "country": ["Italy"]}),
        Candidate(
            id="b", title="The Tin Whistle", year=2003, metadata={"author": ["Lars Brun"], "country": ["France"]}
        ),
        Candidate(id="c", title="Harbour Lights", year=1994, metadata={"author": ["Ida Vahl"], "country": ["Japan"]}),
    ),
    "anime": (
        Candidate(id="a", title="Copper Moon", year=1994, metadata={"other_titles": ["Dō no Tsuki", "銅の月"]}),
        Candidate(id="b", title="The Tin Whistle", year=2003, metadata={"studio": ["Studio Brun"], "format": "film"}),
        Candidate(id="c", title="Harbour Lights", year=1984, metadata={"studio": ["Vahl"], "format": "TV series"}),
    ),
    "restaurants": (
        Candidate(id="a", title="Copper Moon", metadata={"cuisine": ["Italian"], "average_spend": 20}),
        Candidate(
            id="b",
            title="The Tin Whistle",
            metadata={"cuisine": ["French"], "outdoor_seating": True, "average_spend": 40},
        ),
        Candidate(id="c", title="Harbour Lights", metadata={"cuisine": ["Japanese"], "average_spend": 30}),
    ),
}
DOMAINS = sorted(LISTS)


async def read(text: str, domain: str = "movies", focus: str = "", earlier: Sequence[Candidate] = ()) -> Understanding:
    shown = LISTS[domain]
    refs = {item.id: ItemRef(id=item.id, title=item.title, year=item.year) for item in (*earlier, *shown)}
    utterance = Utterance(
        text=text,
        turn=5,
        state=DialogueState(recommended_items=tuple(refs.values())),
        shown=tuple(refs[item.id] for item in shown),
        domain=bundled_domain(domain),
        focus=tuple(refs[item] for item in focus),
        metadata={item.id: item.metadata for item in (*earlier, *shown)},
        current_year=2026,
        catalogue=(*earlier, *shown),
    )
    engine = BuiltinDialogueAgent(preferences=VocabularyAgent(WORDS), config=MethodConfig())
    return await engine.understand(utterance, Budget())


def ids(items: Sequence[ItemRef]) -> str:
    return "".join(item.id or item.title for item in items)


def added(reading: Understanding) -> list[tuple[str, bool]]:
    return [(edit.text, edit.avoid) for edit in reading.edits if edit.kind is EditKind.ADD]


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(
    ("text", "rejected"),
    [
        ("No, the first is too sad. Anything lighter?", "a"),
        ("Nah. The second is too long", "b"),
        ("the second is too long, the others are fine", "b"),
        ("no, Harbour Lights is too violent, something gentle please", "c"),
        ("not the first two", "ab"),
        ("not The Tin Whistle", "b"),
        ("all too violent", "abc"),
        ("too long", "abc"),
        ("nothing here appeals to me", "abc"),
        ("maybe something else", "abc"),
        ("something else please", "abc"),
        ("next", "abc"),
        ("hmm, not convinced", "abc"),
        ("they all sound boring", "abc"),
    ],
)
async def test_a_rejection_is_of_what_it_names_and_else_of_the_list(domain: str, text: str, rejected: str) -> None:
    reading = await read(text, domain)
    assert (ids(reading.rejected), reading.accepted) == (rejected, ())
    assert I.REJECT in reading.intents


@pytest.mark.parametrize("text", ["probably too expensive, what else?", "maybe something else", "not for me"])
async def test_an_implicit_rejection_is_of_the_item_in_focus(text: str) -> None:
    assert ids((await read(text, focus="b")).rejected) == "b"


async def test_the_reason_of_a_rejection_is_a_wish_against_it() -> None:
    reading = await read("No, the first is too sad. Anything lighter?")
    assert added(reading) == [("too sad", True), ("lighter", False)]


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("ok adding the first to my list", "a"),
        ("I'll watch Copper Moon tonight", "a"),
        ("We'll try The Tin Whistle then", "b"),
        ("let's go with Harbour Lights", "c"),
        ("booking the second", "b"),
        ("the last one sounds lovely, we'll take it", "c"),
        ("the second, please", "b"),
        ("No, I'll take the first", "a"),
    ],
)
async def test_an_item_is_taken_by_what_one_means_to_do_with_it(domain: str, text: str, accepted: str) -> None:
    reading = await read(text, domain)
    assert (ids(reading.accepted), reading.rejected, reading.edits) == (accepted, (), ())
    assert reading.intents == (I.ACCEPT,)


@pytest.mark.parametrize(
    "text", ["let's go with that", "sounds great, booking it", "that one please", "perfect, that one"]
)
async def test_a_pronoun_takes_the_item_in_focus_and_none_of_several(text: str) -> None:
    assert ids((await read(text, focus="b")).accepted) == "b"
    open_ = await read(text)
    assert (open_.accepted, I.ACCEPT in open_.intents) == ((), True)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("text", ["the second one sounds good", "The Tin Whistle looks great", "I like the second one"])
async def test_praise_of_one_is_interest_and_takes_nothing_yet(domain: str, text: str) -> None:
    reading = await read(text, domain)
    assert (ids(reading.interest), reading.accepted, reading.intents) == ("b", (), (I.ACCEPT,))


async def test_praise_beside_a_question_takes_nothing_and_says_what_is_compared() -> None:
    both = await read("both the first and the second sound good, which one is shorter?")
    assert (ids(both.interest), ids(both.about), both.accepted) == ("ab", "ab", ())
    one = await read("sounds good, how long is it?", focus="c")
    assert (ids(one.interest), ids(one.about), one.accepted) == ("c", "c", ())


async def test_praise_of_what_is_turned_down_is_no_interest() -> None:
    reading = await read("I like the first but it's too long")
    assert (ids(reading.rejected), reading.interest, I.ACCEPT in reading.intents) == ("a", (), False)


async def test_a_verdict_that_is_open_stands_in_no_questions_way() -> None:
    reading = await read("both look good, which is less violent?")
    assert (reading.unclear, reading.unresolved, reading.about) == (("both",), (), ())
    assert (await read("both look good")).unresolved == ("both",)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(
    ("text", "seen", "rejected"),
    [
        ("I've seen the second", "b", ""),
        ("she has already read Copper Moon", "a", ""),
        ("my kids have seen Harbour Lights", "c", ""),
        ("I know both the first and the last, everyone has seen them", "abc", ""),
        ("seen the first, didn't like it", "a", "a"),
        ("I've tried the second and didn't like it", "b", "b"),
    ],
)
async def test_what_is_known_is_seen_and_turned_down_only_where_it_was_disliked(
    domain: str, text: str, seen: str, rejected: str
) -> None:
    reading = await read(text, domain)
    assert set(ids(reading.seen)) >= set(seen) - {"b"} or ids(reading.seen) == seen
    assert (ids(reading.rejected), reading.edits) == (rejected, ())
    assert I.INQUIRE not in reading.intents


@pytest.mark.parametrize("text", ["seen it, didn't like it", "I don't like it", "I've seen that"])
async def test_one_of_several_is_asked_about_and_never_guessed(text: str) -> None:
    reading = await read(text)
    assert (reading.seen, reading.rejected) == ((), ())
    assert len(reading.unresolved) == 1
    assert (await read(text, focus="a")).unresolved == ()


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(
    ("text", "liked", "disliked"),
    [
        ("I loved Copper Moon and hated Twilight", "a", "Twilight"),
        ("We both really enjoyed Copper Moon", "a", ""),
        ("Copper Moon was wonderful, so something similar", "a", ""),
        ("something like Copper Moon please", "a", ""),
        ("I couldn't stand Twilight", "", "Twilight"),
        ("I loved Paddington and Copper Moon but not Twilight", "Paddingtona", "Twilight"),
    ],
)
async def test_tastes_are_references_and_no_verdict_on_the_list(
    domain: str, text: str, liked: str, disliked: str
) -> None:
    reading = await read(text, domain)
    assert (ids(reading.liked), ids(reading.disliked)) == (liked, disliked)
    assert (reading.rejected, reading.accepted) == ((), ())
    assert I.REJECT not in reading.intents
    assert ("a" in liked) == ("a" in ids(reading.seen))
    wished = added(reading)
    assert any("Copper Moon" in words and not avoid for words, avoid in wished) == ("a" in liked)
    assert any("Twilight" in words and avoid for words, avoid in wished) == bool(disliked)


@pytest.mark.parametrize(
    "text", ["I hated Copper Moon", "we didn't like Copper Moon", "I'm not a big fan of Copper Moon"]
)
async def test_a_disliked_item_of_the_list_is_turned_down_and_known(text: str) -> None:
    reading = await read(text)
    assert (ids(reading.rejected), ids(reading.seen), reading.edits) == ("a", "a", ())


@pytest.mark.parametrize(
    "text", ["is it like Copper Moon?", "did people love Copper Moon?", "funnier than Copper Moon"]
)
async def test_questions_and_comparisons_tell_of_no_taste(text: str) -> None:
    reading = await read(text)
    assert (reading.liked, reading.disliked, reading.seen) == ((), (), ())


@pytest.mark.parametrize(
    ("domain", "text", "item"),
    [
        ("movies", "I'll take the Brun one", "b"),
        ("movies", "the one by Brun, please", "b"),
        ("movies", "the 1994 one please", "c"),
        ("movies", "the newest one please", "b"),
        ("books", "the Brun, please", "b"),
        ("books", "the Italian one please", "a"),
        ("books", "the French one please", "b"),
        ("books", "the one from Japan, please", "c"),
        ("books", "the Copper one, please", "a"),
        ("books", "I'll read Harbor Lights", "c"),
        ("anime", "I'll watch Dou no Tsuki", "a"),
        ("anime", "I'll take 銅の月", "a"),
        ("anime", "the TV one, please", "c"),
        ("restaurants", "the one with the terrace, please", "b"),
        ("restaurants", "we'll book the cheapest", "a"),
        ("restaurants", "the Japanese place please", "c"),
    ],
)
async def test_items_are_known_by_creators_and_attributes_and_other_names(domain: str, text: str, item: str) -> None:
    assert ids((await read(text, domain)).accepted) == item


@pytest.mark.parametrize("text", ["the Vahl one", "I'll take the Vahl one", "is the Vahl one long?"])
async def test_a_description_that_fits_several_is_asked_back_with_them(text: str) -> None:
    reading = await read(text)
    assert (reading.accepted, reading.about, ids(reading.candidates)) == ((), (), "ac")
    assert [words.lower() for words in reading.unresolved] == ["the vahl one"]


async def test_the_two_in_focus_are_those_that_are_compared() -> None:
    assert ids((await read("the shorter of the two, please", focus="bc")).accepted) == "c"
    assert (await read("the shorter of the two, please")).unresolved == ("the shorter of the two",)
    assert ids((await read("the other one, please", focus="a")).candidates) == "bc"


OLD = Candidate(id="z", title="Copper Moon", year=2020, metadata={"country": ["France"], "director": ["Ada Noor"]})


async def test_items_no_longer_on_screen_are_known_by_their_place_and_their_description() -> None:
    long = await read("the first one you showed me, is it long?", earlier=(OLD,))
    assert (ids(long.about), long.questions) == ("z", ("is it long?",))
    nowhere = await read("that Danish place from before", "restaurants")
    assert (nowhere.unresolved, nowhere.edits) == (("that Danish place",), ())
    assert ids((await read("I'll take the Noor one", earlier=(OLD,))).accepted) == "z"
    assert ids((await read("that French one from before", earlier=(OLD,))).about) == "z"
    assert ids((await read("is the first one long?", earlier=(OLD,))).about) == "a"


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("I'll take Copper Moon", "a"),
        ("I'll take Copper Moon from 2020", "z"),
        ("I'll take Copper Moon (1954)", "a"),
        ("I'll take the newer Copper Moon", "z"),
        ("I'll take the original Copper Moon", "a"),
    ],
)
async def test_one_title_of_two_years_is_told_apart(text: str, item: str) -> None:
    accepted = (await read(text, earlier=(OLD,))).accepted
    assert ids(accepted) == item


@pytest.mark.parametrize(
    "title", ["It's a Wonderful Life", "Where Is the Friend's House?", "The Good, the Bad and the Ugly", "No Such Bar"]
)
async def test_what_stands_in_a_title_is_not_what_the_words_about_it_say(title: str) -> None:
    tale = Candidate(id="t", title=title, year=1950)
    for words, field in ((f"Not for me: {title}", "rejected"), (f"I'll take {title}", "accepted")):
        found = await read(words, earlier=[tale])
        assert ids(getattr(found, field)) == "t", words
        assert not found.edits, words
        assert not found.questions, words

"""Words that comparable software took for something else, said to the real built-in engine (C22, C27 to C36)."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path

import pytest
import pytest_asyncio

from dialogue.composition import Composition
from dialogue.conversation import Conversations
from dialogue.events import Finished, ReplyPiece
from dialogue.models import Action, TurnView
from pdgf.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

Say = Callable[..., Awaitable[list[TurnView]]]
WARM = "a warm film about friendship"
ASKED = "somewhere quiet for dinner"  # to which the restaurants answer with a question


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def say(data_dir: Path) -> AsyncIterator[Say]:
    """Say things in a new conversation of a domain, and get its turns."""
    composition = Composition(settings=Settings(data_dir=data_dir))
    async with Conversations(data_dir, composition.ports) as conversations:

        async def talk(*utterances: str, domain: str = "movies") -> list[TurnView]:
            thread = await conversations.start(domain, "somebody")
            views = []
            for utterance in utterances:
                events = [event async for event in conversations.turn(thread, utterance)]
                assert isinstance(events[-1], Finished)
                streamed = "".join(event.text for event in events if isinstance(event, ReplyPiece))
                assert streamed in ("", events[-1].view.reply)
                views.append(events[-1].view)
            assert await conversations.history(thread) == views
            return views

        yield talk


def wishes(view: TurnView) -> dict[str, list[str]]:
    """The words of every wish by its key."""
    rows = (*view.state.hard_constraints.items(), *view.state.soft_constraints.items())
    return {key: [value.text for value in values] for key, values in rows}


def nodes(view: TurnView) -> set[tuple[str, str]]:
    """What is wanted and what is to be avoided."""
    return {(node["instantiation"], node["polarity"]) for node in view.graph.graph.get("nodes", ())}


def titles(views: Iterable[TurnView]) -> list[str]:
    return [item["title"] for view in views for item in view.items]


async def test_c27_the_latest_period_replaces_the_earlier_one_again_and_again(say: Say) -> None:
    views = await say("a funny film from the 90s", "Actually make it the 70s, not the 90s", "make it the 80s instead")
    for view, decade in zip(views, (1990, 1970, 1980), strict=True):
        assert wishes(view)["era_year"] == [f"the {decade - 1900}s"]
        assert view.items
        assert all(decade <= item["year"] < decade + 10 for item in view.items if item["demoted"] is None)
    moved = await say(
        "somewhere in Old Harbour for dinner", "not Old Harbour, Mill Quarter instead", domain="restaurants"
    )
    assert "Mill Quarter" in wishes(moved[-1])["location"]
    assert "Old Harbour" not in wishes(moved[-1])["location"]


@pytest.mark.parametrize(
    ("said", "unwanted"),
    [
        ("I can't stand musicals", "musicals"),
        ("anything but horror", "horror"),
        ("something tense, no gore please", "gore"),
        ("我受不了恐怖片", "恐怖片"),
    ],
)
async def test_c28_what_is_disliked_stays_disliked_to_the_list(said: str, unwanted: str, say: Say) -> None:
    [view] = await say(said)
    assert (unwanted, "avoid") in nodes(view)
    assert (unwanted, "want") not in nodes(view)
    genres = [genre for item in view.items for genre in item["metadata"]["genres"]]
    assert unwanted.rstrip("s") not in " ".join(genres)


@pytest.mark.parametrize(
    "said",
    [
        "Die Hard is a film I hate.", "I could not stand Die Hard.", "Die Hard was awful.", "nothing like Die Hard.",
        "Zootopia and Die Hard left me cold.", "Die Hard, which my wife hated.", "我讨厌《Die Hard》。",
        "《虎胆龙威》是我讨厌的片子。", "看过《虎胆龙威》，很失望。",
    ],
)  # fmt: skip
async def test_c28_a_disliked_title_is_no_wish_for_more_of_it_wherever_the_verdict_stands(said: str, say: Say) -> None:
    views = await say(f"{said} {WARM}", "more")
    assert nodes(views[0]) == {("warm", "want"), ("friendship", "want")}
    assert "Die Hard" not in titles(views)


@pytest.mark.parametrize(
    "said",
    [
        "I loved Die Hard",
        "something like Die Hard",
        "there's nothing like Die Hard, more of that",
        "not unlike Die Hard",
    ],
)
async def test_what_is_liked_stays_liked_whatever_stands_near_it(said: str, say: Say) -> None:
    [view] = await say(said)
    assert any("action" in words and polarity == "want" for words, polarity in nodes(view))


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("a film like Blade Runner 2049", "Blade Runner 2049"), ("a film like Alien 3", "Alien 3"),
        ("I loved Paddington 3 and want more", "Paddington 3"), ("a film like Gattaca 1997", "Gattaca"),
    ],
)  # fmt: skip
async def test_c22_a_number_stays_with_its_title_and_a_year_is_none_of_it(said: str, title: str, say: Say) -> None:
    [view] = await say(said)
    assert any(title in value for value in wishes(view)["others"])
    if title.startswith("Gattaca"):  # which the catalogue knows
        assert any("science fiction" in words for words, _ in nodes(view))
    else:
        assert (f"similar to {title}", "want") in nodes(view)


async def test_c29_every_place_of_a_list_can_be_turned_down_taken_and_asked_about(say: Say) -> None:
    for place, said in ((0, "the first one"), (2, "the last one")):
        listed, answered, refused = await say(WARM, f"is {said} in colour?", f"not {said}")
        meant = listed.items[place]
        assert meant["title"] in answered.reply
        assert [item.id for item in refused.state.rejected_items] == [meant["id"]]
        _, taken = await say(WARM, f"I'll take {said}")
        assert [item.id for item in taken.state.accepted_items] == [meant["id"]]
    _, unclear = await say(WARM, "the other one")
    assert unclear.action is Action.REQUEST_INFORMATION
    assert "the other one" in unclear.reply
    assert not unclear.state.accepted_items
    views = await say(WARM, "which is longer, the first or the second?", "I'll take the other one")
    assert [item.title for item in views[-1].state.accepted_items] in ([], [views[0].items[2]["title"]])


@pytest.mark.parametrize("no", ["no", "nah", "no thanks", "不要", "👎", "👎🏽"])
async def test_c30_a_bare_no_is_about_what_was_offered_last(no: str, say: Say) -> None:
    listed, refused = await say(WARM, no)
    assert {item.id for item in refused.state.rejected_items} == {item["id"] for item in listed.items}
    assert refused.items
    assert wishes(refused) == wishes(listed)
    asked, ranked, other = await say(ASKED, no, no, domain="restaurants")
    assert asked.action is Action.REQUEST_INFORMATION
    assert ranked.action is Action.RECOMMEND  # the question is answered: anywhere
    assert nodes(ranked) == {("quiet", "want"), ("dinner", "want")}
    assert not any(value.text == no for row in ranked.state.hard_constraints.values() for value in row)
    assert {item.id for item in other.state.rejected_items} == {item["id"] for item in ranked.items}


def with_a_slip(title: str) -> str:
    """The title without a letter in the middle of its longest word."""
    word = max(re.findall(r"\w+", title), key=len)
    at = title.index(word) + len(word) // 2
    return title[:at] + title[at + 1 :]


async def test_c31_what_is_rejected_seen_or_cited_never_comes_back_however_it_is_spelt(say: Say) -> None:
    [listed] = await say(f"{WARM}, like Zootopia")
    rejected, seen = (max((item["title"] for item in listed.items[at : at + 2]), key=len) for at in (0, 1))
    said = (f"{WARM}, like Zootopia", f"not {with_a_slip(rejected)}", f"I've already seen {with_a_slip(seen)}")
    views = await say(*said, *["more"] * 5)
    assert [item.title for item in views[1].state.rejected_items] == [rejected]
    later = titles(views[2:])
    assert len(later) > 9
    assert {"Zootopia", rejected, seen}.isdisjoint(later)
    assert len(later) == len(set(later))


@pytest.mark.parametrize("said", ["not {}", "no {} please", "skip {}"])
async def test_c31_a_title_with_a_slip_is_turned_down_like_one_without(said: str, say: Say) -> None:
    [listed] = await say(WARM)
    title = max(titles([listed]), key=len)
    for written in (title, with_a_slip(title)):
        _, refused = await say(WARM, said.format(written))
        assert [item.title for item in refused.state.rejected_items] == [title]
        assert wishes(refused) == wishes(listed)
        assert title not in titles([refused])


async def test_c32_what_was_cited_is_not_what_was_recommended(say: Say) -> None:
    listed, seen = await say(f"{WARM}, like Zootopia", "I've seen it")
    assert "it" in seen.reply
    assert all(title in seen.reply for title in titles([listed]))  # asked back, among what was shown
    assert seen.state.accepted_items == seen.state.rejected_items == ()
    again = await say(f"{WARM}, like Zootopia", "I've seen the first one")
    assert titles(again[:1])[0] not in titles(again[1:])
    assert "Zootopia" not in titles(again)


async def test_c33_the_reply_is_in_the_language_of_the_words_and_what_nobody_reads_here_is_said_so(say: Say) -> None:
    listed, answered = await say("一部关于友情的温暖电影", "第一部有多长？")
    assert listed.reply.startswith("最合适的")
    assert listed.language == answered.language == "zh"
    assert "分钟" in answered.reply
    for other in ("Хочу тёплый фильм о дружбе", "أريد فيلما دافئا عن الصداقة"):
        [view] = await say(other)
        assert "English and Chinese" in view.reply
        assert wishes(view) == {}


async def test_c34_a_follow_up_speaks_of_what_was_shown_and_searches_for_nothing(say: Say) -> None:
    listed, answered, after = await say(WARM, "Is it too sad for a ten-year-old?", "more")
    assert answered.action is Action.ANSWER
    assert any(title in answered.reply for title in titles([listed]))
    assert {source.item for source in answered.sources} <= {item["id"] for item in listed.items}
    assert answered.items == ()
    assert answered.usage.searches == 0
    assert wishes(answered) == wishes(listed)
    assert set(titles([after])).isdisjoint(titles([listed]))


@pytest.mark.parametrize("said", ["", "   ", "\u200b\u200c", ".", "🎈", "\n" * 10_000, "x" * 50_000])
async def test_c35_words_that_say_nothing_cost_nothing_and_change_nothing(said: str, say: Say) -> None:
    for before in ((), ("hello",)) if said.strip("\n") else ((WARM,),):
        views = await say(*before, said)
        assert views[-1].action is Action.REQUEST_INFORMATION
        assert len(views[-1].reply) > 20
        assert views[-1].usage.agent_calls == 0
        assert not before or wishes(views[-1]) == wishes(views[0])
    _, liked = await say(WARM, "👍")
    assert liked.action is Action.RESPOND_TO_ACCEPTANCE


async def test_c36_text_cards_and_list_are_one_ranking(say: Say) -> None:
    views = await say(WARM, "more", "not the first")
    for view in views:
        named = [line.split(". ", 1)[1] for line in view.reply.splitlines() if line.startswith("### ")]
        assert [name.split(" (")[0] for name in named] == titles([view])
        assert set(view.reasons) <= {item["id"] for item in view.items}

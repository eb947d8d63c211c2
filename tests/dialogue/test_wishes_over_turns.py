"""What the built-in engine makes of several turns: state, narrative and graph together, in every bundled domain."""

from dataclasses import dataclass
from functools import cache

import pytest

from dialogue.domain import bundled_domain
from dialogue.engines.builtin import BuiltinDialogueAgent
from dialogue.intents import believable
from dialogue.models import DialogueState, Intent, KeptUtterance, TurnRecord
from dialogue.narrative import render
from dialogue.ports import Utterance
from dialogue.record import values_of
from dialogue.state import apply_edits, requests_after
from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.vocabulary import vocabulary_of
from pdgf.models import Polarity
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.catalogues import bundled_items
from tests.fakes import HashingEmbedder
from tests.local_models import parser

PARSER = parser()


@cache
def reader(domain: str) -> BuiltinAgent:
    known = vocabulary_of(bundled_items(domain))
    return BuiltinAgent(parser=PARSER, embedder=HashingEmbedder(), vocabulary=known)


@dataclass(frozen=True)
class Chat:
    """Where a chat stands: its values with "!" for hard ones, the nodes of its graph, the intents of its last turn."""

    values: set[str]
    nodes: set[str]
    intents: tuple[Intent, ...]
    narrative: str


async def chat(domain: str, *texts: str, asked: tuple[str, ...] = ()) -> Chat:
    agent = BuiltinDialogueAgent(preferences=reader(domain), config=MethodConfig())
    state, requests = DialogueState(), list[KeptUtterance]()
    intents: tuple[Intent, ...] = ()
    for turn, text in enumerate(texts, start=1):
        utterance = Utterance(
            text=text, turn=turn, state=state, shown=(), domain=bundled_domain(domain), asked=asked, current_year=2026
        )
        reading = believable(await agent.understand(utterance, Budget()), utterance)
        record = TurnRecord(turn=turn, utterance=text)
        requests = requests_after(requests, record, reading)
        state, intents = apply_edits(state, reading.edits, utterance.domain), reading.intents
    told = render(requests, state)
    nodes = (await reader(domain).extract_nodes(told.text, told.hard_spans, MethodConfig(), Budget())).nodes
    return Chat(
        values={value.text + ("!" if hard else "") for _, value, hard in values_of(state)},
        nodes={
            ("-" if n.polarity is Polarity.AVOID else "") + n.instantiation + ("!" if n.hard else "") for n in nodes
        },
        intents=intents,
        narrative=told.text,
    )


@pytest.mark.parametrize(
    ("domain", "texts", "values"),
    [
        (
            "restaurants",
            ["dinner with my parents, Italian or French, somewhere with parking"],
            {"dinner", "Italian or French!", "parking"},
        ),
        ("restaurants", ["for my mum it must be wheelchair accessible"], {"wheelchair accessible!"}),
        ("restaurants", ["for six people, Old Harbour or Riverside"], {"six people", "Old Harbour or Riverside!"}),
        ("restaurants", ["lunch with colleagues, vegitarian"], {"lunch", "vegitarian!"}),
        ("movies", ["for my kids, something funny"], {"kids", "funny"}),
        ("movies", ["a comedy from France, Italy or Spain, with my dad"], {"comedy", "France, Italy or Spain"}),
        ("books", ["a mystery for my sister, at least 300 pages"], {"mystery", "at least 300 pages!"}),
        ("books", ["a romanse with dragons, thanks"], {"romanse", "dragons"}),
        ("anime", ["mecha or sports for my ten-year-old, please"], {"mecha or sports", "ten-year-old!"}),
        ("anime", ["12 episodes or fewer, my brother said slice of life"], {"12 episodes or fewer!", "slice of life"}),
    ],
)
async def test_a_turn_gives_its_wishes_whole_and_nothing_else(domain: str, texts: list[str], values: set[str]) -> None:
    assert (await chat(domain, *texts)).values == values


@pytest.mark.parametrize(
    ("domain", "texts", "values", "nodes"),
    [
        (
            "restaurants",
            ["Italian in Riverside", "French is fine too"],
            {"Italian!", "French!", "Riverside!"},
            {"Italian or French!", "Riverside!"},
        ),
        (
            "restaurants",
            ["Italian in Riverside", "Old Harbour would be fine"],
            {"Italian!", "Riverside!", "Old Harbour!"},
            {"Italian!", "Riverside or Old Harbour!"},
        ),
        ("movies", ["a comedy", "Horror works too"], {"comedy", "Horror"}, {"comedy or Horror"}),
        ("books", ["a mystery", "fantasy would also work"], {"mystery", "fantasy"}, {"mystery or fantasy"}),
        ("anime", ["a romance", "I'm happy with comedy too"], {"romance", "comedy"}, {"romance or comedy"}),
    ],
)
async def test_what_is_fine_too_widens_the_wish_of_its_kind(
    domain: str, texts: list[str], values: set[str], nodes: set[str]
) -> None:
    there = await chat(domain, *texts)
    assert (there.values, there.nodes) == (values, nodes)


@pytest.mark.parametrize(
    ("domain", "before", "permission", "after"),
    [
        ("movies", "a thriller, no violence", "a bit of violence is OK", {"thriller"}),
        ("movies", "a comedy", "I don't mind subtitles", {"comedy"}),
        ("movies", "a drama", "romance is okay but not needed", {"drama"}),
        ("movies", "a comedy", "I'm fine with some gore", {"comedy"}),
        ("books", "a cosy mystery", "I don't mind a bit of violence", {"cosy mystery"}),
        ("books", "a mystery of at least 300 pages", "a novella is fine too", {"mystery", "at least 300 pages!"}),
        ("anime", "a romance, not too much fan service", "some fan service is ok", {"romance"}),
        ("restaurants", "no seafood, Old Harbour", "seafood is okay after all", {"Old Harbour!"}),
        ("restaurants", "Italian or French in Riverside", "French is fine", {"Italian or French!", "Riverside!"}),
    ],
)
async def test_a_permission_takes_back_what_it_permits_and_adds_nothing(
    domain: str, before: str, permission: str, after: set[str]
) -> None:
    there = await chat(domain, before, permission)
    assert there.values == after
    assert there.intents == (Intent.PROVIDE_PREFERENCE,)


async def test_what_is_fine_in_answer_to_our_question_is_a_wish() -> None:
    there = await chat("restaurants", "Italian is fine", asked=("cuisine_type", "dish_type"))
    assert there.values == {"Italian!"}


@pytest.mark.parametrize(
    ("domain", "texts", "values", "nodes"),
    [
        (
            "movies",
            ["A romance with dry humour", "actually no romance at all, sorry"],
            {"dry humour", "no romance!"},
            {"dry humour", "-romance!"},
        ),
        (
            "movies",
            ["a family film, funny", "Actually not a family film. Horror, but no gore"],
            {"funny", "not a family film!", "Horror", "no gore!"},
            {"funny", "-family film!", "Horror", "-gore!"},
        ),
        ("movies", ["a dark mystery", "not so dark after all"], {"mystery", "not so dark"}, {"mystery", "-dark"}),
        ("movies", ["a scary western", "less scary than that"], {"western", "less scary"}, {"western", "-scary"}),
        ("movies", ["super scary film", "hmm, not scary at all please"], {"not scary!"}, {"-scary!"}),
        ("movies", ["a horror film", "I changed my mind, a western please"], {"western"}, {"western"}),
        ("movies", ["a long animated film", "I changed my mind about the length"], {"animated"}, {"animated"}),
        ("movies", ["a comedy about friends", "scrap the comedy"], {"friends"}, {"friends"}),
        ("books", ["something sad", "on second thoughts make it funny"], {"funny"}, {"funny"}),
        ("books", ["a sad romanse", "no romance please"], {"sad", "no romance!"}, {"sad", "-romance!"}),
        ("anime", ["a dark thriller", "not so dark please"], {"thriller", "not so dark"}, {"thriller", "-dark"}),
        (
            "restaurants",
            ["something quiet in Riverside, Thai", "not Thai after all, Japanese"],
            {"quiet", "Riverside!", "not Thai!", "Japanese!"},
            {"quiet", "Riverside!", "-Thai!", "Japanese!"},
        ),
    ],
)
async def test_a_change_of_mind_leaves_no_opposite_behind(
    domain: str, texts: list[str], values: set[str], nodes: set[str]
) -> None:
    there = await chat(domain, *texts)
    assert (there.values, there.nodes) == (values, nodes)


@pytest.mark.parametrize(
    ("domain", "texts", "values", "nodes"),
    [
        (
            "movies",
            ["either a comedy or a musical", "no musicals please"],
            {"comedy", "no musicals!"},
            {"comedy", "-musicals!"},
        ),
        (
            "movies",
            ["a comedy from France, Italy or Spain", "not Italy"],
            {"comedy", "France", "Spain", "not Italy!"},
            {"comedy", "France or Spain", "-Italy!"},
        ),
        ("movies", ["a western or a heist", "scrap the western"], {"heist"}, {"heist"}),
        ("anime", ["mecha or sports", "not mecha after all"], {"sports", "not mecha!"}, {"sports", "-mecha!"}),
        (
            "restaurants",
            ["Chinese or Indian at University", "not Indian"],
            {"University!", "Chinese!", "not Indian!"},
            {"University!", "Chinese!", "-Indian!"},
        ),
    ],
)
async def test_of_alternatives_only_the_one_that_is_taken_back_goes(
    domain: str, texts: list[str], values: set[str], nodes: set[str]
) -> None:
    there = await chat(domain, *texts)
    assert (there.values, there.nodes) == (values, nodes)


@pytest.mark.parametrize(
    "text", ["thanks!", "ok cool", "undo that", "what else can you do", "Let's talk about films instead", "hmm"]
)
@pytest.mark.parametrize("domain", ["movies", "books", "anime", "restaurants"])
async def test_talk_about_the_talk_leaves_the_wishes_alone(domain: str, text: str) -> None:
    there = await chat(domain, "something quiet", text)
    assert there.values == {"quiet"}


@pytest.mark.parametrize("text", ["any cuisine except Indian, Old Harbour", "anything but Indian in Old Harbour"])
async def test_everything_but_one_cuisine_answers_for_the_cuisine(text: str) -> None:
    there = await chat("restaurants", text)
    assert there.nodes == {"-Indian!", "Old Harbour!"}

"""What people cannot do or bear, are and are not, and how they feel, as they put it (METHOD 4.2)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.mentions import references
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.vocabulary import vocabulary_of
from pdgf.models import Candidate, Metadata, Polarity

Read = Callable[[str], Analysis]
FILM: Metadata = {"director": ["Ursula Kestrelova"], "studio": ["Hobnail Pictures"], "genres": ["drama"]}


def wishes(analysis: Analysis) -> list[str]:
    return [("no " if node.polarity is Polarity.AVOID else "") + node.instantiation.lower() for node in analysis.nodes]


def _words(parser: EnglishParser) -> frozenset[str]:
    parser.parse_now("Words are known once a text was parsed.")
    return parser.words


@pytest.fixture(scope="module")
def of_films(parser: EnglishParser) -> Read:
    known = vocabulary_of(
        [
            Candidate(id="i1", title="The Tin Ladder", year=1991, metadata=FILM),
            Candidate(id="i2", title="The Others", year=2001, metadata=FILM),
        ]
    )
    known = replace(known, english=_words(parser))
    return lambda text: analyse(parser.parse_now(text), text, known, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My mum has trouble with stairs.", ["no stairs"]),
        ("Stairs are a problem for my dad.", ["no stairs"]),
        ("Subtitles are too hard for my mother.", ["no subtitles"]),
        ("He struggles with loud music.", ["no loud"]),
        ("I have a phobia of spiders.", ["no spiders"]),
        ("It can't be sad.", ["no sad"]),
        ("There can't be any gore.", ["no gore"]),
        ("I do mind long films.", ["no long"]),
        ("I don't mind long films.", []),
        ("I can't be bothered with subtitles.", ["no subtitles"]),
        ("Hard pass on musicals.", ["no musicals"]),
        ("Let's skip the horror tonight.", ["no horror"]),
        ("Skip horror, thriller is fine.", ["no horror"]),
        ("Not horror, I used to hate westerns but now I'm into them.", ["no horror", "westerns"]),
        ("I used to hate westerns.", []),
        ("I'm not saying no to animation, just no musicals.", ["no musicals"]),
        ("I don't not like musicals.", []),
        ("I wouldn't say no to a musical.", ["musical"]),
        ("A thriller that doesn't rely on violence.", ["thriller", "no violence"]),
        ("I love horror but my gf doesn't, so no horror.", ["no horror"]),
        ("No romance unless it's sad.", ["no romance"]),
        ("I hate it when nothing happens.", ["no uneventful"]),
        ("Let's skip anything with subtitles.", ["no subtitles"]),
        ("No self help.", ["no self help"]),
    ],
)
def test_what_somebody_cannot_do_or_bear_is_unwanted(of_films: Read, text: str, expected: list[str]) -> None:
    assert wishes(of_films(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She cries at everything so nothing sad.", ["no sad"]),
        ("I feel really low, something funny.", ["funny"]),
        ("My kids think everything is boring, a comedy please.", ["kids", "comedy"]),
        ("His dog just died, something gentle for him.", ["gentle"]),
        ("Wait, a comedy.", ["comedy"]),
        ("No sex, no wait a bit is fine.", ["no sex"]),
        ("sth funny", ["funny"]),
    ],
)
def test_how_somebody_is_and_feels_is_no_wish(of_films: Read, text: str, expected: list[str]) -> None:
    assert wishes(of_films(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't kill the dog.", ["no dog dies"]),
        ("a film where they don't let the dog die", ["no dog dies"]),
        ("Please do not let an animal die.", ["no animal dies"]),
        ("The dog has to survive.", ["no dog dies"]),
        ("The cat must not get hurt and never hurt the horse.", ["no cat is hurt", "no horse is hurt"]),
        ("The story has to live up to its name.", None),
        ("Don't kill time with long shots.", None),
        ("A drama when the war is over and people have to live on.", None),
        ("A man has to survive in the snow.", None),
        ("Don't let the romance be the main thing.", None),
        ("Never kill the mood.", None),
        ("The hero must survive, please.", ["no hero dies"]),
    ],
)
def test_what_is_not_to_happen_to_somebody_is_unwanted(of_films: Read, text: str, expected: list[str] | None) -> None:
    found = wishes(of_films(text))
    if expected is None:
        assert not [wish for wish in found if wish.endswith(("dies", "is hurt"))]
    else:
        assert [wish for wish in found if wish.endswith(("dies", "is hurt"))] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We are not vegetarians but our guest is.", ["vegetarians"]),
        ("I'm not vegan, my friend is not either.", []),
        ("I am not vegetarian.", []),
        ("We are vegetarians.", ["vegetarians"]),
    ],
)
def test_what_somebody_is_not_refuses_nothing(of_films: Read, text: str, expected: list[str]) -> None:
    assert wishes(of_films(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "not the tin ladder",
        "I hated the tin ladder",
        "I had nightmares from The Tin Ladder, so nothing like that",
        "the tin ladder bored me",
    ],
)
def test_a_title_that_is_refused_in_any_letters_is_one(of_films: Read, parser: EnglishParser, text: str) -> None:
    known = vocabulary_of([Candidate(id="i1", title="The Tin Ladder", year=1991, metadata=FILM)])
    [reference] = references(text, replace(known, english=_words(parser)))
    assert not reference.liked
    assert not [wish for wish in wishes(of_films(text)) if "ladder" in wish]


def test_small_words_are_no_title(of_films: Read) -> None:
    assert wishes(of_films("like the others but funnier")) == ["funnier"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("no kestrelova", "creator"), ("anything except hobnail", "creator"), ("not kestrelova please", "creator")],
)
def test_a_maker_in_small_letters_is_one(of_films: Read, text: str, expected: str) -> None:
    [node] = of_films(text).nodes
    assert (node.perspective, node.polarity) == (expected, Polarity.AVOID)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A scary science fiction film.", ["scary", "science fiction"]),
        ("A gory thriller.", ["gory", "thriller"]),
        ("No gory thriller.", ["no gory thriller"]),
    ],
)
def test_what_a_genre_is_to_hold_is_a_wish_of_its_own(of_films: Read, text: str, expected: list[str]) -> None:
    assert sorted(wishes(of_films(text))) == sorted(expected)

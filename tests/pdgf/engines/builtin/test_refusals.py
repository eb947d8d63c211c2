"""What is refused without a "no", and a "no" that refuses nothing (METHOD 4.2, negative wishes)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pdgf.constraints.refusals import refusals, without_refusal
from pdgf.engines.builtin.features import feature_of, read_feature
from pdgf.engines.builtin.language import EnglishParser
from pdgf.engines.builtin.reading import Analysis, analyse
from pdgf.engines.builtin.vocabulary import vocabulary_of
from pdgf.models import Candidate, Polarity
from pdgf.ports import RefinementRequest

Read = Callable[[str], Analysis]
TOWN = vocabulary_of(
    [
        Candidate(id="1", title="Da Remo", metadata={"location": "North Quay", "cuisine": ["Italian", "seafood"]}),
        Candidate(id="2", title="Hill & Co", metadata={"location": "Chapel Hill", "cuisine": ["Thai"]}),
    ]
)
SHELF = vocabulary_of(
    [
        Candidate(id="1", title="Ogre", metadata={"genres": ["comedy"], "director": ["Ada North"]}),
        Candidate(id="2", title="Salt and Ashes", metadata={"genres": ["war"], "director": ["Bo Lind"]}),
        Candidate(id="3", title="Other", metadata={"genres": ["comedy"], "director": ["Cy Marsh"]}),
    ]
)


def avoided(analysis: Analysis) -> list[str]:
    return [node.instantiation.lower() for node in analysis.nodes if node.polarity is Polarity.AVOID]


def wanted(analysis: Analysis) -> list[str]:
    return [node.instantiation.lower() for node in analysis.nodes if node.polarity is Polarity.WANT]


@pytest.fixture(scope="module")
def in_town(parser: EnglishParser) -> Read:
    return lambda text: analyse(parser.parse_now(text), text, replace(TOWN, english=parser.words), None)


@pytest.fixture(scope="module")
def on_the_shelf(parser: EnglishParser) -> Read:
    return lambda text: analyse(parser.parse_now(text), text, replace(SHELF, english=parser.words), None)


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("My husband gets bored by slow films.", "slow"),
        ("I am easily bored with romance.", "romance"),
        ("She fell asleep because it was so slow.", "slow"),
        ("We walked out because the film was too violent.", "violent"),
        ("It was so slow that we fell asleep.", "slow"),
        ("Slow films put me to sleep.", "slow"),
        ("Musicals annoy my wife.", "musicals"),
        ("I can't see blood.", "blood"),
        ("I cannot bear the sight of blood.", "blood"),
        ("A film for someone who can't see blood.", "blood"),
        ("A comedy for a friend who can't handle violence.", "violence"),
        ("A comedy for my dad, who doesn't like swearing.", "swearing"),
        ("A comedy for my mum, who hates swearing.", "swearing"),
        ("War films depress me.", "war"),
        ("Westerns are not my thing.", "westerns"),
        ("Horror isn't for me.", "horror"),
        ("Long films are a deal-breaker.", "long"),
        ("I lose patience with slow films.", "slow"),
        ("We can't sit through long films.", "long"),
        ("I don't really like horror.", "horror"),
        ("I'm not keen on musicals.", "musicals"),
        ("My son dislikes romance.", "romance"),
        ("I have had enough of horror.", "horror"),
        ("Romance is fine, horror is not.", "horror"),
        ("Romance ok, horror not ok", "horror"),
        ("zero violence", "violence"),
        ("Scary films give me nightmares.", "scary"),
        ("No animals should die.", "animals should die"),
    ],
)
def test_what_bores_or_annoys_somebody_is_to_be_kept_away(read: Read, text: str, unwanted: str) -> None:
    assert avoided(read(text)) == [unwanted]
    assert unwanted not in wanted(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "A film that scares me.",
        "Slow films never bore me.",
        "Something that puts nobody to sleep.",
        "A story about a man who can't sit through a war film.",
        "A film about a girl who is allergic to war.",
        "A film that doesn't bore me.",
        "Nothing that puts me to sleep.",
        "I never get bored of slow films.",
        "I can't take my eyes off a war film.",
        "Zero budget, but slow.",
        "I don't have a car.",
        "Nothing bores me.",
    ],
)
def test_a_story_and_a_denied_boredom_refuse_nothing(read: Read, text: str) -> None:
    assert not {"slow", "war", "car", "film"} & set(avoided(read(text)))


@pytest.mark.parametrize("text", ["A film that doesn't bore me.", "Nothing that puts me to sleep.", "We got bored."])
def test_boredom_with_nothing_in_particular_is_no_wish(read: Read, text: str) -> None:
    assert not read(text).nodes


@pytest.mark.parametrize(
    ("text", "unwanted", "perspective"),
    [
        ("I don't eat pork.", "pork", "dish"),
        ("We can't have shellfish.", "shellfish", "dish"),
        ("My wife is allergic to nuts.", "nuts", "diet"),
        ("We can't eat gluten.", "gluten", "diet"),
        ("I never eat meat.", "meat", "diet"),
        ("My son must not eat eggs.", "eggs", "dish"),
    ],
)
def test_what_somebody_does_not_eat_is_a_condition(in_town: Read, text: str, unwanted: str, perspective: str) -> None:
    (node,) = in_town(text).nodes
    assert (node.instantiation, node.perspective, node.polarity, node.hard) == (
        unwanted,
        perspective,
        Polarity.AVOID,
        True,
    )


@pytest.mark.parametrize(
    "text",
    ["Anywhere but North Quay.", "Thai, anywhere but North Quay.", "Anywhere except for North Quay, please."],
)
def test_anywhere_but_a_place_refuses_the_place_and_wishes_for_no_anywhere(in_town: Read, text: str) -> None:
    analysis = in_town(text)
    assert [(n.instantiation, n.hard) for n in analysis.nodes if n.polarity is Polarity.AVOID] == [("North Quay", True)]
    assert "anywhere" not in wanted(analysis)


def test_anything_but_a_kitchen_refuses_it(in_town: Read) -> None:
    (node,) = in_town("Anything but seafood.").nodes
    assert (node.polarity, node.hard) == (Polarity.AVOID, True)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("No, something funny.", "funny"),
        ("No, a comedy instead.", "comedy"),
        ("no actually something slow", "slow"),
        ("Oh no, I want romance.", "romance"),
    ],
)
def test_a_no_that_answers_denies_nothing(read: Read, text: str, wish: str) -> None:
    assert wanted(read(text)) == [wish]
    assert not avoided(read(text))


def test_a_no_before_a_thing_still_refuses_it(read: Read) -> None:
    assert avoided(read("No romance.")) == ["romance"]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("He hates reading but loves football.", "football"),
        ("She dislikes maths and loves dragons.", "dragons"),
        ("He hates homework, yet football he could watch all day.", "football"),
    ],
)
def test_what_is_loved_after_something_hated_is_not_refused(read: Read, text: str, wish: str) -> None:
    assert wish in wanted(read(text))
    assert wish not in avoided(read(text))


def test_what_is_hated_by_itself_is_refused(read: Read) -> None:
    assert avoided(read("He hates football.")) == ["football"]


@pytest.mark.parametrize("text", ["not Ogre", "Something funny, but not Ogre", "anything but Ogre"])
def test_a_title_that_is_refused_is_one_excluded_item(on_the_shelf: Read, text: str) -> None:
    analysis = on_the_shelf(text)
    (atom,) = [atom for atom in analysis.atoms if atom.text == "Ogre"]
    assert not [node for node in analysis.nodes if node.atom == atom.id]


@pytest.mark.parametrize("text", ["not Salt and Ashes", "A war film, not War and Peace", "anything but War and Peace"])
def test_a_title_of_several_words_is_not_cut_at_its_and(on_the_shelf: Read, text: str) -> None:
    analysis = on_the_shelf(text)
    assert not avoided(analysis)
    assert [atom.text for atom in analysis.atoms if " and " in atom.text] in (["Salt and Ashes"], ["War and Peace"])


def test_a_refused_sequel_leaves_the_first_part_alone(on_the_shelf: Read) -> None:
    analysis = on_the_shelf("I loved Ogre but not Ogre 2.")
    assert [(atom.text, bool([n for n in analysis.nodes if n.atom == atom.id])) for atom in analysis.atoms] == [
        ("Ogre", True),
        ("Ogre 2", False),
    ]


def test_a_title_after_than_is_what_is_compared_with(on_the_shelf: Read) -> None:
    assert "comedy" in wanted(on_the_shelf("a bit less sad than Ogre"))


def test_places_and_kinds_joined_by_and_are_no_title(in_town: Read) -> None:
    assert [n.perspective for n in in_town("not North Quay and not Chapel Hill").nodes] == ["location", "location"]
    assert "north quay" in avoided(in_town("not North Quay and Chapel Hill"))
    assert avoided(in_town("anything but Italian in Chapel Hill")) == ["italian"]


@pytest.mark.parametrize(
    ("text", "focus"), [("less scary", "scary"), ("A comedy with less romance", "romance"), ("less violent", "violent")]
)
def test_less_of_a_thing_is_one_wish_that_some_of_it_meets(read: Read, text: str, focus: str) -> None:
    (node,) = [node for node in read(text).nodes if node.polarity is Polarity.AVOID]
    feature = feature_of(RefinementRequest(node=node, ancestors=(), edges=()))
    assert feature.startswith(f"less {focus}")
    reading = read_feature(feature)
    assert (reading.focus, reading.avoid, reading.tolerant) == (focus, True, True)


def test_less_than_a_number_is_no_less_of_a_thing() -> None:
    assert not read_feature("less than $20 (price).").avoid


@pytest.mark.parametrize("text", ["b/w ok", "b&w fine", "subtitles ok", "subtitles are ok", "black and white is fine"])
def test_what_is_merely_fine_is_no_wish(read: Read, text: str) -> None:
    assert not read(text).nodes


def test_refusing_words_are_told_from_what_they_refuse() -> None:
    assert without_refusal("slow films put me to sleep") == "slow films"
    assert without_refusal("can't have shellfish") == "shellfish"
    assert refusals("a quiet place") == ()


@pytest.mark.parametrize(
    ("narrative", "unwanted", "wished"),
    [
        ("A crime novel with little blood", ["blood"], []),
        ("Something funny with very little violence, please", ["violence"], ["funny"]),
        ("A film about a little girl who is brave", [], ["girl"]),
        ("A comedy with a little romance", [], ["romance"]),
        ("A story about my little brother", [], []),
        ("no serial killers; Scottish or Scandinavian", ["serial killers"], ["scottish", "scandinavian"]),
        ("no serial killers, either Scottish or Scandinavian", ["serial killers"], ["scottish", "scandinavian"]),
        ("no gore, torture or jump scares", ["gore", "torture", "jump scares"], []),
    ],
)
def test_little_of_a_thing_is_unwanted_and_a_no_ends_with_its_list(
    narrative: str, unwanted: list[str], wished: list[str], read: Read
) -> None:
    analysis = read(narrative)
    assert avoided(analysis) == unwanted
    assert all(any(word in wish for wish in wanted(analysis)) for word in wished)


@pytest.mark.parametrize(
    ("narrative", "unwanted", "wished"),
    [
        ("A comedy with few fights", ["fights"], []),
        ("with very few songs and fewer speeches", ["songs", "speeches"], []),
        ("as few car chases as possible", ["car chases"], []),
        ("A film with a few twists", [], ["twists"]),
        ("A film with quite a few jokes", [], ["jokes"]),
        ("One of the few happy stories", [], ["happy"]),
        ("A comedy with few jokes about religion", ["religion"], []),
        ("No talk about politics", ["politics"], []),
        ("no gore and a happy ending", ["gore"], ["happy ending"]),
        ("little blood and a strong heroine", ["blood"], ["strong heroine"]),
        ("no gore and violence", ["gore", "violence"], []),
    ],
)
def test_few_of_a_thing_are_unwanted_and_of_a_refused_topic_the_topic_is(
    narrative: str, unwanted: list[str], wished: list[str], read: Read
) -> None:
    analysis = read(narrative)
    assert avoided(analysis) == unwanted
    assert all(wish in wanted(analysis) for wish in wished)
    assert not any(word in wanted(analysis) for word in unwanted)


@pytest.mark.parametrize(
    ("narrative", "says"),
    [("little violence", "less violence"), ("few songs", "fewer songs"), ("no songs", "no songs")],
)
def test_of_what_is_to_be_little_a_little_is_no_fault(narrative: str, says: str, read: Read) -> None:
    (node,) = read(narrative).nodes
    feature = feature_of(RefinementRequest(node=node))
    assert feature.startswith(says)
    assert read_feature(feature).avoid
    assert read_feature(feature).tolerant == (says != "no songs")


@pytest.mark.parametrize(
    ("narrative", "unwanted"),
    [
        ("A film where nobody dies", "dies"),
        ("no one dies", "dies"),
        ("A crime story without anyone being killed", "killed"),
        ("A mystery in which no one gets killed", "killed"),
        ("Nobody gets hurt", "gets hurt"),
        ("No animals are harmed", "animals are harmed"),
        ("A film in which no animal dies", "animal dies"),
    ],
)
def test_what_nobody_is_to_suffer_is_refused_utterly(narrative: str, unwanted: str, read: Read) -> None:
    analysis = read(narrative)
    assert avoided(analysis) == [unwanted]
    assert all(node.hard for node in analysis.nodes if node.polarity is Polarity.AVOID)
    assert not set(wanted(analysis)) & {"death", "dies", "killed", "harmed", "animals"}

"""The fixed sentences: each key is used, each field is filled, each error has words."""

import re
from pathlib import Path

import pytest

import pdgf.errors
from dialogue import actions, store, wording
from dialogue.domain import bundled_domain
from dialogue.events import Step
from dialogue.models import Action
from pdgf.catalogues.bundled import BUNDLED
from pdgf.errors import (
    BudgetSpent,
    DatabaseTooNew,
    LanguageNotSupported,
    NarrativeTooLong,
    PageUnusable,
    PdgfError,
    SearchFailed,
    ServiceFailed,
    StoreFileDamaged,
    StoreTooNew,
    StoreUnavailable,
    UnknownDomain,
)

ROOT = Path(wording.__file__).parent


def test_every_sentence_is_used_and_every_used_one_exists() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))
    quoted = set(re.findall(r"""["']([a-z_]+\.\w+)["']""", text))
    built = {"error", "budget", "step", "suggest", "model", "web", "setback", "recall", "undo", "edit"}
    unused = {key for key in wording.sentences() if key not in quoted and key.split(".")[0] not in built}
    assert unused == set()
    tables = {key.split(".")[0] for key in wording.sentences()}
    unknown = {key for key in quoted if key.split(".")[0] in tables - {"answer"} and key not in wording.sentences()}
    assert {key for key in unknown if not key.endswith((".toml", ".js"))} == set()


def test_every_sentence_stands_in_both_languages_with_the_same_fields() -> None:
    english, chinese = wording.sentences("en"), wording.sentences("zh")
    assert set(english) == set(chinese)
    assert {key for key in english if wording.fields_of(key) != wording.fields_of(key, "zh")} == set()


def test_chinese_sentences_are_chinese_and_no_sentence_of_the_other_language() -> None:
    english, chinese = wording.sentences("en"), wording.sentences("zh")
    same = {
        key
        for key in english
        if english[key] == chinese[key] and re.search(r"[A-Za-z]{3}", re.sub(r"{.*?}", "", english[key]))
    }
    assert same == set()
    marks = {key: line for key, line in chinese.items() if re.search(r"[\u4e00-\u9fff]\s*[,.;!?]|\s$", line)}
    assert marks == {}


def test_what_is_said_is_in_the_language_of_the_turn_and_english_after_it() -> None:
    with wording.speaking("zh", bundled_domain("movies")):
        assert wording.say("recommend.more") == "接下来是："
        assert wording.titles(["Alien", "Heat (1995)"], last="or") == "《Alien》或《Heat》（1995）"
        assert wording.counted(wording.spoken(bundled_domain("movies")), 3) == "3部电影"
    with wording.speaking("zh", bundled_domain("restaurants")):
        assert wording.titles(["Luccio", "Wharf", "Loft"]) == "Luccio、Wharf和Loft"
    assert wording.say("recommend.more") == "Here is what comes next:"


def test_curly_marks_are_kept_for_what_stands_word_for_word_in_a_source() -> None:
    marked = {key for key, line in wording.sentences("zh").items() if re.search("[“”]", line)}
    assert marked == {"explain.quote", "answer.quoted"}


def test_a_step_is_told_in_the_language_of_its_turn() -> None:
    assert wording.sentence_of_step(Step(name="widening", language="zh")) == "正在上网查找"


def test_the_reason_why_a_condition_is_broken_does_not_mix_languages() -> None:
    with wording.speaking("zh", bundled_domain("movies")):
        avoided = wording.reason("Genres: romance, drama (you asked to avoid 爱情)")
        assert avoided == "类型：爱情、剧情（你不要「爱情」）"
        assert (
            wording.reason("Length: 119 minutes (you asked for 90分钟以内)")
            == "长度：119分钟（你要的是「90分钟以内」）"
        )
        assert wording.reason('血腥: "Blood is everywhere."') == "「血腥」（“Blood is everywhere.”）"
    assert (
        wording.reason("Genres: romance (you asked to avoid romance).")
        == "Genres: romance (you asked to avoid romance)"
    )


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_domain_speaks_chinese_about_all_that_it_speaks_of(name: str) -> None:
    domain = bundled_domain(name)
    assert domain.chinese is not None
    assert set(domain.chinese.scales) == {scale.metadata for scale in domain.scales}
    assert set(domain.chinese.questions) == {question.metadata for question in domain.questions}
    assert set(domain.chinese.fact_words) <= set(domain.fact_words)
    with wording.speaking("zh", domain):
        spoken = wording.spoken(domain)
    told = [
        spoken.greeting,
        *spoken.examples,
        *(g.question for g in spoken.mandatory),
        *(q.text for q in spoken.questions),
    ]
    assert all(re.search(r"[\u4e00-\u9fff]{3}", words) for words in told)
    assert spoken.searched_word == domain.item_word


def test_a_missing_field_is_an_error_and_braces_in_a_value_are_text() -> None:
    with pytest.raises(KeyError):
        wording.say("answer.unknown")
    with pytest.raises(KeyError):
        wording.say("no.such")
    assert "{count}" in wording.say("answer.unknown", title="{count}")
    assert wording.fields_of("answer.line") == {"title", "text"}


ERRORS = [kind for kind in vars(pdgf.errors).values() if isinstance(kind, type) and issubclass(kind, PdgfError)]
ARGUMENTS = {
    NarrativeTooLong: (30_000, 20_000),
    LanguageNotSupported: ("zh",),
    UnknownDomain: ("cars", ("movies", "books")),
    BudgetSpent: ("seconds",),
    SearchFailed: ("serper", "busy"),
    PageUnusable: ("https://a.test/", "timeout"),
    StoreFileDamaged: (Path("turns.sqlite3"), "not a database"),
    StoreTooNew: (Path("turns.sqlite3"), 9, 2),
    DatabaseTooNew: (9, 2),
}


@pytest.mark.parametrize("kind", [*ERRORS, store.UnknownConversation])
def test_every_error_has_a_sentence_of_its_own(kind: type[PdgfError]) -> None:
    assert f"error.{kind.__name__}" in wording.sentences()
    sentence = wording.sentence_for(kind(*ARGUMENTS.get(kind, ("what happened",))))
    assert sentence.endswith((".", "what happened"))
    assert "{" not in sentence


def test_the_sentence_of_an_error_names_its_numbers_and_names() -> None:
    assert "30000" in wording.sentence_for(NarrativeTooLong(30_000, 20_000))
    assert "movies and books" in wording.sentence_for(UnknownDomain("cars", ("movies", "books")))
    assert "(time)" in wording.sentence_for(BudgetSpent("seconds"))
    assert "(pages)" in wording.sentence_for(BudgetSpent("pages"))


def test_an_error_without_a_sentence_takes_that_of_its_kind() -> None:
    class Lost(ServiceFailed):
        pass

    assert wording.sentence_for(Lost("x")) == wording.sentence_for(ServiceFailed("x"))


def test_what_an_outside_service_said_is_not_repeated() -> None:
    assert "canary" not in wording.sentence_for(StoreUnavailable("canary"))


def test_steps_are_read_as_sentences() -> None:
    step = Step(name="graph", counts={"nodes": 7, "edges": 5})
    assert wording.sentence_of_step(step) == "reading your wishes: 7 preferences, 5 links"
    assert wording.sentence_of_step(Step(name="unheard_of")) == "unheard_of"


@pytest.mark.parametrize(
    ("words", "said"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")]
)
def test_lists_in_sentences(words: tuple[str, ...], said: str) -> None:
    assert wording.listed(words) == said


def test_one_item_and_several_have_their_words() -> None:
    domain = bundled_domain("movies")
    assert [wording.items_named(domain, count) for count in (1, 2, 0)] == ["film", "films", "films"]


def test_every_action_of_the_table_is_an_action_and_every_domain_is_read() -> None:
    assert {action for _, _, action in actions.TABLE} == set(Action)
    assert [bundled_domain(name).name for name in BUNDLED] == list(BUNDLED)

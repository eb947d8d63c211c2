"""Pairs of which one side or both are Chinese get the label that a reader gives (METHOD 7.1, 12)."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.chinese.judging import label_in_both, touches_chinese
from pdgf.models import Label, RelationLabel
from pdgf.ports import RelationRequest
from tests.local_models import minilm, use

TABLES = tomllib.loads(Path(__file__).with_name("pairs.toml").read_text(encoding="utf-8"))
LABELS = {"S": Label.SUPPORT, "P": Label.PARTIAL, "N": Label.NOT_ADDRESSED, "C": Label.CONTRADICTS}
# Read wrongly so far: a synonym that no word list holds, and a guest who is told beside what the kitchen lacks
MISREAD = {
    ("主角独来独往，没有朋友，整个故事都在讲孤独。", "友情。"),
    ("没有素食选择，吃素的朋友只能喝汤。", "素食（饮食要求）。"),
    ("It ends badly for everyone; the ending is bleak.", "不要悲剧结尾（基调）。"),
}
OPPOSITE = {(Label.SUPPORT, Label.CONTRADICTS), (Label.CONTRADICTS, Label.SUPPORT)}


@pytest.fixture(scope="module")
def encoders() -> tuple[CachedEmbedder, CachedEmbedder]:
    return CachedEmbedder(minilm()), CachedEmbedder(use())


async def labels(
    pairs: Sequence[tuple[str, str]], encoders: tuple[CachedEmbedder, CachedEmbedder]
) -> list[RelationLabel]:
    return await label_in_both([RelationRequest(text=x, feature=f) for x, f in pairs], *encoders)


@pytest.mark.parametrize("table", sorted(TABLES))
async def test_pairs_are_labelled_as_a_reader_labels_them(
    table: str, encoders: tuple[CachedEmbedder, CachedEmbedder]
) -> None:
    rows = TABLES[table]["pairs"]
    given = await labels([(x, f) for x, f, _ in rows], encoders)
    wrong = {(x, f) for (x, f, said), found in zip(rows, given, strict=True) if found.label is not LABELS[said]}
    assert wrong == {(x, f) for x, f, _ in rows} & MISREAD


async def test_no_pair_is_turned_into_its_opposite(encoders: tuple[CachedEmbedder, CachedEmbedder]) -> None:
    rows = [row for table in TABLES.values() for row in table["pairs"]]
    given = await labels([(x, f) for x, f, _ in rows], encoders)
    confusion = Counter((LABELS[said], found.label) for (_, _, said), found in zip(rows, given, strict=True))
    assert sum(confusion.values()) == len(rows) >= 60
    assert not OPPOSITE & set(confusion)


async def test_quotes_stay_word_for_word_in_the_language_of_their_source(
    encoders: tuple[CachedEmbedder, CachedEmbedder],
) -> None:
    text = "Breakneck from the first minute.\n节奏很慢，適合睡前看。\nGenres: romance, comedy"
    [found] = await labels([(text, "节奏慢（节奏）。")], encoders)
    assert found.label is Label.PARTIAL
    assert found.quotes == ("节奏很慢，適合睡前看。", "Breakneck from the first minute.")


async def test_an_item_that_is_listed_under_a_genre_is_of_it_whatever_a_chinese_note_denies(
    encoders: tuple[CachedEmbedder, CachedEmbedder],
) -> None:
    [found] = await labels([("Genres: romance\n没有恋爱线。", "爱情片（类型）。")], encoders)
    assert found.label is Label.SUPPORT


async def test_what_is_said_outside_the_scope_of_a_wish_supports_it_only_in_part(
    encoders: tuple[CachedEmbedder, CachedEmbedder],
) -> None:
    feature = "幽默（基调），即“爱情里的幽默”，限于：爱情。"
    inside, outside = await labels([("两人的恋爱充满幽默。", feature), ("师傅的笑话很好笑。", feature)], encoders)
    assert (inside.label, outside.label) == (Label.SUPPORT, Label.PARTIAL)


async def test_without_a_chinese_encoder_rules_judge_alone(encoders: tuple[CachedEmbedder, CachedEmbedder]) -> None:
    asked = [RelationRequest(text=x, feature="搞笑（基调）。") for x in ("笑点密集。", "一点都不好笑。", "风很大。")]
    found = await label_in_both(asked, encoders[0], None)
    assert [label.label for label in found] == [Label.SUPPORT, Label.CONTRADICTS, Label.NOT_ADDRESSED]


@pytest.mark.parametrize(
    ("text", "feature", "touches"),
    [
        ("Slow and quiet.", "slow (pace).", False),
        ("Other titles: 葬送的芙莉莲, Frieren\nA café.", "slow (pace).", False),
        ("They watch 千と千尋 together, and it rains.", "slow (pace).", False),
        ("Slow and quiet.", "节奏慢（节奏）。", True),
        ("节奏很慢。", "slow (pace).", True),
    ],
)
def test_english_pairs_are_left_to_the_english_rules(text: str, feature: str, touches: bool) -> None:
    assert touches_chinese(RelationRequest(text=text, feature=feature)) is touches

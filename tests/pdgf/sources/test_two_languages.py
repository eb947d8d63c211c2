"""A catalogue with Chinese texts: Chinese wishes meet them by their own encoder, English texts by English words."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pdgf.catalogues.reading import CatalogueItem, Review
from pdgf.embedding import CachedEmbedder, MiniLMEmbedder, UseEmbedder
from pdgf.models import Node, PreferenceGraph, SearchQuery
from pdgf.ports import Acquired, Vectors
from pdgf.settings import MethodConfig
from pdgf.sources.catalogue import CatalogueSource
from pdgf.sources.chinese_index import SUFFIX
from pdgf.sources.index import open_index
from pdgf.sources.two_languages import together
from pdgf.usage import Budget
from tests.fakes import HashingEmbedder


class Counting:
    """A Chinese encoder that notes what it was asked for."""

    def __init__(self) -> None:
        self._inner = UseEmbedder()
        self.asked: list[str] = []

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return await self._inner.encode(texts)


def item(name: str, *notes: str, **metadata: str | list[str]) -> CatalogueItem:
    return CatalogueItem(
        id=name, title=name, metadata=dict(metadata), reviews=tuple(Review(text=note) for note in notes)
    )


BOTH = [
    item(
        "harbour",
        "Two friends row out at dawn, slowly, talking of nothing.",
        "两个好朋友的友情，节奏很慢。",
        kind="drama",
    ),
    item("arena", "Breakneck fights from the first minute.", "打斗激烈，节奏飞快。", other_titles=["竞技场"]),
    item("orchard", "A funny, gentle summer among apple trees.", "笑料不断的夏天。"),
]
CHINESE_ONLY = [
    item("一", "两个好朋友慢慢和解，友情写得动人。", 地点="老港"),
    item("二", "全程打斗，血腥暴力，节奏飞快。", 地点="河畔"),
    item("三", "安静的小镇，几个老人下棋聊天。", 地点="老港"),
]


def graph(*wishes: str) -> tuple[PreferenceGraph, list[SearchQuery]]:
    nodes = tuple(
        Node(id=f"n{n}", atom="a", perspective="theme", instantiation=wish, feature=f"{wish}。", order=n)
        for n, wish in enumerate(wishes)
    )
    queries = [SearchQuery(base=None, node=node.id, text="", words=node.instantiation) for node in nodes]
    return PreferenceGraph(narrative="", nodes=nodes, order=tuple(node.id for node in nodes)), queries


async def source(
    items: list[CatalogueItem], folder: Path, chinese: Counting, main: CachedEmbedder | None = None
) -> CatalogueSource:
    embedder = main or CachedEmbedder(MiniLMEmbedder())
    index = await open_index(items, embedder=embedder, folder=folder / "index", chinese=chinese)
    return CatalogueSource(index, embedder, chinese)


async def found(catalogue: CatalogueSource, *wishes: str) -> Acquired:
    preferences, queries = graph(*wishes)
    return await catalogue.acquire(preferences, queries, MethodConfig(), Budget())


async def test_a_chinese_wish_finds_an_item_by_both_its_chinese_and_its_english_notes(tmp_path: Path) -> None:
    acquired = await found(await source(BOTH, tmp_path, Counting()), "友情")
    [first, *_] = acquired.evidence
    assert first.candidate == "harbour"
    assert {passage.text for passage in first.passages} >= {
        "两个好朋友的友情，节奏很慢。",
        "Two friends row out at dawn, slowly, talking of nothing.",
    }


async def test_a_catalogue_that_is_wholly_chinese_answers_wishes_of_both_languages(tmp_path: Path) -> None:
    catalogue = await source(CHINESE_ONLY, tmp_path, Counting())
    assert (await found(catalogue, "友情")).candidates[0].id == "一"
    assert (await found(catalogue, "安静")).candidates[0].id == "三"
    assert (await found(catalogue, "friendship")).candidates[0].id == "一"


async def test_the_chinese_encoder_sees_chinese_texts_only(tmp_path: Path) -> None:
    chinese = Counting()
    await source(BOTH, tmp_path, chinese)
    assert set(chinese.asked) == {"两个好朋友的友情，节奏很慢。", "打斗激烈，节奏飞快。", "笑料不断的夏天。"}


async def test_an_english_wish_over_items_with_english_notes_is_met_as_if_there_were_no_chinese_encoder(
    tmp_path: Path,
) -> None:
    chinese = Counting()
    catalogue = await source(BOTH, tmp_path, chinese)
    chinese.asked.clear()
    with_it = await found(catalogue, "friendship", "slow")
    assert chinese.asked == []
    main = CachedEmbedder(MiniLMEmbedder())
    plain = CatalogueSource(await open_index(BOTH, embedder=main, folder=tmp_path / "other"), main)
    assert with_it == await found(plain, "friendship", "slow")


@pytest.mark.long
async def test_chinese_vectors_are_stored_beside_the_index_and_read_again(tmp_path: Path) -> None:
    first, again = Counting(), Counting()
    await source(BOTH, tmp_path, first)
    assert (tmp_path / f"index{SUFFIX}").is_dir()
    catalogue = await source(BOTH, tmp_path, again)
    assert (first.asked != [], again.asked) == (True, [])
    assert (await found(catalogue, "友情")).candidates[0].id == "harbour"


@pytest.mark.long
async def test_damaged_chinese_vectors_are_made_again(tmp_path: Path) -> None:
    await source(BOTH, tmp_path, Counting())
    (tmp_path / f"index{SUFFIX}" / "vectors.npy").write_bytes(b"nothing")
    again = Counting()
    catalogue = await source(BOTH, tmp_path, again)
    assert again.asked
    assert (await found(catalogue, "友情")).candidates[0].id == "harbour"


async def test_a_catalogue_without_chinese_texts_stores_nothing_for_them(tmp_path: Path) -> None:
    chinese = Counting()
    await source([item("harbour", "Two friends row out.", other_titles=["港"])], tmp_path, chinese)
    assert chinese.asked == []
    assert not (tmp_path / f"index{SUFFIX}").exists()


async def test_questions_in_chinese_are_answered_from_notes_of_both_languages(tmp_path: Path) -> None:
    catalogue = await source(BOTH, tmp_path, Counting())
    hits = await catalogue.nearest("节奏慢吗？", ["harbour"], 3)
    assert {hit.passage.text for hit in hits[:2]} == {
        "两个好朋友的友情，节奏很慢。",
        "Two friends row out at dawn, slowly, talking of nothing.",
    }
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_words_of_which_no_english_is_known_meet_chinese_texts_alone(tmp_path: Path) -> None:
    main = CachedEmbedder(HashingEmbedder())
    catalogue = await source(BOTH, tmp_path, Counting(), main)
    evidence = (await found(catalogue, "划船")).evidence
    assert all(any("\u4e00" <= c <= "\u9fff" for c in p.text) for e in evidence for p in e.passages)


def test_scores_of_two_encoders_are_ordered_by_rank_and_never_by_value() -> None:
    from pdgf.late_fusion import TextsByItem
    from pdgf.sources.chinese_index import ChinesePassages

    rows = np.array([1, 3])
    passages = ChinesePassages(rows, np.zeros((2, 2), np.float32), TextsByItem.of(np.array([0, 0]), 1), False)
    dense = np.array([0.9, -np.inf, 0.8, -np.inf], np.float32)
    one = together(dense, np.array([0.2, 0.1], np.float32), passages)
    other = together(dense, np.array([0.02, 0.01], np.float32), passages)
    assert one == pytest.approx(other)
    assert one == pytest.approx([1.0, 1.0, 0.5, 0.5])

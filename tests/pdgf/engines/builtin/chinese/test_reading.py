"""Chinese wishes are read: what is wanted and refused, how firmly, and what qualifies what (METHOD 4.2, 4.3, 12)."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdgf.construction import build_graph
from pdgf.embedding import CachedEmbedder
from pdgf.engines.builtin.agent import BuiltinAgent
from pdgf.engines.builtin.chinese.reading import analyse_chinese, joined, stretches
from pdgf.engines.builtin.reading import Analysis
from pdgf.engines.builtin.vocabulary import Vocabulary, vocabulary_of
from pdgf.errors import EmptyNarrative, LanguageNotSupported, NoPreferences
from pdgf.models import Aspect, AtomKind, Candidate, PreferenceGraph
from pdgf.settings import MethodConfig
from pdgf.usage import Budget
from tests.fakes import HashingEmbedder
from tests.local_models import parser

WISHES: Sequence[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("wishes.toml").read_text(encoding="utf-8")
)["wish"]
PARSER = parser()


def read(text: str, vocabulary: Vocabulary | None = None) -> Analysis:
    known = vocabulary or Vocabulary()
    return joined([analyse_chinese(text, s, known, None) for s in stretches(text) if s.language == "zh"])


def agent(vocabulary: Vocabulary | None = None) -> BuiltinAgent:
    return BuiltinAgent(
        parser=PARSER, embedder=CachedEmbedder(HashingEmbedder()), vocabulary=vocabulary or Vocabulary()
    )


async def graph_of(text: str, vocabulary: Vocabulary | None = None) -> PreferenceGraph:
    graph, _ = await build_graph(text, agent=agent(vocabulary), config=MethodConfig(), budget=Budget())
    return graph


def shown(analysis: Analysis) -> list[str]:
    return [
        f"{'- ' if node.polarity.value == 'avoid' else ''}{'! ' if node.hard else ''}"
        f"{node.perspective} {node.instantiation}"
        for node in analysis.nodes
    ]


def edges_of(analysis: Analysis) -> list[str]:
    names = {node.id: node.instantiation for node in analysis.nodes}
    return [f"{names[link.base]} <- {names[link.qualifier]}" for link in analysis.attachments]


@pytest.mark.parametrize("wish", WISHES, ids=[wish["text"] for wish in WISHES])
def test_a_chinese_wish_is_read_as_its_nodes_edges_and_references(wish: Mapping[str, Any]) -> None:
    analysis = read(wish["text"])
    assert shown(analysis) == wish["nodes"]
    assert edges_of(analysis) == wish.get("edges", [])
    named = [f"{atom.kind.value} {atom.text}" for atom in analysis.atoms if atom.kind is not AtomKind.CRITERION]
    assert named == wish.get("references", [])


@pytest.mark.parametrize("wish", WISHES, ids=[wish["text"] for wish in WISHES])
def test_spans_are_those_of_the_narrative_and_every_node_has_its_atom(wish: Mapping[str, Any]) -> None:
    text, analysis = wish["text"], read(wish["text"])
    atoms = {atom.id: atom for atom in analysis.atoms}
    for atom in analysis.atoms:
        assert 0 <= atom.span[0] < atom.span[1] <= len(text)
        if atom.kind is AtomKind.CRITERION:
            assert text[slice(*atom.span)] == atom.text
    for node in analysis.nodes:
        start, end = atoms[node.atom].span
        assert start <= node.span[0] < node.span[1] <= end
    assert [node.order for node in analysis.nodes] == list(range(len(analysis.nodes)))


def test_the_words_that_weaken_or_strengthen_a_wish_are_kept() -> None:
    assert {node.instantiation: node.strength for node in read("不要太血腥，有点悲伤，更轻松").nodes} == {
        "血腥": "不要太",
        "悲伤": "有点",
        "轻松": "更",
    }


def test_how_something_is_shown_is_its_manner_and_when_it_is_there_its_condition() -> None:
    [through] = read("爱情通过斗嘴发展").attachments
    [when] = read("爱情只在关键时候出现").attachments
    assert (through.cue, through.aspect) == ("通过", Aspect.MANNER)
    assert (when.cue, when.aspect) == ("只在", Aspect.CONDITION)


def test_traditional_and_full_width_characters_are_read_like_simplified_ones() -> None:
    one, other = read("節奏慢的愛情片，不要太長，要有ＷｉＦｉ"), read("节奏慢的爱情片，不要太长，要有wifi")
    assert [(n.perspective, n.polarity) for n in one.nodes] == [(n.perspective, n.polarity) for n in other.nodes]
    assert len(one.attachments) == len(other.attachments) == 1


def test_a_title_that_the_catalogue_knows_expands_to_its_genres_in_chinese_and_is_left_out_itself() -> None:
    metadata = {"other_titles": ["葬送的芙莉莲"], "genres": ["fantasy", "adventure", "drama"]}
    known = vocabulary_of([Candidate(id="a", title="Frieren", year=2023, metadata=metadata)])
    analysis = read("类似葬送的芙莉莲但更轻松的", known)
    assert shown(analysis) == ["genre 奇幻", "genre 冒险", "tone 轻松"]
    assert (analysis.atoms[0].text, analysis.atoms[0].year) == ("Frieren", 2023)


def test_values_of_a_chinese_catalogue_are_known_by_their_key() -> None:
    known = vocabulary_of([Candidate(id="a", title="小馆", metadata={"location": "中关村", "cuisine": ["淮扬菜"]})])
    assert shown(read("中关村的淮扬菜", known)) == ["! location 中关村", "cuisine 淮扬菜"]


async def test_each_clause_of_a_mixed_narrative_is_read_in_its_language() -> None:
    text = "想看一部治愈的动画，but not too violent，不要太长，a slow pace"
    graph = await graph_of(text)
    assert graph.language == "zh"
    assert [(node.instantiation, node.polarity.value) for node in graph.nodes] == [
        ("治愈", "want"),
        ("violent", "avoid"),
        ("长", "avoid"),
        ("slow pace", "want"),
    ]
    assert all(text[slice(*node.span)] == node.instantiation for node in graph.nodes)
    assert len({atom.id for atom in graph.atoms}) == len(graph.atoms)


async def test_the_main_language_of_a_mixed_narrative_is_the_one_that_says_most() -> None:
    assert (await graph_of("A slow romance with lots of banter, 不要太血腥")).language == "en"


async def test_a_period_alone_is_a_wish() -> None:
    [node] = (await graph_of("八十年代的电影")).nodes
    assert (node.perspective, node.instantiation) == ("era", "八十年代")


@pytest.mark.parametrize(
    "text", ["泣ける映画が見たい", "葬送のフリーレンみたいなアニメ", "조용한 식당", "Хочу тихий ресторан"]
)
async def test_other_languages_are_refused(text: str) -> None:
    with pytest.raises(LanguageNotSupported):
        await graph_of(text)


async def test_a_japanese_title_in_a_chinese_sentence_is_no_japanese() -> None:
    graph = await graph_of("类似《葬送のフリーレン》但更轻松的")
    assert graph.language == "zh"
    assert [atom.text for atom in graph.atoms] == ["葬送のフリーレン", "更轻松"]


@pytest.mark.parametrize("text", ["你好", "谢谢你", "我昨天加班到很晚"])
async def test_words_without_a_wish_are_none(text: str) -> None:
    with pytest.raises(NoPreferences):
        await graph_of(text)


PIECES = st.one_of(
    st.text(st.sampled_from("不要太想看的、，。！？《》“”片慢爱情血腥除了都行三13集以内岁孩子但通过里在"), max_size=40),
    st.text(st.sampled_from("abcXYZ slow romance，。,. not 的ぁかナ가ж🎬😀\0\n\t（）()·—…"), max_size=40),
    st.text(max_size=20),
)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=4).map("".join))
async def test_any_mix_of_scripts_is_read_or_refused_with_a_typed_error(text: str) -> None:
    try:
        graph = await graph_of(text)
    except (EmptyNarrative, LanguageNotSupported, NoPreferences):
        return
    assert graph.nodes
    assert all(0 <= start <= end <= len(text) for start, end in (node.span for node in graph.nodes))


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("无聊死了,有啥好看的", []),
        ("今天好无聊，有什么好看的吗？想看点搞笑的", ["tone 搞笑"]),
        ("最近很闲，来点悬疑", ["genre 悬疑"]),
        ("不要无聊的片子", ["- tone 无聊"]),
    ],
)
def test_who_is_bored_wishes_for_nothing_by_it(text: str, wishes: list[str]) -> None:
    assert shown(read(text)) == wishes

"""Whatever is typed in Chinese characters, Latin letters and signs, there is a turn and never an untyped error."""

import asyncio
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dialogue.chinese_questions import in_english
from dialogue.domain import bundled_domain
from dialogue.engines.chinese import feedback, parts, references
from dialogue.engines.cues import Act
from dialogue.engines.references import Shown
from dialogue.languages import language_of_turn
from dialogue.models import ItemRef
from dialogue.topics import asked_for
from pdgf.catalogues.bundled import BUNDLED
from tests.dialogue.town import open_town

WORDS = [
    '第', '一', '二', '三', '部', '个', '家', '本', '最后', '前', '两', '都', '不要', '换', '看过', '了',
    '吗', '呢', '就', '选', '太', '有点', '暴力', '贵', '便宜', '的', '那', '这', '它', '《', '》',
    '《异形》', '还有', '别的', '更多', '重新开始', '撤销', '随便', '除了', '也行', '无所谓', '科幻', '爱情',
    '停车', '多长', '谁', '哪', '为什么', '没有', '比较', '比', '最', '更', '喜欢', '讨厌', '加到', '片单',
    'ok', 'no', "I'll", 'take', 'Alien', '。', '，', '？', '！', '、', '…', '👍', '❌', '👨\u200d👩\u200d👧',
    '\u200b', '2', '10', '９０', '年代', '岁', '輕鬆', '電影', '嗎', '静か', 'の', '𠀀', '（', '）', '“', '”',
    '~', '\n',
]  # fmt: skip
MIXED = st.lists(st.sampled_from(WORDS), max_size=14).map("".join) | st.text(
    alphabet=st.characters(codec="utf-8", min_codepoint=1, max_codepoint=0x1F9FF), max_size=30
)
LISTS = st.sampled_from([0, 1, 3])


@given(said=MIXED, count=LISTS, focus=st.booleans(), name=st.sampled_from(BUNDLED))
@settings(max_examples=150)
def test_parts_lie_in_the_text_and_items_in_the_list(said: str, count: int, focus: bool, name: str) -> None:
    items = tuple(ItemRef(id=str(n), title=title) for n, title in enumerate(("Alien", "异形2", "Heat")[:count]))
    shown = Shown(items=items, focus=items[:1] if focus else (), metadata={}, domain=bundled_domain(name), ever=items)
    read = feedback.judged(said, parts.parts_of(said, shown=bool(items), asked=focus), shown)
    for part in read:
        assert 0 <= part.span[0] <= part.span[1] <= len(said)
        assert part.acts <= set(Act)
        assert part.focus == (0, 0) or part.span[0] <= part.focus[0] <= part.focus[1] <= len(said)
    found = feedback.read_feedback(said, read, shown, wished=())
    assert {*found.accepted, *found.rejected, *found.interest, *found.about} <= set(items)
    assert not set(found.accepted) & set(found.rejected)
    assert set(references.resolve(said, shown).items) <= set(items)
    asked = in_english([said], {item: {} for item in items}, bundled_domain(name))
    assert all(isinstance(question, str) for question in asked)
    assert language_of_turn(said, "zh") in ("en", "zh")
    assert asked_for(said, name, [bundled_domain(each) for each in BUNDLED]) is None or said


@given(said=MIXED)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_there_is_a_reply_to_anything(said: str, tmp_path: Path) -> None:
    async def replies() -> list[str]:
        async with open_town(tmp_path) as town:
            return [(await town.say(words)).reply for words in ("Old Harbour, ramen", said, said)]

    assert all(reply.strip() for reply in asyncio.run(replies()))

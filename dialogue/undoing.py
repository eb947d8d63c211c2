"""Words that take the last change back ("undo that"), heard whatever the engine, and what is kept for them. Pure.

changed turn    the state before it goes on the pile of what can be taken back
"undo that"     the top of that pile stands again; what stood goes on the pile of what can be brought back
"redo"          the other way round; any other change clears the pile of what can be brought back
"""

import json
import re
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, Final, cast

from dialogue.models import TurnRecord
from dialogue.record import state_of

DEPTH = 20  # changes that can be taken back
LASTING: Final = ("dialogue", "requests", "shown", "seen", "recommendation", "domain")  # what a change is a change of

_BEFORE: Final = (
    r"(?:(?:算了|不对|等等|等一下|啊|哦|嗯|不好意思|抱歉|那|请|帮我|麻烦)[，,。\s]*"
    r"|(?:oh|oops|whoops|ok|okay|hmm+|no|sorry|wait|actually|please|well|and|can you|could you|let['’]s)"
    r"[,.!\s]+)*"
)
_THAT: Final = (
    r"(?:that|this|it|the last (?:one|thing|change|step|turn)|my last (?:message|change|wish|request|choice|pick)"
    r"|what i (?:just )?said)"
)
_AFTER: Final = (
    r"(?:[,\s]+(?:please|again|now|then|thanks|thank you|sorry|one step|a step|once|for me))*"
    r"(?:吧|了|一下|啊|呀|好了|谢谢)*\W*"
)
_BACK: Final = (
    rf"(?:undo|revert|reverse|cancel|take back|scratch|scrap|withdraw)(?: {_THAT})?|take {_THAT} back"
    r"|(?:go|step|take me|bring me) back"
    r"(?: (?:one|a) (?:step|turn)| to (?:the|my) (?:previous|last) (?:list|step|state|results?|suggestions?)"
    r"| to before| to what we had)?"
    r"|(?:forget|ignore|disregard|never ?mind) (?:what|that|everything) i (?:just |last )?(?:said|wrote|typed"
    r"|asked)(?: last| just now)?"
    r"|(?:forget|ignore|disregard) (?:my|the|that) last (?:message|wish|change|request|one|sentence)"
    r"|i (?:didn['’]?t|did not) mean (?:that|it|to say that)|that was (?:a mistake|wrong|an accident)"
    r"|(?:show|give)(?: me)? (?:the )?(?:previous|earlier) (?:list|results?|suggestions?)(?: again)?"
    r"|back to (?:the )?(?:previous|earlier|last) (?:list|results?|suggestions?|one)"
    r"|(?:请)?(?:撤销|撤回|取消|撤掉)(?:一下)?(?:刚才的?|上一步|上一句|上一个|那个|这个|我刚才说的)?(?:话|操作|修改)?"
    r"|(?:回到|返回|退回)(?:到)?(?:上一步|上一个?(?:列表|状态)|刚才(?:那样|那个列表|的列表|的样子)?|之前(?:那样|的列表|的样子)?)"
    r"|当我没说(?:过)?|(?:收回|撤回)(?:刚才的|上一?句)话"
    r"|(?:算了)?[，,\s]*还是(?:像|跟|和)?(?:刚才|之前|原来|上一个)(?:那样|那个|的那个|的|一样|那份|的列表|那个列表)+(?:好|吧|比较好|算了)*"
    r"|(?:恢复|变|改)(?:成|回)(?:刚才|之前|原来)(?:那样|的样子|的|那个)?|刚才(?:说|打|写)?错了|上一步(?:不算|作废)|退回去|不算不算|撤回(?:一下)?"
)
_FORTH: Final = (
    rf"redo(?: {_THAT})?|undo the undo|undo (?:my|that|the last) undo|bring (?:that|it|them) back(?: again)?"
    rf"|restore (?:that|it)"
    r"|(?:go|step) forward(?: again)?|(?:don['’]?t|do not) undo(?: (?:that|it))?"
    r"|(?:请)?(?:重做|恢复(?:刚才的)?|(?:取消|撤销)(?:刚才的)?撤销|不撤销了|别撤销了?)"
)
_GOES_BACK: Final = re.compile(rf"\W*{_BEFORE}(?:{_BACK})(?:[,;]?\s+(?:and )?(?:{_BACK}))?{_AFTER}", re.IGNORECASE)
_GOES_FORTH: Final = re.compile(rf"\W*{_BEFORE}(?:{_FORTH}){_AFTER}", re.IGNORECASE)


class Undo(StrEnum):
    """What an utterance asks for, and what came of it."""

    BACK = "back"
    FORTH = "forth"
    NOTHING = "nothing"


def asked_for(utterance: str) -> Undo | None:
    """Whether the utterance as a whole takes the last change back, or brings it back; None for all other words."""
    text = utterance.strip()
    if _GOES_FORTH.fullmatch(text):
        return Undo.FORTH
    return Undo.BACK if _GOES_BACK.fullmatch(text) else None


def snapshot(record: TurnRecord, domain: str) -> str:
    """What lasts of a record, as a text; the same for the same state."""
    lasting: dict[str, Any] = {key: record.get(key) or None for key in LASTING}
    lasting["dialogue"] = state_of(record).model_dump(mode="json")
    return json.dumps({**lasting, "domain": lasting["domain"] or domain}, sort_keys=True, ensure_ascii=False)


def piles(before: TurnRecord, now: str) -> tuple[list[str], list[str]]:
    """The digests of what can be taken back and brought back, latest last, after a turn that ended at `now`."""
    back, forth = list(before.get("back", [])), list(before.get("forth", []))
    base = before.get("base")
    if base and base != now:
        return [*back, base][-DEPTH:], []
    return back, forth


async def restored(
    asked: Undo, back: list[str], forth: list[str], now: str, get: Callable[[str], Awaitable[str]]
) -> tuple[Undo, TurnRecord, TurnRecord]:
    """What came of it, the lasting part that stands again (empty where nothing was to be had), and the piles after it.

    Raises KeyError and StoreUnavailable when what was kept is gone.
    """
    source, other = (back, forth) if asked is Undo.BACK else (forth, back)
    if not source:
        return Undo.NOTHING, {}, {"back": back, "forth": forth, "base": now}
    target, source, other = source[-1], source[:-1], [*other, now]
    back, forth = (source, other) if asked is Undo.BACK else (other, source)
    kept = {key: value for key, value in json.loads(await get(target)).items() if value is not None}
    lasting = cast(TurnRecord, kept)
    return asked, lasting, {"back": back[-DEPTH:], "forth": forth[-DEPTH:], "base": target}

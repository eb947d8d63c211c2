"""Errands that a user may ask for and nobody here can do: to book, to order, to buy (METHOD 9.6). Pure."""

import re
from typing import Final

from dialogue import wording

_LEAD = r"(?:(?:and|but|so|also|ok|okay|yes|yeah|great|then|well|good|perfect|thanks|please|pls|just|now)[,.!\s]+)*"
_ASKING = (
    r"(?:(?:can|could|will|would) you (?:please |also |just )*|(?:i|we)(?:['’]d| would) like (?:you )?to "
    r"|(?:i|we) want (?:you )?to |let['’]?s |go ahead and |help (?:me|us) (?:to )?|please )?"
)
_VERB = r"(?:book|order|reserve|buy|purchase)"
_WHAT = (
    r"(?:(?:me|us) )?(?:it|that|this|them|one|both|tickets?"
    r"|(?:a|the|two|some|\d+) (?:table|seats?|tickets?|cop(?:y|ies))"
    r"|the (?:first|second|third|fourth|fifth|last|other|1st|2nd|3rd)|number \w+|for \w+|(?-i:[A-Z])[\w'’]+)"
)
_ERRAND: Final = re.compile(rf"(?:^|[.!?;]\s*|,\s*){_LEAD}{_ASKING}{_VERB}\s+{_WHAT}(?![\w-])", re.IGNORECASE)
_CHINESE_PLACE = r"(?:订|定)(?:个|一个|一张|两张)?(?:位子?|座位?|桌子?|票|包间)"
_CHINESE: Final = re.compile(
    rf"(?:帮|给|替|为)(?:我|我们|咱们?)?(?:再|也|先)?(?:预订|预约|订|买|下单|点外卖|点餐|{_CHINESE_PLACE})"
    r"|(?:请|麻烦)(?:你)?(?:预订|订|买|预约)"
    rf"|(?:^|[,，。！!；;\s])(?:那|就|我想|我要)*(?:{_CHINESE_PLACE}|下单|(?:预订|预约|订)(?:第|它|这|那|《))"
    r"(?!.{0,4}的|方便|困?难|容易|吗|要不要|需要)"
)


def asked_for(text: str) -> bool:
    """Whether a text bids us book, order, reserve or buy something. Whether it can be booked is another question."""
    return bool(_ERRAND.search(text) or _CHINESE.search(text))


def told(text: str) -> str:
    """That it cannot be done here; empty where nothing is asked for that cannot."""
    return wording.say("errand.cannot") if asked_for(text) else ""

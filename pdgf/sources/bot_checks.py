"""Pages that ask whether somebody is human instead of showing what was asked for (RELIABILITY C18). Pure.

The words of a check alone prove nothing: an article about bots quotes them, a film may be called by them. A check has
little text, and its words stand beside a technical sign: the machinery of a known service, a captcha, or what such
pages say of scripts, cookies and request numbers. Where hardly any text is there, two of its words do.
"""

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files

SHORT = 1_500  # characters of visible text; the longest check seen has about 900
VERY_SHORT = 400  # of a check that says only what it wants
MOST = 0.7  # of a title that is nothing but the words of a check

_SIGNS = tomllib.loads(files("pdgf.sources").joinpath("bot_checks.toml").read_text("utf-8"))


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


MACHINERY, CAPTCHA, NEEDS = (_any(_SIGNS[kind]) for kind in ("machinery", "captcha", "needs"))
WORDS = _any(word for words in _SIGNS["words"].values() for word in words)


def is_bot_check(title: str, text: str, markup: str) -> bool:
    """Whether a page with this title, visible text and source is a check of its visitor."""
    if len(text) > SHORT:
        return False
    named, worded = _is_said_by(title), WORDS.search(text) is not None
    if MACHINERY.search(markup):
        return named or worded or len(text) <= VERY_SHORT
    technical = (CAPTCHA.search(markup) or NEEDS.search(text) or NEEDS.search(_unscripted(markup))) is not None
    if len(text) > VERY_SHORT:
        return named and worded and technical
    said = {found.lower() for found in WORDS.findall(f"{title}\n{text}")}
    return ((named or worded) and technical) or (named and (not text or len(said) >= 2))


def _is_said_by(title: str) -> bool:
    """Whether a title, or the part of it before the name of the site, is little more than the words of a check."""
    parts = [part.strip(" .!?…。！？") for part in re.split(r"\s[|–—-]\s|_", title)]
    found = [(part, WORDS.search(part)) for part in parts]
    return any(match is not None and len(match.group()) >= MOST * len(part) for part, match in found)


def _unscripted(markup: str) -> str:
    """What is said to those without JavaScript."""
    start = markup.lower().find("<noscript")
    end = markup.lower().find("</noscript", start)
    return re.sub(r"<[^<>]*>", " ", markup[start:end]) if 0 <= start < end else ""

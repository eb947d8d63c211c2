"""Chinese text cut into words by jieba: loaded at the first Chinese text, quiet, and without a cache file of its own.

Without the package a text is one word, so that only whole wishes of one character are known; nothing is raised,
because a language model can read Chinese where the built-in engine cannot.
"""

import logging
import threading
import warnings
from functools import lru_cache
from typing import Any

_LOCK = threading.Lock()
_LOADED: list[Any] = []  # the tokenizer, or None where there is none


def available() -> bool:
    """Whether Chinese can be cut into words."""
    return _tokenizer() is not None


@lru_cache(maxsize=65_536)
def words(text: str) -> tuple[str, ...]:
    """The words of a text in order; joined they are the text."""
    tokenizer = _tokenizer()
    if tokenizer is None:
        return (text,) if text else ()
    with _LOCK:
        return tuple(tokenizer.lcut(text))


@lru_cache(maxsize=65_536)
def bounds(text: str) -> frozenset[int]:
    """The offsets at which a word of the text starts or ends."""
    found = {0}
    place = 0
    for word in words(text):
        place += len(word)
        found.add(place)
    return frozenset(found)


def _tokenizer() -> Any:
    with _LOCK:
        if not _LOADED:
            _LOADED.append(_load())
        return _LOADED[0]


def _load() -> Any:
    """The tokenizer with its dictionary read straight into memory (half a second): its own loading would write a file
    into the folder for temporary files that all users share."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its syntax and of the outdated way in which it finds its dictionary
            import jieba
    except ImportError:
        return None
    log = logging.getLogger("jieba")
    log.handlers.clear()
    log.setLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    with tokenizer.get_dict_file() as file:
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(file)
    tokenizer.initialized = True
    return tokenizer

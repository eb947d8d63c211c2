"""The models of the built-in engine, which take long to load and which no use changes: a process loads each once."""

from functools import cache

from pdgf.embedding import MiniLMEmbedder, UseEmbedder
from pdgf.engines.builtin.language import EnglishParser


@cache
def parser() -> EnglishParser:
    """The parser of English."""
    return EnglishParser()


@cache
def minilm() -> MiniLMEmbedder:
    """The encoder of English texts. It keeps nothing of what it has encoded."""
    return MiniLMEmbedder()


@cache
def use() -> UseEmbedder:
    """The encoder of Chinese texts. It keeps nothing of what it has encoded."""
    return UseEmbedder()

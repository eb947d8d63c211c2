"""Chinese and English side by side: which language a text is in, and the English words of a Chinese one (METHOD 12).

text -> language_of, is_chinese     by its script
text -> named, limits               the entries and limits that it names, with their English words
text -> gloss, in_english           its English words, for English texts, metadata and the English encoder
"""

from pdgf.glossary.entries import Entry, Named, chinese_of, entries, makers, named
from pdgf.glossary.gloss import gloss, in_english
from pdgf.glossary.numbers import Limit, limits
from pdgf.glossary.script import folded, has_han, is_chinese, language_of

__all__ = (
    "Entry",
    "Limit",
    "Named",
    "chinese_of",
    "entries",
    "folded",
    "gloss",
    "has_han",
    "in_english",
    "is_chinese",
    "language_of",
    "limits",
    "makers",
    "named",
)

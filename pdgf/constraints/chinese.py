"""Wishes in Chinese against metadata in English or Chinese: a node in the words of a schema. Pure."""

from pdgf.constraints.checks import scale_of
from pdgf.constraints.levels import DIFFICULTY, WORDS_OF_SCALE
from pdgf.constraints.metadata import KeyKind, MetadataSchema, fold, names_of_truth
from pdgf.glossary import folded, gloss, has_han
from pdgf.models import Node


def in_words_of(node: Node, schema: MetadataSchema) -> Node:
    """The node itself, or one whose Chinese words are the English ones that mean the same.

    A Chinese value of the schema stands for itself: a catalogue may be Chinese.
    """
    if not has_han(node.instantiation + node.strength):
        return node
    words = gloss(node.instantiation, _chinese_values(schema))
    return node.model_copy(update={"instantiation": words, "strength": gloss(node.strength)})


def _chinese_values(schema: MetadataSchema) -> frozenset[str]:
    """The categories of a schema that are Chinese."""
    if "chinese values" not in schema.memo:
        categories = [key for key in schema.keys if key.kind is KeyKind.CATEGORY and not key.names_items]
        values = {value for key in categories for value in key.values if has_han(value)}
        if any(scale_of(key) == DIFFICULTY for key in categories):
            values |= {word for words in WORDS_OF_SCALE[DIFFICULTY] for word in words.words if has_han(word)}
        truths = (key.words for key in schema.keys if key.kind is KeyKind.BOOLEAN and has_han(key.words))
        values |= {name for words in truths for name in names_of_truth(words)}
        schema.memo["chinese values"] = frozenset(value for value in values if folded(value) == fold(value))
    known: frozenset[str] = schema.memo["chinese values"]
    return known

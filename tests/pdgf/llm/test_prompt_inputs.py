"""The inputs of every prompt: declared is used, what others wrote is fenced, and nothing is seen that may not be."""

from collections.abc import Iterator
from typing import Any

import pytest
from jinja2 import meta, nodes

from pdgf.engines.llm_replies import LabelsReply, QueriesReply
from pdgf.llm.prompt_files import ENVIRONMENT, load, names, read, with_includes
from tests.pdgf.llm.prompt_examples import EXAMPLES

NODE = ("atom", "instantiation", "perspective", "polarity")

# METHOD 2, the column "sees": every single value that a prompt can be given.
SEES = {
    "pdgf/extract_nodes": {"narrative", "max_nodes"},
    "pdgf/read_graph": {"narrative", "max_nodes"},
    "pdgf/judge_pairs": {
        "narrative",
        "pairs.number",
        *(f"pairs.{end}.{field}" for end in ("first", "second") for field in NODE),
    },
    "pdgf/resolve_cycle": {
        "narrative",
        "nodes.number",
        *(f"nodes.{field}" for field in NODE),
        *(f"inner.{field}" for field in ("number", "base", "qualifier", "aspect", "words")),
        *(f"outer.{field}" for field in ("base", "qualifier", "words")),
    },
    "pdgf/describe": {
        "narrative",
        *(f"known.{field}" for field in ("number", "description", "bases")),
        *(f"nodes.{field}" for field in (*NODE, "number", "hard", "strength", "bases")),
    },
    "pdgf/rewrite_queries": {
        "narrative",
        "item_word",
        "pairs.number",
        *(f"pairs.{end}.{field}" for end in ("base", "node") for field in NODE),
    },
    "pdgf/extract_candidates": {"chunk", "feature", "item_word"},
    "pdgf/order_passages": {"request", "passages.number", "passages.text"},
    "pdgf/read_attributes": {"request", "item_word"},
    "pdgf/propose_titles": {"narrative", "item_word", "limit"},
    "pdgf/label_relations": {"texts.number", "texts.text", "texts.features.number", "texts.features.text"},
    "dialogue/understand": {
        "utterance",
        "focus",
        "asked",
        "item_word",
        "current_year",
        *(f"wishes.{field}" for field in ("key", "text", "hard")),
        *(f"keys.{field}" for field in ("key", "description", "hard")),
        *(f"shown.{field}" for field in ("number", "title", "year", "facts")),
        *(f"earlier.{field}" for field in ("number", "title", "year")),
        *(f"domains.{field}" for field in ("name", "items")),
    },
    "dialogue/explain": {
        "language",
        "title",
        "year",
        "demoted",
        "unknown",
        *(f"wishes.{field}" for field in ("words", "label", "hard", "qualifies", "evidence.id", "evidence.quote")),
        *(f"facts.{field}" for field in ("id", "text")),
    },
    "dialogue/answer": {
        "language",
        "question",
        "title",
        "year",
        *(f"{kind}.{field}" for kind in ("facts", "passages") for field in ("id", "text")),
    },
}


def fields(shape: Any, path: str) -> Iterator[str]:
    """The paths of the single values in a declared shape."""
    if isinstance(shape, str):
        yield path
    elif "each" in shape:
        yield from fields(shape["each"], path)
    else:
        for name, inner in shape.items():
            yield from fields(inner, f"{path}.{name}")


def unfenced(node: nodes.Node, outside: frozenset[str]) -> list[str]:
    """The names from `outside` that a template shows without the filter `data`; whatever a loop over them names
    counts among them."""
    if isinstance(node, nodes.Filter) and node.name == "data":
        return []
    if isinstance(node, nodes.For):
        inner = outside | used(node.target) if used(node.iter) & outside else outside
        return [found for child in (*node.body, *node.else_) for found in unfenced(child, inner)]
    if isinstance(node, nodes.If):  # a test decides what is shown, and shows nothing
        return [found for child in (*node.body, *node.elif_, *node.else_) for found in unfenced(child, outside)]
    if isinstance(node, nodes.Name):
        return [node.name] if node.name in outside else []
    assert not isinstance(node, nodes.Assign | nodes.AssignBlock | nodes.Macro | nodes.With), "no such names allowed"
    return [found for child in node.iter_child_nodes() for found in unfenced(child, outside)]


def used(node: nodes.Node) -> frozenset[str]:
    own = [node.name] if isinstance(node, nodes.Name) else []
    return frozenset([*own, *(name.name for name in node.find_all(nodes.Name))])


@pytest.mark.parametrize("name", names())
def test_declared_inputs_are_the_inputs_used(name: str) -> None:
    file = read(name)
    sources = [source for template in (file.system, file.user) for source in with_includes(template)]
    found = {used for source in sources for used in meta.find_undeclared_variables(ENVIRONMENT.parse(source))}
    assert found == set(file.header.inputs)


@pytest.mark.parametrize("name", names())
def test_the_system_text_has_no_inputs(name: str) -> None:
    for source in with_includes(read(name).system):
        assert meta.find_undeclared_variables(ENVIRONMENT.parse(source)) == set()


@pytest.mark.parametrize("name", names())
def test_texts_of_others_are_shown_only_fenced(name: str) -> None:
    file = read(name)
    outside = frozenset(name for name, declared in file.header.inputs.items() if declared.outside)
    assert outside
    for source in with_includes(file.user):
        assert unfenced(ENVIRONMENT.parse(source), outside) == []


def test_that_test_finds_what_is_not_fenced() -> None:
    for template, found in (
        ("{{ q }}", ["q"]),
        ("{{ q | upper }}", ["q"]),
        ("{{ {'a': q} }}", ["q"]),
        ("{% for row in q %}{{ row.text }}{% endfor %}", ["row"]),
        ("{% for a, b in q %}{% for c in b %}{{ c }}{% endfor %}{% endfor %}", ["c"]),
        ("{% if x %}{{ q | data }}{% else %}{{ q }}{% endif %}", ["q"]),
        ("{% for row in q %}{{ row.text | data('p' ~ row.number) }}{% endfor %}", []),
    ):
        assert unfenced(ENVIRONMENT.parse(template), frozenset(["q"])) == found


def test_the_prompts_are_those_of_the_method() -> None:
    assert set(names()) == set(SEES)


@pytest.mark.parametrize("name", names())
def test_each_prompt_sees_exactly_what_the_method_lets_it_see(name: str) -> None:
    inputs = read(name).header.inputs
    assert {path for key, declared in inputs.items() for path in fields(declared.shape, key)} == SEES[name]


def test_a_rewriter_is_given_no_f_and_a_relation_judge_no_narrative() -> None:
    rewrite, judge = load("pdgf/rewrite_queries", QueriesReply), load("pdgf/label_relations", LabelsReply)
    inputs = EXAMPLES["pdgf/rewrite_queries"].inputs
    [first, *_] = inputs["pairs"]
    with_f = {**first, "node": {**first["node"], "feature": "f"}}
    with pytest.raises(TypeError, match="exactly the fields"):
        rewrite.render(**{**inputs, "pairs": [with_f]})
    with pytest.raises(TypeError, match="takes"):
        judge.render(**EXAMPLES["pdgf/label_relations"].inputs, narrative="q")

"""Values: frozen, strict, and never stale after a copy."""

import pytest
from pydantic import ValidationError

from pdgf.models import Evidence, Node, Passage, Polarity, PreferenceGraph, QualificationEdge, Source, node_id


def chain() -> PreferenceGraph:
    nodes = tuple(Node(id=name, atom="a", perspective="p", instantiation=name, order=i) for i, name in enumerate("uvw"))
    edges = (QualificationEdge(base="u", qualifier="v"), QualificationEdge(base="v", qualifier="w"))
    return PreferenceGraph(narrative="n", nodes=nodes, edges=edges, initial_edges=edges, order=("u", "v", "w"))


def test_a_copy_forgets_what_was_cached_from_the_fields_it_changes() -> None:
    graph = chain()
    assert graph.node_by_id["u"].feature == ""
    assert graph.ancestors("w") == ("u", "v")
    refined = graph.model_copy(update={"nodes": tuple(n.model_copy(update={"feature": "f"}) for n in graph.nodes)})
    assert refined.node_by_id["u"].feature == "f"
    assert graph.model_copy(update={"edges": graph.edges[:1]}).ancestors("w") == ()


def test_bases_and_roots_come_from_the_reduced_edges() -> None:
    graph = chain()
    assert graph.bases("w") == ("v",)
    assert graph.roots() == ("u",)
    with pytest.raises(KeyError):
        graph.bases("x")


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        Source.model_validate({"id": "s", "colour": "red"})


def test_a_node_id_depends_on_normalised_texts_only() -> None:
    same = node_id("No  Gore", "Content", "GORE", Polarity.AVOID)
    assert same == node_id("no gore", "content", "gore", Polarity.AVOID)
    assert same != node_id("no gore", "content", "gore", Polarity.WANT)


def test_a_quote_is_traced_to_the_passages_that_hold_it() -> None:
    passages = (Passage(text="Slow  and warm.", source=Source(id="r0")), Passage(text="Loud.", source=Source(id="r1")))
    evidence = Evidence(candidate="c", node="v", passages=passages)
    assert evidence.text == "Slow  and warm.\nLoud."
    assert evidence.sources_of("Slow and warm.") == (Source(id="r0"),)
    assert evidence.sources_of("nowhere") == ()

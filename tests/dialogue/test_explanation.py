"""Reasons from labels, paths and quotes alone."""

from dialogue.domain import bundled_domain
from dialogue.explanation import citable, fits, in_the_way, quoted_sources, reasons, standings, unheard
from pdgf.models import (
    Atom,
    Candidate,
    Evidence,
    Label,
    Node,
    Passage,
    Polarity,
    PreferenceGraph,
    QualificationEdge,
    RankedItem,
    RelationLabel,
    Source,
)

TEXTS = {"quiet": "A quiet room.", "ramen": "Ramen all day.", "cheap": "It costs much.", "cosy": "Rather cosy."}


def graph(
    *names: str, hard: tuple[str, ...] = (), avoid: tuple[str, ...] = (), edges: tuple[str, ...] = ()
) -> PreferenceGraph:
    nodes = tuple(
        Node(
            id=name,
            atom=name,
            perspective="location" if name == "harbour" else "noise",
            instantiation=name,
            hard=name in hard,
            polarity=Polarity.AVOID if name in avoid else Polarity.WANT,
            order=order,
        )
        for order, name in enumerate(names)
    )
    return PreferenceGraph(
        narrative=" ".join(names),
        atoms=tuple(Atom(id=name, text=name, span=(0, 1)) for name in names),
        nodes=nodes,
        edges=tuple(QualificationEdge(base=a, qualifier=b) for a, b in (edge.split(">") for edge in edges)),
        order=names,
    )


def item(
    labels: dict[str, Label],
    *,
    demoted: str | None = None,
    through: dict[str, dict[str, Label]] | None = None,
    unknown: tuple[str, ...] = (),
) -> RankedItem:
    def label(name: str, value: Label) -> RelationLabel:
        return RelationLabel(label=value, quotes=() if value is Label.NOT_ADDRESSED else (TEXTS.get(name, name),))

    judged = {name: {name: label(name, value)} for name, value in labels.items()}
    for record, found in (through or {}).items():
        judged[record] |= {name: label(name, value) for name, value in found.items()}
    evidence = tuple(
        Evidence(
            candidate="i", node=name, passages=(Passage(text=TEXTS.get(name, name), source=Source(id=f"i#{name}")),)
        )
        for name in labels
    )
    candidate = Candidate(id="i", title="Place")
    return RankedItem(
        candidate=candidate, score=1.0, demoted=demoted, evidence=evidence, judged=judged, unknown=unknown
    )


S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


def test_each_wish_is_met_partly_met_contradicted_or_silent() -> None:
    wishes = graph("quiet", "ramen", "cheap", "cosy")
    said = " ".join(reasons(item({"quiet": S, "cosy": P, "cheap": X}), wishes))
    assert said == (
        'Fits "quiet" (“A quiet room.”). '
        'Otherwise partly "cosy" (“Rather cosy.”); against it: "cheap" (“It costs much.”); nothing known about "ramen".'
    )


def test_only_the_first_two_are_quoted_and_hard_wishes_come_first() -> None:
    wishes = graph("quiet", "ramen", "cosy", hard=("cosy",))
    [said] = reasons(item({"quiet": S, "ramen": S, "cosy": S}), wishes)
    assert said == 'Fits "cosy" (“Rather cosy.”), "quiet" (“A quiet room.”) and "ramen".'


def test_an_unwanted_thing_is_named_with_its_negation() -> None:
    assert reasons(item({"loud": S}), graph("loud", avoid=("loud",))) == ('Fits "not loud" (“loud”).',)


def test_a_demoted_item_gives_the_condition_it_breaks_once() -> None:
    wishes = graph("ramen", "quiet", hard=("ramen",))
    said = reasons(item({"ramen": X, "quiet": S}, demoted='ramen: "Pizza only."'), wishes)
    assert said == ('Breaks a condition: ramen: "Pizza only.".', 'Fits "quiet" (“A quiet room.”).')


def test_facts_that_nobody_gives_are_said_unless_the_item_is_demoted_anyway() -> None:
    wishes = graph("quiet")
    assert reasons(item({"quiet": S}, unknown=("parking",)), wishes)[-1] == "I could not check its parking."
    assert "check" not in " ".join(reasons(item({"quiet": S}, demoted="x", unknown=("parking",)), wishes))


def test_a_label_given_as_an_ancestor_speaks_where_the_own_record_is_silent() -> None:
    wishes = graph("quiet", "cosy", edges=("quiet>cosy",))
    found = {s.wish: s.label for s in standings(item({"cosy": P}, through={"cosy": {"quiet": S}}), wishes)}
    assert found == {"quiet": S, "cosy": P}
    found = {s.wish: s.label for s in standings(item({"cosy": P, "quiet": X}, through={"cosy": {"quiet": S}}), wishes)}
    assert found["quiet"] is X


def test_nothing_is_said_that_no_label_shows() -> None:
    assert reasons(item({}), graph("quiet")) == ('So far nothing known about "quiet".',)
    assert quoted_sources(item({}), graph("quiet")) == ()


def test_every_quote_that_is_said_has_the_source_in_which_it_stands() -> None:
    wishes = graph("quiet", "ramen", "cheap", "cosy")
    given = item({"quiet": S, "cosy": P, "cheap": X})
    said = " ".join(reasons(given, wishes))
    found = quoted_sources(given, wishes)
    assert [(s.quote, s.source) for s in found] == [
        ("A quiet room.", "i#quiet"),
        ("Rather cosy.", "i#cosy"),
        ("It costs much.", "i#cheap"),
    ]
    assert all(f"“{source.quote}”" in said for source in found)
    assert said.count("“") == len(found)


def test_an_item_fits_when_something_speaks_for_what_is_wanted() -> None:
    wishes = graph("quiet", "loud", avoid=("loud",))
    assert fits(item({"quiet": P}), wishes)
    assert not fits(item({"quiet": X, "loud": S}), wishes)
    assert not fits(item({"quiet": N}), wishes)
    assert fits(item({"loud": S}), graph("loud", avoid=("loud",)))


def test_keys_outside_explanations_are_left_out_unless_they_are_all_there_is() -> None:
    domain = bundled_domain("restaurants")
    wishes = graph("quiet", "harbour", "cosy", edges=("harbour>cosy", "quiet>cosy"))
    kept = citable(wishes, domain)
    assert kept.order == ("quiet", "cosy")
    assert [edge.ends for edge in kept.edges] == [("quiet", "cosy")]
    assert citable(graph("harbour"), domain) == graph("harbour")


def test_the_wish_in_the_way_is_the_hard_one_that_most_break_and_of_equals_the_first() -> None:
    wishes = graph("quiet", "ramen", "cheap", hard=("ramen", "cheap"))
    broken = [item({"ramen": X}, demoted="x"), item({"cheap": X}, demoted="y"), item({"cheap": N}, demoted="Cheap: no")]
    assert in_the_way(broken, wishes) == "cheap"
    assert in_the_way(broken[:2], wishes) == "ramen"
    assert in_the_way([item({"ramen": X})], wishes) is None


def test_wishes_that_nothing_speaks_of_are_those_silent_everywhere() -> None:
    wishes = graph("quiet", "ramen", "cheap")
    assert unheard([item({"quiet": S}), item({"cheap": X})], wishes) == ("ramen",)
    assert unheard([], wishes) == ()


def test_one_wish_of_two_nodes_is_named_once() -> None:
    wishes = graph("quiet", "Quiet")
    assert [s.label for s in standings(item({"Quiet": S}), wishes)] == [S]

"""Reasons from labels, paths and quotes alone."""

import re

from hypothesis import given
from hypothesis import strategies as st

from dialogue import explanation
from dialogue.domain import bundled_domain
from dialogue.models import QuotedSource
from dialogue.standings import citable, falls_short, fits, marks, standings, unheard, wish_of
from dialogue.trade_offs import in_the_way
from pdgf.models import (
    Atom,
    Candidate,
    Evidence,
    Label,
    Node,
    Passage,
    PathScore,
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


def reasons(found: RankedItem, wishes: PreferenceGraph) -> tuple[str, ...]:
    return explanation.reasons(found, wishes).sentences


def quoted_sources(found: RankedItem, wishes: PreferenceGraph) -> tuple[QuotedSource, ...]:
    return explanation.reasons(found, wishes).sources


S, P, N, X = Label.SUPPORT, Label.PARTIAL, Label.NOT_ADDRESSED, Label.CONTRADICTS


def test_each_wish_is_met_partly_met_contradicted_or_silent() -> None:
    wishes = graph("quiet", "ramen", "cheap", "cosy")
    said = " ".join(reasons(item({"quiet": S, "cosy": P, "cheap": X}), wishes))
    assert said == (
        'Against it: "cheap" (“It costs much.”). Fits "quiet" (“A quiet room.”). '
        'Only partly "cosy" (“Rather cosy.”); nothing known about "ramen".'
    )


def test_a_must_that_is_met_only_in_part_is_said_first_and_called_a_must() -> None:
    wishes = graph("quiet", "cosy", "cheap", hard=("cosy",))
    said = reasons(item({"quiet": S, "cosy": P, "cheap": P}), wishes)
    assert said == (
        'Only partly, though it is a must: "cosy" (“Rather cosy.”).',
        'Fits "quiet" (“A quiet room.”).',
        'Only partly "cheap" (“It costs much.”).',
    )


def test_what_speaks_against_an_item_takes_no_quote_from_what_it_meets() -> None:
    wishes = graph("quiet", "ramen", "a", "b", avoid=("a", "b"))
    said = " ".join(reasons(item({"quiet": S, "ramen": S, "a": X, "b": X}), wishes))
    assert said.startswith('Against it: "not a" (“a”) and "not b" (“b”). Fits ')
    assert all(f"“{quote}”" in said for quote in ("A quiet room.", "Ramen all day."))


def test_an_item_falls_short_where_something_speaks_against_a_wish_or_for_a_must_only_in_part() -> None:
    wishes = graph("quiet", "cosy", "loud", hard=("cosy",), avoid=("loud",))
    short = [{"cosy": P}, {"quiet": X}, {"loud": X}, {"quiet": S, "cosy": S, "loud": X}]
    enough = [{}, {"quiet": P}, {"cosy": S, "quiet": P}, {"quiet": S, "cosy": N}]
    assert [falls_short(item(labels), wishes) for labels in (*short, *enough)] == [True] * 4 + [False] * 4


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
    assert reasons(item({"quiet": S}, unknown=("parking",)), wishes)[-1] == "Nothing is on record about parking."
    assert "check" not in " ".join(reasons(item({"quiet": S}, demoted="x", unknown=("parking",)), wishes))


def test_a_label_given_as_an_ancestor_speaks_where_the_own_record_is_silent() -> None:
    wishes = graph("quiet", "cosy", edges=("quiet>cosy",))
    found = {s.wish: s.label for s in standings(item({"cosy": P}, through={"cosy": {"quiet": S}}), wishes)}
    assert found == {"quiet": S, "cosy": P}
    found = {s.wish: s.label for s in standings(item({"cosy": P, "quiet": X}, through={"cosy": {"quiet": S}}), wishes)}
    assert found["quiet"] is X


def test_nothing_is_said_that_no_label_shows() -> None:
    assert reasons(item({}), graph("quiet")) == ('Nothing known about "quiet".',)
    assert quoted_sources(item({}), graph("quiet")) == ()


def test_every_quote_that_is_said_has_the_source_in_which_it_stands() -> None:
    wishes = graph("quiet", "ramen", "cheap", "cosy")
    given = item({"quiet": S, "cosy": P, "cheap": X})
    said = " ".join(reasons(given, wishes))
    found = quoted_sources(given, wishes)
    assert [(s.quote, s.source) for s in found] == [
        ("It costs much.", "i#cheap"),
        ("A quiet room.", "i#quiet"),
        ("Rather cosy.", "i#cosy"),
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


def test_an_unwanted_degree_is_part_of_the_wish() -> None:
    [node] = graph("violence").nodes
    assert wish_of(node.model_copy(update={"strength": "little"})) == "little violence"
    assert wish_of(node.model_copy(update={"strength": "must"})) == "violence"


def on_the_path(
    wishes: PreferenceGraph, texts: dict[str, str], labels: dict[str, Label], *path: str, score: float = 2.0
) -> RankedItem:
    """An item whose best record, at the end of the path, has these labels, each shown by its text."""
    found = {
        name: RelationLabel(label=label, quotes=() if label is N else (texts[name],)) for name, label in labels.items()
    }
    evidence = tuple(
        Evidence(candidate="i", node=path[-1], passages=(Passage(text=text, source=Source(id=f"i#{text[:3]}")),))
        for text in dict.fromkeys(texts.values())
    )
    return RankedItem(
        candidate=Candidate(id="i", title="Place"),
        score=score,
        paths=(PathScore(node=path[-1], score=score, path=path, labels=labels),),
        evidence=evidence,
        judged={path[-1]: found},
    )


def linked(*edges: tuple[str, str, str], avoid: tuple[str, ...] = ()) -> PreferenceGraph:
    """A graph of edges (base, the user's words between, qualifier)."""
    names = tuple(dict.fromkeys(end for base, _, qualifier in edges for end in (base, qualifier)))
    made = graph(*names, avoid=avoid)
    return made.model_copy(
        update={"edges": tuple(QualificationEdge(base=a, qualifier=b, span=span) for a, span, b in edges)}
    )


def test_what_is_met_is_told_along_the_winning_path_in_the_users_words() -> None:
    wishes = linked(("romance", "shown through", "banter"))
    texts = {"romance": "Two people fall in love.", "banter": "They never stop bickering."}
    found = on_the_path(wishes, texts, {"romance": S, "banter": S}, "romance", "banter")
    assert reasons(found, wishes) == (
        'Fits "romance" (“Two people fall in love.”) shown through "banter" (“They never stop bickering.”).',
    )
    assert [source.quote for source in quoted_sources(found, wishes)] == list(texts.values())


def test_one_quote_that_shows_two_wishes_stands_once() -> None:
    wishes = linked(("romance", "shown through", "banter"))
    texts = dict.fromkeys(("romance", "banter"), "They bicker until they love.")
    found = on_the_path(wishes, texts, {"romance": S, "banter": S}, "romance", "banter")
    assert reasons(found, wishes) == ('Fits "romance" shown through "banter" (“They bicker until they love.”).',)


def test_other_wishes_follow_the_path_and_one_beside_it_says_what_it_qualifies() -> None:
    wishes = linked(
        ("fantasy", "with", "romance"), ("romance", "as a", "subplot"), ("romance", "shown through", "banter")
    )
    texts = {"fantasy": "A spell.", "romance": "A kiss.", "subplot": "On the side.", "banter": "They tease."}
    found = on_the_path(
        wishes, texts, dict.fromkeys(("fantasy", "romance", "subplot"), S), "fantasy", "romance", "subplot"
    )
    found = found.model_copy(
        update={"judged": {**found.judged, "banter": {"banter": RelationLabel(label=S, quotes=("They tease.",))}}}
    )
    assert reasons(found, wishes) == (
        'Fits "fantasy" (“A spell.”) with "romance" (“A kiss.”) as a "subplot"; also shown through "banter".',
    )


def test_a_wish_of_the_path_that_is_not_met_is_left_out_of_it_and_told_after() -> None:
    wishes = linked(("romance", "as a", "subplot"), ("subplot", "through", "banter"))
    texts = {"romance": "Love.", "subplot": "Not in the middle.", "banter": "They tease."}
    labels = {"romance": S, "subplot": P, "banter": S}
    [met, rest] = reasons(on_the_path(wishes, texts, labels, "romance", "subplot", "banter"), wishes)
    assert met == 'Fits "romance" (“Love.”) and "banter" (“They tease.”).'
    assert rest == 'Only partly "subplot" (“Not in the middle.”).'


def test_a_wish_of_the_path_is_named_once_though_its_own_record_has_another_quote() -> None:
    wishes = linked(("fantasy", "with", "romance"))
    texts = {"fantasy": "A spell.", "romance": "A kiss."}
    found = on_the_path(wishes, texts, {"fantasy": S, "romance": S}, "fantasy", "romance")
    own = {"fantasy": {"fantasy": RelationLabel(label=S, quotes=("Genres: fantasy",))}}
    found = found.model_copy(update={"judged": {**found.judged, **own}})
    assert reasons(found, wishes) == ('Fits "fantasy" (“A spell.”) with "romance" (“A kiss.”).',)


def test_what_should_stay_away_is_joined_without_the_words_that_ban_it() -> None:
    wishes = linked(("thriller", "with no", "gore"), avoid=("gore",))
    texts = {"thriller": "Tense.", "gore": "Bloodless."}
    found = on_the_path(wishes, texts, {"thriller": S, "gore": S}, "thriller", "gore")
    assert reasons(found, wishes) == ('Fits "thriller" (“Tense.”) and "not gore" (“Bloodless.”).',)


def test_silent_wishes_are_named_and_those_beyond_three_counted() -> None:
    names = ("quiet", "a", "b", "c", "d", "e")
    assert reasons(item({"quiet": S}), graph(*names[:3]))[-1] == 'Nothing known about "a" or "b".'
    assert reasons(item({"quiet": S}), graph(*names[:4]))[-1] == 'Nothing known about "a", "b" or "c".'
    assert reasons(item({"quiet": S}), graph(*names))[-1] == 'Nothing known about "a", "b", "c" and 2 more.'
    assert reasons(item({}), graph(*names[:4])) == ('Nothing known about "quiet", "a", "b" and 1 more.',)


def test_a_condition_that_could_not_be_checked_is_named_and_not_called_silent_too() -> None:
    wishes = graph("quiet", "short", hard=("short",))
    found = item({"quiet": S}, unknown=("length minutes",)).model_copy(update={"unchecked": ("short",)})
    assert reasons(found, wishes) == (
        'Fits "quiet" (“A quiet room.”).',
        'Nothing is on record about length, so "short" stays open.',
    )


def test_what_is_on_record_and_settles_nothing_is_not_called_unrecorded() -> None:
    wishes = graph("quiet", "nut allergy", hard=("nut allergy",))
    found = item({"quiet": S}, unknown=("diets", "dishes")).model_copy(update={"unchecked": ("nut allergy",)})
    found = found.model_copy(
        update={"candidate": found.candidate.model_copy(update={"metadata": {"dishes": ["pie"], "diets": []}})}
    )
    assert reasons(found, wishes)[-1] == 'What is on record about dishes does not settle "nut allergy".'


def test_the_broken_condition_is_said_once_whatever_its_label() -> None:
    wishes = graph("cheap", "quiet", hard=("cheap",))
    for label in (P, X, N):
        said = reasons(item({"cheap": label, "quiet": S}, demoted="Price: moderate (you asked for cheap)"), wishes)
        assert said[1:] == ('Fits "quiet" (“A quiet room.”).',)


@given(
    labels=st.dictionaries(st.sampled_from([*TEXTS, "a", "b", "c", "d", "e"]), st.sampled_from([S, P, N, X])),
    demoted=st.sampled_from([None, "Location: elsewhere"]),
    unknown=st.sampled_from([(), ("parking",)]),
    shared=st.booleans(),
)
def test_reasons_are_short_and_give_no_quote_twice(
    labels: dict[str, Label], demoted: str | None, unknown: tuple[str, ...], shared: bool
) -> None:
    wishes = graph(*TEXTS, "a", "b", "c", "d", "e")
    found = item(labels, demoted=demoted, unknown=unknown)
    if shared:
        one = {
            at: {n: r.model_copy(update={"quotes": ("Rather cosy.",) if r.quotes else ()}) for n, r in here.items()}
            for at, here in found.judged.items()
        }
        found = found.model_copy(update={"judged": one})
    said = reasons(found, wishes)
    assert 1 <= len(said) <= 4
    quotes = re.findall("“(.*?)”", " ".join(said))
    assert len(quotes) == len(set(quotes)) <= 5
    assert {source.quote for source in quoted_sources(found, wishes)} <= set(quotes)
    assert all(sum(f'"{name}"' in sentence for sentence in said) <= 1 for name in wishes.order)


def test_every_node_has_a_mark_from_its_own_record_first() -> None:
    wishes = graph("quiet", "cosy", "cheap", "ramen", edges=("quiet>cosy",))
    found = item({"cosy": P, "cheap": X, "ramen": N}, through={"cosy": {"quiet": S}})
    assert marks(found, wishes) == {"quiet": "supports", "cosy": "partly", "cheap": "contradicts", "ramen": "silent"}
    found = item({"cosy": P, "quiet": X}, through={"cosy": {"quiet": S}})
    assert marks(found, wishes)["quiet"] == "contradicts"


def test_what_nobody_is_to_suffer_is_named_in_these_words() -> None:
    def told(words: str, strength: str) -> str:
        (node,) = graph(words, avoid=(words,)).nodes
        return wish_of(node.model_copy(update={"strength": strength}))

    assert told("dies", "nobody") == "nobody dies"
    assert told("animal dies", "no") == "no animal dies"
    assert told("killed", "without anyone being") == "without anyone being killed"
    assert told("死", "没有人") == "没有人死"
    assert told("death", "no") == "not death"


def test_what_is_like_a_named_item_is_told_as_a_person_would() -> None:
    wishes = graph("similar to Slow Ferry: Ada North; comedy", "similar to Slow Ferry: sea")
    said = " ".join(reasons(item({name: P for name in wishes.order}), wishes))
    assert said.startswith('Only partly "like Slow Ferry (Ada North and comedy)"')
    assert '"like Slow Ferry (sea)"' in said
    assert "similar to" not in said.partition("(“")[0]

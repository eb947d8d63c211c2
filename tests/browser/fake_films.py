"""What the scripted conversations know: seven invented films, the wishes of a story, and a comparison of two."""

from typing import Any

from dialogue.models import ItemRef

COMPARED = """| | The Lantern Road | Salt and Feather |
| --- | --- | --- |
| banter | supports: “They court by quarrelling.” | supports: “Every second line is a dig.” |
| romance | supports: “The two of them fall in love.” | partly: “A love story is there.” |
| fantasy | supports (as above) | not known |
| Length | 104 minutes | 117 minutes |
| Country | Iceland | Iceland |

Counted wish by wish, The Lantern Road fits more."""

NODES: tuple[tuple[str, str, str, str, bool], ...] = (
    ("genre", "fantasy", "want", "The film is a fantasy.", False),
    ("relationship", "romance as a subplot", "want", "Within a fantasy, romance runs beside the main story.", False),
    ("dialogue", "banter", "want", "The romance is shown through banter.", False),
    ("content", "mostly sex", "avoid", "The romance is not told mostly through sex.", False),
    ("tone", "too bleak", "avoid", "The fantasy is not too bleak.", False),
    ("length", "under two hours", "want", "The film is under two hours long.", True),
    ("content", "an animal dies", "avoid", "No animal dies in the film.", True),
)
EDGES = ((0, 1, "with"), (1, 2, "shown through"), (1, 3, "not"), (0, 4, "nothing"), (0, 5, "it must be"))

_S, _P, _N, _C = "SUPPORT", "PARTIAL", "NOT_ADDRESSED", "CONTRADICTS"
FILMS: tuple[tuple[str, int, dict[str, Any], dict[int, tuple[str, str]], str | None], ...] = (
    (
        "The Lantern Road",
        2011,
        {"director": ["Ilse Varga"], "length_minutes": 104, "genres": ["fantasy", "comedy"], "suitable_from_age": 10},
        {
            0: (_S, "Talking weather, a river that grants bad wishes and a toll keeper made of paper."),
            1: (_S, "The two of them fall in love at the edge of the story, between errands."),
            2: (_S, "They court by quarrelling over maps, prices and who snores."),
            3: (_S, "One kiss, and the camera looks politely at the rain."),
            4: (_P, "The middle stretch is sadder than the posters promise."),
            5: (_S, "length: 104 minutes"),
        },
        None,
    ),
    (
        "Salt and Feather",
        2004,
        {"director": ["Tomas Quill"], "length_minutes": 117, "genres": ["fantasy", "adventure"], "violence": "mild"},
        {
            0: (_S, "Sea witches, a city on stilts and a very tired dragon."),
            1: (_P, "A love story is there, and sometimes it takes the wheel."),
            2: (_S, "Every second line is a dig, and every dig is a compliment."),
            4: (_S, "It stays buoyant even when the city sinks."),
            5: (_S, "length: 117 minutes"),
        },
        None,
    ),
    (
        "Nine Winters",
        2019,
        {"director": ["Oda Brandt"], "length_minutes": 98, "genres": ["fantasy", "drama"], "suitable_from_age": 15},
        {
            0: (_S, "A valley where winter is counted and paid for."),
            1: (_S, "Their affection is a thread, never the cloth."),
            3: (_P, "One long bedroom scene, otherwise glances."),
            4: (_C, "Bleak from the first frost to the last."),
            6: (_C, "The old dog does not survive the second winter."),
        },
        "an animal dies: “The old dog does not survive the second winter.”",
    ),
    (
        "The Borrowed Crown",
        1998,
        {"director": ["Ilse Varga"], "length_minutes": 111, "genres": ["fantasy"]},
        {
            0: (_S, "A princess rents out her crown and regrets it."),
            2: (_S, "The lawyers flirt in footnotes and insults."),
            5: (_S, "length: 111 minutes"),
        },
        None,
    ),
    (
        "Moth Season",
        2016,
        {"director": ["Anouk Reyes"], "length_minutes": 92, "genres": ["fantasy", "mystery"]},
        {0: (_S, "Moths carry messages between the living and the late."), 4: (_S, "Melancholy, and kind with it.")},
        None,
    ),
    ("Ashes of June", 2008, {"length_minutes": 129}, {0: (_P, "Magic is talked of more than seen.")}, None),
    ("A Kettle for the Giant", 2013, {"length_minutes": 88}, {0: (_S, "A giant, a kettle and a grudge.")}, None),
)


def film(title: str) -> ItemRef:
    """The film of that title; StopIteration for one that nobody has invented."""
    index = next(position for position, film in enumerate(FILMS) if film[0] == title)
    return ItemRef(id=f"film-{index}", title=title, year=FILMS[index][1])


def story_graph(narrative: str, *, more: bool, hostile: str) -> tuple[dict[str, Any], list[str]]:
    """The graph of the wishes in the form of the commands, and the ids of its nodes; with one wish `more` later on."""
    rows = [*NODES, ("tone", "lighter", "want", "The fantasy has a light tone.", False)] if more else list(NODES)
    nodes = []
    for index, (perspective, text, polarity, feature, hard) in enumerate(rows):
        start = max(narrative.find(text), 0)
        nodes.append(
            {
                "id": f"n{index}",
                "atom": f"a{index}",
                "perspective": perspective,
                "instantiation": text + hostile,
                "polarity": polarity,
                "feature": feature,
                "hard": hard,
                "span": [start, start + len(text) if narrative[start:].startswith(text) else start],
            }
        )
    edges = [*EDGES, (0, 7, "lighter")] if more else list(EDGES)
    graph = {
        "narrative": narrative,
        "language": "en",
        "nodes": nodes,
        "edges": [{"base": f"n{u}", "qualifier": f"n{v}", "span": span} for u, v, span in edges],
        "order": [node["id"] for node in nodes],
    }
    return graph, [node["id"] for node in nodes]


def films_for(graph: dict[str, Any], hostile: str) -> list[dict[str, Any]]:
    """All films as items in the form of the commands, best first."""
    return [
        {
            "rank": index + 1,
            "id": f"film-{index}",
            "title": title + hostile,
            "year": year,
            "score": 1.0 / (index + 1),
            "demoted": demoted,
            "unknown": [],
            "metadata": metadata,
            "paths": [],
            "evidence": [
                {
                    "node": f"n{node}",
                    "text": quote,
                    "quote": quote + hostile,
                    "label": label,
                    "sources": [{"id": f"film-{index}#{node}", "url": "javascript:globalThis.pwned=1"}],
                }
                for node, (label, quote) in found.items()
            ],
        }
        for index, (title, year, metadata, found, demoted) in enumerate(FILMS)
    ]

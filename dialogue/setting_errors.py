"""What is wrong with a setting, in words, for the commands and for a page that cannot start."""

import difflib
import os
import re

from dotenv import dotenv_values
from pydantic import ValidationError

from pdgf.settings import Settings

SETTING_MUST = {
    "float_parsing": "must be a number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "finite_number": "must be a number that is not infinite",
    "bool_parsing": "must be true or false",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "literal_error": "must be {expected}",
    "extra_forbidden": "is not known",
    "dict_type": "is not in the form it needs: .env.example shows that",
    "model_type": "is not in the form it needs: .env.example shows that",
}  # by the type of pydantic's error


def setting_error(error: ValueError) -> str:
    """One line for a setting that does not fit, without its value, which may be a secret."""
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False, include_url=False)[0]
        field, *within = (str(part) for part in first["loc"])
        place = f"{_variable(field)} ({', '.join(within)})" if within else _variable(field)
        if first["type"] == "value_error":
            return f"{place}: {first['ctx']['error']}"
        known = SETTING_MUST.get(first["type"])
        return f"{place} {known.format(**first.get('ctx', {}))}" if known else f"{place}: {first['msg']}"
    unread = re.search(r'value for field "(\w+)"', str(error))
    return f"{_variable(unread[1])} is not in the form it needs: .env.example shows that" if unread else str(error)


NEAR = 0.85  # how like a setting's name another has to be to be taken for it, of 1


def misspelled() -> dict[str, str]:
    """The variables of the environment and of `.env` that are no setting but nearly are one, each with the setting that
    is probably meant: nothing reads them."""
    known = {_variable(field) for field in Settings.model_fields}
    set_here = {*os.environ, *dotenv_values(".env")}
    unknown = sorted(name for name in set_here - known if name.upper() not in known)
    near = {name: difflib.get_close_matches(name.upper(), known, n=1, cutoff=NEAR) for name in unknown}
    return {name: meant[0] for name, meant in near.items() if meant}


def _variable(field: str) -> str:
    """What the environment calls a field of the settings; some have a name of their own that others know too."""
    row = Settings.model_fields.get(field)
    own = row.validation_alias if row is not None else None
    known = own if isinstance(own, str) else field.upper()
    named = any(known == other.validation_alias for other in Settings.model_fields.values())
    return known if named else f"PDGF_{known}"

"""Arguments that are single numbers, names or paths: TypeError or ValueError says which one, and what was expected."""

import difflib
import functools
import inspect
import math
import numbers
import operator
import os
import re
from collections.abc import Callable
from typing import Any, Optional, ParamSpec, TypeVar, Union, get_args

Path = Union[str, "os.PathLike[str]"]
Size = Union[int, str]
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def integer(name: str, value: Any, least: Optional[int] = None) -> int:
    """An int of a whole number, numpy's too. TypeError: no integer; ValueError: below `least`."""
    try:
        if isinstance(value, bool):
            raise TypeError
        whole = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r}, expected an integer") from None
    if least is not None and whole < least:
        raise ValueError(f"{name}: {whole}, expected an integer from {least} on")
    return whole


def number(name: str, value: Any) -> float:
    """A float of a real number, numpy's too. TypeError: no number; ValueError: beyond the doubles."""
    real = isinstance(value, numbers.Real) or getattr(getattr(value, "dtype", None), "kind", "-") in "iuf"
    if isinstance(value, bool) or not real or getattr(value, "shape", ()) != ():
        raise TypeError(f"{name}: {_short(value)}, expected a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name}: {_short(value)}, expected a number that a double holds") from None


def choice(name: str, value: Any, names: Any) -> str:
    """One of the names of a Literal, as text. TypeError: no text; ValueError: another."""
    known = get_args(names)
    if not isinstance(value, bool) and value in known:
        return str(value)
    if isinstance(value, float) and value == math.inf and "inf" in known:
        return "inf"
    texts = list(dict.fromkeys(str(one) for one in known))
    expected = f"{name}: expected {', '.join(texts[:-1])} or {texts[-1]}, got {_short(value)}"
    if not isinstance(value, (str, numbers.Real)):
        raise TypeError(expected)
    near = difflib.get_close_matches(str(value), texts, 1)
    raise ValueError(expected + (f"; did you mean {near[0]!r}?" if near else ""))


def path(name: str, value: Any) -> bytes:
    """The bytes of a path. TypeError: none."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"{name}: {_short(value)}, expected a path")
    return os.fsencode(value)


def size(name: str, value: Any) -> int:
    """Bytes: an integer, or text such as "800M" or "2G"."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str):
        return integer(name, value, 0)
    parts = re.fullmatch(r"([0-9]+)(?:([kmgtKMGT])(?:iB)?)?", value)
    if parts is None or int(parts[1]) == 0:
        raise ValueError(f"{name}: {value!r}, expected a size such as \"800M\" or \"2G\", or bytes")
    return int(parts[1]) << (10 * " KMGT".index(parts[2].upper()) if parts[2] else 0)


def _short(value: Any) -> str:
    """What stands for a value in a message: a number or text itself, of other things what they are."""
    text = repr(value)
    shape = getattr(value, "shape", None)
    if shape:
        return f"an array of shape {tuple(shape)}"
    return text if len(text) <= 80 and "\n" not in text else f"of type {type(value).__name__}"


def named(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """The function; a call that does not fit its signature is a TypeError that says what was expected."""
    signature = inspect.signature(function)
    names = [name for name in signature.parameters if name != "self"]

    @functools.wraps(function)
    def called(*arguments: _Arguments.args, **keywords: _Arguments.kwargs) -> _Result:
        for name in keywords:
            if name not in names:
                near = difflib.get_close_matches(name, names, 1)
                expected = repr(near[0]) if near else f"one of {', '.join(names)}"
                raise TypeError(f"{function.__name__}: unknown argument {name!r}, expected {expected}")
        try:
            signature.bind(*arguments, **keywords)
        except TypeError as reason:
            first = ", ".join(name for name in names
                              if signature.parameters[name].kind is not inspect.Parameter.KEYWORD_ONLY
                              or signature.parameters[name].default is inspect.Parameter.empty)
            raise TypeError(f"{function.__name__}: {reason}, expected ({first}) and options by name") from None
        return function(*arguments, **keywords)

    return called

"""The C library through ctypes: loading it, the functions' types, and its errors as exceptions."""

import ctypes
import os
from collections.abc import Callable, Container
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .results import Certificate

SONAME = "libattcert.so.0"

OK, NEGATIVE, INPUT, RESOURCE, UNDECIDED, FAULT, CANCELLED = range(7)

_doubles = POINTER(c_double)
_sizes = POINTER(c_size_t)

Progress = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_double)
Product = ctypes.CFUNCTYPE(c_int, c_void_p, _doubles, _doubles, c_size_t, c_bool)

# name (without attcert_): result, arguments
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "version": (c_char_p, []),
    "thread_end": (None, []),
    "error_new": (c_void_p, []),
    "error_free": (None, [c_void_p]),
    "error_message": (c_char_p, [c_void_p]),
    "options_new": (c_void_p, []),
    "options_free": (None, [c_void_p]),
    "options_set_number": (c_int, [c_void_p, c_char_p, c_double, c_void_p]),
    "options_set_text": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "options_set_progress": (None, [c_void_p, Progress, c_void_p]),
    "operator_norm": (c_int, [_doubles, _doubles, c_size_t, c_size_t, Product, c_void_p, c_double, c_void_p, c_void_p]),
    "model_open": (c_int, [POINTER(c_void_p), c_char_p, c_uint64, c_void_p]),
    "model_close": (None, [c_void_p]),
    "model_size": (c_int, [c_void_p, c_char_p]),
    "model_read_text": (c_int, [POINTER(c_int), c_size_t, c_void_p, c_char_p, c_char_p, c_size_t, c_void_p]),
    "tokens_read": (c_int, [POINTER(c_void_p), c_void_p, c_char_p, c_char_p, c_size_t, c_size_t, c_bool, c_void_p]),
    "tokens_new": (c_int, [POINTER(c_void_p), c_void_p, c_char_p, POINTER(c_int), c_size_t, c_void_p]),
    "tokens_free": (None, [c_void_p]),
    "tokens_count": (c_size_t, [c_void_p]),
    "tokens_ids": (POINTER(c_int), [c_void_p]),
    "tokens_text": (c_char_p, [c_void_p, c_size_t]),
    "tokens_special": (c_bool, [c_void_p]),
    "model_hidden_states": (c_int, [_doubles, c_void_p, POINTER(c_int), c_size_t, c_void_p]),
    "model_layer_input": (c_int, [_doubles, c_void_p, c_size_t, _doubles, c_size_t, c_void_p]),
    "model_function_input": (c_int, [_doubles, c_void_p, c_char_p, c_size_t, _doubles, c_size_t, c_void_p]),
    "model_function_value": (c_int, [_doubles, c_void_p, c_char_p, c_size_t, _doubles, c_size_t, c_void_p]),
    "model_certify": (c_int, [POINTER(c_void_p), c_void_p, c_char_p, c_size_t, _doubles, c_size_t, c_void_p, c_void_p]),
    "problem_new": (c_void_p, []),
    "problem_free": (None, [c_void_p]),
    "problem_set_array": (c_int, [c_void_p, c_char_p, _doubles, c_size_t, c_size_t, c_void_p]),
    "problem_set_heads": (c_int, [c_void_p, c_size_t, c_void_p]),
    "problem_set_mask": (c_int, [c_void_p, c_char_p, c_void_p]),
    "problem_set_by": (c_int, [c_void_p, c_char_p, c_void_p]),
    "problem_set_head": (c_int, [c_void_p, c_int, c_void_p]),
    "problem_load_layer": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "problem_load_weights": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p]),
    "problem_set_tokens": (c_int, [c_void_p, c_void_p, c_void_p]),
    "problem_size": (c_int, [c_void_p, c_char_p]),
    "problem_forward": (c_int, [_doubles, c_void_p, c_void_p]),
    "problem_jvp": (c_int, [_doubles, c_void_p, _doubles, c_void_p]),
    "problem_vjp": (c_int, [_doubles, c_void_p, _doubles, c_void_p]),
    "problem_jacobian": (c_int, [_doubles, c_void_p, c_void_p]),
    "problem_certify": (c_int, [POINTER(c_void_p), c_void_p, c_void_p, c_void_p]),
    "problem_bounds": (c_int, [POINTER(c_void_p), c_void_p, c_double, c_void_p, c_void_p]),
    "problem_check": (c_int, [POINTER(c_void_p), c_void_p, c_char_p, c_double, _doubles, c_size_t, c_size_t, c_void_p,
                              c_void_p]),
    "problem_check_dtype": (c_int, [POINTER(c_void_p), c_void_p, c_char_p, c_char_p, _doubles, c_size_t, c_size_t,
                                    c_void_p, c_void_p]),
    "problem_ball": (c_int, [POINTER(c_void_p), c_void_p, c_double, c_char_p, c_char_p, c_void_p, c_void_p]),
    "result_free": (None, [c_void_p]),
    "result_lower": (c_double, [c_void_p]),
    "result_upper": (c_double, [c_void_p]),
    "result_relative_width": (c_double, [c_void_p]),
    "result_estimate": (c_double, [c_void_p]),
    "result_vector": (_doubles, [c_void_p, _sizes, _sizes]),
    "result_tolerance_met": (c_bool, [c_void_p]),
    "result_incomplete": (c_char_p, [c_void_p]),
    "result_engine": (c_char_p, [c_void_p]),
    "result_failure_log2": (c_double, [c_void_p]),
    "result_plan": (c_char_p, [c_void_p]),
    "result_precision": (c_int, [c_void_p]),
    "result_json": (c_char_p, [c_void_p]),
    "result_text": (c_char_p, [c_void_p]),
    "result_bound_count": (c_size_t, [c_void_p]),
    "result_bound_id": (c_char_p, [c_void_p, c_size_t]),
    "result_bound_title": (c_char_p, [c_void_p, c_size_t]),
    "result_bound_applies": (c_char_p, [c_void_p, c_size_t]),
    "result_bound_value": (c_double, [c_void_p, c_size_t]),
    "result_bound_is_lower": (c_bool, [c_void_p, c_size_t]),
    "result_verdict": (c_char_p, [c_void_p]),
    "result_consistent": (c_bool, [c_void_p]),
    "result_gap": (c_double, [c_void_p]),
    "result_slack": (c_double, [c_void_p]),
    "result_within_rounding_of": (c_char_p, [c_void_p]),
    "result_direction_lower": (c_double, [c_void_p]),
    "result_direction_upper": (c_double, [c_void_p]),
    "result_ball_lower": (c_double, [c_void_p]),
    "result_ball_upper": (c_double, [c_void_p]),
    "result_ball_missing": (c_char_p, [c_void_p]),
    "result_ball_theorem": (c_char_p, [c_void_p]),
    "result_ball_input": (_doubles, [c_void_p, _sizes, _sizes]),
    "robustness_new_of": (c_int, [POINTER(c_void_p), c_void_p, _doubles, c_size_t, c_size_t, c_char_p, c_int,
                                  c_void_p]),
    "robustness_free": (None, [c_void_p]),
    "robustness_set_number": (c_int, [c_void_p, c_char_p, c_double, c_void_p]),
    "robustness_set_text": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "robustness_set_tokens": (c_int, [c_void_p, c_void_p, c_void_p]),
    "robustness_set_pairs": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p]),
    "robustness_set_mask": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
    "robustness_set_box": (c_int, [c_void_p, _doubles, _doubles, c_size_t, c_size_t, c_void_p]),
    "robustness_set_choices": (c_int, [c_void_p, c_size_t, _doubles, c_size_t, c_size_t, c_void_p]),
    "robustness_decide": (c_int, [c_void_p, c_void_p, c_void_p]),
    "robustness_number": (c_double, [c_void_p, c_char_p]),
    "robustness_counterexample": (_doubles, [c_void_p, _sizes, _sizes]),
    "robustness_json": (c_char_p, [c_void_p]),
    "robustness_text": (c_char_p, [c_void_p]),
    "prediction_new": (c_int, [POINTER(c_void_p), c_void_p, _doubles, c_size_t, c_size_t, c_char_p, c_int, c_void_p]),
    "prediction_free": (None, [c_void_p]),
    "prediction_set_tokens": (c_int, [c_void_p, c_void_p, c_void_p]),
    "prediction_set_pairs": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p]),
    "prediction_decide": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p]),
    "prediction_json": (c_char_p, [c_void_p]),
    "prediction_text": (c_char_p, [c_void_p]),
}


class AttcertError(RuntimeError):
    """What went wrong beyond bad input (ValueError) and memory (MemoryError)."""


class FaultError(AttcertError):
    """The machine or a library was found to compute wrongly: there is no result."""


class ResourceError(MemoryError):
    """Memory, disk or time did not reach. `certificate` holds the best valid enclosure so far, or None."""

    def __init__(self, message: str, certificate: "Optional[Certificate]" = None):
        super().__init__(message)
        self.certificate = certificate


def beside(name: str) -> Optional[Path]:
    """A file that was built with this module: beside it in a wheel, in the build folder of a source tree; or None."""
    here = Path(__file__).resolve()
    for found in (here.parent / "lib" / name, here.parents[3] / os.environ.get("BUILD", "build") / name):
        if found.exists():
            return found
    return None


def _candidates() -> list[str]:
    """ATTCERT_LIBRARY; what was built with this module; where the loader finds it."""
    named = os.environ.get("ATTCERT_LIBRARY")
    if named:
        return [named]
    built = beside(SONAME)
    return [SONAME] if built is None else [str(built), SONAME]


def _load() -> ctypes.CDLL:
    reasons = []
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as reason:
            reasons.append(str(reason))
            continue
        for function, (result, arguments) in _FUNCTIONS.items():
            entry = getattr(library, "attcert_" + function)
            entry.restype, entry.argtypes = result, arguments
        return library
    raise ImportError(f"no {SONAME} ({'; '.join(reasons)}): install attcert, or set ATTCERT_LIBRARY to its path")


_library = _load()


def call(name: str, *arguments: Any) -> Any:
    """A function that returns no status."""
    return getattr(_library, "attcert_" + name)(*arguments)


class Handle:
    """An object of the library, freed with this one."""

    def __init__(self, kind: str, pointer: Optional[int], free: str):
        if not pointer:
            raise MemoryError(f"attcert: no memory for {kind}")
        self.pointer: Optional[int] = pointer
        self._free = free
        self.borrowed: Any = None  # what must live as long

    @property
    def _as_parameter_(self) -> c_void_p:
        return c_void_p(self.pointer)

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            call(self._free, self.pointer)
            self.pointer = None


def exception_of(status: int, text: str) -> Exception:
    """The exception of a status other than OK, NEGATIVE and UNDECIDED; options of the command line are arguments."""
    text = text.removeprefix("--")
    if status == INPUT:
        return ValueError(text)
    if status == RESOURCE:
        return ResourceError(text)
    if status == FAULT:
        return FaultError(text)
    return AttcertError(text)


def checked(name: str, *arguments: Any, allowed: Container[int] = (OK,),
            invoke: Callable[..., Any] = call) -> int:
    """A function that returns a status and takes an error last; returns the status. invoke: what calls it."""
    error = Handle("an error", call("error_new"), "error_free")
    status: int = invoke(name, *arguments, error)
    if status not in allowed:
        raise exception_of(status, text_of("error_message", error) or "")
    return status


def created(name: str, free: str, *arguments: Any) -> Handle:
    """The handle that a function writes through its first argument."""
    pointer = c_void_p()
    checked(name, byref(pointer), *arguments)
    return Handle(name, pointer.value, free)


def text_of(name: str, *arguments: Any) -> Optional[str]:
    """The text that a function returns, or None."""
    text: Optional[bytes] = call(name, *arguments)
    return None if text is None else text.decode()


def version() -> str:
    """The version of the C library."""
    return text_of("version") or ""

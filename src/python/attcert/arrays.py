"""Arrays of others (numpy, torch, __array__, __dlpack__) as the float64 arrays that the library reads."""

import ctypes
from collections.abc import Sequence
from typing import Any, Optional, Protocol, Union

import numpy
from numpy.typing import NDArray

from .library import Handle, call

Doubles = NDArray[numpy.float64]


class HasArray(Protocol):
    """Such as torch.Tensor."""

    def __array__(self, *arguments: Any, **keywords: Any) -> Any:
        ...


class HasDlpack(Protocol):
    """The same by another protocol."""

    def __dlpack__(self, *arguments: Any, **keywords: Any) -> Any:
        ...


Array = Union[NDArray[Any], HasArray, HasDlpack, Sequence[float], Sequence[Sequence[float]],
              Sequence[Sequence[Sequence[float]]]]

_EXACT = ("float64", "float32", "float16")

# Classes of arrays, and those derived from them that hold no more than the numbers.
_PLAIN = {"numpy.ndarray": ("numpy.ndarray", "numpy.memmap", "numpy.matrix"),
          "torch.Tensor": ("torch.Tensor", "torch.nn.parameter.Parameter", "torch.nn.parameter.Buffer")}


def as_double(name: str, values: Any, columns_may_be_missing: bool = False) -> Doubles:
    """A C-contiguous float64 array (rows, columns) that holds the values exactly.

    Accepted: float64, float32, float16 and bfloat16, whose numbers are all doubles; shape (rows, columns), or
    (1, rows, columns) as a batch of one. `columns_may_be_missing`: a vector (rows,) too, as one column.

    ValueError: another dtype or shape; what holds more than numbers: a masked array, a sparse or quantized tensor."""
    array = as_numpy(name, values)
    if array.dtype.name not in _EXACT:
        raise ValueError(f"{name}: dtype {array.dtype}, expected float64, float32, float16 or bfloat16")
    if columns_may_be_missing and array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim == 3 and array.shape[0] == 1:
        array = array[0]
    if array.ndim != 2:
        expected = "(rows,)" if columns_may_be_missing else "(rows, columns) or (1, rows, columns)"
        raise ValueError(f"{name}: shape {array.shape}, expected {expected}")
    return numpy.ascontiguousarray(array, dtype=numpy.float64)


def as_numpy(name: str, values: Any) -> NDArray[Any]:
    """The array of numpy, of the dtype that it has."""
    if isinstance(values, (list, tuple)):
        for row in values:
            _refuse_more_than_numbers(name, row)
        try:
            return numpy.asarray(values)
        except ValueError:
            raise ValueError(f"{name}: rows of different lengths, expected an array") from None
    _refuse_more_than_numbers(name, values)
    if hasattr(values, "detach"):  # a torch tensor: away from the graph, and from an accelerator
        values = _off_device(name, values)
    if hasattr(values, "__array__"):
        array = values if isinstance(values, numpy.ndarray) else values.__array__()
        _refuse_more_than_numbers(name, array)
        return numpy.asarray(array)
    if hasattr(values, "__dlpack__"):
        return numpy.from_dlpack(values)
    said = repr(values) if isinstance(values, (str, bool, int, float, type(None))) else type(values).__name__
    raise ValueError(f"{name}: {said}, expected an array: numpy's, or with __array__ or __dlpack__")


def as_booleans(name: str, values: Any, expected: str) -> NDArray[numpy.bool_]:
    """A C-contiguous array of booleans. ValueError: another dtype; expected: what they mean."""
    array = as_numpy(name, values)
    if array.dtype != bool:
        raise ValueError(f"{name}: dtype {array.dtype}, expected booleans, {expected}")
    return numpy.ascontiguousarray(array)


def _refuse_more_than_numbers(name: str, values: Any) -> None:
    """ValueError: a kind of array that holds more than its numbers (a mask, a unit, a scale), which would be lost."""
    names = [f"{base.__module__}.{base.__qualname__}" for base in type(values).__mro__]
    for base in _PLAIN:
        if base in names and names[0] not in _PLAIN[base]:
            raise ValueError(f"{name}: {names[0]}, whose numbers are not all that it holds, expected {base}")


def _off_device(name: str, values: Any) -> Any:
    layout = str(getattr(values, "layout", "torch.strided"))
    if layout != "torch.strided" or getattr(values, "is_quantized", False):
        kind = "quantized" if layout == "torch.strided" else layout
        raise ValueError(f"{name}: a {kind} tensor, expected a dense one")
    try:
        values = values.detach().cpu()
        if str(values.dtype) == "torch.bfloat16":
            values = values.float()
        return values.resolve_neg().numpy() if hasattr(values, "resolve_neg") else values
    except (NotImplementedError, RuntimeError, TypeError) as reason:  # no data, or a type that numpy does not have
        text = str(reason).splitlines()[0]
        raise ValueError(f"{name}: a tensor of {values.dtype} on {values.device}, expected numbers ({text})") from None


def pointer(array: Optional[Doubles]) -> Any:
    """The double* of an array of as_double; None for None."""
    return None if array is None else array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def copied(name: str, handle: Handle) -> Optional[Doubles]:
    """The array that a function of the library returns with its sides, copied; None for none."""
    rows, columns = ctypes.c_size_t(), ctypes.c_size_t()
    data = call(name, handle, ctypes.byref(rows), ctypes.byref(columns))
    if not data:
        return None
    return numpy.ctypeslib.as_array(data, (rows.value, columns.value)).copy()

"""Arrays of others (numpy, torch, __array__, __dlpack__) as the float64 arrays that the library reads."""

import ctypes

import numpy

from .library import call

_EXACT = ("float64", "float32", "float16")


def as_double(name, values, columns_may_be_missing=False):
    """A C-contiguous float64 array (rows, columns) that holds the values exactly.

    Accepted: float64, float32, float16 and bfloat16, whose numbers are all doubles; shape (rows, columns), or
    (1, rows, columns) as a batch of one. `columns_may_be_missing`: a vector (rows,) too, as one column.

    ValueError: another dtype or shape."""
    array = _as_numpy(name, values)
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


def _as_numpy(name, values):
    if hasattr(values, "detach"):  # a torch tensor: away from the graph, and from an accelerator
        values = values.detach().cpu()
        if str(values.dtype) == "torch.bfloat16":
            values = values.float()
    if hasattr(values, "__array__") or isinstance(values, (list, tuple)):
        return numpy.asarray(values)
    if hasattr(values, "__dlpack__"):
        return numpy.from_dlpack(values)
    raise ValueError(f"{name}: {type(values).__name__}, expected an array: __array__ or __dlpack__")


def pointer(array):
    """The double* of an array of as_double; None for None."""
    return None if array is None else array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def copied(name, handle):
    """The array that a function of the library returns with its sides, copied; None for none."""
    rows, columns = ctypes.c_size_t(), ctypes.c_size_t()
    data = call(name, handle, ctypes.byref(rows), ctypes.byref(columns))
    if not data:
        return None
    return numpy.ctypeslib.as_array(data, (rows.value, columns.value)).copy()

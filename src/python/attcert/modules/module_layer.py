"""The layer of a module, which is compared with the module before anything is certified."""

import sys
from typing import Any

import numpy

from ..arrays import as_double
from ..layers import Layer, layer
from .comparison import compared, size_and_rounding
from .family import first_output


class ModuleLayer(Layer):
    """A Layer whose certificates first compare the module's output with the layer's at the input."""

    def __init__(self, module: Any, family: Any, arrays: Any, mask: Any, head: Any, is_assumed: bool,
                 notes: Any) -> None:
        whole = layer(**arrays, mask=mask)
        super().__init__({}, arrays["heads"], mask, head)
        self._arrays = whole._arrays
        self._whole, self._module, self._family = whole, module, family
        self._is_assumed, self._notes = is_assumed, notes
        self._sequence_first = getattr(module, "batch_first", True) is False

    def _tokens(self, name: str, values: Any) -> Any:
        shape = tuple(getattr(values, "shape", ()))
        if self._sequence_first and len(shape) == 3:
            if shape[1] != 1:
                raise ValueError(f"{name}: shape {shape}, with batch_first=False {shape[1]} sequences of {shape[0]} "
                                 "tokens, expected (n, d) or (n, 1, d)")
            values = values[:, 0]
        return as_double(name, values)

    def _asked(self, x: Any, tokens: Any = None, context: Any = None, by: Any = None) -> Any:
        if context is not None and self._family.cross is None:
            raise ValueError(f"context: {type(self._module).__name__} is taken as self-attention alone, expected none")
        if context is None:
            self._refuse_other_columns()
        problem, note = self._problem(x, tokens, context, by)
        notes = [note, *self._notes, self._compared(*problem.borrowed[:2])]
        return problem, "; ".join(text for text in notes if text) or None

    def _refuse_other_columns(self) -> None:
        """ValueError: keys are of other vectors than queries."""
        d, d_z = (self._arrays[f"{part}.weight"].shape[1] for part in ("query", "key"))
        if d != d_z:
            raise ValueError(f"{type(self._module).__name__}: kdim: {d_z}, expected embed_dim = {d}, or a context")

    def _compared(self, x: Any, context: Any) -> Any:
        """A note on the comparison. ValueError: the module computes something else."""
        layer: Any
        if context is None:
            layer, runs = self._whole, [self._family.run] + ([_plainly] if self._is_assumed else [])
        else:
            layer, runs = _Asking(self._whole, context), [_asking(self._family.cross, context)]

        def rounding(values: Any, expected: Any) -> Any:
            return size_and_rounding(self._whole, values, self._family.upcasts, context)

        return compared(layer, self._module, runs, x, rounding, self._is_assumed)


class _Asking:
    """A layer whose keys and values are of a context, as a function of its queries' input alone."""

    def __init__(self, layer: Any, context: Any) -> None:
        self._layer, self._context, self._mask = layer, context, "none"

    def forward(self, x: Any) -> Any:
        return self._layer.forward(x, self._context)


def _asking(cross: Any, context: Any) -> Any:
    """The same of a module."""
    return lambda module, x, mask: cross(module, x, sys.modules["torch"].from_numpy(numpy.array(context)))


def _plainly(module: Any, x: Any, mask: Any) -> Any:
    """Called with the input alone, for a class that is not known."""
    return first_output(module(x[None]))

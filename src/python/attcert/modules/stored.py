"""Attention that the library evaluates from a model's folder: heads that turn, share keys, are normed, capped ..."""

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

import numpy

from ..arrays import Array, Doubles, as_double
from ..layers import Layer
from ..models import Model
from ..results import Certificate
from ..run import Run
from ..tokens import Tokens
from .comparison import compared
from .folder import tensors_of, write
from .part import Part

# What float32 explains, relative to the output's largest entry: modules compute weights of attention and norms in it.
_EXPLAINED = 2.0**-14


@dataclass(frozen=True)
class Stored:
    """Classes whose parameters are those of a layer in a folder.

    part          what such a module consists of
    differences   differences(module): what on it says otherwise than its configuration, as texts
    place         place(module): what precedes the names of its parameters in the folder, and the layer's number
    settings      settings(module): config.json, which the library reads key by key
    run           as Family has it; mask, meaning, too"""

    part: Part
    differences: Callable[..., Any]
    place: Callable[..., Any]
    settings: Callable[..., Any]
    run: Callable[..., Any]
    mask: Callable[..., Any]
    meaning: str


class StoredLayer(Layer):
    """The attention of a module, of which certify and forward are known; it has the parameters of when it was made."""

    def __init__(self, module: Any, family: Any, mask: Any, notes: Any) -> None:
        super().__init__({}, mask=mask)
        self._module, self._family, self._notes = module, family, notes
        folder = tempfile.mkdtemp(prefix="attcert-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        path = os.path.join(folder, type(module).__name__)
        os.mkdir(path)
        prefix, self._index = family.place(module)
        write(path, family.settings(module), tensors_of(module, prefix))
        self._model = Model(path)

    def __repr__(self) -> str:
        return f"<attcert: layer of {type(self._module).__name__}>"

    def _problem(self, x: Any, tokens: Optional[Tokens] = None, context: Any = None, by: Any = None) -> Any:
        raise ValueError(f"{type(self._module).__name__}: its heads are not standard ones, of which certify and "
                         "forward alone are known")

    def _certify(self, run: Run, x: Any, tokens: Optional[Tokens], context: Any, by: Any) -> Certificate:
        if tokens is not None or context is not None or by is not None:
            self._problem(x)
        values = as_double("input", x)
        shape = tuple(getattr(x, "shape", ()))
        notes = [f"input {shape} taken as {values.shape}" if len(shape) == 3 else None, *self._notes,
                 compared(self, self._module, [self._family.run], values, _explained, False)]
        note = "; ".join(text for text in notes if text)
        return self._model._certify(run, self._index, values, "attention", note or None)

    def forward(self, x: Array, context: Optional[Array] = None) -> Doubles:
        """f(X), (n, d), in plain double: nothing is certified."""
        if context is not None:
            self._problem(x)
        return self._model.value(self._index, x, "attention")


def _explained(values: Any, expected: Any) -> Any:
    """The largest entry of the output, and what rounding explains of a difference."""
    size = float(numpy.max(numpy.abs(expected)))
    return size, _EXPLAINED * size

"""Attention that the library evaluates from a model's folder: heads that turn, share keys, are normed, capped ..."""

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass

import numpy

from ..arrays import as_double
from ..layers import Layer
from ..models import Model
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
    differences: Callable
    place: Callable
    settings: Callable
    run: Callable
    mask: Callable
    meaning: str


class StoredLayer(Layer):
    """The attention of a module, of which certify and forward are known; it has the parameters of when it was made."""

    def __init__(self, module, family, mask, notes):
        super().__init__({}, mask=mask)
        self._module, self._family, self._notes = module, family, notes
        folder = tempfile.mkdtemp(prefix="attcert-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        path = os.path.join(folder, type(module).__name__)
        os.mkdir(path)
        prefix, self._index = family.place(module)
        write(path, family.settings(module), tensors_of(module, prefix))
        self._model = Model(path)

    def _problem(self, x, tokens=None, context=None, by=None):
        raise ValueError(f"{type(self._module).__name__}: its heads are not standard ones, of which certify and "
                         "forward alone are known")

    def certify(self, x, tokens=None, **options):
        """See attcert.certify."""
        if tokens is not None:
            self._problem(x)
        values = as_double("input", x)
        shape = tuple(getattr(x, "shape", ()))
        notes = [f"input {shape} taken as {values.shape}" if len(shape) == 3 else None, *self._notes,
                 compared(self, self._module, [self._family.run], values, _explained, False)]
        note = "; ".join(text for text in notes if text)
        return self._model._certify(self._index, values, "attention", note or None, options)

    def forward(self, x) -> numpy.ndarray:
        """f(X), (n, d), in plain double: nothing is certified."""
        return self._model.value(self._index, x, "attention")


def _explained(values, expected):
    """The largest entry of the output, and what rounding explains of a difference."""
    size = float(numpy.max(numpy.abs(expected)))
    return size, _EXPLAINED * size

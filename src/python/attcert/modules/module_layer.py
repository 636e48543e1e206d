"""The layer of a module, which is compared with the module before anything is certified."""

from ..arrays import as_double
from ..layers import Layer, layer
from .comparison import compared, size_and_rounding
from .family import first_output


class ModuleLayer(Layer):
    """A Layer whose certificates first compare the module's output with the layer's at the input."""

    def __init__(self, module, family, arrays, mask, head, is_assumed, notes):
        whole = layer(**arrays, mask=mask)
        super().__init__({}, arrays["heads"], mask, head)
        self._arrays = whole._arrays
        self._whole, self._module, self._family = whole, module, family
        self._is_assumed, self._notes = is_assumed, notes
        self._sequence_first = getattr(module, "batch_first", True) is False

    def _tokens(self, name, values):
        shape = tuple(getattr(values, "shape", ()))
        if self._sequence_first and len(shape) == 3:
            if shape[1] != 1:
                raise ValueError(f"{name}: shape {shape}, with batch_first=False {shape[1]} sequences of {shape[0]} "
                                 "tokens, expected (n, d) or (n, 1, d)")
            values = values[:, 0]
        return as_double(name, values)

    def _asked(self, x, tokens=None):
        problem, note = self._problem(x, tokens)
        notes = [note, *self._notes, self._compared(problem.borrowed[0])]
        return problem, "; ".join(text for text in notes if text) or None

    def _compared(self, x):
        """A note on the comparison. ValueError: the module computes something else."""
        runs = [self._family.run] + ([_plainly] if self._is_assumed else [])

        def rounding(values, expected):
            return size_and_rounding(self._whole, values, self._family.upcasts)

        return compared(self._whole, self._module, runs, x, rounding, self._is_assumed)


def _plainly(module, x, mask):
    """Called with the input alone, for a class that is not known."""
    return first_output(module(x[None]))

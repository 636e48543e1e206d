"""What tests need of torch.nn where torch is not there: modules that hold parameters, and compute nothing."""

import numpy


class Parameter:
    """An array that is a parameter."""

    def __init__(self, values):
        self.values = numpy.asarray(values)
        self.shape, self.dtype = self.values.shape, self.values.dtype

    def __array__(self, *arguments):
        return self.values

    def __getitem__(self, index):
        return Parameter(self.values[index])

    def __float__(self):
        return float(self.values)

    def detach(self):
        return self

    def cpu(self):
        return self

    @property
    def T(self):
        return Parameter(self.values.T)


class Module:
    """Registers parameters, buffers and modules, as torch.nn.Module does."""

    def __init__(self):
        vars(self).update(_parameters={}, _buffers={}, _modules={}, training=True)

    def __setattr__(self, name, value):
        kinds = ((Parameter, self._parameters), (Module, self._modules))
        for kind, registered in kinds:
            if isinstance(value, kind) or name in registered:
                registered[name] = value
                return
        object.__setattr__(self, name, value)

    def __getattr__(self, name):
        for registered in ("_parameters", "_buffers", "_modules"):
            if name in vars(self)[registered]:
                return vars(self)[registered][name]
        raise AttributeError(f"{type(self).__name__} has no {name}")

    def register_buffer(self, name, values):
        self._buffers[name] = values

    def register_parameter(self, name, values):
        self._parameters[name] = values

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, child in self._modules.items():
            if child is not None:
                yield from child.named_modules(f"{prefix}.{name}" if prefix else name)

    def named_parameters(self):
        for path, module in self.named_modules():
            for name, value in module._parameters.items():
                if value is not None:
                    yield (f"{path}.{name}" if path else name), value

    def eval(self):
        for _, module in self.named_modules():
            module.training = False
        return self


class Linear(Module):
    def __init__(self, columns, rows, bias=True):
        super().__init__()
        self.in_features, self.out_features = columns, rows
        self.weight = Parameter(numpy.zeros((rows, columns)))
        self.register_parameter("bias", Parameter(numpy.zeros(rows)) if bias else None)


class Dropout(Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p, self.inplace = p, False


class LayerNorm(Module):
    def __init__(self, side):
        super().__init__()
        self.normalized_shape, self.eps, self.elementwise_affine = (side,), 1e-5, True
        self.weight, self.bias = Parameter(numpy.ones(side)), Parameter(numpy.zeros(side))


class Embedding(Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.num_embeddings, self.embedding_dim = rows, columns
        self.weight = Parameter(numpy.zeros((rows, columns)))


Parameter.__module__ = "torch.nn.parameter"
Linear.__module__ = "torch.nn.modules.linear"
Dropout.__module__ = "torch.nn.modules.dropout"
Embedding.__module__ = "torch.nn.modules.sparse"
LayerNorm.__module__ = "torch.nn.modules.normalization"


def from_numpy(values):
    return Parameter(values)

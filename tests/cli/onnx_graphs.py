"""Random transformers as ONNX files, and what numpy makes of them, operator by operator: an evaluation of its own.

usage: onnx_graphs.py ATTCERT FOLDER CASES SEED

Certifies the margin at an input of each network (attcert gradient), holds it against that evaluation and the slope
against finite differences, and prints a line for each that does not fit, then how many there were."""
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TOLERANCE = 1e-9


# ---- operators, as their documentation says ----

def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def conv(x, w, b, a):
    n, (out, channels, high, wide) = a["strides"][0], w.shape
    assert a["strides"] == [high, wide] and x.shape[0] == 1 and n == high
    down, right = x.shape[2] // high, x.shape[3] // wide
    y = np.zeros((1, out, down, right))
    for i in range(down):
        for j in range(right):
            patch = x[0, :, i * high:(i + 1) * high, j * wide:(j + 1) * wide]
            y[0, :, i, j] = np.tensordot(w, patch, axes=([1, 2, 3], [0, 1, 2])) + b
    return y


def batchnorm(x, w, b, mean, variance, a):
    side = [1, -1] + [1] * (x.ndim - 2)
    f = (w / np.sqrt(variance + a["epsilon"])).reshape(side)
    return f * (x - mean.reshape(side)) + b.reshape(side)


def layernorm(x, w, b, a):
    c = x - x.mean(axis=-1, keepdims=True)
    return c / np.sqrt((c ** 2).mean(axis=-1, keepdims=True) + a["epsilon"]) * w + b


def reshape(x, shape):
    return x.reshape([x.shape[k] if s == 0 else int(s) for k, s in enumerate(shape)])


OPERATORS = {
    "Add": lambda a, x, y: x + y, "Sub": lambda a, x, y: x - y, "Mul": lambda a, x, y: x * y,
    "Div": lambda a, x, y: x / y, "Pow": lambda a, x, y: x ** y, "Sqrt": lambda a, x: np.sqrt(x),
    "MatMul": lambda a, x, y: x @ y, "Relu": lambda a, x: np.maximum(x, 0.0), "Tanh": lambda a, x: np.tanh(x),
    "Sigmoid": lambda a, x: 1.0 / (1.0 + np.exp(-x)), "Softmax": lambda a, x: softmax(x, a["axis"]),
    "Gemm": lambda a, x, w, b: x @ (w.T if a.get("transB") else w) + b,
    "Transpose": lambda a, x: x.transpose(a["perm"]), "Reshape": lambda a, x, s: reshape(x, s),
    "Concat": lambda a, *x: np.concatenate(x, axis=a["axis"]), "Flatten": lambda a, x: x.reshape(x.shape[0], -1),
    "ReduceMean": lambda a, x: x.mean(axis=tuple(a["axes"]), keepdims=bool(a.get("keepdims", 1))),
    "Gather": lambda a, x, i: np.take(x, i.astype(int), axis=a["axis"]), "Identity": lambda a, x: x,
    "Slice": lambda a, x, first, last, axes: x[tuple(
        slice(int(first[list(axes).index(k)]), int(last[list(axes).index(k)])) if k in axes else slice(None)
        for k in range(x.ndim))],
    "Split": lambda a, x: np.split(x, a["parts"], axis=a["axis"]),
    "Conv": lambda a, x, w, b: conv(x, w, b, a), "BatchNormalization": lambda a, *x: batchnorm(*x, a),
    "LayerNormalization": lambda a, x, w, b: layernorm(x, w, b, a),
    "Unsqueeze": lambda a, x, axes: np.expand_dims(x, tuple(int(k) for k in axes)),
    "Squeeze": lambda a, x, axes: np.squeeze(x, tuple(int(k) for k in axes)),
    "Erf": lambda a, x: np.vectorize(math.erf)(x), "Where": lambda a, c, x, y: np.where(c != 0, x, y),
    "Expand": lambda a, x, s: np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(int(k) for k in s))),
    "Shape": lambda a, x: np.array(x.shape), "Constant": lambda a: numpy_helper.to_array(a["value"]).astype(float),
}


def evaluate(model, x):
    """The output for one input, in double."""
    values = {t.name: numpy_helper.to_array(t).astype(float) for t in model.graph.initializer}
    values[model.graph.input[0].name] = x
    for node in model.graph.node:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        if node.op_type == "Split":
            attributes["parts"] = len(node.output)
        result = OPERATORS[node.op_type](attributes, *(values[name] for name in node.input))
        for name, value in zip(node.output, result if node.op_type == "Split" else [result]):
            values[name] = value
    return values[model.graph.output[0].name].reshape(-1)


# ---- networks ----

class Graph:
    def __init__(self, rng, opset):
        self.rng, self.opset, self.nodes, self.stored = rng, opset, [], []

    def store(self, array, kind=np.float32):
        name = f"w{len(self.stored)}"
        self.stored.append(numpy_helper.from_array(np.asarray(array, dtype=kind), name))
        return name

    def numbers(self, *shape, size=1.0):
        return self.store(size * self.rng.standard_normal(shape))

    def add(self, operator, *inputs, outputs=1, **attributes):
        names = [f"v{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def axes(self, operator, x, *axes):
        if self.opset < 13:
            raise ValueError("axes are inputs from version 13 on")
        return self.add(operator, x, self.store(axes, np.int64))

    def either(self, operator, x, y):
        """The arguments of an operator that turns, in either order."""
        return self.add(operator, *((x, y) if self.rng.integers(2) else (y, x)))

    def mean(self, x):
        return self.add("ReduceMean", x, axes=[-1], keepdims=1)

    def norm(self, x, d):
        kind = self.rng.integers(4)
        w, b = self.numbers(d), self.numbers(d, size=0.3)
        if kind == 0 and self.opset >= 17:
            return self.add("LayerNormalization", x, w, b, axis=-1, epsilon=1e-5)
        if kind == 1:
            variance = self.store(0.2 + self.rng.random(d))
            turned = self.add("Transpose", x, perm=[0, 2, 1])
            y = self.add("BatchNormalization", turned, w, b, self.numbers(d), variance, epsilon=1e-5)
            return self.add("Transpose", y, perm=[0, 2, 1])
        centered = self.add("Sub", x, self.mean(x))
        if kind == 2:
            return self.either("Add", self.either("Mul", centered, w), b)
        squares = (self.add("Pow", centered, self.store(2.0)) if self.rng.integers(2)
                   else self.add("Mul", centered, centered))
        deviation = self.add("Sqrt", self.add("Add", self.mean(squares), self.store(1e-5)))
        return self.either("Add", self.either("Mul", self.add("Div", centered, deviation), w), b)

    def affine(self, x, d, out):
        y = self.add("MatMul", x, self.numbers(d, out, size=d ** -0.5))
        return self.either("Add", y, self.numbers(out, size=0.3)) if self.rng.integers(4) else y

    def heads(self, x, n, heads, k, order):
        return self.add("Transpose", self.add("Reshape", x, self.store([0, n, heads, k], np.int64)), perm=order)

    def attention(self, x, n, d, heads, k):
        if self.rng.integers(2):
            q, key, v = (self.affine(x, d, heads * k) for _ in range(3))
        else:
            q, key, v = self.add("Split", self.affine(x, d, 3 * heads * k), outputs=3, axis=2)
        q, v = (self.heads(t, n, heads, k, [0, 2, 1, 3]) for t in (q, v))
        key = self.heads(key, n, heads, k, [0, 2, 3, 1])
        how = self.rng.integers(3)
        if how == 0:
            q = self.add("Mul", q, self.store(np.float32(k ** -0.5)))
        scores = self.add("MatMul", q, key)
        if how == 1:
            scores = self.add("Div", scores, self.store(2.0))
        if how == 2:
            scores = self.either("Mul", scores, self.store(np.float32(k ** -0.5)))
        mixed = self.add("MatMul", self.add("Softmax", self.masked(scores, n, heads), axis=-1), v)
        rows = self.add("Reshape", self.add("Transpose", mixed, perm=[0, 2, 1, 3]),
                        self.store([1, n, heads * k], np.int64))
        return self.affine(rows, heads * k, d)

    def masked(self, scores, n, heads):
        """Biases, keys that take no part, or take part by a weight that float32 rounds to 0; each query keeps one key."""
        kind = self.rng.integers(6)
        if kind > 3:
            return scores
        sides = [(n, n), (1, 1, 1, n), (1, heads, n, n), (1, 1, n, n)][self.rng.integers(4)]
        open_keys = self.rng.integers(2, size=sides).astype(bool)
        open_keys[..., self.rng.integers(n)] = True
        if kind == 3:  # masked_fill
            where = [np.logical_not(open_keys), self.store(np.float32(-np.inf)), scores]
            where = where if self.rng.integers(2) else [open_keys, scores, where[1]]
            return self.add("Where", self.store(where[0], bool), *where[1:])
        closed = [self.rng.standard_normal(sides), -np.inf, np.finfo(np.float32).min][kind]
        return self.either("Add", scores, self.store(np.where(open_keys, 0.0 if kind else 1.0, closed)))

    def gelu(self, x):
        """By erf or tanh, in several orders, of several constants: what exporters write, and what is another function."""
        half, one = self.store(0.5), self.store(1.0)
        root = float(self.rng.choice([np.float32(2 ** 0.5), 1.5, 1.0]))
        if self.rng.integers(2):
            u = self.add("Div", x, self.store(root)) if self.rng.integers(2) else self.either("Mul", x, self.store(1 / root))
            inner = self.add("Erf", u)
        else:
            a, b = (math.sqrt(2 / math.pi), 0.044715) if self.rng.integers(3) else (0.8, 0.05)
            cube = (self.add("Pow", x, self.store(3.0)) if self.rng.integers(2)
                    else self.either("Mul", x, self.add("Mul", x, x)))
            bent = self.either("Add", x, self.either("Mul", cube, self.store(b)))
            inner = self.add("Tanh", self.either("Mul", bent, self.store(a)))
        kind = self.rng.integers(6)
        if kind == 4:
            return self.either("Mul", x, inner)
        gate = self.either("Add", inner, one if kind < 5 else half)
        if kind == 0:
            return self.either("Mul", self.either("Mul", x, half), gate)
        if kind == 1:
            return self.either("Mul", self.either("Mul", x, gate), half)
        if kind == 2:
            return self.either("Mul", x, self.either("Mul", gate, half))
        return self.either("Mul", x, gate)

    def feed_forward(self, x, d):
        y = self.affine(x, d, 2 * d)
        kind = self.rng.integers(6)
        if kind > 2:
            return self.affine(self.gelu(y), 2 * d, d)
        y = self.add("Relu", y) if kind == 0 else self.add("Tanh", y) if kind == 1 else y
        return self.affine(self.either("Mul", y, self.add("Sigmoid", y)) if kind == 2 else y, 2 * d, d)


def patches(g, d):
    """An image and its tokens, the class token before them; returns the input's shape, the tokens and how many."""
    kind = g.rng.integers(3)
    if kind == 0:  # a convolution
        y = g.add("Conv", "x", g.numbers(d, 2, 3, 2, size=0.3), g.numbers(d), kernel_shape=[3, 2], strides=[3, 2],
                  pads=[0, 0, 0, 0], group=1, dilations=[1, 1])
        y, shape, n = g.add("Transpose", g.add("Reshape", y, g.store([1, d, -1], np.int64)), perm=[0, 2, 1]), [1, 2, 6, 4], 4
    elif kind == 1:  # cut by hand, standardised
        y = g.add("Div", g.add("Sub", "x", g.store(0.1307)), g.store(0.3081))
        y = g.add("Transpose", g.add("Reshape", y, g.store([1, 2, 3, 2, 3], np.int64)), perm=[0, 1, 3, 2, 4])
        y = g.affine(g.add("Reshape", y, g.store([1, 4, 9], np.int64)), 9, d)
        shape, n = [1, 1, 6, 6], 4
    else:
        y, shape, n = g.affine("x", 5, d), [1, 3, 5], 3
    if g.rng.integers(2):
        y, n = g.add("Concat", g.numbers(1, 1, d), y, axis=1), n + 1
    return shape, g.either("Add", y, g.numbers(1, n, d)), n


def pool(g, x, n):
    kind = g.rng.integers(4)
    if kind == 0:
        return g.add("ReduceMean", x, axes=[1], keepdims=0)
    if kind == 1:
        return g.add("Gather", x, g.store(int(g.rng.integers(-n, n)), np.int64), axis=1)
    first = int(g.rng.integers(n))
    y = g.add("Slice", x, *(g.store([k], np.int64) for k in (first, first + 1, 1)))
    return g.axes("Squeeze", y, 1) if kind == 2 else g.add("Flatten", y)


def random_network(rng):
    """A model, the shape of its input."""
    g = Graph(rng, int(rng.choice([13, 17])))
    d, heads, k = int(rng.choice([4, 8])), int(rng.integers(1, 4)), int(rng.choice([2, 4, 5]))
    shape, x, n = patches(g, d)
    for _ in range(rng.integers(1, 3)):
        x = g.either("Add", x, g.attention(g.norm(x, d), n, d, heads, k))
        x = g.either("Add", x, g.feed_forward(g.norm(x, d), d))
    y = pool(g, x, n)
    if rng.integers(2):
        y = g.add("Gemm", y, g.numbers(3, d), g.numbers(3), transB=1)
    else:
        y = g.affine(y, d, 3)
    graph = helper.make_graph(g.nodes, "network", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info(y, TensorProto.FLOAT, [1, 3])], g.stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", g.opset)]), shape


def margin_at(model, x, label):
    scores = evaluate(model, x)
    return scores[label] - max(s for k, s in enumerate(scores) if k != label)


def check(attcert, folder, model, shape, rng):
    """What does not fit, or None."""
    x = rng.standard_normal(shape)
    net, numbers = folder / "net.onnx", folder / "x.npy"
    onnx.save(model, net)
    np.save(numbers, x if rng.integers(2) else x.reshape(1, -1))
    run = subprocess.run([attcert, "gradient", "--onnx", net, "--input", numbers, "--format", "json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return run.stderr.strip()
    answer = json.loads(run.stdout)
    label, margin, (lo, hi) = answer["label"], margin_at(model, x, answer["label"]), answer["margin"]
    if not lo - TOLERANCE <= margin <= hi + TOLERANCE or hi - lo > TOLERANCE:
        return f"margin {margin}, enclosed by [{lo}, {hi}]"
    steps = np.eye(x.size).reshape(-1, *shape) * 1e-6
    slope = np.linalg.norm([(margin_at(model, x + s, label) - margin_at(model, x - s, label)) / 2e-6 for s in steps])
    lo, hi = answer["gradient_norm"]
    return None if abs(slope - hi) <= 1e-5 * (1.0 + hi) else f"slope {slope}, enclosed by [{lo}, {hi}]"


def main():
    attcert, folder, cases, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    wrong = 0
    for case in range(cases):
        rng = np.random.default_rng([seed, case])
        model, shape = random_network(rng)
        fault = check(attcert, folder, model, shape, rng)
        if fault is not None:
            wrong += 1
            print(f"case {case}: {fault}")
    print(f"{cases} networks, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

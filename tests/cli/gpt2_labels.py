"""The next tokens that PyTorch gives around an input when it runs a GPT-2 model eagerly in a format.

usage: gpt2_labels.py FOLDER HIDDEN.npy RADIUS FORMAT POINTS
Every tensor is stored in FORMAT: the activation (gelu_new) is one operation a kernel, as transformers writes it; sums
are accumulated in float32 and stored once. POINTS inputs of the ball are drawn, and as many towards each other token.
Prints one line a label: how often it came, then its name. The folder's tensors are F64.
"""

import json
import math
import struct
import sys

import numpy
import torch

folder, hidden, radius, name, points = sys.argv[1:6]
config = json.load(open(f"{folder}/config.json", encoding="utf-8"))
data = open(f"{folder}/model.safetensors", "rb").read()
(length,) = struct.unpack("<Q", data[:8])
tensors = {}
for key, entry in json.loads(data[8 : 8 + length]).items():
    if key != "__metadata__":
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        values = numpy.frombuffer(data[begin:end], dtype=numpy.float64).reshape(entry["shape"])
        tensors[key.removeprefix("transformer.")] = torch.from_numpy(values.copy())
heads, layers, epsilon = config["n_head"], config["n_layer"], config["layer_norm_epsilon"]


def scores(x, dtype):
    """The class scores of the last of the rows x, in double: every number is one of dtype."""
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    weight = {key: value.to(dtype) for key, value in tensors.items()}

    def mapped(x, part):
        return (x.to(wide) @ weight[part + ".weight"].to(wide) + weight[part + ".bias"].to(wide)).to(dtype)

    def normalised(x, part):
        gain, bias = weight[part + ".weight"].to(wide), weight[part + ".bias"].to(wide)
        return torch.nn.functional.layer_norm(x.to(wide), x.shape[-1:], gain, bias, epsilon).to(dtype)

    def tanh(x):  # a CPU has none of float16
        return torch.tanh(x.to(wide)).to(dtype)

    def attended(x, part):
        n, d = x.shape
        q, k, v = (t.reshape(n, heads, d // heads).transpose(0, 1) for t in mapped(x, part + ".c_attn").split(d, -1))
        root = torch.full([], (d // heads) ** 0.5, dtype=dtype)
        score = ((q.to(wide) @ k.transpose(1, 2).to(wide)).to(dtype) / root).to(wide)
        score = score.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)
        mean = (torch.softmax(score, -1).to(dtype).to(wide) @ v.to(wide)).to(dtype)
        return mapped(mean.transpose(0, 1).reshape(n, d), part + ".c_proj")

    x = x.to(dtype)
    for layer in range(layers):
        part = f"h.{layer}."
        x = x + attended(normalised(x, part + "ln_1"), part + "attn")
        a = mapped(normalised(x, part + "ln_2"), part + "mlp.c_fc")
        a = 0.5 * a * (1.0 + tanh(math.sqrt(2.0 / math.pi) * (a + 0.044715 * torch.pow(a, 3.0))))
        x = x + mapped(a, part + "mlp.c_proj")
    last = normalised(x, "ln_f")[-1]
    return (last.to(wide) @ weight["wte.weight"].to(wide).T).to(dtype).double()


def drawn(center, directions):
    for direction in directions:
        yield center + float(radius) * (1.0 - 1e-9) * direction / direction.norm()


torch.manual_seed(1)
start = torch.from_numpy(numpy.load(hidden)).double()
dtype = getattr(torch, name)
inputs = [start, *drawn(start, (torch.randn_like(start) for _ in range(int(points))))]
for label in range(config["vocab_size"]):
    moved = start.clone().requires_grad_(True)
    exact = scores(moved, torch.float64)
    (exact[label] - exact.max()).backward()
    if moved.grad.norm() > 0:
        towards = moved.grad / moved.grad.norm()
        inputs += drawn(start, (towards + 0.1 * torch.randn_like(start) for _ in range(int(points))))
labels = [int(scores(x, dtype).argmax()) for x in inputs]
for label in sorted(set(labels)):
    print(labels.count(label), label)

#!/usr/bin/env python3
"""Margins of a BERT classifier that PyTorch executes, beside the bound of their error that attcert reports.

usage: executed_margins.py MODEL INPUT.npy REPORT.json... >ROWS.csv

MODEL is a Hugging Face folder (config.json, model.safetensors with float32 tensors), INPUT.npy the hidden states that
enter layer 0, a REPORT what `attcert robust --execution F --format json` wrote about both. Each gives two rows without
a header, INPUT,FORMAT,VARIANT,EXECUTED,OBSERVED,BOUND,RATIO: the executed margin, its distance from the enclosure of
the exact one, the bound of that distance, and their ratio. Variants:

  explicit  the operations that attcert's bounds name: sums in float32 (of float64: in float64), results in the format
  native    torch.nn.functional in the format itself, whose LayerNorm and products are PyTorch's own; none where PyTorch
            has no such operation on this machine

Exit status 1 where the error of an explicit execution exceeds its bound."""
import json
import math
import os
import sys

import numpy
import torch
from torch.nn import functional

from safetensors_file import read_safetensors

STORED = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


class Explicit:
    """Computes in float32 or float64 and rounds every result to the format."""

    def __init__(self, stored):
        self.stored = stored
        self.computed = torch.float64 if stored == torch.float64 else torch.float32

    def store(self, x):
        return x.to(self.stored).to(self.computed)

    number = store

    def linear(self, x, weight, bias):
        return self.store(x @ weight.T + bias)

    def add(self, x, y):
        return self.store(x + y)

    def norm(self, x, gain, bias, epsilon):
        centered = x - x.mean(-1, keepdim=True)
        inverse = torch.rsqrt((centered * centered).mean(-1, keepdim=True) + epsilon)
        return self.store(centered * inverse * gain + bias)

    def gelu(self, x):
        return self.store(0.5 * x * (1.0 + torch.erf(x * math.sqrt(0.5))))

    def tanh(self, x):
        return self.store(torch.tanh(x))

    def attend(self, q, k, v):
        scores = self.store(self.store(q @ k.transpose(-1, -2)) * (1.0 / math.sqrt(q.shape[-1])))
        weights = torch.exp(scores - scores.max(-1, keepdim=True).values)
        return self.store(self.store(weights / weights.sum(-1, keepdim=True)) @ v)


class Native:
    def __init__(self, stored):
        self.stored = stored

    def number(self, x):
        return x.to(self.stored)

    linear = staticmethod(functional.linear)
    gelu = staticmethod(functional.gelu)
    tanh = staticmethod(torch.tanh)

    def add(self, x, y):
        return x + y

    def norm(self, x, gain, bias, epsilon):
        return functional.layer_norm(x, gain.shape, gain, bias, epsilon)

    def attend(self, q, k, v):
        return functional.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]), -1) @ v


def scores_of(run, tensors, config, hidden):
    """The class scores of hidden states (n x d)."""
    heads, epsilon = config["num_attention_heads"], config.get("layer_norm_eps", 1e-12)
    numbers = {name: run.number(tensor) for name, tensor in tensors.items()}

    def find(name):
        return numbers[name] if name in numbers else numbers["bert." + name]

    def linear(x, name):
        return run.linear(x, find(name + ".weight"), find(name + ".bias"))

    def norm(x, name):
        return run.norm(x, find(name + ".weight"), find(name + ".bias"), epsilon)

    def split(x):
        return x.reshape(x.shape[0], heads, -1).transpose(0, 1)

    x = run.number(hidden)
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        q, k, v = (split(linear(x, f"{at}attention.self.{part}")) for part in ("query", "key", "value"))
        attended = run.attend(q, k, v).transpose(0, 1).reshape(x.shape)
        x = norm(run.add(x, linear(attended, at + "attention.output.dense")), at + "attention.output.LayerNorm")
        inner = linear(run.gelu(linear(x, at + "intermediate.dense")), at + "output.dense")
        x = norm(run.add(x, inner), at + "output.LayerNorm")
    return linear(run.tanh(linear(x[:1], "pooler.dense")), "classifier")[0]


def margin_of(scores, label):
    others = torch.cat([scores[:label], scores[label + 1:]])
    return scores[label].item() - others.max().item()


def main():
    model, path = sys.argv[1:3]
    with open(os.path.join(model, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    tensors = read_safetensors(os.path.join(model, "model.safetensors"))
    hidden = torch.from_numpy(numpy.load(path))
    name = os.path.splitext(os.path.basename(path))[0]
    torch.set_num_threads(1)
    failed = False
    for report_path in sys.argv[3:]:
        with open(report_path, encoding="utf-8") as file:
            report = json.load(file)
        form, bound = report["execution"], report["executed"]["error"]
        low, high = report["margin"]
        for variant in (Explicit, Native):
            try:
                margin = margin_of(scores_of(variant(STORED[form]), tensors, config, hidden), report["label"])
            except RuntimeError:  # not implemented for the format
                continue
            observed = max(low - margin, margin - high, 0.0)
            ratio = observed / bound if bound else 0.0
            print(f"{name},{form},{variant.__name__.lower()},{margin:.17g},{observed:.4g},"
                  f"{'inf' if bound is None else format(bound, '.4g')},{ratio:.4g}")
            failed = failed or (variant is Explicit and not (bound is None or observed <= bound))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

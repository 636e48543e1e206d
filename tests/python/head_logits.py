#!/usr/bin/env python3
"""Scores of a folder's class by PyTorch in float64, from the hidden states that enter layer 0.

usage: head_logits.py MODEL HIDDEN.npy

MODEL has config.json with one of the classes below in 'architectures', and model.safetensors with float32 or float64
tensors. Prints JSON: a list of scores a token."""
import json
import os
import sys

import numpy
import torch
from torch.nn import functional

DTYPES = {"F32": "<f4", "F64": "<f8"}


def read_tensors(path):
    """{name without the family's prefix: float64 tensor}"""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            start, end = entry["data_offsets"]
            numbers = numpy.frombuffer(data[start:end], DTYPES[entry["dtype"]]).reshape(entry["shape"])
            bare = name.removeprefix("bert.").removeprefix("transformer.")
            tensors[bare] = torch.from_numpy(numbers.astype("f8"))
    return tensors


def attention(q, k, v, heads, causal):
    n, d = q.shape
    q, k, v = (x.view(n, heads, d // heads).transpose(0, 1) for x in (q, k, v))
    scores = q @ k.transpose(1, 2) / (d // heads) ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones(n, n).triu(1).bool(), float("-inf"))
    return (scores.softmax(-1) @ v).transpose(0, 1).reshape(n, d)


class Bert:
    def __init__(self, tensors, config):
        self.t, self.c = tensors, config

    def linear(self, x, name):
        return functional.linear(x, self.t[name + ".weight"], self.t[name + ".bias"])

    def norm(self, x, name):
        return functional.layer_norm(x, x.shape[-1:], self.t[name + ".weight"], self.t[name + ".bias"],
                                     self.c["layer_norm_eps"])

    def states(self, x):
        for layer in range(self.c["num_hidden_layers"]):
            base = f"encoder.layer.{layer}."
            q, k, v = (self.linear(x, base + "attention.self." + part) for part in ("query", "key", "value"))
            y = attention(q, k, v, self.c["num_attention_heads"], False)
            x = self.norm(x + self.linear(y, base + "attention.output.dense"), base + "attention.output.LayerNorm")
            y = functional.gelu(self.linear(x, base + "intermediate.dense"))
            x = self.norm(x + self.linear(y, base + "output.dense"), base + "output.LayerNorm")
        return x


class Gpt2:
    def __init__(self, tensors, config):
        self.t, self.c = tensors, config

    def map(self, x, name):
        return x @ self.t[name + ".weight"] + self.t[name + ".bias"]

    def norm(self, x, name):
        return functional.layer_norm(x, x.shape[-1:], self.t[name + ".weight"], self.t[name + ".bias"],
                                     self.c["layer_norm_epsilon"])

    def states(self, x):
        for layer in range(self.c["n_layer"]):
            base = f"h.{layer}."
            q, k, v = self.map(self.norm(x, base + "ln_1"), base + "attn.c_attn").chunk(3, -1)
            x = x + self.map(attention(q, k, v, self.c["n_head"], True), base + "attn.c_proj")
            y = functional.gelu(self.map(self.norm(x, base + "ln_2"), base + "mlp.c_fc"), approximate="tanh")
            x = x + self.map(y, base + "mlp.c_proj")
        return self.norm(x, "ln_f")


def token_classification(tensors, states):
    return functional.linear(states, tensors["classifier.weight"], tensors["classifier.bias"])


def pooled(tensors, states):
    first = torch.tanh(functional.linear(states[:1], tensors["pooler.dense.weight"], tensors["pooler.dense.bias"]))
    return token_classification(tensors, first)


def score(tensors, states):
    return functional.linear(states[-1:], tensors["score.weight"])


CLASSES = {
    "BertForTokenClassification": (Bert, token_classification),
    "BertForSequenceClassification": (Bert, pooled),
    "GPT2ForSequenceClassification": (Gpt2, score),
}


def main(folder, hidden):
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    body, head = CLASSES[config["architectures"][0]]
    tensors = read_tensors(os.path.join(folder, "model.safetensors"))
    x = torch.from_numpy(numpy.load(hidden).astype("f8"))
    print(json.dumps(head(tensors, body(tensors, config).states(x)).tolist()))


if __name__ == "__main__":
    main(*sys.argv[1:])

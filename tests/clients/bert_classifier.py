#!/usr/bin/env python3
"""The scores of a BERT classifier's folder on words of its vocabulary, in numpy alone.

usage: bert_classifier.py FOLDER WORD... >SCORES

FOLDER has config.json (exact GELU), model.safetensors (F32 or F64) and vocab.txt; a word stands for itself in the
vocabulary. The forward pass is written from BERT's definition (Devlin et al., 2019) in float64. One score a line."""
import json
import math
import sys
from pathlib import Path

import numpy


def read_tensors(path):
    """The tensors of a safetensors file, by name, as float64."""
    content = Path(path).read_bytes()
    begin = 8 + int.from_bytes(content[:8], "little")
    tensors = {}
    for name, entry in json.loads(content[8:begin]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            numbers = numpy.frombuffer(content[begin + first:begin + last], dtype={"F32": "<f4", "F64": "<f8"}[entry["dtype"]])
            tensors[name] = numbers.reshape(entry["shape"]).astype(numpy.float64)
    return tensors


class Classifier:
    def __init__(self, folder):
        self.config = json.loads(Path(folder, "config.json").read_text())
        self.tensors = read_tensors(Path(folder, "model.safetensors"))

    def linear(self, name, x):
        return x @ self.tensors[name + ".weight"].T + self.tensors[name + ".bias"]

    def norm(self, name, x):
        centred = x - x.mean(axis=1, keepdims=True)
        variance = (centred**2).mean(axis=1, keepdims=True)
        scaled = centred / numpy.sqrt(variance + self.config["layer_norm_eps"])
        return scaled * self.tensors[name + ".weight"] + self.tensors[name + ".bias"]

    def attention(self, name, x):
        heads = self.config["num_attention_heads"]
        width = x.shape[1] // heads
        q, k, v = (self.linear(f"{name}.self.{part}", x) for part in ("query", "key", "value"))
        outputs = []
        for h in range(heads):
            columns = slice(h * width, (h + 1) * width)
            weights = numpy.exp(q[:, columns] @ k[:, columns].T / math.sqrt(width))
            outputs.append(weights / weights.sum(axis=1, keepdims=True) @ v[:, columns])
        return self.norm(name + ".output.LayerNorm", self.linear(name + ".output.dense", numpy.hstack(outputs)) + x)

    def block(self, name, x):
        x = self.attention(name + ".attention", x)
        hidden = self.linear(name + ".intermediate.dense", x)
        hidden = hidden * (1.0 + numpy.vectorize(math.erf)(hidden / math.sqrt(2.0))) / 2.0
        return self.norm(name + ".output.LayerNorm", self.linear(name + ".output.dense", hidden) + x)

    def scores(self, ids):
        part = "bert.embeddings."
        x = self.tensors[part + "word_embeddings.weight"][ids]
        x = x + self.tensors[part + "position_embeddings.weight"][:len(ids)]
        x = x + self.tensors[part + "token_type_embeddings.weight"][0]
        x = self.norm(part + "LayerNorm", x)
        for layer in range(self.config["num_hidden_layers"]):
            x = self.block(f"bert.encoder.layer.{layer}", x)
        return self.linear("classifier", numpy.tanh(self.linear("bert.pooler.dense", x[:1])))[0]


def main():
    folder, words = sys.argv[1], sys.argv[2:]
    vocabulary = Path(folder, "vocab.txt").read_text().splitlines()
    for score in Classifier(folder).scores([vocabulary.index(word) for word in words]):
        print(f"{score:.17g}")


if __name__ == "__main__":
    main()

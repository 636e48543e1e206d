"""Two bounds of one head's ||D_X f|| that know W = Q^T K by ||W||_F too, beside T4, in double precision. On the ball
about the mean token m, of radius R, with A = K^T Q / sqrt(k), b = ||K^T (Q m + b_Q)|| / sqrt(k), E = X - 1 m, c the
largest column sum of P and p its largest entry:

  T4          ||V|| ( sqrt( c (1 + R^2 (||A||_2 R + b)^2) ) + ||A||_2 R^2 )
  frobenius   the same with ||A||_F for ||A||_2
  averaged    ||V|| ( sqrt( c + p R^2 (||A||_F ||E||_2 + sqrt(n) b)^2 ) + ||A||_2 R^2 ): T4's proof with the sum of all
              ||g_i||^2 in place of the largest

usage: averaged_gradients.py MODEL_FOLDER LAYER HEAD X.npy      X: the layer's input
Prints ||S||_F / ||W||_2, S the symmetric part of W, then T4, frobenius and averaged.
"""
import json
import struct
import sys

import numpy as np


def read_tensors(path):
    """The F32 tensors of a safetensors file."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"]).astype(float)
            for name, entry in header.items() if name != "__metadata__"}


def only(tensors, ending):
    """The one tensor whose name ends so."""
    [name] = [name for name in tensors if ("." + name).endswith("." + ending)]
    return tensors[name]


def read_head(folder, layer, head):
    """Q, K, V (k x d), b_Q and whether the mask is causal."""
    with open(folder + "/config.json", encoding="utf-8") as file:
        config = json.load(file)
    tensors = read_tensors(folder + "/model.safetensors")
    causal = config["model_type"] == "gpt2"
    if causal:
        weights = np.split(only(tensors, f"h.{layer}.attn.c_attn.weight"), 3, axis=1)
        weights, bias = [w.T for w in weights], np.split(only(tensors, f"h.{layer}.attn.c_attn.bias"), 3)[0]
    else:
        part = f"layer.{layer}.attention.self."
        weights = [only(tensors, part + name + ".weight") for name in ("query", "key", "value")]
        bias = only(tensors, part + "query.bias")
    k = len(bias) // config["n_head" if causal else "num_attention_heads"]
    rows = slice(head * k, (head + 1) * k)
    return [w[rows] for w in weights] + [bias[rows], causal]


def softmax(scores, causal):
    if causal:
        scores = np.where(np.tril(np.ones_like(scores)) > 0, scores, -np.inf)
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def main():
    folder, layer, head, file = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    q, k, v, bias, causal = read_head(folder, layer, head)
    x = np.load(file)
    root = np.sqrt(len(bias))
    p = softmax((x @ q.T + bias) @ (x @ k.T).T / root, causal)
    a, value, column = k.T @ q / root, np.linalg.norm(v, 2), p.sum(axis=0).max()
    mean = x.mean(axis=0)
    radius = np.linalg.norm(x - mean, axis=1).max()
    offset = np.linalg.norm(k.T @ (q @ mean + bias)) / root
    spectral, frobenius = np.linalg.norm(a, 2), np.linalg.norm(a)

    def t4(norm):
        return value * (np.sqrt(column * (1 + radius**2 * (norm * radius + offset) ** 2)) + norm * radius**2)

    gradients = frobenius * np.linalg.norm(x - mean, 2) + np.sqrt(len(x)) * offset
    averaged = value * (np.sqrt(column + p.max() * (radius * gradients) ** 2) + spectral * radius**2)
    symmetric = np.linalg.norm(a + a.T) / 2 / spectral
    print(f"{symmetric:.6g},{t4(spectral):.6g},{t4(frobenius):.6g},{averaged:.6g}")


main()

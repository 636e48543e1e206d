"""DeepT's vision transformer from model.safetensors, in double, by its formulas.

usage: onnx_vit.py FOLDER IMAGE                      prints the image's ten scores
       onnx_vit.py --margin SCORES LABEL [LO,HI]     exit status 1 where the label's margin is outside"""
import json
import struct
import sys

import numpy as np


def tensors(path):
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(length)), file.read()
    return {name: np.frombuffer(data[slice(*of["data_offsets"])], "<f4").reshape(of["shape"]).astype(float)
            for name, of in header.items() if name != "__metadata__"}


def affine(t, name, x):
    y = x @ t[name + ".weight"].T
    return y + t[name + ".bias"] if name + ".bias" in t else y


def norm(t, name, x):
    return (x - x.mean(axis=-1, keepdims=True)) * t[name + ".weight"] + t[name + ".bias"]


def attention(t, name, x, heads=4, k=64):
    q, key, v = (affine(t, name + to, x).reshape(-1, heads, k).transpose(1, 0, 2)
                 for to in (".to_q", ".to_k", ".to_v"))
    e = np.exp(q @ key.transpose(0, 2, 1) / np.sqrt(k))
    mixed = (e / e.sum(axis=-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(-1, heads * k)
    return affine(t, name + ".to_out.0", mixed)


def scores(t, image):
    pixels = (image - np.float32(0.1307).astype(float)) / np.float32(0.3081).astype(float)
    cut = pixels.reshape(4, 7, 4, 7).transpose(0, 2, 1, 3).reshape(16, 49)
    x = np.concatenate([t["cls_token"].reshape(1, -1), affine(t, "to_patch_embedding.1", cut)])
    x = x + t["pos_embedding"].reshape(17, -1)
    first, second = "transformer.layers.0.0.fn", "transformer.layers.0.1.fn"
    x = x + attention(t, first + ".fn", norm(t, first + ".norm", x))
    inner = affine(t, second + ".fn.net.0", norm(t, second + ".norm", x))
    x = x + affine(t, second + ".fn.net.3", np.maximum(inner, 0.0))
    return affine(t, "mlp_head.1", norm(t, "mlp_head.0", x[0]))


def main():
    if sys.argv[1] == "--margin":
        values, label, (lo, hi) = np.loadtxt(sys.argv[2]), int(sys.argv[3]), json.loads(sys.argv[4])
        margin = values[label] - np.delete(values, label).max()
        return 0 if lo - 1e-9 <= margin <= hi + 1e-9 else 1
    image = np.load(f"{sys.argv[1]}/image_{sys.argv[2]}.npy").astype(float).reshape(28, 28)
    np.savetxt(sys.stdout, scores(tensors(f"{sys.argv[1]}/model.safetensors"), image))
    return 0


if __name__ == "__main__":
    sys.exit(main())

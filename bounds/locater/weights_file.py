"""Attention layers as files that `attcert --weights` reads: safetensors of float32 tensors."""
import json
import os
import struct

PARTS = ("query", "key", "value", "output")


def write_whole(path, write):
    """Lets write(file) fill a file that appears under its name only when it is complete."""
    with open(path + ".partial", "wb") as file:
        write(file)
    os.replace(path + ".partial", path)


def write_safetensors(path, arrays, metadata):
    """arrays: name to float32 array. 8 bytes of length, a JSON header, the numbers one after the other."""
    header, offset = {"__metadata__": metadata}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)

    def write(file):
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(array.astype("<f4").tobytes())

    write_whole(path, write)


def write_attention(path, attention):
    """A transformer.Attention: query.weight, key.weight, value.weight and output.weight, rows of outputs."""
    arrays = {part + ".weight": getattr(attention, part).weight.detach().numpy() for part in PARTS}
    write_safetensors(path, arrays, {"num_heads": "1"})

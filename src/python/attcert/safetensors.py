"""Files of tensors."""

import json
import struct
from typing import Optional

import numpy

from .arrays import Doubles


def write_tensors(path: str, tensors: dict[str, Doubles], metadata: Optional[dict[str, str]] = None) -> None:
    """A .safetensors file of float64 tensors, of their shapes."""
    header: dict[str, object] = {} if metadata is None else {"__metadata__": metadata}
    end = 0
    for name, numbers in tensors.items():
        begin, end = end, end + numbers.nbytes
        header[name] = {"dtype": "F64", "shape": numbers.shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for numbers in tensors.values():
            file.write(numpy.ascontiguousarray(numbers, dtype="<f8").tobytes())

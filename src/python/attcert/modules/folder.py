"""A folder with a layer's tensors and a config.json, as models are stored."""

import json
import os
from typing import Any

from ..arrays import as_double
from ..safetensors import write_tensors


def tensors_of(module: Any, prefix: str) -> Any:
    """The parameters of a module and of those in it, by name behind the prefix: arrays of doubles, of their shapes."""
    found = {}
    for name, value in module._parameters.items():
        if value is not None:
            found[prefix + name] = as_double(name, value, True).reshape(tuple(value.shape))
    for name, child in module._modules.items():
        if child is not None:
            found.update(tensors_of(child, f"{prefix}{name}."))
    return found


def write(folder: str, settings: Any, tensors: Any) -> None:
    """config.json and model.safetensors. ValueError: a setting that JSON does not have, by name."""
    for key, value in settings.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as reason:
            raise ValueError(f"config: {key} is {value!r}, which a config.json cannot hold ({reason})") from None
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(settings, file)
    write_tensors(os.path.join(folder, "model.safetensors"), tensors)

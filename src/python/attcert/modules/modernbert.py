"""ModernBertAttention of transformers 5, whose model hands it cosines and sines: some layers attend to what is near
alone, and turn by other angles."""

from typing import Any

import numpy

from .angles import rotation
from .decoders import RULES, differences_of, settings_of
from .family import first_output, never_masked
from .part import DROPOUT, LINEAR, Part, anything, one_of
from .stored import Stored

_PATH = "transformers.models.modernbert.modeling_modernbert.ModernBertAttention"
_PERHAPS_DROPOUT = Part((*DROPOUT.classes, "torch.nn.modules.linear.Identity"), attributes=DROPOUT.attributes)


def _near(module: Any) -> Any:
    return module.config.layer_types[module.layer_idx] == "sliding_attention"


def _window(value: Any, module: Any) -> Any:
    """How many tokens are seen in one direction, the own one too."""
    expected = module.config.local_attention // 2 + 1 if _near(module) else None
    return None if value == expected else f"{value!r}, but the configuration says {expected!r}"


def _run(module: Any, x: Any, mask: Any) -> Any:
    import torch  # the module is one of torch's

    n, near = x.shape[0], _near(module)
    turned = [torch.from_numpy(numpy.hstack((part, part)))[None]
              for part in rotation(settings_of(module), n, module.head_dim, near)]
    if near:
        seen = torch.ones(n, n, dtype=torch.bool)
        far = seen.triu(module.sliding_window) | seen.tril(-module.sliding_window)
        mask = mask.masked_fill(far, torch.finfo(mask.dtype).min)
    return first_output(module(x[None], position_embeddings=tuple(turned), attention_mask=mask))


def _place(module: Any) -> Any:
    return f"model.layers.{module.layer_idx}.attn.", module.layer_idx


_PART = Part(
    (_PATH,), children={"Wqkv": LINEAR, "Wo": LINEAR, "out_drop": _PERHAPS_DROPOUT},
    attributes={**{name: RULES[name] for name in ("config", "layer_idx", "attention_dropout", "_hidden_kernels",
                                                  "head_dim")},
                "deterministic_flash_attn": anything, "sliding_window": _window, "is_causal": one_of(False)})

FAMILIES = {_PATH: Stored(_PART, differences_of("modernbert"), _place, settings_of, _run, never_masked,
                          "at the positions 0, 1, .., with the angles and the window that its configuration names")}

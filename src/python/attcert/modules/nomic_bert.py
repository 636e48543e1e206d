"""NomicBertAttention of transformers 5: rotary positions, all tokens seen, no biases; it does not know its layer."""

from typing import Any

import numpy

from .angles import rotation
from .decoders import RULES, differences_of, settings_of
from .family import first_output, never_masked
from .part import LINEAR, Part, anything, inverse_root_of, one_of
from .stored import Stored

_PATH = "transformers.models.nomic_bert.modeling_nomic_bert.NomicBertAttention"

# Keys of files that other code reads: the class knows none of them, and keeps them beside its own.
_OTHERS = """activation_function attn_pdrop auto_map causal dense_seq_output embd_pdrop fused_bias_fc
    fused_dropout_add_ln layer_norm_epsilon max_trained_positions mlp_fc1_bias mlp_fc2_bias n_embd n_head n_inner n_layer
    n_positions norm_mlp pad_vocab_size_multiple parallel_block parallel_block_tied_norm prenorm qkv_proj_bias
    reorder_and_upcast_attn resid_pdrop rotary_emb_base rotary_emb_fraction rotary_emb_interleaved
    rotary_emb_scale_base rotary_scaling_factor scale_attn_by_inverse_layer_idx scale_attn_weights use_flash_attn
    use_rms_norm use_xentropy""".split()


def _settings(module: Any) -> Any:
    return {key: value for key, value in settings_of(module).items() if key not in _OTHERS}


def _sizes(module: Any) -> Any:
    config = module.config
    heads = config.num_attention_heads
    return (getattr(config, "head_dim", None) or config.hidden_size // heads,
            heads // (getattr(config, "num_key_value_heads", None) or heads))


def _is(place: Any, text: Any) -> Any:
    def rule(value: Any, module: Any) -> Any:
        expected = _sizes(module)[place]
        return None if value == expected else f"{value!r}, but the configuration's {text} says {expected!r}"

    return rule


def _run(module: Any, x: Any, mask: Any) -> Any:
    import torch  # the module is one of torch's

    turned = [torch.from_numpy(numpy.hstack((part, part)))[None]
              for part in rotation(_settings(module), x.shape[0], module.head_dim)]
    return first_output(module(x[None], position_embeddings=tuple(turned), attention_mask=mask))


def _place(module: Any) -> Any:
    return "nomic_bert.layers.0.self_attn.", 0


_PART = Part(
    (_PATH,), children={name: LINEAR for name in ("q_proj", "k_proj", "v_proj", "o_proj")},
    attributes={**{name: RULES[name] for name in ("config", "attention_dropout", "_hidden_kernels")},
                "head_dim": _is(0, "head_dim"), "num_key_value_groups": _is(1, "num_key_value_heads"),
                "scaling": inverse_root_of("head_dim"), "is_causal": one_of(False), "layer_idx": anything})

FAMILIES = {_PATH: Stored(_PART, differences_of("nomic_bert"), _place, _settings, _run, never_masked,
                          "at the positions 0, 1, .., with the angles that its configuration names")}

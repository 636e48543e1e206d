"""The angles of rotary positions, in double: what a model hands its attention, by the rules that the library reads.

J. Su et al., RoFormer, 2021; of scaled angles: the rule llama3 as Llama 3.1 has it; B. Peng et al., YaRN, 2023."""

from typing import Any

import numpy

_TURN = 2.0 * numpy.pi


def rotation(settings: Any, n: Any, size: Any, near: Any = False) -> Any:
    """cos and sin, (n, size / 2), of the positions 0 to n - 1 in heads of which `size` entries rotate.

    settings: of a config.json. near: of a layer with a window, where such layers have angles of their own."""
    theta, rule = _rule(settings, near)
    frequency, amplitude = _SCALED[rule.get("rope_type", rule.get("type", "default"))](theta, size, rule)
    angle = numpy.arange(n)[:, None] * frequency
    return amplitude * numpy.cos(angle), amplitude * numpy.sin(angle)


def _rule(settings: Any, near: Any) -> Any:
    """theta, and the object that says how angles are scaled."""
    rule = settings.get("rope_parameters") or settings.get("rope_scaling") or {}
    if "full_attention" in rule:
        rule = rule["sliding_attention" if near else "full_attention"]
    elif near and settings.get("rope_local_base_freq") is not None:
        return settings["rope_local_base_freq"], {}
    return rule.get("rope_theta", settings.get("rope_theta", settings.get("rotary_emb_base"))), rule


def _usual(theta: Any, size: Any, rule: Any) -> Any:
    return theta ** (-numpy.arange(0, size, 2) / size), 1.0


def _linear(theta: Any, size: Any, rule: Any) -> Any:
    return _usual(theta, size, rule)[0] / rule["factor"], 1.0


def _llama3(theta: Any, size: Any, rule: Any) -> Any:
    """Slow pairs are divided by the factor, fast ones are not, those between in part."""
    frequency, _ = _usual(theta, size, rule)
    turns = rule["original_max_position_embeddings"] * frequency / _TURN
    low, high = rule["low_freq_factor"], rule["high_freq_factor"]
    kept = numpy.clip((turns - low) / (high - low), 0.0, 1.0)
    return frequency * (kept + (1.0 - kept) / rule["factor"]), 1.0


def _yarn(theta: Any, size: Any, rule: Any) -> Any:
    """The same by the pair's number; cosines and sines are multiplied by a factor, too."""
    frequency, _ = _usual(theta, size, rule)
    length, factor = rule["original_max_position_embeddings"], rule["factor"]

    def pair(turns: Any) -> Any:
        return size * numpy.log(length / (turns * _TURN)) / (2.0 * numpy.log(theta))

    first, last = pair(rule.get("beta_fast") or 32.0), pair(rule.get("beta_slow") or 1.0)
    if rule.get("truncate", True):
        first, last = numpy.floor(first), numpy.ceil(last)
    first, last = max(first, 0.0), min(last, size - 1.0)
    kept = 1.0 - numpy.clip((numpy.arange(size // 2) - first) / max(last - first, 1e-3), 0.0, 1.0)
    slopes = [rule.get(name) for name in ("mscale", "mscale_all_dim")]
    slope = slopes[0] - slopes[1] if all(slopes) else 1.0  # DeepSeek's: read where equal, 1 is left
    amplitude = rule.get("attention_factor") or 0.1 * slope * numpy.log(factor) + 1.0
    return frequency * (kept + (1.0 - kept) / factor), amplitude


_SCALED = {"default": _usual, "linear": _linear, "llama3": _llama3, "yarn": _yarn}

"""Modules whose attention the library reads as a layer of a folder: taken with the right number, or refused."""

import json
import os
import struct
import sys
import tempfile
import unittest

import numpy

import attcert

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import public_fused as fused  # noqa: E402
import public_modules as public  # noqa: E402
import public_rotary as rotary  # noqa: E402
from public_modules import nn, torch  # noqa: E402
from public_rotary import D, Gemma2, Gemma3, GptOss, Llama, Mistral, Olmo2, Phi3, Qwen2, Qwen2Window, Qwen3, \
    Qwen3Next, Qwen35, SmolLM3, config  # noqa: E402

N = 5
SLIDING = ["sliding_attention", "full_attention", "sliding_attention"]
CAPPED = {"layer_types": SLIDING, "sliding_window": 2, "query_pre_attn_scalar": 6.0, "attn_logit_softcapping": 2.0,
          "hidden_activation": "gelu_pytorch_tanh", "final_logit_softcapping": None}
LOCAL = {**CAPPED, "attn_logit_softcapping": None, "rope_local_base_freq": 7.0, "sliding_window_pattern": 2}
OSS = {"layer_types": SLIDING, "sliding_window": 3, "attention_bias": True, "num_local_experts": 4,
       "rope_scaling": {"rope_type": "default"}}
NEXT = {"partial_rotary_factor": 0.5, "num_experts": 4,
        "layer_types": ["linear_attention", "full_attention", "linear_attention"]}
DENSE = {"partial_rotary_factor": 0.5, "layer_types": NEXT["layer_types"], "rope_parameters": {
    "rope_type": "default", "rope_theta": 50.0, "partial_rotary_factor": 0.5, "mrope_section": [1, 1, 0]}}

# A class, the keys of its configuration beside those of all, the layer.
TAKEN = [
    (Llama, "llama", {}, 0), (Llama, "llama", {"attention_bias": True, "mlp_bias": False}, 2),
    (Llama, "llama", {"_attn": "sdpa", "pretraining_tp": 1}, 1), (Llama, "llama", {"num_key_value_heads": 4}, 0),
    (Llama, "llama", {"rope_scaling": {"rope_type": "default"}}, 0), (Llama, "llama", {"num_key_value_heads": 1}, 0),
    (Mistral, "mistral", {"sliding_window": None}, 0), (Mistral, "mistral", {"sliding_window": 3}, 1),
    (Qwen2, "qwen2", {"use_sliding_window": False, "sliding_window": 2, "max_window_layers": 1}, 1),
    (Qwen2Window, "qwen2", {"use_sliding_window": True, "sliding_window": 2, "max_window_layers": 1,
                            "layer_types": SLIDING}, 2),
    (Qwen3, "qwen3", {"sliding_window": 2, "use_sliding_window": True, "layer_types": SLIDING}, 0),
    (Qwen3, "qwen3", {"sliding_window": 2, "use_sliding_window": True, "layer_types": SLIDING}, 1),
    (Olmo2, "olmo2", {}, 1), (Olmo2, "olmo2", {"attention_bias": True}, 1),
    (SmolLM3, "smollm3", {"no_rope_layers": [1, 0, 1], "use_sliding_window": False}, 1),
    (SmolLM3, "smollm3", {"no_rope_layers": [1, 0, 1], "use_sliding_window": False}, 2),
    (Gemma2, "gemma2", CAPPED, 0), (Gemma2, "gemma2", CAPPED, 1), (Gemma3, "gemma3_text", LOCAL, 1),
    (Gemma3, "gemma3_text", LOCAL, 2), (Phi3, "phi3", {"sliding_window": None, "partial_rotary_factor": 1.0}, 0),
    (Phi3, "phi3", {"sliding_window": 2, "original_max_position_embeddings": 64}, 2),
    (Phi3, "phi3", {"sliding_window": None, "partial_rotary_factor": 0.5}, 1),
    (GptOss, "gpt_oss", OSS, 0), (GptOss, "gpt_oss", OSS, 1), (Qwen3Next, "qwen3_next", NEXT, 1),
    (Qwen35, "qwen3_5_text", DENSE, 1)]


def made(kind, type_, keys, layer, seed=0):
    keys = dict(keys)
    return kind(config(type_, keys.pop("_attn", "eager"), **keys), layer, seed).eval()


def inputs(n=N, seed=1):
    return numpy.random.default_rng(seed).standard_normal((n, D))


def folder_of(folder, module):
    """A folder of a model that has this module in its layer, and nothing else."""
    header, data = {}, b""
    for name, value in module.named_parameters():
        numbers = numpy.asarray(value.detach())
        place = [len(data), len(data) + numbers.nbytes]
        kind = {"float64": "F64", "float32": "F32"}[numbers.dtype.name]
        header[f"model.layers.{module.layer_idx}.self_attn.{name}"] = {
            "dtype": kind, "shape": numbers.shape, "data_offsets": place}
        data += numbers.tobytes()
    text = json.dumps(header).encode()
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(module.config.to_dict(), file)


class Taken(unittest.TestCase):
    def setUp(self):
        public.UPCAST = False

    def test_the_number(self):
        """That of an equivalent folder, bit for bit, and the norm of the Jacobian of the function in numpy."""
        x = inputs()
        for kind, type_, keys, layer in TAKEN:
            with self.subTest(kind=kind.__name__, keys=keys, layer=layer):
                module = made(kind, type_, keys, layer)
                r = attcert.certify(module, x, tolerance=1e-8)
                with tempfile.TemporaryDirectory() as folder:
                    folder_of(folder, module)
                    same = attcert.load(folder).certify(layer, x, tolerance=1e-8)
                self.assertEqual((r.lower, r.upper), (same.lower, same.upper))
                norm = rotary.norm_of_jacobian(lambda y: rotary.function(module, y), x)
                self.assertLessEqual(r.lower, norm * (1 + 1e-9))
                self.assertGreaterEqual(r.upper, norm * (1 - 1e-9))
                self.assertLess(r.upper, norm * (1 + 1e-6))
                self.assertIn(f"of {kind.__name__} at the positions 0, 1, ..", r.note)

    def test_the_value(self):
        x = inputs()
        for kind, type_, keys, layer in TAKEN:
            with self.subTest(kind=kind.__name__, keys=keys, layer=layer):
                module = made(kind, type_, keys, layer)
                expected = rotary.function(module, x)
                value = attcert.layer_of(module).forward(x)
                numpy.testing.assert_allclose(value, expected, rtol=1e-11, atol=1e-11 * numpy.max(numpy.abs(expected)))


    def assert_is(self, module, f, x):
        """The certificate is of the function f."""
        r = attcert.certify(module, x, tolerance=1e-8)
        norm = rotary.norm_of_jacobian(f, x)
        self.assertLessEqual(r.lower, norm * (1 + 1e-9))
        self.assertGreaterEqual(r.upper, norm * (1 - 1e-9))
        self.assertLess(r.upper, norm * (1 + 1e-6))
        numpy.testing.assert_allclose(attcert.layer_of(module).forward(x), f(x), rtol=1e-11, atol=1e-10)

    def test_neox(self):
        older = {"rotary_pct": 0.5, "rotary_emb_base": 50.0}
        twice = {**older, "rope_theta": 50.0, "partial_rotary_factor": 0.5, "rope_scaling": None}
        later = {"rope_parameters": {"rope_type": "default", "rope_theta": 50.0, "partial_rotary_factor": 0.5}}
        for keys in (older, twice, later, {**older, "attention_bias": False}):
            with self.subTest(keys=keys):
                module = fused.NeoX(fused.neox_config(**keys), 1, 0.5).eval()
                self.assert_is(module, lambda y: fused.neox_function(module, y, 50.0), inputs())

    def test_nomic_bert(self):
        older = {"n_embd": 8, "n_inner": 12, "rotary_emb_base": 1000, "qkv_proj_bias": False, "prenorm": False}
        for keys in ({}, older, {"num_key_value_heads": 2}):
            module = fused.Nomic(fused.nomic_config(**keys)).eval()
            self.assert_is(module, lambda y: fused.nomic_function(module, y, 50.0), inputs())
        silent = fused.Nomic(fused.nomic_config(rope_parameters={"rope_type": "default"})).eval()
        scaled = fused.Nomic(fused.nomic_config()).eval()
        scaled.scaling = 1.0
        for words, module in (("rope_theta", silent), ("scaling: 1.0", scaled)):
            with self.assertRaisesRegex((ValueError, TypeError), words):
                attcert.certify(module, inputs())

    def test_bloom(self):
        for heads, slopes in ((1, [2.0**-8]), (2, [2.0**-4, 2.0**-8]), (4, [2.0**-2, 2.0**-4, 2.0**-6, 2.0**-8])):
            module = fused.Bloom(heads).eval()
            self.assert_is(module, lambda y: fused.bloom_function(module, y, slopes), inputs())

    def test_t5(self):
        for kind in (fused.T5, fused.MT5, fused.UMT5):
            module = kind().eval()
            self.assert_is(module, lambda y: fused.t5_function(module, y), inputs())

    def test_modernbert(self):
        for layer in (0, 1):
            module = fused.ModernBert(fused.modernbert_config(), layer).eval()
            self.assert_is(module, lambda y: fused.modernbert_function(module, y), inputs())

    def test_scaled_angles(self):
        """Those of the library are those that the module was run with."""
        llama3 = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                  "original_max_position_embeddings": 16}
        yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "beta_fast": 0.5,
                "beta_slow": 0.1}
        for rule in ({"type": "linear", "factor": 3.0}, llama3, yarn, {**yarn, "truncate": False},
                     {**yarn, "attention_factor": 1.25}):
            for keys in ({"rope_scaling": rule}, {"rope_parameters": {**rule, "rope_theta": 50.0}}):
                with self.subTest(keys=keys):
                    module = made(Llama, "llama", keys, 1)
                    plain = attcert.certify(made(Llama, "llama", {}, 1), inputs(8))
                    r = attcert.certify(module, inputs(8))
                    self.assertGreater(abs(r.lower / plain.upper - 1.0), 1e-3)

    def test_a_part_beside_the_angles(self):
        """Where later versions have how large a part of a head rotates."""
        x, rule = inputs(), {"rope_type": "default", "rope_theta": 50.0, "partial_rotary_factor": 0.5}
        keys = {**NEXT, "rope_parameters": rule}
        del keys["partial_rotary_factor"]
        later = attcert.certify(made(Qwen3Next, "qwen3_next", keys, 1), x)
        self.assertEqual(later.upper, attcert.certify(made(Qwen3Next, "qwen3_next", NEXT, 1), x).upper)

    def test_narrow_weights(self):
        module = made(Llama, "llama", {}, 0)
        for value in module._modules.values():
            value.weight = nn.Parameter(public.from_numpy(numpy.asarray(value.weight.detach()).astype("f4")))
        x = inputs()
        r = attcert.certify(module, x, tolerance=1e-8)
        norm = rotary.norm_of_jacobian(lambda y: rotary.function(module, y), x)
        self.assertTrue(r.lower <= norm * (1 + 1e-9) and r.upper >= norm * (1 - 1e-9))

    def test_batch_of_one_is_said(self):
        r = attcert.certify(made(Llama, "llama", {}, 0), inputs()[None])
        self.assertIn("(1, 5, 8) taken as (5, 8); of LlamaAttention", r.note)

    def test_folders_are_removed(self):
        layer = attcert.layer_of(made(Llama, "llama", {}, 0))
        path = os.path.dirname(json.loads(layer.certify(inputs()).to_json())["source"]["model"])
        self.assertTrue(os.path.isdir(path))
        del layer
        self.assertFalse(os.path.exists(path))

    @unittest.skipIf(torch is None, "no torch")
    def test_norms_and_weights_in_float32(self):
        public.UPCAST = True
        for kind, type_, keys, layer in TAKEN:
            with self.subTest(kind=kind.__name__, keys=keys, layer=layer):
                attcert.certify(made(kind, type_, keys, layer), inputs())


class Refused(unittest.TestCase):
    def setUp(self):
        public.UPCAST = False

    def refused(self, pattern, module, **options):
        with self.assertRaisesRegex(ValueError, pattern):
            attcert.certify(module, inputs(), **options)

    def changed(self, change, kind=Llama, type_="llama", keys={}, layer=0):
        module = made(kind, type_, keys, layer)
        change(module)
        return module

    def test_keys_of_the_configuration(self):
        """What attcert.load refuses, by the same name."""
        for keys, pattern in (
                ({"clip_qkv": 1.0}, "key 'clip_qkv' is not known"),
                ({"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}, "dynamic"),
                ({"quantization_config": {"bits": 4}}, "quantization_config"),
                ({"pruned_heads": {"0": [1]}}, "pruned_heads"),
                ({"note": object()}, "config: note is <object"), ({"rms": float("inf")}, "config: rms is inf"),
                ({"num_hidden_layers": 0}, "num_hidden_layers")):
            self.refused(f"^LlamaAttention: .*{pattern}", made(Llama, "llama", keys, 0))
        self.refused("model.layers.3.self_attn.*whose layers are 0 to 2", made(Llama, "llama", {}, 3))
        self.refused("linear_attention|delta rule", self.changed(lambda m: None, Qwen3Next, "qwen3_next", NEXT, 0))
        rule = {"rope_type": "default", "rope_theta": 50.0, "partial_rotary_factor": 0.25}
        self.refused("partial_rotary_factor and rope_parameters differ",
                     made(Qwen3Next, "qwen3_next", {**NEXT, "rope_parameters": rule}, 1))
        differ = fused.neox_config(rotary_pct=0.5, partial_rotary_factor=0.25)
        self.refused("rotary_pct and partial_rotary_factor", fused.NeoX(differ, 1, 0.5).eval())
        scaled = {"rope_parameters": {"rope_type": "linear", "rope_theta": 50.0, "factor": 2.0}}
        self.refused("rope_parameters", fused.NeoX(fused.neox_config(rotary_pct=0.5, **scaled), 1, 0.5).eval())

    def test_what_differs_from_the_configuration(self):
        for change, pattern in (
                (lambda m: setattr(m, "head_dim", 8), "head_dim: 8, but the configuration's head_dim says 4"),
                (lambda m: setattr(m, "scaling", 0.25), r"scaling: 0.25, expected 1 / sqrt\(head_dim\)"),
                (lambda m: setattr(m, "num_key_value_groups", 1), "num_key_value_groups: 1, but .* says 2"),
                (lambda m: setattr(m, "layer_idx", None), "layer_idx: None, expected the number"),
                (lambda m: setattr(m, "is_causal", False), "is_causal: False"),
                (lambda m: setattr(m, "sliding_window", 3), "sliding_window: 3, but the configuration says None"),
                (lambda m: setattr(m.config, "model_type", "cohere"), "model_type 'cohere', expected 'llama'"),
                (lambda m: setattr(m.config, "num_key_value_heads", 1), "num_key_value_groups: 2, but .* says 4"),
                (lambda m: setattr(m.config, "_attn_implementation", "flash_attention_2"), "attn_implementation"),
                (lambda m: setattr(m, "_hidden_kernels", {"apply": nn.Linear(2, 2)}), "_hidden_kernels: .*exchanged"),
                (lambda m: setattr(m, "temperature", 2.0), "the attribute temperature is unread"),
                (lambda m: setattr(m, "lora_A", nn.Linear(D, D)), r"the module lora_A \(Linear\) is unread"),
                (lambda m: setattr(m, "forward", print), "forward is replaced"),
                (lambda m: setattr(m, "_forward_hooks", {0: print}), "a forward hook"),
                (lambda m: setattr(m, "training", True), "attention_dropout: 0.1 in training mode")):
            self.refused(f"^LlamaAttention: .*{pattern}", self.changed(change))
        self.refused("q_proj.weight' is missing", self.changed(lambda m: m.q_proj._parameters.update(weight=None)))
        for change, pattern in (
                (lambda m: setattr(m.q_norm, "eps", 1e-6), "q_norm: epsilon 1e-06, but .*rms_norm_eps says 0.001"),
                (lambda m: setattr(m, "is_sliding", True), "is_sliding: True, but .*layer_types says False"),
                (lambda m: setattr(m, "sliding_window", 2), "sliding_window: 2, but the configuration says None"),
                (lambda m: setattr(m, "scaling", 0.5), "scaling: 0.5, but .*query_pre_attn_scalar says"),
                (lambda m: setattr(m, "attn_logit_softcapping", 3.0), "attn_logit_softcapping: 3.0, but .* says None"),
                (lambda m: setattr(m, "layer_type", "sliding_attention"), "layer_type: 'sliding_attention', but")):
            self.refused(f"^Gemma3Attention: .*{pattern}", self.changed(change, Gemma3, "gemma3_text", LOCAL, 1))
        self.refused("use_rope: 1, but .*no_rope_layers says 0", self.changed(
            lambda m: setattr(m, "use_rope", 1), SmolLM3, "smollm3", {"no_rope_layers": [1, 0, 1]}, 1))
        self.refused("config: attn_logit_softcapping 2.0, which its class leaves out",
                     made(Gemma3, "gemma3_text", {**LOCAL, "attn_logit_softcapping": 2.0}, 1))
        for kind, type_, keys in ((Gemma2, "gemma2", CAPPED), (GptOss, "gpt_oss", OSS)):  # sdpa has no cap, no sinks
            fast = made(kind, type_, {**keys, "_attn": "sdpa"}, 0)
            self.refused("attn_implementation 'sdpa', expected 'eager'", fast)

    def test_other_families(self):
        neox = fused.NeoX(fused.neox_config(rotary_pct=0.5), 1, 1.0).eval()
        self.refused("rotary_ndims: 4, but the configuration says 2", neox)
        bloom = fused.Bloom(2).eval()
        bloom.beta = 0.5
        self.refused("beta: 0.5", bloom)
        self.refused("table of its biases by position is in another layer", fused.T5(own=False).eval())
        for change, pattern in ((lambda m: setattr(m, "is_decoder", True), "is_decoder: True"),
                                (lambda m: setattr(m, "pruned_heads", {1}), "fewer heads"),
                                (lambda m: setattr(m, "inner_dim", 8), "inner_dim: 8")):
            module = fused.T5().eval()
            change(module)
            self.refused(pattern, module)
        near = fused.ModernBert(fused.modernbert_config(), 1).eval()
        near.sliding_window = 2
        self.refused("sliding_window: 2, but the configuration says 3", near)
        self.refused("it takes no mask", fused.T5().eval(), mask="causal")

    def test_what_is_asked(self):
        module = made(Llama, "llama", {}, 0)
        self.refused("it is causal, expected causal", module, mask="none")
        self.refused("head: its heads are not standard ones", module, head=0)
        layer, x = attcert.layer_of(module), inputs()
        for ask in (layer.bounds, lambda x: layer.check(x, 1.0), lambda x: layer.ball(x, 1e-3), layer.jacobian,
                    lambda x: layer.certify(x, tokens=[1] * N)):
            with self.assertRaisesRegex(ValueError, "LlamaAttention: its heads are not standard ones"):
                ask(x)
        with self.assertRaisesRegex(ValueError, "shape"):
            layer.certify(x[:, :4])

    def test_derived_classes(self):
        derived = type("Mine", (Llama,), {"forward": lambda self, x: x})
        self.refused("Mine: Mine overrides forward of transformers.*LlamaAttention", made(derived, "llama", {}, 0))
        same = type("Mine", (Llama,), {"__doc__": "the same"})
        attcert.certify(made(same, "llama", {}, 0), inputs())


@unittest.skipIf(torch is None, "no torch")
class Compared(unittest.TestCase):
    """Functions that are not what class, attributes and configuration say."""

    def setUp(self):
        public.UPCAST = False

    def refused(self, module):
        with self.assertRaisesRegex(ValueError, "module.x. is .* off the layer's output.*another function"):
            attcert.certify(module.eval(), inputs())

    def test_a_forward_that_was_patched(self):
        for change in (lambda y: 1.001 * y, lambda y: y + 1e-1, lambda y: y.flip(1), lambda y: y * torch.nan):
            def forward(self, hidden_states, position_embeddings, attention_mask, **others):
                given = {"position_embeddings": position_embeddings, "attention_mask": attention_mask}
                return (change(rotary.Attention.forward(self, hidden_states, **given)[0]),)

            kind = public.placed(rotary.Attention, "llama", "llama", "LlamaAttention", forward=forward)
            self.refused(made(kind, "llama", {}, 0))

    def test_parts_of_the_function(self):
        """Stand-ins that leave out, or add, what the class of this name has."""
        place = lambda kind, folder, prefix, **members: public.placed(  # noqa: E731
            kind, folder, folder, f"{prefix}Attention", **members)
        self.refused(made(place(Gemma2, "gemma2", "Gemma2", capped=False), "gemma2", CAPPED, 1))
        self.refused(made(place(Llama, "llama", "Llama", turned=lambda self, y, c, s: y), "llama", {}, 0))

    def test_weights_that_changed_since(self):
        module = made(Llama, "llama", {}, 0)
        layer = attcert.layer_of(module)
        layer.certify(inputs())
        with torch.no_grad():
            module.o_proj.weight *= 2.0
        with self.assertRaisesRegex(ValueError, "another function"):
            layer.certify(inputs())


if __name__ == "__main__":
    unittest.main()

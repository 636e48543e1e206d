"""The attention of decoders to their encoders, of folders as transformers writes them: what the command line certifies
contains the norm of a Jacobian by central differences of the layer's definition; tensors and keys that are refused."""

import json
import os
import subprocess
import tempfile
import unittest

import attcert  # noqa: F401 -- the package of the next line
import numpy
from attcert.modules.folder import write

D, N, M = 4, 2, 3
T5 = {"model_type": "t5", "d_model": D, "num_heads": 2, "num_layers": 1, "num_decoder_layers": 2, "d_kv": 3, "d_ff": 5,
      "vocab_size": 6, "is_encoder_decoder": True}
WHISPER = {"model_type": "whisper", "d_model": D, "encoder_attention_heads": 1, "encoder_layers": 1,
           "encoder_ffn_dim": 5, "decoder_attention_heads": 2, "decoder_layers": 2, "decoder_ffn_dim": 5,
           "is_encoder_decoder": True}


def attend(x, z, weights, heads, scaled):
    q, k, v = ((t @ weights[name].T + weights.get(f"{name}_bias", 0.0)) for t, name in ((x, "q"), (z, "k"), (z, "v")))
    size, rows = q.shape[1] // heads, []
    for at in (slice(h * size, (h + 1) * size) for h in range(heads)):
        p = numpy.exp(q[:, at] @ k[:, at].T / (numpy.sqrt(size) if scaled else 1.0))
        rows.append(p / p.sum(1, keepdims=True) @ v[:, at])
    return numpy.hstack(rows) @ weights["o"].T + weights.get("o_bias", 0.0)


def jacobian(f, x, step=1e-5):
    columns = []
    for at in numpy.ndindex(x.shape):
        moved = numpy.zeros_like(x)
        moved[at] = step
        columns.append((f(x + moved) - f(x - moved)).reshape(-1) / (2 * step))
    return numpy.array(columns).T


class Folders(unittest.TestCase):
    def setUp(self):
        self.random = numpy.random.default_rng(11)
        self.folder = tempfile.TemporaryDirectory(prefix="attcert-cross-")
        self.addCleanup(self.folder.cleanup)
        self.x, self.z = self.random.standard_normal((N, D)), self.random.standard_normal((M, D))
        for name in "xz":
            numpy.save(self.path(f"{name}.npy"), getattr(self, name))

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def tensors(self, names, rows, biased, encoder):
        """Those of two decoder layers and of an encoder's one; names: of q, k, v and o behind a layer's number."""
        found, weights = {}, []
        for begin in (*("%s%d." % (names["blocks"], layer) for layer in range(2)), encoder):
            own = {}
            for part in "qkvo":
                name = begin + names[part] if begin != encoder else begin + names[part].split(".")[-1]
                shape = (D, rows) if part == "o" else (rows, D)
                own[part] = found[f"{name}.weight"] = self.random.standard_normal(shape)
                if biased and part != "k":
                    own[f"{part}_bias"] = found[f"{name}.bias"] = self.random.standard_normal(shape[0])
            weights.append(own)
        return found, weights

    def t5(self, prefix=""):
        names = {"blocks": f"{prefix}decoder.block.", **{p: f"layer.1.EncDecAttention.{p}" for p in "qkvo"}}
        return self.tensors(names, 6, False, f"{prefix}encoder.block.0.layer.0.SelfAttention.")

    def whisper(self):
        names = {"blocks": "model.decoder.layers.", **{p: f"encoder_attn.{p}_proj" for p in "qkv"},
                 "o": "encoder_attn.out_proj"}
        return self.tensors(names, D, True, "model.encoder.layers.0.self_attn.")

    def run_attcert(self, settings, tensors, *options):
        write(self.folder.name, settings, tensors)
        return subprocess.run(
            [os.environ["ATTCERT"], "certify", "--model", self.folder.name, "--input", self.path("x.npy"), "--context",
             self.path("z.npy"), "--format", "json", *options], check=False, capture_output=True, text=True)

    def contains(self, settings, found, scaled):
        tensors, weights = found
        for layer in range(2):
            of = lambda x, z: attend(x, z, weights[layer], 2, scaled)  # noqa: E731
            by_x, by_z = jacobian(lambda x: of(x, self.z), self.x), jacobian(lambda z: of(self.x, z), self.z)
            for by, j in (("queries", by_x), ("context", by_z), ("both", numpy.hstack([by_x, by_z]))):
                run = self.run_attcert(settings, tensors, "--layer", str(layer), "--by", by)
                self.assertEqual(run.returncode, 0, run.stderr)
                report, norm = json.loads(run.stdout), numpy.linalg.norm(j, 2)
                self.assertLess(abs(report["lipschitz"]["lower"] / norm - 1), 1e-6)
                self.assertLess(abs(report["lipschitz"]["upper"] / norm - 1), 1e-6)
                self.assertEqual(report["layer"]["context"], {"m": M, "d": D, "by": by, "input": self.path("z.npy")})
                self.assertEqual(report["source"]["layer"], layer)

    def test_t5(self):
        self.contains(T5, self.t5(), False)
        self.contains(T5, self.t5("transformer."), False)
        tensors, weights = self.t5()  # which transformers ignores
        tensors["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"] = numpy.ones((32, 2))
        self.contains({key: value for key, value in T5.items() if key != "is_encoder_decoder"}, (tensors, weights),
                      False)

    def test_whisper(self):
        self.contains(WHISPER, self.whisper(), True)

    def refused(self, pattern, settings, tensors, *options):
        run = self.run_attcert(settings, tensors, *(options or ("--layer", "1")))
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, pattern)

    def test_refusals(self):
        tensors, _ = self.whisper()
        self.refused("layer 2 does not exist: the decoder has layers 0 to 1", WHISPER, tensors, "--layer", "2")
        self.refused("3 heads of the decoder do not divide the dimension 4", {**WHISPER, "decoder_attention_heads": 3},
                     tensors)
        silent = {key: value for key, value in WHISPER.items() if key != "decoder_attention_heads"}
        self.refused("does not say how many layers and heads the decoder has", silent, tensors)
        name = "model.decoder.layers.1.encoder_attn."
        for extra in ("k_proj.bias", "q_proj.lora_A.weight", "q_norm.weight"):
            self.refused(f"tensor '{name}{extra}' is not known", WHISPER,
                         {**tensors, name + extra: self.random.standard_normal(D)})
        missing = {key: value for key, value in tensors.items() if key != name + "v_proj.weight"}
        self.refused(f"{name}v_proj.weight", WHISPER, missing)
        self.refused(f"{name}out_proj.weight.*entry|{name}out_proj.weight.*finite", WHISPER,
                     {**tensors, name + "out_proj.weight": numpy.full((D, D), numpy.nan)})
        self.refused(f"{name}out_proj.weight", WHISPER, {**tensors, name + "out_proj.weight": numpy.ones((D, D + 1))})


if __name__ == "__main__":
    unittest.main()

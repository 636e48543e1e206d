"""DeepSeek's modules: taken with the number of their function in numpy, or refused."""

import os
import sys
import unittest

import numpy

import attcert

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import public_latent as latent  # noqa: E402
import public_modules as public  # noqa: E402
from public_latent import D, V2, V3, YARN, config  # noqa: E402
from public_modules import torch  # noqa: E402
from public_rotary import norm_of_jacobian  # noqa: E402

PLAIN = 50.0 ** -numpy.array([0.0, 0.5])
# x(1.5) = 0.6 and x(0.25) = 1.5: from pair 0 to pair 2, so that pair 0 stays and pair 1 is half-way.
SLOW = PLAIN * [1.0, 0.75]
AMPLITUDE = 0.1 * numpy.log(2.0) + 1.0


def yarn(**more):
    return {"rope_parameters": {"rope_type": "yarn", "rope_theta": 50.0, **YARN, **more}}


# A class, keys of its configuration, the frequencies, their amplitude, what scores are multiplied by.
TAKEN = [
    (V2, {}, PLAIN, 1.0, 1.0), (V2, {"q_lora_rank": None, "attention_bias": True}, PLAIN, 1.0, 1.0),
    (V3, {"attention_bias": True}, PLAIN, 1.0, 1.0), (V3, {"rope_interleave": False}, PLAIN, 1.0, 1.0),
    (V2, yarn(), SLOW, AMPLITUDE, 1.0), (V3, yarn(mscale=1.0, mscale_all_dim=1.0), SLOW, 1.0, AMPLITUDE**2),
    (V2, yarn(mscale=0.707, mscale_all_dim=0.707), SLOW, 1.0, (0.0707 * numpy.log(2.0) + 1.0)**2)]


def made(kind, keys, layer=0):
    return kind(config("deepseek_v2" if kind is V2 else "deepseek_v3", **keys), layer).eval()


def inputs():
    return numpy.random.default_rng(1).standard_normal((5, D))


class Modules(unittest.TestCase):
    def setUp(self):
        public.UPCAST = False

    def test_the_number(self):
        x = inputs()
        for kind, keys, frequency, amplitude, times in TAKEN:
            with self.subTest(kind=kind.__name__, keys=keys):
                module = made(kind, keys)

                def f(y):
                    return latent.function(module, y, frequency, amplitude, times)

                r = attcert.certify(module, x, tolerance=1e-8)
                norm = norm_of_jacobian(f, x)
                self.assertLessEqual(r.lower, norm * (1 + 1e-9))
                self.assertGreaterEqual(r.upper, norm * (1 - 1e-9))
                self.assertLess(r.upper, norm * (1 + 1e-6))
                numpy.testing.assert_allclose(attcert.layer_of(module).forward(x), f(x), rtol=1e-11, atol=1e-10)

    def refused(self, words, module):
        with self.assertRaisesRegex(ValueError, words):
            attcert.certify(module, inputs())

    def test_refused(self):
        older = made(V2, yarn(mscale=1.0, mscale_all_dim=1.0))
        older.scaling = 6**-0.5
        self.refused("scaling: .*older versions", older)
        self.refused("mscale_all_dim", made(V3, yarn(mscale=1.0)))
        norm = made(V3, {})
        norm.kv_a_layernorm.variance_epsilon = 1e-3
        self.refused("kv_a_layernorm: epsilon 0.001", norm)
        rank = made(V3, {})
        rank.kv_lora_rank = 4
        self.refused("kv_lora_rank: 4", rank)
        mixed = made(V3, {})
        mixed.q_proj = mixed.q_b_proj
        self.refused("q_proj", mixed)

    @unittest.skipUnless(torch, "buffers are torch's")
    def test_unread_buffer(self):
        module = made(V2, {})
        module.register_buffer("n_shared", torch.zeros(1))
        self.refused("n_shared", module)


if __name__ == "__main__":
    unittest.main()

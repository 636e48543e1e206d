"""Arrays of numpy and torch that are taken exactly, and those that are refused as they hold more than numbers."""

import types
import unittest

import numpy

import attcert

H = 2


class Arrays(unittest.TestCase):
    def setUp(self):
        self.positional = [*numpy.random.default_rng(0).standard_normal((4, 8, 8))]

    def refused(self, pattern, *arguments, **options):
        with self.assertRaisesRegex(ValueError, pattern):
            attcert.certify(*arguments, **options)

    def test_arrays_that_hold_more_than_numbers(self):
        x, q, k, v = self.positional
        masked = numpy.ma.array(x, mask=x > 1.0)
        self.refused("input: numpy.ma.*MaskedArray, whose numbers are not all", masked, q, k, v)
        self.refused("input: numpy.ma", numpy.ma.array(x), q, k, v)
        self.refused("input: numpy.ma", list(masked), q, k, v)
        self.refused("query.bias: numpy.ma", x, q, k, v, q_bias=numpy.ma.array(q[:, 0]))
        self.refused("value.weight: numpy.ma", x, q, k, types.SimpleNamespace(__array__=lambda: numpy.ma.array(v)))

    def test_tensors_that_are_not_dense(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no torch")
        x, q, k, v = (torch.from_numpy(a) for a in self.positional)
        self.refused("input: a torch.sparse_coo tensor, expected a dense one", x.to_sparse(), q, k, v)
        self.refused("input: a quantized tensor", torch.quantize_per_tensor(x.float(), 0.1, 0, torch.qint8), q, k, v)
        self.refused("input: a tensor of torch.float64 on meta", x.to("meta"), q, k, v)
        self.refused("input: dtype complex128", x.to(torch.complex128), q, k, v)
        scaled = q.as_subclass(type("Scaled", (torch.Tensor,), {}))
        self.refused("query.weight: .*Scaled, whose numbers", x, scaled, k, v)
        r = attcert.certify(x.clone().requires_grad_(), torch.nn.Parameter(q), k, v, heads=H)
        self.assertEqual(r.upper, attcert.certify(*self.positional, heads=H).upper)


if __name__ == "__main__":
    unittest.main()

"""Functions of a model's layers: what the command line certifies."""

import json
import os
import subprocess
import unittest

import attcert
import numpy


class Functions(unittest.TestCase):
    def setUp(self):
        self.spec = "random:qwen3:8,2,1,2"
        self.model = attcert.load(self.spec, seed=3)
        self.hidden = numpy.sin(numpy.arange(1, 25)).reshape(3, 8)

    def test_the_command_line_says_the_same(self):
        path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"attcert-functions-{os.getpid()}.npy")
        numpy.save(path, self.hidden)
        try:
            for function in ("attention", "sublayer", "block", "network", "logits"):
                x = self.model.function_input(1, self.hidden, function)
                found = self.model.certify(1, x, function, engine="dense")
                report = json.loads(subprocess.run(
                    [os.environ["ATTCERT"], "certify", "--model", self.spec, "--seed", "3", "--layer", "1", "--function",
                     function, "--hidden", path, "--engine", "dense", "--format", "json"],
                    check=True, capture_output=True).stdout)
                # sums of many rows may be in an order of BLAS's own
                slack = 1e-14 * found.upper if function == "logits" else 0.0
                self.assertLessEqual(abs(found.lower - report["lipschitz"]["lower"]), slack)
                self.assertLessEqual(abs(found.upper - report["lipschitz"]["upper"]), slack)
                self.assertEqual(found.engine, "dense")
                self.assertEqual(found.vector.shape, (3, 8))
        finally:
            os.remove(path)

    def test_engines_agree(self):
        narrow = self.model.certify(0, self.hidden, "block", engine="mpfr")
        wide = self.model.certify(0, self.hidden, "block", engine="random", seed=1)
        self.assertLess(narrow.relative_width, 1e-12)
        self.assertLessEqual(wide.lower, narrow.upper)
        self.assertLessEqual(narrow.lower, wide.upper)
        self.assertEqual(wide.failure_log2, -100)

    def test_refusals(self):
        for arguments in ((2, self.hidden), (0, self.hidden[:, :4]), (0, self.hidden, "layer")):
            with self.assertRaises(ValueError):
                self.model.certify(*arguments)
        with self.assertRaisesRegex(ValueError, "engine"):
            self.model.certify(0, self.hidden, "block", engine="deflated")


if __name__ == "__main__":
    unittest.main()

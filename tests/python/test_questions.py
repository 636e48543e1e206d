"""What Python asks the program, and masks of whole networks, against numpy, differences, and other ways to say it."""

import os
import tempfile
import unittest

import attcert
import numpy

DRAW = numpy.random.default_rng(7).standard_normal
X, Q, K, V = DRAW((4, 6, 6))
MODEL = attcert.load("random:bert:16,2,2", seed=1)
IDS = [84, 104, 101, 32]
HIDDEN = MODEL.hidden(IDS)
DATA = os.path.join(os.environ.get("ATTCERT_DATA", ""), "faults", "cls_model")


class Layers(unittest.TestCase):
    def test_eigenvalues_are_numpys(self):
        for found, heads in ((attcert.spectrum(X, Q, K, V, heads=2), [0, 1]),
                             (attcert.spectrum(attcert.layer(Q, K, V, 2, head=1), X), [1])):
            for one in found.heads:
                rows = slice(3 * one.head, 3 * one.head + 3)
                expected = numpy.linalg.eigvals(Q[rows].T @ K[rows])
                self.assertEqual(sum(disc.multiplicity for disc in one.eigenvalues), 6)
                for value in expected:
                    self.assertTrue(any(abs(value - disc.center) <= disc.radius + 1e-7 for disc in one.eigenvalues))
                self.assertAlmostEqual(one.trace[0], numpy.trace(Q[rows].T @ K[rows]), 12)
            self.assertEqual([one.head for one in found.heads], heads)
            self.assertEqual(sorted({row["head"] for row in found.rows()}), heads)

    def test_spectra_of_models(self):
        found = attcert.spectrum(MODEL.layer(1), propagation=True, length=4, samples=10, fold_layernorm=True)
        self.assertEqual([one.head for one in found.heads], [0, 1])
        with self.assertRaisesRegex(AttributeError, "entropy: expected one of head, trace"):
            found.heads[0].entropy

    def test_the_worst_input(self):
        found = attcert.worst(Q, K, V, tokens=3, radius_of_inputs=2.0, starts=1, steps=20)
        self.assertEqual(found.input.shape, (3, 6))
        self.assertLessEqual(numpy.linalg.norm(found.input, axis=1).max(), 2.0)
        again = attcert.certify(found.input, Q, K, V)
        self.assertTrue(again.lower <= found.upper and found.lower <= again.upper)
        self.assertTrue(found.on_ball[0] <= found.upper and found.lower <= found.on_ball[1])
        self.assertEqual(found.vector.shape, (3, 6))
        self.assertGreater(found.lower, attcert.certify(0 * found.input, Q, K, V).lower)
        of_model = attcert.worst(MODEL.layer(0), tokens=2, radius_of_inputs=1.0, starts=0, steps=2)
        self.assertEqual(of_model.input.shape, (2, 16))

    def test_sweeps(self):
        found = attcert.sweep(MODEL, 1, "src/cli/demo.txt", n=(2, 4, 2), sequences=1)
        self.assertEqual([row["n"] for row in found.rows()], [2, 4])
        for row in found.rows():
            x = MODEL.layer_input(1, MODEL.hidden("src/cli/demo.txt", row["n"], special_tokens=False))
            one = MODEL.layer(1).certify(x)
            self.assertTrue(one.lower <= row["upper"] and row["lower"] <= one.upper)
        self.assertEqual(found.to_dict()["model"], "random:bert:16,2,2")
        curve = attcert.sweep(MODEL, 1, "src/cli/demo.txt", tokens=3, radius=(1e-3, 1e-1), count=3, kind="token")
        self.assertEqual(len(curve.rows()), 3)


class Networks(unittest.TestCase):
    def test_gradients_are_differences(self):
        found = MODEL.gradient(HIDDEN, words=[1])

        def margin(states):
            low, high = MODEL.predict(states, top=2).answers[0].margin
            return 0.5 * (low + high)

        step, slopes = 1e-4, []
        for j in range(16):
            ends = []
            for sign in (-1, 1):
                moved = HIDDEN.copy()
                moved[1, j] += sign * step
                ends.append(margin(moved))
            slopes.append((ends[1] - ends[0]) / (2 * step))
        self.assertAlmostEqual(numpy.linalg.norm(slopes) / found.gradient[1], 1.0, 5)
        self.assertTrue(found.margin[0] <= margin(HIDDEN) <= found.margin[1])
        asked = attcert.robust(MODEL, MODEL.tokens(IDS), radius=1e-6, words=1, attack=0)
        by_tokens = attcert.gradient(MODEL, MODEL.tokens(IDS), words=1)
        for one in (found, by_tokens):
            self.assertTrue(one.gradient[0] <= asked.gradient[1] and asked.gradient[0] <= one.gradient[1])
        self.assertEqual(len(by_tokens.to_dict()["tokens"]), 4)

    def test_a_masked_token_is_not_there(self):
        keys = numpy.array([True, True, True, False])
        pairs = numpy.broadcast_to(keys, (4, 4))
        padded = {"mask": keys}, {"mask": pairs}, {"bias": numpy.where(pairs, 0.0, -numpy.inf)}
        shorter = HIDDEN[:3]
        questions = (lambda x, **o: MODEL.predict(x, **o).answers[0].margin,
                     lambda x, **o: attcert.predict(MODEL, x, **o).answers[0].margin,
                     lambda x, **o: attcert.gradient(MODEL, x, words=[1], **o).gradient,
                     lambda x, **o: attcert.robust(MODEL, x, 1e-3, words=[1], attack=0, **o).gradient)
        for ask in questions:
            whole, expected = ask(HIDDEN), ask(shorter)
            for options in padded:
                found = ask(HIDDEN, **options)
                self.assertTrue(found[0] <= expected[1] and expected[0] <= found[1], options)
                self.assertGreater(abs(whole[0] - found[0]), 1e3 * (found[1] - found[0]))
        with self.assertRaisesRegex(ValueError, "no key"):
            MODEL.predict(HIDDEN, mask=numpy.zeros(4, bool))

    def test_data_sets(self):
        if not os.path.isfile(os.path.join(DATA, "model.safetensors")):
            self.skipTest("no data")
        model = attcert.load(DATA)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "texts.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("text,label\ngood,0\nbad,0\n")
            found = model.robust_dataset(path, 1e-4, jobs=1)
            self.assertEqual([row["label"] for row in found.rows()], [0, 0])
            self.assertEqual(sum(found.verdicts.values()), 2)
            for row, text in zip(found.rows(), ("good", "bad")):
                asked = attcert.robust(model, model.tokens(text=text), 1e-4, label=0)
                self.assertEqual(row["verdict"] == "certified", asked.certified >= 1e-4)
            kept = os.path.join(folder, "rows.csv")
            again = attcert.robust_dataset(model, path, 1e-4, output=kept)
            self.assertEqual([row["verdict"] for row in again.rows()], [row["verdict"] for row in found.rows()])
            self.assertTrue(os.path.isfile(kept))
            with self.assertRaisesRegex(ValueError, "could not be read"):
                with open(path, "a", encoding="utf-8") as file:
                    file.write("good,7\n")
                model.robust_dataset(path, 1e-4)

    def test_onnx(self):
        try:
            import onnx
            from onnx import TensorProto, helper, numpy_helper
        except ImportError:
            self.skipTest("onnx is not installed")
        w, b = DRAW((2, 3)).astype(numpy.float32), numpy.array([0.5, 0.0], numpy.float32)
        graph = helper.make_graph(
            [helper.make_node("Gemm", ["x", "w", "b"], ["y"], transB=1)], "linear",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2])],
            [numpy_helper.from_array(w, "w"), numpy_helper.from_array(b, "b")])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.onnx")
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), path)
            network, x = attcert.from_onnx(path), numpy.array([0.25, -1.0, 2.0])
            scores = w.astype(float) @ x + b
            label = int(numpy.argmax(scores))
            slope = numpy.linalg.norm(w[label].astype(float) - w[1 - label])
            distance = (scores[label] - scores[1 - label]) / slope
            answer = network.predict(x).answers[0]
            self.assertEqual((answer.label, answer.decided), (label, True))
            low, high = network.gradient(x).gradient
            self.assertTrue(low <= slope * (1 + 1e-12) and slope * (1 - 1e-12) <= high)
            self.assertEqual(network.robust(x, 0.99 * distance).verdict, "certified")
            self.assertEqual(network.robust(x, 1.01 * distance).verdict, "refuted")
            searched = network.robust(x[None])
            self.assertTrue(searched.certified <= distance <= searched.refuted)


if __name__ == "__main__":
    unittest.main()

"""The Python module against numpy, the command line and itself: values, refusals, threads, interruption."""

import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import types
import unittest
from decimal import Decimal

import numpy

import attcert
from attcert.results import outward

N, D, H, K = 6, 8, 2, 4


def weights(seed=0):
    draw = numpy.random.default_rng(seed).standard_normal
    arrays = {"x": draw((N, D)), "o": draw((D, H * K))}
    arrays.update({part: draw((H * K, D)) for part in "qkv"})
    arrays.update({f"{part}_bias": draw(H * K) for part in "qkv"}, o_bias=draw(D))
    return arrays


def split(arrays):
    """Positional arguments and the others."""
    rest = dict(arrays)
    return [rest.pop(name) for name in "xqkv"], {"heads": H, **rest}


def forward(x, q, k, v, heads, o, q_bias, k_bias, v_bias, o_bias, causal=False):
    """The layer in numpy."""
    outputs = []
    for h in range(heads):
        rows = slice(h * K, (h + 1) * K)
        qs, ks, vs = (x @ w[rows].T + b[rows] for w, b in ((q, q_bias), (k, k_bias), (v, v_bias)))
        s = qs @ ks.T / numpy.sqrt(K)
        if causal:
            s = numpy.where(numpy.tril(numpy.ones_like(s)) > 0, s, -numpy.inf)
        p = numpy.exp(s - s.max(axis=1, keepdims=True))
        outputs.append(p / p.sum(axis=1, keepdims=True) @ vs)
    return numpy.concatenate(outputs, axis=1) @ o.T + o_bias


class Values(unittest.TestCase):
    def setUp(self):
        self.arrays = weights()
        self.positional, self.named = split(self.arrays)

    def test_enclosure_of_the_norm(self):
        for mask in ("none", "causal"):
            layer = attcert.layer(*self.positional[1:], **self.named, mask=mask)
            x = self.positional[0]
            norm = numpy.linalg.norm(layer.jacobian(x), 2)
            r = attcert.certify(*self.positional, **self.named, mask=mask, tolerance=1e-9)
            self.assertTrue(r.tolerance_met)
            self.assertLessEqual(r.lower, norm * (1 + 1e-12))
            self.assertGreaterEqual(r.upper, norm * (1 - 1e-12))
            image = layer.jvp(x, r.vector)
            self.assertAlmostEqual(numpy.linalg.norm(image) / numpy.linalg.norm(r.vector), r.lower, delta=1e-9 * norm)

    def test_forward_and_derivatives(self):
        for mask in ("none", "causal"):
            layer = attcert.layer(*self.positional[1:], **self.named, mask=mask)
            x, draw = self.positional[0], numpy.random.default_rng(1).standard_normal
            expected = forward(*self.positional, **self.named, causal=mask == "causal")
            numpy.testing.assert_allclose(layer.forward(x), expected, rtol=1e-12, atol=1e-12)
            dx, dy, jacobian = draw((N, D)), draw((N, D)), layer.jacobian(x)
            numpy.testing.assert_allclose(layer.jvp(x, dx).ravel(), jacobian @ dx.ravel(), rtol=1e-11, atol=1e-11)
            numpy.testing.assert_allclose(layer.vjp(x, dy).ravel(), jacobian.T @ dy.ravel(), rtol=1e-11, atol=1e-11)

    def test_narrow_types_are_exact(self):
        for dtype in (numpy.float16, numpy.float32):
            narrow = {name: a.astype(dtype) for name, a in self.arrays.items()}
            positional, named = split(narrow)
            wide, others = split({name: a.astype(numpy.float64) for name, a in narrow.items()})
            one, other = attcert.certify(*positional, **named), attcert.certify(*wide, **others)
            self.assertEqual((one.lower, one.upper), (other.lower, other.upper))

    def test_batch_of_one_is_said(self):
        x = self.positional[0]
        r = attcert.certify(x[None], *self.positional[1:], **self.named)
        self.assertEqual(r.lower, attcert.certify(*self.positional, **self.named).lower)
        self.assertIn("(1, 6, 8) taken as (6, 8)", repr(r))

    def test_many_inputs(self):
        x, q, k, v = self.positional
        layer = attcert.layer(q, k, v, **self.named)
        for one, many in zip((x, x[:3]), layer.certify_many([x, x[:3]], tolerance=1e-6)):
            alone = layer.certify(one, tolerance=1e-6)
            self.assertEqual((many.lower, many.upper), (alone.lower, alone.upper))
        self.assertEqual(layer.certify_many([]), [])
        with self.assertRaisesRegex(ValueError, "^input 1: "):
            layer.certify_many([x, x[:, 1:]])
        with self.assertRaisesRegex(attcert.ResourceError, "^input 0: ") as refused:
            layer.certify_many([x], memory_limit=1)
        self.assertIsNone(refused.exception.certificate)

    def test_arrays_that_are_not_contiguous(self):
        x, q, k, v = self.positional
        r = attcert.certify(numpy.asfortranarray(x), numpy.repeat(q, 2, axis=1)[:, ::2], k, v, **self.named)
        self.assertEqual(r.upper, attcert.certify(*self.positional, **self.named).upper)

    def test_check(self):
        r = attcert.certify(*self.positional, **self.named)
        inside = attcert.check(*self.positional, **self.named, estimate=r.lower, vector=r.vector)
        self.assertTrue(inside.consistent)
        self.assertLessEqual(inside.direction[0], r.upper)
        self.assertGreaterEqual(inside.direction[1], r.lower)
        for factor, verdict in ((0.5, "below"), (2.0, "above")):
            wrong = attcert.check(*self.positional, **self.named, estimate=factor * r.upper)
            self.assertEqual((wrong.consistent, wrong.verdict, wrong.direction), (False, verdict, None))

    def test_check_of_a_format(self):
        r = attcert.certify(*self.positional, **self.named)
        estimate = r.lower * (1 - 1e-7)
        refuted = attcert.check(*self.positional, **self.named, estimate=estimate)
        self.assertEqual((refuted.consistent, refuted.slack, refuted.within_rounding_of), (False, 0.0, "float32"))
        for dtype in ("float32", numpy.float32, numpy.dtype("float32")):
            allowed = attcert.check(*self.positional, **self.named, estimate=estimate, dtype=dtype)
            self.assertTrue(allowed.consistent)
            self.assertTrue(1e-7 < allowed.slack < 1e-4)
        self.assertFalse(attcert.check(*self.positional, **self.named, estimate=estimate, dtype="float64").consistent)
        with self.assertRaisesRegex(ValueError, "dtype"):
            attcert.check(*self.positional, **self.named, estimate=estimate, dtype="int8")
        with self.assertRaisesRegex(ValueError, "contradict"):
            attcert.check(*self.positional, **self.named, estimate=estimate, dtype="float32", slack=1e-6)

    def test_bounds(self):
        r = attcert.bounds(*self.positional, **self.named)
        for name, bound in r.bounds.items():
            if not numpy.isnan(bound.value) and not bound.is_lower:
                self.assertGreaterEqual(bound.value, r.lower, name)
        self.assertGreaterEqual(len(r.bounds), 9)

    def test_ball(self):
        r = attcert.ball(*self.positional, **self.named, radius=1e-2)
        layer = attcert.layer(*self.positional[1:], **self.named)
        self.assertLessEqual(numpy.linalg.norm(r.ball_input - self.positional[0]), 1e-2 * (1 + 1e-12))
        self.assertGreaterEqual(numpy.linalg.norm(layer.jacobian(r.ball_input), 2), r.ball_lower * (1 - 1e-12))
        self.assertLess(r.ball_lower, r.ball_upper)
        words = attcert.ball(*self.positional, **self.named, radius=1e-2, words=[1], kind="token")
        self.assertLess(words.ball_upper, r.ball_upper)

    def test_json_is_that_of_the_command_line(self):
        report = json.loads(attcert.certify(*self.positional, **self.named).to_json())
        self.assertEqual(report["schema"], "attcert/certify/1")
        self.assertIn("lower_hex", report["lipschitz"])

    def test_printed_ends_are_ends(self):
        for value in (0.1, 1 / 3, 2.0**-60, 123456.789):
            self.assertLessEqual(Decimal(outward(value, False)), Decimal(value))
            self.assertGreaterEqual(Decimal(outward(value, True)), Decimal(value))


class Models(unittest.TestCase):
    def test_layer_and_network(self):
        model = attcert.load("random:bert:16,2,2", seed=1)
        self.assertEqual((model.dim, model.heads, model.layers), (16, 2, 2))
        hidden = model.hidden("src/cli/demo.txt", 6)
        r = model.layer(1).certify(model.layer_input(1, hidden))
        program = os.environ.get("ATTCERT")
        if program:
            line = [program, "certify", "--model", "random:bert:16,2,2", "--seed", "1", "--layer", "1", "--text",
                    "src/cli/demo.txt", "--tokens", "6", "--format", "json"]
            ends = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)["lipschitz"]
            self.assertEqual((float.fromhex(ends["lower_hex"]), float.fromhex(ends["upper_hex"])), (r.lower, r.upper))
        answer = attcert.robust(model, hidden, radius=0.1, words=[2], attack=0)
        self.assertEqual((answer.verdict, answer.certified), ("certified", 0.1))
        self.assertLessEqual(answer.margin[0], answer.margin[1])
        box = attcert.robust(model, hidden, radius=1e-3, words=[2], attack=0, kind="entry")
        self.assertEqual((box.verdict, box.certified), ("certified", 1e-3))
        self.assertGreater(box.gradient[0], answer.gradient[1])
        with self.assertRaisesRegex(ValueError, "kind: expected sequence, .* got 'cube'"):
            attcert.robust(model, hidden, radius=1e-3, kind="cube")

    def test_predictions(self):
        model = attcert.load("random:gpt2:16,2,2", seed=3)
        tokens = model.tokens("src/cli/demo.txt", 4)
        stages = []
        each = model.predict(tokens, "all", top=2, progress=lambda stage, done: stages.append((stage, done)))
        self.assertTrue(each.decided and stages and each.tokens is tokens)
        self.assertEqual([answer.token for answer in each.answers], [0, 1, 2, 3])
        last = model.predict(model.hidden(tokens)).answers
        self.assertEqual((len(last), len(last[0].scores), last[0].label_name), (1, 5, None))
        for answer in each.answers + last:
            (first, one), (second, two) = answer.scores[:2]
            self.assertEqual((answer.label, answer.rival, answer.signs, answer.decided), (first, second, None, True))
            self.assertTrue(0 < answer.margin[0] <= one[1] - two[0] and one[0] - two[1] <= answer.margin[1])
        self.assertEqual(last[0].label, each.answers[3].label)
        self.assertEqual(json.loads(each.to_json())["schema"], "attcert/predict/1")
        self.assertIn("each of 4 answers", str(each))
        self.assertEqual(repr(each), "<attcert: 4 of 4 answers certain>")
        program = os.environ.get("ATTCERT")
        if program:
            line = [program, "predict", "--model", "random:gpt2:16,2,2", "--seed", "3", "--text", "src/cli/demo.txt",
                    "--tokens", "4", "--format", "json"]
            told = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)["answers"][0]
            self.assertEqual((told["label"], tuple(told["margin"])), (last[0].label, last[0].margin))
        bert = attcert.load("random:bert:8,2,1", seed=1)
        bad = {"positions": lambda: model.predict(tokens, "some"), "top": lambda: model.predict(tokens, top=0),
               "not all": lambda: model.predict(tokens, "all", token=1), "expected last": lambda: bert.predict([[0.5] * 8], "all")}
        for pattern, call in bad.items():
            with self.assertRaisesRegex(ValueError, pattern):
                call()


class TokensOfAModel(unittest.TestCase):
    """With a WordPiece vocabulary beside a random model."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.text, self.vocabulary = os.path.join(folder.name, "text"), os.path.join(folder.name, "vocab.txt")
        with open(self.vocabulary, "w") as file:
            file.write("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "good", "7", "movie", "##s"]) + "\n")
        with open(self.text, "w") as file:
            file.write("good movies 7\n")
        self.model = attcert.load("random:bert:16,2,2", seed=1)
        self.tokens = self.model.tokens(self.text, tokenizer=self.vocabulary)

    def test_a_text(self):
        listed = [(2, "[CLS]"), (4, "good"), (6, "movie"), (7, "##s"), (5, "7"), (3, "[SEP]")]
        self.assertEqual(list(self.tokens), listed)
        self.assertTrue(self.tokens.special)
        self.assertEqual(self.tokens.ids, [2, 4, 6, 7, 5, 3])
        self.assertEqual(repr(self.tokens), "<attcert: 6 tokens:  0 [CLS]  1 good  2 movie  3 ##s  4 7  5 [SEP]>")
        plain = self.model.tokens(self.text, 2, offset=1, tokenizer=self.vocabulary, special_tokens=False)
        self.assertEqual((plain.ids, plain.special), ([6, 7], False))
        self.assertIn("(36 more)", repr(self.model.tokens([65] * 100)))

    def test_ids(self):
        for ids in ([65, 300], (65, 300), numpy.array([[65, 300]])):
            self.assertEqual(list(self.model.tokens(ids)), [(65, "A"), (300, None)])
        for bad in ([], [-1], [30522], [2**31], [2**70]):
            with self.assertRaises(ValueError):
                self.model.hidden(bad)
        with self.assertRaises(TypeError):
            self.model.tokens([1.5])

    def test_hidden_states(self):
        expected = self.model.hidden(self.tokens)
        numpy.testing.assert_array_equal(self.model.hidden([2, 4, 6, 7, 5, 3]), expected)
        numpy.testing.assert_array_equal(self.model.hidden(self.text, tokenizer=self.vocabulary), expected)
        plain = self.model.hidden(self.text, 3, tokenizer=self.vocabulary, special_tokens=False)
        self.assertEqual(plain.shape, (3, 16))

    def test_words_by_name(self):
        answer = attcert.robust(self.model, self.tokens, radius=1e-3, words=["movies", "7", 1], attack=0)
        other = attcert.robust(self.model, self.model.hidden(self.tokens), radius=1e-3, words=[1, 2, 3, 4], attack=0)
        self.assertEqual((answer.margin, answer.gradient), (other.margin, other.gradient))
        self.assertIs(answer.tokens, self.tokens)
        self.assertIsNone(other.tokens)
        report = json.loads(answer.to_json())
        self.assertEqual((report["words"], report["tokens"][1]), ([1, 2, 3, 4], {"id": 4, "text": "good"}))
        self.assertTrue(report["source"]["special_tokens"])
        wrong = {("film",): "none of the tokens", ("movie", 2): "there twice", ("a,b\"c",): "none of the tokens"}
        for words, pattern in wrong.items():
            with self.assertRaisesRegex(ValueError, pattern):
                attcert.robust(self.model, self.tokens, radius=1e-3, words=words)
        with self.assertRaisesRegex(ValueError, "texts of the tokens are not known"):
            attcert.robust(self.model, self.model.hidden(self.tokens), radius=1e-3, words=["good"])

    def test_a_layer_and_its_tokens(self):
        x, layer = self.model.layer_input(1, self.model.hidden(self.tokens)), self.model.layer(1)
        named = attcert.ball(layer, x, radius=1e-3, words=["movies"], tokens=self.tokens)
        self.assertEqual(named.ball_upper, layer.ball(x, 1e-3, words=[2, 3]).ball_upper)
        for r in (named, layer.certify(x, tokens=self.tokens), layer.bounds(x, tokens=self.tokens),
                  layer.check(x, 1.0, tokens=self.tokens)):
            self.assertEqual(r.to_dict()["tokens"][3], {"id": 7, "text": "##s"})
        self.assertNotIn("tokens", layer.certify(x).to_dict())
        with self.assertRaisesRegex(ValueError, "tokens: 6 of them, expected one for each of the input's 5 rows"):
            layer.certify(x[:5], tokens=self.tokens)


def bert_folder(folder, architecture, **keys):
    """A BERT of one layer, d = 4, with pooler and three labels; its tensors by name."""
    draw = numpy.random.default_rng(1).standard_normal
    block = "encoder.layer.0."
    sizes = {block + "intermediate.dense": (6, 4), block + "output.dense": (4, 6), "pooler.dense": (4, 4),
             block + "attention.output.dense": (4, 4), "classifier": (3, 4), block + "output.LayerNorm": (4,),
             block + "attention.output.LayerNorm": (4,)}
    sizes |= {f"{block}attention.self.{part}": (4, 4) for part in ("query", "key", "value")}
    tensors = {f"{name}.weight": draw(size) for name, size in sizes.items()}
    tensors |= {f"{name}.bias": draw(size[:1]) for name, size in sizes.items()}
    header, data = {}, b""
    for name, numbers in tensors.items():
        end = len(data) + numbers.nbytes
        header[name] = {"dtype": "F64", "shape": numbers.shape, "data_offsets": [len(data), end]}
        data += numbers.tobytes()
    text = json.dumps(header).encode()
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    config = {"model_type": "bert", "architectures": [architecture], "hidden_size": 4, "num_attention_heads": 1,
              "num_hidden_layers": 1, "intermediate_size": 6, "hidden_act": "relu", "layer_norm_eps": 0.5, **keys}
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    return tensors


def bert_states(t, x):
    """The hidden states after its block, in numpy."""
    linear = lambda x, name: x @ t[name + ".weight"].T + t[name + ".bias"]  # noqa: E731

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + 0.5) * t[name + ".weight"] + t[name + ".bias"]

    block = "encoder.layer.0."
    q, k, v = (linear(x, f"{block}attention.self.{part}") for part in ("query", "key", "value"))
    weights = numpy.exp(q @ k.T / 2.0)
    attended = weights / weights.sum(-1, keepdims=True) @ v
    x = norm(x + linear(attended, block + "attention.output.dense"), block + "attention.output.LayerNorm")
    y = linear(numpy.maximum(linear(x, block + "intermediate.dense"), 0.0), block + "output.dense")
    return norm(x + y, block + "output.LayerNorm")


class Heads(unittest.TestCase):
    """Which answer a folder gives: of a token, of a sequence, by name, of several labels."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.hidden = numpy.random.default_rng(2).standard_normal((3, 4))

    def ask(self, written, keys={}, **options):
        t = bert_folder(self.folder.name, written, **keys)
        answer = attcert.robust(attcert.load(self.folder.name), self.hidden, radius=1e-6, attack=0, **options)
        states = bert_states(t, self.hidden)
        self.assertEqual(answer.verdict, "certified")
        return answer, t, states

    def expect_margin(self, answer, scores):
        order = numpy.argsort(-scores)
        self.assertEqual((answer.label, answer.rival), (order[0], order[1]))
        self.assertLess(abs(answer.margin[0] - (scores[order[0]] - scores[order[1]])), 1e-9)

    def test_token(self):
        for token in range(3):
            answer, t, states = self.ask("BertForTokenClassification", token=token)
            self.assertEqual((answer.token, answer.label_name), (token, None))
            self.expect_margin(answer, states[token] @ t["classifier.weight"].T + t["classifier.bias"])
        for token in (None, 3, -1):
            with self.assertRaisesRegex(ValueError, "token"):
                self.ask("BertForTokenClassification", token=token)

    def scores(self, t, states):
        pooled = numpy.tanh(states[0] @ t["pooler.dense.weight"].T + t["pooler.dense.bias"])
        return pooled @ t["classifier.weight"].T + t["classifier.bias"]

    def test_names(self):
        keys = {"id2label": {"0": "red", "1": "green", "2": "blue"}}
        answer, t, states = self.ask("BertForSequenceClassification", keys)
        self.expect_margin(answer, self.scores(t, states))
        names = list(keys["id2label"].values())
        self.assertEqual((answer.label_name, answer.rival_name), (names[answer.label], names[answer.rival]))
        self.assertIn(f"label {answer.label_name} within", repr(answer))
        same, _, _ = self.ask("BertForSequenceClassification", keys, label=answer.label_name)
        self.assertEqual(same.margin, answer.margin)
        with self.assertRaisesRegex(ValueError, "yellow"):
            self.ask("BertForSequenceClassification", keys, label="yellow")

    def test_signs(self):
        keys = {"problem_type": "multi_label_classification"}
        answer, t, states = self.ask("BertForSequenceClassification", keys)
        scores = self.scores(t, states)
        self.assertEqual(answer.signs, {k: bool(score > 0) for k, score in enumerate(scores)})
        self.assertLess(abs(answer.margin[0] - min(abs(scores))), 1e-9)
        self.assertEqual((answer.label, answer.rival), (None, numpy.argmin(abs(scores))))
        for label in range(3):
            one, _, _ = self.ask("BertForSequenceClassification", keys, label=label)
            self.assertEqual(one.signs, {label: bool(scores[label] > 0)})
            self.assertLess(abs(one.margin[0] - abs(scores[label])), 1e-9)

    def test_class(self):
        with self.assertRaisesRegex(ValueError, "BertModel, which has no head"):
            self.ask("BertModel")
        answer, t, states = self.ask("BertModel", architecture="BertForSequenceClassification")
        self.expect_margin(answer, self.scores(t, states))
        with self.assertRaisesRegex(ValueError, "BertForPreTraining"):
            self.ask("BertForPreTraining")


class Modules(unittest.TestCase):
    """Objects with the parameters of torch's and Hugging Face's layers; torch itself where it is. Their classes are in
    test_module_classes.py."""

    def setUp(self):
        self.arrays = weights()
        self.positional, self.named = split(self.arrays)

    def module(self, parameters, /, **attributes):
        made = types.SimpleNamespace(named_parameters=lambda: parameters.items(), **attributes)
        if "inner" in attributes:
            made.self = made.inner
        return made

    def expect(self, module, assume, **options):
        r = attcert.certify(module, self.positional[0], assume=assume, **options)
        expected = attcert.certify(*self.positional, **self.named, **({"mask": "none"} | options))
        self.assertEqual((r.lower, r.upper), (expected.lower, expected.upper))
        self.assertIn(f"assumed to be {assume}; SimpleNamespace was not run", r.note)

    def test_multihead_attention(self):
        a = self.arrays
        whole = {"in_proj_weight": numpy.concatenate([a["q"], a["k"], a["v"]]),
                 "in_proj_bias": numpy.concatenate([a["q_bias"], a["k_bias"], a["v_bias"]]),
                 "out_proj.weight": a["o"], "out_proj.bias": a["o_bias"]}
        self.expect(self.module(whole, num_heads=H), "multihead")
        self.expect(self.module(whole, num_heads=H), "multihead", mask="causal")

    def test_bert(self):
        a = self.arrays
        inner = {f"{name}.{kind}": a[name[0] + suffix]
                 for name in ("query", "key", "value") for kind, suffix in (("weight", ""), ("bias", "_bias"))}
        outer = {f"self.{name}": array for name, array in inner.items()}
        outer.update({"output.dense.weight": a["o"], "output.dense.bias": a["o_bias"]})
        self.expect(self.module(outer, inner=types.SimpleNamespace(num_attention_heads=H)), "bert")
        inner["gate.weight"] = a["o"]
        r = attcert.certify(self.module(inner, num_attention_heads=H), self.positional[0], assume="bert")
        named = {**self.named, "o": None, "o_bias": None}
        self.assertEqual(r.upper, attcert.certify(*self.positional, **named).upper)
        self.assertIn("assumed to be bert, gate.weight unread", r.note)

    def test_gpt2(self):
        a = self.arrays
        whole = {"c_attn.weight": numpy.concatenate([a["q"], a["k"], a["v"]]).T,
                 "c_attn.bias": numpy.concatenate([a["q_bias"], a["k_bias"], a["v_bias"]]),
                 "c_proj.weight": a["o"].T, "c_proj.bias": a["o_bias"]}
        self.expect(self.module(whole, num_heads=H), "gpt2", mask="causal")
        r = attcert.certify(self.module(whole, num_heads=H), self.positional[0], assume="gpt2")
        self.assertEqual(r.upper, attcert.certify(*self.positional, **self.named, mask="causal").upper)

    def test_others_are_refused(self):
        module = self.module({"weight": self.arrays["o"]}, num_heads=H, num_attention_heads=H)
        for options, pattern in (({}, "none of those whose function is known"),
                                 ({"assume": "bart"}, "the parameters weight, expected those of 'bart'"),
                                 ({"assume": "bert"}, "the parameters weight, expected those of 'bert'"),
                                 ({"assume": "llama"}, "assume: 'llama', expected one of albert, bart, bert")):
            with self.assertRaisesRegex(ValueError, f"^SimpleNamespace: .*{pattern}"):
                attcert.certify(module, self.positional[0], **options)

    def test_torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no torch")
        attention = torch.nn.MultiheadAttention(D, H, batch_first=True, dtype=torch.float64)
        x = torch.from_numpy(self.positional[0])
        r = attcert.certify(attention, x[None])

        def f(flat):
            tokens = flat.reshape(1, N, D)
            return attention(tokens, tokens, tokens, need_weights=False)[0].reshape(-1)

        norm = torch.linalg.matrix_norm(torch.autograd.functional.jacobian(f, x.reshape(-1)), 2).item()
        self.assertLessEqual(r.lower, norm * (1 + 1e-12))
        self.assertGreaterEqual(r.upper, norm * (1 - 1e-12))
        numpy.testing.assert_allclose(attcert.layer_of(attention).forward(x), f(x.reshape(-1)).detach().reshape(N, D),
                                      rtol=1e-12, atol=1e-12)
        half = attcert.certify(attention.to(torch.bfloat16), x.to(torch.bfloat16))
        self.assertLess(half.lower, half.upper)


class Refusals(unittest.TestCase):
    def setUp(self):
        self.positional, self.named = split(weights())

    def refused(self, pattern, *arguments, **options):
        with self.assertRaisesRegex(ValueError, pattern):
            attcert.certify(*arguments, **options)

    def test_types_and_shapes(self):
        x, q, k, v = self.positional
        self.refused("input: dtype int64, expected float64", x.astype(numpy.int64), q, k, v)
        self.refused("query.weight: dtype complex128", x, q.astype(complex), k, v)
        self.refused(r"input: shape \(8,\)", x[0], q, k, v)
        self.refused(r"input: shape \(2, 6, 8\)", numpy.stack([x, x]), q, k, v)
        self.refused("input: tokens of dimension 3", x[:, :3], q, k, v)
        self.refused("input: 'x', expected an array", "x", q, k, v)
        self.refused("nan, expected a finite number", x * numpy.nan, q, k, v)
        self.refused("heads", x, q, k, v, heads=3)
        self.refused("heads|key.weight", x, q, k[:4], v)

    def test_options(self):
        self.refused("mask: expected none, causal or booleans", *self.positional, mask="full")
        self.refused("tolerance", *self.positional, tolerance=-1.0)
        self.refused("engine", *self.positional, engine="fast")
        with self.assertRaisesRegex(TypeError, "unknown argument 'toleranse', expected 'tolerance'"):
            attcert.certify(*self.positional, toleranse=1.0)
        with self.assertRaisesRegex(TypeError, "3 arguments"):
            attcert.certify(*self.positional[:3])
        with self.assertRaisesRegex(ValueError, "config.json"):
            attcert.load("/nonexistent")
        with self.assertRaisesRegex(ValueError, "layer 7: expected one of 0 to 1"):
            attcert.load("random:bert:16,2,2").layer(7)

    def test_memory(self):
        draw = numpy.random.default_rng(3).standard_normal
        x, q, k, v = draw((64, 64)), draw((64, 64)), draw((64, 64)), draw((64, 64))
        with self.assertRaises(MemoryError) as raised:
            attcert.certify(x, q, k, v, engine="dense", memory_limit=1e6)
        certificate = raised.exception.certificate
        if certificate is not None:
            self.assertLessEqual(certificate.lower, certificate.upper)


class Running(unittest.TestCase):
    def test_threads_agree_to_the_bit(self):
        cases = [split(weights(seed)) for seed in range(8)]
        expected = [attcert.certify(*positional, **named) for positional, named in cases]
        results = [None] * len(cases)

        def work(i):
            positional, named = cases[i]
            results[i] = attcert.certify(*positional, **named)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(cases))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one, other in zip(results, expected):
            self.assertEqual((one.lower, one.upper), (other.lower, other.upper))

    def test_progress_and_what_it_raises(self):
        positional, named = split(weights())
        stages = []
        attcert.certify(*positional, **named, progress=lambda stage, done: stages.append((stage, done)))
        self.assertTrue(stages and all(0.0 <= done <= 1.0 for _, done in stages))

        class Stop(Exception):
            pass

        def stop(stage, done):
            raise Stop

        with self.assertRaises(Stop):
            attcert.certify(*positional, **named, progress=stop)

    def test_interrupt(self):
        script = textwrap.dedent("""
            import numpy, attcert
            draw = numpy.random.default_rng(0).standard_normal
            print("begun", flush=True)
            try:
                attcert.certify(draw((40, 64)), *(draw((64, 64)) for _ in range(3)), engine="mpfr")
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        """)
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "begun\n")
        time.sleep(1.0)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        self.assertEqual((out, child.returncode), ("interrupted\n", 0))


if __name__ == "__main__":
    unittest.main()

"""Calls for mypy, which finds an error in each line that ends with `# wrong`, and in no other (test_python_types.sh)."""

import numpy
import torch

import attcert

x = q = k = v = numpy.eye(3)
model = attcert.load("random:bert")
network = attcert.from_onnx("net.onnx")

right: float = attcert.certify(x, q, k, v, heads=1, mask="causal", tolerance=1e-6, memory_limit="2G").upper
attcert.certify(x=x, q=q, k=k, v=v, engine="mpfr", progress=True)
attcert.certify(torch.nn.Linear(3, 3), torch.zeros(3, 3))
attcert.certify(model.layer(0), x, scratch="/tmp")
attcert.certify([[1.0]], [[1.0]], [[1.0]], [[1.0]], context=x, by="both")
attcert.ball(x, q, k, v, radius=0.1, kind="token", words=[1, "film"])
attcert.check(x, q, k, v, estimate="0x1p3", dtype="float32").direction
attcert.robust(model, model.tokens(text="film"), radius=0.1, norm="inf", mask=numpy.ones(3, bool)).rows()
attcert.worst(q, k, v, tokens=3, radius_of_inputs=1.0).on_ball[1].is_integer()
model.predict([1, 2, 3], "all").answers[0].margin[0].is_integer()
network.robust(x, 0.1, norm=2).verdict.upper()

attcert.certify("hello")  # wrong
attcert.certify("hello", q, k, v)  # wrong
attcert.certify(x)  # wrong
attcert.certify(x, q, k, v, headz=2)  # wrong
attcert.certify(x, q, k, v, heads="2")  # wrong
attcert.certify(x, q, k, v, heads=2.0)  # wrong
attcert.certify(x, q, k, v, mask="full")  # wrong
attcert.certify(x, q, k, v, mask=True)  # wrong
attcert.certify(x, q, k, v, engine="fast")  # wrong
attcert.certify(x, q, k, v, tolerance="1e-6")  # wrong
attcert.certify(x, q, k, v, threads="4")  # wrong
attcert.certify(x, q, k, v, by="x")  # wrong
attcert.certify(x, q, k, v).uper  # wrong
attcert.ball(x, q, k, v, radius=0.1, kind=3)  # wrong
attcert.ball(x, q, k, v, radius=0.1, kind="linf")  # wrong
attcert.ball(x, q, k, v)  # wrong
attcert.ball(x, q, k, v, radius="0.1")  # wrong
attcert.check(x, q, k, v)  # wrong
attcert.check(x, q, k, v, estimate=None)  # wrong
attcert.bounds(x, q, k, v, context=x)  # wrong
attcert.layer(q, k)  # wrong
attcert.load(7)  # wrong
attcert.robust("DIR", x)  # wrong
attcert.robust(model, "h.npy")  # wrong
attcert.robust(model, x, norm=3)  # wrong
attcert.robust(model, x, execution="fp16")  # wrong
attcert.worst(q, k, v, tokens=3)  # wrong
attcert.sweep("DIR", 0, "t.txt")  # wrong
attcert.norm(q, q, (3, 3))  # wrong
attcert.spectrum(x, q, k, v, heads="all")  # wrong
model.layer("0")  # wrong
model.certify(0, x, "blok")  # wrong
model.predict(x, "some")  # wrong
model.layer(0).forward("x")  # wrong
network.gradient(x, tolerance=1.0)  # wrong

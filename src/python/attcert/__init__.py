"""Rigorous two-sided enclosures of the local Lipschitz constant of an attention layer.

    import attcert
    r = attcert.certify(x, q, k, v, heads=12, o=wo, mask="causal", tolerance=1e-6)
    r.lower, r.upper, r.estimate, r.vector

    attcert.certify(x, q, k, v, context=z, by="both")   # cross-attention
    attcert.certify(multihead_attention, x)          # torch.nn.MultiheadAttention and others: attcert.layer_of
    attcert.check(x, q, k, v, estimate=9.41, vector=u)
    attcert.bounds(x, q, k, v)                       # the bounds T1 - T10 of the theory
    attcert.ball(x, q, k, v, radius=1e-2)            # the largest constant of a ball around x
    attcert.worst(q, k, v, tokens=8, radius_of_inputs=10)       # the worst input that a search finds
    attcert.spectrum(x, q, k, v)                     # eigenvalues of each head's Q^T K
    attcert.norm(lambda x: a @ x, lambda y: a.T @ y, a.shape)   # of any operator, from products with it
    attcert.load("DIR").layer(3).certify(x)
    attcert.load("DIR").certify(3, x, "block")       # a whole layer, or network: Model.certify
    attcert.sweep(attcert.load("DIR"), 3, "review.txt", n=(2, 16, 2))
    attcert.robust(attcert.load("DIR"), hidden, radius=0.1)
    attcert.load("DIR").predict(hidden, "all")       # the answer at each token, certified: Model.predict
    m = attcert.load("DIR"); attcert.robust(m, m.tokens(text="A fine film."), words=["film"])
    m.gradient(m.tokens("review.txt")), m.robust_dataset("reviews.csv", radius=1e-2)
    attcert.from_onnx("net.onnx").robust(x, radius=1e-2)

Arrays are numpy's, or anything with __array__ or __dlpack__ (PyTorch); float64, float32, float16 and bfloat16 are taken
exactly; arrays that hold more than numbers (a mask) are refused. Bad input raises ValueError or TypeError with the
argument, and what was expected; what memory does not reach for, ResourceError; Ctrl-C, or an exception of the progress
function, ends a run. Long calls release the interpreter's lock.

Results: str() is the report of the command line, repr() one line; to_json(), to_dict() and rows() (for
pandas.DataFrame); they can be pickled, and attcert.from_json reads a report. Notebooks show certificates as pictures.
norm, spectrum, worst, sweep, gradient and data sets compute as `python -m attcert` does.

The claim: the weights and inputs are exactly the numbers given; the enclosure is of the mathematical function in exact
arithmetic."""

from .answers import Answer, Gradient, Prediction
from .datasets import Dataset
from .functions import ball, bounds, certify, check
from .layers import Layer, layer
from .library import AttcertError, FaultError, ResourceError, version
from .models import Model, load
from .modules import is_module, layer_of
from .networks import from_json, gradient, predict, robust, robust_dataset
from .norms import Norm, norm
from .onnx import OnnxNetwork, from_onnx
from .reports import Report
from .results import Ball, Bound, Certificate, Check
from .robustness import Robustness
from .searches import Sweep, Worst, sweep, worst
from .spectra import Disc, HeadSpectrum, Spectrum, spectrum
from .tokens import Token, Tokens

__version__ = version()
__all__ = ["Answer", "AttcertError", "Ball", "Bound", "Certificate", "Check", "Dataset", "Disc", "FaultError",
           "Gradient", "HeadSpectrum", "Layer", "Model", "Norm", "OnnxNetwork", "Prediction", "Report", "ResourceError",
           "Robustness", "Spectrum", "Sweep", "Token", "Tokens", "Worst", "ball", "bounds", "certify", "check",
           "from_json", "from_onnx", "gradient", "is_module", "layer", "layer_of", "load", "norm", "predict", "robust",
           "robust_dataset", "spectrum", "sweep", "version", "worst"]

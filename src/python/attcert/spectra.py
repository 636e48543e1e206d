"""The eigenvalues of heads, enclosed."""

from typing import Any, NamedTuple, Optional, Union

from .arguments import named
from .arrays import Array
from .choices import Assumed, Mask
from .functions import Asked, taken
from .layers import Layer
from .program import Question
from .reports import Report, flat
from .safetensors import write_tensors


class Disc(NamedTuple):
    """`multiplicity` eigenvalues are within `radius` of `center`."""

    center: complex
    radius: float
    multiplicity: int


class HeadSpectrum:
    """What was found of W = Q^T K of one head: head, its number; eigenvalues, a list of Disc; and by the names of the
    report of `attcert spectrum` its other entries (trace, frobenius, norm, spectral_radius, eigenvalue_mean, entropy,
    ..), enclosures as (lower, upper)."""

    def __init__(self, report: dict[str, Any]):
        self._report = report
        self.head: int = report["head"]
        self.eigenvalues = [Disc(complex(disc["re"], disc["im"]), disc["radius"], disc["multiplicity"])
                            for disc in report["eigenvalues"]]

    def __getattr__(self, name: str) -> Any:
        report = self.__dict__.get("_report", {})
        if name not in report:
            raise AttributeError(f"{name}: expected one of {', '.join(report)}")
        value = report[name]
        return tuple(value) if isinstance(value, list) and len(value) == 2 else value

    def __repr__(self) -> str:
        return f"<attcert: head {self.head}, {sum(disc.multiplicity for disc in self.eigenvalues)} eigenvalues>"


class Spectrum(Report):
    """The spectra of a layer's heads: heads, a list of HeadSpectrum. rows() has a row for each eigenvalue."""

    def __init__(self, report: str, text: str = ""):
        super().__init__(report, text or report)
        self.heads = [HeadSpectrum(head) for head in self.to_dict()["heads"]]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each disc: the head, its real and imaginary part, radius and multiplicity."""
        return [{"head": head["head"], **flat(disc, "re", "im", "radius", "multiplicity")}
                for head in self.to_dict()["heads"] for disc in head["eigenvalues"]]

    def _summary(self) -> str:
        return f"eigenvalues of {len(self.heads)} heads"


def write_layer(question: Question, layer: Layer) -> None:
    """The options that name a layer. ValueError: one that files do not hold."""
    if layer._pairs[0] is not None or layer._pairs[1] is not None:
        raise ValueError("mask and bias: of pairs, expected \"none\" or \"causal\"")
    if layer._stored is not None:
        question.extend(layer._stored)
    else:
        name = question.file("layer.safetensors")
        arrays = {part: array.reshape(-1) if part.endswith("bias") else array for part, array in layer._arrays.items()}
        write_tensors(name, arrays, {"num_heads": str(layer._heads)})
        question.option("weights", name)
    question.option("mask", layer._mask)
    question.option("heads", layer._head)


@named
def spectrum(x: Union[Asked, None], q: Optional[Array] = None, k: Optional[Array] = None, v: Optional[Array] = None, *,
             heads: Optional[int] = None, o: Optional[Array] = None, q_bias: Optional[Array] = None,
             k_bias: Optional[Array] = None, v_bias: Optional[Array] = None, o_bias: Optional[Array] = None,
             mask: Optional[Mask] = None, head: Optional[int] = None, assume: Optional[Assumed] = None,
             fold_layernorm: bool = False, propagation: bool = False, length: Optional[int] = None,
             samples: Optional[int] = None, seed_of_walks: Optional[int] = None) -> Spectrum:
    """Encloses the eigenvalues of W = Q^T K of each head (`attcert spectrum`), and with an input the entropy of each
    row of attention.

    spectrum(x, q, k, v), spectrum(module, x), spectrum(layer, x)   as certify
    spectrum(None, q, k, v), spectrum(layer)                        without an input
    fold_layernorm    of a model's layer: diag(gamma) Q^T K diag(gamma), gamma of the LayerNorm before it
    propagation       the signal propagation probability of random walks of `length` tokens (64), beside `samples` of
                      them (1000) from the seed seed_of_walks (0)"""
    one, at = taken("spectrum", x, q, k, v, {"heads": heads, "o": o, "q_bias": q_bias, "k_bias": k_bias,
                                             "v_bias": v_bias, "o_bias": o_bias, "mask": mask, "head": head,
                                             "assume": assume})
    if at is not None:
        one._asked(at)  # its shape; a module is compared with the layer
    with Question("spectrum") as question:
        write_layer(question, one)
        question.array("input", None if at is None else one._tokens("input", at))
        question.option("fold-layernorm", bool(fold_layernorm))
        question.option("propagation", bool(propagation))
        question.integers(length=length, samples=samples, seed_of_walks=seed_of_walks)
        return Spectrum(question.answer())

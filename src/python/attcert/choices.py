"""Names that arguments take one of."""

from typing import Literal

Engine = Literal["auto", "mpfr", "dense", "deflated", "pointwise", "random"]
Mask = Literal["none", "causal"]
By = Literal["queries", "context", "both"]
Kind = Literal["sequence", "token", "entry"]
Power = Literal[2, "2", "inf", 1, "1"]
Format = Literal["float64", "float32", "float16", "bfloat16"]
Execution = Literal["exact", "float64", "float32", "bfloat16", "float16"]
Function = Literal["attention", "sublayer", "block", "network", "logits"]
Positions = Literal["last", "all"]
Assumed = Literal["multihead", "bert", "albert", "vit", "distilbert", "gpt2", "gpt_neo", "bart"]

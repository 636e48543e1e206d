#!/usr/bin/env python3
"""The published power iteration, run by PyTorch and checked by attcert: a row for each start and format.

usage: power_iteration.py MODEL LAYER INPUT.npy RULE STARTS >ROWS.csv

MODEL is a Hugging Face folder (config.json, model.safetensors with float32 tensors), or random:bert, whose layer has
BERT-base's size, weights N(0, 0.02^2) and no biases; INPUT.npy the input of the layer's attention (random:bert: the
number n of tokens, drawn and normalised). RULE is that of the published experiments of "How Smooth Is Attention?":
bert, gpt2 or random. The layer is torch.nn.MultiheadAttention, the products are JVP and VJP by autograd, and the
enclosure is of the numbers in float32 that PyTorch is given, which doubles hold.

MODEL,LAYER,n,RULE,START,FORMAT,STEPS,STOPPED,ESTIMATE,LOWER,UPPER,BELOW: STOPPED says whether the rule stopped it or its
steps ran out, BELOW how far the estimate is below the certified lower end, relative to it (0: not below).

Exit status 1 where an estimate is above the certified upper end by more than its format rounds, or where the layer's
output is not that of attcert's reference implementation to the rounding of float32."""
import json
import sys
from pathlib import Path

import numpy
import torch

import attcert

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bounds" / "programs"))
from safetensors_file import read_safetensors  # noqa: E402

# Change of the square of the norm that stops it, and most steps.
RULES = {"bert": (1e-4, 100), "gpt2": (5e-4, 500), "random": (1e-3, 1000)}
ROUNDING = {torch.float32: 1e-4, torch.float64: 1e-9}


def attention(dim, heads, query, key, value, output):
    """MultiheadAttention of four (weight, bias) pairs."""
    layer = torch.nn.MultiheadAttention(dim, heads, batch_first=True)
    parameters = {"in_proj_weight": torch.cat([query[0], key[0], value[0]]), "out_proj.weight": output[0],
                  "in_proj_bias": torch.cat([query[1], key[1], value[1]]), "out_proj.bias": output[1]}
    layer.load_state_dict(parameters)
    return layer


def stored_layer(folder, index):
    """The layer of a BERT or GPT-2, and whether it is causal."""
    config = json.loads(Path(folder, "config.json").read_text())
    tensors = {name.removeprefix("bert.").removeprefix("transformer."): t
               for name, t in read_safetensors(Path(folder, "model.safetensors")).items()}
    if config["model_type"] == "bert":
        at = f"encoder.layer.{index}.attention"
        pairs = [(tensors[f"{at}.{part}.weight"], tensors[f"{at}.{part}.bias"])
                 for part in ("self.query", "self.key", "self.value", "output.dense")]
        return attention(config["hidden_size"], config["num_attention_heads"], *pairs), False
    weight, bias = (tensors[f"h.{index}.attn.c_attn.{kind}"] for kind in ("weight", "bias"))
    pairs = list(zip(weight.T.chunk(3), bias.chunk(3)))
    pairs.append((tensors[f"h.{index}.attn.c_proj.weight"].T, tensors[f"h.{index}.attn.c_proj.bias"]))
    return attention(config["n_embd"], config["n_head"], *pairs), True


def random_layer(n):
    torch.manual_seed(0)
    pairs = [(0.02 * torch.randn(768, 768), torch.zeros(768)) for _ in range(4)]
    return attention(768, 12, *pairs), torch.nn.functional.layer_norm(torch.randn(n, 768), (768,))


def iterate(layer, x, mask, rule, start):
    """The estimate, the steps, whether the rule stopped them."""
    change, most = RULES[rule]

    def f(tokens):
        return layer(tokens, tokens, tokens, need_weights=False, attn_mask=mask)[0]

    u = torch.randn(x.shape, generator=torch.Generator().manual_seed(start), dtype=torch.float64).to(x.dtype)
    square = torch.zeros((), dtype=x.dtype)
    for step in range(1, most + 1):
        u = u / u.norm()
        image = torch.autograd.functional.jvp(f, x, u)[1]
        previous, square = square, image.square().sum()
        if abs(square - previous) < change:
            return square.sqrt().item(), step, True
        u = torch.autograd.functional.vjp(f, x, image)[1]
    return square.sqrt().item(), most, False


def main():
    model, index, source, rule, starts = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])
    if model == "random:bert":
        layer, x = random_layer(int(source))
        causal = False
    else:
        layer, causal = stored_layer(model, index)
        x = torch.from_numpy(numpy.load(source)).float()
    n = x.shape[0]
    certified = attcert.layer_of(layer, mask="causal" if causal else "none")
    r = certified.certify(x, tolerance=1e-9)
    failed = False
    for dtype in (torch.float32, torch.float64):
        mask = torch.full((n, n), -torch.inf, dtype=dtype).triu(1) if causal else None
        layer, tokens = layer.to(dtype), x.to(dtype)[None]
        output = layer(tokens, tokens, tokens, need_weights=False, attn_mask=mask)[0][0].detach().double().numpy()
        reference = certified.forward(x)
        if abs(output - reference).max() > ROUNDING[dtype] * abs(reference).max():
            print(f"{model}, layer {index}: PyTorch's output differs from the reference", file=sys.stderr)
            failed = True
        for start in range(starts):
            estimate, steps, stopped = iterate(layer, tokens, mask, rule, start)
            below = max(0.0, (r.lower - estimate) / r.lower)
            if estimate > r.upper * (1.0 + ROUNDING[dtype]):
                print(f"{model}, layer {index}: {estimate} is above {r.upper}", file=sys.stderr)
                failed = True
            print(Path(model).name, index, n, rule, start, str(dtype).removeprefix("torch."), steps,
                  "rule" if stopped else "steps", f"{estimate:.9g}", f"{r.lower:.17g}", f"{r.upper:.17g}", f"{below:.3g}",
                  sep=",")
    sys.exit(failed)


if __name__ == "__main__":
    main()

"""Stand-ins for attention classes of transformers, as public_modules has them: those of GPT-2, BART, CLIP, GPT-Neo."""

from types import SimpleNamespace

import numpy
import public_modules as public
from public_modules import PLACES, attend, from_numpy, linear, nn, torch


def triangle():
    return from_numpy(numpy.tri(PLACES, dtype=bool)[None, None])


def hidden(seen, like):
    """What is added to scores by a mask of the pairs that are seen."""
    n = like.shape[1]
    return like.new_zeros(1, 1, n, n).masked_fill(~seen[:, :, :n, :n], torch.finfo(like.dtype).min)


def attend_in_float32(q, k, v, heads, scale, mask=None, bias=None):
    """As attend, with scores in float32, which masks must not change."""
    q, k, v = (public.split(y, heads) for y in (q, k, v))
    scores = q.float() @ k.float().transpose(-1, -2) * scale
    scores = scores + (0.0 if bias is None else bias.float())
    scores = scores + (0.0 if mask is None else mask)
    if scores.dtype != torch.float32:
        raise RuntimeError("scores are not in float32")
    return public.merged(torch.softmax(scores, dim=-1).to(v.dtype) @ v)


class Conv1D(nn.Module):
    def __init__(self, weight, bias):
        super().__init__()
        self.nf, self.nx = weight.shape
        self.weight = nn.Parameter(from_numpy(numpy.ascontiguousarray(weight.T)))
        self.bias = nn.Parameter(from_numpy(bias))

    def forward(self, x):
        return x @ self.weight + self.bias


Conv1D.__module__ = "transformers.pytorch_utils"


class GPT2Attention(nn.Module):
    def __init__(self, a, heads, masks=True, scaled=True, by_index=False, layer=0, cross=False, reorder=False):
        super().__init__()
        d, rows = a["q"].shape[1], a["q"].shape[0]
        if masks:
            self.register_buffer("bias", triangle())
            self.register_buffer("masked_bias", from_numpy(numpy.array(-1e4)))
        else:
            self.is_causal, self.config = True, SimpleNamespace(_attn_implementation="eager")
        self.embed_dim, self.num_heads, self.head_dim, self.split_size = d, heads, rows // heads, rows
        self.scale_attn_weights, self.is_cross_attention = scaled, cross
        self.scale_attn_by_inverse_layer_idx, self.layer_idx, self.reorder_and_upcast_attn = by_index, layer, reorder
        stacked, bias = (numpy.concatenate([a[part + kind] for part in "qkv"]) for kind in ("", "_bias"))
        self.c_attn, self.c_proj = Conv1D(stacked, bias), Conv1D(a["o"], a["o_bias"])
        self.attn_dropout, self.resid_dropout, self.pruned_heads = nn.Dropout(0.1), nn.Dropout(0.1), set()

    def forward(self, hidden_states, layer_past=None, attention_mask=None):
        q, k, v = self.c_attn(hidden_states).split(self.split_size, dim=2)
        own = hidden(self.bias, hidden_states) if "bias" in self._buffers else None
        scale = self.head_dim**-0.5 if self.scale_attn_weights else 1.0
        if self.scale_attn_by_inverse_layer_idx:
            scale = scale / (self.layer_idx + 1)
        run = attend_in_float32 if self.reorder_and_upcast_attn and public.UPCAST else attend
        return self.resid_dropout(self.c_proj(run(q, k, v, self.num_heads, scale, attention_mask, own))), None


class BartAttention(nn.Module):
    """Bart's, Whisper's, OPT's, .. of the versions that scale the queries."""

    def __init__(self, a, heads, decoder=False, causal=None):
        super().__init__()
        rows = a["q"].shape[0]
        self.embed_dim, self.num_heads, self.head_dim, self.dropout = rows, heads, rows // heads, 0.1
        self.scaling, self.is_decoder = (rows // heads) ** -0.5, decoder
        if causal is not None:
            self.is_causal, self.layer_idx = causal, 0
            self.config = SimpleNamespace(_attn_implementation="sdpa")
        for part in "kvq":
            setattr(self, f"{part}_proj", linear(a[part], a.get(f"{part}_bias")))
        self.out_proj = linear(a["o"], a["o_bias"])

    def forward(self, hidden_states, key_value_states=None, past_key_value=None, attention_mask=None):
        q = self.q_proj(hidden_states) * self.scaling
        y = attend(q, self.k_proj(hidden_states), self.v_proj(hidden_states), self.num_heads, 1.0, attention_mask)
        return self.out_proj(y), None, None


class CLIPAttention(nn.Module):
    def __init__(self, a, heads):
        super().__init__()
        rows = a["q"].shape[0]
        self.config = SimpleNamespace(_attn_implementation="eager")
        self.embed_dim, self.num_heads, self.head_dim, self.dropout = rows, heads, rows // heads, 0.1
        self.scale, self.is_causal = (rows // heads) ** -0.5, False
        for part in "kvq":
            setattr(self, f"{part}_proj", linear(a[part], a[f"{part}_bias"]))
        self.out_proj = linear(a["o"], a["o_bias"])

    def forward(self, hidden_states, attention_mask=None):
        projected = (map_(hidden_states) for map_ in (self.q_proj, self.k_proj, self.v_proj))
        return self.out_proj(attend(*projected, self.num_heads, self.scale, attention_mask)), None


class GPTNeoSelfAttention(nn.Module):
    def __init__(self, a, heads, window=None):
        super().__init__()
        rows = a["q"].shape[0]
        seen = numpy.tri(PLACES, dtype=bool)
        if window is not None:
            seen = seen & ~numpy.tri(PLACES, k=-window, dtype=bool)
        self.register_buffer("bias", from_numpy(seen[None, None]))
        self.register_buffer("masked_bias", from_numpy(numpy.array(-1e9)))
        self.attn_dropout, self.resid_dropout = nn.Dropout(0.0), nn.Dropout(0.0)
        self.embed_dim, self.num_heads, self.head_dim = rows, heads, rows // heads
        self.q_proj, self.k_proj, self.v_proj = (linear(a[part]) for part in "qkv")
        self.out_proj = linear(a["o"], a["o_bias"])

    def forward(self, hidden_states, attention_mask=None, layer_past=None):
        own = hidden(self.bias, hidden_states)
        projected = (map_(hidden_states) for map_ in (self.q_proj, self.k_proj, self.v_proj))
        return self.out_proj(attend(*projected, self.num_heads, 1.0, attention_mask, own)), None


class GPTNeoAttention(nn.Module):
    parts = (None,)

    def __init__(self, a, heads, kind="global"):
        super().__init__()
        self.layer_id, self.attention_layers, self.attention_type = 0, [kind], kind
        self.attention = self.parts[0](a, heads, 2 if kind == "local" else None)

    def forward(self, hidden_states, layer_past=None, attention_mask=None):
        return self.attention(hidden_states, attention_mask=attention_mask)


class Projected(nn.Module):
    """The parameters of LlamaAttention and many others, with a forward of their own."""

    def __init__(self, a, heads):
        super().__init__()
        self.num_heads, self.head_dim = heads, a["q"].shape[0] // heads
        self.q_proj, self.k_proj, self.v_proj = (linear(a[part]) for part in "qkv")
        self.o_proj = linear(a["o"])

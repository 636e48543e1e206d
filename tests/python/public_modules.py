"""Stand-ins for attention classes of transformers: their module path, name, attributes and parameters, and a forward of
the same arithmetic; here those of encoders. Each is made of a layer's arrays (placed_modules.weights). Without torch
they cannot be run.

UPCAST: where they compute the weights of attention in float32, as most of the originals do."""

from types import SimpleNamespace

import numpy

try:
    import torch
    from torch import nn
    from_numpy = torch.from_numpy
except ImportError:
    import small_nn as nn
    from small_nn import from_numpy
    torch = None

UPCAST = False
PLACES = 16  # the longest sequence of those that keep a mask


def placed(kind, folder, file, name, **members):
    """A class where transformers has it."""
    path = f"transformers.models.{folder}.modeling_{file}"
    return type(name, (kind,), {"__module__": path, "__qualname__": name, **members})


def linear(weight, bias=None):
    made = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    made.weight = nn.Parameter(from_numpy(numpy.ascontiguousarray(weight)))
    if bias is not None:
        made.bias = nn.Parameter(from_numpy(bias))
    return made


def softmax(scores, value):
    if UPCAST:
        return torch.softmax(scores, dim=-1, dtype=torch.float32).to(value.dtype)
    return torch.softmax(scores, dim=-1)


def split(y, heads):
    return y.unflatten(-1, (heads, y.shape[-1] // heads)).transpose(1, 2)


def merged(y):
    return y.transpose(1, 2).flatten(2)


def attend(q, k, v, heads, scale, mask=None, bias=None):
    """softmax(scale q k^T + bias + mask) v, q, k, v (1, n, H k)."""
    q, k, v = split(q, heads), split(k, heads), split(v, heads)
    scores = q @ k.transpose(-1, -2) * scale
    for added in (bias, mask):
        if added is not None:
            scores = scores + added
    return merged(softmax(scores, v) @ v)


class BertSelfAttention(nn.Module):
    dropout_name = "dropout"

    def __init__(self, a, heads, relative=None, decoder=False, config=False):
        super().__init__()
        rows = a["q"].shape[0]
        self.num_attention_heads, self.attention_head_size, self.all_head_size = heads, rows // heads, rows
        for name in ("query", "key", "value"):
            setattr(self, name, linear(a[name[0]], a[f"{name[0]}_bias"]))
        setattr(self, self.dropout_name, nn.Dropout(0.1))
        self.position_embedding_type = relative or "absolute"
        self.is_decoder = decoder
        if relative:
            self.max_position_embeddings = PLACES
            self.distance_embedding = nn.Embedding(2 * PLACES - 1, rows // heads).double()
        if config:
            self.config, self.layer_idx = SimpleNamespace(_attn_implementation="eager"), 0
            self.scaling, self.is_causal = (rows // heads) ** -0.5, decoder

    def forward(self, hidden_states, attention_mask=None, head_mask=None):
        bias = None
        q, scale = self.query(hidden_states), self.attention_head_size**-0.5
        if self.position_embedding_type != "absolute":
            place = torch.arange(hidden_states.shape[1])
            far = self.distance_embedding(place[:, None] - place[None] + PLACES - 1)
            bias = torch.einsum("bhld,lrd->bhlr", split(q, self.num_attention_heads), far) * scale
        heads = self.num_attention_heads
        return (attend(q, self.key(hidden_states), self.value(hidden_states), heads, scale, attention_mask, bias),)


class BertSelfOutput(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.dense, self.LayerNorm, self.dropout = linear(a["o"], a["o_bias"]), norm(len(a["o"])), nn.Dropout(0.1)

    def forward(self, hidden_states, input_tensor):
        return self.LayerNorm(self.dropout(self.dense(hidden_states)) + input_tensor)


def norm(side):
    made = nn.LayerNorm(side)
    made.weight = nn.Parameter(from_numpy(numpy.linspace(0.5, 2.0, side)))
    made.bias = nn.Parameter(from_numpy(numpy.linspace(-1.0, 1.0, side)))
    return made


class BertAttention(nn.Module):
    parts = (None, None)  # the classes of `self` and `output`

    def __init__(self, a, heads, **options):
        super().__init__()
        inner, outer = self.parts
        self.self, self.output, self.pruned_heads = inner(a, heads, **options), outer(a), set()

    def forward(self, hidden_states, attention_mask=None):
        return (self.output(self.self(hidden_states, attention_mask)[0], hidden_states),)


class AlbertAttention(BertSelfAttention):
    dropout_name = "attention_dropout"

    def __init__(self, a, heads, **options):
        super().__init__(a, heads, **options)
        self.hidden_size, self.output_dropout = len(a["o"]), nn.Dropout(0.1)
        self.dense, self.LayerNorm, self.pruned_heads = linear(a["o"], a["o_bias"]), norm(len(a["o"])), set()

    def forward(self, hidden_states, attention_mask=None):
        y = BertSelfAttention.forward(self, hidden_states, attention_mask)[0]
        return (self.LayerNorm(hidden_states + self.output_dropout(self.dense(y))),)


class ViTSelfAttention(nn.Module):
    def __init__(self, a, heads, probability=False):
        super().__init__()
        rows = a["q"].shape[0]
        self.num_attention_heads, self.attention_head_size, self.all_head_size = heads, rows // heads, rows
        for name in ("query", "key", "value"):
            setattr(self, name, linear(a[name[0]], a.get(f"{name[0]}_bias")))
        if probability:  # DINOv2
            self.dropout_prob = 0.1
        else:
            self.dropout = nn.Dropout(0.1)
        self.config, self.is_causal = SimpleNamespace(_attn_implementation="sdpa"), False
        self.scaling = (rows // heads) ** -0.5

    def forward(self, hidden_states, head_mask=None):
        projected = (map_(hidden_states) for map_ in (self.query, self.key, self.value))
        return (attend(*projected, self.num_attention_heads, self.scaling),)


class ViTSelfOutput(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.dense, self.dropout = linear(a["o"], a["o_bias"]), nn.Dropout(0.1)

    def forward(self, hidden_states, input_tensor):
        return self.dropout(self.dense(hidden_states))


class ViTAttention(nn.Module):
    parts = (None, None)

    def __init__(self, a, heads, **options):
        super().__init__()
        inner, outer = self.parts
        self.attention, self.output, self.pruned_heads = inner(a, heads, **options), outer(a), set()

    def forward(self, hidden_states, head_mask=None):
        return (self.output(self.attention(hidden_states)[0], hidden_states),)


class MultiHeadSelfAttention(nn.Module):
    """DistilBERT's, with a mask of the tokens."""

    def __init__(self, a, heads):
        super().__init__()
        self.n_heads, self.dim, self.dropout = heads, a["q"].shape[0], nn.Dropout(0.1)
        self.q_lin, self.k_lin, self.v_lin, self.out_lin = (linear(a[part], a[f"{part}_bias"]) for part in "qkvo")
        self.pruned_heads = set()

    def forward(self, query, key, value, mask, head_mask=None):
        added = None if mask is None else query.new_zeros(mask.shape).masked_fill(mask == 0, -1e300)[:, None, None]
        scale = (self.dim // self.n_heads) ** -0.5
        y = attend(self.q_lin(query), self.k_lin(key), self.v_lin(value), self.n_heads, scale, added)
        return (self.out_lin(y),)


class DistilBertSelfAttention(MultiHeadSelfAttention):
    def __init__(self, a, heads):
        super().__init__(a, heads)
        self.config, self.is_causal = SimpleNamespace(_attn_implementation="sdpa"), False
        self.attention_head_size = self.dim // heads
        self.scaling = self.attention_head_size**-0.5

    def forward(self, hidden_states, attention_mask=None):
        return MultiHeadSelfAttention.forward(self, hidden_states, hidden_states, hidden_states, attention_mask)


class RoFormerSelfAttention(BertSelfAttention):
    """BERT's parameters; queries and keys are turned by their position."""

    def forward(self, hidden_states, attention_mask=None):
        n, k = hidden_states.shape[1], self.attention_head_size
        angle = torch.arange(n, dtype=hidden_states.dtype)[:, None] * 0.3 ** torch.arange(k // 2)
        cosine, sine = torch.cos(angle), torch.sin(angle)

        def turned(y):
            even, odd = y.unflatten(-1, (self.num_attention_heads, k // 2, 2)).unbind(-1)
            even, odd = even.transpose(1, 2), odd.transpose(1, 2)
            pair = torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], dim=-1)
            return pair.flatten(-2).transpose(1, 2).flatten(2)

        q, key = turned(self.query(hidden_states)), turned(self.key(hidden_states))
        return (attend(q, key, self.value(hidden_states), self.num_attention_heads, k**-0.5, attention_mask),)

"""Stand-ins for GPTNeoXAttention, BloomAttention, T5Attention and ModernBertAttention, as public_modules has them; and
their functions in numpy."""

import numpy
import public_modules as public
from public_modules import from_numpy, linear, nn, placed, torch
from public_rotary import D, HEADS, Config

SIZE = D // HEADS * 2  # of T5's heads


def drawn(seed):
    return numpy.random.default_rng(seed).standard_normal


class GPTNeoXAttention(nn.Module):
    def __init__(self, config, layer_idx, part, seed=0):
        super().__init__()
        draw, bias = drawn(seed), config.attention_bias
        self.config, self.head_size, self.attention_dropout = config, D // config.num_attention_heads, 0.1
        self.rotary_ndims, self.scaling = int(self.head_size * part), self.head_size**-0.5
        self.is_causal, self.layer_idx = True, layer_idx
        self.query_key_value = linear(draw((3 * D, D)), draw(3 * D) if bias else None)
        self.dense = linear(draw((D, D)), draw(D) if bias else None)

    def forward(self, hidden_states, attention_mask, head_mask=None, layer_past=None, position_embeddings=None):
        parts = self.query_key_value(hidden_states).unflatten(-1, (-1, 3 * self.head_size)).transpose(1, 2)
        q, k, v = parts.chunk(3, dim=-1)
        cosine, sine = position_embeddings
        part = cosine.shape[-1]

        def turned(y):
            first, second = y[..., :part].chunk(2, dim=-1)
            return torch.cat((y[..., :part] * cosine + torch.cat((-second, first), -1) * sine, y[..., part:]), dim=-1)

        weights = public.softmax(turned(q) @ turned(k).transpose(-1, -2) * self.scaling + attention_mask, v)
        return self.dense(public.merged(weights @ v)), weights


class BloomAttention(nn.Module):
    def __init__(self, heads, seed=0):
        super().__init__()
        draw = drawn(seed)
        self.pretraining_tp, self.slow_but_exact, self.layer_idx = 1, False, 2
        self.hidden_size = self.split_size = D
        self.num_heads, self.head_dim, self.hidden_dropout = heads, D // heads, 0.1
        self.inv_norm_factor, self.beta = self.head_dim**-0.5, 1.0
        self.query_key_value, self.dense = linear(draw((3 * D, D)), draw(3 * D)), linear(draw((D, D)), draw(D))
        self.attention_dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, residual, alibi, attention_mask, layer_past=None):
        parts = self.query_key_value(hidden_states).unflatten(-1, (-1, 3 * self.head_dim)).transpose(1, 2)
        q, k, v = parts.chunk(3, dim=-1)
        scores = self.beta * alibi + self.inv_norm_factor * (q @ k.transpose(-1, -2)) + attention_mask
        return residual + self.dense(public.merged(public.softmax(scores, v) @ v)), None


class T5Attention(nn.Module):
    def __init__(self, own=True, seed=0):
        super().__init__()
        draw = drawn(seed)
        self.is_decoder, self.has_relative_attention_bias = False, own
        self.relative_attention_num_buckets, self.relative_attention_max_distance = 32, 128
        self.d_model, self.key_value_proj_dim, self.n_heads, self.dropout = D, SIZE, HEADS, 0.1
        self.inner_dim, self.layer_idx, self.pruned_heads = HEADS * SIZE, 0, set()
        self.gradient_checkpointing = False
        self.q, self.k, self.v = (linear(draw((HEADS * SIZE, D)) / 3) for _ in "qkv")
        self.o = linear(draw((D, HEADS * SIZE)))
        if own:
            self.relative_attention_bias = nn.Embedding(32, HEADS)
            self.relative_attention_bias.weight = nn.Parameter(from_numpy(draw((32, HEADS))))

    def forward(self, hidden_states, mask=None, position_bias=None):
        q, k, v = (public.split(map_(hidden_states), self.n_heads) for map_ in (self.q, self.k, self.v))
        bucket = torch.from_numpy(buckets(hidden_states.shape[1]))
        bias = self.relative_attention_bias(bucket).permute(2, 0, 1)
        weights = public.softmax(q @ k.transpose(-1, -2) + bias, v)
        return self.o(public.merged(weights @ v)), None, bias


class ModernBertAttention(nn.Module):
    def __init__(self, config, layer_idx, seed=0):
        super().__init__()
        draw, near = drawn(seed), config.layer_types[layer_idx] == "sliding_attention"
        self.config, self.layer_idx, self.head_dim = config, layer_idx, D // config.num_attention_heads
        self.attention_dropout, self.deterministic_flash_attn, self.is_causal = 0.1, False, False
        self.sliding_window = config.local_attention // 2 + 1 if near else None
        self.Wqkv, self.Wo, self.out_drop = linear(draw((3 * D, D))), linear(draw((D, D))), nn.Dropout(0.1)

    def forward(self, hidden_states, position_embeddings=None, attention_mask=None):
        q, k, v = (public.split(y, D // self.head_dim) for y in self.Wqkv(hidden_states).chunk(3, dim=-1))
        cosine, sine = position_embeddings

        def turned(y):
            first, second = y.chunk(2, dim=-1)
            return y * cosine + torch.cat((-second, first), -1) * sine

        weights = public.softmax(turned(q) @ turned(k).transpose(-1, -2) * self.head_dim**-0.5 + attention_mask, v)
        return self.out_drop(self.Wo(public.merged(weights @ v))), None


class NomicBertAttention(nn.Module):
    def __init__(self, config, seed=0):
        super().__init__()
        draw = drawn(seed)
        self.config, self.head_dim, self.num_key_value_groups = config, D // config.num_attention_heads, 1
        self.attention_dropout, self.is_causal, self.scaling = 0.1, False, self.head_dim**-0.5
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (linear(draw((D, D))) for _ in range(4))

    def forward(self, hidden_states, attention_mask=None, position_embeddings=None):
        q, k, v = (public.split(part(hidden_states), D // self.head_dim)
                   for part in (self.q_proj, self.k_proj, self.v_proj))
        cosine, sine = position_embeddings

        def turned(y):
            first, second = y.chunk(2, dim=-1)
            return y * cosine + torch.cat((-second, first), -1) * sine

        weights = public.softmax(turned(q) @ turned(k).transpose(-1, -2) * self.scaling + attention_mask, v)
        return self.o_proj(public.merged(weights @ v)), None


def nomic_config(**keys):
    return Config(_attn_implementation="eager", **{
        **dict(model_type="nomic_bert", hidden_size=D, num_attention_heads=2, num_hidden_layers=2, intermediate_size=12,
               vocab_size=20, max_position_embeddings=64, hidden_act="silu", layer_norm_eps=1e-12, head_dim=D // 2,
               rope_parameters={"rope_type": "default", "rope_theta": 50.0}), **keys})


def nomic_function(module, x, theta):
    a, size = arrays(module), module.head_dim
    turn = numpy.exp(1j * numpy.arange(len(x))[:, None] * theta ** (-numpy.arange(0, size, 2) / size))

    def heads(name):
        y = x @ a[f"{name}.weight"].T
        return numpy.stack(numpy.split(y, D // size, axis=1))

    def turned(y):
        first, second = numpy.split(y, 2, axis=2)
        return numpy.concatenate((first * turn.real - second * turn.imag, second * turn.real + first * turn.imag), 2)

    y = attended(turned(heads("q_proj")), turned(heads("k_proj")), heads("v_proj"), size**-0.5, 0.0, 1.0)
    return y @ a["o_proj.weight"].T


def buckets(n):
    """Of key j seen from query i, up to 8 tokens away: their distance, and 16 more for those after it. [n, n]"""
    offset = numpy.arange(n)[None] - numpy.arange(n)[:, None]
    return numpy.where(offset > 0, 16, 0) + numpy.abs(offset)


NeoX = placed(GPTNeoXAttention, "gpt_neox", "gpt_neox", "GPTNeoXAttention")
Bloom = placed(BloomAttention, "bloom", "bloom", "BloomAttention")
Nomic = placed(NomicBertAttention, "nomic_bert", "nomic_bert", "NomicBertAttention")
ModernBert = placed(ModernBertAttention, "modernbert", "modernbert", "ModernBertAttention")
T5, MT5, UMT5 = (placed(T5Attention, name.lower(), name.lower(), f"{name}Attention") for name in ("T5", "MT5", "UMT5"))


def neox_config(**keys):
    return Config(_attn_implementation="eager", **{
        **dict(model_type="gpt_neox", hidden_size=D, num_attention_heads=2, num_hidden_layers=2, intermediate_size=12,
               vocab_size=20, max_position_embeddings=64, hidden_act="gelu", layer_norm_eps=1e-5,
               use_parallel_residual=True, attention_bias=True, attention_dropout=0.1, hidden_dropout=0.1), **keys})


# ---- in numpy --------------------------------------------------------------------------------------------------------

def attended(q, k, v, scale, bias, seen):
    """softmax(scale q k^T + bias) v of heads (heads, n, size), side by side, of the pairs that are seen; x may be
    complex."""
    weight = numpy.exp(q @ k.swapaxes(1, 2) * scale + bias) * seen
    return numpy.hstack(list(weight / weight.sum(2, keepdims=True) @ v))


def arrays(module):
    return {name: numpy.asarray(value.detach()) for name, value in module.named_parameters()}


def thirds(a, x, heads):
    mapped = x @ a["query_key_value.weight"].T + a.get("query_key_value.bias", 0.0)
    return numpy.split(mapped.reshape(len(x), heads, -1).swapaxes(0, 1), 3, axis=2)


def turned(y, turns):
    """Pairs of entries, half the part that rotates apart, of heads (heads, n, size) turn."""
    half = turns.shape[1]
    first, second, rest = numpy.split(y, [half, 2 * half], axis=2)
    return numpy.concatenate([first * turns.real - second * turns.imag, second * turns.real + first * turns.imag, rest],
                             axis=2)


def modernbert_config(**keys):
    return Config(_attn_implementation="eager", **{
        **dict(model_type="modernbert", hidden_size=D, num_attention_heads=2, num_hidden_layers=2, intermediate_size=12,
               vocab_size=20, max_position_embeddings=64, hidden_activation="gelu", norm_eps=1e-5, norm_bias=False,
               attention_bias=False, attention_dropout=0.1, local_attention=4, global_attn_every_n_layers=2,
               layer_types=["full_attention", "sliding_attention"],
               rope_parameters={"full_attention": {"rope_type": "default", "rope_theta": 50.0},
                                "sliding_attention": {"rope_type": "default", "rope_theta": 7.0}}), **keys})


def modernbert_function(module, x):
    """Layer 0 sees all, with theta 50; layer 1 two tokens to each side, with theta 7."""
    n, size, near = len(x), module.head_dim, module.layer_idx == 1
    q, k, v = ((x @ w.T).reshape(n, -1, size).swapaxes(0, 1) for w in numpy.split(arrays(module)["Wqkv.weight"], 3))
    theta = 7.0 if near else 50.0
    turns = numpy.exp(1j * numpy.arange(n)[:, None] * theta ** (-numpy.arange(0, size, 2) / size))
    apart = numpy.abs(numpy.arange(n)[:, None] - numpy.arange(n)[None])
    seen = apart <= 2 if near else apart >= 0
    return attended(turned(q, turns), turned(k, turns), v, size**-0.5, 0.0, seen) @ arrays(module)["Wo.weight"].T


def neox_function(module, x, theta):
    a, part = arrays(module), module.rotary_ndims
    q, k, v = thirds(a, x, D // module.head_size)
    turns = numpy.exp(1j * numpy.arange(len(x))[:, None] * theta ** (-numpy.arange(0, part, 2) / part))

    y = attended(turned(q, turns), turned(k, turns), v, module.head_size**-0.5, 0.0, numpy.tri(len(x)))
    return y @ a["dense.weight"].T + a.get("dense.bias", 0.0)


def bloom_function(module, x, slopes):
    a, n = arrays(module), len(x)
    bias = numpy.array(slopes)[:, None, None] * (numpy.arange(n)[None] - numpy.arange(n)[:, None])
    y = attended(*thirds(a, x, module.num_heads), module.head_dim**-0.5, bias, numpy.tri(n))
    return y @ a["dense.weight"].T + a["dense.bias"]


def t5_function(module, x):
    a = arrays(module)
    q, k, v = ((x @ a[f"{part}.weight"].T).reshape(len(x), HEADS, -1).swapaxes(0, 1) for part in "qkv")
    bias = a["relative_attention_bias.weight"][buckets(len(x))].transpose(2, 0, 1)
    return attended(q, k, v, 1.0, bias, 1.0) @ a["o.weight"].T

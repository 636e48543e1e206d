"""Stand-ins for attention classes of transformers whose model hands them cosines and sines, as public_modules has them:
LLaMA's and those of decoders after it; and their function in numpy."""

from types import SimpleNamespace

import numpy
import public_modules as public
from public_modules import from_numpy, linear, nn, placed, torch

D, HEADS, KEY_HEADS, SIZE, LAYERS = 8, 4, 2, 4, 3


class Config(SimpleNamespace):
    """A configuration: what to_dict has, and how attention is computed."""

    def to_dict(self):
        return {key: value for key, value in vars(self).items() if key != "_attn_implementation"}


def config(kind, implementation="eager", **keys):
    common = dict(model_type=kind, hidden_size=D, num_attention_heads=HEADS, num_key_value_heads=KEY_HEADS,
                  head_dim=SIZE, num_hidden_layers=LAYERS, intermediate_size=12, vocab_size=20,
                  max_position_embeddings=64, rms_norm_eps=1e-3, attention_bias=False, attention_dropout=0.1,
                  rope_theta=50.0, rope_scaling=None, initializer_range=0.02, use_cache=True, id2label={0: "A", 1: "B"},
                  architectures=None, torch_dtype="float32", output_attentions=False, tie_word_embeddings=False)
    if kind in ("mistral", "qwen2", "phi3"):  # which have no such key
        del common["attention_bias"]
    return Config(_attn_implementation=implementation, **{**common, **keys})


class Norm(nn.Module):
    """RMSNorm; gain_from_one: by 1 + what is stored."""

    gain_from_one = False

    def __init__(self, gain, epsilon):
        super().__init__()
        self.weight = nn.Parameter(from_numpy(gain if self.gain_from_one else 1.0 + gain))
        setattr(self, "eps" if self.gain_from_one else "variance_epsilon", epsilon)

    def forward(self, y):
        single = y.float() if public.UPCAST else y
        epsilon = self.eps if self.gain_from_one else self.variance_epsilon
        normed = (single * torch.rsqrt((single * single).mean(-1, keepdim=True) + epsilon)).to(y.dtype)
        return normed * (1.0 + self.weight if self.gain_from_one else self.weight)


class Attention(nn.Module):
    norm, rows, fused, gated, sinking, half, capped, own_window = None, False, False, False, False, False, False, False

    def __init__(self, config, layer_idx, seed=0):
        super().__init__()
        draw = numpy.random.default_rng(seed).standard_normal
        size = config.head_dim or config.hidden_size // config.num_attention_heads
        queries, keys = config.num_attention_heads * size, config.num_key_value_heads * size
        of_output = getattr(config, "attention_bias", False)
        biased = of_output or config.model_type == "qwen2"

        def map_(rows, cols, bias=biased):
            return linear(draw((rows, cols)), draw(rows) if bias else None)

        self.config, self.layer_idx, self.head_dim = config, layer_idx, size
        self.num_key_value_groups = config.num_attention_heads // config.num_key_value_heads
        self.scaling, self.attention_dropout = (getattr(config, "query_pre_attn_scalar", size)) ** -0.5, 0.1
        self.is_causal = True
        if self.fused:
            self.qkv_proj, self.num_key_value_heads = map_(queries + 2 * keys, D), config.num_key_value_heads
        else:
            self.q_proj = map_(queries * (2 if self.gated else 1), D)
            self.k_proj, self.v_proj = map_(keys, D), map_(keys, D)
        self.o_proj = map_(D, queries, of_output)
        if self.norm is not None:
            sides = (queries, keys) if self.rows else (size, size)
            self.q_norm, self.k_norm = (self.norm((draw(side) / 4).astype("f4").astype("f8"), config.rms_norm_eps)
                                        for side in sides)
        if self.sinking:
            self.sinks = nn.Parameter(from_numpy(draw(config.num_attention_heads)))
        if self.capped:
            self.attn_logit_softcapping = config.attn_logit_softcapping
        if self.own_window:
            near = config.layer_types[layer_idx] == "sliding_attention"
            self.sliding_window = config.sliding_window if near else None
        if config.model_type == "smollm3":
            self.use_rope, self.sliding_window = config.no_rope_layers[layer_idx], None

    def turned(self, y, cosine, sine):
        if self.half:
            cosine, sine = (torch.cat((part, part), dim=-1) for part in (cosine, sine))
        part = cosine.shape[-1]
        first, second = y[..., :part].chunk(2, dim=-1)
        swapped = torch.cat((-second, first), dim=-1)
        return torch.cat((y[..., :part] * cosine[:, None] + swapped * sine[:, None], y[..., part:]), dim=-1)

    def heads_of(self, y, norm):
        """(1, heads, n, size)"""
        y = norm(y) if norm is not None and self.rows else y
        y = y.unflatten(-1, (-1, self.head_dim)).transpose(1, 2)
        return norm(y) if norm is not None and not self.rows else y

    def forward(self, hidden_states, position_embeddings, attention_mask, past_key_values=None, **others):
        sides = [heads * self.head_dim for heads in (self.config.num_attention_heads, self.config.num_key_value_heads)]
        gate = None
        if self.fused:
            q, k, v = self.qkv_proj(hidden_states).split([sides[0], sides[1], sides[1]], dim=-1)
        else:
            q, k, v = (map_(hidden_states) for map_ in (self.q_proj, self.k_proj, self.v_proj))
        if self.gated:
            q, gate = (part.flatten(2) for part in q.unflatten(-1, (-1, 2, self.head_dim)).unbind(-2))
        names = ("q_norm", "k_norm") if self.norm is not None else ()
        norms = [getattr(self, name) for name in names] or [None, None]
        q, k, v = self.heads_of(q, norms[0]), self.heads_of(k, norms[1]), self.heads_of(v, None)
        if getattr(self, "use_rope", True):
            q, k = (self.turned(y, *position_embeddings) for y in (q, k))
        k, v = (y.repeat_interleave(self.num_key_value_groups, dim=1) for y in (k, v))
        scores = q @ k.transpose(-1, -2) * self.scaling
        if self.capped and self.attn_logit_softcapping is not None:
            scores = torch.tanh(scores / self.attn_logit_softcapping) * self.attn_logit_softcapping
        scores = scores + attention_mask
        if self.sinking:
            sinks = self.sinks[None, :, None, None].expand(1, -1, scores.shape[2], 1)
            scores = torch.cat((scores, sinks), dim=-1)
        weights = public.softmax(scores, v)[..., :hidden_states.shape[1]]
        y = (weights @ v).transpose(1, 2).flatten(2)
        return self.o_proj(y if gate is None else y * torch.sigmoid(gate)), None


def attention(folder, prefix, gain_from_one=False, **members):
    """A model's class; norm: whether it norms queries and keys."""
    if members.pop("norm", False):
        members["norm"] = placed(Norm, folder, folder, f"{prefix}RMSNorm", gain_from_one=gain_from_one)
    return placed(Attention, folder, folder, f"{prefix}Attention", **members)


Llama, Mistral, Qwen2 = attention("llama", "Llama"), attention("mistral", "Mistral"), attention("qwen2", "Qwen2")
Qwen2Window = attention("qwen2", "Qwen2", own_window=True)
Qwen3 = attention("qwen3", "Qwen3", norm=True, own_window=True)
Olmo2 = attention("olmo2", "Olmo2", norm=True, rows=True)
SmolLM3 = attention("smollm3", "SmolLM3")
Gemma2 = attention("gemma2", "Gemma2", capped=True, own_window=True)
Gemma3 = attention("gemma3", "Gemma3", norm=True, gain_from_one=True, capped=True, own_window=True)
Phi3 = attention("phi3", "Phi3", fused=True)
GptOss = attention("gpt_oss", "GptOss", sinking=True, half=True, own_window=True)
Qwen3Next = attention("qwen3_next", "Qwen3Next", norm=True, gain_from_one=True, gated=True)
Qwen35 = attention("qwen3_5", "Qwen3_5", norm=True, gain_from_one=True, gated=True)


# ---- in numpy --------------------------------------------------------------------------------------------------------

def function(module, x):
    """The attention in numpy, of its parameters and configuration alone; x may be complex."""
    of = module.config
    weights = {name: numpy.asarray(value.detach()) for name, value in module.named_parameters()}
    n, size = len(x), module.head_dim
    queries, keys = of.num_attention_heads * size, of.num_key_value_heads * size

    def mapped(name, y):
        return y @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0.0)

    def normed(name, y, width):
        gain = weights[f"{name}.weight"] + (1.0 if module.norm.gain_from_one else 0.0)
        y = y.reshape(n, -1, width)
        return (y / numpy.sqrt((y * y).mean(-1, keepdims=True) + of.rms_norm_eps) * gain).reshape(n, -1)

    gate = None
    if module.fused:
        q, k, v = numpy.split(mapped("qkv_proj", x), [queries, queries + keys], axis=1)
    else:
        q, k, v = (mapped(f"{part}_proj", x) for part in "qkv")
    if module.gated:
        both = q.reshape(n, -1, 2, size)
        q, gate = both[:, :, 0].reshape(n, -1), both[:, :, 1].reshape(n, -1)
    if module.norm is not None:
        q = normed("q_norm", q, queries if module.rows else size)
        k = normed("k_norm", k, keys if module.rows else size)
    near = getattr(of, "layer_types", None) and of.layer_types[module.layer_idx] == "sliding_attention"
    theta = of.rope_local_base_freq if near and hasattr(of, "rope_local_base_freq") else of.rope_theta
    part = int(size * getattr(of, "partial_rotary_factor", 1.0))
    turns = numpy.exp(1j * numpy.arange(n)[:, None] * theta ** (-numpy.arange(0, part, 2) / part))
    if not getattr(module, "use_rope", True):
        turns = numpy.ones_like(turns)
    windowed = getattr(of, "sliding_window", None) is not None and \
        (near or of.model_type in ("mistral", "phi3"))
    before = of.sliding_window if windowed else n
    means = []
    for h in range(of.num_attention_heads):
        g = h // module.num_key_value_groups
        own = [y[:, i * size:(i + 1) * size] for y, i in ((q, h), (k, g), (v, g))]
        for i in range(2):
            first, second, rest = numpy.split(own[i], [part // 2, part], axis=1)
            cosine, sine = turns.real, turns.imag
            own[i] = numpy.hstack([first * cosine - second * sine, second * cosine + first * sine, rest])
        scores = own[0] @ own[1].T * getattr(of, "query_pre_attn_scalar", size) ** -0.5
        if getattr(of, "attn_logit_softcapping", None):
            scores = of.attn_logit_softcapping * numpy.tanh(scores / of.attn_logit_softcapping)
        seen = numpy.tri(n, dtype=bool) & ~numpy.tri(n, k=-before, dtype=bool)
        weight = numpy.where(seen, numpy.exp(scores), 0.0)
        sink = numpy.exp(weights["sinks"][h]) if module.sinking else 0.0
        means.append(weight / (weight.sum(1, keepdims=True) + sink) @ own[2])
    y = numpy.hstack(means)
    return mapped("o_proj", y if gate is None else y / (1.0 + numpy.exp(-gate)))


def norm_of_jacobian(f, x):
    """||D_x f||_2, by steps of 1e-30 i, which leave no difference to round."""
    columns = []
    for i in numpy.ndindex(x.shape):
        moved = x.astype(complex)
        moved[i] += 1e-30j
        columns.append(f(moved).imag.ravel() / 1e-30)
    return numpy.linalg.norm(numpy.array(columns), 2)

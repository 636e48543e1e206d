"""Stand-ins for DeepseekV2Attention and DeepseekV3Attention, as public_modules has them; and their function in numpy."""

import numpy
import public_modules as public
from public_modules import from_numpy, linear, nn, placed, torch
from public_rotary import Config

D, HEADS, STILL, TURNING, VALUE, RANK = 8, 2, 2, 4, 3, 5
YARN = {"factor": 2.0, "original_max_position_embeddings": 32, "beta_fast": 1.5, "beta_slow": 0.25}


def config(kind, **keys):
    common = dict(model_type=kind, hidden_size=D, num_attention_heads=HEADS, num_key_value_heads=HEADS,
                  num_hidden_layers=2, intermediate_size=12, vocab_size=20, max_position_embeddings=64,
                  rms_norm_eps=1e-3, attention_bias=False, attention_dropout=0.1, q_lora_rank=3, kv_lora_rank=RANK,
                  qk_nope_head_dim=STILL, qk_rope_head_dim=TURNING, v_head_dim=VALUE, head_dim=TURNING,
                  first_k_dense_replace=1, n_routed_experts=4,
                  rope_parameters={"rope_type": "default", "rope_theta": 50.0})
    return Config(_attn_implementation="eager", **{**common, **keys})


class Norm(nn.Module):
    def __init__(self, gain, epsilon=1e-6):
        super().__init__()
        self.weight, self.variance_epsilon = nn.Parameter(from_numpy(gain)), epsilon

    def forward(self, y):
        return y * torch.rsqrt((y * y).mean(-1, keepdim=True) + self.variance_epsilon) * self.weight


class Attention(nn.Module):
    norm, whole = Norm, True

    def __init__(self, config, layer_idx=0, seed=0):
        super().__init__()
        draw = numpy.random.default_rng(seed).standard_normal
        biased, size = config.attention_bias, STILL + TURNING

        def map_(rows, cols, bias=False):
            return linear(draw((rows, cols)) / 2, draw(rows) if bias else None)

        self.config, self.layer_idx, self.is_causal, self.attention_dropout = config, layer_idx, True, 0.1
        self.num_heads, self.num_key_value_groups, self.q_lora_rank = HEADS, 1, config.q_lora_rank
        self.qk_rope_head_dim, self.kv_lora_rank, self.v_head_dim = TURNING, RANK, VALUE
        self.qk_nope_head_dim, self.qk_head_dim = STILL, size
        if self.q_lora_rank is None:
            self.q_proj = map_(HEADS * size, D)
        else:
            self.q_a_proj = map_(self.q_lora_rank, D, biased)
            self.q_a_layernorm = self.norm(1.0 + draw(self.q_lora_rank) / 4)
            self.q_b_proj = map_(HEADS * size, self.q_lora_rank)
        self.kv_a_proj_with_mqa = map_(RANK + TURNING, D, biased)
        self.kv_a_layernorm = self.norm(1.0 + draw(RANK) / 4)
        self.kv_b_proj, self.o_proj = map_(HEADS * (STILL + VALUE), RANK), map_(D, HEADS * VALUE, biased)
        rule = config.rope_parameters
        slope = rule.get("mscale_all_dim", 0.0)
        self.scaling = size ** -0.5 * (0.1 * slope * numpy.log(rule.get("factor", 1.0)) + 1.0) ** 2

    def turned(self, y, turn):
        if not self.whole:
            pairs = torch.view_as_complex(y.unflatten(-1, (-1, 2)).contiguous())
            return torch.view_as_real(pairs * turn[:, None]).flatten(-2)
        cosine, sine = turn
        if getattr(self.config, "rope_interleave", True):
            y = torch.cat((y[..., ::2], y[..., 1::2]), dim=-1)
        first, second = y.chunk(2, dim=-1)
        return y * cosine[:, None] + torch.cat((-second, first), dim=-1) * sine[:, None]

    def forward(self, hidden_states, position_embeddings, attention_mask, **others):
        if self.q_lora_rank is None:
            q = self.q_proj(hidden_states)
        else:
            q = self.q_b_proj(self.q_a_layernorm(self.q_a_proj(hidden_states)))
        q = q.unflatten(-1, (HEADS, -1)).transpose(1, 2)
        latent, turning = self.kv_a_proj_with_mqa(hidden_states).split([RANK, TURNING], dim=-1)
        still, v = self.kv_b_proj(self.kv_a_layernorm(latent)).unflatten(-1, (HEADS, -1)).transpose(1, 2).split(
            [STILL, VALUE], dim=-1)
        turning = self.turned(turning[:, None], position_embeddings).expand(-1, HEADS, -1, -1)
        q = torch.cat((q[..., :STILL], self.turned(q[..., STILL:], position_embeddings)), dim=-1)
        scores = q @ torch.cat((still, turning), dim=-1).transpose(-1, -2) * self.scaling + attention_mask
        return self.o_proj((public.softmax(scores, v) @ v).transpose(1, 2).flatten(2)), None


def _placed(folder, prefix, whole):
    norm = placed(Norm, folder, folder, f"{prefix}RMSNorm")
    return placed(Attention, folder, folder, f"{prefix}Attention", norm=norm, whole=whole)


V2, V3 = _placed("deepseek_v2", "DeepseekV2", False), _placed("deepseek_v3", "DeepseekV3", True)


# ---- in numpy --------------------------------------------------------------------------------------------------------

def function(module, x, frequency, amplitude, times):
    """The attention in numpy, of its parameters, the frequencies of the pairs, what they are multiplied by, and what
    scores are; x may be complex."""
    weights = {name: numpy.asarray(value.detach()) for name, value in module.named_parameters()}
    n = len(x)

    def mapped(name, y):
        return y @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0.0)

    def normed(name, y):
        return y / numpy.sqrt((y * y).mean(-1, keepdims=True) + 1e-6) * weights[f"{name}.weight"]

    def turned(y):
        angle = numpy.arange(n)[:, None] * frequency
        cosine, sine = amplitude * numpy.cos(angle), amplitude * numpy.sin(angle)
        halves = not getattr(module.config, "rope_interleave", True)
        first, second = numpy.split(y, 2, axis=1) if halves else (y[:, ::2], y[:, 1::2])
        return numpy.hstack([first * cosine - second * sine, second * cosine + first * sine])

    q = mapped("q_proj", x) if module.q_lora_rank is None else \
        mapped("q_b_proj", normed("q_a_layernorm", mapped("q_a_proj", x)))
    latent, shared = numpy.split(mapped("kv_a_proj_with_mqa", x), [RANK], axis=1)
    both, shared = mapped("kv_b_proj", normed("kv_a_layernorm", latent)), turned(shared)
    means = []
    for own, pair in zip(numpy.split(q, HEADS, axis=1), numpy.split(both, HEADS, axis=1)):
        scores = own[:, :STILL] @ pair[:, :STILL].T + turned(own[:, STILL:]) @ shared.T
        weight = numpy.exp(times * scores / numpy.sqrt(STILL + TURNING)) * numpy.tri(n)
        means.append(weight / weight.sum(1, keepdims=True) @ pair[:, STILL:])
    return mapped("o_proj", numpy.hstack(means))

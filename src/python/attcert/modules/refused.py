"""Why attention of other classes is another function."""

from typing import Any

from .unread import class_name

_ROTARY = "rotary position embeddings turn queries and keys"
_RELATIVE = "a bias of relative positions is added to the scores"
_CHOSEN = "its configuration chooses rotary position embeddings or a bias of the scores"
_WHOLE = "more than attention: expected its self_attn"

# By folder of transformers.models.
_FOLDERS = {
    _ROTARY: "llama mistral mixtral qwen2 qwen2_moe qwen2_vl qwen3 qwen3_moe gemma gemma2 gemma3 phi phi3 gpt_neox "
             "gptj codegen cohere olmo olmo2 olmoe stablelm starcoder2 granite persimmon deepseek_v2 deepseek_v3 glm "
             "glm4 modernbert roformer dbrx jetmoe helium",
    "a bias of relative positions is added to the scores, whose table is outside of it": "mpnet",
    _RELATIVE: "t5 mt5 umt5 longt5 switch_transformers pop2piano beit data2vec_vision layoutlmv2 layoutlmv3 udop "
               "swin swinv2 nezha xlnet transfo_xl wavlm vitdet speecht5",
    _CHOSEN: "falcon esm wav2vec2_conformer wav2vec2_bert",
    "a bias of distances (ALiBi) is added to the scores": "bloom mpt",
    "attention is local or sparse, in a window of tokens or between some": "longformer big_bird reformer",
    "a state space or another operation in place of attention":
        "mamba mamba2 falcon_mamba rwkv fnet nystromformer yoso mra",
    "disentangled attention to contents and positions": "deberta deberta_v2 sew_d",
    "tokens are pooled or convolved before attention": "funnel convbert cvt segformer pvt levit",
    "it is called with different tensors for queries, keys and values": "mobilebert lxmert perceiver",
    "keys and values are shared by heads": "gpt_bigcode",
}
_REASONS = {folder: reason for reason, folders in _FOLDERS.items() for folder in folders.split()}
_CLASSES = {
    "torch.nn.modules.transformer.TransformerEncoderLayer": _WHOLE,
    "torch.nn.modules.transformer.TransformerDecoderLayer": _WHOLE,
    "torch.nn.parallel.data_parallel.DataParallel": "a wrapper: expected its module",
    "torch.nn.parallel.distributed.DistributedDataParallel": "a wrapper: expected its module",
    "torch._dynamo.eval_frame.OptimizedModule": "compiled: expected its _orig_mod",
}


def reason_of(module: Any) -> Any:
    """Why a module is refused, or None: its class is not known here either."""
    for kind in type(module).__mro__:
        name = class_name(kind)
        path = name.split(".")
        if name in _CLASSES:
            return _CLASSES[name]
        if name.startswith("transformers.models.") and path[2] in _REASONS:
            return _REASONS[path[2]]
        if name.startswith("transformers.models.") and path[-1].endswith("CrossAttention"):
            return "cross-attention, expected self-attention"
    return None

"""BertSelfAttention, BertAttention and their copies in other models of transformers; AlbertAttention."""

from typing import Any, Optional

from .family import Family, called_with_mask, given_by_caller
from .part import DROPOUT, LAYER_NORM, LINEAR, Part, anything, implementation, inverse_root_of, no_dropout, one_of, \
    product_of

# Folder, file and prefix of the models whose classes are copies of BERT's.
_MODELS = (("bert", "bert", "Bert"), ("roberta", "roberta", "Roberta"), ("xlm_roberta", "xlm_roberta", "XLMRoberta"),
           ("electra", "electra", "Electra"), ("camembert", "camembert", "Camembert"), ("ernie", "ernie", "Ernie"),
           ("data2vec", "data2vec_text", "Data2VecText"), ("layoutlm", "layoutlm", "LayoutLM"),
           ("bert_generation", "bert_generation", "BertGeneration"), ("splinter", "splinter", "Splinter"),
           ("roc_bert", "roc_bert", "RoCBert"), ("tapas", "tapas", "Tapas"))

SELF_ATTENTION = {
    "num_attention_heads": anything, "attention_head_size": anything,
    "all_head_size": product_of("num_attention_heads", "attention_head_size"),
    "scaling": inverse_root_of("attention_head_size"), "position_embedding_type": one_of("absolute", None),
    "is_decoder": anything, "is_causal": anything, "layer_idx": anything, "config": implementation,
    "dropout_prob": no_dropout, "require_contiguous_qkv": anything, "pruned_heads": anything}
_PROJECTIONS = {"query": LINEAR, "key": LINEAR, "value": LINEAR}
MEANING = "its self-attention and output projection, without the residual connection and LayerNorm"


def read(inner: Any, output: Any) -> Any:
    """Reads the weights below the child `inner` ("": the module itself), and of the child `output` (None: no W_O)."""

    def arrays(parameters: Any, module: Any) -> Any:
        found = parameters.linear(f"{inner}." if inner else "", q="query", k="key", v="value")
        if output is not None:
            found.update(parameters.linear(o=output))
        attention = getattr(module, inner) if inner else module
        return {**found, "heads": attention.num_attention_heads,
                "size": getattr(attention, "attention_head_size", None)}

    return arrays


def _run_without_norm(holder: Any) -> Any:
    """Runs a module that ends with LayerNorm(x + f(x)), and returns f(x)."""

    def run(module: Any, x: Any, mask: Any) -> Any:
        import torch  # the module is one of torch's

        owner = getattr(module, holder) if holder else module
        owner.LayerNorm = torch.nn.Identity()
        return called_with_mask(module, x, mask) - x

    return run


def _attention_mask(module: Any, given: Optional[str]) -> Any:
    return given_by_caller(module.self, given)


def _of_model(folder: str, file: str, prefix: str) -> Any:
    path = f"transformers.models.{folder}.modeling_{file}.{prefix}"
    inner = Part((f"{path}SelfAttention", f"{path}SdpaSelfAttention"), children={**_PROJECTIONS, "dropout": DROPOUT},
                 attributes=SELF_ATTENTION)
    output = Part((f"{path}SelfOutput",), children={"dense": LINEAR, "LayerNorm": LAYER_NORM, "dropout": DROPOUT})
    outer = Part((f"{path}Attention",), children={"self": inner, "output": output},
                 attributes={"pruned_heads": anything, "is_cross_attention": one_of(False)})
    whole = Family("bert", outer, read("self", "output.dense"), _run_without_norm("output"), _attention_mask,
                   meaning=MEANING)
    alone = Family("bert", inner, read("", None), called_with_mask, given_by_caller)
    return {outer.classes[0]: whole, **{name: alone for name in inner.classes}}


_ALBERT = Part(
    ("transformers.models.albert.modeling_albert.AlbertAttention",
     "transformers.models.albert.modeling_albert.AlbertSdpaAttention"),
    children={**_PROJECTIONS, "attention_dropout": DROPOUT, "output_dropout": DROPOUT, "dense": LINEAR,
              "LayerNorm": LAYER_NORM},
    attributes={**SELF_ATTENTION, "hidden_size": anything})
_ALBERT_FAMILY = Family("albert", _ALBERT, read("", "dense"), _run_without_norm(""), given_by_caller, meaning=MEANING)

FAMILIES = {name: family for model in _MODELS for name, family in _of_model(*model).items()}
FAMILIES.update({name: _ALBERT_FAMILY for name in _ALBERT.classes})

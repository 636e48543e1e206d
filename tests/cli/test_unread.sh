#!/bin/sh
# What a model's folder holds beside the layers: read, known to have no effect (info says why), or refused by name.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
m=$tmp/model x=$tmp/x.npy
mkdir "$m"
npy '3, 2' 1 0 0 1 0.5 2 >"$x"

# config MORE: config.json of a BERT, a GPT-2 with $type gpt2; more keys, each with a comma before it.
type=bert
config() {
  case $type in
    gpt2) sides='"n_embd": 2, "n_head": 1, "n_layer": 1, "n_inner": 3, "vocab_size": 2, "n_positions": 4' ;;
    *) sides='"hidden_size": 2, "num_attention_heads": 1, "num_hidden_layers": 1, "intermediate_size": 3, "vocab_size": 2, "max_position_embeddings": 4' ;;
  esac
  echo "{\"model_type\": \"$type\", $sides$1}" >"$m/config.json"
}

# weights TENSOR...: model.safetensors with the tensors of $type behind $before, and more.
weights() {
  case $type in
    gpt2) parts='2,2:wte.weight 4,2:wpe.weight 2:ln_f.weight 2:ln_f.bias 2,6:h.0.attn.c_attn.weight 6:h.0.attn.c_attn.bias 2,2:h.0.attn.c_proj.weight 2:h.0.attn.c_proj.bias' ;;
    *)
      parts='2,2:embeddings.word_embeddings.weight 4,2:embeddings.position_embeddings.weight'
      for part in query key value; do
        parts="$parts 2,2:encoder.layer.0.attention.self.$part.weight 2:encoder.layer.0.attention.self.$part.bias"
      done
      parts="$parts 2,2:encoder.layer.0.attention.output.dense.weight 2:encoder.layer.0.attention.output.dense.bias"
      ;;
  esac
  tensors=
  for part in $parts; do tensors="$tensors F32:${part%%:*}:$before${part#*:}"; done
  # shellcheck disable=SC2086 # a list of words
  zeros $tensors "$@" >"$m/model.safetensors"
}
certifies() { exits 0 certify --model "$m" --layer 0 --input "$x" --no-bounds; }
refuses() { rejects "$1" certify --model "$m" --layer 0 --input "$x"; }
before=
config ''
weights
certifies

# ---- keys ----
config ', "hidden_dropout_prob": 0.1, "architectures": ["BertModel"], "transformers_version": "4.6", "pruned_heads": {}'
certifies
exits 0 info "$m" --format json
json '[.keys[] | select(.use == "read") | .name] | index("hidden_size") != null and index("pruned_heads") != null'
json '.keys[] | select(.name == "hidden_dropout_prob") | .use == "no effect" and (.why | contains("training"))'
for key in softcap rope_theta num_key_value_heads layer_types unknown; do
  config ", \"$key\": 1"
  refuses "config.json: key '$key' is not known"
done
config ', "one": 1, "two": 2'
refuses "key 'one' is not known (as are 1 others)"
config ', "quantization_config": {"bits": 4}'
refuses "key 'quantization_config' is {\"bits\": 4}, expected none"
config ', "pruned_heads": {"0": [0]}'
refuses "key 'pruned_heads'"
config ', "auto_map": {"AutoModel": "m.M"}'
refuses "key 'auto_map'"
config ', "add_cross_attention": true'
refuses "key 'add_cross_attention' is true, expected false"
echo '{"hidden_size": 2}' >"$m/config.json"
refuses "key 'model_type' is missing, expected bert, gpt2, roberta"

# ---- tensors ----
config ''
layer=encoder.layer.0
for tensor in $layer.attention.self.query.lora_A.weight base_model.model.$layer.attention.self.query.lora_B.weight \
  $layer.output.adapters.a.adapter_down.0.weight $layer.attention.self.query.weight_scale $layer.attention.self.key.SCB \
  $layer.attention.self.query.parametrizations.weight.original0 $layer.attention.self.value.weight_g \
  $layer.attention.self.distance_embedding.weight $layer.crossattention.self.query.weight \
  encoder.layer.1.output.dense.weight encoder.layer.00.output.dense.weight embeddings.word_embeddings.weight_orig \
  encoder.rel_pos_bias other.weight classifier.lora_A.weight $layer.output.LayerNorm.gain $layer.attention.gate; do
  weights "F32:2,2:$tensor"
  refuses "model.safetensors: tensor '$tensor' is not known"
done
weights F32:2,2:encoder.layer.1.output.dense.weight
refuses 'expected those of a bert alone, whose layers are 0 to 0'
weights F32:2:$layer.output.LayerNorm.weight F32:2:$layer.output.LayerNorm.gamma F32:2:$layer.output.LayerNorm.beta
refuses "tensor '$layer.output.LayerNorm.weight' is not known"
weights F32:1:a F32:1:b F32:1:c
refuses "tensor 'a' is not known (as are 2 others)"
weights F32:2,2:pooler.dense.weight F32:3,2:classifier.weight F32:2,2:cls.predictions.transform.dense.weight \
  F32:2:cls.predictions.transform.LayerNorm.gamma I64:1,1:embeddings.position_ids I64:1,4:embeddings.token_type_ids
certifies
exits 0 info "$m" --format json
json '[.tensors[] | select(.use == "read")] | length == 10'
json 'all(.tensors[] | select(.use != "read"); .why != null) and ([.tensors[] | select(.use == "no effect")] | length == 6)'
exits 0 info "$m"
prints '  no effect  embeddings.position_ids  the numbers of the positions, counted anew'
prints '  read  embeddings.word_embeddings.weight'
weights I64:1,4:embeddings.position_ids # all 0, not 0, 1, 2, 3
refuses "tensor 'embeddings.position_ids' is not what its name says, expected the positions 0, 1, 2"
weights F32:1,4:embeddings.position_ids
refuses 'expected the positions 0, 1, 2'

# ---- GPT-2's masks ----
type=gpt2
config ''
weights F32:1,1,1,1:h.0.attn.bias # a token attends to itself: 1
refuses "tensor 'h.0.attn.bias' is not what its name says, expected the mask of the layer"
weights F32:1:h.0.attn.masked_bias
refuses "tensor 'h.0.attn.masked_bias' is not what its name says, expected a number that masked scores become"
weights F32:2,2:h.0.attn.rotary
refuses "tensor 'h.0.attn.rotary' is not known"

# ---- prefixes ----
for before in module. _orig_mod. module._orig_mod. _orig_mod.module. transformer. module.transformer. \
  _orig_mod.transformer. transformer._orig_mod. module.transformer._orig_mod.; do
  weights
  certifies
done
before=module.transformer.
weights F32:2,2:module.score.weight
certifies
weights F32:2,2:score.weight
refuses "tensor 'score.weight' is not known"
before=wrapped.
weights
refuses "tensor 'wrapped.wte.weight' is not known"
before=

# ---- tied weights ----
text="--text $tmp/text --tokens 2 --tokenizer $tmp/characters.json" # two tokens, 0 and 1
printf 'ab' >"$tmp/text"
echo '{"a": 0, "b": 1}' >"$tmp/characters.json"
weights F32:2,2:lm_head.weight # equal to the word table
certifies
weights F32:2,1:lm_head.weight
refuses "tensor 'lm_head.weight' differs from 'wte.weight', to which config.json ties it"
config ', "tie_word_embeddings": false'
certifies
config ''
others='F32:4,2:wpe.weight F32:2:h.0.ln_1.weight F32:2:h.0.ln_1.bias F32:2,6:h.0.attn.c_attn.weight F32:6:h.0.attn.c_attn.bias F32:2,2:h.0.attn.c_proj.weight F32:2:h.0.attn.c_proj.bias'
# shellcheck disable=SC2086 # lists of words
{
  zeros F32:2,2:lm_head.weight $others >"$m/model.safetensors" # the word table is stored as the head alone
  exits 0 certify --model "$m" --layer 0 $text --no-bounds
  exits 0 info "$m" --format json
  json '.vocabulary == 2 and (.tensors[] | select(.name == "lm_head.weight") | .use == "read")'
  ZEROS_METADATA='{"format":"pt","wte.weight":"head.weight"}' zeros F32:2,2:head.weight $others >"$m/model.safetensors"
  refuses "tensor 'head.weight' is not known"
  ZEROS_METADATA='{"wpe.weight":"wte.weight"}' zeros F32:2,2:wte.weight ${others#* } >"$m/model.safetensors"
  rejects "tensor 'wte.weight' has shape [2, 2], but config.json asks for [4, 2]" certify --model "$m" --layer 0 $text
  shared=$(echo $others | sed 's/ F32:2:h.0.ln_1.bias//')
  ZEROS_METADATA='{"h.0.ln_1.bias":"h.0.ln_1.weight"}' zeros F32:2,2:wte.weight $shared >"$m/model.safetensors"
  exits 0 certify --model "$m" --layer 0 $text --no-bounds
  # an index that names the head, which no shard holds; and one that names something else
  zeros F32:2,2:wte.weight $others >"$m/s"
  rm "$m/model.safetensors"
  map='"wte.weight": "s"'
  for tensor in $others; do map="$map, \"${tensor##*:}\": \"s\""; done
  echo "{\"weight_map\": {$map, \"lm_head.weight\": \"s\"}}" >"$m/model.safetensors.index.json"
  exits 0 certify --model "$m" --layer 0 $text --no-bounds
  echo "{\"weight_map\": {$map, \"score.weight\": \"s\"}}" >"$m/model.safetensors.index.json"
  refuses "tensor 'score.weight' is not in the shard 's'"
  rm "$m/model.safetensors.index.json" "$m/s"
}

# ---- a whole network behind wrappers: its head has them too, and not the family's prefix ----
type=bert
config ''
for before in '' bert. module.bert. module._orig_mod.bert.; do
  l=encoder.layer.0 head=${before%bert.}
  set --
  for norm in embeddings.LayerNorm $l.attention.output.LayerNorm $l.output.LayerNorm; do
    set -- "$@" "F32:2:$before$norm.weight" "F32:2:$before$norm.bias"
  done
  set -- "$@" "F32:3,2:$before$l.intermediate.dense.weight" "F32:3:$before$l.intermediate.dense.bias" \
    "F32:2,3:$before$l.output.dense.weight" "F32:2:$before$l.output.dense.bias" "F32:2,2:${before}pooler.dense.weight" \
    "F32:2:${before}pooler.dense.bias" "F32:2,2:${head}classifier.weight" "F32:2:${head}classifier.bias"
  weights "$@"
  exits 0 gradient --model "$m" --hidden "$x" --format json
  json '.margin[0] <= 0 and .margin[1] >= 0'
done
before=

# ---- relatives, and files beside the weights ----
for type in xlm-roberta camembert; do
  config ''
  weights
  certifies
  exits 0 info "$m" --format json
  json ".family == \"roberta\" and .model_type == \"$type\""
  weights F32:2:other
  refuses "expected those of a $type alone"
done
type=bert
config ''
weights
for file in adapter_config.json adapter_model.safetensors adapter_model.bin; do
  echo '{}' >"$m/$file"
  refuses "$m/$file: is an adapter, which is not evaluated, expected"
  rm "$m/$file"
done
for file in quantize_config.json quant_config.json hf_quant_config.json; do
  echo '{}' >"$m/$file"
  refuses "$m/$file: is of quantized weights, which are not computed, expected"
  rm "$m/$file"
done
certifies
finish

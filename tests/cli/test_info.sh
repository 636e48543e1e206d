#!/bin/sh
# info: models, weights files, inputs.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/w"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
safetensors '{"other":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}' 0 0 >"$tmp/other"

exits 0 info random:gpt2 --format json
json '.kind == "model" and .family == "gpt2" and .layers == 12 and .d == 768 and .heads == 12 and .files == []'
json '[.attention[] | .layer] == [range(12)] and all(.attention[]; .attention == "mask causal, scores divided by sqrt(k)")'
json 'all(.attention[]; .certifiable == "can be certified" and (has("why_not") | not))'
exits 0 info random:bert:16,2,2
prints '  1  mask none, scores divided by sqrt(k)  can be certified'
exits 0 info "$tmp/w" --format json
json '.kind == "safetensors" and .d == 2 and .heads == 1 and .head_dim == 2 and (.tensors | length == 3)'
json '.tensors[0] == {dtype: "F32", shape: [2, 2], name: "query.weight"}'
ok 'the digest is that of the file' grep -qF "$(sha256sum "$tmp/w" | cut -d ' ' -f 1)" "$tmp/out"
exits 0 info "$tmp/other" --format json
json '(.not_a_layer | contains("tensor \u0027other\u0027 is not of the layout")) and (.tensors | length == 1)'
exits 0 info "$tmp/x.npy" --format json
json '.kind == "npy" and .rows == 3 and .columns == 2'

exits 0 info "$tmp/w"
prints 'F32  [2, 2]  query.weight'
exits 0 info "$tmp/x.npy" --output "$tmp/work/facts"
ok 'written to the file' grep -q 'rows' "$tmp/work/facts"
rm "$tmp/work/facts"

# a model with one layer that is another function, and one that is not all there
mkdir "$tmp/neo"
echo '{"model_type": "gpt_neo", "hidden_size": 2, "num_heads": 2, "num_layers": 2, "window_size": 7}' >"$tmp/neo/config.json"
tensors=
offset=0
for name in q_proj.weight k_proj.weight v_proj.weight out_proj.weight; do
  tensors="$tensors\"h.0.attn.attention.$name\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[$offset,$((offset + 16))]},"
  offset=$((offset + 16))
done
bias='"h.0.attn.attention.out_proj.bias":{"dtype":"F32","shape":[2],"data_offsets":[64,72]}'
safetensors "{$tensors$bias}" 0 0 0 0 0 0 0 0 2 0 0 2 1 0 0 1 0 0 >"$tmp/neo/model.safetensors"
exits 0 info "$tmp/neo" --format json
json '.family == "gpt_neo" and .attention[0].certifiable == "can be certified" and .attention[0].attention == "mask causal, scores not divided"'
json '.attention[1].attention == "mask causal, the last 7 tokens, scores not divided"'
json '.attention[1].certifiable == "cannot be certified" and (.attention[1].why_not | contains("missing"))'
sed -i 's/, "window_size": 7/, "attention_types": [[["global"], 2]]/' "$tmp/neo/config.json"
exits 0 info "$tmp/neo" --format json
json '.attention[1].why_not | contains("h.1.attn.attention.q_proj.weight") and contains("missing")'

# a folder of two towers: one is named
mkdir "$tmp/clip"
echo '{"model_type": "clip", "text_config": {"hidden_size": 2, "num_attention_heads": 1, "num_hidden_layers": 1,
  "intermediate_size": 2}, "vision_config": {"hidden_size": 4}}' >"$tmp/clip/config.json"
tensors=
offset=0
for name in q_proj k_proj v_proj out_proj; do
  for part in '.weight":{"dtype":"F32","shape":[2,2]' '.bias":{"dtype":"F32","shape":[2]'; do
    size=16
    case $part in .bias*) size=8 ;; esac
    tensors="$tensors\"text_model.encoder.layers.0.self_attn.$name$part,\"data_offsets\":[$offset,$((offset + size))]},"
    offset=$((offset + size))
  done
done
other='"vision_model.x":{"dtype":"F32","shape":[1],"data_offsets":[96,100]}'
safetensors "{$tensors$other}" 1 0 0 1 0 0 1 2 0 1 0 0 2 0 0 2 0 0 1 0 0 1 0 0 2 >"$tmp/clip/model.safetensors"
rejects "of two towers, expected the folder's name with :text or :vision behind it" info "$tmp/clip"
exits 0 info "$tmp/clip:text" --format json
json '.family == "clip_text_model" and .model_type == "clip" and .d == 2 and (.no_head | contains("no head"))'
json '.attention == [{layer: 0, attention: "mask causal, scores divided by sqrt(k)", certifiable: "can be certified"}]'
json '[.tensors[] | select(.use != "read") | [.name, .why]] == [["vision_model.x", "of the other tower, which is not read"]]'
json '[.keys[] | select(.use != "read") | .name] == ["vision_config"] and (.keys | map(.name) | contains(["text_config.hidden_size"]))'
exits 0 certify --model "$tmp/clip:text" --layer 0 --input "$tmp/x.npy" --format json
json ".source.model == \"$tmp/clip:text\" and .layer.mask == \"causal\""
rejects "$tmp/clip: no tokenizer.json" certify --model "$tmp/clip:text" --layer 0 --text "$tmp/x.npy" --tokens 2

# a pickle alone
mkdir "$tmp/pickle"
cp "$tmp/neo/config.json" "$tmp/pickle"
echo >"$tmp/pickle/pytorch_model.bin"
rejects 'pytorch_model.bin, a pickle, which is not read, expected model.safetensors' info "$tmp/pickle"
rejects "$tmp/none" info "$tmp/none"
rejects "$tmp" info "$tmp"
exits 2 info "$tmp/none" --format json
ok 'no part of a report' test ! -s "$tmp/out"
exits 2 info "$tmp/none" --format json --output "$tmp/work/facts"
ok 'and no file' test -z "$(ls "$tmp/work")"
finish

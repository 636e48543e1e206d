#!/bin/sh
# info: models, weights files, inputs.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/w"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
safetensors '{"other":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}' 0 0 >"$tmp/other"

exits 0 info random:gpt2 --format json
json '.kind == "model" and .family == "gpt2" and .layers == 12 and .d == 768 and .heads == 12 and .files == []'
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
rejects "$tmp/none" info "$tmp/none"
rejects "$tmp" info "$tmp"
finish

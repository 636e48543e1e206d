#!/bin/sh
# spectrum: the JSON's fields and what must hold between them, with and without an input; heads, folding, weights files,
# propagation, pictures; refusals.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
bert='--model random:bert:8,2,2 --seed 3 --layer 1'
layer 2 0 0 1 1 0 0 -1 2 0 0 1 >"$tmp/w" # W = Q^T K = [2 0; 0 -1], as q = 2, 0; 0, 1 and k = 1, 0; 0, -1
npy '2, 2' 0 1 1 0.5 >"$tmp/x.npy"
npy '2, 2' 0 nan 1 0.5 >"$tmp/nan.npy"
npy '2, 3' 0 1 1 0.5 1 0 >"$tmp/wide.npy"

# shellcheck disable=SC2086 # the shorthands above are several words
{
  exits 0 spectrum $bert --format json
  json '.schema == "attcert/spectrum/1" and .layer.d == 8 and .layer.heads == 2 and .layer.head_dim == 4'
  json '.folded_layernorm == false and (.matrix | contains("without the factor"))'
  json '(.heads | length) == 2 and ([.heads[].head] == [0, 1]) and .heads[0].entropy == null and .heads[0].rho == null'
  json 'all(.heads[]; . as $h | all("trace", "trace_of_square", "frobenius", "norm", "spectral_radius", "eigenvalue_mean",
    "eigenvalue_variance"; $h[.] | .[0] <= .[1]))'
  json 'all(.heads[]; ([.eigenvalues[].multiplicity] | add) == 8 and all(.eigenvalues[]; .radius >= 0))'
  json 'all(.heads[]; ([.eigenvalues[] | .re * .multiplicity] | add) - .trace[0] | fabs < 1e-12)'
  json 'all(.heads[]; .spectral_radius[0] <= .norm[1] and .norm[0] <= .frobenius[1] and .norm[1] - .norm[0] <= 1e-9 * .norm[1])'
  json 'all(.heads[]; .trace[0] / 8 - .eigenvalue_mean[0] | fabs < 1e-15)'
  cp "$tmp/out" "$tmp/all"
  exits 0 spectrum $bert --heads 1 --format json
  ok 'one head is that head of the layer' test "$(jq -c '.heads[0]' "$tmp/out")" = "$(jq -c '.heads[1]' "$tmp/all")"

  # an input adds its quantities, and changes nothing else
  exits 0 spectrum $bert --text src/cli/demo.txt --tokens 5 --format json --output "$tmp/input"
  cp "$tmp/input" "$tmp/out"
  json '.layer.n == 5 and all(.heads[]; (.entropy | length) == 5)'
  json 'all(.heads[]; all(.entropy[]; .[0] >= 0 and .[1] <= 1.6094379124341004 + 1e-12))'
  json 'all(.heads[]; ([.entropy[][0]] | add / 5) - .entropy_mean[0] | fabs < 1e-14)'
  json 'all(.heads[]; .largest_weight[0] >= 0.2 and .largest_weight[1] <= 1 and .z[0] > 0)'
  json '.token_similarity | all(.input, .output; .[0] > 0 and .[1] <= 1)'
  json '.radius_of_inputs[0] > 0'
  ok 'the same matrices' test "$(jq -c '[.heads[].eigenvalues]' "$tmp/out")" = "$(jq -c '[.heads[].eigenvalues]' "$tmp/all")"
  exits 0 spectrum --model random:gpt2:8,2,2 --layer 0 --text src/cli/demo.txt --tokens 3 --format json
  json 'all(.heads[]; .entropy[0][1] < 1e-30 and .largest_weight[1] == 1)' # the first token attends to itself alone

  # a weights file, with known eigenvalues, and without an input
  exits 0 spectrum --weights "$tmp/w" --format json
  json '.heads[0] | .trace == [1, 1] and .trace_of_square == [5, 5] and .eigenvalue_variance == [2.25, 2.25]'
  json '[.heads[0].eigenvalues[] | [.re, .im, .multiplicity]] == [[2, 0, 1], [-1, 0, 1]]'
  exits 0 spectrum --weights "$tmp/w" --input "$tmp/x.npy"
  prints 'matrix     W = Q^T K, d x d, without the factor 1/sqrt(head_dim) of the scores'
  prints 'each disc holds exactly as many eigenvalues'

  # a gpt_neo, whose scores are not divided by sqrt(head_dim): W is that of its stored weights, as in a weights file
  mkdir "$tmp/neo"
  echo '{"model_type": "gpt_neo", "hidden_size": 4, "num_heads": 1, "num_layers": 1, "attention_types": [[["global"], 1]]}' >"$tmp/neo/config.json"
  q='1 0.5 0 0 0 2 0 0 0 0 -1 0 0 0 1 1' k='2 0 0 0 0 1 0 0 0.5 0 1 0 0 0 0 -1' v='1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1'
  at=0 stored='' generic=''
  for part in q:query k:key v:value; do
    place="{\"dtype\":\"F32\",\"shape\":[4,4],\"data_offsets\":[$at,$((at + 64))]}"
    stored="$stored\"h.0.attn.attention.${part%:*}_proj.weight\":$place,"
    generic="$generic,\"${part#*:}.weight\":$place"
    at=$((at + 64))
  done
  output='"h.0.attn.attention.out_proj.weight":{"dtype":"F32","shape":[4,4],"data_offsets":[192,256]},"h.0.attn.attention.out_proj.bias":{"dtype":"F32","shape":[4],"data_offsets":[256,272]}'
  safetensors "{$stored$output}" $q $k $v $v 0 0 0 0 >"$tmp/neo/model.safetensors"
  safetensors '{"__metadata__":{"num_heads":"1"}'"$generic}" $q $k $v >"$tmp/generic"
  npy '2, 4' 0 1 1 0.5 1 0 0.5 2 >"$tmp/x4.npy"
  walk='--propagation --length 4 --samples 20 --seed-of-walks 3'
  matrix='.heads[0] | [.trace, .trace_of_square, .frobenius, .norm, .eigenvalues, .rho, .random_walk]'
  exits 0 spectrum --weights "$tmp/generic" $walk --format json
  json '.score_factor == "1/sqrt(head_dim)" and .heads[0].trace == [2, 2]' # sum of q_ij k_ij: 2 + 2 - 1 - 1
  jq -c "$matrix" "$tmp/out" >"$tmp/of_weights"
  exits 0 spectrum --model "$tmp/neo" --layer 0 --input "$tmp/x4.npy" $walk --format json
  json '.score_factor == "1" and (.matrix | contains("of the stored weights: the scores of this layer have no factor"))'
  ok 'W of the stored weights' test "$(jq -c "$matrix" "$tmp/out")" = "$(cat "$tmp/of_weights")"
  json '.heads[0].entropy | length == 2'

  # gamma is 1 in a random model: folding it changes nothing
  exits 0 spectrum $bert --fold-layernorm --format json
  json '.folded_layernorm'
  ok 'gamma = 1' test "$(jq -c '[.heads[].eigenvalues]' "$tmp/out")" = "$(jq -c '[.heads[].eigenvalues]' "$tmp/all")"

  # propagation: the formula, the walks, one seed
  exits 0 spectrum $bert --propagation --length 6 --samples 50 --seed-of-walks 4 --format json
  json '.propagation == {"length": 6, "samples": 50, "seed": 4}'
  json 'all(.heads[]; (.rho | length) == 6 and (.random_walk | length) == 6 and all(.rho[]; 0 <= .[0] and .[1] <= 1))'
  json 'all(.heads[]; all(.random_walk[]; .low <= .frequency and .frequency <= .high))'
  json 'all(.heads[]; (.rho_symmetric == null) == (.trace_of_square[0] <= 0))'
  walk=$(jq -c '[.heads[].random_walk]' "$tmp/out")
  exits 0 spectrum $bert --propagation --length 6 --samples 50 --seed-of-walks 4 --format json
  ok 'the same walks' test "$(jq -c '[.heads[].random_walk]' "$tmp/out")" = "$walk"
  exits 0 spectrum $bert --propagation --length 6 --samples 0
  prints 'propagation  i = 1: '
  ok 'no walks' test "$(grep -c walks "$tmp/out")" -eq 0

  # pictures
  exits 0 spectrum $bert --plot "$tmp/eigenvalues.svg"
  ok 'a picture of the eigenvalues' grep -q 'imaginary part' "$tmp/eigenvalues.svg"
  exits 0 spectrum $bert --propagation --length 4 --samples 9 --plot "$tmp/rho.svg"
  ok 'a picture of rho' grep -q 'propagation probability' "$tmp/rho.svg"

  rejects 'no layer is named' spectrum
  rejects '--layer' spectrum --model random:bert:8,2,2
  rejects '--heads: expected all or an integer from 0 to 1' spectrum $bert --heads 2
  rejects 'layer 2 does not exist' spectrum --model random:bert:8,2,2 --layer 2
  rejects "$tmp/none" spectrum --weights "$tmp/none"
  rejects '--fold-layernorm: expected --model' spectrum --weights "$tmp/w" --fold-layernorm
  rejects '--tokens' spectrum $bert --text src/cli/demo.txt
  rejects '--text' spectrum $bert --tokens 4
  rejects '--length: expected --propagation' spectrum $bert --length 4
  rejects '--samples: expected --propagation' spectrum $bert --samples 4
  rejects '--length: expected an integer from 2' spectrum $bert --propagation --length 1
  rejects 'dimension 3' spectrum --weights "$tmp/w" --input "$tmp/wide.npy"
  rejects 'nan.npy' spectrum --weights "$tmp/w" --input "$tmp/nan.npy"
  rejects "'--engine'" spectrum $bert --engine dense
  rejects '--plot' spectrum $bert --plot "$tmp/picture.pdf"
}

# The trace of a trained head, as doubles and as digits: -2.86592874239828836..., in the middle of two doubles
trained=${ATTCERT_DATA:-}/models/bert-tiny-sst2
if [ -f "$trained/model.safetensors" ]; then
  exits 0 spectrum --model "$trained" --layer 0 --heads 1 --format json
  json '.heads[0].trace == [-2.8659287423982885, -2.865928742398288]'
  sed -n '/"trace": \[/,/\]/p' "$tmp/out" >"$tmp/trace"
  ok 'the digits of the trace' test "$(tr -d ' \n' <"$tmp/trace")" = \
    '"trace":[-2.8659287423982885e+00,-2.8659287423982879e+00],'
else
  echo '[  SKIPPED ] the trace of a trained head: ATTCERT_DATA names no folder that holds models/bert-tiny-sst2'
fi
finish

#!/bin/sh
# Trained models of a data folder ($ATTCERT_DATA): folders with their own tokenizer, and hidden states as input.
# Skipped, by name, where the folder is absent.
. tests/cli/harness.sh
models=${ATTCERT_DATA:-}/models
text=${ATTCERT_DATA:-}/text/carroll-alice.txt
if [ ! -d "$models/char-gpt" ]; then
  echo '[  SKIPPED ] trained models: ATTCERT_DATA names no folder that holds models/char-gpt'
  echo '[  SKIPPED ] 1 test(s), listed below:'
  exit 0
fi

exits 0 info "$models/char-gpt" --format json
json '.family == "gpt2" and .layers == 4 and .d == 128 and (.files | length >= 2)'
exits 0 certify --model "$models/char-gpt" --layer 2 --text "$text" --offset 1000 --tokens 16 --format json
json '.layer.mask == "causal" and .source.tokenizer != null and .lipschitz.relative_width <= 1e-10'
json '[.inputs[].role] | index("model") != null and index("text") != null and index("tokenizer") != null'
exits 0 certify --model "$models/bert-tiny-sst2" --layer 1 --hidden "$models/bert-tiny-sst2/input_1.npy" --format json
json '.layer.n == 10 and .layer.mask == "none" and .lipschitz.relative_width <= 1e-10'

rejects 'layer' certify --model "$models/char-gpt" --layer 4 --text "$text" --tokens 8
rejects '--seed' certify --model "$models/char-gpt" --layer 0 --seed 3 --text "$text" --tokens 8
rejects '64' certify --model "$models/char-gpt" --layer 0 --text "$text" --offset 1000 --tokens 65
rejects 'embedding' certify --model "$models/bert-tiny-sst2" --layer 0 --text "$text" --tokens 8 --tokenizer \
  "$ATTCERT_DATA/tokenizer/bert-base-uncased-vocab.txt"
finish

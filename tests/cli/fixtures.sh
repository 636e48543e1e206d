# Small binary files for the command-line tests, written with printf alone; sourced after harness.sh.
# shellcheck shell=sh disable=SC2059,SC2154

# The low byte first, eight bytes.
little_endian_64() {
  n=$1
  for _ in 1 2 3 4 5 6 7 8; do
    printf "\\$(printf %03o $((n % 256)))"
    n=$((n / 256))
  done
}

# float32 values 0, 1, -1, 0.5, 2 and nan, in little-endian order.
floats() {
  for value in "$@"; do
    case $value in
      0) printf '\000\000\000\000' ;;
      1) printf '\000\000\200\077' ;;
      -1) printf '\000\000\200\277' ;;
      0.5) printf '\000\000\000\077' ;;
      2) printf '\000\000\000\100' ;;
      nan) printf '\000\000\300\177' ;;
    esac
  done
}

# safetensors HEADER VALUE...: a safetensors file on standard output.
safetensors() {
  little_endian_64 ${#1}
  printf '%s' "$1"
  shift
  floats "$@"
}

# A 2 x 2 layer: query, key and value weights, four numbers each; with the metadata of one head.
layer_tensors='"query.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"key.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[16,32]},"value.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[32,48]}'
layer_header='{"__metadata__":{"num_heads":"1"},'"$layer_tensors}"
layer() {
  safetensors "$layer_header" "$@"
}

# npy SHAPE VALUE...: an .npy file (version 1.0, '<f4') on standard output. NPY_ORDER and NPY_DTYPE change its header.
npy() {
  printf '\223NUMPY\001\000\166\000' # a header of 118 bytes
  printf '%-117s\n' "{'descr': '${NPY_DTYPE:-<f4}', 'fortran_order': ${NPY_ORDER:-False}, 'shape': ($1), }"
  shift
  floats "$@"
}

# bert_folder NAME KEYS EXTRA...: a folder $tmp/NAME of a BERT of one layer, width 2 and feed-forward width 3; KEYS: of
# config.json besides, each followed by a comma; EXTRA: more tensors, each NAME:ROWS or NAME:ROWS:COLS.
bert_folder() {
  mkdir "$tmp/$1"
  printf '{"model_type":"bert","hidden_size":2,"num_attention_heads":1,"num_hidden_layers":1,"intermediate_size":3,%s' \
    "$2\"vocab_size\":4,\"max_position_embeddings\":4}" >"$tmp/$1/config.json"
  target=$tmp/$1/model.safetensors layer=bert.encoder.layer.0
  shift 2
  for part in query key value; do
    set -- "$@" "$layer.attention.self.$part.weight:2:2" "$layer.attention.self.$part.bias:2"
  done
  for part in attention.output output; do
    set -- "$@" "$layer.$part.LayerNorm.weight:2" "$layer.$part.LayerNorm.bias:2"
  done
  set -- "$@" "$layer.attention.output.dense.weight:2:2" "$layer.attention.output.dense.bias:2" \
    "$layer.intermediate.dense.weight:3:2" "$layer.intermediate.dense.bias:3" "$layer.output.dense.weight:2:3" \
    "$layer.output.dense.bias:2"
  header='' end=0 numbers=''
  for tensor in "$@"; do
    name=${tensor%%:*} sides=${tensor#*:} start=$end
    rows=${sides%%:*} cols=1 shape=$rows
    if [ "$rows" != "$sides" ]; then cols=${sides#*:} shape="$rows,$cols"; fi
    end=$((start + 4 * rows * cols))
    header="$header${header:+,}\"$name\":{\"dtype\":\"F32\",\"shape\":[$shape],\"data_offsets\":[$start,$end]}"
  done
  while [ "$end" -gt 0 ]; do
    case $((end % 20)) in # by turns, so that no two rows of a map are the same
      0) numbers="$numbers 1" ;;
      4) numbers="$numbers -1" ;;
      8) numbers="$numbers 0.5" ;;
      12) numbers="$numbers 2" ;;
      16) numbers="$numbers 0" ;;
    esac
    end=$((end - 4))
  done
  # shellcheck disable=SC2086 # a word a number
  safetensors "{$header}" $numbers >"$target"
}

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

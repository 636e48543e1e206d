#!/bin/sh
# Networks of ONNX files: random transformers against numpy, operator by operator; what is not understood is refused by
# name; a trained vision transformer of $ATTCERT_DATA against numpy on its own tensors.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
stored=tests/fuzz/corpus/onnx
python=$(sh src/python/interpreter numpy onnx)

# The stored files have expectations of their own: tests/unit/onnx/test_onnx_network.c.
if [ -n "$python" ]; then
  "$python" tests/cli/onnx_graphs.py "$attcert" "$tmp" "${ATTCERT_CASES:-40}" "${ATTCERT_SEED:-1}" \
    >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok 'random networks are those that numpy evaluates' test "$status" -eq 0
  tail -n 1 "$tmp/out"
else
  echo '[  SKIPPED ] random networks: no python3 with numpy and onnx'
fi

printf '\223NUMPY\001\000v\000%-117s\n\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\100' \
  "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }" >"$tmp/two.npy"
# refused NAME TEXT: the stored file is refused with a line that says it.
refused() { rejects "$2" gradient --onnx "$stored/bad-$1" --input "$tmp/two.npy"; }
refused unknown-operator 'node 0 (LSTM, no name): an operator that is not understood'
refused unknown-attribute 'attribute transB is not read'
refused cyclic 'input b is no tensor of the file and no output of a node before'
refused subgraph 'field 6 of a AttributeProto is not read'
refused functions 'field 25 of a ModelProto is not read'
refused external 'tensor w: its numbers are in another file'
refused claims-terabytes 'shape [1099511627776, 3]'
refused not-finite 'tensor w: number 0 is not finite'
refused two-inputs 'inputs x and z, expected one'
refused mean-alone 'reads the mean of a side by itself, which is not understood'
refused lfs 'Git LFS pointer'
refused cut 'is no ONNX model'
refused training 'no training'
refused negative-variance 'variance + epsilon'
refused where-finite 'scores replaced by -10000, expected -inf'
refused all-masked 'token 0 attends to no key'
refused scaled-bias 'scores by a number behind what is added to them'
refused infinite-bias 'expected them added to scores of queries and keys'
refused infinite-factor 'input w1 has numbers that are -inf'
rejects '2 numbers, expected the 4 numbers' gradient --onnx "$stored/good-linear" --input "$tmp/two.npy"
rejects 'expected --input' gradient --onnx "$stored/good-linear"
rejects 'expected one of them' gradient --onnx "$stored/good-linear" --model random:bert --input "$tmp/two.npy"
rejects '--input: expected --onnx' gradient --model random:bert:8,2,1 --input "$tmp/two.npy"
rejects 'expected --model or --onnx' robust --radius 1
rejects "expected one of them" robust --onnx "$stored/good-linear" --input "$tmp/two.npy" --token 1 --radius 1

rejects 'expected one of them' robust --onnx "$stored/good-linear" --input "$tmp/two.npy" --execution float32 --radius 1

# Several inputs: one moves, the others are constants; z is added to the sum of x, 0 and minus that sum.
npy '1, 4' 1 -1 0.5 2 >"$tmp/x.npy"
npy '1, 1' 0.5 >"$tmp/z.npy"
two="--onnx $stored/two-inputs-added"
# shellcheck disable=SC2086 # several words
{
  exits 0 robust $two --input "x=$tmp/x.npy" --input "z=$tmp/z.npy" --radius 0.1 --attack 0 --format json \
    --certificate "$tmp/two.json"
  json '.network.d == 4 and (.inputs | map(.role)) == ["model", "input", "constant"]'
  exits 0 verify "$tmp/two.json"
  exits 0 gradient $two --input "$tmp/x.npy" --input "z=$tmp/z.npy" --format json
  json '.network.d == 4'
  exits 0 predict $two --input "x=$tmp/x.npy" --input "z=$tmp/z.npy" --format json
  json '.network.d == 4'
  rejects 'a constant on the left' predict $two --input "z=$tmp/z.npy" --input "x=$tmp/x.npy"
  rejects 'inputs x and z, expected one that moves' gradient $two --input "$tmp/x.npy"
  rejects 'no input w, expected x and z' gradient $two --input "$tmp/x.npy" --input "w=$tmp/z.npy"
  rejects 'expected NAME=FILE' gradient $two --input "$tmp/x.npy" --input "$tmp/z.npy"
  rejects 'is given twice, expected once' gradient $two --input "$tmp/x.npy" --input "z=$tmp/z.npy" --input "z=$tmp/z.npy"
  rejects "$tmp/none.npy" gradient $two --input "$tmp/x.npy" --input "z=$tmp/none.npy"
}
rejects 'given twice' certify --model random:bert --layer 0 --input "$tmp/x.npy" --input "$tmp/z.npy"

# GELU in parts is one function beside what its constants scale: affine, division, function, two factors, affine.
printf '\223NUMPY\001\000v\000%-117s\n\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\100' \
  "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 4), }" >"$tmp/four.npy"
printf '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\100' >>"$tmp/four.npy"
for kind in erf tanh; do
  exits 0 gradient --onnx "$stored/good-gelu-$kind" --input "$tmp/four.npy" --format json
  json '.network.operations <= 6'
done

# Questions of VNN-LIB: outputs of the network x -> (sum x, sum x, sum x) over a box.
question() {
  for k in 0 1 2 3; do echo "(declare-const X_$k Real)"; done
  for k in 0 1 2; do echo "(declare-const Y_$k Real)"; done
  for k in 0 1 2 3; do echo "(assert (>= X_$k 0.1)) ; a bound"; done
  for k in 0 1 2 3; do echo "(assert (<= X_$k 0.2))"; done
  echo "$1"
} >"$tmp/q.vnnlib"
# answers TEXT ASSERTION: the answer's first line.
answers() {
  question "$2"
  exits 0 vnnlib "$stored/good-linear" "$tmp/q.vnnlib"
  ok "$1: $2" test "$(head -n 1 "$tmp/out")" = "$1"
}
answers unsat '(assert (>= Y_0 0.8001))'
answers sat '(assert (>= Y_0 0.7999))'
prints '(Y_0 0.'
answers unsat '(assert (<= Y_1 0.3999))'
answers sat '(assert (<= Y_1 0.4001))'
answers unsat '(assert (or (and (>= Y_0 0.9) (<= Y_1 0.5)) (and (<= Y_2 0.3))))'
answers sat '(assert (or (and (>= Y_0 0.9)) (and (<= Y_2 0.7) (>= Y_2 0.5))))'
# A corner of decimals that no double is: inside of the box its sum is below 0.4 + 0.4, never more.
answers unsat '(assert (>= Y_0 0.80000000000001))'
# Inputs bounded within cases, boxes of which one holds the input, an empty one, all of them.
answers unsat '(assert (or (and (<= X_0 0.11) (>= Y_0 0.72)) (and (>= X_0 0.19) (<= Y_0 0.48))))'
answers sat '(assert (or (and (<= X_0 0.11) (>= Y_0 0.72)) (and (>= X_0 0.19) (<= Y_0 0.50))))'
answers unsat '(assert (or (and (>= X_0 0.3) (>= Y_0 0)) (and (<= X_0 0.11) (>= Y_1 0.72))))'
answers unsat '(assert (or (and (>= X_0 0.3) (>= Y_0 0)) (<= Y_0 0.39)))'
answers unsat '(assert (or (<= X_0 0.11) (and (>= X_0 0.12) (<= X_1 0.11)))) (assert (>= Y_0 0.72))'
answers sat '(assert (or (<= X_0 0.11) (and (>= X_0 0.12) (<= X_1 0.13)))) (assert (>= Y_0 0.72))'
answers unsat '(assert (or (<= X_0 0.11) (<= X_1 0.11))) (assert (or (and (<= X_2 0.1) (>= Y_0 0.62)) (>= Y_0 0.72)))'
answers sat '(assert (or (<= X_0 0.11) (<= X_1 0.11))) (assert (or (and (<= X_2 0.101) (>= Y_0 0.60)) (>= Y_0 0.72)))'

# Version 2.0, and files of gzip.
tensors() {
  echo '(vnnlib-version <2.0>)
(declare-network N (declare-input In float32 [2, 2]) (declare-output Out Real [1,3]))
(assert (and (>= In[0,0] 0.1) (<= In[0,0] 0.2) (>= In[0, 1] 0.1) (<= In[0,1] 0.2)))
(assert (>= In[1,0] 0.1)) (assert (<= In[1,0] 0.2)) (assert (<= In[1,1] 0.2)) (assert (>= In[1,1] 0.1))'
  echo "$1"
} >"$tmp/q.vnnlib"
for packed in '' .gz; do
  tensors '(assert (or (>= Out[0,0] 0.8001) (<= Out[0, 2] 0.3999)))'
  if [ -n "$packed" ]; then gzip -f "$tmp/q.vnnlib"; fi
  exits 0 vnnlib "$stored/good-linear" "$tmp/q.vnnlib$packed"
  prints unsat
done
tensors '(assert (>= Out[0,2] 0.7999))'
exits 0 vnnlib "$stored/good-linear" "$tmp/q.vnnlib"
prints '(Y_0 0.'
# named TEXT DECLARATIONS ASSERTION
named() {
  echo "(vnnlib-version <2.0>)$2$3" >"$tmp/q.vnnlib"
  rejects "$1" vnnlib "$stored/good-linear" "$tmp/q.vnnlib"
}
network='(declare-network N (declare-input X real [4]) (declare-output Y real [3]))'
named 'expected an input or an output' "$network" '(assert (>= Y[3] 0))'
named 'expected an input or an output' "$network" '(assert (>= Y_0 0))'
named 'expected an input or an output' "$network" '(assert (>= Y[0,0] 0))'
named 'expected >=, <=, and, or' "$network" '(assert (== X[0] 0))'
named 'expected one network' "$network$network" ''
named 'expected a name, a type real' '(declare-network N (declare-input X int8 [4]) (declare-output Y real [3]))' ''
named 'expected a shape such as' '(declare-network N (declare-input X real []) (declare-output Y real [3]))' ''
named 'expected a shape such as' '(declare-network N (declare-input X real [4096,4097]) (declare-output Y real [3]))' ''
named 'declare-output alone' '(declare-network N (declare-input X real [4]) (declare-hidden H real [3]))' ''
named 'different names' '(declare-network N (declare-input X real [4]) (declare-output X real [3]))' ''
echo '(vnnlib-version <3.0>)' >"$tmp/q.vnnlib"
rejects 'expected <2.0>' vnnlib "$stored/good-linear" "$tmp/q.vnnlib"
tensors '(assert (>= Out[0,2] 0.7999))'
gzip -c "$tmp/q.vnnlib" | head -c -9 >"$tmp/cut.gz"
rejects 'a gzip file that is damaged' vnnlib "$stored/good-linear" "$tmp/cut.gz"
(gzip -c "$tmp/q.vnnlib" && echo more) >"$tmp/more.gz"
rejects 'a gzip file that is damaged, or not one alone' vnnlib "$stored/good-linear" "$tmp/more.gz"

# asked TEXT ASSERTION...: refused with a line that says TEXT.
asked() {
  text=$1
  question "$2"
  rejects "$text" vnnlib "$stored/good-linear" "$tmp/q.vnnlib"
}
asked 'expected >=, <=, and, or' '(assert (= Y_0 1))'
asked "')' without its '('" '(assert (>= Y_0 1)))'
asked "the file ends within '('" '(assert (>= Y_0 1)'
asked 'expected an input or an output' '(assert (>= Y_7 1))'
asked 'no condition of outputs' ''
asked 'expected outputs in each case, or in none' '(assert (or (>= Y_0 1) (>= X_0 0.15)))'
asked 'expected one disjunction of inputs' '(assert (or (>= X_0 0) (<= X_1 1))) (assert (or (>= X_0 0) (<= X_1 1)))'
asked 'expected one disjunction' '(assert (or (>= Y_0 1) (>= Y_1 1))) (assert (>= Y_0 1))'
asked 'all declarations before' '(declare-const X_4 Real)'
asked 'its lower bound is above' '(assert (>= X_0 0.3)) (assert (>= Y_0 1))'
printf '(declare-const X_0 Real)(declare-const Y_0 Real)(assert (>= X_0 0))(assert (>= Y_0 0))' >"$tmp/q.vnnlib"
rejects 'X_0: expected a lower and an upper bound' vnnlib "$stored/good-linear" "$tmp/q.vnnlib"
printf '(declare-const X_0 Real)(declare-const Y_0 Real)(assert (<= 0 X_0))(assert (<= X_0 1))(assert (>= Y_0 0))' \
  >"$tmp/q.vnnlib"
rejects 'expected one of 1 numbers' vnnlib "$stored/good-linear" "$tmp/q.vnnlib"
rejects 'expected NET.onnx PROP.vnnlib' vnnlib "$stored/good-linear"

# A vision transformer: the margins of numpy, a ball of pixels, and an input beyond it that flips.
model=${ATTCERT_DATA:-}/models/deept-mnist-vit
numpy=$(sh src/python/interpreter numpy)
if [ -f "$model/model.onnx" ] && [ -n "$numpy" ]; then
  for image in 0 7; do
    pixels=$model/image_$image.npy
    "$numpy" tests/cli/onnx_vit.py "$model" $image >"$tmp/scores"
    run gradient --onnx "$model/model.onnx" --input "$pixels" --format json
    ok "image $image: the margin of numpy" \
      "$numpy" tests/cli/onnx_vit.py --margin "$tmp/scores" "$(jq .label "$tmp/out")" "$(jq -c .margin "$tmp/out")"
  done
  run robust --onnx "$model/model.onnx" --input "$pixels" --radius 0.002 --ball entry --format json
  ok 'a ball of pixels is certified' test "$status" -eq 0
  json '.radius_certified == 0.002 and .ball == "entry" and .network.d == 784 and .network.classes == 10'
  run predict --onnx "$model/model.onnx" --input "$pixels" --format json
  ok 'its answer is certified' test "$status" -eq 0
  run robust --onnx "$model/model.onnx" --input "$pixels" --radius 0.5 --ball entry --format json
  ok 'too large a ball is refuted' test "$status" -eq 1
else
  echo '[  SKIPPED ] a trained vision transformer: no python3 with numpy, or no models/deept-mnist-vit in ATTCERT_DATA'
fi
finish

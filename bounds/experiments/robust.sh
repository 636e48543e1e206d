#!/bin/sh
# Certified robustness of whole networks, and of one layer on a ball.
#   robust.csv       per model, input and words that move: the margin and its gradient, the largest certified and the
#                    smallest refuted radius, and beside them the first-order estimate margin / ||gradient|| and the
#                    product of the layers' constants at the input; for the sentences also the radius at which every
#                    execution in a floating-point format has the same answer
#   robust_loss.csv  what each operation takes off the margin at the certified radius
#   robust_executed.csv  executions by PyTorch beside the bound of the margin's error in their format
#                    (bounds/programs/executed_margins.py); fails where one exceeds it. PyTorch is optional: Debian's
#                    python3-torch and python3-numpy.
#   robust_ball.csv  sup ||D_X' f|| of attention over balls of growing radius around an input
#   robust.svg, robust_ball.svg
# usage: bounds/experiments/robust.sh quick|full FOLDER
. bounds/lib.sh
sentences=$(by_mode 1 '0 1 2 3 4')
decoders=$(by_mode '' 'char-gpt mini-gpt')
lengths=$(by_mode '' '16 32')
formats=$(by_mode float32 'float32 bfloat16 float16')
bert=$models/bert-tiny-sst2

# verdict KEY ARGUMENT...: a run of attcert robust, whatever it finds; KEY begins a row.
verdict() {
  remember "$@"
  shift
  [ -s "$path" ] || later bounds/any_verdict "$ATTCERT" robust "$@" --search --format json --output "$path"
}

# An encoder's sentence: one word, the middle one, all of them; the executions with one word.
sentence() {
  input=$bert/input_$1.npy
  n=$(sh bounds/npy_prefix "$input")
  for words in 1 $((n / 2)) all; do
    verdict "bert-tiny-sst2,$1,$n,$words,exact" --model "$bert" --hidden "$input" --words "$words" \
      --relative "$(by_mode 0.2 0.01)" --attack "$(by_mode 10 40)"
  done
  for format in $formats; do
    verdict "bert-tiny-sst2,$1,$n,1,$format" --model "$bert" --hidden "$input" --words 1 --execution "$format" \
      --relative "$(by_mode 0.2 0.01)" --attack 0
  done
}

# A decoder's next character after a text, whose middle character moves; with 32 characters symbols are merged.
text() {
  known_text alice "$1"
  verdict "$1,alice,$2,$(($2 / 2)),exact" --model "$models/$1" --architecture GPT2LMHeadModel --text "$inputs/alice_$1.txt" \
    --offset 1000 --tokens "$2" --words $(($2 / 2)) --relative 0.05 --memory-limit 8G
}

for i in $sentences; do sentence "$i"; done
for model in $decoders; do
  for n in $lengths; do text "$model" "$n"; done
done
run_all

# ---- tables ----------------------------------------------------------------------------------------------------------

# product KEY REPORT: the product of the layers' constants, of sentences; once for each of them and its classes.
product() {
  case $1 in bert-tiny-sst2,*) ;; *) return ;; esac
  set -- "$(echo "$1" | cut -d , -f 2)" "$(jq .label "$2")" "$(jq .rival "$2")"
  kept=$scratch/product-$1-$2-$3
  [ -s "$kept" ] || "$BUILD/bounds/programs/layer_constants" "$bert" "$bert/input_$1.npy" "$2" "$3" >"$kept"
  cat "$kept"
}

{
  echo '# l2 radii; certified: no input within it changes the answer; refuted: an input within it does'
  echo 'model,input,n,words,execution,margin,gradient,first_order,certified,refuted,product,evaluations,MiB'
  while read -r key path; do
    product=$(product "$key" "$path")
    jq -r --arg key "$key" --arg product "$product" '[$key, .margin[0], .gradient_norm[1], .first_order_radius, .radius_certified // 0,
      .radius_refuted // "", $product, .evaluations, (.peak_memory_bytes / 1048576 | round)]
      | map(tostring) | join(",")' "$path"
  done <"$scratch/keys"
} >"$scratch/robust.csv"
mv "$scratch/robust.csv" "$folder/robust.csv"

{
  echo '# share: of what the bound takes off the margin at the certified radius'
  echo 'model,input,n,words,execution,place,operation,layer,share'
  while read -r key path; do
    jq -r --arg key "$key" '.loss // [] | to_entries[] | [$key, .key, .value.operation, .value.layer // "", .value.share]
      | map(tostring) | join(",")' "$path"
  done <"$scratch/keys"
} >"$scratch/robust_loss.csv"
mv "$scratch/robust_loss.csv" "$folder/robust_loss.csv"
figure robust

# ---- executions by PyTorch -------------------------------------------------------------------------------------------

# The reports of a sentence's executions, one a format.
executions() { awk -v key="^bert-tiny-sst2,$1,.*,1," '$1 ~ key && $1 !~ /exact/ { print $2 }' "$scratch/keys"; }
if python=$(sh src/python/interpreter numpy torch); then
  {
    echo '# executions by PyTorch; observed: distance of the margin from the exact one; bound: of any execution'
    echo input,execution,variant,executed,observed,bound,ratio
    for i in $sentences; do
      # shellcheck disable=SC2046 # one path a format
      "$python" bounds/programs/executed_margins.py "$bert" "$bert/input_$i.npy" $(executions "$i")
    done
  } >"$scratch/robust_executed.csv"
  mv "$scratch/robust_executed.csv" "$folder/robust_executed.csv"
  awk -F , '!/^#/ && $1 != "input" { if ($7 > most) most = $7; rows++ }
    END { printf "robust: %d executions, the largest error %.3g of its bound\n", rows, most }' "$folder/robust_executed.csv"
else
  echo "robust: no executions, PyTorch is not there (apt-get install --no-install-recommends python3-torch python3-numpy)"
fi

# ---- one layer on a ball ---------------------------------------------------------------------------------------------

radii=$(by_mode 1e-2:1e-1:log:2 1e-3:1:log)
curve() { echo "$reports/robust_ball-$1-$2.csv"; }
for layer in 0 1; do
  later "$ATTCERT" sweep --model "$bert" --layer "$layer" --hidden "$bert/input_1.npy" --radius "$radii" \
    --output "$(curve "$layer" "$mode")"
done
run_all
{
  echo '# sup ||D_X f|| over the ball of this radius (Frobenius norm) around input_1: lower <= sup <= upper'
  echo 'layer,radius,point,lower,upper,T9'
  for layer in 0 1; do
    awk -F , -v OFS=, -v layer="$layer" '/^#/ { next }
      !names { names = 1; for (i = 1; i <= NF; i++) column[$i] = i; next }
      { print layer, $1, $column["point_upper"], $column["found"], $column["upper"], $column["T9"] }' "$(curve "$layer" "$mode")"
  done
} >"$scratch/robust_ball.csv"
mv "$scratch/robust_ball.csv" "$folder/robust_ball.csv"
figure robust_ball

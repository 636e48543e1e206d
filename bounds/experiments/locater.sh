#!/bin/sh
# The eigenspectrum of W = Q^T K during training, with and without a regulariser that shrinks its scale, and the
# certified constant beside it: a transformer of one layer and one head that bounds/locater/train.py trains on words.
# PyTorch is optional: without Debian's python3-torch and python3-numpy nothing is trained and no file is written.
#   locater.csv         a row a checkpoint and input: the perplexity; enclosed by attcert: mean and variance of the
#                       eigenvalues, ||W||_F, ||W||_2, its spectral radius, the mean entropy of a row of attention,
#                       the largest weight, how alike attention's outputs are, the local constant and the theory's
#                       bounds at the input
#   locater_curves.csv  the same over seeds and inputs, from the lowest lower to the highest upper end
#   locater-RATE.svg, locater-constant.svg
# usage: bounds/experiments/locater.sh quick|full FOLDER
# Environment: LOCATER_SEEDS, LOCATER_CHECKPOINTS: only these seeds, only these of the steps below (default: all). A
# later run without them computes what they left out.
. bounds/lib.sh
steps=$(by_mode '0 12' '0 25 50 100 250 500 1000')
checkpoints=${LOCATER_CHECKPOINTS:-$steps}
seeds=${LOCATER_SEEDS:-$(by_mode 0 '0 1 2')}
rates=$(by_mode 1e-3 '2.5e-5 1e-3')
# The penalty, its strength, and the mean that it asks for: a number, or that at the beginning.
settings=$(by_mode 'none,0, eigenvalues,1, entries,100,0.1' \
  'none,0, eigenvalues,0.1, eigenvalues,1, entries,1, entries,10, entries,100,0.1')
vocabulary=$(by_mode 500 2000)
windows=$(by_mode 64 1024) # of the validation text, of which the perplexity is taken
window_inputs=$(by_mode 0 '0 1')

if ! python=$(sh src/python/interpreter numpy torch); then
  echo 'locater: nothing trained, PyTorch is not there (sh .ci/setup training)'
  exit 0
fi

# each_training COMMAND: COMMAND RATE PENALTY STRENGTH MEAN SEED
each_training() {
  for seed in $seeds; do
    for rate in $rates; do
      for setting in $settings; do
        IFS=, read -r penalty strength mean <<END
$setting
END
        "$1" "$rate" "$penalty" "$strength" "$mean" "$seed"
      done
    done
  done
}
trained() { echo "$inputs/locater-$vocabulary-$1-$2-$3-$4-$5"; }

# ---- training --------------------------------------------------------------------------------------------------------

# The validation split of WikiText-2 trains, its test split validates.
last=${checkpoints##* }
steps=$(for step in $steps; do if [ "$step" -le "$last" ]; then echo "$step"; fi; done | paste -sd ,)
train() {
  set -- "$(trained "$@")" "$@"
  if grep -q "^$last," "$1/progress.csv" 2>/dev/null; then return; fi
  # shellcheck disable=SC2086 # the inputs are several words
  later "$python" -B bounds/locater/train.py --folder "$1" \
    --train "$texts/wikitext2_valid.txt" --validate "$texts/wikitext2_test.txt" \
    --rate "$2" --penalty "$3" --strength "$4" ${5:+--mean "$5"} --seed "$6" --vocabulary "$vocabulary" \
    --windows "$windows" --inputs "$(echo $window_inputs | wc -w)" --checkpoints "$steps"
}
each_training train
if [ -s "$scratch/commands" ]; then echo "locater: $(wc -l <"$scratch/commands") trainings to end at step $last"; fi
run_all

# ---- certificates ----------------------------------------------------------------------------------------------------

# each_checkpoint COMMAND RATE PENALTY STRENGTH MEAN SEED: COMMAND FOLDER STEP INPUT ROW CERTIFICATE, ROW being how its
# row begins, CERTIFICATE the key of its reports: at the beginning all trainings of a seed have one layer.
each_checkpoint() {
  checkpoint_command=$1
  shift
  for step in $checkpoints; do
    for input in $window_inputs; do
      begins=$1,$2,$3,$4,$5,$step,$input
      certificate=$begins
      if [ "$step" -eq 0 ]; then certificate=beginning,$5,$input; fi
      "$checkpoint_command" "$(trained "$@")" "$step" "$input" "$begins" "$certificate"
    done
  done
}
# A constant to 1e-6 where an engine gets there: the others have their width.
certify() {
  key=$5
  if [ -n "$(report_path "$key")" ]; then return; fi
  set -- --weights "$1/layer-$2.safetensors" --input "$1/input-$2-$3.npy" --mask causal
  remember "$key" "$@"
  [ -s "$path" ] ||
    later bounds/any_verdict "$ATTCERT" certify "$@" --tolerance 1e-6 --threads 1 --format json --output "$path"
  remember "spectrum:$key" "$@"
  [ -s "$path" ] || later "$ATTCERT" spectrum "$@" --format json --output "$path"
}
certify_training() { each_checkpoint certify "$@"; }
: >"$scratch/keys"
each_training certify_training
run_reports

# ---- tables ----------------------------------------------------------------------------------------------------------

enclosed='eigenvalue_mean eigenvalue_variance frobenius norm spectral_radius'
enclosed="$enclosed entropy_mean largest_weight token_similarity"
row() {
  spectrum=$(awk -v columns="$enclosed" -f bounds/locater/spectrum_row.awk "$(report_path "spectrum:$5")")
  csv_row "$5" "$4,$(grep "^$2," "$1/progress.csv" | cut -d , -f 2-),$spectrum"
}
ends=$(for name in $enclosed; do printf ',%s_lower,%s_upper' "$name" "$name"; done)
rows_of_training() { each_checkpoint row "$@"; }
training='loss,perplexity,trained_mean,trained_variance,trained_entries'
csv_begin locater.csv "rate,penalty,strength,mean,seed,step,input,$training$ends" \
  "WikiText-2: trained on the validation split, validated on the test split; $vocabulary words, all others <unk>"
each_training rows_of_training
csv_end
awk -f bounds/locater/curves.awk "$folder/locater.csv" >"$scratch/curves"
mv "$scratch/curves" "$folder/locater_curves.csv"

for rate in $rates; do figure locater "rate='$rate'"; mv "$folder/locater.svg" "$folder/locater-$rate.svg"; done
figure locater-constant

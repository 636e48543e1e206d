# What the experiments share; sourced by bounds/experiments/NAME.sh, which bounds/run calls as NAME.sh quick|full FOLDER
# with ATTCERT, ATTCERT_DATA, BUILD and BOUNDS_JOBS in the environment, from the root of the project.
#
# A run of attcert that writes one report:          A table of such reports:
#   report KEY ARGUMENT...    remembers it            csv_begin NAME.csv COLUMNS OF WHAT
#   run_reports               runs what is missing    csv_row KEY VALUES      VALUES for COLUMNS, then what the report
#                             says
#                                                     csv_end                 the file appears, whole
# Reports are kept in FOLDER/reports under a name made from their arguments, so that an interrupted experiment goes on.
# shellcheck shell=sh disable=SC2034,SC2154
set -eu
mode=$1 folder=$2
experiment=$(basename "$0" .sh)
models=$ATTCERT_DATA/models
texts=$ATTCERT_DATA/text
tokenizers=$ATTCERT_DATA/tokenizer
reports=$folder/reports
inputs=$folder/inputs
mkdir -p "$reports" "$inputs"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# by_mode QUICK FULL: the one of the mode.
by_mode() {
  if [ "$mode" = quick ]; then echo "$1"; else echo "$2"; fi
}

# ---- texts -----------------------------------------------------------------------------------------------------------

# plain_text NAME: $inputs/NAME.txt; of AG NEWS title and description, a row a line.
plain_text() {
  case $1 in
    alice) cat "$texts/carroll-alice.txt" ;;
    agnews) sed 's/^"[0-9]*","//; s/","/ /; s/"$//; s/""/"/g' "$texts/ag_news_test_1000.csv" ;;
  esac >"$inputs/$1.txt"
}

# known_text NAME MODEL: $inputs/NAME_MODEL.txt, without the characters that are not in the vocabulary of the model.
known_text() {
  characters=$(jq -r '[keys[] | select(. != "\n" and . != "-")] | join("") + "\\n-"' "$models/$2/vocab.json")
  plain_text "$1"
  tr -cd "$characters" <"$inputs/$1.txt" >"$inputs/$1_$2.txt"
}

# text_input MODEL LAYER N OFFSET: the input that Alice makes, of N tokens; prints its file.
text_input() {
  file=$inputs/${experiment}_$1_$2_$4.npy
  known_text alice "$1"
  "$ATTCERT" certify --model "$models/$1" --layer "$2" --text "$inputs/alice_$1.txt" --offset "$4" --tokens "$3" --engine pointwise \
    --no-bounds --save-input "$file" >/dev/null
  echo "$file"
}

# ---- many processes --------------------------------------------------------------------------------------------------

# later WORD...: remembers a command; run_all: runs all of them, BOUNDS_JOBS at once, and fails when one does.
later() {
  first=$1
  shift
  { printf "'%s'" "$first"; if [ $# -gt 0 ]; then printf " '%s'" "$@"; fi; echo; } >>"$scratch/commands"
}
# later_into FILE WORD...: the same; its output becomes FILE, whole or not at all.
later_into() {
  # shellcheck disable=SC2016 # the shell of that command expands it
  later sh -c 'output=$1; shift; "$@" >"$output.partial" && mv "$output.partial" "$output"' sh "$@"
}
run_all() {
  if [ ! -s "$scratch/commands" ]; then return; fi
  xargs -P "$BOUNDS_JOBS" -L 1 env <"$scratch/commands" || { echo "$experiment: a run failed" >&2; exit 1; }
  rm "$scratch/commands"
}

# ---- reports ---------------------------------------------------------------------------------------------------------

# remember KEY WORD...: $path, of a report whose name is made from KEY and the words; report_path finds it by KEY.
remember() {
  path=$reports/$experiment-$(printf '%s ' "$@" | cksum | tr ' ' -).json
  echo "$1 $path" >>"$scratch/keys"
}
# report KEY COMMAND ARGUMENT...: a run of attcert COMMAND; KEY is a name without blanks, for report_path and csv_row.
report() {
  remember "$@"
  shift
  if [ ! -s "$path" ]; then later "$ATTCERT" "$@" --threads 1 --format json --output "$path"; fi
}
run_reports() {
  if [ -s "$scratch/commands" ]; then echo "$experiment: $(wc -l <"$scratch/commands") certificates to compute"; fi
  run_all
}
report_path() {
  awk -v key="$1" '$1 == key { print $2; exit }' "$scratch/keys"
}

# ---- tables ----------------------------------------------------------------------------------------------------------

report_columns=lower,upper,relative_width,estimate,engine,T1,T2,T3,T4,T5,T6,T7,T9,T10,seconds
csv_begin() {
  csv=$folder/$1
  echo "# $3" >"$scratch/csv"
  echo "$2,$report_columns" >>"$scratch/csv"
}
csv_row() {
  echo "$2,$(awk -v columns="$report_columns" -f bounds/report_row.awk "$(report_path "$1")")" >>"$scratch/csv"
}
csv_end() {
  cp "$scratch/csv" "$csv.partial"
  mv "$csv.partial" "$csv"
}

# figure NAME [GNUPLOT-ASSIGNMENT...]: FOLDER/NAME.svg by bounds/figures/NAME.gp, which finds FOLDER in the variable
# folder.
figure() {
  name=$1
  shift
  gnuplot -e "folder='$folder'; output_file='$folder/$name.svg.partial'; $*" "bounds/figures/$name.gp"
  mv "$folder/$name.svg.partial" "$folder/$name.svg"
  echo "$experiment: $folder/$name.svg"
}

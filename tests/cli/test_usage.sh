#!/bin/sh
# Bad usage: exit status 2, one line that names the option and what was expected, and a hint where to read more.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/w"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
echo 'some text' >"$tmp/text"
w="--weights $tmp/w" x="--input $tmp/x.npy" m='--model random:bert:16,2,2' t="--text $tmp/text"

# shellcheck disable=SC2086 # the shorthands above are several words
{
  # contradictions
  rejects '--weights and --model' certify $w $x $m --layer 0
  rejects '--weights and --layer' certify $w $x --layer 0
  rejects '--weights and --seed' certify $w $x --seed 1
  rejects '--weights and --text' certify $w $t --tokens 2
  rejects '--weights and --hidden' certify $w --hidden "$tmp/x.npy"
  rejects '--input and --text' certify $m --layer 0 $x $t --tokens 2
  rejects '--input and --hidden' certify $m --layer 0 $x --hidden "$tmp/x.npy"
  rejects '--hidden and --text' certify $m --layer 0 --hidden "$tmp/x.npy" $t --tokens 2
  rejects '--mask is given twice' certify $w $x --mask none --mask causal
  rejects 'both name' certify $w $x --vector-out "$tmp/work/result"

  # one option needs another
  rejects '--weights or --model' certify $x
  rejects '--input' certify $w
  rejects '--input, --hidden, --text or --token-ids' certify $m --layer 0
  rejects '--layer' certify $m $x
  rejects '--tokens' certify $m --layer 0 $t
  rejects '--text' certify $m --layer 0 $x --offset 3
  rejects '--text' certify $m --layer 0 $x --tokens 3
  rejects '--text' certify $m --layer 0 $x --tokenizer "$tmp"
  rejects '--estimate' check $w $x
  rejects 'FILE' info

  rejects '--scratch: expected --engine dense' certify $w $x --scratch "$tmp"
  rejects '--scratch: expected --engine dense' certify $w $x --scratch "$tmp" --engine auto
  rejects "scratch folder '$tmp/missing'" certify $w $x --scratch "$tmp/missing" --engine dense
  rejects "scratch folder '$tmp/w'" certify $w $x --scratch "$tmp/w" --engine dense

  # values
  rejects '--precision: expected an integer from 53 to 65536' certify $w $x --precision 52
  rejects '--precision: expected an integer from 53 to 65536' certify $w $x --precision 65537
  rejects '--precision' certify $w $x --precision 128x
  rejects '--precision' certify $w $x --precision ' 128'
  rejects '--precision' certify $w $x --precision -128
  rejects '--precision' certify $w $x --precision 99999999999999999999999
  rejects '--tolerance: expected a positive number' certify $w $x --tolerance 0
  rejects '--tolerance' certify $w $x --tolerance nan
  rejects '--tolerance' certify $w $x --tolerance 1e-10x
  rejects '--tolerance' certify $w $x --tolerance ''
  rejects '--engine: expected auto|mpfr|dense|deflated|pointwise|random' certify $w $x --engine fast
  rejects '--mask: expected none|causal' certify $w $x --mask full
  rejects '--format: expected text|json' certify $w $x --format xml
  rejects '--heads' certify $w $x --heads 1
  rejects '--heads: expected all or the index of a head' certify $w $x --heads -1
  rejects '--threads' certify $w $x --threads 0
  rejects '--memory-limit: expected a size such as 800M or 2G' certify $w $x --memory-limit 0
  rejects '--memory-limit' certify $w $x --memory-limit 2X
  rejects '--memory-limit' certify $w $x --memory-limit 99999999999T
  rejects '--seed' certify $m --layer 0 $x --seed -1
  rejects '--tokens' certify $m --layer 0 $t --tokens 0
  rejects '--offset' certify $m --layer 0 $t --tokens 2 --offset -1
  rejects '--radius-of-inputs' bounds $w $x --radius-of-inputs 0
  rejects '--estimate: expected a finite number' check $w $x --estimate twelve
  rejects '--estimate: expected a finite number' check $w $x --estimate -1
  rejects '--slack' check $w $x --estimate 1 --slack -1

  # unknown options and operands, values that are missing
  rejects "'--frobnicate'" certify $w $x --frobnicate 3
  rejects "'--radius-of-inputs'" certify $w $x --radius-of-inputs 3
  rejects "'--estimate'" bounds $w $x --estimate 3
  rejects "'stray'" certify $w $x stray
  rejects "'second'" info first second
}
exits 2 certify --engine 'two
lines'
ok 'one line, whatever the value holds' one_line_naming "got 'two?lines'"
exits 2 certify --weights
ok 'names the value that is missing' one_line_naming '--weights: expected FILE after it'
ok 'says where to read more' one_line_naming 'see attcert certify --help'

# did you mean
exits 2 certify --tolerence 1e-6
ok 'the nearest option' one_line_naming "'--tolerence', did you mean '--tolerance'?"
exits 2 certify --memroy-limit=2G
ok 'a value behind it' one_line_naming "did you mean '--memory-limit'?"
exits 2 certify --engine dnese
ok 'the nearest engine' one_line_naming "got 'dnese', did you mean 'dense'?"
exits 2 certify --mask casual
ok 'the nearest value' one_line_naming "got 'casual', did you mean 'causal'?"
exits 2 certfy
ok 'the nearest command' one_line_naming "unknown command 'certfy', did you mean 'certify'?"
for far in '--frobnicate' '--engine fastest' '--estimate'; do
  # shellcheck disable=SC2086
  exits 2 certify $far
  ok "nothing is near $far" test -z "$(grep 'did you mean' "$tmp/err")"
done

# the beginning of a name is no name, whatever else begins with it
exits 2 bounds --radius 1
ok "another command's option" one_line_naming "bounds does not take the option '--radius', did you mean '--radius-of-inputs'?"
for command in certify bounds check sweep worst predict gradient robust spectrum info; do
  for option in $("$attcert" "$command" --help | grep -o -- '^  --[a-z][a-z-][a-z-]*'); do
    if "$attcert" "$command" --help | grep -q -- "^  ${option%?} "; then continue; fi
    exits 2 "$command" "${option%?}" 1
    ok 'names the beginning' one_line_naming "does not take the option '${option%?}'"
  done
done

exits 2 "$(printf '%0200d' 0)"
ok 'a long name' one_line_naming 'unknown command'

# commands
for name in replay spectra nonsense ''; do
  exits 2 "$name" --layer 3
  ok 'names the command' one_line_naming "'$name'"
done
exits 2 none
ok 'lists the commands' one_line_naming 'certify bounds check sweep worst predict gradient robust verify spectrum vnnlib info'
exits 0
ok 'without a word, the overview' test ! -s "$tmp/err"
prints 'usage: attcert COMMAND'
finish

#!/bin/sh
# robust --dataset: a row each input, the verdicts that robust itself has, resumption, refusals, the summary's counts.
. tests/cli/harness.sh
rows=$tmp/work/rows.csv
tiny='--model random:bert:8,2,1 --seed 3'
answers() { tail -n +3 "$rows" | sort -n; }
# column K: of the rows, by index
column() { answers | cut -d , -f "$1" | tr '\n' ' '; }
cat >"$tmp/texts.csv" <<END
text,label
good,0
"a ""fine"", day",1
bad,0
awful,1
good,7
END

# shellcheck disable=SC2086 # $tiny is several words
{
  # a label that there is not is an error of its row
  exits 2 robust $tiny --dataset "$tmp/texts.csv" --radius 1e-4 --output "$rows"
  ok 'one line that says where the errors are' one_line_naming '1 of 5 inputs could not be read, which their rows say'
  ok 'the row says which line' grep -q "4,,,error,,,,.*line 6: '7' is no label" "$rows"
  rm -f "$rows"
}
model=${ATTCERT_DATA:-}/faults/cls_model
if [ -f "$model/model.safetensors" ]; then
  head -n 5 "$tmp/texts.csv" >"$tmp/four.csv"
  ask="robust --model $model --dataset $tmp/four.csv"
  # shellcheck disable=SC2086 # $ask is several words
  {
    exits 0 $ask --radius 1e-4 --output "$rows" --format json
    ok 'silent on standard error' test ! -s "$tmp/err"
    cp "$tmp/out" "$tmp/summary"
    json '.schema == "attcert/dataset/1" and .rows == 4 and .added == 4 and .complete and .radius == 1e-4'
    json '.source.kind == "text" and .source.size == 4 and .ball == "sequence" and (.verdicts | add) == 4'
    json '.verified_accuracy * 4 == .verdicts.certified and .verdicts.certified + .verdicts.wrong == 4'
    json '.clean_accuracy * 4 == 4 - .verdicts.wrong and .verdicts.wrong > 0 and .verdicts.certified > 0'
    ok 'the rows asked for' test "$(column 1)" = '0 1 2 3 '
    ok 'columns' test "$(sed -n 2p "$rows")" = \
      'index,label,predicted,verdict,radius_certified,radius_refuted,margin,seconds,error'

    # each row is what robust says of the text
    printf 'a "fine", day' >"$tmp/text"
    line=$(answers | sed -n 2p)
    run robust --model "$model" --text "$tmp/text" --label 1 --radius 1e-4 --format json
    same() {
      jq -e --arg row "$line" '($row | split(",")) as $r | if .radius_refuted == 0 then $r[3] == "wrong"
        else $r[3] == "certified" and ($r[4] | tonumber) == .radius_certified
          and ($r[6] | tonumber) == .margin_on_ball[0] end' "$tmp/out" >/dev/null
    }
    ok 'the same as robust' same

    # again: nothing to do; a line cut short is done again; one job or two: the same rows
    cp "$rows" "$tmp/first"
    exits 0 $ask --radius 1e-4 --output "$rows"
    prints 'rows       4 in '
    prints ', 0 of them new'
    ok 'the same file' cmp -s "$rows" "$tmp/first"
    head -c -9 "$tmp/first" >"$rows"
    exits 0 $ask --radius 1e-4 --output "$rows" --jobs 1
    prints ', 1 of them new'
    steady() { tail -n +3 "$1" | sort -n | cut -d , -f 1-7; }
    ok 'the same rows' test "$(steady "$rows")" = "$(steady "$tmp/first")"

    # another question's file is refused and left alone
    cp "$rows" "$tmp/kept"
    exits 2 $ask --radius 2e-4 --output "$rows"
    ok 'says what differs' one_line_naming 'holds another run over a data set: "radius" is'
    sed 's/good,0/good,1/' "$tmp/four.csv" >"$tmp/other.csv"
    exits 2 robust --model "$model" --dataset "$tmp/other.csv" --radius 1e-4 --output "$rows"
    ok 'says that another set differs' one_line_naming 'holds another run'
    ok 'it is as it was' cmp -s "$rows" "$tmp/kept"
    sed 's/,certified,/,sure,/' "$tmp/kept" >"$rows"
    exits 2 $ask --radius 1e-4 --output "$rows"
    ok 'a verdict that is none' one_line_naming "verdict is 'sure'"
    sed '$p' "$tmp/kept" >"$rows"
    exits 2 $ask --radius 1e-4 --output "$rows"
    ok 'a row twice' one_line_naming 'expected each below 4 once'

    # too large a ball is refuted, and the rows say by how far
    rm "$rows"
    exits 0 $ask --radius 1000 --output "$rows" --format json
    json '.verdicts.certified == 0 and .verdicts.refuted + .verdicts.unknown + .verdicts.wrong == 4'
    json '.verdicts.refuted > 0 and .attacked_accuracy * 4 == .verdicts.unknown and .verified_accuracy == 0'
    ok 'refuted margins are negative' test "$(answers | grep -c ',refuted,,.*,-[0-9.e+-]*,[0-9.]*,$')" -gt 0

    # without a radius: the mean of those that are found, an input without one counting 0
    rm "$rows"
    exits 0 $ask --output "$rows" --attack 0 --relative 0.1 --format json
    mean=$(answers | awk -F , '{ sum += $5 } END { print sum / NR }')
    ok 'the mean is that of the rows' jq -e --argjson mean "$mean" \
      '.radius == null and (.mean_certified_radius / $mean - 1 | fabs) < 1e-4 and $mean > 0' "$tmp/out" >"$tmp/jq"

    # errors: a row each, the others done
    rm "$rows"
    printf 'text,label\ngood,0\ngood,nine\ngood\n"",1\n' >"$tmp/bad.csv"
    exits 2 robust --model "$model" --dataset "$tmp/bad.csv" --radius 1e-4 --output "$rows" --special-tokens off
    ok 'says how many' one_line_naming '3 of 4 inputs could not be read'
    ok 'each says why' test "$(answers | grep -c ',error,,,,.*line [345]')" -eq 3
    ok 'the first is done' test "$(answers | head -n 1 | cut -d , -f 9)" = ''

    # tokens
    rm "$rows"
    printf 'label,token_ids\n0,1 2 3\n1,"1,2"\n0,1 999999\n' >"$tmp/ids.csv"
    exits 2 robust --model "$model" --dataset "$tmp/ids.csv" --radius 1e-4 --output "$rows"
    ok 'tokens of a list, or between blanks' test "$(answers | grep -c ',error,')" -eq 1

    # a signal: what is there stays, and the same command goes on
    rm "$rows"
    seq 400 | sed 's/.*/good day & and more,0/; 1i text,label' >"$tmp/many.csv"
    "$attcert" robust --model "$model" --dataset "$tmp/many.csv" --output "$rows" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    while kill -0 $pid 2>/dev/null && [ "$(cat "$rows" 2>/dev/null | wc -l)" -lt 6 ]; do sleep 0.01; done
    kill -TERM $pid
    wait $pid
    status=$?
    ok 'exit status 3' test "$status" -eq 3
    ok 'says so' one_line_naming 'interrupted'
    prints 'INCOMPLETE interrupted'
    ok 'whole rows' test "$(tail -c 1 "$rows" | od -An -c | tr -d ' ')" = '\n'
    ok 'not all of them' test "$(answers | wc -l)" -lt 400
  }
else
  echo '[  SKIPPED ] texts of a classifier: no faults/cls_model in ATTCERT_DATA'
fi

# numbers, and a folder of files, of an ONNX network: x -> (sum x, sum x, sum x) has no certain answer
linear=tests/fuzz/corpus/onnx/good-linear
rm -f "$rows"
printf '0,1,2,3,4\n1,1e-3,-2,3,0.5\n0,1,2\n2,1,2,3,nan\n' >"$tmp/numbers.csv"
exits 2 robust --onnx "$linear" --dataset "$tmp/numbers.csv" --radius 1 --output "$rows"
ok 'two rows of other than four numbers' test "$(answers | grep -c ',error,')" -eq 2
ok 'no certain answer among equals' test "$(column 4)" = 'unknown unknown error error '
ok 'says which number' grep -q "number 3 is 'nan', expected a finite number" "$rows"
printf '\223NUMPY\001\000v\000%-117s\n\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\100' \
  "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }" >"$tmp/two.npy"
mkdir "$tmp/folder"
cp "$tmp/two.npy" "$tmp/folder"
printf 'file,label\ntwo.npy,0\n' >"$tmp/folder/labels.csv"
rm -f "$rows"
exits 2 robust --onnx "$linear" --dataset "$tmp/folder" --radius 1 --output "$rows"
ok 'a file of another shape' grep -q '2 numbers, expected the 4 numbers of the network' "$rows"
rm -f "$rows"

exits 2 robust --onnx "$linear" --dataset "$tmp/numbers.csv" --radius 1
ok 'rows need a file' one_line_naming '--dataset: expected --output with it'
sure() { rejects "$@" --onnx "$linear"; }
sure 'No such file' robust --dataset "$tmp/absent.csv" --radius 1
: >"$tmp/empty.csv"
sure 'no input in it' robust --dataset "$tmp/empty.csv" --radius 1
sure 'contradict each other' robust --dataset "$tmp/numbers.csv" --input "$tmp/two.npy" --radius 1
sure 'expected --dataset with it' robust --input "$tmp/two.npy" --radius 1 --jobs 2
printf '0,1,"2\n' >"$tmp/open.csv"
sure 'line 1: a quote that is not closed' robust --dataset "$tmp/open.csv" --radius 1
finish

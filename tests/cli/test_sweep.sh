#!/bin/sh
# sweep: rows, resumption after a kill, refusals, the check against the theory, pictures.
. tests/cli/harness.sh
seq 1 400 | tr '\n' ' ' >"$tmp/text" # 1,492 bytes, a token each
csv=$tmp/work/sweep.csv
tiny="sweep --model random:gpt2:16,2,1 --layer 0 --text $tmp/text"
names='n,sequence,offset,radius,lower,upper,relative_width,estimate,engine,T1,T2,T3,T4,T5,T6,T7,'

# The rows of a file, without their seconds.
rows() { tail -n +3 "$1"; }
steady() { rows "$1" | sed 's/,[^,]*$//'; }
# column NAME: its values, one a line.
column() { awk -F , -v name="$1" 'NR == 2 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 2 { print $c }' "$csv"; }

# shellcheck disable=SC2086 # $tiny is several words
{
  # which rows, in which order
  exits 0 $tiny --n 3:8:2 --sequences 2 --offset 7 --output "$csv"
  ok 'silent on standard error' test ! -s "$tmp/err"
  prints 'rows       6 in '
  prints 'n = 3 to 7'
  ok 'the rows asked for' test "$(column n | tr '\n' ' ')$(column sequence | tr '\n' ' ')" = '3 3 5 5 7 7 1 2 1 2 1 2 '
  ok 'windows that do not overlap' test "$(column offset | tr '\n' ' ')" = '7 10 7 12 7 14 '
  ok 'columns' test "$(sed -n 2p "$csv" | cut -c 1-${#names})" = "$names"
  ok 'every row has every column' test "$(awk -F , 'NR > 1 { print NF }' "$csv" | sort -u | wc -l)" -eq 1
  head -n 1 "$csv" | sed 's/^# //' >"$tmp/out"
  json '.schema == "attcert/sweep/1" and .model == "random:gpt2:16,2,1" and .seed == 0 and .layer == 0 and .head == null'
  json '.mask == "causal" and .sequences == 2 and .offset == 7 and .tokenizer == "bytes" and .bounds'
  ok 'the digest is that of the text' grep -qF "$(sha256sum "$tmp/text" | cut -d ' ' -f 1)" "$tmp/out"

  # a row is what certify says of the same tokens
  exits 0 certify --model random:gpt2:16,2,1 --layer 0 --text "$tmp/text" --offset 12 --tokens 5 --format json \
    --save-input "$tmp/x.npy"
  same_as_certify() {
    jq -e --arg row "$(rows "$csv" | sed -n 4p)" '($row | split(",")) as $r | .lipschitz as $l | .bounds as $b
      | ($r[4] | tonumber) == $l.lower and ($r[5] | tonumber) == $l.upper and $r[8] == .engine
        and ($r[9] | tonumber) == $b[0].upper and ($r[14] | tonumber) == $b[5].upper' "$tmp/out" >/dev/null
  }
  ok 'the same as certify' same_as_certify

  # again: nothing to do; a larger range: only the new rows
  cp "$csv" "$tmp/first"
  exits 0 $tiny --n 3:8:2 --sequences 2 --offset 7 --output "$csv"
  prints '0 of them new'
  ok 'the same file' cmp -s "$csv" "$tmp/first"
  exits 0 $tiny --n 1:8:2 --sequences 2 --offset 7 --output "$csv"
  prints '2 of them new'
  ok 'appended to the same file' test "$(head -n 8 "$csv")" = "$(cat "$tmp/first")"
  rm "$csv"

  # killed, with a line cut short, and run again: the file of an uninterrupted run, but for the seconds
  long="$tiny --n 2:40:2 --sequences 5"
  exits 0 $long --output "$tmp/whole.csv"
  ok 'a hundred rows' test "$(rows "$tmp/whole.csv" | wc -l)" -eq 100
  "$attcert" $long --output "$csv" >/dev/null 2>&1 &
  pid=$!
  while kill -0 $pid 2>/dev/null && [ "$(cat "$csv" 2>/dev/null | wc -l)" -lt 12 ]; do sleep 0.01; done
  kill -9 $pid
  wait $pid 2>/dev/null
  count=$(rows "$csv" | wc -l)
  ok "killed between the first row and the last, after $count" test "$count" -ge 10 -a "$count" -lt 100
  printf '4,1,0,3.95' >>"$csv"
  exits 0 $long --output "$csv"
  prints "rows       100 in $csv, $((100 - count)) of them new"
  steady "$csv" >"$tmp/resumed"
  steady "$tmp/whole.csv" >"$tmp/uninterrupted"
  ok 'the rows of an uninterrupted run' cmp -s "$tmp/resumed" "$tmp/uninterrupted"
  ok 'and its first lines' test "$(head -n 2 "$csv")" = "$(head -n 2 "$tmp/whole.csv")"

  # the fit is that of the file: the same power law for other units
  fit=$(sed -n 's/^fit .*n^\([-0-9.]*\),.*/\1/p' "$tmp/out")
  slope() {
    rows "$csv" | awk -F , '{ x = log($1); y = log($5); n++; sx += x; sy += y; xx += x * x; xy += x * y }
      END { printf "%.4g", (n * xy - sx * sy) / (n * xx - sx * sx) }'
  }
  ok 'the exponent of least squares' test "$fit" = "$(slope)"

  # another sweep's file, another program's file, a file in use: refused, and left alone
  cp "$csv" "$tmp/before"
  exits 2 $tiny --n 2:40:2 --sequences 6 --output "$csv"
  ok 'names what differs' one_line_naming '"sequences" is 5, expected 6'
  exits 2 $long --heads 1 --output "$csv"
  ok 'names what differs' one_line_naming '"head" is null, expected 1'
  exits 2 $long --no-bounds --output "$csv"
  ok 'names what differs' one_line_naming '"bounds" is true, expected false'
  echo 'something else' >"$tmp/other"
  exits 2 sweep --model random:gpt2:16,2,1 --layer 0 --text "$tmp/other" --n 2 --sequences 5 --output "$csv"
  ok 'names what differs' one_line_naming '"text" is'
  flock "$csv" "$attcert" $long --output "$csv" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok 'in use: exit status 2' test "$status" -eq 2
  ok 'says so' one_line_naming 'another sweep is writing'
  ok 'the file is as it was' cmp -s "$csv" "$tmp/before"
  exits 2 $long --output "$tmp/other"
  ok 'no sweep at all' one_line_naming 'is not the file of a sweep'
  ok 'still there' test "$(cat "$tmp/other")" = 'something else'

  # a row that contradicts the theory: exit status 1, and the row is named, each time
  sed '5s/^2,3,\([^,]*,[^,]*\),[^,]*,[^,]*,[^,]*/2,3,\1,1.0e+00,1.0e+00,0/' "$tmp/before" >"$csv"
  exits 1 $long --output "$csv"
  ok 'names the row and the bound' one_line_naming 'n = 2, sequence 3: the certified lower end 1.0000000000000000e+00 exceeds T1'
  ok 'no summary' test ! -s "$tmp/out"
  rm "$csv"

  # options of the run
  exits 0 $tiny --n 4 --sequences 2 --heads 1 --mask none --no-bounds --seed 5 --engine mpfr --output "$csv"
  ok 'the engine asked for' test "$(column engine | sort -u)" = mpfr
  ok 'no bounds' test -z "$(column T1 | tr -d '\n')$(column T7 | tr -d '\n')"
  prints 'fit        none'
  prints 'head 1 alone'
  rm "$csv"
  exits 1 $tiny --n 4 --sequences 1 --engine pointwise --tolerance 1e-9 --output "$csv"
  ok 'a width beyond the tolerance: the row is there' test "$(column engine)" = pointwise
  exits 1 $tiny --n 4 --sequences 1 --engine pointwise --tolerance 1e-9 --output "$csv"
  rm "$csv"
  exits 3 $tiny --n 200 --sequences 1 --engine dense --memory-limit 1M --output "$csv"
  ok 'names the row' one_line_naming 'n = 200, sequence 1: '
  rm "$csv"

  # pictures
  for kind in svg png; do
    exits 0 $long --output "$tmp/whole.csv" --plot "$tmp/work/it's.$kind"
    ok "a $kind" test "$(wc -c <"$tmp/work/it's.$kind")" -gt 5000
  done
  ok 'an svg' grep -q '^</svg>' "$tmp/work/it's.svg"
  ok 'a png' test "$(head -c 4 "$tmp/work/it's.png" | tail -c 3)" = PNG
  ok 'nothing else' test "$(ls -A "$tmp/work" | wc -l)" -eq 2
  rm "$tmp/work/it's.svg" "$tmp/work/it's.png"
  rejects '.svg or .png' $tiny --n 2 --plot "$tmp/work/a.pdf"
  rejects "$tmp/none/a.svg" $tiny --n 2 --plot "$tmp/none/a.svg"
  rejects 'both name' $tiny --n 2 --plot "$tmp/work/result"
  no_gnuplot() { (PATH=/nonexistent && "$attcert" $tiny --n 2 --output "$csv" --plot "$tmp/a.svg" >"$tmp/out" 2>"$tmp/err"); }
  no_gnuplot
  status=$?
  ok 'without gnuplot: exit status 2' test "$status" -eq 2
  ok 'says so' one_line_naming 'gnuplot'
  ok 'before any row' test ! -e "$csv"

  # over radii: a row a ball, what certify says of the same; the point does not move
  one="sweep --model random:gpt2:16,2,1 --layer 0 --text $tmp/text --tokens 4"
  exits 0 $one --radius 1e-3:1:log:4 --output "$csv" --plot "$tmp/work/curve.svg"
  prints 'rows       4 in '
  ok 'an svg' grep -q '^</svg>' "$tmp/work/curve.svg"
  ok 'the columns' test "$(sed -n 2p "$csv")" = radius,point_lower,point_upper,found,upper,upper_by,T9,seconds
  ok 'the radii' test "$(column radius | awk '{ printf "%.3g ", $1 }')" = '0.001 0.01 0.1 1 '
  ok 'one point' test "$(column point_upper | sort -u | wc -l)" -eq 1
  ok 'found <= upper, growing' test "$(rows "$csv" | awk -F , '$4 > $5 || $5 < last || $4 < $2 || $5 < $3 { print } { last = $5 }' | wc -l)" -eq 0
  head -n 1 "$csv" | sed 's/^# //' >"$tmp/out"
  json '.schema == "attcert/sweep-radius/1" and .ball == "sequence" and .words == "all" and (has("sequences") | not)'
  exits 0 certify --model random:gpt2:16,2,1 --layer 0 --text "$tmp/text" --tokens 4 --format json --no-bounds --radius 1e-3
  row=$(rows "$csv" | sed -n 1p)
  json "(\"$row\" | split(\",\")) as \$r | (\$r[3] | tonumber) == .ball.lower and (\$r[4] | tonumber) == .ball.upper"
  exits 0 $one --radius 0.5:0.5:log --words 1,2 --ball token --output "$csv"
  ok 'one radius' test "$(rows "$csv" | wc -l)" -eq 1
  rm "$csv" "$tmp/work/curve.svg"
  rejects '--n and --radius' $one --n 2 --radius 1:2:log
  rejects '--n and --words' $tiny --n 2 --words 1
  rejects '--sequences and --radius' $one --sequences 2 --radius 1:2:log
  rejects '--no-bounds and --radius' $one --no-bounds --radius 1:2:log
  rejects 'expected --tokens' $tiny --radius 1:2:log
  rejects 'no input is named' sweep --model random:gpt2:16,2,1 --layer 0 --radius 1:2:log
  rejects '--words: 9 is outside' $one --radius 1:2:log --words 9
  for radii in 1 1:2 1:2:lin 2:1:log 0:1:log -1:1:log 1:inf:log nan:1:log 1:2:log:1 1:2:log: 1:2:log:x 1:2:log:99999 1e999:1e999:log; do
    rejects '--radius: expected' $one --radius "$radii"
  done

  # bad usage and bad input leave no file
  for range in 0 2:1 2:4:0 '' x 2:4:1:1 1:32769; do rejects '--n: expected' $tiny --n "$range"; done
  rejects '--sequences' $tiny --n 2 --sequences 0
  rejects 'are too many' $tiny --n 30000 --sequences 2000000000
  rejects '--n and --tokens' $tiny --n 2 --tokens 2
  rejects "'--weights'" sweep --weights "$tmp/text" --n 2
  rejects "'--format'" $tiny --n 2 --format json
  rejects 'expected --n or --radius' $tiny
  rejects 'expected --text' sweep --model random:gpt2:16,2,1 --layer 0 --n 2
  rejects '--layer' sweep --model random:gpt2:16,2,1 --text "$tmp/text" --n 2
  rejects 'expected --model' sweep --text "$tmp/text" --n 2
  rejects '1500 tokens' $tiny --n 150
  rejects '1024 positions' sweep --model random:gpt2:16,2,1 --layer 0 --text "$tmp/text" --n 2:1102:1100 --sequences 1
  rejects '--heads' $tiny --n 2 --heads 2
  rejects 'layer' sweep --model random:gpt2:16,2,1 --layer 1 --text "$tmp/text" --n 2
  exits 2 $tiny --n 2
  ok '--output is required' one_line_naming 'expected --output'
  exits 2 $tiny --n 2 --output "$tmp/none/sweep.csv"
  ok 'names the file' one_line_naming "$tmp/none/sweep.csv"
  exits 2 $tiny --n 2 --output /dev/null
  ok 'names the file' one_line_naming '/dev/null'
}
finish

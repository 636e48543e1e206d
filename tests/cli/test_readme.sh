#!/bin/sh
# The pages for users, README.md and src/docs/*.md: every line of their ```sh blocks that begins with build/attcert
# runs, in order, in a folder for each page; the targets that their `make` lines name exist; their links lead somewhere.
. tests/cli/harness.sh
root=$PWD
export MODEL=random:bert:16,2,2 # what five_minutes.md calls the folder of a model

# commands PAGE: the lines of its ```sh blocks.
commands() { sed -n '/^```sh$/,/^```$/p' "$1" | grep -v '^```'; }
# The last run's exit status is allowed to be another than 0 where the line says so with a comment "exit status 1".
run_line() {
  expected=$(expr "$1" : '.*exit status \([0-9]\)')
  (cd "$folder" && eval "$1") >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "$page: $1" test "$status" -eq "${expected:-0}"
}
# Output without what depends on the clock, to the ten digits that no machine changes.
steady() { sed -E '/^(hexadecimal|width|plan|time) /d; s/([0-9]\.[0-9]{9})[0-9]*/\1/g'; }

for page in README.md src/docs/*.md; do
  folder=$tmp/$(basename "$page" .md)
  mkdir "$folder"
  ln -s "$(realpath "${BUILD:-build}")" "$folder/build"
  ln -s "$root/src" "$folder/src"
  commands "$page" >"$tmp/lines"
  while IFS= read -r line; do
    case $line in
      build/attcert*) run_line "$line" ;;
      make*)
        targets=${line#make}
        ok "$page: $line" make -n ${targets%%#*} >"$tmp/out" 2>"$tmp/err"
        ;;
    esac
  done <"$tmp/lines"

  grep -oE '\]\([^)]*\)' "$page" | sed 's/^](//; s/[#)].*$//' | grep -v '^https://' >"$tmp/links"
  while IFS= read -r link; do ok "$page links to $link" test -e "$(dirname "$page")/$link"; done <"$tmp/links"

  # A report that a page prints is that of its first command.
  if grep -q '^layer ' "$page"; then
    run_line "$(grep -m 1 '^build/attcert certify' "$tmp/lines")"
    steady <"$tmp/out" >"$tmp/printed"
    sed -n '/^layer /,/^```/p' "$page" | grep -v '^```' | steady >"$tmp/shown"
    ok "$page shows what the command prints" diff "$tmp/shown" "$tmp/printed"
    reports=$((${reports:-0} + 1))
  fi
  # Lines of a report are those of its first command.
  if grep -q '^certified  ' "$page"; then
    run_line "$(grep -m 1 '^build/attcert robust' "$tmp/lines")"
    grep -E '^(label|certified)  ' "$page" >"$tmp/shown"
    ok "$page shows lines of what the command prints" test "$(grep -cxFf "$tmp/shown" "$tmp/out")" -eq "$(wc -l <"$tmp/shown")"
    verdicts=$((${verdicts:-0} + 1))
  fi
  all=$((${all:-0} + $(grep -c '^build/attcert' "$tmp/lines")))
done
ok 'the pages have commands' test "$all" -ge 25
ok 'the README and layer.md show a report' test "${reports:-0}" -eq 2
# A stranger's path: from README.md's top to its pages, then the beginning of five_minutes.md, leads to a certificate of
# arrays, a checked estimate and a certificate of a model's folder, by ten commands (the clone is the first) and 700
# words, what commands print among them.
{
  sed '/^## Pages/,$d' README.md
  sed '/^## A verdict/,$d' src/docs/five_minutes.md
} >"$tmp/path"
sed -n '/^```\(sh\|bash\)$/,/^```$/p' "$tmp/path" | grep -v '^```' >"$tmp/steps"
ok 'a path of at most 700 words' test "$(wc -w <"$tmp/path")" -le 700
ok 'and nine commands' test "$(grep -c . "$tmp/steps")" -le 9
for goal in 'attcert\.certify(x, q, k, v' 'attcert\.check(x, q, k, v.*estimate=' '^build/attcert certify --model \$MODEL'; do
  ok "which reaches $goal" grep -q "$goal" "$tmp/path"
done
make -n demo BUILD="$tmp/none" >"$tmp/out" 2>"$tmp/err"
for built in attcert libattcert.so; do ok "make demo builds the path's $built" grep -q "o $tmp/none/$built" "$tmp/out"; done
ok 'network.md shows a verdict' test "${verdicts:-0}" -eq 1
ok 'the README is about 100 lines' test "$(wc -l <README.md)" -le 110

# The lecture's table has every file of the specification.
sed -n '/^## Every file/,$p' spec/reference.md >"$tmp/table"
for file in $(find spec -name '*.acsl'); do
  ok "spec/reference.md explains $file" grep -qw "$(basename "$file" .acsl)" "$tmp/table"
done
finish

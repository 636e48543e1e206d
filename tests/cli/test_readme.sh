#!/bin/sh
# Runs the README's commands: every line of its ```sh blocks that begins with build/attcert, in order, in one folder;
# the targets that its `make` lines name exist.
. tests/cli/harness.sh
root=$PWD
sed -n '/^```sh$/,/^```$/p' README.md | grep -v '^```' >"$tmp/lines"
mkdir "$tmp/readme"
ln -s "$(realpath "${BUILD:-build}")" "$tmp/readme/build"
ln -s "$root/src" "$tmp/readme/src"

# The last run's exit status is allowed to be 1 where the line says so with a comment "exit status 1".
run_line() {
  case $1 in *'exit status 1'*) expected=1 ;; *) expected=0 ;; esac
  (cd "$tmp/readme" && eval "$1") >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "README: $1" test "$status" -eq "$expected"
}

while IFS= read -r line; do
  case $line in
    build/attcert*) run_line "$line" ;;
    make*)
      targets=${line#make}
      ok "README: $line" make -n ${targets%%#*} >"$tmp/out" 2>"$tmp/err"
      ;;
  esac
done <"$tmp/lines"
ok 'the README has commands' test "$(grep -c '^build/attcert' "$tmp/lines")" -ge 4

# Its links point at files that exist.
grep -oE '\]\([^)]*\)' README.md | sed 's/^](//; s/)$//' | grep -v '^https://' >"$tmp/links"
while IFS= read -r link; do ok "README links to $link" test -e "$link"; done <"$tmp/links"

# The lecture's table has every file of the specification.
sed -n '/^## Every file/,$p' spec/reference.md >"$tmp/table"
for file in $(find spec -name '*.acsl'); do
  ok "spec/reference.md explains $file" grep -qw "$(basename "$file" .acsl)" "$tmp/table"
done

# The report printed in the README is that of the first command, to the ten digits that no machine changes and without
# what depends on the clock.
steady() { sed -E '/^(hexadecimal|width|plan|time) /d; s/([0-9]\.[0-9]{9})[0-9]*/\1/g'; }
run_line "$(grep -m 1 '^build/attcert certify' "$tmp/lines")"
steady <"$tmp/out" >"$tmp/printed"
sed -n '/^layer /,/^```/p' README.md | grep -v '^```' | steady >"$tmp/shown"
ok 'the README shows what the command prints' diff "$tmp/shown" "$tmp/printed"
finish

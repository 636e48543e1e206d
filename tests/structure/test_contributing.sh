#!/bin/sh
# Runs the commands of CONTRIBUTING.md's ```sh blocks. Those that take long, or write to the sources, only have to be
# targets of make. Proofs are skipped where the provers are not installed.
. tests/cli/harness.sh
sed -n '/^```sh$/,/^```$/p' CONTRIBUTING.md | grep -v '^```' | sed 's/ *#.*//' >"$tmp/lines"
provers=yes
for program in frama-c why3 z3 cvc4 coqc; do command -v $program >/dev/null || provers=no; done

# run_line COMMAND: in a shell of its own.
run_line() {
  sh -c "$1" >"$tmp/out" 2>"$tmp/err" </dev/null
  status=$?
  ok "CONTRIBUTING: $1" test "$status" -eq 0
}
skipped=0
while IFS= read -r line; do
  case $line in
    *'make prove '* | *proofs/wp/wp*)
      if [ $provers = yes ]; then
        run_line "$line"
      else
        skipped=$((skipped + 1))
        echo "[  SKIPPED ] no provers: $line"
      fi
      ;;
    *'make check '*) run_line "$line" ;;
    make*) run_line "make -n ${line#make}" ;;
    *) ok "a command whose run is known: $line" false ;;
  esac
done <"$tmp/lines"
ok 'there are commands' test "$(grep -c . "$tmp/lines")" -ge 5
[ "$skipped" -eq 0 ] || echo "[  SKIPPED ] $skipped test(s)."
finish

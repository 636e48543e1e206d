#!/bin/sh
# make notebooks: one of each lesson; every block of commands is a cell, no answer is cut open, links lead somewhere,
# and the cells run, in a tree of its own. Cells for Frama-C are left to test_course.sh. Where nbclient and ipykernel
# are not installed (.ci/setup check), no cell runs.
. tests/cli/harness.sh
tree=$tmp/tree
mkdir -p "$tree/build"
for part in src spec proofs bounds tests Makefile; do cp -rs "$PWD/$part" "$tree/"; done
for built in attcert libattcert.so.0; do ln -s "$(realpath "${BUILD:-build}")/$built" "$tree/build/$built"; done
make -s -C "$tree" BUILD=build notebooks >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'make notebooks' test "$status" -eq 0
for lesson in spec/course/*.md src/docs/power_iteration.md; do
  notebook=$tree/build/notebooks/$(basename "$lesson" .md).ipynb
  cp "$notebook" "$tmp/out"
  blocks=$(grep -cE '^```(sh|python)$' "$lesson")
  ok "$lesson has commands" test "$blocks" -ge 1
  json "[.cells[] | select(.cell_type == \"code\")] | length == $blocks + 1"
  json '[.cells[] | select(.cell_type == "markdown").source | join("") | ([scan("<details>")] | length) == ([scan("</details>")] | length)] | all'
  jq -r '.cells[].source | join("") | scan("\\]\\(([^)#: ]+)\\)")[0]' "$notebook" >"$tmp/links"
  while IFS= read -r link; do ok "$lesson leads to $link" test -e "$tree/build/notebooks/$link"; done <"$tmp/links"
done

export OPENBLAS_NUM_THREADS=1
python=$(sh src/python/interpreter nbformat nbclient ipykernel numpy)
if [ -z "$python" ]; then
  echo '[  SKIPPED ] cells of notebooks: no python3-nbclient, python3-ipykernel'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi
# cells NOTEBOOK...: runs them
cells() {
  HOME=$tmp "$python" -B tests/cli/run_notebooks.py "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}
cells "$tree"/build/notebooks/*.ipynb
if grep -q 'ASan\|cannot allocate memory in static TLS' "$tmp/err"; then
  echo "the library was built with a sanitizer, which python3 was not"
  finish
fi
ok 'every cell runs' test "$status" -eq 0
ok 'of every notebook' test "$(grep -c 'ipynb: ran' "$tmp/out")" -eq "$(ls "$tree"/build/notebooks/*.ipynb | wc -l)"
prints 'enclosure  2.236067977'
prints '50 inside'
sed 's|build/attcert certify|& --no-such-option|' "$tree/build/notebooks/7_ball.ipynb" >"$tree/build/notebooks/wrong.ipynb"
cells "$tree/build/notebooks/wrong.ipynb"
ok 'a command that fails fails its cell' test "$status" -eq 1
finish

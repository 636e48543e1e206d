#!/bin/sh
# Runs the commands of the course, every line of the ```sh blocks of spec/course/*.md, in order; the block that follows
# one shows lines of what it printed. Numbers are compared to the ten digits that no machine changes. Commands that need
# Frama-C run where it is.
. tests/cli/harness.sh
root=$PWD
mkdir "$tmp/course"
ln -s "$(realpath "${BUILD:-build}")" "$tmp/course/build"
for part in src spec proofs tests bounds .ci Makefile; do cp -rs "$root/$part" "$tmp/course/"; done

steady() { sed -E 's/([0-9]\.[0-9]{9})[0-9]*/\1/g'; }
run_line() {
  case $1 in
    build/attcert* | sh\ spec/* | sed\ *) ;;
    *) command -v frama-c >/dev/null || return 0 ;;
  esac
  (cd "$tmp/course" && eval "$1") >>"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "the course: $1" test "$status" -eq 0
  case $1 in bash*) ok "nothing else to read: $1" test ! -s "$tmp/err" ;; esac
  ran=$((ran + 1))
}
# A line that is shown is the beginning of one that was printed.
show_line() {
  printf '%s\n' "$1" | steady >"$tmp/shown"
  ok "the course shows '$1'" \
    awk 'NR == FNR { shown = $0; next } index($0, shown) == 1 { found = 1 } END { exit !found }' "$tmp/shown" "$tmp/printed"
}

cat spec/course/[1-7]_*.md >"$tmp/lessons"
ok 'the contents name every lesson' test "$(grep -o 'course/[a-z0-9_]*.md' spec/README.md | wc -l)" -eq "$(ls spec/course/*.md | wc -l)"
block=text ran=0 commands=0 shown=0
while IFS= read -r line; do
  case $line in
    '```sh') block=commands ran=0 && : >"$tmp/out" ;;
    '```')
      case $block in
        commands) block=text && steady <"$tmp/out" >"$tmp/printed" ;;
        shown) block=text ;;
        text) block=shown ;;
      esac
      ;;
    *)
      case $block in
        commands) commands=$((commands + 1)) && run_line "$line" ;;
        shown) shown=$((shown + 1)) && if [ "$ran" -gt 0 ]; then show_line "$line"; fi ;;
      esac
      ;;
  esac
done <"$tmp/lessons"
ok 'the course has commands' test "$commands" -ge 15
ok 'the course shows what they print' test "$shown" -ge 30
finish

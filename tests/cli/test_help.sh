#!/bin/sh
# --help, the man page and the pages for users name the same options and commands.
. tests/cli/harness.sh
commands='certify bounds check sweep worst predict gradient robust verify spectrum vnnlib info'

exits 0 --version
ok 'a version' grep -qx 'attcert [0-9]*\.[0-9]*\.[0-9]*' "$tmp/out"
exits 0 --help
for command in $commands; do prints "  $command "; done
ok 'no command that does not exist' test "$(grep -c '^  [a-z]* ' "$tmp/out")" -eq $(($(echo "$commands" | wc -w) + 2))

exits 0 help
prints '  certify '
rejects nothing help nothing
: >"$tmp/options"
for command in $commands; do
  exits 0 "$command" --help
  sed -n 's/^  --\([a-z-]*\).*/\1/p' "$tmp/out" >>"$tmp/options"
  ok "help of $command tells the exit statuses" grep -q '^Exit status: 0' "$tmp/out"
  cp "$tmp/out" "$tmp/help"
  exits 0 help "$command"
  ok "attcert help $command is the same" cmp "$tmp/help" "$tmp/out"
  ok "help of $command fits 120 columns" test -z "$(grep '.\{121,\}' "$tmp/out")"
done
sort -u "$tmp/options" >"$tmp/help"

sed -n 's/^\.It Fl Fl \([a-z-]*\).*/\1/p' src/cli/attcert.1 | sort -u >"$tmp/man"
ok 'the man page describes every option, and no other' diff "$tmp/help" "$tmp/man"
sed -n 's/^\.It Cm \([a-z]*\)$/\1/p' src/cli/attcert.1 | sort >"$tmp/man"
ok 'and every command' test "$(tr '\n' ' ' <"$tmp/man")" = 'bounds certify check gradient info predict robust spectrum sweep verify vnnlib worst '

cat README.md proofs/README.md src/docs/*.md | grep -oE -- '--[a-z][a-z-]+' | sed 's/^--//' | sort -u >"$tmp/readme"
ok 'the pages name no option that does not exist' test -z "$(comm -23 "$tmp/readme" "$tmp/help" | grep -vx -e version -e depth -e cflags -e libs -e local-dir)"
finish

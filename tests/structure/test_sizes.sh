#!/bin/sh
# Rooms one can look over: at most 30 .c files in a folder of src/, at most 25 files in one of spec/; comments of at
# most 120 columns.
. tests/cli/harness.sh

# crowded LIMIT FOLDER GLOB: the folders below it with more files of that name, a line each.
crowded() {
  git ls-files -- "$2" | awk -v glob="$3" -v limit="$1" '
    $0 ~ glob { sub(/\/[^\/]*$/, ""); files[$0]++ }
    END { for (folder in files) if (files[folder] > limit) print folder ": " files[folder] " files, at most " limit }'
}
crowded 30 src '[.]c$' >"$tmp/out"
crowded 25 spec . >>"$tmp/out"
: >"$tmp/err"
status=0
ok 'no folder is crowded' test ! -s "$tmp/out"
ok 'a crowded one is noticed' test -n "$(crowded 3 src '[.]c$')"

# long_comments FILE...: comment lines beyond 120 columns; of a script also without a name ending in .sh.
long_comments() {
  LC_ALL=C awk '
    FNR == 1 { inside = 0; c = FILENAME ~ /[.](c|h|acsl)$/ }
    c && /\/\*/ { inside = 1 }
    { text = $0; gsub(/[\200-\277]/, "", text) } # a column is a character, not a byte
    length(text) > 120 && (c ? inside || /\/\// : /^ *#/) { print FILENAME ", line " FNR ": " length(text) " columns" }
    c && /\*\// { inside = 0 }' "$@"
}
git ls-files | while read -r file; do
  case $file in
    *.c | *.h | *.acsl | *.sh | *.mk | Makefile) echo "$file" ;;
    *) if head -n 1 "$file" | grep -qE '^#!/bin/(ba)?sh'; then echo "$file"; fi ;;
  esac
done >"$tmp/files"
# shellcheck disable=SC2046 # a path has no blanks here
long_comments $(cat "$tmp/files") >"$tmp/out"
ok 'no comment goes beyond 120 columns' test ! -s "$tmp/out"
long=$(printf '%0121d' 0)
printf '/* a\n %s */\nint x; %s\n' "$long" "$long" >"$tmp/long.c"
printf '# %s\necho %s\n' "$long" "$long" >"$tmp/long.sh"
ok 'long ones are noticed, code is not' test "$(long_comments "$tmp/long.c" "$tmp/long.sh" | wc -l)" -eq 2
finish

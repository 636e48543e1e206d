#!/bin/sh
# A family of transformers is named in src/model/family alone: what others need to know of one is in its description.
# Comments may explain by example, and src/examples and attcert.h name a random model to open.
. tests/cli/harness.sh
names=$(sed -n 's/^ *\.type = {\(.*\)},$/\1/p' src/model/family/*.c src/model/family/*/*.c | grep -oE '\{"[^"]*"' | tr -d '{"' | sort)
ok 'there are families' test "$(echo "$names" | wc -l)" -ge 12

# named FILE...: the lines of code that name one, by its type or as MODEL_NAME or family_NAME (T5 is a bound).
named() {
  awk '
    FNR == 1 { inside = 0 }
    {
      code = ""
      for (text = $0; text != "";)
        if (inside) {
          end = index(text, "*/")
          if (end == 0) break
          text = substr(text, end + 2)
          inside = 0
        } else {
          begin = match(text, /\/[*\/]/)
          if (begin == 0) { code = code text; break }
          code = code substr(text, 1, begin - 1)
          if (substr(text, begin, 2) == "//") break
          text = substr(text, begin + 2)
          inside = 1
        }
      print FILENAME ":" FNR ": " code
    }' "$@" | sed 's/T5//g' | grep -iE ": .*\b(MODEL_|family_)?($(echo "$names" | paste -s -d '|'))\b"
}
git ls-files src | grep '[.][ch]$' | grep -vE '^src/(model/family|examples)/|^src/attcert[.]h$' >"$tmp/files"
# shellcheck disable=SC2046 # a path has no blanks here
named $(cat "$tmp/files") >"$tmp/out"
: >"$tmp/err"
status=0
ok 'no code outside of src/model/family names one' test ! -s "$tmp/out"

for document in README.md src/docs/models.md src/cli/attcert.1; do
  for name in $names; do ok "$document has $name" grep -qw "$name" "$document"; done
done

printf '%s\n' '/* as BERT,' ' * gpt2 */ int vital = optimum; // vit' 'const char *bert_like = "robertas";' >"$tmp/planted.c"
ok 'comments may, and other words are none' test -z "$(named "$tmp/planted.c")"
for line in 'if (f == &family_gpt_neo)' 'case MODEL_OPT:' 'strcmp(type, "xlm-roberta") == 0' '/* a */ "random:bert" /* b */'; do
  echo "$line" >"$tmp/planted.c"
  ok "found: $line" test "$(named "$tmp/planted.c" | wc -l)" -eq 1
done
finish

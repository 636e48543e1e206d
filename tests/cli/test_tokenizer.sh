#!/bin/sh
# A folder with tokenizer.json alone, from the command line to the certificate: the same tokens, and so the same
# numbers, as the older files give; and what is refused by name.
. tests/cli/harness.sh
old=$tmp/old new=$tmp/new
mkdir "$old" "$new"
printf '[PAD]\n[UNK]\n[CLS]\n[SEP]\ngood\nbad\nmovie\n##s\na\n' >"$old/vocab.txt"
cat >"$new/tokenizer.json" <<'JSON'
{"version": "1.0", "truncation": null, "padding": null,
 "added_tokens": [
  {"id": 1, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
  {"id": 2, "content": "[CLS]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
  {"id": 3, "content": "[SEP]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
 "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
 "pre_tokenizer": {"type": "BertPreTokenizer"},
 "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
 "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
 "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
  "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "good": 4, "bad": 5, "movie": 6, "##s": 7, "a": 8}}}
JSON
printf 'GOOD movies,\tb\303\241d [SEP] a' >"$tmp/text" # good movie ##s [UNK] bad [SEP] a

# certified FOLDER COMMAND...: the command's norms with this folder's tokenizer.
certified() {
  tokenizer=$1
  shift
  exits 0 "$@" --text "$tmp/text" --tokens 7 --tokenizer "$tokenizer" --format json
  jq '.lipschitz' "$tmp/out"
}
layer='certify --model random:bert:16,2,2 --seed 1 --layer 1'
# shellcheck disable=SC2086 # words
certified "$old" $layer >"$tmp/of_old"
json '[.inputs[] | select(.role == "tokenizer") | .path | sub(".*/"; "")] == ["vocab.txt"]'
# shellcheck disable=SC2086
certified "$new" $layer >"$tmp/of_new"
json '.source.tokenizer == "WordPiece"'
json '[.inputs[] | select(.role == "tokenizer") | .path | sub(".*/"; "")] == ["tokenizer.json"]'
ok 'tokenizer.json gives the numbers of vocab.txt' cmp -s "$tmp/of_old" "$tmp/of_new"
printf '{"do_lower_case": false}' >"$old/tokenizer_config.json"
# shellcheck disable=SC2086
certified "$old" $layer >"$tmp/of_cased"
json '[.inputs[] | select(.role == "tokenizer") | .path | sub(".*/"; "")] == ["tokenizer_config.json", "vocab.txt"]'
ok 'do_lower_case is read' sh -c "! cmp -s '$tmp/of_old' '$tmp/of_cased'"

# refused WORDS: the tokenizer of $new is refused with these words, in one line.
refused() {
  # shellcheck disable=SC2086
  rejects "$1" $layer --text "$tmp/text" --tokens 4 --tokenizer "$new"
}
sed 's/"BertPreTokenizer"/"UnicodeScripts"/' "$new/tokenizer.json" >"$tmp/other"
cp "$tmp/other" "$new/tokenizer.json"
refused 'UnicodeScripts'
rm "$new/tokenizer.json"
printf 'x' >"$new/spiece.model"
refused 'AutoTokenizer.from_pretrained'
exits 2 certify --model random:bert:16,2,2 --layer 1 --text "$tmp/text" --tokens 4 --tokenizer "$old" \
  --output "$old/special_tokens_map.json"
ok 'a file that would be read is not written' one_line_naming 'special_tokens_map.json'
finish

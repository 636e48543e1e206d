#!/bin/sh
# The files that options name: an output is no input and no other output, whatever the names and links; an input is a
# regular file.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/w"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
printf 'some text' >"$tmp/text"
mkdir "$tmp/model" "$tmp/other"
printf '{}' >"$tmp/model/config.json"
cp "$tmp/w" "$tmp/model/model.safetensors"
printf '[UNK]\n' >"$tmp/model/vocab.txt"
generic="--weights $tmp/w --input $tmp/x.npy" random='--model random:bert:16,2,2 --layer 0'
text="$random --text $tmp/text --tokens 4" folder="--model $tmp/model --layer 0 --hidden $tmp/x.npy"

# keeps FILE TEXT ARGUMENT...: refused naming TEXT before anything is computed, and the file is as it was.
keeps() {
  kept=$1 named=$2
  shift 2
  before=$(sha256sum <"$kept")
  exits 2 "$@"
  ok "one line naming '$named' ($*)" one_line_naming "$named"
  ok "$kept is as it was ($*)" test "$(sha256sum <"$kept")" = "$before"
}

# spellings FILE: names of the file, itself, through a folder, through a symbolic link, a hard link
spellings() {
  rm -f "$tmp/other/soft" "$tmp/other/hard"
  ln -s "$1" "$tmp/other/soft"
  ln "$1" "$tmp/other/hard"
  echo "$1" "$tmp/other/../${1#"$tmp"/}" "$tmp/other/soft" "$tmp/other/hard"
}

# shellcheck disable=SC2086 # the shorthands above are several words
{
  for option in output vector-out save-input; do
    for name in $(spellings "$tmp/w"); do keeps "$tmp/w" 'which --weights reads' certify $generic --$option "$name"; done
    for name in $(spellings "$tmp/x.npy"); do keeps "$tmp/x.npy" 'which --input reads' certify $generic --$option "$name"; done
  done
  for name in $(spellings "$tmp/text"); do keeps "$tmp/text" 'which --text reads' certify $text --output "$name"; done
  for file in config.json model.safetensors vocab.txt; do
    for name in $(spellings "$tmp/model/$file"); do
      keeps "$tmp/model/$file" "'$tmp/model/$file', which --model reads" certify $folder --output "$name"
    done
  done
  keeps "$tmp/x.npy" 'which --hidden reads' certify $folder --output "$tmp/x.npy"
  cp "$tmp/x.npy" "$tmp/u.npy"
  keeps "$tmp/u.npy" 'which --vector reads' check $generic --estimate 2 --vector "$tmp/other/../u.npy" --output "$tmp/u.npy"
  keeps "$tmp/model/vocab.txt" 'which --tokenizer reads' certify $text --tokenizer "$tmp/model" --output "$tmp/model/vocab.txt"
  keeps "$tmp/text" 'which --text reads' sweep $random --text "$tmp/text" --n 2 --output "$tmp/text"
  cp "$tmp/text" "$tmp/text.svg"
  keeps "$tmp/text.svg" 'which --text reads' sweep $random --text "$tmp/text.svg" --n 2 --output "$tmp/work/rows" --plot "$tmp/text.svg"
  keeps "$tmp/text" 'which --text reads' robust --model random:bert:16,2,2 --text "$tmp/text" --tokens 4 --radius 1 --save-input "$tmp/text"
  keeps "$tmp/x.npy" 'which the command reads' info "$tmp/x.npy" --output "$tmp/x.npy"

  # two outputs, there or not yet
  for other in "$tmp/other/new" "$tmp/other/../other/new" "$tmp/other//new"; do
    exits 2 certify $generic --output "$tmp/other/new" --vector-out "$other"
    ok "$other is the same new file" one_line_naming 'both name'
  done
  : >"$tmp/other/there"
  for name in $(spellings "$tmp/other/there"); do
    exits 2 certify $generic --save-input "$tmp/other/there" --output "$name"
    ok "$name is the same file" one_line_naming 'both name'
  done
  ln -s "$tmp/other/nothing" "$tmp/other/dangling"
  exits 2 sweep $random --text "$tmp/text" --n 2 --output "$tmp/other/dangling"
  ok 'a link to nothing' one_line_naming 'a symbolic link to nothing'
  # different files are
  exits 0 certify $generic --output "$tmp/other/new" --vector-out "$tmp/other/there"
}
finish

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
  towers="--model $tmp/model:text --layer 0 --hidden $tmp/x.npy"
  keeps "$tmp/model/config.json" "which --model reads" certify $towers --output "$tmp/model/config.json"
  keeps "$tmp/model/model.safetensors" "which the command reads" info "$tmp/model:vision" --output "$tmp/model/model.safetensors"
  keeps "$tmp/x.npy" 'which --hidden reads' certify $folder --output "$tmp/x.npy"
  cp "$tmp/x.npy" "$tmp/u.npy"
  keeps "$tmp/u.npy" 'which --vector reads' check $generic --estimate 2 --vector "$tmp/other/../u.npy" --output "$tmp/u.npy"
  keeps "$tmp/model/vocab.txt" 'which --tokenizer reads' certify $text --tokenizer "$tmp/model" --output "$tmp/model/vocab.txt"
  keeps "$tmp/text" 'which --text reads' sweep $random --text "$tmp/text" --n 2 --output "$tmp/text"
  cp "$tmp/text" "$tmp/text.svg"
  keeps "$tmp/text.svg" 'which --text reads' sweep $random --text "$tmp/text.svg" --n 2 --output "$tmp/work/rows" --plot "$tmp/text.svg"
  keeps "$tmp/text" 'which --text reads' robust --model random:bert:16,2,2 --text "$tmp/text" --tokens 4 --radius 1 --save-input "$tmp/text"
  keeps "$tmp/x.npy" 'which the command reads' info "$tmp/x.npy" --output "$tmp/x.npy"

  # special files in the place of every input: refused at once
  mkfifo "$tmp/fifo"
  special() { # OPTION ARGUMENT...: what it reads is no regular file
    option=$1
    shift
    for file in "$tmp/fifo" /dev/zero /dev/null; do
      timeout 10 "$attcert" "$@" $option "$file" >"$tmp/out" 2>"$tmp/err"
      status=$?
      ok "$* $option $file" test "$status" -eq 2
      ok "$file is named" one_line_naming "$file"
    done
  }
  special --weights certify --input "$tmp/x.npy"
  special --input certify --weights "$tmp/w"
  special --hidden certify $random
  special --text certify $random --tokens 4
  special --text sweep $random --n 2 --output "$tmp/other/rows"
  special --text robust --model random:bert:16,2,2 --tokens 4 --radius 1
  special --tokenizer certify $text
  special --model certify --layer 0 --input "$tmp/x.npy"
  special --vector check $generic --estimate 2
  special '' info
  # and of every output: whether or not somebody reads it
  for option in output vector-out save-input; do special --$option certify $generic; done
  special --output sweep $random --text "$tmp/text" --n 2
  special --output info "$tmp/w"
  special --save-input robust --model random:bert:16,2,2 --text "$tmp/text" --tokens 4 --radius 1
  # the files of a model, and of its tokenizer
  for file in config.json model.safetensors vocab.txt vocab.json merges.bpe; do
    rm -rf "$tmp/odd"
    mkdir "$tmp/odd"
    printf '{"a": 0}' >"$tmp/odd/vocab.json"
    printf '{"model_type":"bert","hidden_size":2,"num_attention_heads":1,"num_hidden_layers":1,"intermediate_size":2}' >"$tmp/odd/config.json"
    cp "$tmp/w" "$tmp/odd/model.safetensors"
    rm -f "$tmp/odd/$file"
    mkfifo "$tmp/odd/$file"
    case $file in
      merges.bpe) set -- certify $random --text "$tmp/text" --tokens 4 --tokenizer "$tmp/odd/$file" ;;
      vocab.*) set -- certify $random --text "$tmp/text" --tokens 4 --tokenizer "$tmp/odd" ;;
      *) set -- info "$tmp/odd" ;;
    esac
    timeout 10 "$attcert" "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
    ok "$file is a FIFO" test "$status" -eq 2
    ok "and $file is named" one_line_naming "odd/$file: expected a regular file"
  done

  # --memory-limit holds before anything is read: sparse files, of numbers that are not there
  { printf '\223NUMPY\001\000\166\000' && printf '%-117s\n' "{'descr': '<f2', 'fortran_order': False, 'shape': (100000, 2), }"; } >"$tmp/long.npy"
  truncate -s 400128 "$tmp/long.npy"
  safetensors '{"__metadata__":{"num_heads":"1"},"query.weight":{"dtype":"F16","shape":[1000,1000],"data_offsets":[0,2000000]}}' >"$tmp/wide"
  truncate -s +2000000 "$tmp/wide"
  for command in "--weights $tmp/w --input $tmp/long.npy" "--weights $tmp/wide --input $tmp/x.npy" "$random --hidden $tmp/long.npy"; do
    exits 3 certify $command --memory-limit 1M
    ok 'says how much is needed' one_line_naming 'its numbers need '
  done
  exits 3 certify --model random:bert:1024,2,2 --layer 0 --input "$tmp/x.npy" --memory-limit 31M
  ok 'says how much is needed' one_line_naming 'random:bert:1024,2,2: its numbers need 32.0 MiB (33554432 bytes), the limit is 31.0 MiB (32505856 bytes): expected a larger --memory-limit'
  exits 3 robust --model random:bert:2,1,1 --hidden "$tmp/long.npy" --radius 1 --memory-limit 1M
  ok 'says how much is needed' one_line_naming 'its numbers need 1.5 MiB (1600000 bytes), the limit is 1.0 MiB (1048576 bytes)'

  # a shard is read, whatever the index calls it
  mkdir "$tmp/shards"
  cp "$tmp/w" "$tmp/shards/part-2.safetensors"
  echo '{"weight_map": {}}' >"$tmp/shards/model.safetensors.index.json"
  for file in part-2.safetensors model.safetensors.index.json; do
    before=$(sha256sum <"$tmp/shards/$file")
    exits 2 info "$tmp/shards" --output "$tmp/shards/$file"
    ok "$file is not written over" one_line_naming "$tmp/shards/$file', which the command reads"
    ok "$file is as it was" test "$(sha256sum <"$tmp/shards/$file")" = "$before"
  done

  # the blocks before the layer, and a whole network: 4 (4 256^2 + 2 256 1024) + 256^2 + 4 256 numbers
  exits 3 certify --model random:gpt2:256,2,2 --layer 1 --text src/cli/demo.txt --tokens 4 --memory-limit 7M
  ok 'the blocks are counted' one_line_naming 'random:gpt2:256,2,2: its numbers need 7.0 MiB (7356416 bytes), the limit is 7.0 MiB (7340032 bytes)'
  exits 3 robust --model random:bert:256,2,4 --text src/cli/demo.txt --tokens 4 --radius 1 --memory-limit 24M
  ok 'the network is counted' one_line_naming 'random:bert:256,2,4: its numbers need 24.5 MiB (25698304 bytes), the limit is 24.0 MiB (25165824 bytes)'

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

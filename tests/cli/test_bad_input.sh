#!/bin/sh
# Bad files: exit status 2, one line that names the file, tensor or option and what was expected, and no output left
# behind.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/w"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
x="--input $tmp/x.npy" w="--weights $tmp/w" m='--model random:bert:16,2,2 --layer 0'

# weights FILE-CONTENT is bad: rejected, naming $1
# shellcheck disable=SC2086
bad_weights() { rejects "$1" certify --weights "$tmp/bad" $x; }
# shellcheck disable=SC2086
bad_input() { rejects "$1" certify $w --input "$tmp/bad"; }

# missing, empty, truncated, a folder
rejects "$tmp/none" certify --weights "$tmp/none" --input "$tmp/x.npy"
rejects "$tmp/none" certify --weights "$tmp/w" --input "$tmp/none"
: >"$tmp/bad"
bad_weights "$tmp/bad"
bad_input "$tmp/bad"
head -c 200 "$tmp/w" >"$tmp/bad"
bad_weights "$tmp/bad"
head -c 140 "$tmp/x.npy" >"$tmp/bad"
bad_input "$tmp/bad"
rejects "$tmp" certify --weights "$tmp" --input "$tmp/x.npy"

# safetensors: header length, text, padding, duplicate keys, offsets, shape, dtype
{ little_endian_64 100000001 && head -c 1000 /dev/zero; } >"$tmp/bad"
bad_weights "$tmp/bad"
{ little_endian_64 5000 && printf '{}'; } >"$tmp/bad"
bad_weights "$tmp/bad"
safetensors 'not json at all' >"$tmp/bad"
bad_weights "$tmp/bad"
{ little_endian_64 3 && printf '{}\000'; } >"$tmp/bad"
bad_weights "$tmp/bad"
safetensors '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}' 0 >"$tmp/bad"
bad_weights "$tmp/bad"
for offsets in '[0,8]' '[4,8]' '[4,0]' '[0,4000]' '[-4,0]' '[0]' '[0,4.5]'; do
  safetensors '{"query.weight":{"dtype":"F32","shape":[1],"data_offsets":'"$offsets"'}}' 0 >"$tmp/bad"
  bad_weights 'query.weight'
done
for shape in '[2]' '[4294967296,4294967296]' '[9223372036854775807,3]' '[-1]' '1' '["1"]'; do
  safetensors '{"query.weight":{"dtype":"F32","shape":'"$shape"',"data_offsets":[0,4]}}' 0 >"$tmp/bad"
  bad_weights 'query.weight'
done
safetensors '{"__metadata__":{"num_heads":"1"},"query.weight":{"dtype":"I32","shape":[1,1],"data_offsets":[0,4]}}' 0 >"$tmp/bad"
bad_weights 'query.weight'

# layers: missing tensor, NaN, shapes that do not fit each other, heads that do not divide
safetensors '{"__metadata__":{"num_heads":"1"},"query.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}' 1 >"$tmp/bad"
bad_weights 'key.weight'
layer 0 0 0 0 0 nan 0 0 2 0 0 2 >"$tmp/bad"
bad_weights 'key.weight'
safetensors '{"__metadata__":{"num_heads":"3"},'"$layer_tensors}" 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/bad"
bad_weights 'num_heads'
# another layer than the one meant: heads not said or misspelt, metadata and tensors that would be ignored
for metadata in '' '"__metadata__":{},' '"__metadata__":{"format":"pt"},'; do
  safetensors "{$metadata$layer_tensors}" 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/bad"
  bad_weights 'no metadata num_heads, expected it or --num-heads'
  # shellcheck disable=SC2086
  exits 0 certify --weights "$tmp/bad" $x --num-heads 2
done
for key in n_heads softcap num_head; do
  safetensors '{"__metadata__":{"num_heads":"1","'$key'":"2"},'"$layer_tensors}" 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/bad"
  bad_weights "metadata '$key' is not of the layout, expected 'num_heads' or 'format'"
done
safetensors "${layer_header%\}}"',"q_norm.weight":{"dtype":"F32","shape":[1],"data_offsets":[48,52]}}' 0 0 0 0 0 0 0 0 2 0 0 2 1 >"$tmp/bad"
bad_weights "tensor 'q_norm.weight' is not of the layout, expected"
# shellcheck disable=SC2086
{
  rejects 'num_heads is 1, --num-heads is 2: expected the same' certify $w $x --num-heads 2
  rejects '--num-heads: expected' certify $w $x --num-heads 0
  rejects '--num-heads and --model' certify $m $x --num-heads 2
  exits 0 certify $w $x --num-heads 1
}
safetensors '{"__metadata__":{"num_heads":"1"},"query.weight":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},"key.weight":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]},"value.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[16,20]}}' \
  1 1 1 1 1 >"$tmp/bad"
bad_weights 'value.weight'

# another file than the one meant: what a download left, or other programs' weights, is called so
for where in weights config; do
  if [ $where = weights ]; then bad=$tmp/bad wanted='expected a safetensors file'; else
    mkdir "$tmp/folder"
    bad=$tmp/folder/config.json wanted='expected a JSON object'
  fi
  kinds() { # KIND: what $bad is
    if [ $where = weights ]; then bad_weights "$bad: is $1, $wanted"; else
      rejects "$bad: is $1, $wanted" certify --model "$tmp/folder" --layer 0 --input "$tmp/x.npy"
    fi
  }
  printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n' >"$bad"
  kinds 'a Git LFS pointer (git lfs pull fetches the file)'
  printf '\n <!DOCTYPE html><html><body>Log in</body></html>' >"$bad"
  kinds 'an HTML page (of a download that failed, or needs a log-in)'
  printf '<HTML></HTML>' >"$bad"
  kinds 'an HTML page (of a download that failed, or needs a log-in)'
  printf 'PK\003\004\024\000\000\000\000\000\000\000\041\000aaaabbbbcccc\005\000\000\000w.npy' >"$bad"
  kinds 'an .npz archive of arrays'
  printf 'PK\003\004\024\000\000\000\000\000\000\000\041\000aaaabbbbcccc\020\000\000\000archive/data.pkl' >"$bad"
  kinds 'a PyTorch file, a zip archive with a pickle'
  printf 'PK\003\004\024\000aaaabbbbccccaaaabbbbcccc\005\000\000\000a.txt' >"$bad"
  kinds 'a zip archive'
  printf '\200\002}q\000.' >"$bad"
  kinds 'a pickle'
  printf 'GGUF\003\000\000\000' >"$bad"
  kinds 'a GGUF file'
  printf '\037\213\010\000' >"$bad"
  kinds 'a gzip file'
  npy '3, 2' 1 0 0 1 0.5 2 >"$bad"
  kinds 'an .npy file'
done
printf '\200\002\000\000\000\000\000\000{"a' >"$tmp/bad" # a header of 640 bytes, cut: no pickle
bad_weights '640'
printf 'version https://git-lfs.github.com/spec/v1\n' >"$tmp/bad"
bad_input "$tmp/bad: is a Git LFS pointer"
# other names of attention's maps: the line that renames them
zeros F32:2,2:self_attn.k_proj.weight F32:2,2:self_attn.q_proj.weight F32:2,2:self_attn.v_proj.weight >"$tmp/bad"
bad_weights "python3 -c \"from safetensors.torch import *; t = load_file('FILE'); t = {{'q_proj': 'query'"
zeros F32:6:in_proj_bias F32:6,2:in_proj_weight F32:2,2:out_proj.weight >"$tmp/bad"
bad_weights "t[f'in_proj_{p}'].chunk(3)"
# a name of the hub, or a file, for a folder
rejects 'bert-base-uncased: no such folder, and nothing is downloaded: expected a folder with config.json' \
  certify --model bert-base-uncased --layer 0 --input "$tmp/x.npy"
rejects "$tmp/w: is no folder, expected one with config.json and model.safetensors" \
  certify --model "$tmp/w" --layer 0 --input "$tmp/x.npy"

# inputs: NaN, wrong dimension, no tokens, a batch of two, objects, integers
npy '3, 2' 1 0 0 nan 0.5 2 >"$tmp/bad"
bad_input "$tmp/bad"
npy '2, 3' 1 0 0 1 0.5 2 >"$tmp/bad"
bad_input 'dimension 3'
npy '0, 2' >"$tmp/bad"
bad_input "$tmp/bad"
npy '2, 0' >"$tmp/bad"
bad_input "$tmp/bad"
npy '2, 3, 2' 1 0 0 1 0.5 2 1 0 0 1 0.5 2 >"$tmp/bad"
bad_input 'of shape (1, n, d)'
(NPY_DTYPE='<i4'; npy '3, 2' 1 0 0 1 0.5 2) >"$tmp/bad"
bad_input "found '<i4'"
(NPY_ORDER=True; npy '2, 3' 1 0 0 1 0.5 2) >"$tmp/bad"
bad_input 'dimension 3'
(NPY_DTYPE='|O'; npy '3, 2' 1 0 0 1 0.5 2) >"$tmp/bad"
bad_input "$tmp/bad"

# safetensors as input: other dtypes, other shapes, several tensors, NaN
safetensors '{"x":{"dtype":"I32","shape":[3,2],"data_offsets":[0,24]}}' 1 0 0 1 0.5 2 >"$tmp/bad"
bad_input "tensor 'x' has dtype I32, expected F64, F32, F16 or BF16"
for shape in 2,3,1 1,1,3,2 ''; do
  safetensors '{"x":{"dtype":"F32","shape":['"$shape"'],"data_offsets":[0,24]}}' 1 0 0 1 0.5 2 >"$tmp/bad"
  [ -n "$shape" ] || safetensors '{"x":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}' 1 >"$tmp/bad"
  bad_input 'expected the shape [n, d] or [1, n, d]'
done
safetensors '{"x":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"y":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]}}' 1 0 0 1 >"$tmp/bad"
bad_input '2 tensors, expected one'
safetensors '{"x":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}}' 1 0 0 nan 0.5 2 >"$tmp/bad"
bad_input "tensor 'x': entry [1, 1] is NaN"

# models and texts
printf 'seven' >"$tmp/text"
# shellcheck disable=SC2086
{
  rejects "$tmp/none" certify --model "$tmp/none" --layer 0 $x
  rejects 'random:rnn' certify --model random:rnn --layer 0 $x
  rejects 'random:bert:16,3,2' certify --model random:bert:16,3,2 --layer 0 $x
  rejects 'layer' certify --model random:bert:16,2,2 --layer 2 $x
  rejects 'dimension' certify $m $x
  rejects "$tmp/text" certify $m --text "$tmp/text" --tokens 6
  rejects "$tmp/text" certify $m --text "$tmp/text" --tokens 4 --offset 3
  rejects "$tmp/none" certify $m --text "$tmp/none" --tokens 4
}
head -c 600 /dev/zero | tr '\000' 'a' >"$tmp/text"
# shellcheck disable=SC2086
rejects '512' certify $m --text "$tmp/text" --tokens 513

# outputs that cannot be written are noticed before anything is read
for option in output vector-out save-input; do
  exits 2 certify --weights "$tmp/no-weights" --input "$tmp/x.npy" --$option "$tmp/none/result"
  ok "--$option is tried first" one_line_naming "$tmp/none/result"
done

# a report that cannot be written whole
if [ -w /dev/full ]; then
  "$attcert" certify --weights "$tmp/w" --input "$tmp/x.npy" >/dev/full 2>"$tmp/err"
  status=$?
  ok 'a full disk ends with exit status 3' test "$status" -eq 3
  ok 'and says so' one_line_naming 'standard output'
fi
finish

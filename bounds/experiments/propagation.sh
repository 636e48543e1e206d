#!/bin/sh
# E11: the signal propagation probability of heads with given tr W and tr W^2, beside random walks: propagation.csv.
# Symmetric heads, d = 64, whose eigenvalues are +-SCALE: tr W^2 / d = SCALE^2,
# tr W / sqrt(d) = (2 POSITIVE - d) SCALE / 8.
# usage: bounds/experiments/propagation.sh quick|full FOLDER
. bounds/lib.sh
write_head=$BUILD/bounds/programs/write_head
traces=$(by_mode '0 1' '-1 0 1 2') # tr W / sqrt(d)
scales=$(by_mode '0.5' '0.25 0.5 1 2')
samples=$(by_mode 200 4000)

# known TRACE SCALE: the report's file.
known() {
  echo "$reports/propagation-$mode-$1-$2.json"
}
for scale in $scales; do
  for trace in $traces; do
    head=$inputs/signs_${trace}_$scale.safetensors
    "$write_head" signs 64 "$(echo "$trace $scale" | awk '{ print 32 + 4 * $1 / $2 }')" "$scale" "$head"
    if [ ! -s "$(known "$trace" "$scale")" ]; then
      later "$ATTCERT" spectrum --weights "$head" --propagation --length 64 --samples "$samples" --format json --output \
        "$(known "$trace" "$scale")"
    fi
  done
done
run_all

{
  echo '# rho on random-walk tokens, T = 64, and how often walks were inside (95 %): symmetric heads of d = 64'
  echo scaled_trace,scale,trace,trace_of_square,t,rho_lower,rho_upper,frequency,low,high
  for scale in $scales; do
    for trace in $traces; do
      jq -r --arg trace "$trace" --arg scale "$scale" '.propagation.length as $length | .heads[0] as $head |
        range($length) | [$trace, $scale, $head.trace[0], $head.trace_of_square[0], (. + 1) / $length,
        $head.rho_symmetric[.][], $head.random_walk[.].frequency, $head.random_walk[.].low, $head.random_walk[.].high] |
        map(tostring) | join(",")' "$(known "$trace" "$scale")"
    done
  done
} >"$folder/propagation.csv.partial"
mv "$folder/propagation.csv.partial" "$folder/propagation.csv"
figure propagation "scales='$scales'; traces='$traces'"

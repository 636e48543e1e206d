# What seeds and inputs have in common: for each setting and step of locater.csv, the middle of every quantity, from its
# lowest lower end to its highest upper end.
#   usage: awk -f curves.awk locater.csv
# Columns: rate,penalty,strength,mean,step, how many rows, then NAME,NAME_low,NAME_high for each quantity. NAME is the
# mean of the middles of the enclosures; of what has no enclosure, of the values.
BEGIN {
  FS = ","
  count = split("perplexity eigenvalue_mean eigenvalue_variance frobenius entropy_mean constant T6 T9", quantity, " ")
}
/^#/ { print; next }
!columns {
  columns = NF
  for (i = 1; i <= NF; i++) column[$i] = i
  line = "rate,penalty,strength,mean,step,rows"
  for (i = 1; i <= count; i++) line = line "," quantity[i] "," quantity[i] "_low," quantity[i] "_high"
  print line
  column["constant_lower"] = column["lower"]
  column["constant_upper"] = column["upper"]
  next
}
{
  key = $1 "," $2 "," $3 "," $4 "," $column["step"]
  if (!(key in rows)) order[++keys] = key
  rows[key]++
  for (i = 1; i <= count; i++) {
    low = $column[quantity[i] (quantity[i] "_lower" in column ? "_lower" : "")] + 0
    high = $column[quantity[i] (quantity[i] "_upper" in column ? "_upper" : "")] + 0
    if (rows[key] == 1 || low < lowest[key, i]) lowest[key, i] = low
    if (rows[key] == 1 || high > highest[key, i]) highest[key, i] = high
    sum[key, i] += (low + high) / 2
  }
}
END {
  for (k = 1; k <= keys; k++) {
    key = order[k]
    line = key "," rows[key]
    for (i = 1; i <= count; i++)
      line = line sprintf(",%.6g,%.6g,%.6g", sum[key, i] / rows[key], lowest[key, i], highest[key, i])
    print line
  }
}

# The medians of bound / upper over the rows of the longest certified sequences of one sweep.
#   usage: awk -v bounds='T1 T2 ...' -f median.awk FILE.csv
# Takes the rows of the largest n whose ends agree to 2 %; prints n,rows, then a median for each bound, empty without
# one. Prints nothing without such rows.
BEGIN { FS = ","; count = split(bounds, bound, " ") }
function number(text) { return text == "inf" ? 1e308 * 10 : text + 0 }
/^#/ { next }
!columns { columns = NF; for (i = 1; i <= NF; i++) column[$i] = i; next }
{
  upper = number($column["upper"])
  if (upper > $column["lower"] * (1 + 0.02)) next
  n = $column["n"] + 0
  if (n < longest) next
  if (n > longest) { longest = n; rows = 0; split("", found) }
  rows++
  for (b = 1; b <= count; b++)
    if ($column[bound[b]] != "") ratio[b, ++found[b]] = number($column[bound[b]]) / upper
}
function median(b,    i, j, t) {
  for (i = 2; i <= found[b]; i++) {
    t = ratio[b, i]
    for (j = i - 1; j >= 1 && ratio[b, j] > t; j--) ratio[b, j + 1] = ratio[b, j]
    ratio[b, j + 1] = t
  }
  i = int((found[b] + 1) / 2)
  return found[b] % 2 ? ratio[b, i] : (ratio[b, i] + ratio[b, i + 1]) / 2
}
END {
  if (!rows) exit
  text = longest "," rows
  for (b = 1; b <= count; b++) text = text "," (found[b] ? sprintf("%.4g", median(b)) : "")
  print text
}

# Spearman's rank correlations over the heads of localisation.csv: each head's mean over its inputs, ties at their mean
# rank. A row a model, and one for all heads together.
#   usage: awk -f bounds/localisation_ranks.awk localisation.csv
BEGIN {
  FS = ","
  count = split("abs_mean variance frobenius variance_over_mean2", property, " ")
  outcomes = split("entropy constant", outcome, " ")
}
/^#/ { next }
!columns { for (columns = 1; columns <= NF; columns++) column[$columns] = columns; next }
function middle(name) { return ($column[name "_lower"] + $column[name "_upper"]) / 2 }
{
  key = $column["model"] "," $column["layer"] "," $column["head"]
  if (!(key in inputs)) { order[++heads] = key; model[key] = $column["model"] }
  inputs[key]++
  mean = middle("eigenvalue_mean")
  value[key, "abs_mean"] = mean < 0 ? -mean : mean
  value[key, "variance"] = middle("eigenvalue_variance")
  value[key, "frobenius"] = middle("frobenius")
  value[key, "variance_over_mean2"] = middle("eigenvalue_variance") / mean ^ 2
  value[key, "entropy"] += middle("entropy_mean") / $column["uniform"]
  value[key, "constant"] += $column["upper"]
}
# The correlation of a and b over the heads of a model, "all": every one.
function correlation(which, a, b,    i, j, ra, rb, n, sa, sb, saa, sbb, sab) {
  for (i = 1; i <= heads; i++) {
    if (which != "all" && model[order[i]] != which) continue
    n++
    ra = rank(which, a, i)
    rb = rank(which, b, i)
    sa += ra; sb += rb; saa += ra * ra; sbb += rb * rb; sab += ra * rb
  }
  saa -= sa * sa / n; sbb -= sb * sb / n
  return saa * sbb > 0 ? sprintf("%.2f", (sab - sa * sb / n) / sqrt(saa * sbb)) : ""
}
function rank(which, name, i,    j, below, same) {
  for (j = 1; j <= heads; j++) {
    if (which != "all" && model[order[j]] != which) continue
    below += per_input(order[j], name) < per_input(order[i], name)
    same += per_input(order[j], name) == per_input(order[i], name)
  }
  return below + (same + 1) / 2
}
function per_input(key, name) {
  return name == "entropy" || name == "constant" ? value[key, name] / inputs[key] : value[key, name]
}
function row(which,    i, j, text, n) {
  for (i = 1; i <= heads; i++) n += which == "all" || model[order[i]] == which
  text = which "," n
  for (j = 1; j <= outcomes; j++) for (i = 1; i <= count; i++) text = text "," correlation(which, property[i], outcome[j])
  print text
}
END {
  text = "model,heads"
  for (j = 1; j <= outcomes; j++) for (i = 1; i <= count; i++) text = text "," property[i] "_" outcome[j]
  print text
  for (i = 1; i <= heads; i++) if (!(model[order[i]] in seen)) { seen[model[order[i]]]; row(model[order[i]]) }
  row("all")
}

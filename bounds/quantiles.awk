# Of sorted rows n,number: a row n,smallest,median,largest for each n.
#   usage: sort -t , -k 1,1g -k 2,2g FILE | awk -F , -f quantiles.awk
function flush() {
  if (count) print n "," value[1] "," (value[int((count + 1) / 2)] + value[int((count + 2) / 2)]) / 2 "," value[count]
  count = 0
}
$1 != n { flush(); n = $1 }
{ value[++count] = $2 }
END { flush() }

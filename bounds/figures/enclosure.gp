# What an enclosure is: the certified interval beside what the theory says of the same layer, on a log axis; below it,
# the interval alone, enlarged, with the estimate inside.
width = 980; height = 430
load 'bounds/style.gp'
data = folder . '/enclosure.csv'
row(column) = real(system(sprintf("awk -F , -v name=%s '/^#/ { next } !k { for (i = 1; i <= NF; i++) if ($i == name) k = i; next } { print $k }' %s", column, data)))
$once << end
0
end
bounds = 'T6 T7 T9 T1 T2'
what = '"T6, this input" "T7, spread of P" "T9, sharp" "T1, √n bound" "T2, mean field"'
lower = row('lower'); upper = row('upper'); estimate = row('estimate')
unset key
unset ytics
set border 1
set grid noytics
set multiplot title 'One attention layer: the enclosure, an estimate and the theory' font ',18'
set lmargin screen 0.05; set rmargin screen 0.95
set tmargin screen 0.80; set bmargin screen 0.56
set logscale x
set xrange [0.08:120]
set yrange [0:1]
set xlabel spaced('||D_X f||_2, and bounds of it (l^2 norms)')
set label 1 'both ends' at lower, 0.72 center textcolor rgb '#0072B2'
do for [i = 1:words(bounds)] {
  set label 1 + i word(what, i) at row(word(bounds, i)), (i == 2 ? 1.02 : 0.72) center textcolor rgb colour(i)
}
plot $once using (lower):(0.3) with points ls 9 ps 1.6, \
     for [i = 1:words(bounds)] $once using (row(word(bounds, i))):(0.3) with points ls i ps 1.4
do for [i = 1:1 + words(bounds)] { unset label i }
unset logscale
set tmargin screen 0.34; set bmargin screen 0.16
unit = 1e-12
set xrange [-1.5:(upper - lower) / lower / unit + 1.5]
set xlabel sprintf('relative distance from the lower end, %.10g, in units of 10^{-12}', lower)
set object 1 rectangle from 0, 0.12 to (upper - lower) / lower / unit, 0.48 fillcolor rgb '#0072B2' fillstyle solid 0.25 border lc rgb '#0072B2'
set label 1 'lower end' at 0, 0.75 center textcolor rgb '#0072B2'
set label 2 'upper end' at (upper - lower) / lower / unit, 0.75 center textcolor rgb '#0072B2'
set label 4 'estimate' at -0.12, 0.30 right
set label 3 'the truth is in here' at (upper - lower) / lower / unit / 2, 0.30 center
plot $once using ((estimate - lower) / lower / unit):(0.3) with points ls 6 pt 2 ps 1.4
unset multiplot

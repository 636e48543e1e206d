# The two regimes of one head (head) under one mask (mask): a panel for each R.
load 'bounds/style.gp'
set terminal svg size 1180,780 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
data = folder . '/regimes.csv'
set logscale xy
set format x '10^{%L}'
set format y '10^{%L}'
set xrange [1.8:12000]
set yrange [0.5:1e5]
here(R) = strcol('head') eq head && strcol('mask') eq mask && column('R') == R
n(R) = here(R) ? column('n') : NaN
list = mask eq 'none' ? 'T1 T2 T4 T9' : 'T1 T5 T4 T9'
what(t) = t eq 'T1' ? 'T1, √n bound' : t eq 'T2' ? 'T2, mean field' : t eq 'T5' ? 'T5, mean field' : \
          t eq 'T4' ? 'T4, unified' : 'T9, sharp'
# what is certified: the larger of the two searches; the second one where there was one
set multiplot layout 2,2 margins screen 0.085,0.745,0.10,0.885 spacing screen 0.06,0.12 \
  title spaced(sprintf('Lip(f | B_R^n) of the %s head, %s', head, mask eq 'none' ? 'no mask' : 'causal mask')) font ',18'
unset key
do for [i = 1:4] {
  R = 0.25 * 2**i
  set title sprintf('R = %g, z = %g', R, R * R) offset 0,-0.7
  set xlabel (i > 2 ? 'tokens n' : '')
  set ylabel (i % 2 ? spaced('l^2 Lipschitz constant') : '')
  plot for [j = 1:4] data using (n(R)):(column(word(list, j))) with lines ls j, \
       data using (n(R)):(column('T3')) with lines ls 5, \
       data using (n(R)):(column('T10')) with lines ls 8, \
       data using (n(R)):(column('lower')) with lines ls 9, \
       data using (n(R)):(column('ascent')) with points ls 6 pt 4 ps 0.9 lw 1, \
       data using (n(R)):(column('lower')) with points ls 9 ps 0.4
}
# the key, in a panel without anything else
set margins screen 0.75, screen 0.99, screen 0.3, screen 0.9
set title ''; set xlabel ''; set ylabel ''
unset border; unset tics; unset grid
set key at screen 0.755, screen 0.88 top left Left reverse spacing 1.4 samplen 2.4
plot for [j = 1:4] NaN with lines ls j title what(word(list, j)), \
     NaN with linespoints ls 9 ps 0.4 title 'certified, worst found', \
     NaN with points ls 6 pt 4 ps 0.9 lw 1 title 'by free ascent', \
     NaN with lines ls 5 title (mask eq 'none' ? 'T3, lower bound' : ''), \
     NaN with lines ls 8 title 'T10, for the worst A'
unset multiplot

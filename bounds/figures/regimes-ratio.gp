# How far the theory's smallest upper bound is from what is certified, by head and mask: a curve for each R.
load 'bounds/style.gp'
set terminal svg size 1180,780 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
data = folder . '/regimes.csv'
set logscale xy
set format x '10^{%L}'
set xrange [1.8:12000]
set yrange [1:40]
set ytics (1, 1.5, 2, 3, 5, 10, 20, 40)
n(head, mask, R) = strcol('head') eq head && strcol('mask') eq mask && column('R') == R ? column('n') : NaN
set multiplot layout 2,2 margins screen 0.085,0.845,0.10,0.885 spacing screen 0.055,0.12 \
  title spaced('Smallest upper bound / certified lower bound of Lip(f | B_R^n)') font ',18'
unset key
do for [i = 1:4] {
  head = i <= 2 ? 'negative' : 'random'
  mask = i % 2 ? 'none' : 'causal'
  set title sprintf('%s head, %s', head, mask eq 'none' ? 'no mask' : 'causal mask') offset 0,-0.7
  set xlabel (i > 2 ? 'tokens n' : '')
  set ylabel (i % 2 ? 'ratio' : '') offset 1,0
  plot for [j = 1:4] data using (n(head, mask, 0.25 * 2**j)):(column('ratio')) with linespoints ls j
}
set margins screen 0.85, screen 0.99, screen 0.3, screen 0.9
set title ''; set xlabel ''; set ylabel ''
unset border; unset tics; unset grid
set key at screen 0.855, screen 0.88 top left Left reverse spacing 1.4 samplen 2.4
plot for [j = 1:4] NaN with linespoints ls j title sprintf('R = %g', 0.25 * 2**j)
unset multiplot

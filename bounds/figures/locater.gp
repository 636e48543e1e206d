# Training of one layer at one rate (rate): eigenspectrum, entropy, perplexity and the certified constant, a curve a
# setting, from the lowest to the highest of its seeds and inputs.
load 'bounds/style.gp'
load 'bounds/locater/settings.gp'
set terminal svg size 1180,900 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
data = folder . '/locater_curves.csv'
here(name) = strcol('rate') eq rate ? column(name) : NaN
step(i) = of(i) ? here('step') : NaN
quantities = 'eigenvalue_mean eigenvalue_variance frobenius entropy_mean perplexity constant'
titles(j) = j == 1 ? 'mean of the eigenvalues, tr W/d' : j == 2 ? 'their variance, tr W^2/d - (tr W/d)^2' : \
  j == 3 ? '||W||_F' : j == 4 ? 'entropy of a row of attention' : j == 5 ? 'perplexity, validation text' : \
  'local Lipschitz constant, certified'
# A logarithmic axis where a quantity without a sign grows or falls fivefold.
logarithmic(j) = (j == 3 || j > 4) && most[j] > 5 * least[j]
array least[6]
array most[6]
do for [j = 1:6] {
  stats data using (here(word(quantities, j) . '_low')):(here(word(quantities, j) . '_high')) nooutput
  least[j] = STATS_min_x
  most[j] = STATS_max_y
}
# Steps by their roots, as most happens early; variances of either sign by their size, linear below 1e-3.
set nonlinear x via sqrt(x) inverse x * x
set xtics (0, 10, 25, 50, 100, 250, 500, 1000)
set autoscale xfix
set offsets 0, 0, graph 0.05, graph 0.05
set multiplot layout 2,3 margins screen 0.075,0.985,0.25,0.89 spacing screen 0.065,0.11 \
  title spaced('Training with and without a penalty of the eigenspectrum of W = Q^T K, rate ' . rate) font ',18'
set key at screen 0.075, screen 0.14 top left vertical Left reverse samplen 2.4 spacing 1.3 maxrows 3 font ',13'
do for [j = 1:6] {
  name = word(quantities, j)
  set title spaced(titles(j)) offset 0,-0.6
  set xlabel (j > 3 ? 'step' : '')
  unset logscale y
  unset nonlinear y
  set format y '%g'
  set ytics autofreq
  set yrange [*:*]
  if (j == 2) {
    set nonlinear y via asinh(1e3 * y) inverse sinh(y) / 1e3
    set ytics (-10000, -100, -10, -1, -0.1, -0.01, -0.004, -0.001, 0, 0.001, 0.004, 0.01, 0.1, 1, 10)
  }
  if (logarithmic(j)) {
    set logscale y
    set ytics add (0.2, 0.5, 2, 5, 20, 50, 200, 500, 2000, 5000)
    set yrange [least[j] / 1.1:most[j] * 1.1]
  }
  plot for [i = 1:settings] data using (step(i)):(column(name)):(column(name . '_low')):(column(name . '_high')) \
         with yerrorlines ls look(i) ps 0.6 lw 1.6 title name_of(i)
  unset key
}
unset multiplot

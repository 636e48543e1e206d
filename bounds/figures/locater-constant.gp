# The certified local constant at fixed texts against the spectrum of W, a mark a checkpoint and input: against the
# variance of the eigenvalues, and against that of symmetric W, ||W||_F^2/d - (tr W/d)^2.
load 'bounds/style.gp'
load 'bounds/locater/settings.gp'
set terminal svg size 1180,640 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
data = folder . '/locater.csv'
middle(name) = (column(name . '_lower') + column(name . '_upper')) / 2
entries(unused) = middle('frobenius')**2 / 128 - middle('eigenvalue_mean')**2
constant(i) = of(i) ? column('upper') : NaN
stats data using (column('upper')) nooutput
set logscale y
set yrange [STATS_min / 1.15:STATS_max * 1.15]
set ytics add (0.2, 0.5, 2, 5, 20, 50, 200, 500)
set format y '%g'
set ylabel spaced('||D_X f||_2, certified upper end')
set offsets graph 0.03, graph 0.03, 0, 0
set multiplot layout 1,2 margins screen 0.075,0.985,0.33,0.87 spacing screen 0.06 \
  title 'The certified constant of attention during training, and the spectrum of W = Q^T K' font ',18'
set key at screen 0.075, screen 0.15 top left vertical Left reverse samplen 1 spacing 1.3 maxrows 3 font ',13'
set nonlinear x via asinh(1e3 * x) inverse sinh(x) / 1e3
set xtics ('-10^6' -1e6, '-10^4' -1e4, -100, -1, -0.01, 0, 0.01, 1)
set xlabel spaced('tr W^2/d - (tr W/d)^2')
plot for [i = 1:settings] data using (middle('eigenvalue_variance')):(constant(i)) \
       with points ls look(i) ps 0.8 lw 1.2 title name_of(i)
unset key
unset ylabel
unset nonlinear x
set logscale x
set format x '10^{%L}'
set xtics autofreq
set xlabel spaced('||W||_F^2/d - (tr W/d)^2')
plot for [i = 1:settings] data using (entries(0)):(constant(i)) with points ls look(i) ps 0.8 lw 1.2
unset multiplot

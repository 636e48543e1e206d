# rho against i / T for each tr W (colours) and tr W^2 (panels): lines the formula, bars random walks.
height = 780
load 'bounds/style.gp'
data = folder . '/propagation.csv'
here(s, a, y) = strcol('scale') eq s && strcol('scaled_trace') eq a ? column(y) : NaN
set xrange [0:1]
set yrange [0:1]
unset key
set multiplot layout (words(scales) + 1) / 2, (words(scales) > 1 ? 2 : 1) margins 0.08,0.97,0.09,0.9 spacing 0.09,0.15 \
    title 'Propagation probability on random-walk tokens, T = 64: lines the formula, bars walks (95 %)'
do for [p = 1:words(scales)] {
  s = word(scales, p)
  set title spaced(sprintf('tr W^2 / d = %g', real(s) ** 2)) font ',14'
  set xlabel 'i / T' font ',13'
  set ylabel (p % 2 == 1 ? 'rho' : '') font ',13'
  if (p == words(scales)) { set key inside right top vertical Left reverse samplen 1.8 font ',13' } else { unset key }
  plot for [i = 1:words(traces)] data using 't':(here(s, word(traces, i), 'rho_upper')) with lines ls i \
         title spaced('tr W / d^{1/2} = ' . word(traces, i)), \
       for [i = 1:words(traces)] data every 2 using 't':(here(s, word(traces, i), 'frequency')):(here(s, word(traces, i), 'low')): \
         (here(s, word(traces, i), 'high')) with yerrorbars lc rgb colour(i) lw 1 pt 7 ps 0.25 notitle
}
unset multiplot

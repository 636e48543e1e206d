# How local each head attends: against the concentration of its eigenspectrum and against the size of W; a mark a head
# and input, its colour the certified constant of the head.
width = 1180
height = 600
load 'bounds/style.gp'
data = folder . '/localisation.csv'
set datafile columnheaders
middle(name) = (column(name . '_lower') + column(name . '_upper')) / 2
concentration(unused) = middle('eigenvalue_variance') / middle('eigenvalue_mean')**2
share(unused) = middle('entropy_mean') / column('uniform')
models = 'bert-tiny-sst2 char-gpt mini-gpt'
mark = '7 5 9'
of(i) = strcol('model') eq word(models, i)
set yrange [0:1.02]
set logscale cb
set format cb '%g'
set cbtics add (0.5, 2, 5)
set cblabel spaced('||D_X f||_2 of the head, certified upper end') offset 1,0 font ',14'
set palette defined (0 '#56B4E9', 0.5 '#E69F00', 1 '#7a1f00')
set multiplot layout 1,2 margins screen 0.085,0.88,0.13,0.87 spacing screen 0.05 \
  title 'Where trained heads localise, and the spectrum of W = Q^T K' font ',18'
set ylabel spaced('entropy of a row / that of uniform rows')
set xlabel spaced('variance / mean^2 of the eigenvalues')
set nonlinear x via asinh(x) inverse sinh(x)
set xtics ('-10^6' -1e6, '-10^4' -1e4, '-100' -100, '0' 0, '100' 100, '10^4' 1e4)
set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead ls 8
unset colorbox
unset key
plot for [i = 1:3] data using (of(i) ? concentration(0) : NaN):(share(0)):(column('upper')) \
       with points pt int(word(mark, i)) ps 1.1 lc palette
unset nonlinear x
unset arrow 1
unset ylabel
set logscale x
set xrange [0.5:15]
set xtics (0.5, 1, 2, 5, 10)
set xlabel spaced('||W||_F')
set colorbox user origin screen 0.9, screen 0.13 size screen 0.02, screen 0.74
set key inside bottom left samplen 1
plot for [i = 1:3] data using (of(i) ? middle('frobenius') : NaN):(share(0)):(column('upper')) \
       with points pt int(word(mark, i)) ps 1.1 lc palette notitle, \
     for [i = 1:3] keyentry with points pt int(word(mark, i)) ps 1.1 lc rgb '#444444' title word(models, i)
unset multiplot

# The paper's other axis: the local constant against the radius R of the input, coloured by n, and R against n, of every
# layer of the trained models that read text.
width = 1100; height = 640
load 'bounds/style.gp'
files(model) = system(sprintf("ls %s/growth_%s_*_alice.csv 2>/dev/null", folder, model))
layer(file) = system(sprintf("basename %s | cut -d _ -f 3", file))
shape(i) = 2 * i + 2
set palette defined (0 '#56B4E9', 0.5 '#0072B2', 1 '#000000')
set cbrange [2:64]
set cbtics (2, 4, 8, 16, 32, 64)
set cblabel 'tokens n'
set colorbox user origin screen 0.86, screen 0.58 size screen 0.02, screen 0.29
unset key
set multiplot layout 2,2 margins screen 0.095,0.83,0.10,0.87 spacing screen 0.1,0.19 \
  title 'Local constant, radius of the input and length (trained models, causal mask, Alice)' font ',18'
set logscale ycb
do for [model in 'char-gpt mini-gpt'] {
  list = files(model)
  set title model
  set xlabel spaced('R = max ||x_i||')
  set ylabel spaced('||D_X f||_2 (l^2 norms)')
  set ytics (0.2, 0.5, 1, 2, 5, 10, 20)
  plot for [i = 1:words(list)] word(list, i) using 'radius':'lower':'n' with points palette pt shape(i) ps 0.8 lw 1.5
}
unset colorbox
unset logscale
set logscale x
set key at screen 0.85, screen 0.40 top left Left reverse
do for [model in 'char-gpt mini-gpt'] {
  list = files(model)
  set title ''
  set xlabel 'tokens n'
  set ylabel spaced('R = max ||x_i||')
  set xtics (2, 4, 8, 16, 32, 64)
  set xrange [1.7:75]
  set ytics autofreq
  plot for [i = 1:words(list)] word(list, i) using 'n':'radius' with points ls i pt shape(i) ps 0.7 notitle, \
       for [i = 1:(model eq 'mini-gpt' ? words(list) : 0)] NaN with points ls i pt shape(i) title 'layer ' . layer(word(list, i))
}
unset multiplot

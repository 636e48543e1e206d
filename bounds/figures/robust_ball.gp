# sup ||D_X' f|| over balls around one sentence, two layers of bert-tiny: certified from both sides, beside T9.
load 'bounds/style.gp'
set terminal svg size 1080,520 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
data = folder . '/robust_ball.csv'
of(which, name) = column('layer') == which ? column(name) : NaN
set logscale xy
set autoscale xfix
set format x '10^{%L}'
set xlabel 'radius of the ball (Frobenius norm)'
set multiplot layout 1,2 margins screen 0.08,0.98,0.27,0.86 spacing screen 0.08,0 \
  title 'Attention on a ball around a sentence of ten words (bert-tiny-sst2)' font ',18'
set key at screen 0.08, screen 0.14 top left vertical Left reverse samplen 2 spacing 1.3 maxrows 2
do for [layer = 0:1] {
  set title sprintf('layer %d', layer) offset 0,-0.4
  if (layer == 0) { set ylabel 'local Lipschitz constant' } else { unset ylabel; unset key }
  plot data using (of(layer, 'radius')):(column('T9')) with lines ls 8 title 'T9 on the ball', \
       data using (of(layer, 'radius')):(column('upper')) with linespoints ls 1 title 'certified upper end', \
       data using (of(layer, 'radius')):(column('lower')) with linespoints ls 9 title 'certified at a point found', \
       data using (of(layer, 'radius')):(column('point')) with lines ls 6 title 'at the sentence'
}
unset multiplot

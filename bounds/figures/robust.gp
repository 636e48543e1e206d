# Radii of whole networks, a panel for each set of words that moves: certified, refuted, and what no bound of first
# order exceeds. The sentences of bert-tiny-sst2.
load 'bounds/style.gp'
set terminal svg size 1080,560 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
data = folder . '/robust.csv'
exact(which, name) = strcol('model') eq 'bert-tiny-sst2' && strcol('execution') eq 'exact' && \
  (which == 1 ? strcol('words') eq '1' : which == 2 ? strcol('words') ne '1' && strcol('words') ne 'all' : strcol('words') eq 'all') \
  ? column(name) : NaN
set xrange [-0.6:4.6]
set xtics 1
set xlabel 'sentence'
set logscale y
set yrange [1e-7:1e3]
set format y '10^{%L}'
set multiplot layout 1,3 margins screen 0.08,0.98,0.27,0.86 spacing screen 0.04,0 \
  title spaced('Robustness of bert-tiny-sst2: l^2 radius of what is added to the words') font ',18'
set key at screen 0.08, screen 0.14 top left vertical Left reverse samplen 1.5 spacing 1.3 maxrows 2
do for [which = 1:3] {
  set title (which == 1 ? 'word 1' : which == 2 ? 'the middle word' : 'all words') offset 0,-0.4
  if (which == 1) { set ylabel 'radius' } else { unset ylabel; set format y ''; unset key }
  plot data using (exact(which, 'input')):(column('first_order')) with points ls 8 pt 1 ps 1.4 title 'margin / ||gradient||', \
       data using (exact(which, 'input')):(column('refuted')) with points ls 1 ps 1.4 title 'refuted by an input', \
       data using (exact(which, 'input')):(column('certified')) with points ls 9 ps 1.4 title 'certified', \
       data using (exact(which, 'input')):(column('margin') / column('product')) with points ls 3 ps 1.4 title 'margin / product of layer constants'
}
unset multiplot

# Inputs made to be bad: left a head of a trained model, right the random GPT-2 of the paper.
width = 1040; height = 640
load 'bounds/style.gp'
# the rows of one model, layer and kind of input
rows(model, layer, kind) = sprintf("< awk -F , '/^model,/ || ($1 == \"%s\" && $3 == %d && $4 == \"%s\" && ($4 == \"rows\" || $5 == \"none\"))' %s/adversarial.csv", \
                                   model, layer, kind, folder)
set logscale xy
set xtics (2, 5, 10, 20, 50, 100)
set xrange [1.8:115]
set format y '10^{%L}'
set xlabel 'tokens n'
set key bottom center outside vertical maxrows 4 samplen 1.8
set multiplot layout 1,2 margins screen 0.085,0.985,0.33,0.88 spacing screen 0.09
set title 'mini-gpt layer 3, head 0 alone, no mask, R = 8'
set ylabel spaced('||D_X f||_2, and bounds on B_R^n')
m = 'mini-gpt'
plot rows(m, 3, 't3') using 'n':'T1' with lines ls 1 title 'T1', \
     rows(m, 3, 't3') using 'n':'T9' with lines ls 2 title 'T9', \
     rows(m, 3, 't3') using 'n':'T10' with lines ls 5 title 'T10, worst A', \
     rows(m, 3, 't3') using 'n':'T3' with lines ls 3 title 'T3', \
     rows(m, 3, 't3') using 'n':'lower' with points ls 3 ps 1 title 'input of T3', \
     rows(m, 3, 'clusters') using 'n':'lower' with points ls 9 ps 0.9 title 'two clusters', \
     rows(m, 3, 'ascent') using 'n':'lower' with points ls 6 pt 1 ps 1.3 lw 1 title 'after an ascent'
set title 'random GPT-2 layer 6, R = 100'
set ylabel ''
m = 'random:gpt2'
plot rows(m, 6, 't3') using 'n':'T9' with lines ls 2 title 'head 0: T9', \
     rows(m, 6, 'clusters') using 'n':'lower' with points ls 9 ps 0.9 title 'head 0: two clusters', \
     rows(m, 6, 't3') using 'n':'lower' with points ls 3 ps 1 title 'head 0: input of T3', \
     rows(m, 6, 'rows') using 'n':'lower' with points ls 4 ps 1 title 'layer: rows of W', \
     0.92 * sqrt(x) with lines ls 8 title '[C]: 0.92 √n'
unset multiplot
